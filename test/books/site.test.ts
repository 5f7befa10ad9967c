import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { readPdf, withoutPdfTools } from './tools.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': '# Welcome\n\nSee [the other](other.md) and [a secret](secret.md).\n',
    'other.md': '# Other\n\n{% if visitor.claims.unsigned.pro %}For professionals.{% endif %}\n\nFor all.\n',
    'secret.md': '---\nif: visitor.claims.unsigned.pro\n---\n\n# Secret\n\nA secret text.\n',
  }),
  'Handbook',
)
const { siteId, address } = await publish(world, spaceId, 'Handbook')
const at = `/v1/orgs/${organizationId}/sites/${siteId}`
// The host name of a site does not resolve in a test; the server has all sites under its own host too.
const local =
  world.url + new URL(address).pathname.replace(/^\//, `/sites/${new URL(address).hostname.split('.')[0]}/`)

test('a site offers PDF files where its settings say so', { skip: withoutPdfTools }, async () => {
  assert.equal((await fetch(`${local}~/pdf`)).status, 404)
  assert.doesNotMatch(await (await fetch(local)).text(), /~\/pdf/)
  assert.equal((await ada(`PUT ${at}/customization`, { pdf: { enabled: true } })).status, 200)

  const html = await (await fetch(local)).text()
  const [, path = ''] = /href="([^"]*~\/pdf)" rel="nofollow">All pages as PDF/.exec(html) ?? []
  const answer = await fetch(new URL(path, local))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
  const { text, bookmarks, urls } = readPdf(new Uint8Array(await answer.arrayBuffer()))
  assert.deepEqual(
    bookmarks.map(({ title }) => title),
    ['Welcome', 'Other'],
  )
  assert.match(text, /For all\./)
  assert.doesNotMatch(text, /professionals|secret text/)
  assert.deepEqual(urls, [])

  const [, page = ''] = /href="([^"]*~\/pdf\?page=[^"]*)"/.exec(html) ?? []
  const one = await fetch(new URL(page.replaceAll('&amp;', '&'), local))
  const only = readPdf(new Uint8Array(await one.arrayBuffer()))
  assert.deepEqual(only.bookmarks, [{ title: 'Welcome', level: 1 }])
  assert.deepEqual(
    only.urls,
    [`${address}other`],
    'a link to a page that is not in the file leads to the site',
  )
})

test('the reader of a site cannot get a page that they do not see', async () => {
  await ada(`PUT ${at}/customization`, { pdf: { enabled: true } })
  const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  const secret = pages.find((page: { title: string }) => page.title === 'Secret')
  for (const query of [`page=${secret.id}`, `page=${secret.id}&only=true`, 'page=unknown'])
    assert.equal((await fetch(`${local}~/pdf?${query}`)).status, 404, query)
})
