import { isRecord } from '../../data/is-record.ts'
import {
  check,
  expect,
  ShapeFault,
  type Fields,
  needOneOf,
  readers,
  type FieldReader,
  readRef,
  type Shape,
} from './shape.ts'
import { SHAPE_REASONS } from '../../languages/shape-reasons.ts'
import { becauseOf } from '../../languages/reasoned.ts'

const because = becauseOf(SHAPE_REASONS)

const COLUMNS: Record<string, Shape> = {
  text: {
    textAlignment: (value, path) => needOneOf(value ?? 'left', ['left', 'center', 'right'], path),
    verticalAlignment: ['top', 'middle', 'bottom'],
  },
  number: {},
  checkbox: {},
  files: {},
  'content-ref': {},
  image: {},
  users: { multiple: (value, path) => readers.flag(value ?? false, path) },
  rating: { max: 'number' },
  select: {
    multiple: (value, path) => readers.flag(value ?? false, path),
    options: (value, path) =>
      each(value ?? [], path, {
        value: 'text',
        label: 'text',
        color: (one, at) => readers.text(one ?? '', at),
      }),
  },
}

function each(value: unknown, path: string, shape: Shape): Fields[] {
  if (!Array.isArray(value)) throw new ShapeFault(path, because('not-list'))
  return value.map((one, i) => check(one, shape, `${path}.${i}`))
}

const VIEWS: Record<string, Shape> = {
  grid: {
    columns: 'texts',
    columnWidths: (value, path) => (value === undefined ? undefined : mapped(value, path, readers.number)),
    hideHeader: (value, path) => readers.flag(value ?? false, path),
    useNewSizing: 'flag?',
  },
  cards: {
    cardSize: (value, path) => needOneOf(value ?? 'medium', ['medium', 'large'], path),
    columns: 'texts',
    targetDefinition: 'text?',
    coverDefinition: 'text?',
    coverDefinitionDark: 'text?',
    hideColumnTitle: 'flag?',
    wrap: 'flag?',
  },
}

function variant(tables: Record<string, Shape>): FieldReader {
  return (value, path) => {
    const type = isRecord(value) ? value.type : undefined
    const types = Object.keys(tables)
    needOneOf(type, types, `${path}.type`)
    return { type, ...check(value, tables[type as string]!, path) }
  }
}

function mapped(value: unknown, path: string, read: FieldReader): Fields {
  if (!isRecord(value)) throw new ShapeFault(path, because('not-object'))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, read(one, `${path}.${key}`)]))
}

function readColumn(value: unknown, path: string): unknown {
  const common = check(value, { id: 'text', title: (title, at) => readers.text(title ?? '', at) }, path)
  return { ...common, ...(variant(COLUMNS)(value, path) as Fields) }
}

/** A cell holds a text, number or flag, a list of ids, or a reference. The type of its column decides how it is printed. */
function readCell(value: unknown, path: string): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
  if (Array.isArray(value)) return readers.texts(value, path)
  if (isRecord(value) && 'ref' in value)
    return check(value, { ref: 'ref', objectFit: ['contain', 'fill', 'cover'], alt: 'text?' }, path)
  return readRef(value, path)
}

const readRecord: FieldReader = (value, path) =>
  check(value, { orderIndex: 'text', values: (cells, at) => mapped(cells ?? {}, at, readCell) }, path)

/** Refuses a value that does not fit its column, so that printers of tables need no checks. */
export function readTable(value: unknown, path: string): Fields {
  const table = check(
    value,
    {
      view: variant(VIEWS),
      records: (records, at) => mapped(records, at, readRecord),
      definition: (columns, at) => mapped(columns, at, readColumn),
      fullWidth: 'flag?',
      search: 'flag?',
    },
    path,
  )
  const columns = table.definition as Record<string, { id: string; type: string }>
  for (const [name, { id }] of Object.entries(columns))
    expect(id === name, `${path}.definition.${name}.id`, 'column-name-differs')
  for (const [row, { values }] of Object.entries(table.records as Record<string, { values: Fields }>)) {
    for (const [column, cell] of Object.entries(values)) {
      const at = `${path}.records.${row}.values.${column}`
      const type = columns[column]?.type
      if (type === undefined) throw new ShapeFault(at, because('column-unknown'))
      if (cell !== null && !fits(cell, type)) throw new ShapeFault(at, because('cell-does-not-fit', { type }))
    }
  }
  return table
}

function fits(cell: unknown, type: string): boolean {
  if (type === 'text') return typeof cell === 'string'
  if (type === 'number' || type === 'rating') return typeof cell === 'number'
  if (type === 'checkbox') return typeof cell === 'boolean'
  if (type === 'content-ref') return isRecord(cell) && 'kind' in cell
  if (type === 'image') return isRecord(cell)
  return Array.isArray(cell)
}
