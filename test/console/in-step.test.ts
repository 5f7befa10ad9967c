/** Children that are in step stay so: the cells of a table are under their titles, and no key makes a new tab, step or column. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { GapCursor } from 'prosemirror-gapcursor'
import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { Block } from '../../src/core/document/model.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { holds } from '../property.ts'
import { aStep, begin, blocks, docOf, idOf, keyPlugins, schema, type Step, take } from './editor-steps.ts'

/** The columns of each cell of the tables, by the ids of their headers. */
function columnsOf(doc: Node): Map<Node, Set<string>> {
  const found = new Map<Node, Set<string>>()
  doc.descendants((table) => {
    if (table.type.name !== 'table') return true
    const [head, ...rows] = table.children
    for (const row of rows) {
      assert.equal(row.childCount, head!.childCount)
      row.forEach((cell, _offset, index) => {
        found.set(cell, (found.get(cell) ?? new Set()).add(idOf(head!.child(index))))
      })
    }
    return true
  })
  return found
}

/** A cell that is still there is in the same column. */
function areInStep(before: Node, after: Node, step: Step): void {
  const [known, now] = [columnsOf(before), columnsOf(after)]
  // A row that is dropped in another table gets its columns.
  if (step.do === 'drop') return
  for (const [cell, columns] of now) {
    const old = known.get(cell)
    if (old) assert(columns.isSubsetOf(old), `“${cell.textContent}” is in another column`)
  }
}

const TABLE = 'Over.\n\n| A | B | C |\n| - | - | - |\n| a1 | b1 | c1 |\n| a2 | b2 | c2 |\n\nUnder.\n'
const tableOf = (doc: Node) =>
  doc.children
    .find(({ type }) => type.name === 'table')!
    .children.map((row) => row.children.map((cell) => cell.textContent).join('|'))

/** The position after a text. */
function endOf(doc: Node, text: string): number {
  let found = -1
  doc.descendants((node, pos) => {
    if (node.isText && node.text!.includes(text)) found = pos + node.text!.indexOf(text) + text.length
  })
  return found
}

describe('a table', () => {
  test('keeps its cells under their titles, whatever somebody does', () => {
    const around = blocks.map((some) => [...parseMarkdown(TABLE).document.nodes, ...some])
    holds(
      fc.property(around, fc.array(aStep, { minLength: 1, maxLength: 8 }), (start, steps) => {
        let state = begin(start)
        for (const step of steps) {
          const { doc } = state
          state = take(state, step)
          areInStep(doc, state.doc, step)
        }
      }),
      { cases: 3000, byDefault: 40 },
    )
  })

  const begun = () => begin(parseMarkdown(TABLE).document.nodes)

  test('keeps its columns when a text from above it down into a title or a cell is replaced', () => {
    for (const [to, ...table] of [
      ['A', '|B|C', 'a1|b1|c1', 'a2|b2|c2'],
      ['B', '||C', 'a1|b1|c1', 'a2|b2|c2'],
      ['C', '||', 'a1|b1|c1', 'a2|b2|c2'],
      ['b1', '||', '||c1', 'a2|b2|c2'],
      ['c2', '||'],
    ] as const) {
      const state = begun()
      const { doc, tr } = state
      tr.setSelection(TextSelection.create(doc, endOf(doc, 'Ov'), endOf(doc, to)))
      const next = state.apply(tr).applyTransaction(state.apply(tr).tr.insertText('x')).state
      assert.equal(next.doc.firstChild!.textContent, 'Ovx')
      if (to === 'c2') assert.equal(next.doc.textContent, 'OvxUnder.')
      else assert.deepEqual(tableOf(next.doc), table, to)
    }
  })

  test('is not selected by a key that deletes beside it, which removes an empty line', () => {
    const keys = keyPlugins(() => false)
    const pressed = (state: EditorState, key: string, ctrlKey = false) => {
      let next = state
      const view = {
        state,
        endOfTextblock: () => true,
        dispatch: (tr: Transaction) => (next = next.apply(tr)),
      }
      const event = { key, ctrlKey, altKey: false, metaKey: false, shiftKey: false }
      for (const plugin of keys)
        if (plugin.props.handleKeyDown?.call(plugin, view as never, event as never)) break
      return next
    }
    for (const line of ['Over.', '- Over.', '> Over.'])
      for (const withControl of [false, true]) {
        const { doc } = begin(parseMarkdown(TABLE.replace('Over.', line)).document.nodes)
        const at = (pos: number) => {
          const state = begun()
          const whole = state.apply(state.tr.replaceWith(0, state.doc.content.size, doc.content))
          return whole.apply(whole.tr.setSelection(TextSelection.create(whole.doc, pos)))
        }
        for (const [key, pos] of [
          ['Delete', endOf(doc, 'Over.')],
          ['Backspace', endOf(doc, 'Under.') - 'Under.'.length],
        ] as const) {
          const next = pressed(at(pos), key, withControl)
          assert(next.doc.eq(doc), `${line} ${key}`)
          assert(next.selection instanceof TextSelection && next.selection.from === pos, `${line} ${key}`)
        }
      }
    for (const [key, text, side] of [
      ['Delete', 'Over.', 1],
      ['Backspace', 'Under.', -1],
    ] as const) {
      const state = begun()
      const end = endOf(state.doc, text)
      const empty = state.apply(state.tr.delete(end - text.length, end))
      const beside = empty.apply(empty.tr.setSelection(TextSelection.create(empty.doc, end - text.length)))
      const next = pressed(beside, key)
      assert.deepEqual(tableOf(next.doc), tableOf(state.doc))
      assert.equal(next.doc.childCount, state.doc.childCount - 1)
      assert.equal(next.selection.$from.parent.textContent, side === 1 ? 'A' : 'c2')
    }
  })

  test('gets empty cells with a title that was made alone', () => {
    const state = begun()
    const head = state.doc.firstChild!.nodeSize + 2
    const next = state.applyTransaction(
      state.tr.insert(head, schema.nodes.table_header!.create(null, schema.text('x'))),
    ).state
    assert.deepEqual(tableOf(next.doc), ['x|A|B|C', '|a1|b1|c1', '|a2|b2|c2'])
  })

  test('has no cell more after a cell was put into a row', () => {
    const state = begun()
    const cell = schema.nodes.table_cell!.createAndFill(
      null,
      schema.nodes.paragraph!.create(null, schema.text('x')),
    )!
    const at = state.doc.resolve(endOf(state.doc, 'b1')).before(-1)
    const next = state.applyTransaction(state.tr.insert(at, cell)).state
    assert.deepEqual(tableOf(next.doc), ['A|B|C', 'a1|xb1|c1', 'a2|b2|c2'])
  })
})

describe('a caret between blocks', () => {
  test('is only where a paragraph can be', () => {
    const all: Block[] = Object.values(BLOCKS).map(({ block }) => block)
    const doc = docOf(all.flatMap((block) => [block, block]))
    let found = 0
    for (let pos = 0; pos <= doc.content.size; pos++) {
      const $pos = doc.resolve(pos)
      // The types of the library do not have it.
      if (!(GapCursor as unknown as { valid: (place: typeof $pos) => boolean }).valid($pos)) continue
      found += 1
      const index = $pos.index()
      assert($pos.parent.canReplaceWith(index, index, schema.nodes.paragraph!), `in ${$pos.parent.type.name}`)
    }
    assert(found > 5)
  })
})
