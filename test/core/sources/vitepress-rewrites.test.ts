/** Projects of VitePress whose pages have other paths than their files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../../../src/core/repository/model.ts'
import { rewrittenFiles } from '../../../src/core/sources/projects/vitepress-rewrites.ts'
import { assertLinear, repeated } from '../cost/growth.ts'
import { bytesIn, convertedTree, treesIn } from './sources.ts'

/** The new paths of pages in the folder `docs`, by the setting `rewrites`. */
function paths(rewrites: unknown, pages: string[]) {
  const problems: Problem[] = []
  const files = bytesIn(Object.fromEntries(pages.map((path) => [`docs/${path}`, path])))
  const placed = rewrittenFiles(
    files,
    'docs',
    { rewrites },
    {
      path: 'config.ts',
      problems,
      isExcluded: () => false,
    },
  )
  for (const [path, bytes] of placed.files)
    assert.equal(`docs/${Buffer.from(bytes).toString()}`, placed.sources.get(path) ?? path)
  return { pages: [...placed.files.keys()].map((path) => path.slice(5)), problems }
}

const REWRITES: [rewrites: Record<string, string>, from: string, to: string][] = [
  [{ 'a.md': 'b/c.md' }, 'a.md', 'b/c.md'],
  [{ 'a.md': 'b/c.md' }, 'x/a.md', 'x/a.md'],
  [{ 'en/:rest*': ':rest*' }, 'en/a/b.md', 'a/b.md'],
  [{ 'en/:rest*': ':rest*' }, 'de/a/b.md', 'de/a/b.md'],
  [{ 'packages/:pkg/src/:slug*': ':pkg/:slug*' }, 'packages/x/src/a/b.md', 'x/a/b.md'],
  [{ 'packages/:pkg/src/(.*)': ':pkg/index.md' }, 'packages/x/src/foo.md', 'x/index.md'],
  [{ 'content/(.*)': '/(.*)' }, 'content/a/b.md', 'a/b.md'],
  [{ ':pkg/docs/:name.md': ':name-:pkg.md' }, 'x/docs/a.md', 'a-x.md'],
  [{ 'x/:rest+': ':rest+' }, 'x/y/z.md', 'y/z.md'],
  [{ ':path*/README.md': ':path*/index.md' }, 'a/b/README.md', 'a/b/index.md'],
  [{ 'a/:x*': 'first/:x*', 'a/b.md': 'second.md' }, 'a/b.md', 'first/b.md'],
  [{ 'a.md': '../../out.md' }, 'a.md', 'a.md'],
]

for (const [rewrites, from, to] of REWRITES)
  test(`${JSON.stringify(rewrites)} makes ${from} ${to}`, () => {
    assert.deepEqual(paths(rewrites, [from]), { pages: [to], problems: [] })
  })

test('rewrites that are not understood are reported, and the others count', () => {
  const { pages, problems } = paths(
    { ':a(\\d+)/:b*': ':b*', 'a.md': undefined, ':a*/:b*': ':b*', 'b.md': 'c.md' },
    ['a.md', 'b.md', '1/x.md'],
  )
  assert.deepEqual(pages, ['a.md', 'c.md', '1/x.md'])
  assert.deepEqual(
    problems.map(({ message }) => message),
    [':a(\\d+)/:b*', 'a.md', ':a*/:b*'].map(
      (from) => `the setting "rewrites: ${from}" is not understood, and not used`,
    ),
  )
  assert.match(paths(undefined, []).problems[0]?.message ?? '', /^the setting "rewrites" is not understood/)
})

test('no page takes the path of another one', () => {
  assert.deepEqual(paths({ ':x/a.md': 'a.md' }, ['1/a.md', '2/a.md']).pages, ['a.md', '2/a.md'])
  assert.deepEqual(paths({ 'b.md': 'a.md' }, ['b.md', 'a.md']).pages, ['b.md', 'a.md'])
  assert.deepEqual(paths({ 'b.md': 'a.md', 'a.md': 'b.md' }, ['b.md', 'a.md']).pages, ['a.md', 'b.md'])
})

test('paths and patterns are matched in linear time', () => {
  assertLinear(repeated('a/', ''), (text) => paths({ 'a/:x/:y*/b/:z/c.md': ':y*' }, [`${text}c.md`]))
  assertLinear(repeated(':', 'a'), (text) => paths({ [text.slice(0, 400)]: 'a' }, [`${text}.md`]))
})

test('links, pictures, sidebars and languages follow the paths of the site', async () => {
  const project = {
    'package.json': '{}',
    'docs/.vitepress/config.ts': `export default defineConfig({
      srcDir: 'src', srcExclude: ['**/draft-*.md', 'en/parts/**'],
      rewrites: { 'en/:rest*': ':rest*' },
      locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } },
      themeConfig: { sidebar: [{ text: 'Start', link: '/' }, { text: 'Set up', link: '/guide/setup' }] },
    })`,
    'docs/src/en/index.md':
      '# Home\n\n[Set up](./guide/setup.md) [Setup](/guide/setup.html) ![](./img/a.png)\n',
    'docs/src/en/guide/setup.md':
      '# Set up\n\n[Home](../index.md) ![](../img/a.png)\n\n<!--@include: ../parts/note.md-->\n',
    'docs/src/en/guide/draft-x.md': '# Draft\n',
    'docs/src/en/parts/note.md': 'A note\n',
    'docs/src/en/img/a.png': 'png',
    'docs/src/de/index.md': '# Start\n',
  }
  assert.deepEqual(treesIn('vitepress', project), ['docs/src: en at / front main', 'docs/src/de: de at /de'])
  const { files, pages, entries, problems } = await convertedTree('vitepress', project)
  assert.deepEqual(pages, ['docs/src/en/parts/note.md', 'docs/src/guide/setup.md', 'docs/src/index.md'])
  assert.deepEqual(entries, ['* [Start](<index.md>)', '* [Set up](<guide/setup.md>)'])
  assert.match(
    files['docs/src/index.md']!,
    /\[Set up\]\(guide\/setup\.md\) \[Setup\]\(guide\/setup\.md\) !\[\]\(en\/img\/a\.png\)/,
  )
  assert.match(
    files['docs/src/guide/setup.md']!,
    /\[Home\]\(\.\.\/index\.md\) !\[\]\(\.\.\/en\/img\/a\.png\)/,
  )
  assert.match(files['docs/src/guide/setup.md']!, /include "\.\.\/en\/parts\/note\.md"/)
  assert.deepEqual(problems, [])
})
