/** Projects whose files have their language in their names: `install.de.md` beside `install.md`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filesInLanguage, pagesByLanguage } from '../../../src/core/sources/projects/named-languages.ts'
import { assertLinear } from '../cost/growth.ts'
import { bytesIn, convertedTree, redirectsIn, treesIn } from './sources.ts'

const textIn = (files: ReadonlyMap<string, Uint8Array>, path: string) =>
  Buffer.from(files.get(path) ?? []).toString()

describe('MkDocs with the plug-in i18n', () => {
  const project = {
    'mkdocs.yml':
      'site_name: Acme\nplugins:\n  - search\n  - i18n:\n      docs_structure: suffix\n      languages:\n' +
      '        - {locale: en, default: true, name: English}\n' +
      '        - {locale: fr, name: Français, site_name: Acmé, nav_translations: {Guides: Manuels}}\n' +
      '        - {locale: zh-TW, name: 正體中文}\n        - {locale: de, name: Deutsch, build: false}\n' +
      'nav:\n  - Home: index.md\n  - Guides:\n      - guides/setup.md\n      - guides/only.md\n',
    'docs/index.md': '# Home\n',
    'docs/index.fr.md': '# Accueil\n\n[Installer](guides/setup.md) ![Plan](img/map.png)\n',
    'docs/index.de.md': '# Start\n',
    'docs/guides/setup.en.md': '# Set up\n',
    'docs/guides/setup.fr.md': '# Installer\n\n[Accueil](../index.fr.md)\n',
    'docs/guides/setup.zh-TW.md': '# 安裝\n',
    'docs/guides/only.md': '# Only\n\n![Map](../img/map.png)\n',
    'docs/img/map.png': 'map',
    'docs/img/map.fr.png': 'carte',
    'docs/app.min.js': 'x',
  }

  test('has a documentation for each language that is built and has pages', () => {
    assert.deepEqual(treesIn('mkdocs', project), [
      'docs: en at / front main',
      'docs/fr: fr at /fr',
      'docs/zh-TW: zh-TW at /zh-TW',
    ])
    const own = { ...project, 'mkdocs.yml': 'site_name: Acme\n' }
    assert.deepEqual(treesIn('mkdocs', own), [])
  })

  test('the default language has no pages of the others', async () => {
    const { pages, entries, files } = await convertedTree('mkdocs', project)
    assert.deepEqual(pages, ['docs/guides/only.md', 'docs/guides/setup.md', 'docs/index.md'])
    assert.deepEqual(entries, [
      '* [Home](<index.md>)',
      '* Guides',
      '  * [Set up](<guides/setup.md>)',
      '  * [Only](<guides/only.md>)',
    ])
    assert.equal(files['docs/img/map.png'], 'map')
    assert.ok('docs/app.min.js' in files)
  })

  test('a translation has its pages and pictures, and those of the default language behind them', async () => {
    const { pages, entries, files, title } = await convertedTree('mkdocs', project, 'docs/fr')
    assert.deepEqual(pages, ['docs/guides/only.md', 'docs/guides/setup.md', 'docs/index.md'])
    assert.deepEqual(entries, [
      '* [Home](<index.md>)',
      '* Manuels',
      '  * [Installer](<guides/setup.md>)',
      '  * [Only](<guides/only.md>)',
    ])
    assert.equal(files['docs/img/map.png'], 'carte')
    assert.match(files['docs/index.md']!, /^# Accueil\n\n\[Installer\]\(guides\/setup\.md\)/)
    assert.match(files['docs/guides/setup.md']!, /\[Accueil\]\(\.\.\/index\.md\)/)
    assert.equal(title, 'Acmé')
  })

  test('shows no page of the default language if the settings say so', async () => {
    const settings = project['mkdocs.yml'].replace('suffix\n', 'suffix\n      fallback_to_default: false\n')
    const chinese = await convertedTree('mkdocs', { ...project, 'mkdocs.yml': settings }, 'docs/zh-TW')
    assert.deepEqual(chinese.pages, ['docs/guides/setup.md'])
    assert.equal(chinese.files['docs/img/map.png'], 'map')
  })

  test('reads the languages of earlier versions of the plug-in', () => {
    const settings =
      'plugins:\n  - i18n:\n      default_language: fr\n      languages:\n        en: English\n        fr: {name: Français}\n'
    assert.deepEqual(
      treesIn('mkdocs', { 'mkdocs.yml': settings, 'docs/a.md': '# A', 'docs/a.en.md': '# B' }),
      ['docs/en: en at /en', 'docs: fr at / front main'],
    )
  })
})

describe('Hugo', () => {
  const project = {
    'config/_default/hugo.toml':
      'title = "Acme"\ndefaultContentLanguage = "en"\ndefaultContentLanguageInSubdir = true\ndisableLanguages = ["ja"]\n',
    'config/_default/languages.toml':
      '[en]\nweight = 1\n[pt-br]\nweight = 3\ntitle = "Acme Brasil"\n[de]\nweight = 2\n[ja]\n',
    'content/_index.md': '---\ntitle: Home\n---\n',
    'content/_index.de.md': '---\ntitle: Start\n---\n',
    'content/a.en.md': '---\ntitle: A\naliases: [/en/old/]\n---\n',
    'content/a.de.md':
      '---\ntitle: Ä\nslug: ae\naliases: [/de/alt/]\n---\n\n{{< ref "/boat" >}} ![](boat/pump.png)\n',
    'content/only.md': '---\ntitle: Only\n---\n',
    'content/a.ja.md': '---\ntitle: あ\n---\n',
    'content/boat/index.md': '---\ntitle: Boat\n---\n\n![](pump.png) ![](sail.png)\n',
    'content/boat/index.de.md': '---\ntitle: Boot\n---\n\n![](pump.png) ![](sail.png)\n',
    'content/boat/index.pt-br.md': '---\ntitle: Barco\n---\n',
    'content/boat/pump.png': 'pump',
    'content/boat/pump.de.png': 'Pumpe',
    'content/boat/sail.png': 'sail',
  }

  test('has a documentation for each language that is built and has pages, in the order of their weights', () => {
    assert.deepEqual(treesIn('hugo', project), [
      'content: en at /en front main',
      'content/de: de at /de',
      'content/pt-br: pt-br at /pt-br',
    ])
  })

  test('the default language has its own pages, and names those of a language that is not built', async () => {
    const { pages, files, source, problems } = await convertedTree('hugo', project)
    assert.deepEqual(pages, ['content/_index.md', 'content/a.md', 'content/boat/index.md', 'content/only.md'])
    assert.equal(files['content/boat/pump.png'], 'pump')
    assert.deepEqual(
      (await redirectsIn(source)).filter((line) => line.startsWith('en/')),
      [
        'en/a > content/a.md',
        'en/boat > content/boat/index.md',
        'en/old > content/a.md',
        'en/only > content/only.md',
      ],
    )
    assert.deepEqual(
      problems.map(({ path, reason }) => [path, reason]),
      [['content/a.ja.md', 'page-in-other-language']],
    )
  })

  test('a translation has only what is translated, and the files of bundles', async () => {
    const { pages, files, source } = await convertedTree('hugo', project, 'content/de')
    assert.deepEqual(pages, ['content/_index.md', 'content/a.md', 'content/boat/index.md'])
    assert.equal(files['content/boat/pump.png'], 'Pumpe')
    assert.equal(files['content/boat/sail.png'], 'sail')
    assert.match(files['content/a.md']!, /boat\/index\.md/)
    assert.deepEqual(
      (await redirectsIn(source)).filter((line) => line.startsWith('de/')),
      ['de/ae > content/a.md', 'de/alt > content/a.md', 'de/boat > content/boat/index.md'],
    )
    assert.equal((await convertedTree('hugo', project, 'content/pt-br')).title, 'Acme Brasil')
  })
})

test('the better of two files for one page is used, and names the file that it comes from', () => {
  const names = { main: 'en', all: ['en', 'de'], hasFallback: true }
  const given = bytesIn({
    'd/a.de.md': 'de',
    'd/a.md': 'bare',
    'd/a.en.md': 'en',
    'x/a.de.md': 'kept',
    'd/.de.md': '',
  })
  const german = filesInLanguage(given, 'd', { ...names, language: 'de' })
  assert.deepEqual([...german.files.keys()], ['d/a.md', 'x/a.de.md', 'd/.de.md'])
  assert.equal(textIn(german.files, 'd/a.md'), 'de')
  assert.deepEqual([...german.sources], [['d/a.md', 'd/a.de.md']])
  const english = filesInLanguage(given, 'd', { ...names, language: 'en' })
  assert.equal(textIn(english.files, 'd/a.md'), 'en')
  const bare = filesInLanguage(bytesIn({ 'a.en.md': 'en', 'a.md': 'bare' }), '', { ...names, language: 'de' })
  assert.deepEqual([textIn(bare.files, 'a.md'), [...bare.sources]], ['en', [['a.md', 'a.en.md']]])
})

test('many files and languages are read in linear time', () => {
  const family = (size: number) => Array.from({ length: Math.ceil(size / 20) }, (_, i) => String(i)).join(' ')
  assertLinear(family, (text) => {
    const languages = text.split(' ').map((one) => `l${one}`)
    const files = bytesIn(Object.fromEntries(languages.map((one) => [`${'x/'.repeat(20)}a.${one}.md`, ''])))
    pagesByLanguage(files, '', languages)
    filesInLanguage(files, '', { language: 'l0', main: 'en', all: languages, hasFallback: true })
  })
})
