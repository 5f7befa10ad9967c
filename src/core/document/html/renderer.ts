import type { Html } from '../../text/html.ts'
import type { ContentWords } from './content-words.ts'
import type { Block, BlockOf, ContentRef, Document, Fragment, Inline, Text } from '../model.ts'

/** The target of a reference. A target without `href`, or with `missing`, is shown as text. */
export interface LinkTarget {
  href?: string
  title?: string
  description?: string
  icon?: string
  emoji?: string
  /** The cover of the target. */
  image?: ImageTarget
  /** The target does not exist. */
  missing?: boolean
  /** The target is on another site. */
  external?: boolean
  /** The target opens in a new window. */
  newWindow?: boolean
}

/** The address of an image, with its natural size in CSS pixels if known: the browser then reserves its place. */
export interface ImageTarget {
  src: string
  width?: number
  height?: number
}

/** A file offered for download; `size` in bytes. */
export interface FileTarget {
  href: string
  name: string
  size?: number
  contentType?: string
}

/** The kinds of code tokens that have a colour. */
export type TokenKind =
  | 'comment'
  | 'keyword'
  | 'string'
  | 'constant'
  | 'function'
  | 'type'
  | 'variable'
  | 'property'
  | 'tag'
  | 'inserted'
  | 'deleted'
  | 'heading'
  | 'emphasis'
  | 'strong'

/** A run of `length` UTF-16 units of one line. */
export interface CodeToken {
  length: number
  kind?: TokenKind
}

/** The tokens of each line. Together they cover the line, without its line feed. */
export type HighlightedCode = readonly (readonly CodeToken[])[]

/** The surroundings of a document: how its references, expressions and code are resolved. */
export interface RenderContext {
  /** Resolves a link; undefined if the target does not exist. */
  href(ref: ContentRef): LinkTarget | undefined
  image(ref: ContentRef): ImageTarget | undefined
  file(ref: ContentRef): FileTarget | undefined
  /** The name of a user whom readers may know; undefined for others, and for what is no user. */
  person?(ref: ContentRef): string | undefined
  /** The document of a reusable content. */
  reusable(ref: ContentRef): Document | undefined
  /** The tokens of a code block; undefined shows it without colours. */
  highlight(code: string, syntax: string): HighlightedCode | undefined
  /** The value of an expression for this visitor. Undefined hides the content that depends on it. */
  evaluate(expression: string): unknown
  /** The drawing of a named icon. */
  icon?(name: string): Html | undefined
  /** The data for the form of an operation, as JSON; undefined if readers cannot send requests to it. */
  tryIt?(block: BlockOf<'openapi-operation'> | BlockOf<'swagger'>): string | undefined
  /** The language of dates and of the words that the renderer adds; English by default. */
  language?: string
  words?: ContentWords
  /** The HTML leaves the page, such as in a feed: headings have no marks that link to them. */
  outsidePage?: boolean
  /** The name shown for a tag of an update. */
  tag?(tag: string): string | undefined
}

/** A heading as the outline lists it; `level` 1 is the highest in the body. */
export interface OutlineItem {
  id: string
  title: string
  level: 1 | 2 | 3
}

/** Style sheets, fonts, scripts and feeds that a page refers to only if something on it needs them. */
export type PageNeed = 'math' | 'diagrams' | 'feed' | 'try-it'

/** A document as markup, with the headings for the outline and the assets that it needs. */
export interface RenderedDocument {
  body: Html
  outline: OutlineItem[]
  needs: ReadonlySet<PageNeed>
}

/** Passed to the function of every node: the context, functions for its children, and the counters of the document. */
export interface Renderer {
  context: RenderContext
  words: ContentWords
  blocks(nodes: readonly Block[]): Html
  inlines(nodes: readonly (Text | Inline)[]): Html
  /** The blocks of a reusable content, or a note if it includes itself, or would make the page too long. */
  included(document: Document): Html
  /** A fragment's blocks; a single paragraph comes without its `<p>`. */
  phrase(fragment: Fragment | undefined): Html
  icon(name: string | undefined): Html | undefined
  /** An id that no other element of the page has. */
  id(wanted: string): string
  /** Runs `work` without adding headings to the outline, because readers cannot jump to folded content. */
  folded(work: () => Html): Html
  /** The attributes of a link to the note with these blocks, which is at the end of the document. Notes that say the same are one. */
  noteLink(blocks: readonly Block[]): Html
  /** Turns the level of a heading in the document into its level on the page, where no level is skipped. */
  headingLevel(level: 1 | 2 | 3): 2 | 3 | 4
  outline: OutlineItem[]
  /** The assets that the blocks rendered so far need, beyond those that every page loads. */
  needs: Set<PageNeed>
  /** Depth of headings that do not enter the outline. */
  hidden: number
}
