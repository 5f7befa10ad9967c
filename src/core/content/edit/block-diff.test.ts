import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { leastCost } from '../../../../test/cpu.ts'
import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import { holds } from '../../../../test/property.ts'
import type { Block } from '../../document/model.ts'
import { allBlocks } from '../../document/identify.ts'
import { parsePage } from '../../document/parse.ts'
import { blockText } from '../../document/text.ts'
import { type BlockChange, diffBlocks, followBlocks, followRange } from './block-diff.ts'

const blocksOf = (source: string) => parsePage(source).document.nodes

/** The changes as texts: `=` same, `+` inserted, `-` deleted, `~` changed, `>` moved. */
function shown(before: string, after: string): string[] {
  const [was, is] = [blocksOf(before), blocksOf(after)]
  const textOf = (blocks: Block[], key: string) =>
    blockText(allBlocks(blocks).find((block) => block.key === key)!)
  return diffBlocks(was, is).map((one) => {
    if (one.change === 'deleted') return `- ${textOf(was, one.before)}`
    const sign = { same: '=', inserted: '+', moved: '>', changed: '~' }[one.change]
    const isMoved = one.change === 'changed' && one.moved
    return `${sign}${isMoved ? '>' : ''} ${textOf(is, one.after)}`
  })
}

test('blocks are inserted, deleted, changed and moved', () => {
  const before = '## One\n\nFirst text here.\n\nSecond text here.\n\n* a\n* b\n\nThe end.\n'
  const after = '## One\n\n* a\n* b\n\nNew.\n\nFirst texts here.\n\nThe end.\n'
  assert.deepEqual(shown(before, after), [
    '= One',
    '- Second text here.',
    '= a\nb',
    '+ New.',
    '~> First texts here.',
    '= The end.',
  ])
  assert.deepEqual(shown('A.\n\nB.\n\nC.\n', 'C.\n\nA.\n\nB.\n'), ['> C.', '= A.', '= B.'])
})

test('words are ranges of the texts, and containers have the changes of their blocks', () => {
  const [change] = diffBlocks(blocksOf('One two three.'), blocksOf('One 2 three more.'))
  assert.deepEqual(change, {
    change: 'changed',
    before: blocksOf('One two three.')[0]!.key,
    after: blocksOf('One 2 three more.')[0]!.key,
    words: [
      { before: [4, 7], after: [4, 5] },
      { before: [13, 13], after: [11, 16] },
    ],
  })
  const [list] = diffBlocks(blocksOf('* one item\n* two\n'), blocksOf('* one items\n* two\n* three\n'))
  assert(list?.change === 'changed' && list.blocks)
  assert.deepEqual(
    list.blocks.map(({ change: kind }) => kind),
    ['changed', 'same', 'inserted'],
  )
  const [first] = list.blocks
  assert(first?.change === 'changed' && first.blocks?.[0]?.change === 'changed')
  assert.deepEqual(first.blocks[0].words, [{ before: [4, 8], after: [4, 9] }])
})

test('blocks of different types or without common words are different blocks', () => {
  assert.deepEqual(shown('One two three four.', '## One two three four.'), [
    '+ One two three four.',
    '- One two three four.',
  ])
  assert.deepEqual(shown('One two three.', 'Quite another text.'), [
    '+ Quite another text.',
    '- One two three.',
  ])
  assert.deepEqual(shown('', 'A.\n\nB.'), ['+ A.', '+ B.'])
  assert.deepEqual(shown('A.\n\nB.', ''), ['- A.', '- B.'])
  assert.deepEqual(shown('A long text that moves.\n\nB.\n\nC.\n', 'B.\n\nC.\n\nA long text that moved.\n'), [
    '= B.',
    '= C.',
    '~> A long text that moved.',
  ])
})

test('keys follow their blocks, those within containers too', () => {
  const before = 'Some words here.\n\n* one\n* two words\n'
  const after = 'New.\n\n* zero\n* one\n* two more words\n\nSome other words here.\n'
  const keyed = (source: string) =>
    new Map(allBlocks(blocksOf(source)).map((block) => [blockText(block), block.key!]))
  const [was, is] = [keyed(before), keyed(after)]
  const keys = followBlocks(blocksOf(before), blocksOf(after))
  assert.equal(keys.get(was.get('Some words here.')!)?.key, is.get('Some other words here.'))
  assert.equal(keys.get(was.get('one')!)?.key, is.get('one'))
  assert.equal(keys.get(was.get('two words')!)?.key, is.get('two more words'))
  assert.equal(followBlocks(blocksOf(before), []).size, 0)
})

test('ranges follow the words of their block, and end when nothing of them is left', () => {
  const followed = (before: string, after: string, part: string): string | undefined => {
    const [block] = followBlocks(blocksOf(before), blocksOf(after)).values()
    const start = before.indexOf(part)
    const range = followRange({ start, end: start + part.length }, block?.words)
    return range && after.slice(range.start, range.end)
  }
  assert.equal(followed('One two three four.', 'One two three four.', 'two three'), 'two three')
  assert.equal(followed('One two three four.', 'Zero and one two three four.', 'two three'), 'two three')
  assert.equal(followed('One two three four.', 'One two 3 four.', 'two three'), 'two 3')
  assert.equal(followed('One two three four.', 'One two and three four.', 'two three'), 'two and three')
  assert.equal(followed('One two three four.', 'One four.', 'two three'), undefined)
  assert.equal(followed('One two three four.', 'One two three four. More.', 'four.'), 'four.')
  assert.equal(followed('One two three four.', 'One 2 four.', 'two three'), '2')
  for (const rest of ['One  four.', 'One   four.', 'One , four.', 'One ( ) four.'])
    assert.equal(followed('One two three four.', rest, 'two three'), undefined, rest)
  assert.equal(followed('One two, three four.', 'One , four.', 'two, three'), undefined)
  assert.equal(followed('One two, three four.', 'One , four.', 'One two'), 'One ')
  assert.equal(followed('One two three four.', 'One  four.', 'three four'), '  four')
  assert.equal(followed('One two three four.', 'One  four.', 'One two'), 'One')
  assert.equal(followed('One two', 'One very two', 'two'), 'two')
  assert.equal(followed('One two', 'Very One two', 'One'), 'One')
})

test('every block of both versions of real pages is in the difference once', { skip: withoutCorpora }, () => {
  const pages = CORPORA.flatMap((corpus) => pagesToTry(corpus)).map(([, source]) => blocksOf(source))
  const order = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 })
  holds(
    fc.property(fc.nat(pages.length - 1), order, (at, moves) => {
      const before = pages[at % pages.length]!
      const after = [...before]
      for (const [from, to] of moves) {
        if (after.length === 0) break
        const [block] = after.splice(from % after.length, 1)
        if (to % 3 > 0) after.splice(to % (after.length + 1), 0, block!)
      }
      const changes = diffBlocks(before, after)
      const keysIn = (side: 'before' | 'after') =>
        changes.flatMap((one: BlockChange) => (side in one ? one[side as never] : []))
      assert.deepEqual(
        keysIn('after'),
        after.map(({ key }) => key),
      )
      assert.deepEqual(keysIn('before').toSorted(), before.map(({ key }) => key!).toSorted())
      assert(changes.every(({ change }) => ['same', 'moved', 'deleted'].includes(change)))
    }),
    {
      cases: 1000,
      examples: [
        [
          410,
          [
            [648_812_301, 223_090_998],
            [45_158_716, 1_414_397_460],
            [1_707_024_833, 1_655_184_697],
          ],
        ],
      ],
    },
  )
})

test('it runs in a browser: nothing that it imports needs Node', () => {
  const seen = new Set<string>()
  const needs = (file: URL): string[] => {
    if (seen.has(file.href)) return []
    seen.add(file.href)
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gms)
    return [...imports].flatMap(([, path = '']) =>
      path.startsWith('.') ? needs(new URL(path, file)) : [path],
    )
  }
  assert.deepEqual(needs(new URL('block-diff.ts', import.meta.url)), [])
  assert(seen.size > 5)
})

test('the cost is linear in the size of the page, and bounded for pages that have nothing in common', async () => {
  const page = (count: number, word: string) =>
    blocksOf(Array.from({ length: count }, (_, i) => `${word} ${i} and ${word}${i % 7}.\n\n`).join(''))
  const cost = async (before: Block[], after: Block[]) => leastCost(0, () => diffBlocks(before, after))
  const [small, large] = [page(500, 'text'), page(4000, 'text')]
  const edited = (blocks: Block[]) => [
    ...blocks.slice(1, -5),
    ...blocksOf('A new block.'),
    ...blocks.slice(-5),
  ]
  assert((await cost(large, edited(large))) < 32 * (await cost(small, edited(small))) + 10)
  assert((await cost(large, page(4000, 'other'))) < 400 * (await cost(small, small)) + 2000)
})
