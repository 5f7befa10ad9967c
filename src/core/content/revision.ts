/** The content of a revision: three maps (`prolly-tree/`) keyed by id, of pages, files and reusable contents. */
import type { ContentRef, PageLayout, PageMeta } from '../document/model.ts'
import type { Root } from './prolly-tree/node.ts'

/** The variables of a space or page. A name is a letter, followed by letters, digits and `_`. */
export type Variables = Readonly<Record<string, string | number | boolean>>

/** Content generated from another source when it is read, such as the pages of an OpenAPI description. */
export interface ComputedSource {
  readonly type: string
  readonly props: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, { readonly ref: ContentRef }>>
}

/** The values for the layout settings that a page does not set. */
export const DEFAULT_LAYOUT = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
} as const

export type PageType = 'document' | 'group' | 'link' | 'computed'

/** One page, stored flat: its place in the tree is `parent` and `order`. Never changed in place; maps share records. */
export interface PageRecord {
  readonly id: string
  readonly type: PageType
  /** The id of the page above; null at the top level. */
  readonly parent: string | null
  /** Sorts siblings in code-unit order (`order.ts`); equal orders sort by id. */
  readonly order: string
  readonly title: string
  /** Unique among siblings, without `/`; empty for link and computed pages, which have no path. */
  readonly slug: string
  readonly linkTitle?: string
  /** The code point in hexadecimal, as in `1f3e0`. */
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  readonly hidden?: boolean
  /** Excludes the page from the product's own search. */
  readonly noIndex?: boolean
  /** Asks crawlers not to index the page. */
  readonly noRobotsIndex?: boolean
  /** Shown to a visitor only if this expression is true (`expression.ts`). */
  readonly condition?: string
  readonly layout?: Readonly<PageLayout>
  readonly cover?: Readonly<NonNullable<PageMeta['cover']>>
  readonly tags?: readonly Readonly<NonNullable<PageMeta['tags']>[number]>[]
  readonly variables?: Variables
  /** The hash of the body; absent for an empty page. */
  readonly document?: string
  /** The git object id of the repository file as it was last imported or exported. */
  readonly oid?: string
  /** The path in the repository, which never changes: relative links in the body are resolved from it. */
  readonly file?: string
  /** The target of a link page. */
  readonly target?: ContentRef
  /** The source of a computed page, or of the computed body of a document page. */
  readonly computed?: ComputedSource
  readonly createdAt: string
  readonly updatedAt: string
}

/** An uploaded file of a space. */
export interface FileRecord {
  readonly id: string
  readonly name: string
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** The hash of the bytes in the blob store. */
  readonly hash: string
  /** In pixels, for images. */
  readonly dimensions?: { readonly width: number; readonly height: number }
  /** The path in the repository. */
  readonly path?: string
  readonly oid?: string
  readonly createdAt: string
}

/** A piece of content that pages include. */
export interface ReusableRecord {
  readonly id: string
  readonly title: string
  /** The hash of the body; absent if empty. */
  readonly document?: string
  readonly computed?: ComputedSource
  /** The path in the repository. */
  readonly path?: string
  readonly oid?: string
}

/** Whether a page has a path; link and computed pages do not. */
export function hasPath(page: PageRecord): boolean {
  return page.type === 'document' || page.type === 'group'
}

/** The content of one revision. Two revisions with the same roots have the same content. */
export interface RevisionContent {
  readonly pages: Root
  readonly files: Root
  readonly reusables: Root
  /** The variables of the space (`.gitbook/vars.yaml`). */
  readonly variables?: Variables
}

/** The content of a new, empty space. */
export const EMPTY: RevisionContent = { pages: null, files: null, reusables: null }
