import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveReference, type Targets } from './links.ts'

/** Targets whose ids are their paths. */
function targetsOf(files: string[], paths: string[] = []): Targets {
  const among = (list: string[]) => (path: string) => (list.includes(path) ? path : undefined)
  return {
    pageByFile: among(files.filter((file) => file.endsWith('.md'))),
    fileByPath: among(files.filter((file) => file.endsWith('.png'))),
    reusableByPath: () => undefined,
    pageByPath: among(paths),
  }
}

const resolved = (url: string, from: string, targets: Targets) =>
  resolveReference({ kind: 'url', url }, from, targets)

test('a leading slash means the top of the repository, or else the root of the documentation', () => {
  const targets = targetsOf(['guide.md', 'docs/guide.md', 'docs/en/install.md', 'docs/en/a.png'])
  assert.deepEqual(resolved('/guide.md', 'docs/a.md', targets), { kind: 'page', page: 'guide.md' })
  assert.deepEqual(resolved('/install.md', 'docs/en/deep/a.md', targets), {
    kind: 'page',
    page: 'docs/en/install.md',
  })
  assert.deepEqual(resolved('/a.png', 'docs/en/a.md', targets), { kind: 'file', file: 'docs/en/a.png' })
  assert.equal(resolved('/install.md', 'other/a.md', targets).kind, 'url')
  assert.equal(resolved('install.md', 'docs/a.md', targets).kind, 'url', 'a relative address names one place')
})

test('a folder without a page of its own is found by its path in the tree, which has no root', () => {
  const targets = targetsOf(['docs/guide/a.md'], ['guide', 'guide/a'])
  assert.deepEqual(resolved('guide', 'docs/b.md', targets), { kind: 'page', page: 'guide' })
  assert.deepEqual(resolved('../guide/', 'docs/other/b.md', targets), { kind: 'page', page: 'guide' })
  assert.equal(resolved('../guide', 'docs/b.md', targets).kind, 'page', 'from the top of the repository')
})
