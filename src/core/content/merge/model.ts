/** The input and output of a merge: contents, sides, changes and conflicts, all plain values. */
import type { EntryChange } from '../prolly-tree/read.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import type { Reasoned } from '../../languages/reasoned.ts'

/** The content of one revision, loaded. */
export interface Snapshot {
  readonly pages: PageTree
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
  readonly variables: Variables
  /** Old path to the current target. */
  readonly redirects: Readonly<Record<string, string>>
}

/**
 * A content and its differences from the common ancestor (`diff` of `prolly-tree/`). A merge reads only the
 * differences.
 */
export interface Side extends Snapshot {
  readonly changes: {
    readonly pages: readonly EntryChange<PageRecord>[]
    readonly files: readonly EntryChange<FileRecord>[]
    readonly reusables: readonly EntryChange<ReusableRecord>[]
  }
}

/** The two sides of a merge: the primary content of a space, and the own content of a change request. */
export type SideName = 'primary' | 'own'

/** Records to set by id; null removes a record. If any variable or redirect changes, its map is given as a whole. */
export interface ContentChanges {
  pages: Map<string, PageRecord | null>
  files: Map<string, FileRecord | null>
  reusables: Map<string, ReusableRecord | null>
  variables?: Variables
  redirects?: Record<string, string>
}

/** A value that JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/**
 * Something that both sides changed differently. It is a plain JSON value, so it can be stored, shown and resolved
 * later.
 */
export interface Conflict {
  /** Identifies the conflict within a merge. The key is the same if the sides are swapped or the merge is repeated. */
  readonly key: string
  readonly object: 'page' | 'file' | 'reusable-content' | 'space'
  /** The id of the page, file or reusable content; empty for the space. */
  readonly id: string
  /** The title of the object, for display. */
  readonly title: string
  /**
   * - `body`: a block of the Markdown source, or an entry of its front matter. The values are its text; null if it is
   *   deleted.
   * - `field`: the values are those of `field`; null if a version has none.
   * - `existence`: one side deleted the object, and the other changed it. The values are `{ pages }`, the records of
   *   the page and of all pages below it, or the record as `{ file }` or `{ reusable }`; null if it is deleted.
   * - `place`: the values are `{ parent, order }` of a page.
   */
  readonly kind: 'body' | 'field' | 'existence' | 'place'
  /**
   * For kind `field`: the record's key, `content` for the bytes of a file, `variables` or `redirects` for the space.
   */
  readonly field?: string
  /** For a variable or redirect of the space: its name. */
  readonly name?: string
  readonly base: JsonValue
  readonly primary: JsonValue
  readonly own: JsonValue
  /** For kind `body`: the place of the block in the merged source, or the place where a deleted block was. */
  readonly place?: BodyPlace
}

/** A place in a source that can be found again after other edits. */
export interface BodyPlace {
  /** The offset in characters from the start of the source. */
  readonly offset: number
  /** For an entry of the front matter: its key. */
  readonly key?: string
  /**
   * The end of the text before the place; absent at the start. `after` is the beginning of the text after it; absent at
   * the end.
   */
  readonly before?: string
  readonly after?: string
  /** The number of occurrences of the text in the source, if more than one. */
  readonly times?: number
}

/** The result of a merge. */
export interface Merged {
  readonly conflicts: readonly Conflict[]
  /** The sources that neither side has, by their `documentHash`. */
  readonly documents: ReadonlyMap<string, string>
  /** Returns the changes that turn a side's content into the result. */
  changesTo(side: SideName): ContentChanges
  /**
   * Why the result cannot be written, if a limit is exceeded: too many pages, too deep a tree, or too large a document.
   */
  readonly refused?: Reasoned
}

/**
 * How to resolve a conflict: with the value of a side, or with given content (Markdown for a block, a value for a
 * field).
 */
export type Choice = { readonly side: SideName } | { readonly content: unknown }

/** A conflict, and the text that its block has now: another than its own if it was resolved and can be reopened. */
export interface StandingConflict {
  readonly found: Conflict
  readonly text: string | null
}

/** The changes that resolve a conflict in the own content, or the reason why it cannot be resolved this way. */
export type Resolution =
  | { readonly changes: ContentChanges; readonly documents: ReadonlyMap<string, string> }
  | { readonly refused: Reasoned; readonly because: 'content' | 'state' }
