/** The differences of tables, as reviews show them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTables, type Table } from '../../src/console/app/diff/table-changes.ts'
import { diffEffort } from '../../src/core/content/edit/block-diff.ts'
import { leafText } from '../../src/core/document/leaf-text.ts'
import { parsePage } from '../../src/core/document/parse.ts'

function tableOf(source: string): Table {
  const [table] = parsePage(source).document.nodes
  assert(table?.type === 'table', source)
  return table
}

const grid = (...rows: string[]) => {
  const [head = '', ...others] = rows
  return tableOf([head, head.replaceAll(/[^|]+/g, ' --- '), ...others].map((row) => `| ${row} |`).join('\n'))
}

/** A line for each row: what happened to it, and how many cells of it changed. */
function rowsOf(before: Table, after: Table): string[] {
  const { columns, rows } = compareTables(before, after, diffEffort())
  return rows.map(({ change, isMoved, was, is, cells }) => {
    assert.equal(cells.length, columns.length)
    const [table, record] = is ? [after, is] : [before, was!]
    const first = Object.values(record.values)[0]
    const text = table.fragments?.find(({ fragment }) => fragment === first)?.nodes[0]
    const changed = cells.filter(({ isChanged }) => isChanged).length
    return `${change}${isMoved ? ' moved' : ''} ${text ? leafText(text) : ''} ${changed}`
  })
}

const columnsOf = (before: Table, after: Table) =>
  compareTables(before, after, diffEffort()).columns.map(
    ({ was, is, role = '' }) => `${was?.title ?? '-'}>${is?.title ?? '-'}${role}`,
  )

test('rows are paired by what they say, and the cells that differ are found', () => {
  const before = grid('Light | Meaning', 'green | ready to go', 'red | stopped', 'blue | unknown')
  const after = grid('Light | Meaning', 'green | ready to start', 'blue | unknown', 'white | never seen')
  assert.deepEqual(rowsOf(before, after), [
    'changed green 1',
    'deleted red 0',
    'same blue 0',
    'inserted white 0',
  ])
  assert.deepEqual(
    compareTables(before, after, diffEffort()).rows[0]!.cells.map(({ blocks }) =>
      blocks.map((one) => (one.change === 'changed' ? one.words?.length : one.change)),
    ),
    [['same'], [1]],
  )
  const moved = grid('Light | Meaning', 'blue | unknown', 'green | ready to go', 'red | stopped')
  assert.deepEqual(rowsOf(before, moved), ['same moved blue 0', 'same green 0', 'same red 0'])
})

test('a column that is new, gone or renamed changes no other cell', () => {
  const before = grid('Light | Meaning', 'green | ready', 'red | stopped')
  const wider = grid('Light | Since | Meaning', 'green | 1.0 | ready', 'red | 1.1 | stopped')
  assert.deepEqual(columnsOf(before, wider), ['Light>Light', '->Since', 'Meaning>Meaning'])
  assert.deepEqual(rowsOf(before, wider), ['same green 0', 'same red 0'])
  assert.deepEqual(columnsOf(wider, before), ['Light>Light', 'Since>-', 'Meaning>Meaning'])
  assert.deepEqual(rowsOf(wider, before), ['same green 0', 'same red 0'])
  const renamed = grid('Lamp | Meaning', 'green | ready', 'red | stopped')
  assert.deepEqual(columnsOf(before, renamed), ['Light>Lamp', 'Meaning>Meaning'])
  assert.equal(compareTables(before, renamed, diffEffort()).isChanged, true)
  assert.equal(compareTables(before, before, diffEffort()).isChanged, false)
})

test('values that are no texts are compared too', () => {
  const typed = (ready: boolean, count: string) =>
    tableOf(
      `<table><thead><tr><th>Name</th><th data-type="checkbox">Ready</th><th data-type="number">Count</th></tr></thead><tbody><tr><td>Pump</td><td>${String(ready)}</td><td>${count}</td></tr></tbody></table>`,
    )
  const [row] = compareTables(typed(true, '4'), typed(false, '4'), diffEffort()).rows
  assert.deepEqual(
    row?.cells.map(({ was, is, isChanged }) => [was, is, isChanged]),
    [
      [undefined, undefined, false],
      [true, false, true],
      [4, 4, false],
    ],
  )
})

test('a card stays the same one when its cover and its target change', () => {
  const cards = (...rows: [name: string, about: string, target: string][]) =>
    tableOf(
      `<table data-view="cards"><thead><tr><th>Name</th><th>About</th><th data-hidden data-card-target data-type="content-ref">Target</th></tr></thead><tbody>${rows
        .map(
          ([name, about, to]) =>
            `<tr><td>${name}</td><td>${about}</td><td><a href="${to}">${to}</a></td></tr>`,
        )
        .join('')}</tbody></table>`,
    )
  const [one, other] = ['https://one.example/a/long/address', 'https://other.example/elsewhere']
  const before = cards(['First', 'It is first', one], ['Third', 'It is third', one])
  assert.deepEqual(rowsOf(before, cards(['First', 'It is still first', other])), [
    'changed First 2',
    'deleted Third 0',
  ])
})

test('comparing long tables is bounded', () => {
  const rows = (word: string, count: number) => [
    'A | B | C',
    ...Array.from({ length: count }, (_, i) => `${word} ${i} | ${word}${i * 7} two | ${word} three ${i * 3}`),
  ]
  const [before, after] = [grid(...rows('one', 1500)), grid(...rows('other', 1500))]
  const start = performance.now()
  const changes = compareTables(before, after, { left: 200_000 })
  assert(performance.now() - start < 5000, 'it takes seconds')
  assert.equal(changes.rows.filter(({ is }) => is).length, 1500)
  assert.equal(changes.rows.filter(({ was }) => was).length, 1500)

  const late = grid(...rows('one', 1500).map((row, i) => (i === 1400 ? `${row} now` : row)))
  assert.deepEqual(
    compareTables(before, late, diffEffort()).rows.flatMap(({ change }, i) =>
      change === 'same' ? [] : [[change, i]],
    ),
    [['changed', 1399]],
  )
})
