/** Readers find the pages of an imported project at the addresses that its generator gave them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertDocusaurus } from '../../../src/core/sources/projects/docusaurus.ts'
import { convertHugo } from '../../../src/core/sources/projects/hugo/hugo.ts'
import { convertJekyll } from '../../../src/core/sources/projects/jekyll.ts'
import { convertMdBook } from '../../../src/core/sources/projects/mdbook.ts'
import { printRedirects } from '../../../src/core/sources/projects/addresses.ts'
import type { Problem } from '../../../src/core/repository/model.ts'
import { assertLinear } from '../cost/growth.ts'
import { bytesIn, redirectsIn } from './sources.ts'

test('Docusaurus: ids, slugs and numbers before names', async () => {
  const { files } = convertDocusaurus(
    bytesIn({
      'docusaurus.config.js': 'module.exports = { title: "X" };',
      'docs/api/Store.md': '---\nslug: /store\n---\n\n# Store\n',
      'docs/intro/CoreConcepts.md': '---\nid: core-concepts\ntitle: Core Concepts\n---\n\nText.\n',
      'docs/02-guides/01-setup.md': '# Set up',
      'docs/02-guides/index.md': '# Guides',
      'docs/02-guides/other.md': '---\nslug: ../moved/here\n---\n\n# Other',
      'docs/plain.md': '# Plain',
    }),
  )
  assert.deepEqual(await redirectsIn(files), [
    'docs/guides > docs/02-guides/index.md',
    'docs/guides/setup > docs/02-guides/01-setup.md',
    'docs/intro/core-concepts > docs/intro/CoreConcepts.md',
    'docs/moved/here > docs/02-guides/other.md',
    'docs/plain > docs/plain.md',
    'docs/store > docs/api/Store.md',
    'guides > docs/02-guides/index.md',
    'guides/setup > docs/02-guides/01-setup.md',
    'intro/core-concepts > docs/intro/CoreConcepts.md',
    'moved/here > docs/02-guides/other.md',
    'store > docs/api/Store.md',
  ])
})

/** Settings that change the addresses of a site, and redirects that must be among those of the project. */
const SETTINGS: Record<string, { convert: Convert; files: Record<string, string>; redirects: string[] }> = {
  'Docusaurus: baseUrl': {
    convert: convertDocusaurus,
    files: {
      'docusaurus.config.js': 'module.exports = { baseUrl: "/boats/" };',
      'docs/a.md': '---\nslug: /start\n---\n\n# A\n\n[B](/boats/docs/b)\n',
      'docs/b.md': '# B\n',
    },
    redirects: ['boats/docs/start > docs/a.md', 'docs/start > docs/a.md', 'start > docs/a.md'],
  },
  'mdBook: redirect and site-url': {
    convert: convertMdBook,
    files: {
      'book.toml':
        '[book]\ntitle = "B"\n[output.html]\nsite-url = "/book/"\n[output.html.redirect]\n"/old/page.html" = "../new.html"\n"/away.html" = "https://example.com/"\n',
      'src/SUMMARY.md': '* [New](new.md)\n',
      'src/new.md': '# New\n',
    },
    redirects: [
      'away.html > https://example.com/',
      'book/new.html > src/new.md',
      'book/old/page.html > src/new.md',
      'new.html > src/new.md',
      'old/page.html > src/new.md',
    ],
  },
  'Hugo: permalinks and baseURL': {
    convert: convertHugo,
    files: {
      'hugo.toml':
        'baseURL = "https://example.com/site/"\n[permalinks]\nposts = "/:year/:month/:slug/"\n[permalinks.page]\nguides = "/g/:contentbasename"\n',
      'content/_index.md': '---\ntitle: Home\n---\n',
      'content/posts/a.md': '---\ntitle: The A\ndate: 2024-05-06\n---\n',
      'content/posts/b.md': '---\ntitle: B\ndate: 2024-05-06\nslug: bee\nurl: /own/\n---\n',
      'content/guides/c/index.md': '---\ntitle: C\n---\n',
    },
    redirects: [
      '2024/05/the-a > content/posts/a.md',
      'g/c > content/guides/c/index.md',
      'own > content/posts/b.md',
      'site/2024/05/the-a > content/posts/a.md',
    ],
  },
  'Jekyll: defaults and patterns': {
    convert: convertJekyll,
    files: {
      '_config.yml':
        'permalink: pretty\ncollections:\n  docs:\n    output: true\n    permalink: /d/:path/\ndefaults:\n  - scope: { path: "guides" }\n    values: { permalink: "/g/:basename:output_ext" }\n  - scope: { path: "", type: "docs" }\n    values: { nav_order: 1 }\n',
      'a.md': '---\ntitle: A\n---\n',
      'guides/b.md': '---\ntitle: B\n---\n',
      'guides/c.md': '---\ntitle: C\npermalink: /see/\n---\n',
      '_docs/x/d.md': '---\ntitle: D\n---\n',
    },
    redirects: ['d/x/d > _docs/x/d.md', 'g/b.html > guides/b.md', 'see > guides/c.md'],
  },
}

type Convert = (files: Map<string, Uint8Array>) => { files: Map<string, Uint8Array> }

for (const [name, { convert, files, redirects }] of Object.entries(SETTINGS))
  test(`settings change the addresses of a site: ${name}`, async () => {
    const found = await redirectsIn(convert(bytesIn(files)).files)
    assert.deepEqual(
      redirects.filter((one) => !found.includes(one)),
      [],
      found.join('\n'),
    )
  })

test('Docusaurus: a link with the path of the site leads to its page', () => {
  const { files } = convertDocusaurus(bytesIn(SETTINGS['Docusaurus: baseUrl']?.files ?? {}))
  assert.match(Buffer.from(files.get('docs/a.md') ?? []).toString(), /\[B\]\(b\.md\)/)
})

describe('the redirects of a site', () => {
  const pages = new Map([['docs/now', 'now.md']])
  const target = (file: string) => (file === 'now.md' ? file : undefined)

  test('lead to the addresses of today, with the path of the site and without it', () => {
    const problems: Problem[] = []
    const redirects = new Map([
      ['/docs/old/', '/docs/now#part'],
      ['older', '/now'],
      ['/away', 'https://example.com/'],
      ['/all/*', '/now'],
      ['/gone', '/nowhere'],
    ])
    assert.equal(
      printRedirects({ pages, base: 'docs', redirects }, target, problems),
      'redirects:\n  "docs/now": "now.md"\n  "now": "now.md"\n  "docs/old": "now.md"\n  "old": "now.md"\n' +
        '  "older": "now.md"\n  "away": "https://example.com/"\n',
    )
    assert.deepEqual(
      problems.map(({ kind, address }) => [kind, address]),
      [
        ['redirect', '/now'],
        ['redirect', '/nowhere'],
      ],
    )
  })

  test('are cut where settings would be too long, which is reported', () => {
    const problems: Problem[] = []
    const redirects = new Map(
      Array.from({ length: 10_000 }, (_, at) => [`${'a'.repeat(100)}${at}`, '/docs/now']),
    )
    const text = printRedirects({ pages, base: '', redirects }, target, problems)
    assert.ok(text.length < 1_000_000)
    assert.match(problems[0]?.message ?? '', /^\d+ redirects from old addresses are not imported/)
  })

  test('are written in linear time', () => {
    assertLinear(
      (size) => '/'.repeat(size),
      (input) =>
        printRedirects(
          { pages, base: 'docs', redirects: new Map([[`${input}a${input}`, '/docs/now']]) },
          target,
          [],
        ),
    )
  })
})
