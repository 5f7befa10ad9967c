/** The differences in the look of a table and in the settings of its columns. Pure. */
import type { ColumnDefinition, TableData, TableView } from '../../../core/document/model.ts'
import { jsonEqual } from '../../../core/data/json.ts'
import {
  ALIGNMENTS,
  CARD_SIZES,
  COLUMN_TYPES,
  VERTICAL_ALIGNMENTS,
  VIEWS,
} from '../content/schema/table-fields.ts'
import type { SettingChange } from './setting-changes.ts'
import type { PlainId } from '../words/message-ids.ts'

type Kind = SettingChange['kind']
/** A setting of a table or column, named as in the dialogs of the editor. */
type Setting<T> = readonly [label: PlainId, kind: Kind, valueOf: (one: T) => unknown]

const OF_TABLE: readonly Setting<TableData>[] = [
  ['common.shown-as', VIEWS, ({ view }) => view.type],
  [
    'common.hide-titles-columns',
    'flag',
    ({ view }) => (view.type === 'grid' ? view.hideHeader : view.hideColumnTitle) || undefined,
  ],
  ['common.size-of-cards', CARD_SIZES, ({ view }) => (view.type === 'cards' ? view.cardSize : undefined)],
  ['common.full-width', 'flag', ({ fullWidth }) => fullWidth || undefined],
  ['common.readers-can-search', 'flag', ({ search }) => search || undefined],
]

const OF_COLUMN: readonly Setting<ColumnDefinition>[] = [
  ['common.type', COLUMN_TYPES, ({ type }) => type],
  ['common.alignment', ALIGNMENTS, (one) => (one.type === 'text' ? one.textAlignment : undefined)],
  [
    'common.vertical-alignment',
    VERTICAL_ALIGNMENTS,
    (one) => (one.type === 'text' ? (one.verticalAlignment ?? 'top') : undefined),
  ],
  ['common.best-rating', 'number', (one) => (one.type === 'rating' ? one.max : undefined)],
  ['common.several-values', 'flag', (one) => ('multiple' in one && one.multiple) || undefined],
  ['common.options', 'options', (one) => (one.type === 'select' ? one.options : undefined)],
]

/** A column in the versions that have it. */
interface ColumnPair {
  was?: ColumnDefinition
  is?: ColumnDefinition
}

/** The settings of a table and of its columns that differ. @param columns those that belong together */
export function tableSettings(
  was: TableData,
  is: TableData,
  columns: readonly ColumnPair[],
): SettingChange[] {
  return [...differing(OF_TABLE, was, is), ...columns.flatMap((column) => columnSettings(was, is, column))]
}

function differing<T>(settings: readonly Setting<T>[], was: T, is: T): SettingChange[] {
  return settings.flatMap(([label, kind, valueOf]) => {
    const [before, after] = [valueOf(was), valueOf(is)]
    return jsonEqual(before, after) ? [] : [{ label, kind, before, after }]
  })
}

function columnSettings(before: TableData, after: TableData, { was, is }: ColumnPair): SettingChange[] {
  const of = { what: 'block.column' as const, name: (is ?? was)?.title ?? '' }
  if (!was || !is) {
    const isHidden = was ? isHiddenIn(after, was) : isHiddenIn(before, is!)
    if (!isHidden) return []
    const flags = was ? { before: undefined, after: true } : { before: true, after: undefined }
    return [{ of, label: 'common.hidden-from-readers', kind: 'flag', ...flags }]
  }
  // A type brings settings of its own, which are no changes.
  const settings = was.type === is.type ? OF_COLUMN : OF_COLUMN.slice(0, 1)
  return [...differing(settings, was, is), ...widths(before.view, after.view, { was, is })].map((one) => ({
    of,
    ...one,
  }))
}

/** Whether a version has the column, but does not show it. */
const isHiddenIn = ({ definition, view }: TableData, { title, type }: ColumnDefinition): boolean =>
  Object.values(definition).some(
    (one) => one.title === title && one.type === type && !view.columns.includes(one.id),
  )

function widths(before: TableView, after: TableView, { was, is }: Required<ColumnPair>): SettingChange[] {
  if (before.type !== 'grid' || after.type !== 'grid') return []
  const label = after.useNewSizing ? 'common.width-in-pixels' : 'common.width-in-percent'
  const valueOf = ([view, { id }]: [typeof before, ColumnDefinition]) => view.columnWidths?.[id]
  return differing([[label, 'number', valueOf]], [before, was], [after, is])
}
