/** Each tool is recognized by its own files, and other archives are not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  pathsToRecognize,
  recognizeTool,
  TOOL_IDS,
  type ToolId,
} from '../../../src/core/sources/tools/recognize.ts'
import { MANIFEST_PATH, printManifest } from '../../../src/core/repository/manifest.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { confluenceExport } from './confluence-fixture.ts'
import { notionMarkdownExport } from './notion-fixture.ts'
import { bytesIn } from './sources.ts'
import { BOOKSTACK, DOCMOST } from './wiki-exports-fixture.ts'
import { WIKI } from './wiki-fixture.ts'

const UUID = '0b6f0c1e-1111-4222-8333-444455556666'
const page = { 'README.md': '# Read me\n' }
const wikiJsPage = '---\ntitle: A\ndateCreated: 2024-01-01T00:00:00.000Z\neditor: markdown\n---\n\nText\n'

/** Archives of each tool: the path of the mark, and the files. */
const ARCHIVES: Record<ToolId, [mark: string, files: Record<string, string | Uint8Array>][]> = {
  docusaurus: [
    ['docusaurus.config.js', { ...page, 'docusaurus.config.js': '' }],
    ['docusaurus.config.ts', { 'docusaurus.config.ts': '', 'docs/a.mdx': '# A' }],
    ['website/docusaurus.config.mjs', { ...page, 'website/docusaurus.config.mjs': '' }],
  ],
  vitepress: [
    ['docs/.vitepress/config.mts', { 'docs/.vitepress/config.mts': '', ...page }],
    ['.vitepress/config/index.ts', { '.vitepress/config/index.ts': '', ...page }],
  ],
  mkdocs: [
    ['mkdocs.yml', { ...page, 'mkdocs.yml': 'site_name: A' }],
    ['docs/mkdocs.yaml', { 'docs/mkdocs.yaml': '' }],
  ],
  mintlify: [
    ['docs.json', { 'docs.json': '{"name": "A", "navigation": {}}', 'a.mdx': '' }],
    ['docs/mint.json', { 'docs/mint.json': '{"navigation": []}' }],
  ],
  starlight: [
    [
      'astro.config.mjs',
      { 'astro.config.mjs': "import starlight from '@astrojs/starlight'", 'src/content/docs/a.md': '' },
    ],
  ],
  nextra: [
    ['next.config.mjs', { 'next.config.mjs': "import nextra from 'nextra'", 'pages/a.mdx': '' }],
    ['content/_meta.js', { 'content/_meta.js': 'export default {}', 'content/a.mdx': '' }],
  ],
  mdbook: [
    ['book.toml', { 'book.toml': '[book]\ntitle = "A"\n', 'src/SUMMARY.md': '' }],
    ['book.toml', { 'book.toml': '[book]\nsrc = "text"\n', 'text/SUMMARY.md': '' }],
    ['book.toml', { 'book.toml': '[book]\nsrc = "."\n', 'SUMMARY.md': '' }],
    ['docs/book.toml', { 'docs/book.toml': '', 'docs/src/a.md': '', ...page }],
  ],
  hugo: [
    ['hugo.toml', { 'hugo.toml': '', 'content/a.md': '', 'content/tool/SUMMARY.md': '' }],
    ['config.yaml', { 'config.yaml': '', 'content/a.md': '' }],
    ['site/hugo.yaml', { 'site/hugo.yaml': '', 'site/a.md': '' }],
  ],
  docfx: [
    ['docfx.json', { 'docfx.json': '{}', ...page }],
    ['docs/toc.yml', { 'docs/toc.yml': '- name: A\n  href: a.md\n', 'docs/a.md': '' }],
  ],
  myst: [
    ['myst.yml', { 'myst.yml': 'version: 1', ...page }],
    ['book/_toc.yml', { 'book/_toc.yml': 'format: jb-book\n', 'book/_config.yml': '' }],
  ],
  sphinx: [['docs/conf.py', { 'docs/conf.py': "project = 'A'\n", 'docs/a.md': '', ...page }]],
  jekyll: [
    ['_config.yml', { '_config.yml': 'title: A', ...page }],
    ['docs/_config.yml', { 'docs/_config.yml': '', ...page }],
  ],
  confluence: [
    ['HAND/index.html', confluenceExport()],
    ['entities.xml', { 'entities.xml': '<x/>' }],
  ],
  notion: [[Object.keys(notionMarkdownExport())[0]!, notionMarkdownExport()]],
  docmost: [['docmost-metadata.json', DOCMOST]],
  bookstack: [['data.json', BOOKSTACK]],
  outline: [
    [
      `IT/uploads/${UUID}/${UUID}/a.png`,
      { [`IT/uploads/${UUID}/${UUID}/a.png`]: '', 'IT/a.md': '# A', 'HR/b.md': '# B' },
    ],
  ],
  'wiki-js': [['guide/a.md', { 'guide/a.md': wikiJsPage, 'home.md': wikiJsPage }]],
  'github-wiki': [
    ['app.wiki/_Sidebar.md', WIKI],
    ['Home.md', { 'Home.md': '# Home', 'Other-page.md': '# Other' }],
  ],
}

const EMPTY = new Uint8Array()

for (const tool of TOOL_IDS)
  test(`${tool} is recognized by each of its marks`, () => {
    for (const [path, files] of ARCHIVES[tool]) {
      const found = recognizeTool(bytesIn(files))
      assert.deepEqual([found?.tool, found?.path], [tool, path])
      const read = pathsToRecognize(Object.keys(files))
      const part = [...bytesIn(files)].map(([name, bytes]) => [name, read.has(name) ? bytes : EMPTY] as const)
      assert.deepEqual(recognizeTool(new Map(part)), found)
    }
  })

describe('an archive is read as a repository of Markdown', () => {
  const archives: Record<string, Record<string, string>> = {
    'that has no mark': page,
    'with a table of contents at the top': { 'SUMMARY.md': '* [A](a.md)', 'a.md': '', 'hugo.toml': '' },
    'with settings of Lectern at the top': { '.gitbook.yaml': '', 'book.toml': '', ...page },
    'with a table of contents and a vague mark': { '_config.yml': '', 'docs/SUMMARY.md': '', ...page },
    'whose examples have marks': { 'examples/site/hugo.toml': '', 'node_modules/a/mkdocs.yml': '', ...page },
    'whose marks are deep': { 'a/b/c/d/docusaurus.config.js': '', ...page },
    'with other files of the same names': {
      'docs.json': '{}',
      'astro.config.mjs': '',
      'conf.py': 'x',
      ...page,
    },
    'that a space was exported to': {
      [MANIFEST_PATH]: printManifest(new Map(), { revision: 'r', ids: {}, known: [] }),
      'mkdocs.yml': '',
      ...page,
    },
  }
  for (const [name, files] of Object.entries(archives))
    test(name, () => assert.equal(recognizeTool(bytesIn(files)), undefined))
})

test('only files that may have a mark are read to recognize a tool', () => {
  const paths = ['docs/conf.py', 'docs/a.rst', 'src/a/b/c/d/conf.py', 'tests/conf.py', 'LICENSE']
  assert.deepEqual([...pathsToRecognize(paths)], ['docs/conf.py'])
  assert.deepEqual([...pathsToRecognize(['app/docs.json', 'app/mkdocs.yml'])], ['app/docs.json'])
})

test('the mark nearest to the top decides', () => {
  const files = { 'docs/conf.py': 'project = 1', 'website/x/docusaurus.config.js': '', ...page }
  assert.equal(recognizeTool(bytesIn(files))?.tool, 'sphinx')
})

test('marks that are no text are recognized by their names alone', () => {
  const binary = Uint8Array.of(0xff, 0xfe, 0, 0xd8)
  assert.equal(recognizeTool(new Map([['docs.json', binary]])), undefined)
  assert.equal(recognizeTool(new Map([['mkdocs.yml', binary]]))?.tool, 'mkdocs')
})

for (const [name, make] of familiesOf(
  {
    'navigation without a colon': repeated('"navigation"   '),
    sources: repeated('src =       \n'),
    spaces: repeated('   \n'),
    'front matter': repeated('---\neditor: markdown\n'),
  },
  1,
))
  test(`recognizing takes linear time: ${name}`, () => {
    const marks = ['docs.json', 'book.toml', 'conf.py', 'index.html', 'toc.yml', 'data.json', 'Home.md']
    assertLinear(make, (text) =>
      recognizeTool(bytesIn(Object.fromEntries(marks.map((mark) => [mark, text])))),
    )
  })

test('recognizing takes linear time: many settings that are perhaps those of Hugo', () => {
  const archives = new Map<number, Map<string, Uint8Array>>()
  const archiveOf = (size: number) => {
    const paths = Array.from({ length: size / 10 }, (_, i) => `folder-${i}/config.toml`)
    return bytesIn(Object.fromEntries(paths.map((path) => [path, ''])))
  }
  assertLinear(repeated('x'), ({ length }) => {
    const known = archives.get(length) ?? archiveOf(length)
    archives.set(length, known)
    return recognizeTool(known)
  })
})
