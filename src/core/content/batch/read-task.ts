/** Reading of a batch as a task: from plain data to plain data, so that a thread can do it. */
import { needValue } from '../../data/lists.ts'
import { isQuick } from '../../document/quick.ts'
import { insertsPage, type NewFile, type ReadChange, readBatch, type SentChange } from './read.ts'
import { BatchRefused } from './refused.ts'
import { BatchConflicts, type PageConflict } from './write.ts'
import type { WritingTo } from '../edit/write-page.ts'
import { type Reasoned, reasonFields } from '../../languages/reasoned.ts'

/** The changes of a batch, the files whose bytes are stored, and an id for each page and file that it creates. */
export interface BatchTask {
  changes: readonly SentChange[]
  stored: readonly (readonly Omit<NewFile, 'id'>[])[]
  ids: readonly string[]
  /** The pages whose text a change writes, by the index of the change. */
  pages: ReadonlyMap<number, WritingTo>
  /** The conflicts that were found before. */
  conflicts?: readonly PageConflict[]
}

/** The changes, or why the batch is refused: the place in it and the reason, or what contradicts others. */
export type BatchReadout =
  | { changes: ReadChange[] }
  | { refused: { index: number; field: string; why: Reasoned } }
  | { conflicts: PageConflict[] }

/** The number of ids that a batch needs. */
export function idsNeeded(changes: readonly SentChange[]): number {
  let count = 0
  for (const change of changes) {
    if (insertsPage(change) || change.operation === 'insert_reusable_content') count += 1
    if (change.operation === 'insert_files') count += change.files.length
  }
  return count
}

/** Reads a batch as `readBatch` does. */
export function readBatchTask({ changes, stored, ids, pages, conflicts }: BatchTask): BatchReadout {
  const left = ids.values()
  const newId = () => needValue(left.next().value, 'the next id')
  try {
    return { changes: readBatch(changes, stored, newId, pages, conflicts) }
  } catch (error) {
    if (error instanceof BatchConflicts) return { conflicts: error.conflicts }
    if (!(error instanceof BatchRefused)) throw error
    const { index, field } = error
    return { refused: { index, field, why: reasonFields(error) } }
  }
}

/** A document of a request with more nodes may take long to check and print. */
const MOST_NODES = 300

/** Whether a batch is known to be read within a few milliseconds. */
export function isQuickBatch(changes: readonly SentChange[], pages: BatchTask['pages']): boolean {
  const bodies = changes.flatMap((change) =>
    'document' in change && change.document ? [change.document] : [],
  )
  const sources = [...pages.values()].flatMap(({ current, base }) => [
    current?.source ?? '',
    base?.source ?? '',
  ])
  if (!isQuick([...bodies.map(({ markdown = '' }) => markdown), ...sources].join('\n'))) return false
  return countNodes(bodies.map(({ document, blocks }) => [document, blocks])) <= MOST_NODES
}

/** The number of objects, arrays and texts in a value, counted up to a little more than `MOST_NODES`. */
function countNodes(value: unknown): number {
  let count = 0
  const open = [value]
  while (open.length > 0 && count <= MOST_NODES) {
    const next = open.pop()
    count += typeof next === 'string' ? 1 + next.length / 100 : 1
    if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) {
        if (open.length > MOST_NODES) return MOST_NODES + 1
        open.push(inner)
      }
  }
  return count
}
