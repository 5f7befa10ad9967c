/** Trees of an archive that an import does not choose are listed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outsideTrees } from '../../src/imports/outside-trees.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const german = 'i18n/de/docusaurus-plugin-content-docs/current'

test('a project lists the languages and versions that it does not import, and how to choose them', async () => {
  const { result } = await spaceWith(
    world,
    archiveOf({
      'docusaurus.config.js': 'export default {}',
      'README.md': '# Acme',
      'LICENSE.md': '# License',
      'docs/a.md': '# A',
      'versioned_docs/version-1.0/a.md': '# A',
      [`${german}/a.md`]: '# A',
      [`${german}/b.mdx`]: '# B',
    }),
  )
  const problems = result.body.problems as { kind: string; path: string; message: string }[]
  assert.deepEqual(
    problems.map(({ kind, path, message }) => `${kind} ${path} ${message}`),
    [
      `unlisted-page versioned_docs/version-1.0 is the language "en" in version "1.0" of the documentation, and not imported: 1 Markdown file. Import it with the root "versioned_docs/version-1.0"`,
      `unlisted-page ${german} is the language "de" in version "Next" of the documentation, and not imported: 2 Markdown files. Import it with the root "${german}"`,
    ],
  )
})

test('the folder of a language or version is imported as its tool shows it, and other folders as Markdown', async () => {
  const files = {
    'docusaurus.config.js': 'export default {}',
    'docs/a.md': '# A',
    'docs/b.md': '# B',
    [`${german}/a.mdx`]: '# Ä\n\n:::note\n\nJa\n\n:::\n',
  }
  const importing = async (more: { root: string; source?: string }) => {
    const { ada, organizationId } = world
    const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'T' })).body
    const url = await upload(ada, organizationId, archiveOf(files))
    const body = { url, source: 'zip', ...more }
    return { id: id as string, result: await ada(`POST /v1/spaces/${id}/content/import`, body) }
  }
  const pagesOf = async (more: { root: string; source?: string }) => {
    const { id, result } = await importing(more)
    const { body } = await world.ada(`GET /v1/spaces/${id}/content`)
    return {
      titles: (body.pages as { title: string }[]).map(({ title }) => title),
      ...(result.body as { recognized?: { tool: string } }),
    }
  }
  const translated = await pagesOf({ root: german })
  assert.deepEqual([translated.titles, translated.recognized?.tool], [['Ä', 'B'], 'docusaurus'])
  assert.deepEqual((await pagesOf({ root: german, source: 'docusaurus' })).titles, ['Ä', 'B'])
  const whole = await pagesOf({ root: '' })
  assert.deepEqual([whole.titles.includes('Docs'), whole.recognized], [true, undefined])

  for (const [root, source, fault] of [
    ['docs/x', 'docusaurus', /no documentation in "docs\/x", but in "docs", "i18n/],
    ['docs', 'jekyll', /^body\.root is for archives of repositories and projects/],
    ['docs', 'vitepress', /has only one documentation, so "root" cannot be "docs"/],
    ['docs/x', 'zip', /has no folder "docs\/x"/],
  ] as const) {
    const { result } = await importing({ root, source })
    assert.equal(result.status, 400)
    assert.match(result.body.error.message, fault)
  }
})

test('languages in the names of files are imported one at a time, and problems name the file of the source', async () => {
  const files = {
    'hugo.toml': '[languages.en]\n[languages.de]\n',
    'content/a.md': '---\ntitle: A\n---\n',
    'content/a.de.md': '---\ntitle: Ä\n---\n\n![](gone.png)\n',
    'content/b.de.md': '# B\n',
  }
  const { ada, organizationId } = world
  const importing = async (more: object) => {
    const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'T' })).body
    const url = await upload(ada, organizationId, archiveOf(files))
    const { body } = await ada(`POST /v1/spaces/${id}/content/import`, { url, source: 'zip', ...more })
    const { pages } = (await ada(`GET /v1/spaces/${id}/content`)).body
    return {
      titles: (pages as { title: string }[]).map(({ title }) => title),
      problems: (body.problems as { kind: string; path: string; message: string }[]).map(
        ({ kind, path, message }) => `${kind} ${path} ${message}`,
      ),
    }
  }
  assert.deepEqual(await importing({}), {
    titles: ['A'],
    problems: [
      'unlisted-page content/de is the language "de" of the documentation, and not imported: 2 Markdown files. Import it with the root "content/de"',
    ],
  })
  assert.deepEqual(await importing({ root: 'content/de' }), {
    titles: ['Ä', 'B'],
    problems: ['missing-file content/a.de.md refers to "content/gone.png", which is not in the repository'],
  })
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
