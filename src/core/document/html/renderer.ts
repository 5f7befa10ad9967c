import type { Html } from '../../html.ts'
import type { Block, ContentRef, Document, Fragment, Inline, Text } from '../model.ts'

/** Where a reference leads. Without `href`, or with `missing`, it is shown as text. */
export interface LinkTarget {
  href?: string
  title?: string
  description?: string
  icon?: string
  emoji?: string
  /** What it points at is not there. */
  missing?: boolean
  /** Leads away from the site. */
  external?: boolean
}

/** An image as the browser asks for it; the natural size in CSS pixels, when known, spares a jump of the layout. */
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

/** What a piece of code is, in the few kinds that get a colour of their own. */
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

/** The tokens of each line, without line ends; they cover their line. */
export type HighlightedCode = readonly (readonly CodeToken[])[]

/** All that a document needs from the world around it. */
export interface RenderContext {
  /** Resolves a link; undefined if what it points at is not there. */
  href(ref: ContentRef): LinkTarget | undefined
  image(ref: ContentRef): ImageTarget | undefined
  file(ref: ContentRef): FileTarget | undefined
  /** The document of a reusable content. */
  reusable(ref: ContentRef): Document | undefined
  /** The tokens of a code block, when they are known. */
  highlight(code: string, syntax: string): HighlightedCode | undefined
  /** The value of an expression for this visitor; undefined hides what depends on it. */
  evaluate(expression: string): unknown
  /** The drawing of a named icon. */
  icon?(name: string): Html | undefined
  /** The name shown for a tag of an update. */
  tag?(tag: string): string | undefined
}

/** A heading as the outline lists it; `level` 1 is the highest in the body. */
export interface OutlineItem {
  id: string
  title: string
  level: 1 | 2 | 3
}

/** A document as markup, and the headings a reader may jump to. */
export interface RenderedDocument {
  body: Html
  outline: OutlineItem[]
}

/** What each node's function works with: the context, the way down, and what is counted across the document. */
export interface Renderer {
  context: RenderContext
  blocks(nodes: readonly Block[]): Html
  inlines(nodes: readonly (Text | Inline)[]): Html
  /** A fragment's blocks; a single paragraph comes without its `<p>`. */
  phrase(fragment: Fragment | undefined): Html
  icon(name: string | undefined): Html | undefined
  /** An id that no other element of the page has. */
  id(wanted: string): string
  /** Runs `work` with headings kept out of the outline: what may be folded away is no place to jump to. */
  folded(work: () => Html): Html
  /** Notes to be printed after the document; gives the number of the note. */
  note(body: Html): number
  /** Takes the level a heading has in the document and gives the one it gets in the page, so that none is skipped. */
  headingLevel(level: 1 | 2 | 3): 2 | 3 | 4
  outline: OutlineItem[]
  /** Depth of headings that do not enter the outline. */
  hidden: number
}
