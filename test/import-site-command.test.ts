/** `lectern import --site`: a space for each documentation tree, and one site of them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { nameInItself, treeSections, variantTitle } from '../src/commands/import/import-site.ts'
import { chooseTrees } from '../src/commands/import/import-trees.ts'
import { openOrigin } from '../src/commands/git/origin.ts'
import { createRepository } from './git-repository.ts'
import { archiveOf } from './importing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`

async function importing(...args: string[]) {
  const connection = ['--url', world.url, '--token', ada.token, '--allow-loss']
  const ended = await runHere(['import', ...args, ...connection], { LECTERN_DATA: folder.path })
  const spaces = [...ended.out.matchAll(/\/spaces\/(\w+)$/gm)].map(([, id]) => id!)
  return { ...ended, spaces }
}

function archiveAt(name: string, files: Record<string, string>): string {
  const file = join(folder.path, name)
  writeFileSync(file, archiveOf(files))
  return file
}

const PRODUCTS = {
  'README.md': '# The repository\n',
  'docs.yaml': 'title: Acme\ntrees:\n  - docs/api/en\n  - docs/api/de\n  - docs/cloud\n',
  'docs/api/en/README.md': '# Acme API\n\n![](../../../shared/a.png)\n',
  'docs/api/de/README.md': '# Acme API\n\n[kaputt](none.md)\n',
  'docs/cloud/README.md': '# Introduction\n',
  'docs/cloud/draft.mdx': 'x',
  'shared/a.png': 'x',
}

interface Variant {
  title: string
  path: string
  default: boolean
  space: { id: string; language?: string; languageTag?: string; title: string }
}

/** The sections of the only site with a space: each with its variants. */
async function siteWith(spaceId: string) {
  const { items } = (await ada(`GET ${sites}?space=${spaceId}`)).body
  assert.equal(items.length, 1)
  const [site] = items as [{ id: string; title: string; basename: string; published: boolean }]
  const { items: sections } = (await ada(`GET ${sites}/${site.id}/sections`)).body
  const { items: variants } = (await ada(`GET ${sites}/${site.id}/site-spaces`)).body
  return {
    site,
    sections: sections as { title: string; siteSpaces: Variant[] }[],
    variants: variants as Variant[],
  }
}

const shown = ({ title, path, space }: Variant) => [title, path, space.language]
const tagged = ({ path, space }: Variant) => [path, space.language, space.languageTag]

test('a monorepo becomes a space for each tree, and one site with a section for each product', async () => {
  const archive = archiveAt('products.zip', PRODUCTS)
  const report = join(folder.path, 'products.json')
  const first = await importing(archive, '--site', '--report', report)
  assert.equal(first.code, 0, first.err)
  assert.equal(first.spaces.length, 3)
  assert.match(
    first.out,
    /^docs\/api\/de\n {2}Imported 1 page\n {2}Pages .*\n {2}Space .*\n {2}Links {2}1 of/,
  )
  assert.match(first.out, /\n {2}1 link is broken\n {6}docs\/api\/de\/README\.md:3 {2}none\.md\n/)
  assert.match(first.out, /\n {2}1 MDX file is not imported\n {6}docs\/cloud\/draft\.mdx\nSite {3}http/)

  const { site, sections } = await siteWith(first.spaces[0]!)
  assert.deepEqual([site.title, site.published], ['Acme', true])
  assert.deepEqual(
    sections.map(({ title, siteSpaces }) => [title, siteSpaces.map(shown)]),
    [
      [
        'Acme API',
        [
          ['Acme API (English)', 'en', 'en'],
          ['Acme API (Deutsch)', 'de', 'de'],
        ],
      ],
      ['Cloud', [['Cloud', 'cloud', undefined]]],
    ],
  )
  const { body } = await ada(`GET /v1/spaces/${first.spaces[1]}/content/files`)
  assert.deepEqual(
    (body.items as { name: string }[]).map(({ name }) => name),
    ['a.png'],
    'files outside the tree are imported',
  )

  const again = await importing(archive, '--site')
  assert.equal(again.code, 0, again.err)
  assert.deepEqual(again.spaces, first.spaces)
  assert.deepEqual(await siteWith(first.spaces[0]!), await siteWith(first.spaces[2]!))
  assert.equal((await siteWith(first.spaces[0]!)).variants.length, 3)

  const one = await importing(archive, '--root', 'docs/api/de/')
  assert.deepEqual(one.spaces, [first.spaces[0]], '--root finds the space of the tree')
})

test('a new tree joins the site, and readers keep what they changed there', async () => {
  const two = {
    'a/SUMMARY.md': '* [A](a.md)\n',
    'a/a.md': '# A\n',
    'b/SUMMARY.md': '* [B](b.md)\n',
    'b/b.md': '# B\n',
  }
  const first = await importing(
    archiveAt('growing.zip', two),
    '--site',
    '--title',
    'Growing',
    '--language',
    'fr',
  )
  assert.equal(first.code, 0, first.err)
  const before = await siteWith(first.spaces[0]!)
  assert.equal(before.site.title, 'Growing')
  assert.deepEqual(
    before.variants.map(({ space }) => [space.title, space.language]),
    [
      ['A', 'fr'],
      ['B', 'fr'],
    ],
  )
  await ada(`PATCH ${sites}/${before.site.id}`, { title: 'Renamed' })
  await ada(`PATCH /v1/spaces/${first.spaces[0]}`, { title: 'My A' })

  const three = { ...two, 'c/SUMMARY.md': '* [C](c.md)\n', 'c/c.md': '# C\n' }
  const second = await importing(archiveAt('growing.zip', three), '--site')
  assert.deepEqual(second.spaces.slice(0, 2), first.spaces)
  const grown = await siteWith(first.spaces[0]!)
  assert.deepEqual([grown.site.id, grown.site.title], [before.site.id, 'Renamed'])
  assert.deepEqual(
    grown.sections.map(({ title, siteSpaces }) => [title, siteSpaces.map((one) => one.space.title)]),
    [
      ['A', ['My A']],
      ['B', ['B']],
      ['C', ['C']],
    ],
  )
})

test('translations of one documentation are the variants of a site without sections', async () => {
  const made = await importing(
    archiveAt('languages.zip', {
      'docs/de/README.md': '# Acme\n',
      'docs/en/README.md': '# Acme\n',
      'docs/zh-TW/README.md': '# Acme\n',
      'docs/zh-CN/README.md': '# Acme\n',
    }),
    '--site',
  )
  assert.equal(made.code, 0, made.err)
  const { site, sections, variants } = await siteWith(made.spaces[0]!)
  assert.deepEqual([site.title, sections], ['Acme', []])
  assert.deepEqual(variants.map(shown), [
    ['Acme (English)', 'en', 'en'],
    ['Acme (Deutsch)', 'de', 'de'],
    ['Acme (中文（中国）)', 'zh-cn', 'zh'],
    ['Acme (中文（台灣）)', 'zh-tw', 'zh'],
  ])
  assert.deepEqual(variants.map(tagged).slice(2), [
    ['zh-cn', 'zh', 'zh-CN'],
    ['zh-tw', 'zh', 'zh-TW'],
  ])
  assert.deepEqual(
    variants.map((one) => one.default),
    [true, false, false, false],
  )
})

test('a project becomes a variant for each language and version, at the addresses of its old site', async () => {
  const german = 'i18n/de/docusaurus-plugin-content-docs'
  const archive = archiveAt('project.zip', {
    'docusaurus.config.js':
      "module.exports = { title: 'Acme', i18n: { defaultLocale: 'en', locales: ['en', 'de', 'fa'] } }",
    'versions.json': '["2.0"]',
    'docs/intro.md': '# Intro 3\n\nThe next version of the product.\n',
    'versioned_docs/version-2.0/intro.md': '# Intro 2\n\nThe current version of the product.\n',
    [`${german}/current/intro.md`]: '# Einführung 3\n',
    [`${german}/version-2.0/intro.md`]: '# Einführung 2\n\n:::note\n\nJa\n\n:::\n',
    'i18n/fa/docusaurus-plugin-content-docs/version-2.0/intro.md':
      '# معرفی\n\nاین مستندات محصول ما است و همه چیز را توضیح می‌دهد.\n',
  })
  const alone = await importing(archive, '--no-site')
  assert.match(alone.out, /^The project has 5 languages and versions: .*--site, .*--root <folder>$/m)
  const made = await importing(archive, '--site')
  assert.equal(made.code, 0, made.err)
  const { site, sections, variants } = await siteWith(made.spaces[0]!)
  assert.deepEqual([site.title, sections], ['Acme', []])
  assert.deepEqual(variants.map(shown), [
    ['Acme (English, 2.0)', '2.0', 'en'],
    ['Acme', 'next', 'en'],
    ['Acme (Deutsch, Next)', 'de-next', 'de'],
    ['Acme (Deutsch, 2.0)', 'de-2.0', 'de'],
    ['Acme (فارسی, 2.0)', 'fa-2.0', undefined],
  ])
  assert.deepEqual(tagged(variants.at(-1)!), ['fa-2.0', undefined, 'fa'])
  assert.equal(alone.spaces[0], made.spaces[1], 'the space of the import without --site is one of them')

  const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
  const pageAt = async (path: string) => {
    let answer = await world.nobody(`GET ${path}`)
    for (let left = 5; left > 0 && answer.headers.has('location'); left -= 1)
      answer = await world.nobody(`GET ${new URL(answer.headers.get('location')!, world.url).pathname}`)
    return answer
  }
  for (const [old, title] of [
    ['docs/intro', 'Intro 2'],
    ['docs/next/intro', 'Intro 3'],
    ['de/docs/intro', 'Einführung 2'],
    ['de/docs/next/intro', 'Einführung 3'],
    ['fa/docs/intro', 'معرفی'],
  ] as const) {
    const { status, text } = await pageAt(`/sites/${hostname}/${site.basename}/${old}`)
    assert.equal(status, 200, old)
    assert.match(text, new RegExp(`<h1[^>]*>${title}</h1>`), old)
    const isPersian = old.startsWith('fa')
    assert.equal(/<html[^>]* lang="fa"[^>]* dir="rtl"/.test(text), isPersian, old)
  }
  assert.deepEqual((await importing(archive, '--site')).spaces, made.spaces)
  const one = await importing(archive, '--root', `${german}/version-2.0`, '--no-site')

  const top = archiveAt('top.zip', {
    '.vitepress/config.js': "export default { title: 'Acme', locales: { root: {}, de: {} } }",
    'a.md': '# A\n',
    'b/c.md': '# C\n',
    'de/a.md': '# Ä\n',
  })
  const whole = await importing(top, '--site')
  assert.doesNotMatch(whole.out, /not imported/, 'a tree that is imported is not reported by another one')
  const names = archiveAt('names.zip', {
    'hugo.toml': 'title = "Boote"\n[languages.en]\n[languages.de]\n',
    'content/a.md': '# A\n',
    'content/a.de.md': '---\ntitle: Ä\nslug: ae\n---\n',
  })
  const named = await importing(names, '--site')
  assert.deepEqual([whole.spaces.length, named.spaces.length], [2, 2])
  assert.doesNotMatch(named.out, /not imported/)
  const boats = (await siteWith(named.spaces[0]!)).site.basename
  assert.match((await pageAt(`/sites/${hostname}/${boats}/de/ae`)).text, /<h1[^>]*>Ä<\/h1>/)
  assert.equal(one.spaces[0], made.spaces[3])
})

test('a folder and a repository become the same, and --new makes everything again', async () => {
  const docs = join(folder.path, 'mono')
  for (const [path, text] of Object.entries(PRODUCTS)) {
    mkdirSync(dirname(join(docs, path)), { recursive: true })
    writeFileSync(join(docs, path), text)
  }
  const first = await importing(docs, '--site')
  const second = await importing(docs, '--site', '--new')
  assert.equal(second.code, 0, second.err)
  assert.equal(new Set([...first.spaces, ...second.spaces]).size, 6)

  const repository = createRepository(join(folder.path, 'mono.git'))
  repository.commit(PRODUCTS)
  const cloned = await importing(repository.url, '--site')
  assert.equal(cloned.code, 0, cloned.err)
  assert.deepEqual((await importing(repository.url, '--site')).spaces, cloned.spaces)
  const spaceAt = async (id = '') => (await ada(`GET /v1/spaces/${id}/git/info`)).body
  const info = await spaceAt(cloned.spaces[2])
  assert.deepEqual([info.name, info.branch], ['mono/docs/cloud', 'main'])
})

test('an archive at an address is downloaded, and found again by the address', async () => {
  const bytes = archiveOf(PRODUCTS)
  const host = createServer((request, response) => {
    response.statusCode = request.url === '/mono.zip' ? 200 : 404
    response.end(bytes)
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const at = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const first = await importing(`${at}/mono.zip`, '--site')
  assert.equal(first.code, 0, first.err)
  assert.equal(first.spaces.length, 3)
  assert.deepEqual((await importing(`${at}/mono.zip`, '--site')).spaces, first.spaces)
  assert.match(
    (await importing(`${at}/other.zip`, '--site')).err,
    /other\.zip returned 404 instead of the archive/,
  )
  host.close()
  await once(host, 'close')
  assert.match((await importing(`${at}/mono.zip`, '--site')).err, /mono\.zip cannot be downloaded/)
})

test('an archive with one tree is imported as without --site, with its title', async () => {
  const made = await importing(
    archiveAt('single.zip', { 'README.md': '# Single\n' }),
    '--site',
    '--title',
    'Mine',
  )
  assert.equal(made.code, 0, made.err)
  const { site, variants } = await siteWith(made.spaces[0]!)
  assert.deepEqual([site.title, variants.map(({ title }) => title)], ['Mine', ['Mine']])
})

test('without a choice, several trees are refused before anything is created', async () => {
  const count = async () => (await ada(`GET /v1/orgs/${organizationId}/spaces?limit=1`)).body.count as number
  const before = await count()
  const archive = archiveAt('products.zip', PRODUCTS)
  for (const args of [[], ['--no-site'], ['--new'], ['--quiet']]) {
    const { code, err } = await importing(archive, ...args)
    assert.equal(code, 1)
    assert.match(
      err,
      /There are 3 documentation trees: "docs\/api\/de" \(1 Markdown file\), .*--root <folder>, all as one site with --site, or all as one space with --root ''/,
    )
  }
  const space = await importing(archive, '--site', '--space', 'x')
  assert.match(space.err, /leave out --space/)
  assert.equal(await count(), before)
})

test('a tree that is refused is named, with those that were imported', async () => {
  const files = { 'a/SUMMARY.md': '* [A](a.md)\n', 'a/a.md': '# A\n', 'b2/404.md': '# Lost\n' }
  const archive = archiveAt('broken.zip', { ...files, 'b2/SUMMARY.md': 'Nothing\n' })
  const failed = await importing(archive, '--site')
  assert.equal(failed.code, 1)
  assert.match(
    failed.err,
    /^b2: The import is refused: .*no .*page.*\nAlready imported: a\. Run the command/is,
  )
  const left = (await ada(`GET /v1/orgs/${organizationId}/spaces?limit=1000`)).body.items as {
    title: string
  }[]
  assert(!left.some(({ title }) => title === 'B2'), 'the space of the refused import is deleted')
  const whole = { ...files, 'b2/SUMMARY.md': '* [B](b.md)\n', 'b2/b.md': '# B\n' }
  const mended = await importing(archiveAt('broken.zip', whole), '--site')
  assert.equal(mended.code, 0, mended.err)
  assert.equal((await siteWith(mended.spaces[0]!)).sections.length, 2)
})

test('on a terminal, the command asks which tree to import', async () => {
  const archive = archiveAt('products.zip', PRODUCTS)
  await using origin = await openOrigin(archive, {})
  const questions: string[][] = []
  const choose = (answer: string) =>
    chooseTrees(origin, {}, (lines) => {
      questions.push(lines)
      return Promise.resolve(answer)
    })
  const folders = async (answer: string) => (await choose(answer)).trees.map((tree) => tree.folder)
  assert.deepEqual(await folders('2'), ['docs/api/en'])
  assert.deepEqual(await folders(' A '), ['docs/api/de', 'docs/api/en', 'docs/cloud'])
  assert.deepEqual(questions[0], [
    'There are 3 documentation trees:',
    '   1  docs/api/de (1 Markdown file)',
    '   2  docs/api/en (1 Markdown file)',
    '   3  docs/cloud (1 Markdown file)',
  ])
  for (const answer of ['', '0', '4', 'x', '1e1']) await assert.rejects(choose(answer), /There are 3/)
})

test('trees that differ only in a language belong together, and English comes first', async () => {
  const sectionsOf = async (...folders: string[]) => {
    const files = folders.flatMap((at) => [
      [`${at}/SUMMARY.md`, '* [A](a.md)\n'],
      [`${at}/a.md`, '# A\n'],
    ])
    await using origin = await openOrigin(archiveAt('sections.zip', Object.fromEntries(files)), {})
    const { trees } = await chooseTrees(origin, { site: true })
    const placed = trees.map(({ folder: at, variant }) => ({ at, variant: variant! }))
    return treeSections(placed).map((section) => [section.documentation, section.trees.map(({ at }) => at)])
  }
  assert.deepEqual(await sectionsOf('api/de', 'api/en', 'tools', 'web/de'), [
    ['api', ['api/en', 'api/de']],
    ['tools', ['tools']],
    ['web', ['web/de']],
  ])
  assert.deepEqual(await sectionsOf('de/api', 'de/web', 'en-US/api'), [
    ['api', ['en-US/api', 'de/api']],
    ['web', ['de/web']],
  ])
})

test('the title of a variant keeps its name, however long the title is', () => {
  const name = nameInItself('pt-BR')
  const long = variantTitle('A documentation with quite a long title, for a test', { name }, 50)
  assert.equal(long, 'A documentation with quite a  (Português (Brasil))')
  assert.equal(long.length, 50)
  assert.equal(variantTitle('Acme', {}, 50), 'Acme')
  assert.equal(nameInItself('not a tag'), 'not a tag')
})
