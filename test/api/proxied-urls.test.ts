/** The resolution of addresses at the origins of proxies, which nobody proves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jwt, siteForReaders } from '../sites/reading.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, nobody, organizationId } = world
const site = await siteForReaders(world, 'Urls')

/** Resolves an address as somebody without a token. */
const resolve = (url: string, visitor?: object) => nobody('POST /v1/urls/published', { url, visitor })

const asReader = (token: string) => (request: string) =>
  nobody(request, undefined, { authorization: `Bearer ${token}` })

test('addresses at the origin of a proxy lead to its site, which no other organization can take over', async () => {
  const find = async (url: string, person = ada) =>
    person(`GET /v1/urls/content?url=${encodeURIComponent(url)}`)
  await site.set({ proxy: 'Www.Example.com/help/Manual' })
  const home = 'http://www.example.com/help/Manual'
  const { status, body, text } = await resolve(`${home}/pro/below`, {
    jwtToken: jwt(site.privateKey, { plan: 'pro' }),
  })
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.site, body.pathname, body.basePath, body.siteBasePath, body.canonicalUrl.toLowerCase()],
    [site.siteId, 'pro/below', '/help/Manual/', '/help/Manual/', `${home}/pro/below`.toLowerCase()],
  )
  const published = (await asReader(body.apiToken)(`GET ${site.at}/published`)).body.site.urls.published
  assert.equal(
    (await resolve(published)).body.site,
    site.siteId,
    'the address that the API names is resolved',
  )
  for (const url of [home, `${home}/`, `${home}/open`, `https://www.example.com/help/Manual/open`])
    assert.equal((await resolve(url)).body.site, site.siteId, url)
  const got = await nobody(`GET /v1/urls/published?url=${encodeURIComponent(`${home}/open`)}`)
  assert.equal(got.body.pathname, 'open')
  assert.equal((await find(`${home}/open`)).body.page.title, 'Open')
  const elsewhere = ['http://www.example.com/help', 'http://www.example.com/help/Manuals/open']
  elsewhere.push('http://www.example.com/help/manual/open', 'http://www.example.com:8080/help/Manual/open')
  elsewhere.push('http://example.com/help/Manual/open', `http://www.example.com${'/x'.repeat(4000)}`)
  for (const url of elsewhere) {
    assert.equal((await resolve(url)).status, 404, url)
    assert.equal((await find(url)).status, 404, url)
  }

  // Another organization names the same origin, and one below it.
  const mallory = await world.stranger('mallory')
  const theirs = `/v1/orgs/${mallory.organizationId}/sites`
  async function takeOver(proxy: string) {
    const { id } = (await mallory(`POST ${theirs}`, { title: 'Taken', spaces: 'empty' })).body
    assert.equal((await mallory(`PATCH ${theirs}/${id}`, { proxy })).status, 200)
    await mallory(`POST ${theirs}/${id}/publish`)
    return { id: id as string, at: `${theirs}/${id}` }
  }
  const askedBy = async (person: typeof ada, url: string) =>
    (await person('POST /v1/urls/published', { url })).body.site as string | undefined
  const below = await takeOver('www.example.com/help/Manual/open')
  assert.equal((await resolve(`${home}/open`)).status, 404)
  assert.equal(await askedBy(ada, `${home}/open`), site.siteId)
  assert.equal(await askedBy(mallory, `${home}/open`), below.id)
  assert.equal((await resolve(`${home}/beta`)).body.site, site.siteId)
  const same = await takeOver('www.example.com/help/Manual')
  for (const url of [home, `${home}/`, `${home}/beta`]) {
    assert.equal((await resolve(url)).status, 404, url)
    assert.equal(await askedBy(ada, url), site.siteId, url)
    assert.equal(await askedBy(mallory, url), same.id, url)
  }
  assert.equal((await find(`${home}/open`)).body.page.title, 'Open')
  assert.equal((await find(`${home}/`, mallory)).status, 200)
  assert.notEqual((await find(`${home}/`, mallory)).body.space.id, site.spaceId)

  const tokens = { authorization: `Bearer ${body.apiToken}` }
  for (const headers of [tokens, { authorization: 'Bearer lec_wrong' }])
    assert.equal((await nobody('POST /v1/urls/published', { url: home }, headers)).status, 404)

  // Not even while the site is not published.
  await ada(`POST ${site.at}/unpublish`)
  assert.equal((await resolve(home)).status, 404)
  await ada(`POST ${site.at}/publish`)
  for (const { at } of [below, same]) await mallory(`PATCH ${at}`, { proxy: null })
  assert.equal((await resolve(home)).body.site, site.siteId)

  // Of two sites of one organization, that with the longest path is meant, and then the one that is published.
  const other = (await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Other', spaces: 'empty' })).body
  const atOther = `/v1/orgs/${organizationId}/sites/${other.id}`
  await ada(`PATCH ${atOther}`, { proxy: 'www.example.com/help' })
  await ada(`POST ${atOther}/publish`)
  assert.equal((await resolve('http://www.example.com/help/')).body.site, other.id)
  assert.equal((await resolve(home)).body.site, site.siteId)
  await ada(`PATCH ${atOther}`, { proxy: 'www.example.com/help/Manual' })
  assert.equal((await resolve(home)).status, 404)
  await ada(`POST ${atOther}/unpublish`)
  assert.equal((await resolve(home)).body.site, site.siteId)
  await site.set({ proxy: null })
  assert.equal((await resolve(home)).status, 404)
})
