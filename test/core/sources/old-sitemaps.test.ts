import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathsOfOldSite } from '../../../src/core/sources/website/old-addresses.ts'
import { readSitemapAddresses } from '../../../src/core/sources/website/read-page.ts'

const known = new Set(['', 'guides', 'guides/install', 'été'])
const pathsOf = (...addresses: string[]) =>
  pathsOfOldSite(addresses, (path) => known.has(path)).map(({ path }) => path)

test('the base of an old website is the start of all paths with which the most of them are known', () => {
  assert.deepEqual(pathsOf('https://a.example/guides/install', 'https://a.example/guides/gone'), [
    'guides/install',
    'guides/gone',
  ])
  assert.deepEqual(
    pathsOf('https://a.example/x/y/', 'https://a.example/x/y/Guides/', 'https://a.example/x/y/%C3%A9t%C3%A9'),
    ['', 'guides', 'été'],
  )
  assert.deepEqual(pathsOf('https://a.example/p/one', 'https://a.example/p/two'), ['p/one', 'p/two'])
  assert.deepEqual(
    pathsOf('https://a.example/a?q#b', 'https://a.example/a?q#b', 'none', 'https://b.example/%zz'),
    ['a', '%zz'],
  )
  assert.deepEqual(pathsOf(), [])
})

test('a sitemap has the addresses of pages and of sitemaps, but not those of pictures', () => {
  const read = (text: string) => readSitemapAddresses(Buffer.from(text), 'sitemap.xml')
  assert.deepEqual(
    read(
      '<urlset><url><image:image><image:loc>https://a/p.png</image:loc></image:image><loc>https://a/b?c&amp;d</loc></url><url><loc><![CDATA[https://a/e]]></loc></url></urlset>',
    ),
    { pages: ['https://a/b?c&d', 'https://a/e'], sitemaps: [] },
  )
  assert.deepEqual(read('<sitemapindex><sitemap><loc> https://a/s.xml </loc></sitemap></sitemapindex>'), {
    pages: [],
    sitemaps: ['https://a/s.xml'],
  })
  assert.throws(() => read('<!DOCTYPE x><urlset/>'))
})
