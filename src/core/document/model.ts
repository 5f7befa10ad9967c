/**
 * The document model: one typed tree of blocks, inlines and marks. It is what `format=document` returns
 * and what everything else (Markdown, HTML, text, links) is a function from or to.
 */
import type { Reasoned } from '../languages/reasoned.ts'

/** Where a link, image or card points. A `url` that is not absolute has not been resolved yet. */
export type ContentRef =
  | { kind: 'url'; url: string }
  | { kind: 'file'; file: string; space?: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'space'; space: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'openapi'; spec: string }
  | { kind: 'tag'; tag: string; space?: string }

export type Mark =
  | {
      object: 'mark'
      type: 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript'
    }
  | { object: 'mark'; type: 'color'; data: { text?: string; background?: string } }

export interface TextLeaf {
  object: 'leaf'
  text: string
  marks: Mark[]
}

/** A run of text. An empty paragraph holds one text with one empty leaf. */
export interface Text {
  object: 'text'
  key?: string
  leaves: TextLeaf[]
}

export interface Fragment {
  object: 'fragment'
  key?: string
  /** `caption`, `expandable-title`, `expandable-body`, or the string value of a table cell. */
  fragment?: string
  type?: string
  nodes: Block[]
}

export type Length = number | { unit: 'px' | '%'; value: number }
export type Align = 'start' | 'center' | 'end'
export type HintStyle = 'info' | 'success' | 'warning' | 'danger'
/** A size that is not set is `auto`. `objectFit` is how an image fills a card or cell. */
export type ImageCell =
  | ContentRef
  | { ref: ContentRef; objectFit?: 'contain' | 'fill' | 'cover'; alt?: string }

export type ColumnDefinition = { id: string; title: string } & (
  | {
      type: 'text'
      textAlignment: 'left' | 'center' | 'right'
      verticalAlignment?: 'top' | 'middle' | 'bottom'
    }
  | { type: 'number' | 'checkbox' | 'files' | 'content-ref' | 'image' }
  | { type: 'users'; multiple: boolean }
  | { type: 'rating'; max: number }
  | { type: 'select'; multiple: boolean; options: { value: string; label: string; color: string }[] }
)

/** A text cell holds the name of the fragment with its blocks; other cells hold their value. */
export type CellValue = string | number | boolean | string[] | ImageCell | null

export interface TableRecord {
  /** Rows sort by this in string order. */
  orderIndex: string
  values: Record<string, CellValue>
}

export type TableView =
  | {
      type: 'grid'
      columns: string[]
      columnWidths?: Record<string, number>
      hideHeader: boolean
      useNewSizing?: boolean
    }
  | {
      type: 'cards'
      cardSize: 'medium' | 'large'
      columns: string[]
      targetDefinition?: string
      coverDefinition?: string
      coverDefinitionDark?: string
      hideColumnTitle?: boolean
      wrap?: boolean
    }

export interface TableData {
  view: TableView
  records: Record<string, TableRecord>
  definition: Record<string, ColumnDefinition>
  fullWidth?: boolean
  search?: boolean
}

type Empty = Record<string, never>

/** The data of every block, by type. Adding a line here makes every renderer's table incomplete until it learns it. */
export interface BlockData {
  paragraph: { align?: Align }
  'heading-1': { id?: string; align?: Align }
  'heading-2': { id?: string; align?: Align }
  'heading-3': { id?: string; align?: Align }
  'list-unordered': Empty
  'list-ordered': { start?: number }
  'list-tasks': Empty
  'list-item': { checked?: boolean }
  divider: Empty
  blockquote: Empty
  hint: { style: HintStyle; icon?: string }
  code: {
    syntax?: string
    title?: string
    overflow?: 'scroll' | 'wrap'
    lineNumbers?: boolean
    fullWidth?: boolean
    expandable?: boolean
  }
  'code-line': { highlighted?: boolean }
  math: { formula: string }
  images: { align?: 'left' | 'center' | 'right'; fullWidth?: boolean; withFrame?: boolean }
  image: { ref: ContentRef; refDark?: ContentRef; width?: Length; height?: Length; alt?: string }
  file: { ref: ContentRef }
  drawing: { ref?: ContentRef }
  embed: { url: string; fullWidth?: boolean }
  'content-ref': { ref: ContentRef }
  'reusable-content': { ref: ContentRef }
  tabs: { fullWidth?: boolean }
  'tabs-item': { title?: string; icon?: string }
  stepper: Empty
  'stepper-step': { icon?: string }
  columns: { fullWidth?: boolean }
  column: { width?: Length; verticalAlignment?: 'top' | 'middle' | 'bottom' }
  expandable: { defaultExpanded?: boolean }
  table: TableData
  if: { expression: string }
  integration: {
    integration: string
    block: string
    props: Record<string, unknown>
    url?: string
    fullWidth?: boolean
  }
  /** Without a reference it was written by hand: its fragments are its description, parameters and responses. */
  swagger: {
    ref?: ContentRef
    path?: string
    method?: string
    baseUrl?: string
    summary?: string
    expanded?: boolean
    fullWidth?: boolean
  }
  'openapi-operation': { ref: ContentRef; path: string; method: string }
  'openapi-schemas': { ref: ContentRef; schemas: string[]; grouped?: boolean }
  'openapi-webhook': { ref: ContentRef; name: string; method: string }
  updates: { format?: 'numeric' | 'full' | 'short' }
  update: { date: string; tags?: string[] }
  prompt: {
    description: string
    icon?: string
    openInAIProviders?: boolean
    defaultExpanded?: 'hidden' | 'partial' | 'full'
  }
  /** Raw HTML that the model has no other block for, kept as written and sanitized when rendered. Not in the API's model.
   * With `markdown` it shows nothing and keeps the source of a link or footnote definition. */
  html: { html: string; markdown?: string }
}

export type BlockType = keyof BlockData

/** Blocks without child nodes. */
export type VoidBlockType =
  | 'divider'
  | 'math'
  | 'image'
  | 'file'
  | 'drawing'
  | 'embed'
  | 'content-ref'
  | 'reusable-content'
  | 'expandable'
  | 'table'
  | 'integration'
  | 'swagger'
  | 'openapi-operation'
  | 'openapi-schemas'
  | 'openapi-webhook'
  | 'html'

/** Blocks whose children are text and inlines. */
export type TextBlockType = 'paragraph' | 'heading-1' | 'heading-2' | 'heading-3' | 'code-line'

interface BlockBase<T extends BlockType> {
  object: 'block'
  type: T
  /** Stable within the document: comments and reverts address a block by it. */
  key?: string
  data: BlockData[T]
  /** `id` is the anchor of the block in a URL. */
  meta?: { id?: string }
}

export type BlockOf<T extends BlockType> = T extends VoidBlockType
  ? BlockBase<T> & { isVoid: true; nodes?: undefined; fragments?: Fragment[] }
  : T extends TextBlockType
    ? BlockBase<T> & { isVoid?: false; nodes: (Text | Inline)[]; fragments?: undefined }
    : BlockBase<T> & { isVoid?: false; nodes: Block[]; fragments?: undefined }

/** A block of any type; `block.type` discriminates. */
export type Block = { [T in BlockType]: BlockOf<T> }[BlockType]

export type ButtonAction =
  | { action: 'search'; query?: string }
  | { action: 'ask'; query?: string }
  | { action: 'select'; slug: string }

export interface InlineData {
  link: { ref: ContentRef }
  mention: { ref: ContentRef }
  emoji: { code: string }
  icon: { icon: string; color?: string }
  'inline-image': {
    ref: ContentRef
    refDark?: ContentRef
    caption?: string
    alt?: string
    size?: 'original' | 'line'
  }
  'inline-math': { formula: string }
  expression: { expression: string }
  annotation: Empty
  button: {
    label: string
    kind: 'primary' | 'secondary'
    icon?: string
    ref?: ContentRef
    action?: ButtonAction
  }
  /** The content between `if` tags within a line. Not in the API's model. */
  'inline-if': { expression: string }
  /** Raw inline HTML that the model has no other inline for. Not in the API's model. */
  'inline-html': { html: string }
}

export type InlineType = keyof InlineData
export type VoidInlineType = Exclude<InlineType, 'link' | 'annotation' | 'inline-if'>

interface InlineBase<T extends InlineType> {
  object: 'inline'
  type: T
  key?: string
  data: InlineData[T]
}

export type InlineOf<T extends InlineType> = T extends VoidInlineType
  ? InlineBase<T> & { isVoid: true; nodes?: undefined; fragments?: undefined }
  : InlineBase<T> & { isVoid?: false; nodes: (Text | Inline)[]; fragments?: Fragment[] }

export type Inline = { [T in InlineType]: InlineOf<T> }[InlineType]

export interface Document {
  object: 'document'
  data: { schemaVersion?: number }
  nodes: Block[]
}

/** Half-open range of UTF-16 offsets in the source text. */
export interface Span {
  start: number
  end: number
}

/** The front matter of a page that has a meaning to Lectern. Other keys are kept in the source. */
export interface PageMeta {
  title?: string
  description?: string
  icon?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  layout?: PageLayout
  cover?: { ref?: ContentRef; refDark?: ContentRef; yPos: number; height?: number }
  tags?: { tag: string; primary?: boolean }[]
  variables?: Record<string, string | number | boolean>
  condition?: string
}

/** The layout of a page. Absent keys have the defaults of the API. */
export interface PageLayout {
  width?: 'default' | 'wide'
  cover?: boolean
  coverSize?: 'hero' | 'full' | 'background'
  /** `radial`: the edges of the cover fade into the page. */
  coverMask?: 'none' | 'radial'
  title?: boolean
  description?: boolean
  tableOfContents?: boolean
  outline?: boolean
  pagination?: boolean
  metadata?: boolean
  tags?: boolean
  actions?: boolean
  /** Whether headings have links to themselves. */
  anchors?: boolean
}

/** A tag that can hide something: the opening tag of a condition, or another tag whose value has a condition. */
export interface HidingTag {
  /** The offset of the tag in the source. */
  start: number
  name: string
  /** The whole tag as it is written. */
  source: string
  /** The expression of a condition; one that never holds if the tag only looks like a condition. */
  expression?: string
  /**
   * Where its author may not have meant it: in a value of another tag, as an attribute of one, in the title of the page or
   * another text that everybody sees whole, without a closing tag, a closing tag that ends no condition or not the one around
   * it, one that ends a condition which begins in a value, in the front matter or in an included page, in code that has no
   * end, or as a word of a sentence, so that it hides nothing.
   */
  fault?:
    | 'value'
    | 'attribute'
    | 'title'
    | 'label'
    | 'unclosed'
    | 'unopened'
    | 'ignored'
    | 'misbegun'
    | 'code'
    | 'formula'
    | 'named'
}

/** A page's Markdown, read. */
export interface ParsedPage {
  /** From the leading `# heading`, else from the front matter's `title`; absent if neither is there. */
  title?: string
  meta: PageMeta
  document: Document
  /** The span of each top-level block in the source, in step with `document.nodes`. Together with the front matter, the title and the blank space between they cover the source. */
  spans: Span[]
  /** What each condition hides in the source, with its tags, in the order of their beginnings; absent if there are none. */
  conditions?: readonly Span[]
  /** In the order of the source; absent if there are none. */
  hiding?: readonly HidingTag[]
  /** Why the body could not be read as Markdown; the document then is one code block with the source. */
  unreadable?: Reasoned
  /** The limit that the page exceeds, such as `has 20001 blocks; the limit is 20000`. Such a page is not written. */
  excess?: Reasoned
}
