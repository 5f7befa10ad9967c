/** What the editor of the console sends, and what it makes of the answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Fragment, type Node } from 'prosemirror-model'
import { EditorState, type Transaction } from 'prosemirror-state'
import { Mapping } from 'prosemirror-transform'
import { block as makeBlock, isBlankLine, paragraph, voidBlock } from '../../src/core/document/build.ts'
import type { Block } from '../../src/core/document/model.ts'
import { normal } from '../../src/core/document/normal-form.ts'
import { anyDocument } from '../core/documents.ts'
import { holds } from '../property.ts'

type Known = { node: Node; key: string }
type Entry = { keep: string } | (Block & { key?: string })
type Written = { entry: number; key: string } | { block: Block }
type Plan = { entries: Entry[]; nodes: Node[]; isChanged: boolean }

// The sources of the browser have a configuration of their own, with the types of the DOM.
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { blockOf, docOf, nodeOf } = (await load('content/schema/convert.ts')) as {
  blockOf: (node: Node) => Block
  docOf: (blocks: Block[]) => Node
  nodeOf: (block: Block) => Node
}
const { asAnswer, planSave, readAnswer, savedPage, settle } = (await load('editor/saving/saving.ts')) as {
  asAnswer: (saved: readonly Known[], newest: Block[]) => Written[]
  planSave: (doc: Node, saved: { blocks: readonly Known[] }) => Plan
  readAnswer: (doc: Node, plan: Plan, written: Written[]) => { replacements: object[]; blocks: Known[] }
  savedPage: (revision: string, title: string, blocks: Block[]) => { blocks: readonly Known[] }
  settle: (base: readonly Known[], theirs: readonly Known[], mine: readonly Node[], choice: string) => Node[]
}

const { differencesOf, replaceIn } = (await load('editor/saving/replacing.ts')) as {
  differencesOf: (was: readonly Node[], is: readonly Node[], at: number) => object[]
  replaceIn: (tr: Transaction, replacements: object[], sent: Node, since: Mapping) => Transaction
}

const said = (nodes: readonly Block[]) =>
  normal({ object: 'document', data: {}, nodes: nodes.filter((block) => !isBlankLine(block)) })
const keyed = (blocks: readonly Block[], start: string): Block[] =>
  blocks.map((block, i) => ({ ...block, key: `${start}${i}` }))
const blocksIn = (doc: Node) => doc.children.map(blockOf)
/** Two versions of a page that have blocks in common. */
const versions = fc
  .tuple(anyDocument, anyDocument, fc.array(fc.nat(20), { maxLength: 8 }))
  .map(([{ nodes: a }, { nodes: b }, order]) => {
    const pool = [...a, ...b]
    const after = order.flatMap((i) => (pool.length > 0 ? [pool[i % pool.length]!] : []))
    return { before: keyed(a, 'a'), after: keyed(after, 'b') }
  })

const line = (text: string): Block => paragraph(text)
const fileOf = (url: string): Block => voidBlock('content-ref', { ref: { kind: 'url', url } })
const listOf = (...nodes: Block[]): Block =>
  makeBlock('list-ordered', {}, [makeBlock('list-item', {}, nodes)])
/** All that an item of a list holds is replaced by more blocks (seed 20261122/590:2:1:2:2:2:3:5:5:5:5:11:11). */
const FILLED_ITEM = {
  before: keyed([listOf(fileOf('https://example.com/'))], 'a'),
  after: keyed([listOf(fileOf('https://example.com/2'), makeBlock('heading-1', {}, paragraph().nodes))], 'b'),
}

describe('saving a page', () => {
  test('sends what makes the old page the new one, and keeps what did not change', () => {
    holds(
      fc.property(versions, ({ before, after }) => {
        const saved = savedPage('r', 't', before)
        const { entries } = planSave(docOf(after), saved)
        const byKey = new Map(before.map((block) => [block.key, block]))
        const kept = entries.flatMap((one) =>
          'keep' in one ? [one.keep] : one.key === undefined ? [] : [one.key],
        )
        assert.equal(new Set(kept).size, kept.length, 'a key is used twice')
        // The space at the end of a line is left out, also where it stands alone behind bold text.
        const trimmed = (blocks: readonly Block[]) =>
          JSON.stringify(said(blocks))
            .replaceAll(/\s+"/g, '"')
            .replaceAll(/,\{"object":"leaf","text":"","marks":\[[^\]]*\]\}/g, '')
        assert.equal(
          trimmed(entries.map((one) => ('keep' in one ? byKey.get(one.keep)! : one))),
          trimmed(after),
        )
      }),
    )
  })

  test('spaces at the end of a line stay if the server has them, and are not sent while somebody types', () => {
    const saved = savedPage('r', 't', keyed([line('One '), line('Two')], 'a'))
    const { entries } = planSave(docOf([line('One more '), line('Two more ')]), saved)
    assert.deepEqual(
      entries.map((one) => normal({ object: 'document', data: {}, nodes: [one as Block] }).nodes),
      [line('One more '), line('Two more')].map(
        (one) => normal({ object: 'document', data: {}, nodes: [one] }).nodes,
      ),
    )
  })

  test('a page that was only opened has not changed', () => {
    holds(
      fc.property(anyDocument, ({ nodes }) => {
        const saved = savedPage('r', 't', keyed(nodes, 'a'))
        assert.equal(planSave(docOf(nodes), saved).isChanged, false)
      }),
    )
  })

  test('a page in which one object stands twice has not changed once it is saved', () => {
    const same = nodeOf(line('Same'))
    const doc = docOf([line('First')]).copy(Fragment.from([same, nodeOf(line('Other')), same, same]))
    const plan = planSave(doc, savedPage('r', 't', []))
    const written = plan.entries.map((_, entry) => ({ entry, key: `k${entry}` }))
    const { blocks, replacements } = readAnswer(doc, plan, written)
    assert.deepEqual(replacements, [])
    assert.equal(planSave(doc, { blocks }).isChanged, false)
  })

  test('what others wrote appears, and what was typed meanwhile stays', () => {
    holds(
      fc.property(versions, ({ before, after }) => {
        const saved = savedPage('r', 't', before)
        const state = EditorState.create({ doc: docOf(before) })
        const answer = readAnswer(state.doc, planSave(state.doc, saved), asAnswer(saved.blocks, after))
        const shown = state.apply(replaceIn(state.tr, answer.replacements, state.doc, new Mapping()))
        shown.doc.check()
        assert.deepEqual(said(blocksIn(shown.doc)), said(after))
        assert.equal(planSave(shown.doc, answer).isChanged, false)

        const typed = state.tr.insert(state.doc.content.size, nodeOf(line('Typed meanwhile')))
        const later = state.apply(typed)
        const both = later.apply(replaceIn(later.tr, answer.replacements, state.doc, typed.mapping))
        assert.deepEqual(said(blocksIn(both.doc)), said([...after, line('Typed meanwhile')]))
      }),
      { examples: [[FILLED_ITEM]] },
    )
  })

  test('a word that is typed anywhere while others write stays', () => {
    holds(
      fc.property(versions, fc.nat(), ({ before, after }, where) => {
        const saved = savedPage('r', 't', before)
        const state = EditorState.create({ doc: docOf(before) })
        const answer = readAnswer(state.doc, planSave(state.doc, saved), asAnswer(saved.blocks, after))
        const places: number[] = []
        state.doc.descendants((node, at) => {
          for (let i = 0; node.isTextblock && i <= node.content.size; i++) places.push(at + 1 + i)
        })
        if (places.length === 0) return
        const typed = state.tr.insertText('Typed', places[where % places.length])
        const later = state.apply(typed)
        const both = later.apply(replaceIn(later.tr, answer.replacements, state.doc, typed.mapping))
        both.doc.check()
        assert.match(both.doc.textContent, /Typed/)
        for (const { textContent } of answer.blocks.map(({ node }) => node))
          for (const word of textContent.match(/\w+/g) ?? [])
            assert(both.doc.textContent.replace('Typed', '').includes(word), word)
      }),
    )
  })

  test('a paragraph that others split keeps what is typed in it', () => {
    const saved = savedPage('r', 't', keyed([line('One two three four.'), line('End.')], 'a'))
    const state = EditorState.create({ doc: docOf([line('One two three four.'), line('End.')]) })
    const answer = readAnswer(
      state.doc,
      planSave(state.doc, saved),
      asAnswer(saved.blocks, keyed([line('One two three.'), line('Four.'), line('End.')], 'b')),
    )
    const typed = state.tr.insertText(' new', 4)
    const later = state.apply(typed)
    const both = later.apply(replaceIn(later.tr, answer.replacements, state.doc, typed.mapping))
    assert.deepEqual(
      both.doc.children.map(({ textContent }) => textContent),
      ['One new two three.', 'Four.', 'End.'],
    )
  })

  test('a word that is typed where others split a paragraph stays a word', () => {
    const before = keyed([line('One two three four.')], 'a')
    const state = EditorState.create({ doc: docOf(before) })
    const answer = readAnswer(
      state.doc,
      planSave(state.doc, savedPage('r', 't', before)),
      asAnswer(savedPage('r', 't', before).blocks, keyed([line('One two'), line('Three four.')], 'b')),
    )
    const typed = state.tr.insertText('new ', 1 + 'One two '.length)
    const later = state.apply(typed)
    const both = later.apply(replaceIn(later.tr, answer.replacements, state.doc, typed.mapping))
    assert.deepEqual(
      both.doc.children.map(({ textContent }) => textContent.trim()),
      ['One two new', 'Three four.'],
    )
  })

  test('two changes of one paragraph are both there', () => {
    const saved = savedPage('r', 't', keyed([line('One two three.')], 'a'))
    const state = EditorState.create({ doc: docOf([line('One two three.')]) })
    const answer = readAnswer(state.doc, planSave(state.doc, saved), [
      { block: { ...line('Uno two three.'), key: 'b0' } },
    ])
    const typed = state.tr.insertText(' Four.', state.doc.content.size - 1)
    const later = state.apply(typed)
    const both = later.apply(replaceIn(later.tr, answer.replacements, state.doc, typed.mapping))
    assert.equal(both.doc.textContent, 'Uno two three. Four.')
  })

  test('a settled conflict has what only one has changed, and the choice for the rest', () => {
    const before = [line('One'), line('Two'), line('Three'), line('Four')]
    const base = savedPage('r', 't', keyed(before, 'a')).blocks
    const theirs = savedPage(
      's',
      't',
      keyed([line('One'), line('Two of theirs'), line('Three of theirs'), line('Four'), line('Theirs')], 'b'),
    ).blocks
    const mine = docOf([
      line('One of mine'),
      line('Two'),
      line('Three of mine'),
      line('Four'),
      line('Mine'),
    ]).children
    for (const [choice, third] of [
      ['mine', ['Three of mine']],
      ['theirs', ['Three of theirs']],
      ['both', ['Three of theirs', 'Three of mine']],
    ] as const)
      assert.deepEqual(
        settle(base, theirs, mine, choice).map(({ textContent }) => textContent),
        ['One of mine', 'Two of theirs', ...third, 'Four', 'Theirs', 'Mine'],
      )
  })

  test('the caret stays in the words of its writer when a conflict is settled for both', () => {
    // Lines of different words: which of two equal lines somebody has changed is not known.
    const lines = fc
      .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 })
      .map((lengths) => lengths.map((length, i) => Array.from({ length }, (_, j) => `word${i}${j}`)))
    const edits = fc.array(fc.record({ at: fc.nat(30), does: fc.constantFrom('add', 'split', 'delete') }), {
      maxLength: 5,
    })
    holds(
      fc.property(lines, edits, edits, (before, mine, theirs) => {
        const base = savedPage('r', 't', keyed(before.map(textOf), 'a')).blocks
        const other = savedPage('s', 't', keyed(edited(before, theirs, 'their').map(textOf), 'b')).blocks
        const doc = docOf(edited(before, mine, 'my').map(textOf))
        const nodes = settle(base, other, doc.children, 'both')
        const places = doc.children.map((node) => nodes.findIndex((one) => one.eq(node)))
        const kept = places.filter((place) => place >= 0)
        // A line that theirs put before others of mine moves, and the caret cannot stay in all.
        if (nodes.length === 0 || kept.some((place, i) => i > 0 && place < kept[i - 1]!)) return
        const { tr } = EditorState.create({ doc })
        const both = replaceIn(tr, differencesOf(doc.children, nodes, 0), doc, new Mapping())
        assert.deepEqual(
          both.doc.children.map(({ textContent }) => textContent),
          nodes.map(({ textContent }) => textContent),
        )
        doc.forEach((node, offset) => {
          // Nobody else can have written this word, so the node is there once.
          const place = node.textContent.indexOf('my')
          if (place < 0 || !nodes.includes(node)) return
          const $caret = both.doc.resolve(both.mapping.map(offset + 1 + place))
          assert.equal($caret.parent.textContent, node.textContent)
          assert.equal($caret.parentOffset, place)
        })
      }),
      {
        examples: [
          [[['word00', 'word01'], ['word10']], [ADDS], [{ at: 0, does: 'delete' }, ADDS]],
          [[['word00'], ['word10', 'word11', 'word12']], [ADDS], [{ at: 0, does: 'delete' }, ADDS]],
        ],
      },
    )
  })
})

const textOf = (words: readonly string[]) => line(words.join(' '))

/** One adds a word to the only line that the other leaves (seeds 20261122/0:2:2:3:5:6 and
 * 20261122/117:1:4:5:7:8:9:11:1:7:7). */
const ADDS = { at: 0, does: 'add' as const }

/** Lines after changes at the words that `at` counts: a new word, a split, or a line less. */
function edited(lines: readonly string[][], edits: readonly { at: number; does: string }[], name: string) {
  const now = lines.map((one) => [...one])
  for (const [i, { at, does }] of edits.entries()) {
    let index = 0
    let left = at % Math.max(1, now.flat().length)
    while (left >= (now[index]?.length ?? Infinity)) left -= now[index++]!.length
    if (does === 'add') now[index]?.splice(left, 0, `${name}${i}`)
    else if (does === 'delete') now.splice(index, 1)
    else if (left > 0) now.splice(index, 1, now[index]!.slice(0, left), now[index]!.slice(left))
  }
  return now
}
