/** What a revision holds: three maps (`map.ts`) keyed by id, of pages, files and reusable contents. */
import type { ContentRef, PageLayout, PageMeta } from './document/model.ts'
import type { Root } from './map.ts'

/** The variables of a space or page: a letter, then letters, digits and `_` (api-facts 8 of "limits in docs"). */
export type Variables = Readonly<Record<string, string | number | boolean>>

/** Content that is made from something else when it is read, such as the pages of an OpenAPI description. */
export interface ComputedSource {
  readonly type: string
  readonly props: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, { readonly ref: ContentRef }>>
}

/** What a page shows where its own layout does not say. */
export const DEFAULT_LAYOUT = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
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
  /** Not found by the product's own search. */
  readonly noIndex?: boolean
  /** Not to be indexed by crawlers. */
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
  /** The path in the repository, kept for life: relative links in the body are resolved from it. */
  readonly file?: string
  /** Where a link page leads. */
  readonly target?: ContentRef
  /** What a computed page, or a document page with a computed body, is made from. */
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
  /** Of the bytes in the blob store. */
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

/** Whether a page has a path of its own: link and computed pages have none. */
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

/** What content may not exceed (CONTENT.md, "Limits"). Document bytes are of its UTF-8 text. */
export const LIMITS = {
  documentBytes: 5_000_000,
  batchChanges: 50,
  treeDepth: 32,
  pages: 50_000,
  oldPlaces: 50_000,
} as const
