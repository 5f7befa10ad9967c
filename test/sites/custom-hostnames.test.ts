/** Host names of sites that their organizations prove by DNS. */
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { clientOf, judged } from '../client.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const records = new Map<string, string[]>()
const world = await createWorld({}, { resolveTxt: async (name) => records.get(name) ?? [] })
const { ada, organizationId } = world
const mallory = await world.stranger('mallory')
const sites = `/v1/orgs/${organizationId}/sites`

async function newSite(title: string) {
  const archive = archiveOf({ 'README.md': '# Home\n\n[Guide](guide.md)\n', 'guide.md': '# Guide\n' })
  const { spaceId } = await spaceWith(world, archive)
  return publish(world, spaceId, title)
}

/** A request to the server under another host name. */
async function at(host: string, path: string) {
  const { port } = new URL(world.url)
  const sent = request({ port, host: '127.0.0.1', path, headers: { host } }).end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject)
  })
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

const prove = async (hostname: string, person = ada) => {
  const { name, value } = (await person(`GET /v1/custom-hostnames/${hostname}`)).body.verification
  records.set(name, ['other', value])
}

test('a host name serves its site from the time when the DNS proves it', async () => {
  const { siteId, address } = await newSite('Proved')
  const host = 'docs.example.com'
  const path = `${sites}/${siteId}`
  const claimed = await ada(`PATCH ${path}`, { hostname: host })
  assert.deepEqual(
    [claimed.status, claimed.body.hostname, claimed.body.urls.published],
    [200, undefined, address],
  )
  const { body: before } = await ada(`GET /v1/custom-hostnames/${host}`)
  assert.deepEqual(
    [before.isActive, before.status, before.target],
    [false, 'dns_no_cname', { type: 'site', site: siteId }],
  )
  assert.equal(before.verification.name, `_lectern-challenge.${host}`)
  assert.equal((await ada(`PATCH /v1/custom-hostnames/${host}`)).status, 204)
  assert.equal((await ada(`GET /v1/custom-hostnames/${host}`)).body.isActive, false)
  assert.notEqual((await at(host, '/guide')).status, 200)

  await prove(host)
  assert.equal((await ada(`PATCH /v1/custom-hostnames/${host}`)).status, 204)
  const site = (await ada(`GET ${path}`)).body
  assert.deepEqual([site.hostname, site.urls.published], [host, `http://${host}/`])
  const home = await at(`${host}:3000`, '/')
  assert.equal(home.status, 200)
  assert.match(home.text, /href="\/guide"/)
  assert.match(home.text, new RegExp(`rel="canonical" href="http://${host}/"`))
  assert.match((await at(host, '/guide.md')).text, /^# Guide/)
  assert.match((await at(host, '/sitemap-pages.xml')).text, new RegExp(`<loc>http://${host}/guide</loc>`))
  assert.match((await at(host, '/robots.txt')).text, new RegExp(`Sitemap: http://${host}/sitemap.xml`))
  assert.equal((await at(host, '/v1/user')).status, 404, 'the API is not at the host of a site')
  const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
  assert.equal((await world.nobody(`GET /sites/${hostname}/${site.basename}/guide`)).status, 200)

  const resolve = async () => world.nobody('POST /v1/urls/published', { url: `http://${host}/guide` })
  const { body: resolved } = await resolve()
  assert.deepEqual(
    [resolved.site, resolved.pathname, resolved.siteBasePath, resolved.canonicalUrl],
    [siteId, 'guide', '/', `http://${host}/guide`],
  )
  const content = `GET /v1/urls/content?url=${encodeURIComponent(`http://${host}/guide`)}`
  assert.equal((await ada(content)).body.page.title, 'Guide')
  assert.equal((await mallory(content)).status, 404)

  records.clear()
  await ada(`PATCH /v1/custom-hostnames/${host}`)
  assert.equal((await resolve()).status, 404)
  assert.equal((await ada(`GET ${path}`)).body.hostname, undefined)
  assert.notEqual((await at(host, '/guide')).status, 200)
})

test('nobody keeps a host name from its owner, and nobody takes one that is proved', async () => {
  const host = 'manual.example.net'
  const { body: theirs } = await mallory(`POST /v1/orgs/${mallory.organizationId}/sites`, { title: 'Theirs' })
  const claim = `PATCH /v1/orgs/${mallory.organizationId}/sites/${theirs.id}`
  assert.equal((await mallory(claim, { hostname: host })).status, 200)
  const { value: foreign } = (await mallory(`GET /v1/custom-hostnames/${host}`)).body.verification
  assert.equal((await ada(`GET /v1/custom-hostnames/${host}`)).status, 404)

  const { siteId } = await newSite('Owner')
  assert.equal((await ada(`PATCH ${sites}/${siteId}`, { hostname: host })).status, 200)
  records.set(`_lectern-challenge.${host}`, [foreign])
  await ada(`PATCH /v1/custom-hostnames/${host}`)
  assert.equal(
    (await ada(`GET /v1/custom-hostnames/${host}`)).body.isActive,
    false,
    'another claim is no proof',
  )
  assert.equal((await mallory(`PATCH /v1/custom-hostnames/${host}`)).status, 404)
  await prove(host)
  await ada(`PATCH /v1/custom-hostnames/${host}`)
  assert.equal((await mallory(claim, { hostname: host })).status, 409)
  assert.equal((await mallory(`DELETE /v1/custom-hostnames/${host}`)).status, 204)
  assert.equal((await at(host, '/guide')).status, 200)
})

test('a site keeps its host name until the next one is proved, and gives it back', async () => {
  const { siteId } = await newSite('Moving')
  const path = `${sites}/${siteId}`
  const use = async (hostname: string) => {
    assert.equal((await ada(`PATCH ${path}`, { hostname })).status, 200)
    await prove(hostname)
    await ada(`PATCH /v1/custom-hostnames/${hostname}`)
  }
  await use('first.example.com')
  await ada(`PATCH ${path}`, { hostname: 'second.example.com' })
  assert.equal((await at('first.example.com', '/')).status, 200)
  await use('second.example.com')
  assert.equal((await at('second.example.com', '/')).status, 200)
  assert.equal((await ada('GET /v1/custom-hostnames/first.example.com')).status, 404)
  assert.equal((await ada('DELETE /v1/custom-hostnames/second.example.com')).status, 205)
  assert.equal((await ada('DELETE /v1/custom-hostnames/second.example.com')).status, 204)
  assert.equal((await ada(`GET ${path}`)).body.hostname, undefined)
  await use('third.example.com')
  assert.equal((await ada(`PATCH ${path}`, { hostname: null })).body.hostname, undefined)
  assert.equal((await ada('GET /v1/custom-hostnames/third.example.com')).status, 404)
})

test('names of the installation, addresses and parts of names are refused', async () => {
  const { siteId } = await newSite('Names')
  for (const hostname of [
    'localhost',
    'x.localhost',
    '127.0.0.1',
    'Docs.example.com',
    'a..example.com',
    '-a.example.com',
    'example.com/x',
    'example.com:80',
    '::1',
  ])
    assert.equal((await ada(`PATCH ${sites}/${siteId}`, { hostname })).status, 400, hostname)
})

test('a reader of an own host name needs what the site asks for', async () => {
  const { siteId } = await newSite('Closed')
  const host = 'closed.example.com'
  await ada(`PATCH ${sites}/${siteId}`, { hostname: host, visibility: 'share-link' })
  await prove(host)
  await ada(`PATCH /v1/custom-hostnames/${host}`)
  assert.equal((await at(host, '/guide')).status, 404)
  const link = (await ada(`POST ${sites}/${siteId}/share-links`, { name: 'Readers' })).body
  const { pathname, hostname } = new URL(link.urls.published)
  assert.equal(hostname, host)
  assert.equal((await at(host, `${pathname.replace(/\/$/, '')}/guide`)).status, 200)
})

test('an existing client reads host names and subdomains', async () => {
  const { siteId } = await newSite('Client')
  const host = 'client.example.com'
  await ada(`PATCH ${sites}/${siteId}`, { hostname: host })
  const client = clientOf(world)
  const names = judged(client, 'customHostnames')
  assert.equal((await names('getCustomHostname', host)).hostname, host)
  await names('dnsRevalidateCustomHostname', host)
  await names('removeCustomHostname', host)
  const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
  const { target } = await judged(client, 'subdomains')('getSubdomain', hostname)
  assert.deepEqual(target, { type: 'organization', organization: organizationId })
  assert.equal((await mallory(`GET /v1/subdomains/${hostname}`)).status, 404)
})
