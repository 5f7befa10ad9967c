/** The differences between two versions of a table, by columns, rows and cells. Pure. */
import { append } from '../../../core/data/lists.ts'
import { alignBlocks } from '../../../core/content/align-blocks.ts'
import { type BlockChange, diffBlocks, type diffEffort } from '../../../core/content/edit/block-diff.ts'
import { wordChanges } from '../../../core/content/edit/word-merge.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type {
  Block,
  BlockOf,
  CellValue,
  ColumnDefinition,
  TableRecord,
} from '../../../core/document/model.ts'
import { normalText } from '../../../core/document/normal-form.ts'
import type { SettingChange } from './setting-changes.ts'
import { tableSettings } from './table-settings.ts'

export type Table = BlockOf<'table'>
type Effort = ReturnType<typeof diffEffort>

/** The role of a column of cards, if readers do not see it as a column. */
type ColumnRole = 'coverDefinition' | 'coverDefinitionDark' | 'targetDefinition'

const ROLES: readonly ColumnRole[] = ['coverDefinition', 'coverDefinitionDark', 'targetDefinition']

/** A column that one of the versions has, or both. */
export interface ColumnChange {
  was?: ColumnDefinition
  is?: ColumnDefinition
  role?: ColumnRole
}

/** The change of a cell: of the blocks of a text, or of another value. */
export interface CellChange {
  isChanged: boolean
  blocks: BlockChange[]
  was?: CellValue
  is?: CellValue
}

/** A row that one of the versions has, or both. Its cells are in the order of the columns. */
export interface RowChange {
  change: 'inserted' | 'deleted' | 'changed' | 'same'
  isMoved: boolean
  was?: TableRecord
  is?: TableRecord
  cells: CellChange[]
}

export interface TableChanges {
  columns: ColumnChange[]
  rows: RowChange[]
  /** The differences in the look of the table and in the settings of its columns. */
  settings: SettingChange[]
  /** Whether a row or a column differs, and not only how the table looks. */
  isChanged: boolean
}

/** One version of a table, as it is read. */
interface Version {
  columns: ColumnDefinition[]
  roles: Partial<Record<ColumnRole, ColumnDefinition>>
  records: ReadonlyMap<string, TableRecord>
  /** The blocks of a text. */
  texts: ReadonlyMap<string, readonly Block[]>
}

function versionOf({ data: { view, definition, records }, fragments = [] }: Table): Version {
  const column = (id: string | undefined) => (id === undefined ? undefined : definition[id])
  const roles = Object.fromEntries(
    ROLES.flatMap((role) => {
      const found = view.type === 'cards' ? column(view[role]) : undefined
      return found ? [[role, found]] : []
    }),
  )
  const hidden = new Set(Object.values(roles))
  return {
    columns: view.columns.flatMap((id) => column(id) ?? []).filter((one) => !hidden.has(one)),
    roles,
    records: new Map(
      Object.entries(records).toSorted(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : 1)),
    ),
    texts: new Map(fragments.map(({ fragment = '', nodes }) => [fragment, nodes])),
  }
}

/** Compares two versions of a table, within an effort. Rows that cannot be paired within it are new and deleted ones. */
export function compareTables(before: Table, after: Table, effort: Effort): TableChanges {
  const [was, is] = [versionOf(before), versionOf(after)]
  const columns = pairColumns(was, is, effort)
  const both = columns.filter((one) => one.was && one.is)
  // A card is recognized by its texts rather than by its picture and its target.
  const texts = both.filter(({ role }) => role === undefined)
  const paired = texts.length > 0 ? texts : both
  const lines = (version: Version, side: 'was' | 'is') =>
    [...version.records].map(([id, record]) =>
      lineOf(id, paired.map((one) => plainText(version, record, one[side])).join('\n')),
    )
  const rows = diffBlocks(lines(was, 'was'), lines(is, 'is'), effort).map((one): RowChange => {
    const from = 'before' in one ? was.records.get(one.before) : undefined
    const to = 'after' in one ? is.records.get(one.after) : undefined
    const cells = columns.map((column) => compareCells([was, from], [is, to], column, effort))
    const inBoth = cells.some((cell) => cell.isChanged) ? 'changed' : 'same'
    return {
      change: one.change === 'inserted' || one.change === 'deleted' ? one.change : inBoth,
      isMoved: one.change === 'moved' || (one.change === 'changed' && one.moved === true),
      ...(from ? { was: from } : {}),
      ...(to ? { is: to } : {}),
      cells,
    }
  })
  const isChanged =
    rows.some(({ change, isMoved }) => change !== 'same' || isMoved) ||
    columns.some((one) => one.was?.title !== one.is?.title || !one.was || !one.is)
  return { columns, rows, settings: tableSettings(before.data, after.data, columns), isChanged }
}

/** The columns of both versions in the order of the later one, those that look alike as one. */
function pairColumns(was: Version, is: Version, effort: Effort): ColumnChange[] {
  const matches = alignBlocks(
    was.columns.map((column) => columnText(was, column)),
    is.columns.map((column) => columnText(is, column)),
    effort,
  )
  const columns: ColumnChange[] = []
  let next = 0
  const insertedUpTo = (end: number) => {
    while (next < end) columns.push({ is: is.columns[next++]! })
  }
  for (const [index, column] of was.columns.entries()) {
    const at = matches[index] ?? -1
    if (at < 0) columns.push({ was: column })
    else {
      insertedUpTo(at)
      columns.push({ was: column, is: is.columns[next++]! })
    }
  }
  insertedUpTo(is.columns.length)
  for (const role of ROLES)
    if (was.roles[role] || is.roles[role])
      columns.push({
        role,
        ...(was.roles[role] && { was: was.roles[role] }),
        ...(is.roles[role] && { is: is.roles[role] }),
      })
  return columns
}

/** Of long columns, only the start decides which ones are alike. */
const MOST_CELLS = 100

const columnText = (version: Version, column: ColumnDefinition): string =>
  [
    column.title,
    ...[...version.records.values()].slice(0, MOST_CELLS).map((record) => plainText(version, record, column)),
  ].join('\n')

/** Returns the value of a cell, as a text. */
function plainText(
  { texts }: Version,
  { values }: TableRecord,
  column: ColumnDefinition | undefined,
): string {
  const value = column && values[column.id]
  const blocks = textIn(texts, value, column)
  if (blocks) return blocks.map(leafText).join('\n')
  return plainValue(value)
}

/** Returns a value as a text, without the `kind` of references: common words would make different ones look alike. */
function plainValue(value: unknown): string {
  if (typeof value !== 'object') return value === undefined ? '' : `${value as string | number | boolean}`
  if (value === null) return ''
  return Object.entries(value)
    .flatMap(([name, one]) => (name === 'kind' ? [] : plainValue(one)))
    .join(' ')
}

const textIn = (
  texts: Version['texts'],
  value: CellValue | undefined,
  column: ColumnDefinition | undefined,
): readonly Block[] | undefined =>
  column?.type === 'text' ? (typeof value === 'string' && texts.get(value)) || [] : undefined

/** A row as a block, so that rows are compared as blocks are. */
const lineOf = (key: string, text: string): Block => ({
  object: 'block',
  type: 'paragraph',
  key,
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})

function compareCells(
  [was, from]: [Version, TableRecord | undefined],
  [is, to]: [Version, TableRecord | undefined],
  column: ColumnChange,
  effort: Effort,
): CellChange {
  const [earlier, later] = [from?.values[column.was?.id ?? ''], to?.values[column.is?.id ?? '']]
  const before = from && textIn(was.texts, earlier, column.was)
  const after = to && textIn(is.texts, later, column.is)
  const isSame =
    before && after
      ? before.map(normalText).join('\n') === after.map(normalText).join('\n')
      : before || after
        ? // The column has another type. That is said once, and not for each value that stays.
          from && to && plainText(was, from, column.was) === plainText(is, to, column.is)
        : valueKey(earlier, column.was) === valueKey(later, column.is)
  // A change of a whole row or column is no change of each of its cells, unless readers do not see the column.
  const isInBoth = from && to && (column.role !== undefined || (column.was && column.is))
  return {
    isChanged: !isSame && !!isInBoth,
    blocks:
      isSame && (before || after)
        ? sameTexts(before ?? [], after ?? [])
        : textChangesIn(before ?? [], after ?? [], effort),
    ...(before || isNothing(earlier) ? {} : { was: earlier! }),
    ...(after || isNothing(later) ? {} : { is: later! }),
  }
}

/** The texts of a cell that says the same. It may have a text in one version only, and another value in the other. */
const sameTexts = (before: readonly Block[], after: readonly Block[]): BlockChange[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, i) => ({
    change: 'same',
    before: keyOf(before[i]),
    after: keyOf(after[i]),
  }))

/** The differences of the texts of a cell. A single line is a version of the other, however much of it differs. */
function textChangesIn(before: readonly Block[], after: readonly Block[], effort: Effort): BlockChange[] {
  const [was, is] = [before[0], after[0]]
  if (before.length !== 1 || after.length !== 1 || was?.type !== 'paragraph' || is?.type !== 'paragraph')
    return deletedFirst(diffBlocks(before, after, effort))
  const words = effort.left > 0 ? wordChanges(leafText(was), leafText(is), effort) : []
  const keys = { before: keyOf(was), after: keyOf(is) }
  return [{ change: 'changed', ...keys, ...(words.length > 0 ? { words } : {}) }]
}

/** Within a part where nothing is kept, what is gone comes before what replaces it. */
function deletedFirst(changes: readonly BlockChange[]): BlockChange[] {
  const ordered: BlockChange[] = []
  let added: BlockChange[] = []
  for (const one of changes) {
    if (one.change === 'inserted') added.push(one)
    else if (one.change === 'deleted') ordered.push(one)
    else {
      append(ordered, added)
      ordered.push(one)
      added = []
    }
  }
  return [...ordered, ...added]
}

const keyOf = (block: Block | undefined) => block?.key ?? ''

const isNothing = (value: CellValue | undefined): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns a key for the value that readers see. The key of a choice uses the name of the choice. */
function valueKey(value: CellValue | undefined, column: ColumnDefinition | undefined): string {
  if (isNothing(value)) return ''
  if (column?.type !== 'select' || !Array.isArray(value)) return JSON.stringify(value)
  return JSON.stringify(value.map((one) => column.options.find((known) => known.value === one)?.label ?? one))
}

/** The differences of all changed tables among the changes of a page, by the keys that they have in the later version. */
export function tablesIn(
  changes: readonly BlockChange[],
  { before, after }: { before: ReadonlyMap<string, Block>; after: ReadonlyMap<string, Block> },
  effort: Effort,
  found = new Map<string, TableChanges>(),
): ReadonlyMap<string, TableChanges> {
  for (const one of changes) {
    if (one.change !== 'changed') continue
    const [was, is] = [before.get(one.before), after.get(one.after)]
    if (was?.type === 'table' && is?.type === 'table') found.set(one.after, compareTables(was, is, effort))
    else tablesIn(one.blocks ?? [], { before, after }, effort, found)
  }
  return found
}
