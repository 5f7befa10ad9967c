/** Every page and file of a site is served at its URL, and other URLs serve nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_SITES_HOST: 'sites.example.com' })
const { ada, organizationId } = world

const DOCS = {
  'SUMMARY.md': `# Summary

* [Welcome](README.md)
* [Notes](notes.md.md)
* [Plain](plain.md)
* [Map](sitemap.xml.md)
* [Models](llms.txt.md)
* [French](french/README.md)
  * [Wine](french/wine.md)
* [Quiet](quiet.md)
`,
  'README.md': '# Welcome\n\n![logo](logo.png)\n',
  'notes.md.md': '# Notes\n\nAbout notes.md\n',
  'plain.md': '# Plain\n\nPlain\n',
  'sitemap.xml.md': '# Map\n\nOf the town\n',
  'llms.txt.md': '# Models\n\nOf the town\n',
  'french/README.md': '# French\n\nFood\n',
  'french/wine.md': '# Wine\n\nRed\n',
  'quiet.md': '---\nnoRobotsIndex: true\n---\n\n# Quiet\n\nHush\n',
  'logo.png': Buffer.from('not a picture'),
  '.gitbook.yaml':
    'redirects:\n  Old/Way: plain.md\n  away: https://example.com/über?a=b\n  bad: javascript:alert(1)\n',
}
const { spaceId } = await spaceWith(world, archiveOf(DOCS), 'Manual')
const french = await spaceWith(world, archiveOf({ 'README.md': '# Bonjour\n\nSalut\n' }), 'French')
const made = await ada(`POST /v1/orgs/${organizationId}/sites`, {
  title: 'Manual',
  spaces: [spaceId, french.spaceId],
})
const published = await ada(`POST /v1/orgs/${organizationId}/sites/${made.body.id}/publish`)
const address: string = published.body.urls.published
const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
const base = `/sites/${hostname as string}${new URL(address).pathname}`
const get = (path: string) => world.nobody(`GET ${base}${path}`)

test('every page of the site map is served at its URL', async () => {
  const { text } = await get('sitemap-pages.xml')
  const paths = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
  assert(paths.length >= 7, text)
  for (const path of paths) {
    const { status, text: page } = await get(path.slice(new URL(address).pathname.length))
    assert.equal(status, 200, path)
    assert.match(page, /<html/, path)
  }
})

test('a slug that ends in .md is a page, and its Markdown has a second .md', async () => {
  assert.match((await get('notes.md')).text, /<html/)
  assert.match((await get('notes.md.md')).text, /^# Notes/m)
  assert.match((await get('plain.md')).text, /^# Plain/m)
})

test('a page is reachable even if its path starts like the path of another space of the site', async () => {
  assert.match((await get('french/wine')).text, /Red/)
  assert.match((await get('french/')).text, /Salut/)
  assert.equal((await get('french/nothing')).status, 404)
})

test('old paths redirect to pages and URLs in any case, but never to a script', async () => {
  for (const path of ['old/way', 'OLD/Way']) {
    const { status, headers } = await get(path)
    assert.deepEqual([status, headers.get('location')], [301, `${base}plain`], path)
  }
  assert.equal((await get('old/way?q=a%20b')).headers.get('location'), `${base}plain?q=a%20b`)
  const away = await get('AWAY?x')
  assert.deepEqual([away.status, away.headers.get('location')], [301, 'https://example.com/%C3%BCber?a=b'])
  assert.equal((await get('bad')).status, 404)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/content/path/away`)).status, 404)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/content/path/OLD%2FWAY`)).body.title, 'Plain')
})

test('Markdown has the same robots headers as its page', async () => {
  assert.equal((await get('quiet.md')).headers.get('x-robots-tag'), 'noindex')
  assert.equal((await get('plain.md')).headers.get('x-robots-tag'), null)
})

test('a file is cached for a year only at its canonical URL', async () => {
  const [, source = ''] = /src="([^"]*~\/files\/[^"]*)"/.exec((await get('')).text) ?? []
  const there = await world.nobody(`GET ${source}`)
  assert.equal(there.status, 200)
  assert.match(there.headers.get('cache-control') ?? '', /immutable/)
  for (const wrong of [
    source.replace(/logo\.png$/, 'other.html'),
    source.replace(/[0-9a-f]{12}\//, 'old/'),
  ]) {
    const { status, headers } = await world.nobody(`GET ${wrong}`)
    assert.deepEqual([status, headers.get('location')], [302, source], wrong)
    assert.equal(headers.get('cache-control'), 'no-cache')
  }
})
