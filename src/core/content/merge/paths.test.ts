import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addPage, branch, emptyContent, type Content } from '../../../../test/core/histories.ts'
import { isRight, merge } from '../../../../test/core/merge-laws.ts'

function add(content: Content, id: string, file: string): void {
  addPage(content, id, null, 'i', `# ${id}\n`)
  content.pages.set(id, { ...content.pages.get(id)!, file })
}

function filesIn({ pages }: Content): Record<string, string | undefined> {
  return Object.fromEntries([...pages.values()].map(({ id, file }) => [id, file]))
}

/** Merges what two sides do to a content, keeping the own side. */
function merged(base: Content, primary: (content: Content) => void, own: (content: Content) => void) {
  const [x, y] = [branch(base, 'x'), branch(base, 'y')]
  primary(x)
  own(y)
  const { merged: outcome, result } = merge(base, x, y)
  isRight(result)
  return { result, conflicts: outcome.conflicts }
}

test('of two new pages of one file the one with the smaller id keeps it, and the other gets the next that is free, in the same folder', () => {
  const base = emptyContent()
  add(base, 'there', 'a/setup-1.md')
  const { result, conflicts } = merged(
    base,
    (content) => add(content, 'z', 'a/setup.md'),
    (content) => {
      add(content, 'new', 'a/setup.md')
      add(content, 'other', 'a/setup-2.md')
    },
  )
  assert.deepEqual(conflicts, [])
  assert.deepEqual(filesIn(result), {
    there: 'a/setup-1.md',
    new: 'a/setup.md',
    z: 'a/setup-3.md',
    other: 'a/setup-2.md',
  })
})

test('a page that the other side keeps alive keeps its file', () => {
  const base = emptyContent()
  add(base, 'z', 'setup.md')
  const { result, conflicts } = merged(
    base,
    (content) => {
      content.pages.delete('z')
      add(content, 'a', 'setup.md')
    },
    (content) => content.pages.set('z', { ...content.pages.get('z')!, emoji: '1f600' }),
  )
  assert.deepEqual(
    conflicts.map(({ kind, id }) => [kind, id]),
    [['existence', 'z']],
  )
  assert.deepEqual(filesIn(result), { z: 'setup.md', a: 'setup-1.md' })
})

test('files and reusable contents that both add at one path stand at two', () => {
  const at = (id: string) => (content: Content) => {
    const bytes = { size: 1, hash: id, contentType: 'image/png', createdAt: '2026-01-01T00:00:00.000Z' }
    content.files.set(id, { id, name: 'a.png', path: 'assets/.a.png', ...bytes })
    content.reusables.set(id, { id, title: 'A', path: 'includes/a' })
  }
  const { result, conflicts } = merged(emptyContent(), at('b'), at('a'))
  assert.deepEqual(conflicts, [])
  const paths = ({ files, reusables }: Content) =>
    [...files.values(), ...reusables.values()].map(({ id, path }) => `${id} ${path}`).toSorted()
  assert.deepEqual(paths(result), ['a assets/.a.png', 'a includes/a', 'b assets/.a-1.png', 'b includes/a-1'])
})
