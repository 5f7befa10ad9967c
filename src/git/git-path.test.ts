import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGitPath } from './git-path.ts'

test('paths that git refuses, or that harm a clone, are found in every spelling', () => {
  const refused = [
    '',
    '/a',
    'a//b',
    'a/',
    './a',
    'a/../b',
    '.git/config',
    'a/.GIT/hooks/post-checkout',
    '.git ./x',
    '.git. ',
    '.git::$INDEX_ALLOCATION/x',
    'GIT~1/config',
    '.g\u200cit/config',
    '\ufeff.gitmodules',
    '.gitmodules',
    'docs/.GitAttributes',
    'GITMOD~1',
    'gi7eba~1',
    'a\\b',
    'a\nb',
    'a\0',
    '\ud800.md',
    'a'.repeat(4_001),
  ]
  assert.deepEqual(
    refused.filter((path) => isGitPath(path)),
    [],
  )
  const stored = [
    'README.md',
    '.gitbook.yaml',
    '.gitbook/assets/a b.png',
    '.gitignore',
    'git/a~1.md',
    '"quoted".md',
    'ä/日本.md',
    '...md',
    'C:a.md',
  ]
  assert.deepEqual(
    stored.filter((path) => !isGitPath(path)),
    [],
  )
})
