import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { withoutCorpora } from '../../../../test/corpus.ts'
import { gitMerge, lineEdits, realPages, withoutGit } from '../../../../test/core/git-merge.ts'
import { asGitDoes } from '../../../../test/core/merge-laws.ts'
import { mergeBodies, mergeEffort } from './body.ts'
import { diffSequences, mergeLines } from '../line-merge.ts'
import { cpuTime } from '../../../../test/cpu.ts'
import { isLongRun, sizeOf } from '../../../../test/effort.ts'
import { holds } from '../../../../test/property.ts'

const skip = withoutCorpora || withoutGit

test('where git merges the lines of a real page cleanly, so do we, with the same text', { skip }, () => {
  holds(fc.property(lineEdits(realPages()), asGitDoes(gitMerge)), { cases: 300 })
})

function merged(base: string, primary: string, own: string): string {
  const { text, conflicts } = mergeBodies({ base, primary, own }, 'own')
  assert.deepEqual(conflicts, [])
  assert.equal(mergeBodies({ base, primary: own, own: primary }, 'own').text, text)
  return text
}

test('changes of blocks that touch are both there', () => {
  assert.equal(merged('# H\ntext a\n', '# G\ntext a\n', '# H\ntext b\n'), '# G\ntext b\n')
  assert.equal(merged('a\n\nb\n\nc\n', 'a\n\nc\n', 'a\n\nb\n\nc c\n'), 'a\n\nc c\n')
})

test('blocks that both insert at one place both go in, and the same block once', () => {
  assert.equal(merged('a\n\nb\n', 'a\n\np\n\nb\n', 'a\n\no\n\nb\n'), 'a\n\no\n\np\n\nb\n')
  assert.equal(merged('a\n', 'a\n\np\n', 'a\n\no'), 'a\n\no\n\np\n')
  assert.equal(merged('a\n', 'a\n\nsame\n\np\n', 'a\n\nsame\n\no\n'), 'a\n\nsame\n\no\n\np\n')
  assert.equal(merged('', '# T\n\np\n', '# T\n\no\n'), '# T\n\no\n\np\n')
})

test('keys of the front matter are merged one by one', () => {
  const page = (...keys: string[]) => `---\n${keys.join('\n')}\n---\n\ntext\n`
  assert.equal(merged(page('x: 1'), page('x: 1', 'p: 2'), page('x: 1', 'o: 3')), page('x: 1', 'o: 3', 'p: 2'))
  assert.equal(merged(page('x: 1', 'y: 2'), page('x: 2', 'y: 2'), page('x: 1', 'y: 3')), page('x: 2', 'y: 3'))

  const conflict = mergeBodies({ base: page('x: 1'), primary: page('x: 2'), own: page('o: 3') }, 'primary')
  assert.equal(conflict.text, page('o: 3', 'x: 2'))
  assert.deepEqual(
    conflict.conflicts.map(({ key, base, primary, own }) => ({ key, base, primary, own })),
    [{ key: 'x', base: 'x: 1', primary: 'x: 2', own: null }],
  )
})

test('a block that both write anew is a conflict, and not two blocks', () => {
  const sources = { base: 'a\n\nold\n\nz\n', primary: 'a\n\nThis.\n\nz\n', own: 'a\n\nThat.\n\nz\n' }
  const { text, conflicts } = mergeBodies(sources, 'own')
  assert.equal(text, sources.own)
  assert.deepEqual(conflicts, [{ base: 'old', primary: 'This.', own: 'That.', offset: 3, length: 5 }])
})

test('inserted lines stand together, wherever equal lines are around them', () => {
  assert.deepEqual(diffSequences(['a', '', 'b'], ['a', 'n', '', '', 'b'], mergeEffort()), [
    { aStart: 1, aEnd: 1, bStart: 1, bEnd: 3 },
  ])
  assert.equal(mergeLines('x\n\ny\n', 'x\np\n\n\ny\n', 'x\n\no\n\ny\n', mergeEffort()), 'x\np\n\n\no\n\ny\n')
})

test('a conflict is one block, and says where it stands', () => {
  const base = '# T\n\none\n\ntwo\n\nthree\n'
  const { text, conflicts } = mergeBodies(
    {
      base,
      primary: base.replace('two', 'two p'),
      own: base.replace('two', 'two o').replace('three', 'three o'),
    },
    'own',
  )
  assert.equal(text, '# T\n\none\n\ntwo o\n\nthree o\n')
  assert.deepEqual(conflicts, [{ base: 'two', primary: 'two p', own: 'two o', offset: 10, length: 5 }])
  assert.equal(text.slice(10, 15), 'two o')
})

test('line breaks are kept, and of a side that changed them all, taken over', () => {
  const base = 'a\n\nb\n\nc\n'
  const windows = (text: string) => text.replaceAll('\n', '\r\n')
  assert.equal(merged(base, windows(base), 'a\n\nb b\n\nc\n'), windows('a\n\nb b\n\nc\n'))
  assert.equal(
    merged(windows(base), windows('a\n\np\n\nb\n\nc\n'), windows('a\n\no\n\nb\n\nc\n')),
    windows('a\n\no\n\np\n\nb\n\nc\n'),
  )
  assert.equal(merged('a\n\nb\n', 'a\n\nb', 'a a\n\nb\n'), 'a a\n\nb')
})

test('text that is no block, such as a definition or a comment, is not lost', () => {
  const base = 'See [x].\n\n[x]: /one\n\nend\n'
  const text = merged(
    base,
    base.replace('See', 'Look at').replace('end', 'p\n\nend'),
    base.replace('end', 'o\n\nend'),
  )
  assert.equal(text, 'Look at [x].\n\n[x]: /one\n\no\n\np\n\nend\n')
})

test('large hostile documents are merged in seconds', { timeout: 60_000 }, () => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('')
  const twoKinds = (seed: number) =>
    lines(sizeOf(400_000), (i) => (((i * seed) >> 7) % 2 === 0 ? 'a\n' : 'b\n'))
  const different = (name: string) => lines(sizeOf(50_000), (i) => `${name} ${i}\n\n`)
  const fences = '```\n'.repeat(sizeOf(100_000))
  for (const [base, primary, own] of [
    [twoKinds(1_103_515_245), twoKinds(12_345_677), twoKinds(7_654_321)],
    [different('b'), different('p'), different('o')],
    ['a\n'.repeat(sizeOf(600_000)), 'a\n'.repeat(sizeOf(700_000)), `b\n${'a\n'.repeat(sizeOf(600_000))}`],
    [fences, `x\n${fences}`, `y\n${fences}`],
  ] as const) {
    const { text, conflicts } = mergeBodies({ base, primary, own }, 'own')
    assert.ok(conflicts.length <= 1)
    if (conflicts.length > 0) assert.equal(text, own)
  }
})

const paragraphs = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `para ${i}${word}\n`).join('\n')

test('pages that both sides wrote anew are merged in tenths of a second each', () => {
  const pages = isLongRun() ? 10 : 2
  const start = cpuTime()
  for (let i = 0; i < pages; i++)
    mergeBodies(
      { base: paragraphs(2000, ''), primary: paragraphs(2000, ' p'), own: paragraphs(2000, ' o') },
      'own',
    )
  const took = cpuTime() - start
  assert.ok(took < 400 * pages, `${took} ms`)
})

test('with no effort left, a body is one conflict, unless its lines merge', () => {
  const [base, primary] = [paragraphs(5, ''), paragraphs(5, '').replace('para 1', 'para p')]
  const own = paragraphs(5, '').replace('para 3', 'para o')
  const clean = mergeBodies({ base, primary, own }, 'own', { left: 0 })
  assert.deepEqual(clean, { text: own.replace('para 1', 'para p'), conflicts: [] })

  const both = own.replace('para 1', 'para o')
  const { text, conflicts } = mergeBodies({ base, primary, own: both }, 'own', { left: 0 })
  assert.equal(text, both)
  assert.deepEqual(conflicts, [
    { base: base.trim(), primary: primary.trim(), own: both.trim(), offset: 0, length: both.trim().length },
  ])
})

test('merges of many pages take of one effort', () => {
  const effort = mergeEffort()
  const parts = isLongRun() ? 1 : 10
  effort.left /= parts
  let [pages, conflicts] = [0, 0]
  while (effort.left > 0 && pages < 1000) {
    const page = { base: paragraphs(400, ''), primary: paragraphs(400, ' p'), own: paragraphs(400, ' o') }
    conflicts = mergeBodies(page, 'own', effort).conflicts.length
    pages += 1
  }
  assert.equal(conflicts, 400)
  assert.ok(pages > 50 / parts && pages < 500 / parts, `${pages} pages`)
})
