/** How the changes of others come into the source that somebody edits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

type Change = { from: number; to: number; insert: string }
const { changesBetween, settleSource } = (await import(
  new URL('../../src/console/app/editor/source/settle-source.ts', import.meta.url).href
)) as {
  changesBetween: (before: string, after: string) => Change[]
  settleSource: (base: string, theirs: string, mine: string, choice: string) => string
}

test('the changes of others are those of their lines', () => {
  assert.deepEqual(changesBetween('a\nb\nc\n', 'a\nB\nc\nd\n'), [
    { from: 2, to: 4, insert: 'B\n' },
    { from: 6, to: 6, insert: 'd\n' },
  ])
  assert.deepEqual(changesBetween('a', 'a'), [])
})

test('a settled source has what only one has changed, and the choice for the rest', () => {
  const settled = (choice: string) => settleSource('a\n\nb\n\nc\n', 'A\n\nB\n\nc\n', 'a\n\nX\n\nC\n', choice)
  assert.equal(settled('mine'), 'A\n\nX\n\nC\n')
  assert.equal(settled('theirs'), 'A\n\nB\n\nC\n')
  assert.equal(settled('both'), 'A\n\nB\nX\n\nC\n')
})
