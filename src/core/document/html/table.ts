import { attributes, type Html, html, join, nothing } from '../../text/html.ts'
import type { BlockOf, CellValue, ColumnDefinition, ContentRef, Fragment, TableRecord } from '../model.ts'
import { blockId } from './code.ts'
import { anchorTo, colourClass, inlinePlainText, targetIcon } from './inline.ts'
import { fileLinks, imageOf } from './media.ts'
import type { Renderer } from './renderer.ts'

type TableBlock = BlockOf<'table'>
type ColumnOf<T extends ColumnDefinition['type']> = Extract<ColumnDefinition, { type: T }>
type Cell<T extends ColumnDefinition['type']> = (
  value: NonNullable<CellValue>,
  column: ColumnOf<T>,
  renderer: Renderer,
  block: TableBlock,
) => Html | undefined

/** A table as a grid or as cards. */
export function renderTable(block: TableBlock, renderer: Renderer): Html {
  const { view, records } = block.data
  const rows = Object.values(records).toSorted((a, b) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0,
  )
  return renderer.folded(() =>
    view.type === 'cards' ? cards(block, rows, renderer) : grid(block, rows, renderer),
  )
}

function grid(block: TableBlock, rows: TableRecord[], renderer: Renderer): Html {
  const { view, definition, fullWidth } = block.data
  if (view.type !== 'grid') return nothing
  const columns = view.columns.flatMap((id) => definition[id] ?? [])
  const widths = view.columnWidths ?? {}

  const sized = columns.some((column) => widths[column.id])
  const group = sized
    ? html`<colgroup>
        ${columns.map((column) => html`<col${attributes({ width: width(widths[column.id], view.useNewSizing) })}>`)}
      </colgroup>`
    : ''
  // Screen readers announce an empty `<th>` as a header without a name, so an empty header cell is a `<td>`.
  const head = view.hideHeader
    ? ''
    : html`<thead>
        <tr>
          ${columns.map((column) => {
            const align = alignClass(column)
            return column.title.trim()
              ? html`<th scope="col" ${align}>${column.title}</th>`
              : html`<td${align}></td>`
          })}
        </tr>
      </thead> `
  const body = rows.map(
    (row) =>
      html`<tr>
        ${columns.map((column) => html`<td${alignClass(column)}>${cell(row.values[column.id], column, renderer, block)}</td>`)}
      </tr> `,
  )
  const classes = `table${fullWidth ? ' full-width' : ''}`
  return html`<div class="${classes}" tabindex="0" role="group" aria-label="${renderer.words.table}" ${blockId(block)}>
    <table>
      ${group}${head}
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`
}

type CardsView = Extract<TableBlock['data']['view'], { type: 'cards' }>

function cards(block: TableBlock, rows: TableRecord[], renderer: Renderer): Html {
  const { view, fullWidth } = block.data
  if (view.type !== 'cards') return nothing
  const items = rows.map((row) => cardOf(row, view, block, renderer))
  const classes = ['cards', view.cardSize === 'large' && 'large', fullWidth && 'full-width']
    .filter(Boolean)
    .join(' ')
  return html`<ul class="${classes}" ${blockId(block)}>
    ${items}
  </ul>`
}

function cardOf(row: TableRecord, view: CardsView, block: TableBlock, renderer: Renderer): Html {
  const { definition } = block.data
  const columns = view.columns.flatMap((id) => definition[id] ?? [])
  const targetColumn = view.targetDefinition ? definition[view.targetDefinition] : undefined
  const ref = targetColumn ? cellReference(row.values[targetColumn.id]) : undefined
  const target = ref && renderer.context.href(ref)
  const anchor = anchorTo(target)
  const name = columns
    .map((column) => cellText(row.values[column.id], column, block))
    .find((text) => text.trim() !== '')

  const apart = [view.coverDefinition, view.coverDefinitionDark, targetColumn?.id]
  const lines = columns
    .filter(({ id }) => !apart.includes(id))
    .map((column) => cardLine(row.values[column.id], column, view, block, renderer))
  return html`<li class="card">
    ${cardCovers(row, view, renderer)}
    <div class="card-body">${lines}</div>
    ${anchor ? html`<a class="card-link" ${anchor} aria-label="${name ?? target?.title ?? target?.href}"></a>` : ''}
  </li> `
}

function cardLine(
  value: CellValue | undefined,
  column: ColumnDefinition,
  view: CardsView,
  block: TableBlock,
  renderer: Renderer,
): Html | undefined {
  const content = cell(value, column, renderer, block)
  if (!content || String(content).trim() === '') return undefined
  // A number or a checkbox means nothing without the title of its column; text does.
  const labelled =
    !view.hideColumnTitle && column.type !== 'text' && column.type !== 'image' && column.title.trim() !== ''
  const label = labelled ? html`<span class="card-label">${column.title}</span> ` : ''
  return html`<div class="card-line">${label}${content}</div>`
}

function cardCovers(row: TableRecord, view: CardsView, renderer: Renderer): (Html | undefined)[] {
  const { coverDefinition: light, coverDefinitionDark: dark } = view
  return [
    light === undefined
      ? undefined
      : cover(row.values[light], dark === undefined ? '' : 'only-light', renderer),
    dark === undefined ? undefined : cover(row.values[dark], 'only-dark', renderer),
  ]
}

function cover(value: CellValue | undefined, themed: string, renderer: Renderer): Html | undefined {
  const ref = cellReference(value) ?? firstFileOf(value)
  const fit =
    typeof value === 'object' && value && 'ref' in value && 'objectFit' in value ? value.objectFit : undefined
  const classes = ['card-cover', fit === 'contain' || fit === 'fill' ? `fit-${fit}` : '', themed]
    .filter(Boolean)
    .join(' ')
  return ref && imageOf(ref, renderer, { class: classes })
}

function cell(
  value: CellValue | undefined,
  column: ColumnDefinition,
  renderer: Renderer,
  block: TableBlock,
): Html | undefined {
  if (value === undefined || value === null || !Object.hasOwn(CELLS, column.type)) return undefined
  return cellOf(value, column, renderer, block)
}

function cellOf<T extends ColumnDefinition['type']>(
  value: NonNullable<CellValue>,
  column: ColumnOf<T>,
  renderer: Renderer,
  block: TableBlock,
): Html | undefined {
  const render: Cell<T> = CELLS[column.type]
  return render(value, column, renderer, block)
}

const CELLS: { [T in ColumnDefinition['type']]: Cell<T> } = {
  text: (value, _column, renderer, block) => renderer.phrase(fragmentOf(block, value)),
  number: (value) => html`${Number(value)}`,
  checkbox: (value, _column, renderer) =>
    html`<span
      class="check${value === true ? ' done' : ''}"
      role="img"
      aria-label="${value === true ? renderer.words.yes : renderer.words.no}"
    ></span>`,
  files: (value, _column, renderer) =>
    fileLinks(
      cellValueList(value).map((file) => ({ kind: 'file', file })),
      renderer,
    ),
  'content-ref'(value, _column, renderer) {
    const ref = cellReference(value)
    const target = ref && renderer.context.href(ref)
    const anchor = anchorTo(target)
    const title = target?.title ?? target?.href ?? ''
    return anchor
      ? html`<a${anchor}>${targetIcon(target, renderer)}${title}</a>`
      : html`<span class="missing">${title}</span>`
  },
  image(value, _column, renderer) {
    const ref = cellReference(value)
    const alt = typeof value === 'object' && 'alt' in value ? value.alt : undefined
    return ref && imageOf(ref, renderer, { alt })
  },
  users: (value, _column, renderer) =>
    join(
      cellValueList(value).map(
        (user) => html`${renderer.context.person?.({ kind: 'user', user }) ?? renderer.words.unknown}`,
      ),
      ', ',
    ),
  rating(value, column, renderer) {
    const max = Math.min(Math.max(column.max, 1), 10)
    const stars = Math.min(Math.max(Math.round(Number(value)), 0), max)
    return html`<span class="rating" role="img" aria-label="${renderer.words.rating(stars, max)}"
      >${'★'.repeat(stars)}${'☆'.repeat(max - stars)}</span
    >`
  },
  select: (value, column) =>
    join(
      cellValueList(value).map((id) => {
        const option = column.options.find((candidate) => candidate.value === id)
        return html`<span class="tag ${colourClass('wash', option?.color)}">${option?.label ?? id}</span>`
      }),
      ' ',
    ),
}

/** Fragments by name. A table has one for each cell, so a linear search for each would take quadratic time. */
const fragments = new WeakMap<TableBlock, Map<CellValue | undefined, Fragment>>()

function fragmentOf(block: TableBlock, value: CellValue): Fragment | undefined {
  let named = fragments.get(block)
  if (!named) {
    named = new Map((block.fragments ?? []).map((fragment) => [fragment.fragment, fragment]))
    fragments.set(block, named)
  }
  return named.get(value)
}

function cellText(value: CellValue | undefined, column: ColumnDefinition, block: TableBlock): string {
  if (column.type !== 'text' || value === undefined || value === null) return ''
  const blocks = fragmentOf(block, value)?.nodes ?? []
  return blocks
    .map((node) =>
      node.type === 'paragraph' ||
      node.type === 'heading-1' ||
      node.type === 'heading-2' ||
      node.type === 'heading-3'
        ? inlinePlainText(node.nodes)
        : '',
    )
    .join(' ')
}

function cellReference(value: CellValue | undefined): ContentRef | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return 'kind' in value ? value : value.ref
}

function firstFileOf(value: CellValue | undefined): ContentRef | undefined {
  const file = Array.isArray(value) ? value[0] : undefined
  return file === undefined ? undefined : { kind: 'file', file }
}

function cellValueList(value: CellValue): string[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? [value] : []
}

function width(value: number | undefined, pixels: boolean | undefined): string | undefined {
  if (!value || !Number.isFinite(value) || value <= 0) return undefined
  return pixels === false ? `${Math.min(value, 100)}%` : String(Math.round(value))
}

function alignClass(column: ColumnDefinition): Html | undefined {
  const align = column.type === 'text' ? column.textAlignment : column.type === 'number' ? 'right' : 'left'
  const vertical = column.type === 'text' ? column.verticalAlignment : undefined
  const classes = [
    align !== 'left' && `align-${align}`,
    vertical && vertical !== 'top' && `vertical-${vertical}`,
  ]
    .filter(Boolean)
    .join(' ')
  return classes ? attributes({ class: classes }) : undefined
}
