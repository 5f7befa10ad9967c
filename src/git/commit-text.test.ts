import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitMessage, commitSeconds, identityLine } from './commit-text.ts'

// These texts decide the ids of commits. If one of them changes, every clone of every space has to be made anew.

test('the identity of a user has a name that git accepts, and the id as address', () => {
  const names = [
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Grace <b> Hopper\n', 'Grace b Hopper'],
    [' ."\'J. D.,;:', 'J. D'],
    ['<>', 'User'],
    ['李小龙', '李小龙'],
  ] as const
  for (const [name, shown] of names)
    assert.equal(identityLine({ id: 'u1', name }), `${shown} <u1@users.invalid>`)
})

test('a message has the subject on one line, and trailers', () => {
  const author = { id: 'u1', name: 'Ada' }
  const facts = { author, committer: author, at: '2026-01-02T03:04:05.678Z', revision: 'r1' }
  assert.equal(commitMessage({ ...facts, subject: '' }), 'Update the content\n\nLectern-Revision: r1\n')
  assert.equal(
    commitMessage({
      ...facts,
      subject: ' Two\nlines ',
      changeRequest: 7,
      coAuthor: { id: 'u2', name: 'Bo' },
    }),
    'Two lines\n\nLectern-Change-Request: 7\nLectern-Revision: r1\nCo-authored-by: Bo <u2@users.invalid>\n',
  )
  assert.equal(commitSeconds(facts.at), 1767323045)
})
