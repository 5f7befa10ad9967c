/** The contents of a change request and its space that a merge or a resolution reads. */
import type { Side, Snapshot } from '../../core/content/merge/model.ts'
import { type EntryChange, diff } from '../../core/content/prolly-tree/read.ts'
import type { Root } from '../../core/content/prolly-tree/node.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../../core/content/revision.ts'
import type { Reader, Row } from '../../db/schema.ts'
import type { Changes } from '../content/commit.ts'
import { filesOf, nodesOf, pagesOf, reusablesOf } from '../content/content.ts'

/** A change request and its space. */
export interface Proposal {
  space: Row<'space'>
  changeRequest: Row<'changeRequest'>
}

/** The user who merges or resolves, and the time. */
export interface By {
  userId: string
  now: Date
  newId: () => string
}

/** The columns of a revision that hold its content. */
export type ContentRow = Pick<
  Row<'revision'>,
  'spaceId' | 'pages' | 'files' | 'reusables' | 'variables' | 'redirects'
>

/** Loads the content of a revision. */
export async function snapshotOf(db: Reader, revision: ContentRow): Promise<Snapshot> {
  return {
    pages: await pagesOf(db, revision),
    files: await filesOf(db, revision),
    reusables: await reusablesOf(db, revision),
    variables: JSON.parse(revision.variables) as Variables,
    redirects: JSON.parse(revision.redirects) as Record<string, string>,
  }
}

/** Loads the content of a revision and its differences from the base. */
export async function sideOf(db: Reader, base: ContentRow, revision: ContentRow): Promise<Side> {
  return { ...(await snapshotOf(db, revision)), changes: await diffsOf(db, base, revision) }
}

/** The differences between two revisions of a space. */
export async function diffsOf(db: Reader, from: ContentRow, to: ContentRow): Promise<Side['changes']> {
  const between = <V>(a: Root, b: Root) => diff<V>(a, b, nodesOf<V>(db, from.spaceId))
  return {
    pages: await between<PageRecord>(from.pages, to.pages),
    files: await between<FileRecord>(from.files, to.files),
    reusables: await between<ReusableRecord>(from.reusables, to.reusables),
  }
}

/** The changes that turn one revision into another, from their differences. */
export function changesFrom(
  from: ContentRow,
  to: ContentRow,
  { pages, files, reusables }: Side['changes'],
): Changes {
  const toward = <V>(changes: readonly EntryChange<V>[]) =>
    new Map(changes.map(({ key, after }) => [key, after ?? null]))
  return {
    pages: toward(pages),
    files: toward(files),
    reusables: toward(reusables),
    ...(from.variables === to.variables ? {} : { variables: JSON.parse(to.variables) as Variables }),
    ...(from.redirects === to.redirects
      ? {}
      : { redirects: JSON.parse(to.redirects) as Record<string, string> }),
  }
}
