/** The files of a revision as a commit has them, and what the next revision changes of them. */
import { hash } from 'node:crypto'
import { jsonEqual } from '../core/data/json.ts'
import type { EntryChange } from '../core/content/prolly-tree/read.ts'
import type { FileRecord, PageRecord } from '../core/content/revision.ts'
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
const LAYOUT: RepositoryLayout = { folder: '', root: '', summary: 'SUMMARY.md' }

/** The printed files of a revision. */
export interface PrintedTree {
  row: ContentRow
  placed: PlacedContent
  /** The pages whose files have their titles. */
  titled: ReadonlySet<string>
  /** What identifies the bytes of each file, by its path. */
  files: ReadonlyMap<string, string>
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
  const placed = placeContent(await snapshotOf(db, row), LAYOUT)
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
  for (const file of printSettings(placed, titled)) await add(file)
  return { row, placed, titled, files }
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
  const isInPlace =
    diffs.pages.every(staysInPlace) && [...diffs.files, ...diffs.reusables].every(keepsItsPath)
  if (!isInPlace) return printTree(db, row, before, take)
  const placed = placeContent(await snapshotOf(db, row), LAYOUT)
  if (!hasSameEntries(before.placed.fresh, placed.fresh)) return printTree(db, row, before, take)

  const files = new Map(before.files)
  const earlier = new Set(printSettings(before.placed, before.titled).map(({ path }) => path))
  const later = new Set(printSettings(placed, before.titled).map(({ path }) => path))
  for (const path of earlier) if (!later.has(path) && files.delete(path)) await take({ path, removed: true })

  const titled = new Set(before.titled)
  for (const { key } of diffs.pages) titled.delete(key)
  const records: PrintedRecords = {
    pages: diffs.pages.flatMap(({ key }) => placed.pages.get(key) ?? []),
    reusables: diffs.reusables.flatMap(({ key }) => placed.reusables.get(key) ?? []),
    files: diffs.files.flatMap(({ key }) => placed.files.get(key) ?? []),
  }
  const add = async (file: PrintedFile) => {
    const identity = identityOf(file)
    // A path that the tree has not is none that git stores, or a setting that is new.
    const isShown = files.has(file.path) || (later.has(file.path) && !earlier.has(file.path))
    if (!isShown || files.get(file.path) === identity) return
    files.set(file.path, identity)
    await take(file)
  }
  for await (const file of printRecords(placed, records, loadOf(db, row), titled)) await add(file)
  for (const file of printSettings(placed, titled)) await add(file)
  return { row, placed, titled, files }
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
function staysInPlace({ before, after }: EntryChange<PageRecord>): boolean {
  if (!before || !after) return false
  const fields = ['file', 'parent', 'order', 'slug', 'type', 'target'] as const
  return fields.every((field) => jsonEqual(before[field], after[field]))
}

function keepsItsPath({ before, after }: EntryChange<Partial<FileRecord>>): boolean {
  return before !== undefined && after !== undefined && before.path === after.path
}

function hasSameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}
