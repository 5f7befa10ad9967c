/** Sources other than repositories of Markdown, through the API. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { confluenceExport } from '../core/sources/confluence-fixture.ts'
import { docxParts } from '../core/sources/docx-fixture.ts'
import { GOOGLE_DOC, WIKI } from '../core/sources/wiki-fixture.ts'
import { notionMarkdownExport } from '../core/sources/notion-fixture.ts'
import { BOOKSTACK, DOCMOST, DOCMOST_HTML, OUTLINE } from '../core/sources/wiki-exports-fixture.ts'
import { archiveOf, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

/** Imports a file into a new space. */
async function importSource(source: string, bytes: Uint8Array, name = 'docs.zip') {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const url = await upload(ada, organizationId, bytes, name)
  const imported = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source })
  return { spaceId: space.id as string, imported }
}

type Listed = { title: string; path: string; type: string; pages?: Listed[] }

/** The titles of the pages of a space, those below others in a list after them. */
async function titlesOf(spaceId: string): Promise<unknown[]> {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/pages`)
  const titles = (pages: Listed[]): unknown[] =>
    pages.flatMap(({ title, pages: below = [] }) => (below.length > 0 ? [title, titles(below)] : [title]))
  return titles(body.pages as Listed[])
}

async function brokenLinks(spaceId: string): Promise<string[]> {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/links?status=broken`)
  const places = body.items as { locationReferences: { link?: { address?: string } }[] }[]
  return places.flatMap((item) => item.locationReferences.map(({ link }) => link?.address ?? ''))
}

test('the source docx imports a document with its chapters as pages, and refuses other archives', async () => {
  const { spaceId, imported } = await importSource('docx', archiveOf(docxParts()), 'Handbook.docx')
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['The handbook', 'Install', 'Use'])
  assert.deepEqual(await brokenLinks(spaceId), [])
  assert.match(
    (await importSource('docx', archiveOf({ 'a.docx': 'x' }))).imported.text,
    /send that file itself/,
  )
  assert.match((await importSource('docx', Buffer.from('x'))).imported.text, /not a zip file/)
})

test('the source confluence imports the export of a space with its tree, links and attachments', async () => {
  const { spaceId, imported } = await importSource('confluence', archiveOf(confluenceExport()))
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(
    imported.body.problems.map(({ kind, path }: { kind: string; path: string }) => [kind, path]),
    [['unused-file', 'attachments/124/131.pdf']],
  )
  assert.deepEqual(await titlesOf(spaceId), ['Home', ['Install', ['On Linux']], 'Lost page'])
  assert.deepEqual(await brokenLinks(spaceId), [])
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/files`)
  assert.deepEqual(body.items.map(({ name }: { name: string }) => name).toSorted(), [
    'notes.pdf',
    'plan (1).png',
  ])
})

test('the source notion imports an export, also in parts', async () => {
  const whole = await importSource('notion', archiveOf(notionMarkdownExport()))
  assert.equal(whole.imported.status, 201, whole.imported.text)
  assert.deepEqual(whole.imported.body.problems, [])
  const titles = ['Our handbook', ['Zeta', 'Alpha', 'Tasks', ['Buy']]]
  assert.deepEqual(await titlesOf(whole.spaceId), titles)
  assert.deepEqual(await brokenLinks(whole.spaceId), [])

  const parts = archiveOf({ 'Export-Part-1.zip': archiveOf(notionMarkdownExport()) })
  const { spaceId, imported } = await importSource('notion', parts)
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(await titlesOf(spaceId), titles)

  const bomb = archiveOf({ 'Part-1.zip': archiveOf({ 'a.md': ' '.repeat(20_000_000) }) })
  assert.match((await importSource('notion', bomb)).imported.text, /unpacks to more than 200 times/)
})

test('the source github-wiki imports a wiki in the order of its sidebar', async () => {
  const { spaceId, imported } = await importSource('github-wiki', archiveOf(WIKI))
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(await titlesOf(spaceId), [
    'Home',
    'Guides',
    ['First steps', ['API (v2)', 'Deep Page'], 'Elsewhere', ['Site']],
  ])
  assert.deepEqual(await brokenLinks(spaceId), [])
})

test('the source google-docs imports a document with its chapters as pages', async () => {
  const { spaceId, imported } = await importSource('google-docs', archiveOf(GOOGLE_DOC))
  assert.equal(imported.status, 201, imported.text)
  assert.deepEqual(await titlesOf(spaceId), ['The handbook', 'Install', 'Use'])
  assert.deepEqual(await brokenLinks(spaceId), [])
  const word = await importSource('google-docs', archiveOf(docxParts()), 'Handbook.docx')
  assert.deepEqual(await titlesOf(word.spaceId), ['The handbook', 'Install', 'Use'])
})

test('the sources outline, docmost and bookstack import the exports of wikis', async () => {
  const outline = await importSource('outline', archiveOf(OUTLINE))
  assert.equal(outline.imported.status, 201, outline.imported.text)
  assert.deepEqual(outline.imported.body.problems, [])
  assert.deepEqual(await titlesOf(outline.spaceId), [
    'Handbook',
    ['Setup / Use', ['On Linux'], 'Welcome'],
    'Other',
    ['Page'],
  ])
  assert.deepEqual(await brokenLinks(outline.spaceId), [])

  for (const archive of [DOCMOST, DOCMOST_HTML]) {
    const docmost = await importSource('docmost', archiveOf(archive))
    assert.equal(docmost.imported.status, 201, docmost.imported.text)
    assert.deepEqual((await titlesOf(docmost.spaceId)).toSorted(), ['Alpha', ['Deep page'], 'Zeta'])
    assert.deepEqual(await brokenLinks(docmost.spaceId), [])
  }

  const book = await importSource('bookstack', archiveOf(BOOKSTACK))
  assert.equal(book.imported.status, 201, book.imported.text)
  assert.deepEqual(await titlesOf(book.spaceId), ['The book', 'In Markdown', 'Chapter', ['In HTML', 'Last']])
  assert.deepEqual(await brokenLinks(book.spaceId), [])
  for (const source of ['outline', 'docmost', 'bookstack']) {
    const outside = await importSource(source, archiveOf({ '../a.md': 'x' }))
    assert.match(outside.imported.body.error.message, /points outside the archive/)
    const bomb = await importSource(source, archiveOf({ 'data.json': ' '.repeat(20_000_000) }))
    assert.match(bomb.imported.body.error.message, /unpacks to more than 200 times/)
  }
})

test('projects of static site generators keep their trees, links and pictures', async () => {
  const pages = {
    'docs/intro.md': '---\nsidebar_position: 1\n---\n\n# Welcome\n\n[Guide](/guide/b) ![a](/a.png)\n',
    'docs/guide/a.md': '# A\n\n:::note\nText\n:::\n',
    'docs/guide/b.mdx': '---\nsidebar_position: 1\n---\n\n# B\n',
    'static/a.png': 'png',
  }
  const first = await importSource('docusaurus', archiveOf(pages))
  assert.equal(first.imported.status, 201, first.imported.text)
  assert.deepEqual(first.imported.body.problems, [])
  assert.deepEqual(await titlesOf(first.spaceId), ['Welcome', 'Guide', ['B', 'A']])
  assert.deepEqual(await brokenLinks(first.spaceId), [])

  const nav = { 'mkdocs.yml': 'nav:\n  - B: b.md\n  - a.md\n', 'docs/a.md': '# A', 'docs/b.md': '# B' }
  const second = await importSource('mkdocs', archiveOf(nav))
  assert.deepEqual(await titlesOf(second.spaceId), ['B', 'A'])
  const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: [*d, *d, *d, *d, *d, *d]\n'
  const unused = await importSource('mkdocs', archiveOf({ ...nav, 'mkdocs.yml': bomb }))
  assert.equal(unused.imported.status, 201, unused.imported.text)
  assert.match(
    unused.imported.text,
    /has more than 10 anchors .*; the page tree is generated from the folders/,
  )

  const third = await importSource(
    'vitepress',
    archiveOf({ '.vitepress/config.js': '', 'index.md': '# Home' }),
  )
  assert.deepEqual(await titlesOf(third.spaceId), ['Home'])
})

test('a book of mdBook has all chapters of its table of contents, and its title', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'book.toml': '[book]\ntitle = "Gardening"\n',
      'src/SUMMARY.md':
        '# Summary\n\n[Title page](title.md)\n\n- [Soil](soil.md)\n  - [Clay](clay.md)\n\n---\n\n[People](people.md)\n',
      'src/title.md': '# The garden\n',
      'src/soil.md': '# Soil\n\nSee [clay](clay.html#wet).\n',
      'src/clay.md': '# Clay\n\n## Wet\n',
      'src/people.md': '# Contributors\n',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  assert.equal(imported.body.recognized.source, 'mdbook')
  assert.equal(imported.body.title, 'Gardening')
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['The garden', 'Soil', ['Clay'], 'Contributors'])
  assert.deepEqual(await brokenLinks(spaceId), [])
})

test('pages with front matter in TOML have its title and description, whatever the source', async () => {
  for (const source of ['zip', 'markdown']) {
    const page = '+++\ntitle = "Set up the pump"\ndescription = "Three steps"\n+++\n\nFirst, open the box.\n'
    const { spaceId, imported } = await importSource(source, archiveOf({ 'install.md': page }))
    assert.deepEqual(imported.body.problems, [])
    const { body } = await ada(`GET /v1/spaces/${spaceId}/content/pages`)
    const [listed] = body.pages
    assert.deepEqual([listed.title, listed.description], ['Set up the pump', 'Three steps'])
    const shown = await ada(`GET /v1/spaces/${spaceId}/content/page/${listed.id}?format=markdown`)
    assert.match(shown.body.markdown, /---\n\n+First, open the box\.\n$/)
  }
})

test('the source zip recognizes the tool of an archive, and imports it as if the source named it', async () => {
  const project = {
    'website/docusaurus.config.js': 'export default {}',
    'website/docs/intro.md': '# Intro\n\n:::note\nText\n:::\n\n![a](/a.png) [B](@site/docs/b.mdx)\n',
    'website/docs/b.mdx': '# B\n',
    'website/static/a.png': 'png',
    'README.md': '# The repository\n',
  }
  const recognized = { tool: 'docusaurus', name: 'Docusaurus', path: 'website/docusaurus.config.js' }
  const first = await importSource('zip', archiveOf(project))
  assert.equal(first.imported.status, 201, first.imported.text)
  assert.deepEqual(first.imported.body.recognized, { ...recognized, source: 'docusaurus' })
  assert.deepEqual(first.imported.body.problems, [])
  assert.deepEqual((await titlesOf(first.spaceId)).toSorted(), ['B', 'Intro'])
  assert.deepEqual(await brokenLinks(first.spaceId), [])

  // A named source, and a named folder, mean what they say.
  const named = await importSource('docusaurus', archiveOf(project))
  assert.equal(named.imported.body.recognized, undefined)
  assert.deepEqual((await titlesOf(named.spaceId)).toSorted(), ['B', 'Intro'])
  const plain = await importSource('markdown', archiveOf(project))
  assert.equal(plain.imported.status, 201, plain.imported.text)
  assert.equal(plain.imported.body.recognized, undefined)
  assert.match(JSON.stringify(await titlesOf(plain.spaceId)), /The repository/)
})

test('the source zip recognizes exports of wikis', async () => {
  const exports = {
    confluence: confluenceExport(),
    notion: { 'Export-Part-1.zip': archiveOf(notionMarkdownExport()) },
    'github-wiki': WIKI,
    docmost: DOCMOST,
    bookstack: BOOKSTACK,
  }
  for (const [tool, files] of Object.entries(exports)) {
    const { imported } = await importSource('zip', archiveOf(files))
    assert.equal(imported.status, 201, imported.text)
    assert.deepEqual([imported.body.recognized.tool, imported.body.recognized.source], [tool, tool])
  }
})

test('a table of contents of a part does not hide the rest of a project', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'README.md': '# The repository',
      'site/astro.config.mjs': "import starlight from '@astrojs/starlight'",
      'site/src/content/docs/one.md': '# One',
      'site/src/content/docs/tool/SUMMARY.md': '* [Two](two.md)',
      'site/src/content/docs/tool/two.md': '# Two',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  const recognized = {
    tool: 'starlight',
    name: 'Starlight',
    path: 'site/astro.config.mjs',
    source: 'starlight',
  }
  assert.deepEqual(imported.body.recognized, recognized)
  const titles = JSON.stringify(await titlesOf(spaceId))
  assert.match(titles, /One/)
  assert.match(titles, /Two/)
  assert.doesNotMatch(titles, /repository/)
})

test('the pages of a recognized tool are those of its folder, and not of the whole repository', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'README.md': '# The repository',
      'docs/conf.py': "project = 'Boats'\nextensions = ['myst_parser']\n",
      'docs/one.md': '# One',
      'docs/parts/two.md': '# Two',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  const recognized = { tool: 'sphinx', name: 'Sphinx', path: 'docs/conf.py', source: 'sphinx' }
  assert.deepEqual(imported.body.recognized, recognized)
  const titles = JSON.stringify(await titlesOf(spaceId))
  assert.match(titles, /One/)
  assert.match(titles, /Two/)
  assert.doesNotMatch(titles, /repository/)
})

test('a project of Hugo has its sections, titles and links', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'hugo.toml': 'title = "Boats"\n',
      'content/_index.md': '+++\ntitle = "Home"\n+++\n',
      'content/docs/_index.md': '+++\ntitle = "Documentation"\n+++\n',
      'content/docs/b.md':
        '+++\ntitle = "Second"\nweight = 2\n+++\n{{< alert >}}[A]({{< ref "a" >}}){{< /alert >}}\n',
      'content/docs/a.md': '+++\ntitle = "First"\nweight = 1\n+++\n![l](/l.png) [B](../b/)\n',
      'static/l.png': 'png',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  assert.equal(imported.body.recognized.source, 'hugo')
  assert.equal(imported.body.title, 'Boats')
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['Home', 'Documentation', ['First', 'Second']])
  assert.deepEqual(await brokenLinks(spaceId), [])
})

test('a project of Jekyll has its tree, hints, links and the ids of its headings', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      '_config.yml': 'title: Boats\ntheme: just-the-docs\n',
      'rules.md': '---\ntitle: Rules\nparent: Boats\n---\n\n## Rule one\n{: .no_toc #first }\n',
      'index.md':
        '---\ntitle: Boats\nnav_order: 1\n---\n\nNew\n{: .label }\n\n{: .warning }\nNever.\n\n[Rules]({% link rules.md %}#first)\n\n1. TOC\n{:toc}\n',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  assert.equal(imported.body.recognized.source, 'jekyll')
  assert.equal(imported.body.title, 'Boats')
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['Boats', ['Rules']])
  assert.deepEqual(await brokenLinks(spaceId), [])
})

test('a project of DocFX has its tree, tabs, code of other files, links and hidden pages', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'docfx.json': '{"build": {"globalMetadata": {"_appTitle": "Boats"}}}',
      'toc.yml': '- name: Guide\n  href: guide/\n- href: rules.md\n',
      'guide/toc.yml': '- href: start.md\n',
      'guide/start.md':
        '# Start\n\n## [Sea](#tab/sea)\n<xref:rules>\n## [Land](#tab/land)\n[!code-js[](a.js)]\n***\n',
      'guide/a.js': 'go()\n',
      'rules.md': '---\nuid: rules\n---\n# Rules\n\n[Start](~/guide/start.md)\n',
      'more.md': '# More\n',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  assert.equal(imported.body.recognized.source, 'docfx')
  assert.equal(imported.body.title, 'Boats')
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['Guide', ['Start'], 'Rules', 'More'])
  assert.deepEqual(await brokenLinks(spaceId), [])
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/path/rules`)
  assert.equal(body.title, 'Rules')
})

test('a project of Sphinx has its tree, directives, labels and hidden pages', async () => {
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'docs/conf.py': "project = 'Boats'\n",
      'docs/index.md': '# Boats\n\n```{toctree}\n:caption: Guide\nguide/start\nrules\n```\n',
      'docs/guide/start.md':
        '(start)=\n# Start\n\n:::{note}\nSee {ref}`rule-one`.\n:::\n\n```{literalinclude} a.py\n```\n',
      'docs/guide/a.py': 'go()\n',
      'docs/rules.md': '# Rules\n\n(rule-one)=\n## Rule one\n\n[](#start)\n',
      'docs/more.md': '# More\n',
      'docs/other.rst': 'Other\n=====\n',
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  assert.equal(imported.body.recognized.source, 'sphinx')
  assert.equal(imported.body.title, 'Boats')
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['Boats', 'Guide', ['Start', 'Rules'], 'More', 'Other'])
  assert.deepEqual(await brokenLinks(spaceId), [])
})

test('an export of Wiki.js has its tree, titles, hints and links', async () => {
  const fields = (title: string) => `---\ntitle: ${title}\neditor: markdown\ndateCreated: 2024-01-01\n---\n\n`
  const { spaceId, imported } = await importSource(
    'zip',
    archiveOf({
      'home.md': `${fields('Boats')}[Sails](/en/guide/sails)\n`,
      'guide.md': `${fields('The guide')}> Wait\n{.is-warning}\n`,
      'guide/sails.md': `${fields('Sails')}[Home](/home)\n`,
    }),
  )
  assert.equal(imported.status, 201, imported.text)
  assert.equal(imported.body.recognized.source, 'wiki-js')
  assert.deepEqual(imported.body.problems, [])
  assert.deepEqual(await titlesOf(spaceId), ['Boats', 'The guide', ['Sails']])
  assert.deepEqual(await brokenLinks(spaceId), [])
})

describe('the source html', () => {
  test('imports an archive with its folders as the page tree, and its links as links between pages', async () => {
    const site = {
      'site/index.html': '<title>Home</title><main><p><a href="guide/setup.html#first">Start</a></main>',
      'site/guide/index.html': '<h1>Guide</h1><p>Text',
      'site/guide/setup.html': '<h1>Set up</h1><h2 id="first">First</h2><img src="../a.png">',
      'site/a.png': 'png',
    }
    const { spaceId, imported } = await importSource('html', archiveOf(site))
    assert.equal(imported.status, 201, imported.text)
    assert.deepEqual(imported.body.problems, [])
    assert.deepEqual(await titlesOf(spaceId), ['Home', 'Guide', ['Set up']])
    assert.deepEqual(await brokenLinks(spaceId), [])
    const { body } = await ada(`GET /v1/spaces/${spaceId}/content/path/index?format=markdown`)
    assert.equal(body.markdown, '# Home\n\n[Start](guide/setup.md#first)\n')
  })

  test('imports a single page', async () => {
    const page = Buffer.from('<h1>Alone</h1><p>Text')
    const { spaceId, imported } = await importSource('html', page, 'page.htm')
    assert.equal(imported.status, 201, imported.text)
    assert.deepEqual(await titlesOf(spaceId), ['Alone'])
  })

  test('refuses what is no archive of HTML, says what to do, and refuses archives as ever', async () => {
    const markdown = await importSource('html', archiveOf({ 'a.md': '# A' }))
    assert.equal(markdown.imported.status, 400)
    assert.match(markdown.imported.body.error.message, /use the source "zip"/)
    const outside = await importSource('html', archiveOf({ '../a.html': '<p>A' }))
    assert.match(outside.imported.body.error.message, /points outside the archive/)
    const bomb = await importSource('html', archiveOf({ 'a.html': ' '.repeat(20_000_000) }))
    assert.match(bomb.imported.body.error.message, /unpacks to more than 200 times/)
    const unknown = await importSource('dropbox-paper', archiveOf({ 'a.md': '# A' }))
    assert.equal(unknown.imported.status, 400)
    assert.match(unknown.imported.text, /body\.source/)
  })
})
