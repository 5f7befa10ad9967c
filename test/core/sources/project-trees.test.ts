/** Each language and version of a project is a documentation, with the pages, the tree and the addresses that its tool shows. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { projectTrees } from '../../../src/core/sources/project-trees.ts'
import { assertLinear } from '../cost/growth.ts'
import { bytesIn, convertedTree, redirectsIn, treesIn } from './sources.ts'

describe('Docusaurus', () => {
  const project = {
    'docusaurus.config.ts':
      "export default { title: 'Acme', i18n: { defaultLocale: 'en', locales: ['en', 'de', 'fr', 'xx'] }," +
      " presets: [['classic', { docs: { versions: { current: { label: '3.x' } } } }]] }",
    'sidebars.js':
      "module.exports = { docs: [{ type: 'category', label: 'Guides', items: ['setup', 'intro'] }] }",
    'versions.json': '["2.0", "1.0", "0.9"]',
    'static/a.png': 'png',
    'docs/intro.md': '# Intro 3\n\n:::note\n\nNext\n\n:::\n\n![](/a.png) ![](./own.png)\n',
    'docs/setup.mdx': '# Set up 3\n',
    'docs/own.png': 'png',
    'versioned_docs/version-2.0/intro.md': '# Intro 2\n',
    'versioned_docs/version-2.0/setup.md': '# Set up 2\n',
    'versioned_docs/version-1.0/intro.md':
      '# Intro 1\n\n[Set up](/docs/1.0/start)\n\n:::note\n\nOld\n\n:::\n',
    'versioned_docs/version-1.0/setup.md': '---\nslug: start\n---\n\n# Set up 1\n',
    'versioned_sidebars/version-1.0-sidebars.json':
      '{"version-1.0/docs": ["version-1.0/intro", {"Basics": ["version-1.0/setup"]}]}',
    'i18n/de/docusaurus-plugin-content-docs/current/intro.md': '# Einführung 3\n\n[Weiter](./setup.mdx)\n',
    'i18n/de/docusaurus-plugin-content-docs/current.json':
      '{"sidebar.docs.category.Guides": {"message": "Anleitungen"}}',
    'i18n/de/docusaurus-plugin-content-docs/version-2.0/intro.md': '# Einführung 2\n',
    'i18n/fr/code.json': '{}',
  }
  const german = 'i18n/de/docusaurus-plugin-content-docs'

  test('has a documentation for each version with pages, and for each of its translations', () => {
    assert.deepEqual(treesIn('docusaurus', project), [
      'docs: en 3.x at /docs/next main',
      'versioned_docs/version-2.0: en 2.0 at /docs front',
      'versioned_docs/version-1.0: en 1.0 at /docs/1.0',
      `${german}/current: de 3.x at /de/docs/next`,
      `${german}/version-2.0: de 2.0 at /de/docs`,
    ])
  })

  test('reads the folders if the settings are not literals', () => {
    const { 'docusaurus.config.ts': _, 'versions.json': __, ...rest } = project
    assert.deepEqual(
      treesIn('docusaurus', { ...rest, 'docusaurus.config.js': 'module.exports = make()' }).map(
        (line) => line.split(':')[0],
      ),
      [
        'docs',
        'versioned_docs/version-2.0',
        'versioned_docs/version-1.0',
        `${german}/current`,
        `${german}/version-2.0`,
      ],
    )
  })

  test('converts a version with its sidebars and addresses', async () => {
    const { files, entries, pages, title, source } = await convertedTree(
      'docusaurus',
      project,
      'versioned_docs/version-1.0',
    )
    assert.equal(title, 'Acme')
    assert.deepEqual(pages, ['versioned_docs/version-1.0/intro.md', 'versioned_docs/version-1.0/setup.md'])
    assert.deepEqual(entries, ['* [Intro 1](<intro.md>)', '* Basics', '  * [Set up 1](<setup.md>)'])
    assert.match(files['versioned_docs/version-1.0/intro.md']!, /\(setup\.md\)[^]*\{% hint style="info" %\}/)
    assert.deepEqual(await redirectsIn(source), [
      'docs/1.0/intro > versioned_docs/version-1.0/intro.md',
      'docs/1.0/start > versioned_docs/version-1.0/setup.md',
      'start > versioned_docs/version-1.0/setup.md',
    ])
  })

  test('shows the pages of the default language where a translation has none, with translated labels', async () => {
    const { files, entries, pages, source } = await convertedTree('docusaurus', project, `${german}/current`)
    assert.deepEqual(pages, [`${german}/current/intro.md`, `${german}/current/setup.md`])
    assert.deepEqual(entries, [
      '* Anleitungen',
      '  * [Set up 3](<setup.md>)',
      '  * [Einführung 3](<intro.md>)',
    ])
    assert.match(files[`${german}/current/intro.md`]!, /\[Weiter\]\(setup\.md\)/)
    assert.ok(`${german}/current/own.png` in files, 'the pictures beside the pages are there too')
    assert.ok((await redirectsIn(source)).includes(`de/docs/next/setup > ${german}/current/setup.md`))
  })

  test('without a choice, is the documentation that is being written, at the addresses of the site', async () => {
    const { pages, source } = await convertedTree('docusaurus', project)
    assert.deepEqual(pages, ['docs/intro.md', 'docs/setup.md'])
    assert.ok((await redirectsIn(source)).includes('docs/intro > docs/intro.md'))
  })

  test('reads many versions and languages in linear time', () => {
    const names = (size: number) =>
      Array.from({ length: Math.ceil(size / 80) }, (_, i) => String(i)).join(' ')
    assertLinear(names, (text) => {
      const files = text
        .split(' ')
        .flatMap((name) => [
          `versioned_docs/version-${name}/a.md`,
          `i18n/l${name}/docusaurus-plugin-content-docs/version-${name}/a.md`,
        ])
      const versions = JSON.stringify(text.split(' '))
      const texts = Object.fromEntries(files.map((path) => [path, '']))
      projectTrees('docusaurus', bytesIn({ ...texts, 'docusaurus.config.js': '', 'versions.json': versions }))
    })
  })
})

test('VitePress: the top and the folder of each locale', async () => {
  const project = {
    'package.json': '{}',
    'docs/.vitepress/config.mts':
      "export default defineConfig({ title: 'Acme', locales: { root: { label: 'English', lang: 'en' }," +
      " zh: { label: '简体中文', lang: 'zh-Hans', title: '顶点' }, fa: { label: 'فارسی' }, none: {} } })",
    'docs/index.md': '# Home\n',
    'docs/guide.md': '# Guide\n\n::: tip\nYes\n:::\n',
    'docs/zh/index.md': '# 首页\n\n[指南](/zh/guide)\n\n::: tip\n好\n:::\n',
    'docs/zh/guide.md': '# 指南\n\n![](/a.png)\n',
    'docs/fa/index.md': '---\nlayout: home\n---\n',
    'docs/public/a.png': 'png',
  }
  assert.deepEqual(treesIn('vitepress', project), [
    'docs: en at / front main',
    'docs/zh: zh-Hans at /zh',
    'docs/fa: fa at /fa',
  ])
  assert.deepEqual((await convertedTree('vitepress', project)).pages, ['docs/guide.md', 'docs/index.md'])
  const chinese = await convertedTree('vitepress', project, 'docs/zh')
  assert.deepEqual([chinese.pages, chinese.title], [['docs/zh/guide.md', 'docs/zh/index.md'], '顶点'])
  assert.match(chinese.files['docs/zh/index.md']!, /\(guide\.md\)[^]*\{% hint style="success" %\}/)
  const persian = await convertedTree('vitepress', project, 'docs/fa')
  assert.match(persian.files['docs/fa/index.md']!, /^# Acme$/m, 'a front page has the title of the site')
  assert.match(chinese.files['docs/zh/guide.md']!, /\.\.\/public\/a\.png/)

  const inFolder = Object.fromEntries(
    Object.entries(project).map(([path, text]) => [path.replace(/docs\/(?=index|guide)/, 'docs/en/'), text]),
  )
  assert.equal(treesIn('vitepress', inFolder)[0], 'docs/en: en at / front main')

  const split = {
    ...project,
    'docs/.vitepress/config.mts':
      "import { zh } from './zh'\nexport default make({ locales: localesOf(zh) })",
  }
  assert.deepEqual(treesIn('vitepress', split), [
    'docs: en at / front main',
    'docs/fa: fa at /fa',
    'docs/zh: zh at /zh',
  ])
  assert.deepEqual(treesIn('vitepress', { ...split, 'docs/.vitepress/config.mts': 'export default {}' }), [])
})

test('Starlight: locales with the pages of the default one behind them', async () => {
  const root = 'src/content/docs'
  const project = {
    'astro.config.mjs':
      "export default defineConfig({ integrations: [starlight({ title: { en: 'Acme', de: 'Acme DE' }," +
      " locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } }," +
      " sidebar: [{ label: 'Guides', translations: { de: 'Anleitungen' }, items: ['guides/one', 'guides/two'] }] })] })",
    [`${root}/index.mdx`]: '---\ntitle: Home\n---\n',
    [`${root}/guides/one.md`]: '---\ntitle: One\n---\n',
    [`${root}/guides/two.md`]: '---\ntitle: Two\n---\n',
    [`${root}/de/index.mdx`]: '---\ntitle: Start\n---\n',
    [`${root}/de/guides/one.md`]: '---\ntitle: Eins\n---\n\n[Zwei](/de/guides/two/)\n',
  }
  assert.deepEqual(treesIn('starlight', project), [`${root}: en at / front main`, `${root}/de: de at /de`])
  const main = await convertedTree('starlight', project)
  assert.deepEqual(main.entries, [
    '* [Home](<index.md>)',
    '* Guides',
    '  * [One](<guides/one.md>)',
    '  * [Two](<guides/two.md>)',
  ])
  assert.deepEqual([main.pages.length, main.title], [3, 'Acme'])
  const german = await convertedTree('starlight', project, `${root}/de`)
  assert.deepEqual(german.entries, [
    '* [Start](<index.md>)',
    '* Anleitungen',
    '  * [Eins](<guides/one.md>)',
    '  * [Two](<guides/two.md>)',
  ])
  assert.equal(german.title, 'Acme DE')
  assert.match(german.files[`${root}/de/guides/one.md`]!, /\[Zwei\]\(two\.md\)/)
})

test('Mintlify: the languages and versions of the navigation', async () => {
  const pages = (...names: string[]) => ({ groups: [{ group: 'Start', pages: names }] })
  const project = {
    'docs.json': JSON.stringify({
      name: 'Acme',
      navigation: {
        languages: [
          {
            language: 'en',
            versions: [
              { version: 'v2', ...pages('index', 'new/a') },
              { version: 'v1', ...pages('v1/index', 'v1/a') },
            ],
          },
          { language: 'es', ...pages('es/index') },
        ],
      },
    }),
    'index.mdx': '---\ntitle: Home\n---\n\n[Old](/v1/a)\n',
    'new/a.mdx': '---\ntitle: A2\n---\n',
    'v1/index.mdx': '---\ntitle: Home 1\n---\n\n<Note>Old</Note> <Card title="A" href="/v1/a" />\n',
    'v1/a.mdx': '---\ntitle: A1\n---\n',
    'es/index.mdx': '---\ntitle: Inicio\n---\n',
  }
  assert.deepEqual(treesIn('mintlify', project), [
    ': en v2 at / front main',
    'v1: en v1 at /v1',
    'es: es at /es',
  ])
  assert.deepEqual((await convertedTree('mintlify', project)).pages, ['index.md', 'new/a.md'])
  const old = await convertedTree('mintlify', project, 'v1')
  assert.deepEqual(old.pages, ['v1/a.md', 'v1/index.md'])
  assert.deepEqual(await redirectsIn(old.source), ['a > v1/a.md', 'v1 > v1/index.md', 'v1/a > v1/a.md'])
  const shared = {
    languages: [
      { language: 'en', ...pages('index') },
      { language: 'es', ...pages('index') },
    ],
  }
  const same = { ...project, 'docs.json': JSON.stringify({ navigation: shared }) }
  assert.deepEqual(treesIn('mintlify', same), [], 'languages of the same pages are one documentation')
})

test('MkDocs: the languages of the plug-in i18n, if each has its folder', async () => {
  const project = {
    'mkdocs.yml':
      'site_name: Acme\nplugins:\n  - search\n  - i18n:\n      docs_structure: folder\n      languages:\n' +
      '        - {locale: en, default: true, name: English}\n        - {locale: fr, name: Français, site_name: Acmé}\n' +
      'nav:\n  - Home: index.md\n  - Two: two.md\n',
    'docs/en/index.md': '# Home\n',
    'docs/en/two.md': '# Two\n',
    'docs/fr/index.md': '# Accueil\n\n!!! note\n    Oui\n',
  }
  assert.deepEqual(treesIn('mkdocs', project), ['docs/en: en at / front main', 'docs/fr: fr at /fr'])
  assert.deepEqual((await convertedTree('mkdocs', project)).pages, ['docs/en/index.md', 'docs/en/two.md'])
  const french = await convertedTree('mkdocs', project, 'docs/fr')
  assert.deepEqual([french.pages, french.title], [['docs/fr/index.md', 'docs/fr/two.md'], 'Acmé'])
  assert.match(french.files['docs/fr/index.md']!, /\{% hint/)
})

test('Nextra: a folder for each language', async () => {
  const project = {
    'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})({ i18n: {} })",
    'content/en/index.mdx': '# Home\n',
    'content/en/_meta.js': "export default { index: 'Home' }",
    'content/de/index.mdx': '# Start\n\n<Callout>Ja</Callout>\n',
  }
  assert.deepEqual(treesIn('nextra', project), ['content/de: de at /de', 'content/en: en at /en front main'])
  assert.deepEqual((await convertedTree('nextra', project)).pages, ['content/en/index.md'])
  const german = await convertedTree('nextra', project, 'content/de')
  assert.deepEqual(german.pages, ['content/de/index.md'])
  assert.match(german.files['content/de/index.md']!, /\{% hint/)
  assert.deepEqual(treesIn('nextra', { ...project, 'content/about.mdx': '' }), [])
})

test('Hugo: the languages with folders', async () => {
  const project = {
    'hugo.toml':
      "title = 'Acme'\ndefaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/en'\n[languages.ja]\ncontentDir = 'content/ja'\n",
    'content/en/_index.md': '---\ntitle: Home\n---\n',
    'content/en/a.md': '---\ntitle: A\n---\n',
    'content/ja/_index.md': '---\ntitle: ホーム\n---\n',
    'content/ja/a.md': '---\ntitle: あ\naliases: [/ja/old/]\n---\n\n{{< ref "/a" >}}\n',
  }
  assert.deepEqual(treesIn('hugo', project), ['content/en: en at / front main', 'content/ja: ja at /ja'])
  const japanese = await convertedTree('hugo', project, 'content/ja')
  assert.deepEqual(japanese.pages, ['content/ja/_index.md', 'content/ja/a.md'])
  assert.deepEqual(
    (await redirectsIn(japanese.source)).filter((line) => line.startsWith('ja/')),
    ['ja/a > content/ja/a.md', 'ja/old > content/ja/a.md'],
  )
})

test('the trees of an archive with one outer folder have the folder in their paths', () => {
  const project = { 'x/mkdocs.yml': 'site_name: A', 'x/docs/a.md': '' }
  assert.deepEqual(treesIn('mkdocs', project), [])
  const hugo = {
    'x/hugo.toml': '[languages.en]\n[languages.de]\n',
    'x/content/en/a.md': '',
    'x/content/de/a.md': '',
  }
  assert.deepEqual(treesIn('hugo', hugo), ['x/content/en: en at / front main', 'x/content/de: de at /de'])
})
