/** Readers find the pages of an imported project at the addresses that its generator gave them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertDocusaurus } from '../../../src/core/sources/projects/docusaurus.ts'
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
