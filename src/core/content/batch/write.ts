/** Reads the text and fields that a batch writes to a page, based on the revision that the writer has read. */
import type { BlockEntry } from '../edit/edit-blocks.ts'
import type { TextConflict } from '../edit/three-writes.ts'
import { type NewText, type PageVersion, writePage, type WritingTo } from '../edit/write-page.ts'
import type { WrittenBlock } from '../edit/written-block.ts'
import type { MetaChange } from '../fields/page.ts'
import { isRecord } from '../../data/is-record.ts'
import { jsonEqual } from '../../data/json.ts'
import type { DocumentLinks } from '../../document/links/links-in.ts'
import type { ReadingProblem } from '../../document/shown/unshown.ts'
import { refuseBatch } from './refused.ts'
import { DEFAULT_LAYOUT } from '../revision.ts'

/**
 * A conflict between a change that a writer sends and the changes of others since the revision that the writer read.
 * The page can also be a reusable content or a file; conflicts in variables and redirects of the space have no page.
 */
export type PageConflict = { page?: string; title: string } & (
  | ({ kind: 'text' } & TextConflict)
  | { kind: 'field'; field: string; key?: string; base: unknown; theirs: unknown; mine: unknown }
  | ({ kind: 'deleted' | 'changed' } & Partial<TextVersions>)
)

/** The whole Markdown of a page; null where a version does not have the page. */
export interface TextVersions {
  base: string | null
  theirs: string | null
  mine: string | null
}

/** A batch contradicts what others have written since its revision, so nothing of it is applied. */
export class BatchConflicts extends Error {
  readonly conflicts: PageConflict[]

  constructor(conflicts: PageConflict[]) {
    super('Others have changed the same parts of the content since the revision')
    this.conflicts = conflicts
  }
}

/** The text of a page after the change. It fits only a page whose document is `of`. */
export interface WrittenBody {
  kind: 'written'
  of: string | undefined
  source: string
  links: DocumentLinks
  /** What is not shown as its author meant it. */
  problems: readonly ReadingProblem[]
  blocks?: WrittenBlock[]
}

/** The text of a page after blocks, or Markdown, are written to it. @throws BatchRefused */
export function readWrite(
  index: number,
  field: 'document.blocks' | 'document.document' | 'document.markdown',
  { current, base = current }: WritingTo,
  text: NewText,
): WrittenBody | PageConflict[] {
  if (!current || !base) throw new Error('A write needs the page')
  const { id: page, title } = current.record
  const written = writePage(title, current, base, text)
  if ('conflicts' in written)
    return written.conflicts.map((conflict) => ({ page, title, kind: 'text', ...conflict }))
  if ('message' in written) {
    const place = written.entry === -1 ? 'document' : `${field}.${written.entry}.keep`
    return refuseBatch(index, place, written)
  }
  return { kind: 'written', of: current.record.document, ...written }
}

/** The fields of a change that set something, without those that have the value of the base. */
export function readFields(
  { current, base }: WritingTo,
  meta: MetaChange,
): { meta: MetaChange; conflicts: PageConflict[] } {
  if (!current || !base) return { meta, conflicts: [] }
  const conflicts: PageConflict[] = []
  const kept = Object.entries(meta).filter(([field, mine]) => {
    const [was, theirs] = [base.record, current.record].map((record) =>
      settingsIn(plainValue(record, field), field, mine),
    )
    if (jsonEqual(plain(mine), was)) return false
    const isConflict = !jsonEqual(was, theirs) && !jsonEqual(plain(mine), theirs)
    const { id: page, title } = current.record
    if (isConflict)
      conflicts.push({ page, title, kind: 'field', field, base: was ?? null, theirs: theirs ?? null, mine })
    return true
  })
  return { meta: Object.fromEntries(kept), conflicts }
}

/** Of a layout only the settings that the writer sends, because the others keep their values. */
function settingsIn(value: unknown, field: string, mine: unknown): unknown {
  if (field !== 'layout' || !isRecord(mine)) return value
  const layout: Record<string, unknown> = { ...DEFAULT_LAYOUT, ...(value as object | undefined) }
  return Object.fromEntries(Object.keys(mine).map((name) => [name, layout[name]]))
}

const plainValue = (record: object, field: string) =>
  plain(Object.entries(record).find(([name]) => name === field)?.[1])

/** Fields without a value are absent from records. */
const plain = (value: unknown) => (value === null || value === '' || value === false ? undefined : value)

/** Whether others have changed a page or reusable content that the writer deletes. */
export function deletionConflicts({ current, base }: WritingTo): PageConflict[] {
  if (!current || !base) return []
  const [is, was] = [current, base].map(({ record }) => ({ ...record, updatedAt: '' }))
  const { id: page, title } = current.record
  if (jsonEqual(is, was)) return []
  return [{ page, title, kind: 'changed', base: base.source, theirs: current.source, mine: null }]
}

/** Returns the conflict for content that others have deleted, with the text that the writer sends for it. */
export function goneConflict(base: PageVersion, text: NewText | undefined): PageConflict {
  const { id: page, title } = base.record
  const written = text && writePage(title, base, base, text)
  const mine = written && 'source' in written ? written.source : base.source
  return { page, title, kind: 'deleted', base: base.source, theirs: null, mine }
}

/** The entries of a whole document: its blocks, each with the key that it had when the client read it. */
export function entriesWithKeys(blocks: readonly object[], sent: unknown): BlockEntry[] {
  const nodes = (sent as { nodes?: { key?: unknown }[] }).nodes ?? []
  return blocks.map((block, i) => ({ block: withKey(block, nodes[i]) }))
}

function withKey(block: object, sent: { key?: unknown } | undefined) {
  const key = sent?.key
  return (typeof key === 'string' ? { ...block, key } : block) as Extract<
    BlockEntry,
    { block: unknown }
  >['block']
}
