/** What merging takes and gives: contents, sides, changes and conflicts. All of it is plain values. */
import type { Change } from '../map.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../revision.ts'
import type { PageTree } from '../tree.ts'

/** The content of one revision, loaded. */
export interface Snapshot {
  readonly pages: PageTree
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
  readonly variables: Variables
  /** Old path to where it leads now. */
  readonly redirects: Readonly<Record<string, string>>
}

/** A content, and how it differs from the common ancestor (`diff` of `map.ts`), so that what is unchanged costs nothing. */
export interface Side extends Snapshot {
  readonly changes: {
    readonly pages: readonly Change<PageRecord>[]
    readonly files: readonly Change<FileRecord>[]
    readonly reusables: readonly Change<ReusableRecord>[]
  }
}

/** The two sides of a merge: the primary content of a space, and a change request's own. */
export type SideName = 'primary' | 'own'

/** Records to set, or to remove where null, by id; of variables and redirects all, if any of them changes. */
export interface ContentChanges {
  pages: Map<string, PageRecord | null>
  files: Map<string, FileRecord | null>
  reusables: Map<string, ReusableRecord | null>
  variables?: Variables
  redirects?: Record<string, string>
}

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What both sides changed, each differently. A plain JSON value: stored, shown, and resolved later. */
export interface Conflict {
  /** Names what it is about, within one merge: the same whichever side is which, and when the merge is done again. */
  readonly key: string
  readonly object: 'page' | 'file' | 'reusable-content' | 'space'
  /** Of the page, file or reusable content; empty for the space. */
  readonly id: string
  /** What the object is called, to show it. */
  readonly title: string
  /**
   * - `body`: a block of the Markdown source, or an entry of its front matter; the values are its text, null where it
   *   is deleted.
   * - `field`: the values are those of `field`, null where there is none.
   * - `existence`: deleted by one side, changed by the other. The values are `{ pages }`, the records of the page and
   *   of all below it, or `{ file }` or `{ reusable }`, the record; null where it is deleted.
   * - `place`: the values are `{ parent, order }` of a page.
   */
  readonly kind: 'body' | 'field' | 'existence' | 'place'
  /** Of kind `field`: the record's key, `content` for the bytes of a file, `variables` or `redirects` for the space. */
  readonly field?: string
  /** Of the space's variables and redirects: the name of the one. */
  readonly name?: string
  readonly base: Json
  readonly primary: Json
  readonly own: Json
  /** Of kind `body`: where the block stands, or stood, in the merged source. */
  readonly place?: BodyPlace
}

/** A place in a source, to be found again after other edits. */
export interface BodyPlace {
  /** In characters from the start of the source. */
  readonly offset: number
  /** Of an entry of the front matter: its key. */
  readonly key?: string
  /** The end of what stands before it, and the beginning of what follows; absent at the start and the end. */
  readonly before?: string
  readonly after?: string
  /** How often the text stands in the source, if more than once. */
  readonly times?: number
}

/** The result of a merge. */
export interface Merged {
  readonly conflicts: readonly Conflict[]
  /** The sources that neither side has, by their `documentHash`. */
  readonly documents: ReadonlyMap<string, string>
  /** What turns a side's content into the result. */
  changesTo(side: SideName): ContentChanges
  /** Why the result cannot be written, if it cannot: both together are too many pages, or too deep. */
  readonly refused?: string
}

/** How a conflict is settled: as one side has it, or with given content: Markdown for a block, a value for a field. */
export type Choice = { readonly side: SideName } | { readonly content: unknown }

/** What settles a conflict in the own content, or why it cannot be settled so. */
export type Resolution =
  | { readonly changes: ContentChanges; readonly documents: ReadonlyMap<string, string> }
  | { readonly refused: string; readonly because: 'content' | 'state' }
