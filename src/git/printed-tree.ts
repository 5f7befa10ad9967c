/** The files of a revision as a commit has them, and what the next revision changes of them. */
import { hash } from 'node:crypto'
import { jsonEqual } from '../core/data/json.ts'
import type { EntryChange } from '../core/content/prolly-tree/read.ts'
import type { Side, Snapshot } from '../core/content/merge/model.ts'
import type { PageRecord } from '../core/content/revision.ts'
import type { PlacedContent, RepositoryLayout } from '../core/repository/print/model.ts'
import { placeContent } from '../core/repository/print/place.ts'
import {
  allRecords,
  type PrintedFile,
  type PrintedRecords,
  printRecords,
  printSettings,
} from '../core/repository/print/print.ts'
import type { Reader } from '../db/schema.ts'
import { sourcesOf } from '../model/content/content.ts'
import { type ContentRow, diffsOf, snapshotOf } from '../model/proposals/snapshots.ts'
import { isGitPath } from './git-path.ts'

/** Every commit has its settings at the top, as an export over the API has them by default. */
export const COMMIT_LAYOUT: RepositoryLayout = { folder: '', root: '', summary: 'SUMMARY.md' }

/** The printed files of a revision. */
export interface PrintedTree {
  row: ContentRow
  placed: PlacedContent
  /** The pages whose files have their titles. */
  titled: ReadonlySet<string>
  /** What identifies the bytes of each file, by its path. */
  files: ReadonlyMap<string, string>
  /** The paths of the files that are not those of one record. */
  settings: readonly string[]
}

/** A file that a commit writes, or the path of one that it removes. */
export type TreeChange = PrintedFile | { path: string; removed: true }

/** Takes a change of a tree. Removals come first, because a file may take the place of a folder. */
export type TakeChange = (change: TreeChange) => Promise<void>

/**
 * Prints all files of a revision, one after the other.
 * @param before the files of its parent; without it, all are new
 * @param take gets what differs from them
 */
export async function printTree(
  db: Reader,
  row: ContentRow,
  before: PrintedTree | undefined,
  take: TakeChange,
): Promise<PrintedTree> {
  const placed = placeContent(await snapshotOf(db, row), COMMIT_LAYOUT)
  const records = allRecords(placed)
  const known = before?.files ?? new Map<string, string>()
  const all = new Set([
    ...records.pages.flatMap(({ file }) => file ?? []),
    ...[...records.reusables, ...records.files].flatMap(({ path }) => path ?? []),
    ...printSettings(placed, new Set()).map(({ path }) => path),
  ])
  const shown = new Set([...all].filter((path) => isGitPath(path) && !isBelowFile(path, all)))
  for (const path of known.keys()) if (!shown.has(path)) await take({ path, removed: true })

  const titled = new Set<string>()
  const files = new Map<string, string>()
  const add = async (file: PrintedFile) => {
    if (!shown.has(file.path)) return
    const identity = identityOf(file)
    files.set(file.path, identity)
    if (known.get(file.path) !== identity) await take(file)
  }
  for await (const file of printRecords(placed, records, loadOf(db, row), titled)) await add(file)
  const settings = printSettings(placed, titled)
  for (const file of settings) await add(file)
  return { row, placed, titled, files, settings: settings.map(({ path }) => path) }
}

/**
 * Prints the files of the revision that follows another. If no record has moved, only those of the changed records are
 * printed: the file of a page depends on its own record and on the paths of others.
 */
export async function printNextTree(
  db: Reader,
  before: PrintedTree,
  row: ContentRow,
  take: TakeChange,
): Promise<PrintedTree> {
  const diffs = await diffsOf(db, before.row, row)
  const placed = placedAgain(before.placed, await snapshotOf(db, row), diffs)
  if (!placed) return printTree(db, row, before, take)

  const files = new Map(before.files)
  const titled = new Set(before.titled)
  for (const { key } of diffs.pages) titled.delete(key)
  const records: PrintedRecords = {
    pages: diffs.pages.flatMap(({ key }) => placed.pages.get(key) ?? []),
    reusables: diffs.reusables.flatMap(({ key }) => placed.reusables.get(key) ?? []),
    files: diffs.files.flatMap(({ key }) => placed.files.get(key) ?? []),
  }
  const add = async (file: PrintedFile) => {
    const identity = identityOf(file)
    if (files.get(file.path) === identity) return
    files.set(file.path, identity)
    await take(file)
  }
  for await (const file of printRecords(placed, records, loadOf(db, row), titled))
    // A path that the tree has not is none that git stores.
    if (files.has(file.path)) await add(file)
  const isListedAlike = diffs.pages.every(
    (page) => isSameLine(page) && titled.has(page.key) === before.titled.has(page.key),
  )
  const { variables, redirects } = before.row
  if (isListedAlike && variables === row.variables && redirects === row.redirects)
    return { row, placed, titled, files, settings: before.settings }

  const settings = printSettings(placed, titled)
  const paths = settings.map(({ path }) => path)
  for (const file of settings) {
    const isShown = files.has(file.path) || (!before.settings.includes(file.path) && isGitPath(file.path))
    if (isShown) await add(file)
  }
  for (const path of before.settings)
    if (!paths.includes(path) && files.delete(path)) await take({ path, removed: true })
  return { row, placed, titled, files, settings: paths }
}

/**
 * The content of the next revision with the paths that the content before had.
 * @returns undefined if a change can give a record another path
 */
function placedAgain(
  before: PlacedContent,
  content: Snapshot,
  diffs: Side['changes'],
): PlacedContent | undefined {
  const keepsPlaces =
    diffs.pages.every(staysInPlace) &&
    diffs.files.every((file) => keepsFields(file, ['path', 'name'])) &&
    diffs.reusables.every((one) => keepsFields(one, ['path', 'title']))
  if (!keepsPlaces) return undefined
  const pages = new Map<string, PageRecord>()
  for (const { key, after } of diffs.pages) {
    const file = before.pages.get(key)?.file
    if (after) pages.set(key, { ...after, ...(file === undefined ? {} : { file }) })
  }
  return {
    ...content,
    pages: before.pages.apply(pages),
    files: withPaths(before.files, diffs.files),
    reusables: withPaths(before.reusables, diffs.reusables),
    layout: before.layout,
    before: content,
    fresh: before.fresh,
  }
}

function withPaths<R extends { path?: string }>(
  before: ReadonlyMap<string, R>,
  changes: readonly EntryChange<R>[],
): ReadonlyMap<string, R> {
  if (changes.length === 0) return before
  const placed = new Map(before)
  for (const { key, after } of changes) {
    const path = before.get(key)?.path
    if (after) placed.set(key, { ...after, ...(path === undefined ? {} : { path }) })
  }
  return placed
}

const loadOf =
  (db: Reader, { spaceId }: ContentRow) =>
  (documents: string[]) =>
    sourcesOf(db, spaceId, documents)

const identityOf = (file: PrintedFile): string =>
  'text' in file ? `text ${hash('sha1', file.text)}` : `file ${file.file.hash}`

/** Git has no folder at the path of a file. */
function isBelowFile(path: string, all: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (all.has(path.slice(0, end))) return true
  return false
}

/** Whether a changed page has the place and the path that it had, so that no other file depends on the change. */
function staysInPlace(page: EntryChange<PageRecord>): boolean {
  if (!keepsFields(page, ['file', 'parent', 'order', 'slug', 'type', 'target'])) return false
  // Without a body, a page may be a line of the table of contents that has no file.
  const hasFile = page.after?.file !== undefined || page.after?.type !== 'document'
  return hasFile || (page.before?.document !== undefined && page.after?.document !== undefined)
}

/** Whether the line of a changed page in the table of contents is the same, if its file has its title as before. */
const isSameLine = (page: EntryChange<PageRecord>) => keepsFields(page, ['title', 'linkTitle', 'computed'])

function keepsFields<R extends object>(
  { before, after }: EntryChange<R>,
  fields: readonly (keyof R)[],
): boolean {
  if (!before || !after) return false
  return fields.every((field) => jsonEqual(before[field], after[field]))
}
