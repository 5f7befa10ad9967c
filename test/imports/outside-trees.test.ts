/** Trees of an archive that an import does not choose are listed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outsideTrees } from '../../src/imports/outside-trees.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

test('a project lists the languages and versions that it does not import, and how to choose them', async () => {
  const { result } = await spaceWith(
    world,
    archiveOf({
      'docusaurus.config.js': 'export default {}',
      'README.md': '# Acme',
      'LICENSE.md': '# License',
      'docs/a.md': '# A',
      'versioned_docs/version-1.0/a.md': '# A',
      'i18n/de/docusaurus-plugin-content-docs/current/a.md': '# A',
      'i18n/de/docusaurus-plugin-content-docs/current/b.mdx': '# B',
    }),
  )
  const problems = result.body.problems as { kind: string; path: string; message: string }[]
  assert.deepEqual(
    problems.map(({ kind, path, message }) => `${kind} ${path} ${message}`),
    [
      'unlisted-page versioned_docs/version-1.0 is outside of "docs" and not imported: 1 Markdown file. Import it with the root "versioned_docs/version-1.0"',
      'unlisted-page i18n/de is outside of "docs" and not imported: 2 Markdown files. Import it with the root "i18n/de"',
    ],
  )
})

test('a table of contents in a folder does not hide the pages beside the folder', async () => {
  const files = {
    'book/SUMMARY.md': '* [A](a.md)',
    'book/a.md': '# A',
    'content/x.md': '',
    'content/y/z.md': '',
    'top.md': '',
  }
  const { result } = await spaceWith(world, archiveOf(files))
  assert.deepEqual(
    (result.body.problems as { path: string }[]).map(({ path }) => path),
    ['content', 'top.md'],
  )
})

test('nothing is outside of the top, and files that are left alone are not listed', () => {
  const files = new Map(
    ['a/b.md', 'node_modules/x/y.md', '.github/z.md'].map((path) => [path, new Uint8Array()]),
  )
  assert.deepEqual(outsideTrees(files, ''), [])
  assert.deepEqual(outsideTrees(files, 'a'), [])
})
