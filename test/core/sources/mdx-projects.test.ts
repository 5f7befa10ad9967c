/** Projects of Mintlify, Starlight and Nextra become spaces with the tree, titles and addresses that their sites have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertMintlify } from '../../../src/core/sources/projects/mintlify.ts'
import { convertNextra } from '../../../src/core/sources/projects/nextra.ts'
import { convertStarlight } from '../../../src/core/sources/projects/starlight.ts'
import { bytesIn, redirectsIn, textsOf } from './sources.ts'
import { assertLinear, repeated } from '../cost/growth.ts'

test('Mintlify: navigation, titles, snippets, variables, titles of code and redirects', async () => {
  const converted = convertMintlify(
    bytesIn({
      'docs.json': JSON.stringify({
        name: 'Acme',
        variables: { product: 'Acme' },
        navigation: {
          tabs: [
            {
              tab: 'Guides',
              groups: [
                {
                  group: 'Start',
                  pages: ['index', 'quickstart', { group: 'Deep', icon: 'bolt', pages: ['deep/one'] }],
                },
              ],
            },
            { tab: 'API', pages: ['api/get'] },
            { tab: 'Blog', href: 'https://example.com/' },
          ],
          global: { anchors: [] },
        },
        redirects: [
          { source: '/old', destination: '/quickstart' },
          { source: '/old/*', destination: '/quickstart' },
        ],
      }),
      'index.mdx':
        '---\ntitle: Introduction\nsidebarTitle: Home\n---\n\n<Card title="Start" href="/quickstart" />\n',
      'quickstart.mdx':
        '---\ntitle: Quick start\nicon: rocket\n---\nimport Part from "/snippets/part.mdx"\n\n<Part />\n\n{{product}} <img className="a" src="/images/a.png" />\n\n```js app.js {1} theme={null}\na\n```\n\n<Foo />\n',
      'deep/one.mdx': '---\ntitle: One\n---\n\n[Back](/quickstart)\n',
      'api/get.mdx': '---\ntitle: Get\n---\n',
      'snippets/part.mdx': 'Shared\n',
      'snippets/unused.mdx': 'Unused\n',
      'images/a.png': 'png',
      'README.md': '# Repository',
    }),
  )
  const texts = textsOf(converted)
  assert.equal(converted.title, 'Acme')
  assert.equal(
    texts['SUMMARY.md'],
    `# Table of contents

* Guides
  * Start
    * [Home](<index.md>)
    * [Quick start](<quickstart.md>)
    * Deep
      * [One](<deep/one.md>)
* API
  * [Get](<api/get.md>)
`,
  )
  assert.equal(
    texts['quickstart.md'],
    '---\ntitle: Quick start\nicon: rocket\n---\n\n{% include "snippets/part.md" %}\n\nAcme <img src="images/a.png" />\n\n{% code title="app.js" %}\n```js\na\n```\n{% endcode %}\n',
  )
  assert.match(texts['index.md'] ?? '', /<a href="quickstart\.md">/)
  assert.match(texts['deep/one.md'] ?? '', /\[Back\]\(\.\.\/quickstart\.md\)/)
  assert.deepEqual(
    Object.keys(texts).filter((path) => /unused|README/.test(path)),
    [],
  )
  assert.deepEqual(
    converted.problems.map(({ kind, path, line }) => [kind, path, line]),
    [
      ['block', 'quickstart.mdx', 15],
      ['redirect', '.gitbook.yaml', undefined],
    ],
  )
  assert.deepEqual(await redirectsIn(converted.files), [
    'deep/one > deep/one.md',
    'old > quickstart.md',
    'quickstart > quickstart.md',
  ])
  assert.throws(() => convertMintlify(bytesIn({ 'a.md': '# A' })), /docs\.json or mint\.json at the top/)
})

test('Mintlify: mint.json has a list of groups', () => {
  const texts = textsOf(
    convertMintlify(
      bytesIn({
        'docs/mint.json': JSON.stringify({
          navigation: [
            { group: 'A', pages: ['a'] },
            { group: 'B', pages: ['b'] },
          ],
        }),
        'docs/a.mdx': '# A',
        'docs/b.mdx': '# B',
        'docs/c.mdx': '# C',
        'x.txt': '',
      }),
    ),
  )
  assert.equal(
    texts['docs/SUMMARY.md'],
    '# Table of contents\n\n* A\n  * [A](<a.md>)\n* B\n  * [B](<b.md>)\n',
  )
})

test('Mintlify: names of pages are read in linear time', () =>
  assertLinear(repeated('/', 'a', 'b'), (name) =>
    convertMintlify(bytesIn({ 'docs.json': JSON.stringify({ navigation: [name] }), 'a.mdx': '# A' })),
  ))

const STARLIGHT_PAGES = {
  'src/content/docs/index.mdx': '---\ntitle: Welcome\n---\n\n<Aside>Hi</Aside>\n',
  'src/content/docs/guides/Second.md': '---\ntitle: Second\nsidebar:\n  order: 1\n  label: The second\n---\n',
  'src/content/docs/guides/first.mdx':
    '---\ntitle: First\n---\n\n:::note[Look]\n[x](/docs/other/) ![a](/a.png)\n:::\n',
  'src/content/docs/reference.md': '---\ntitle: Reference\nslug: other\n---\n',
  'public/a.png': 'png',
}

test('Starlight: sidebar, titles, asides, slugs and the base of addresses', async () => {
  const converted = convertStarlight(
    bytesIn({
      ...STARLIGHT_PAGES,
      'astro.config.mjs': `import { defineConfig } from 'astro/config'
        import starlight from '@astrojs/starlight'
        export default defineConfig({
          base: '/docs',
          redirects: { '/gone': '/docs/other', '/away': { status: 302, destination: 'https://example.com/' } },
          integrations: [starlight({
            title: { en: 'Acme' },
            sidebar: [
              { label: 'Guides', items: [{ autogenerate: { directory: 'guides' } }] },
              { label: 'Ref', slug: 'reference' },
              { label: 'Blog', link: 'https://example.com/' },
            ],
          })],
        })`,
    }),
  )
  const texts = textsOf(converted)
  assert.equal(converted.title, 'Acme')
  assert.equal(
    texts['src/content/docs/SUMMARY.md'],
    '# Table of contents\n\n* [Welcome](<index.md>)\n* Guides\n  * [The second](<guides/Second.md>)\n  * [First](<guides/first.md>)\n* [Ref](<reference.md>)\n',
  )
  assert.equal(
    texts['src/content/docs/index.md'],
    '---\ntitle: Welcome\n---\n\n{% hint style="info" %}\nHi\n{% endhint %}\n',
  )
  assert.equal(
    texts['src/content/docs/guides/first.md'],
    '---\ntitle: First\n---\n\n{% hint style="info" %}\n**Look**\n\n[x](../reference.md) ![a](../../../../public/a.png)\n{% endhint %}\n',
  )
  assert.deepEqual(await redirectsIn(converted.files), [
    'away > https://example.com/',
    'docs > src/content/docs/index.md',
    'docs/guides/first > src/content/docs/guides/first.md',
    'docs/guides/second > src/content/docs/guides/Second.md',
    'docs/other > src/content/docs/reference.md',
    'gone > src/content/docs/reference.md',
    'other > src/content/docs/reference.md',
  ])
})

test('Starlight: without a sidebar, the folders are the tree', () => {
  const texts = textsOf(
    convertStarlight(bytesIn({ ...STARLIGHT_PAGES, 'astro.config.ts': 'export default defineConfig({})' })),
  )
  assert.equal(
    texts['src/content/docs/SUMMARY.md'],
    '# Table of contents\n\n* [Welcome](<index.md>)\n* Guides\n  * [The second](<guides/Second.md>)\n  * [First](<guides/first.md>)\n* [Reference](<reference.md>)\n',
  )
})

test('Nextra: order, titles and hidden pages of _meta files, and pages of folders', () => {
  const texts = textsOf(
    convertNextra(
      bytesIn({
        'next.config.mjs': "import nextra from 'nextra'",
        'content/_meta.ts':
          "import type { MetaRecord } from 'nextra'\nconst meta: MetaRecord = { index: 'Home', '---': { type: 'separator' }, guide: { title: 'The guide' }, gone: { display: 'hidden' } }\nexport default meta",
        'content/guide/_meta.js': "export default { two: '', one: 'First' }",
        'content/index.mdx':
          'import { Callout } from \'nextra/components\'\n\n# Welcome\n\n<Callout type="warning">Hot ![a](/a.png)</Callout>\n',
        'content/guide.mdx': '# Guide\n\n[One](/guide/one)\n',
        'content/guide/one.mdx': '# One',
        'content/guide/two.mdx': '---\nsidebarTitle: Second\n---\n\n# Two',
        'content/last.mdx': '# Last',
        'content/gone.mdx': '# Gone',
        'public/a.png': 'png',
      }),
    ),
  )
  assert.equal(
    texts['content/SUMMARY.md'],
    `# Table of contents

* [Home](<index.md>)
* [The guide](<guide.md>)
  * [Second](<guide/two.md>)
  * [First](<guide/one.md>)
* [Last](<last.md>)
`,
  )
  assert.equal(
    texts['content/index.md'],
    '# Welcome\n\n{% hint style="warning" %}\nHot ![a](../public/a.png)\n{% endhint %}\n',
  )
  assert.equal(texts['content/guide.md'], '# Guide\n\n[One](guide/one.md)\n')
})
