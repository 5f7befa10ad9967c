/**
 * Tags of conditions in elements of HTML for code, such as `<code>` and `<pre>`. A condition may begin and end there, as in
 * formatted code. A closing tag there ends no condition outside of such elements: it is what the author writes about.
 */
import type { MdastNode } from 'satteri'

import { readHtml } from '../html-source.ts'
import type { HtmlNode } from '../html-source.ts'
import { openConditions } from '../open-tags.ts'
import type { ReadingContext } from '../reading.ts'
import type { Tag } from '../tags.ts'

const NAMES = 'code|kbd|pre|samp|tt|var|listing|xmp|textarea|script|style|title'
const CODE = new Set(NAMES.split('|'))
const MAYBE = new RegExp(`<(?:${NAMES})\\b`, 'i')

/** What matters for code in elements, in the order of the source. */
type Token = { type: 'open' | 'close'; name: string } | { type: 'tag'; tag: Tag }

/** Notes which tags of conditions are in elements for code, and that those which end nothing there are text. */
export function noteRawCode(nodes: readonly MdastNode[], reading: ReadingContext): void {
  const { masked, settled, inRawCode, literal } = reading
  if (masked.tags.size === 0 || !MAYBE.test(masked.text)) return
  for (const tag of tagsInCode(tokensIn(nodes, reading))) inRawCode.add(tag)
  if (inRawCode.size === 0) return
  const open = openConditions()
  for (const [tag] of masked.tags) {
    if (tag.name !== 'if' || settled.has(tag)) continue
    if (!tag.closes) open.add(tag)
    else if (!open.close(tag, (opener) => !inRawCode.has(tag) || inRawCode.has(opener))) {
      if (!inRawCode.has(tag)) continue
      settled.add(tag)
      literal.add(tag)
    }
  }
}

/**
 * The tags between the opening and the closing tag of an element for code. They may be in different blocks, because a line that
 * begins with a tag is a block for the parser.
 */
function tagsInCode(tokens: readonly Token[]): Tag[] {
  const open = new Map<string, number[]>()
  const depths = new Int32Array(tokens.length + 1)
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'tag') continue
    const begun = open.get(token.name) ?? []
    open.set(token.name, begun)
    if (token.type === 'open') {
      begun.push(index)
      continue
    }
    const start = begun.pop()
    if (start === undefined) continue
    depths[start]! += 1
    depths[index]! -= 1
  }
  let depth = 0
  return tokens.flatMap((token, index) => {
    depth += depths[index]!
    return token.type === 'tag' && depth > 0 ? [token.tag] : []
  })
}

function tokensIn(nodes: readonly MdastNode[], { masked, settled }: ReadingContext): Token[] {
  const tokens: Token[] = []
  const open: (MdastNode | HtmlNode | Token)[] = nodes.toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'open' || node.type === 'close') tokens.push(node)
    else if (node.type === 'comment') {
      const tag = masked.tag(node.source)
      if (tag?.name === 'if' && !settled.has(tag)) tokens.push({ type: 'tag', tag })
    } else if (node.type === 'characters') {
      // In some elements, such as `<textarea>`, HTML has no comments.
      for (const { tag } of masked.pieces(node.source))
        if (tag?.name === 'if' && !settled.has(tag)) tokens.push({ type: 'tag', tag })
    } else if (node.type === 'html') for (const one of readHtml(node.value).toReversed()) open.push(one)
    else if (node.type === 'element') {
      const isCode = CODE.has(node.name)
      if (isCode) open.push({ type: 'close', name: node.name })
      for (const child of node.children.toReversed()) open.push(child)
      if (isCode) open.push({ type: 'open', name: node.name })
    } else if (node.type === 'tag' && 'source' in node) {
      const type = node.source.startsWith('</') ? 'close' : 'open'
      if (CODE.has(node.name)) tokens.push({ type, name: node.name })
    } else if ('children' in node)
      for (const child of (node.children as MdastNode[]).toReversed()) open.push(child)
  }
  return tokens
}
