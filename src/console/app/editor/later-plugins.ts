/** The features of every editor of blocks that are used later than the text. They hold no state of the document. */
import { dropCursor } from 'prosemirror-dropcursor'
import type { Node } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { clickBelow } from './caret/click-below.ts'
import { typedTags } from './caret/typed-tags.ts'
import { linkPaste } from './paste/link-paste.ts'
import { type FindTokens, typedColors } from './typed-colors.ts'

/**
 * The colours of code, links that are pasted over words, the notes on typed tags, the mark where a block is dropped, and clicks below the text.
 * @param doc the document as it was opened
 * @param findTokens finds the tokens of code
 */
export const laterPlugins = (doc: Node, findTokens: FindTokens): Plugin[] => [
  typedColors(findTokens),
  typedTags(doc),
  linkPaste,
  clickBelow,
  dropCursor({ class: 'drop-cursor', width: 3, color: false }),
]
