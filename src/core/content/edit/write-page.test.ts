import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  anyPage,
  applySteps,
  blockSteps,
  type BlockStep,
  type Draft,
  draftsOf,
  ODD_PAGES,
} from '../../../../test/core/block-edits.ts'
import { anyDocument } from '../../../../test/core/documents.ts'
import { leastCost } from '../../../../test/cpu.ts'
import { holds } from '../../../../test/property.ts'
import { isFault, readDocument } from '../../document/shape/check.ts'
import type { Block } from '../../document/model.ts'
import { isFootnote, normalText } from '../../document/normal-form.ts'
import { parseMarkdown, parsePage } from '../../document/parse.ts'
import { printDocument } from '../../document/print.ts'
import { toDocument } from '../../document/to-document.ts'
import { mergeWrites } from './merge-writes.ts'
import { type PageVersion, writePage, type WrittenPage } from './write-page.ts'
import { onlyLong } from '../../../../test/effort.ts'

const versionOf = (source: string): PageVersion => ({
  record: {
    id: 'page',
    type: 'document',
    title: 'Page',
    parent: null,
    order: 'a',
    slug: 'page',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  },
  source,
  references: new Map(),
})

const saysOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (isFootnote(block) ? [] : [normalText(block)]))

/** Writes blocks to a page that nobody else has changed. */
function saved(source: string, drafts: readonly Draft[]): WrittenPage {
  const version = versionOf(source)
  const written = writePage('Page', version, version, { entries: drafts.map(({ entry }) => entry) })
  assert('source' in written, JSON.stringify(written))
  return written
}

/** The response names the blocks that the page has, so that the next save can keep them. */
function namesItsBlocks({ source, blocks = [] }: WrittenPage): void {
  const keys = blocks.map((one) => ('key' in one ? one.key : one.block.key))
  assert.deepEqual(
    keys,
    parsePage(source).document.nodes.map(({ key }) => key),
  )
}

/** Whether Markdown can say the block: a request can hold more. */
function isSayable(block: Block): boolean {
  const printed = printDocument({ object: 'document', data: {}, nodes: [block] })
  return saysOf(parseMarkdown(printed).document.nodes).join('') === saysOf([block]).join('')
}

test('saves of any edits read back as what was sent, and name its blocks', () => {
  const rounds = fc.array(blockSteps(5), { minLength: 1, maxLength: 3 })
  const readBack = (first: string, all: BlockStep[][]) => {
    let source = first
    const { title } = parsePage(first)
    for (const [i, steps] of all.entries()) {
      const drafts = applySteps(draftsOf(source), steps, `r${i}w`)
      const written = saved(source, drafts)
      namesItsBlocks(written)
      const read = parsePage(written.source)
      assert.equal(read.title, title)
      const wanted = drafts.map(({ block }) => block)
      if (wanted.every(isSayable)) assert.deepEqual(saysOf(read.document.nodes), saysOf(wanted))
      source = written.source
    }
  }
  holds(fc.property(anyPage(), rounds, readBack), { cases: 10_000, byDefault: 20 })
})

test('a page of blocks of any type is written and read back, and stays when it is sent again', () => {
  const property = fc.property(anyDocument, (document) => {
    const sent = JSON.parse(JSON.stringify(toDocument(document))) as unknown
    const read = readDocument(sent)
    assert(!isFault(read))
    const written = saved(
      '',
      read.nodes.map((block) => ({ entry: { block }, block })),
    )
    namesItsBlocks(written)
    const { nodes } = parsePage(written.source).document
    assert.deepEqual(saysOf(nodes), saysOf(document.nodes))
    const again = nodes.map((block) => ({ entry: { block }, block }))
    assert.equal(saved(written.source, again).source, written.source)
  })
  holds(property, { cases: 5000, byDefault: 20 })
})

test('pages that nobody prints keep their bytes when all blocks are kept', () => {
  for (const source of ODD_PAGES) {
    const drafts = draftsOf(source)
    if (drafts.length > 0) assert.equal(saved(source, drafts).source, source)
    const whole = drafts.map(({ block }) => ({ entry: { block }, block }))
    if (drafts.length > 0) assert.equal(saved(source, whole).source, source)
  }
})

/** How often a reader sees each word of a page. */
function wordsOf(source: string): Map<string, number> {
  const counts = new Map<string, number>()
  const { title = '', document } = parsePage(source)
  const texts = [title, ...document.nodes.filter((block) => !isFootnote(block)).flatMap(textsIn)]
  for (const word of texts.join('\n').match(/[\p{L}\p{N}]+/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) =>
    typeof value === 'string' ? (name === 'text' || name === 'html' ? value : []) : textsIn(value),
  )
}

/** Two writers send blocks based on the same page, one after the other. */
function writeBoth(source: string, [first, second]: [BlockStep[], BlockStep[]]): void {
  const drafts = draftsOf(source)
  const ann = applySteps(drafts, first, 'ann')
  const bob = applySteps(drafts, second, 'bob')
  const theirs = saved(source, ann).source
  const mine = saved(source, bob).source
  const entries = bob.map(({ entry }) => entry)
  const written = writePage('Page', versionOf(theirs), versionOf(source), { entries })
  assert(!('message' in written), JSON.stringify(written))
  if ('conflicts' in written) {
    assert(written.conflicts.length > 0)
    for (const conflict of written.conflicts)
      assert.equal(new Set([conflict.base, conflict.theirs, conflict.mine]).size, 3)
    return
  }
  namesItsBlocks(written)
  const [was, a, b, is] = [source, theirs, mine, written.source].map(wordsOf) as [Words, Words, Words, Words]
  const isNew = (word: string) => !was.has(word)
  const isInAll = (word: string) => was.get(word) === 1 && a.has(word) && b.has(word)
  const lost = [...a.keys(), ...b.keys()].filter((word) => !is.has(word) && (isNew(word) || isInAll(word)))
  assert.deepEqual(lost, [], `lost from ${JSON.stringify({ source, theirs, mine, merged: written.source })}`)

  if ([...first, ...second].some(({ kind }) => kind === 'move' || kind === 'undo')) return
  const goneFrom = (all: readonly Draft[], other: readonly Draft[]) =>
    drafts.filter(
      ({ block: { key } }) =>
        !all.some(({ block }) => block.key === key) &&
        other.some(({ entry }) => 'keep' in entry && entry.keep === key),
    )
  const deleted = [...goneFrom(ann, bob), ...goneFrom(bob, ann)].flatMap(({ block }) => textsIn(block))
  const words = (deleted.join('\n').match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => was.get(word) === 1)
  const stays = words.filter((word) => is.has(word) && (!a.has(word) || !b.has(word)))
  assert.deepEqual(
    stays.filter((word) => (a.get(word) ?? 0) + (b.get(word) ?? 0) === 1),
    [],
    `stays in ${written.source}`,
  )
}

type Words = ReturnType<typeof wordsOf>

test('of two writers, no new word is lost, and what one deletes is gone', () => {
  const steps = fc.tuple(blockSteps(4), blockSteps(4))
  holds(fc.property(anyPage(), steps, writeBoth), { cases: 10_000, byDefault: 20 })
})

test('of two writers of the same few blocks, no new word is lost', () => {
  const within: BlockStep['kind'][] = ['add', 'replace', 'cut', 'extend', 'shorten', 'note']
  const steps = fc.tuple(blockSteps(3, within), blockSteps(3, within))
  holds(fc.property(anyPage(), steps, writeBoth), { cases: 10_000, byDefault: 20 })
})

test('a footnote that one writer changes and another removes is no loss', () => {
  // The seed of the property above that lost the word.
  writeBoth('[^1]\r\n\r\n[^1]: note\r\n', [
    [
      { kind: 'shorten', on: 0, to: 0 },
      { kind: 'add', on: 0, to: 0 },
    ],
    [{ kind: 'add', on: 0, to: 0 }],
  ])
})

test('footnotes of two writers have labels of their own', () => {
  const source = 'One.\n\nTwo.\n'
  const note = (on: number): BlockStep[] => [{ kind: 'note', on, to: 0 }]
  writeBoth(source, [note(0), note(2)])
  // The second writer's page is printed as a whole.
  const lists = '* a\n* b\n\n\n- c\n- d\n\n1. e\n2. f\n\n5) g\n\n- [ ] h\n- [x] i\n'
  writeBoth(lists, [note(0), [...note(0), { kind: 'shorten', on: 4, to: 0 }]])

  const theirs = saved(source, applySteps(draftsOf(source), note(0), 'ann')).source
  const entries = applySteps(draftsOf(source), note(2), 'bob').map(({ entry }) => entry)
  const written = writePage('Page', versionOf(theirs), versionOf(source), { entries })
  assert('source' in written)
  assert.match(written.source, /^\[\^1\]: ann0xb$/m)
  assert.match(written.source, /^\[\^2\]: bob0xb$/m)
})

test(
  'merging the words of blocks that both writers rewrote costs in proportion to their length',
  onlyLong,
  async () => {
    const rewritten = (seed: number, blocks: number, words: number) =>
      Array.from({ length: blocks }, (_, block) => {
        let state = seed * 1000 + block
        const next = () => (state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff)
        return Array.from({ length: words }, () => 'abcdefgh'[(next() >> 16) % 8]).join(' ')
      }).join('\n\n')
    const cost = (blocks: number, words: number) => {
      const [base, theirs, mine] = [1, 2, 3].map((seed) => rewritten(seed, blocks, words)) as [
        string,
        string,
        string,
      ]
      return leastCost(0, () => mergeWrites({ base, theirs, mine }))
    }
    await cost(2, 3000)
    const least = await cost(2, 3000)
    const costs = { moreBlocks: await cost(8, 3000), moreWords: await cost(2, 12_000) }
    for (const one of Object.values(costs)) assert(one < 9 * least, JSON.stringify({ least, ...costs }))
  },
)
