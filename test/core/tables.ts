import fc from 'fast-check'

import { block, defined, fragment, paragraph, voidBlock } from '../../src/core/document/build.ts'
import type { Block, CellValue, ColumnDefinition, Fragment } from '../../src/core/document/model.ts'
import { aParagraph, code, heading, images } from './blocks.ts'
import { anyLine, flag, ID, label, maybe, ref, some, yes } from './lines.ts'

/** Tables and cards with columns of every type. */

/** Blocks that HTML can contain, as in the cells of a table. */
const cellBlocks: fc.Arbitrary<Block[]> = fc.oneof(
  { weight: 5, arbitrary: anyLine.map((nodes) => [paragraph(nodes)]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(aParagraph, heading, code, images, fc.constant<Block>(voidBlock('divider', {}))),
      { minLength: 1, maxLength: 3 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(anyLine, { minLength: 1, maxLength: 2 }).map((lines) => [
      block(
        'list-unordered',
        {},
        lines.map((nodes) => block('list-item', {}, [paragraph(nodes)])),
      ),
    ]),
  },
)

const column = (id: string): fc.Arbitrary<ColumnDefinition> =>
  label.chain((title) =>
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .record({
            textAlignment: fc.constantFrom('left' as const, 'center' as const, 'right' as const),
            verticalAlignment: fc.option(fc.constantFrom('top' as const, 'middle' as const), {
              nil: undefined,
              freq: 6,
            }),
          })
          .map((more): ColumnDefinition => defined({ id, title, type: 'text' as const, ...more })),
      },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom(
            'number' as const,
            'checkbox' as const,
            'files' as const,
            'content-ref' as const,
            'image' as const,
          )
          .map((type): ColumnDefinition => ({ id, title, type })),
      },
      fc.boolean().map((multiple): ColumnDefinition => ({ id, title, type: 'users', multiple })),
      fc.constantFrom(3, 5).map((max): ColumnDefinition => ({ id, title, type: 'rating', max })),
      fc
        .record({
          multiple: fc.boolean(),
          options: fc.array(
            fc.record({
              value: fc.constantFrom('a', 'b'),
              label: some,
              color: fc.constantFrom('red', '#fff'),
            }),
            { maxLength: 2 },
          ),
        })
        .map((more): ColumnDefinition => ({ id, title, type: 'select', ...more })),
    ),
  )

const OTHER: Record<Exclude<ColumnDefinition['type'], 'text'>, fc.Arbitrary<CellValue>> = {
  number: fc.constantFrom<CellValue>(0, 1.5, -3, null),
  rating: fc.constantFrom<CellValue>(1, 3, null),
  checkbox: fc.constantFrom<CellValue>(true, false, null),
  files: fc.constantFrom<CellValue>([ID], ['a b (1).png', ID], [], null),
  users: fc.constantFrom<CellValue>([ID], null),
  'content-ref': fc.oneof(ref, fc.constant(null)),
  image: fc.oneof(
    ref,
    fc.constant(null),
    fc
      .record({
        ref,
        objectFit: maybe(fc.constantFrom('contain' as const, 'cover' as const)),
        alt: maybe(some),
      })
      .filter((one) => one.alt !== undefined || one.objectFit !== undefined)
      .map((one) => defined(one)),
  ),
  select: fc.constantFrom<CellValue>(['a'], ['a', 'b'], null),
}

export const table: fc.Arbitrary<Block> = fc
  .record({
    plain: fc.boolean(),
    count: fc.integer({ min: 1, max: 3 }),
    rows: fc.integer({ min: 0, max: 3 }),
  })
  .chain(({ plain, count, rows }) =>
    fc
      .tuple(
        ...Array.from({ length: count }, (_, index) =>
          plain
            ? label.map((title): ColumnDefinition => ({
                id: `k${index}`,
                title,
                type: 'text',
                textAlignment: 'left',
              }))
            : column(`k${index}`),
        ),
      )
      .chain((columns) =>
        fc
          .record({
            cells: fc.tuple(
              ...Array.from({ length: rows }, () =>
                fc.tuple(
                  ...columns.map((one): fc.Arbitrary<Block[] | { value: CellValue }> =>
                    one.type === 'text'
                      ? plain
                        ? anyLine.map((nodes) => [paragraph(nodes)])
                        : cellBlocks
                      : OTHER[one.type].map((value) => ({ value })),
                  ),
                ),
              ),
            ),
            hidden: fc.integer({ min: 0, max: plain ? 0 : count - 1 }),
            kind: plain ? fc.constant('plain' as const) : fc.constantFrom('grid' as const, 'cards' as const),
            hideHeader: fc.boolean(),
            large: fc.boolean(),
            sized: fc.boolean(),
            pixels: fc.boolean(),
            fullWidth: yes,
            search: flag,
            cover: fc.boolean(),
            wrap: flag,
          })
          .map((one) => tableOf(columns, one)),
      ),
  )

interface TableParts {
  cells: (Block[] | { value: CellValue })[][]
  hidden: number
  kind: 'plain' | 'grid' | 'cards'
  hideHeader: boolean
  large: boolean
  sized: boolean
  pixels: boolean
  fullWidth?: true
  search?: boolean
  cover: boolean
  wrap?: boolean
}

function tableOf(columns: ColumnDefinition[], parts: TableParts): Block {
  const fragments: Fragment[] = []
  const records = parts.cells.map((row, index) => {
    const values = row.map((cell, at): [string, CellValue] => {
      const { id } = columns[at] as ColumnDefinition
      if (!Array.isArray(cell)) return [id, cell.value]
      fragments.push(fragment(`f${index}${id}`, cell))
      return [id, `f${index}${id}`]
    })
    return [`row${index}`, { orderIndex: `a${index}`, values: Object.fromEntries(values) }] as const
  })
  const ids = columns.map(({ id }) => id)
  const shown = ids.slice(0, ids.length - parts.hidden)
  const [first = ''] = ids
  const grid = defined({
    type: 'grid' as const,
    columns: shown,
    hideHeader: parts.kind === 'grid' && parts.hideHeader,
    columnWidths: parts.kind === 'grid' && parts.sized ? { [first]: 120 } : undefined,
    useNewSizing: parts.kind === 'grid' && parts.sized && parts.pixels ? true : undefined,
  })
  const cards = defined({
    type: 'cards' as const,
    cardSize: parts.large ? ('large' as const) : ('medium' as const),
    columns: shown,
    targetDefinition: parts.cover ? ids.at(-1) : undefined,
    coverDefinition: parts.cover ? first : undefined,
    hideColumnTitle: parts.sized ? true : undefined,
    wrap: parts.wrap,
  })
  const options = parts.kind === 'plain' ? {} : defined({ fullWidth: parts.fullWidth, search: parts.search })
  const view = parts.kind === 'cards' ? cards : grid
  const definition = Object.fromEntries(columns.map((one) => [one.id, one]))
  return voidBlock('table', { view, definition, records: Object.fromEntries(records), ...options }, fragments)
}
