import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, conforms } from '../client.ts'
import { jwt, siteForReaders } from '../sites/reading.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, nobody, organizationId } = world
const client = clientOf(world)
const site = await siteForReaders(world, 'Urls')

/** Resolves an address as somebody without a token. */
async function resolve(url: string, visitor?: object, more: object = {}) {
  return nobody('POST /v1/urls/published', { url, visitor, ...more })
}

/** The claims of a site token, which clients read without verifying them. */
const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

const asReader = (token: string) => (request: string) =>
  nobody(request, undefined, { authorization: `Bearer ${token}` })

const soon = () => Math.floor(Date.now() / 1000) + 600

test('the address of a page is resolved to its site, its place and a token', async () => {
  const { status, body, text } = await resolve(`${site.address}open?x=1#y`)
  assert.equal(status, 200, text)
  const { apiToken, siteSpace, ...place } = body
  assert.deepEqual(place, {
    organization: organizationId,
    site: site.siteId,
    space: site.spaceId,
    pathname: 'open',
    basePath: '/urls/',
    siteBasePath: '/urls/',
    canonicalUrl: `${site.address}open`,
    complete: true,
  })
  const { items } = (await ada(`GET ${site.at}/site-spaces`)).body
  assert.equal(siteSpace, items[0].id)
  const { exp, ...payload } = payloadOf(apiToken)
  assert.deepEqual(payload, {
    kind: 'site',
    organization: organizationId,
    site: site.siteId,
    siteSpace,
    space: site.spaceId,
    spaces: [site.spaceId],
  })
  const day = 24 * 3600
  assert.equal(exp, (Math.floor(Date.now() / 1000 / day) + 1) * day + 300)
})

test('the existing client resolves addresses in both ways', async () => {
  const url = `${site.address}open`
  const posted = (await client.urls.resolvePublishedContentByUrl({ url })).data
  conforms('POST', '/urls/published', 200, posted)
  const got = (await client.urls.getPublishedContentByUrl({ url })).data
  conforms('GET', '/urls/published', 200, got)
  assert.deepEqual(got, posted)
  const { data: content } = await client.urls.getContentByUrl({ url })
  conforms('GET', '/urls/content', 200, content)
  assert('space' in content && content.space.id === site.spaceId && content.page?.title === 'Open')
})

test('a token is the same text for the same reader all day, and another one for another', async () => {
  const tokenAt = async (at: string, visitor?: object) => {
    world.clock.now = new Date(at)
    const { body, text } = await resolve(site.address, visitor)
    world.clock.now = undefined
    assert(body.apiToken, text)
    return body.apiToken as string
  }
  const pro = { jwtToken: jwt(site.privateKey, { plan: 'pro' }) }
  const again = { jwtToken: jwt(site.privateKey, { plan: 'pro', nonce: 7 }) }
  const tokens = {
    first: await tokenAt('2031-03-04T00:00:00.000Z'),
    late: await tokenAt('2031-03-04T23:59:59.000Z'),
    next: await tokenAt('2031-03-05T00:00:00.000Z'),
    pro: await tokenAt('2031-03-04T08:00:00.000Z', pro),
    again: await tokenAt('2031-03-04T20:00:00.000Z', again),
    beta: await tokenAt('2031-03-04T20:00:00.000Z', { unsignedClaims: { beta: true, other: 1 } }),
  }
  assert.equal(tokens.late, tokens.first)
  assert.equal(tokens.again, tokens.pro)
  assert.equal(new Set(Object.values(tokens)).size, 4)
  assert.equal(payloadOf(tokens.first).exp, Date.parse('2031-03-05T00:05:00.000Z') / 1000)

  const read = async (at: string) => {
    world.clock.now = new Date(at)
    const { status } = await asReader(tokens.first)(`GET ${site.at}/published`)
    world.clock.now = undefined
    return status
  }
  assert.equal(await read('2031-03-05T00:04:59.000Z'), 200)
  assert.equal(await read('2031-03-05T00:05:01.000Z'), 401)
})

test('a token ends with that of the visitor', async () => {
  const exp = soon()
  const { body } = await resolve(site.address, { jwtToken: jwt(site.privateKey, { plan: 'pro', exp }) })
  assert.equal(payloadOf(body.apiToken).exp, exp)
  assert.match(body.contextId, /^[\w-]{22}$/)
})

test('every form of the address of a site is resolved', async () => {
  const base = `${world.url}${site.base}`
  const below = (await resolve(`${base}open`)).body
  assert.deepEqual([below.basePath, below.canonicalUrl], [site.base, `${site.address}open`])
  assert.equal((await resolve(site.address.slice(0, -1))).body.pathname, '')
  const { origin } = new URL(site.address)
  assert.deepEqual((await resolve(origin)).body, { target: 'content', redirect: site.address })
  for (const url of [`${origin}/nothing/`, 'http://elsewhere.example/', `${world.url}/v1/user`, world.url])
    assert.equal((await resolve(url)).status, 404, url)
  for (const url of ['', 'urls', 'ftp://docs.localhost/urls/', `http://a.example/${'a'.repeat(9000)}`])
    assert.equal((await resolve(url)).status, 400, url)
  const missing = await resolve(`${site.address}pro`)
  assert.deepEqual(
    [missing.status, missing.body.pathname],
    [200, 'pro'],
    'the page is for the client to find',
  )
})

test('a site token reads only what its site shows', async () => {
  const read = asReader((await resolve(site.address)).body.apiToken)
  const { body: published, text } = await read(`GET ${site.at}/published`)
  assert.equal(published?.site?.id, site.siteId, text)
  assert.equal((await read(`GET /v1/spaces/${site.spaceId}`)).status, 200)
  for (const path of ['/user', '/orgs', `/orgs/${organizationId}`, `/spaces/${site.spaceId}/search?query=x`])
    assert([403, 404].includes((await read(`GET /v1${path}`)).status), path)
  for (const request of [`DELETE /v1/spaces/${site.spaceId}`, `GET ${site.at}/share-links`])
    assert.equal((await read(request)).status, 403, request)
  const other = await siteForReaders(world, 'Other')
  assert.equal((await read(`GET ${other.at}/published`)).status, 404)
  assert.equal((await read(`GET /v1/spaces/${other.spaceId}`)).status, 404)
})

test('a token stops working when its reader is not admitted any more', async () => {
  const shared = await siteForReaders(world, 'Shared')
  const link = (await ada(`POST ${shared.at}/share-links`, { name: 'Partners' })).body
  await shared.set({ visibility: 'share-link' })
  const url = (await ada(`GET ${shared.at}/share-links`)).body.items[0].urls.published as string
  const tokenFor = async (visitor?: object) => {
    const { body, text } = await resolve(url, visitor)
    assert(body.apiToken, text)
    return asReader(body.apiToken)
  }
  const status = async (read: ReturnType<typeof asReader>) =>
    (await read(`GET ${shared.at}/published`)).status
  const { body } = await resolve(url)
  assert.match(body.shareKey, /^share_/)
  assert.equal(body.siteBasePath, `/shared/${body.shareKey}/`)

  const read = await tokenFor()
  assert.equal(await status(read), 200)
  await ada(`PATCH ${shared.at}/share-links/${link.id}`, { active: false })
  assert.equal(await status(read), 401, 'the link was withdrawn')
  await ada(`PATCH ${shared.at}/share-links/${link.id}`, { active: true })
  assert.equal(await status(read), 200)
  await ada(`POST ${shared.at}/unpublish`)
  assert.equal(await status(read), 401, 'the site was unpublished')
  await ada(`POST ${shared.at}/publish`)

  const pro = await tokenFor({ jwtToken: jwt(shared.privateKey, { plan: 'pro' }) })
  assert.equal(await status(pro), 200)
  await ada(`POST ${shared.at}/publishing/auth/regenerate`)
  assert.equal(await status(pro), 401, 'the key that signed the claims was replaced')
  assert.equal(await status(read), 200, 'nobody signed claims of the other reader')
  await ada(`POST ${shared.at}/share-links/${link.id}/regenerate`)
  assert.equal(await status(read), 401, 'the key was replaced')
})

test('tokens that are changed, forged or for something else are refused', async () => {
  const { apiToken } = (await resolve(site.address)).body
  const [header = '', payload = '', signature = ''] = (apiToken as string).split('.')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { ...payloadOf(apiToken), claims: { plan: 'pro', unsigned: {} } }
  const forged = [
    `${header}.${part(claims)}.${signature}`,
    `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${part({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
    jwt(site.privateKey, claims),
    jwt('', claims),
    'a.b.c',
    `${header}.${payload}.${'A'.repeat(13_000)}`,
    'x'.repeat(300),
  ]
  for (const token of forged) {
    const { status, body } = await asReader(token)(`GET ${site.at}/published`)
    assert.equal(status, 401, token.slice(0, 50))
    assert.match(body.error.message, /^Send a valid API token/)
  }
})

test('a reader sees only the revision that the site shows, and no history', async () => {
  const read = asReader((await resolve(site.address)).body.apiToken)
  const space = `/v1/spaces/${site.spaceId}`
  const { items } = (await ada(`GET ${space}/revisions`)).body
  const [current, before] = items as { id: string }[]
  const shown = await read(`GET ${space}/revisions/${current!.id}`)
  assert.equal(shown.status, 200, shown.text)
  assert.equal(shown.headers.get('cache-control'), 'private, no-cache', 'it changes with the site')
  assert.deepEqual([shown.body.parents, shown.body.reusableContents], [[], []])
  assert.equal((await read(`GET ${space}/revisions/${before!.id}`)).status, 404)
  for (const path of ['/revisions', '/change-requests', '/comments', '/links', '/permissions/users'])
    assert.equal((await read(`GET ${space}${path}`)).status, 403, path)
  const { body } = await read(`GET ${space}`)
  assert.deepEqual([body.changeRequests, body.defaultLevel, body.permissions.view], [0, null, false])
})

test('a preview shows a change request and its revision, and only a preview does', async () => {
  const space = `/v1/spaces/${site.spaceId}`
  const change = (await ada(`POST ${space}/change-requests`, { subject: 'Next' })).body
  const open = new URL((await ada(`GET ${site.at}/publishing/preview`)).body.url)
  const inChange = `${site.address}~/changes/${change.number}/open`
  assert.equal((await resolve(inChange)).status, 404)
  const { status, body, text } = await resolve(inChange + open.search)
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.changeRequest, body.pathname, body.basePath, body.preview],
    [change.id, 'open', `/urls/~/changes/${change.number}/`, true],
  )
  const read = asReader(body.apiToken)
  assert.equal((await read(`GET ${space}/change-requests/${change.number}`)).body.subject, 'Next')
  assert.equal((await read(`GET ${space}/change-requests/${change.id}/content/path/open`)).status, 200)
  assert.equal((await read(`GET ${space}/change-requests/${change.id}/content/path/pro`)).status, 404)
  const inRevision = await resolve(`${site.address}~/revisions/${change.revision}/open${open.search}`)
  assert.equal(inRevision.body.revision, change.revision)

  const anyone = asReader((await resolve(site.address)).body.apiToken)
  assert.equal((await anyone(`GET ${space}/change-requests/${change.number}`)).status, 404)
  world.clock.now = new Date(Date.now() + 3_601_000)
  assert.equal((await read(`GET ${space}`)).status, 401, 'the preview is over')
  world.clock.now = undefined
})

test('sections, variants, former paths and former names', async () => {
  const [two, three] = [await siteForReaders(world, 'Second'), await siteForReaders(world, 'Third')]
  const fields = { title: 'Structure', spaces: [site.spaceId, two.spaceId] }
  const made = (await ada(`POST /v1/orgs/${organizationId}/sites`, fields)).body
  const at = `/v1/orgs/${organizationId}/sites/${made.id}`
  const home = (await ada(`POST ${at}/publish`)).body.urls.published as string
  const section = (await ada(`POST ${at}/sections`, { spaceId: three.spaceId, title: 'Guides' })).body
  const lookUp = async (path: string) => (await resolve(home + path)).body

  const root = await lookUp('')
  assert.deepEqual([root.space, root.complete], [site.spaceId, false], 'a section or variant could follow')
  assert(root.siteSection && root.siteSection !== section.id)
  const page = await lookUp('open')
  assert.deepEqual([page.space, page.pathname, page.complete], [site.spaceId, 'open', true])
  const variant = await lookUp('second')
  assert.deepEqual([variant.space, variant.complete, variant.pathname], [two.spaceId, true, ''])
  const inSection = await lookUp('guides/open')
  assert.deepEqual(
    [inSection.space, inSection.siteSection, inSection.basePath, inSection.siteBasePath],
    [three.spaceId, section.id, '/structure/guides/', '/structure/'],
  )
  assert.equal((await lookUp('guides')).complete, true, 'the section has one space')
  assert.deepEqual(await lookUp('GUIDES/open'), { target: 'content', redirect: `${home}guides/open` })

  await ada(`PATCH ${at}/sections/${section.id}`, { path: 'manual' })
  assert.deepEqual(await lookUp('guides/open'), { target: 'content', redirect: `${home}manual/open` })
  await ada(`PATCH ${at}`, { basename: 'arranged' })
  const now = home.replace('/structure/', '/arranged/')
  assert.deepEqual(await lookUp('manual/open'), { target: 'content', redirect: `${now}manual/open` })

  // The former name of a site that is closed says nothing to a stranger.
  await ada(`PATCH ${at}`, { visibility: 'share-link' })
  await ada(`POST ${at}/share-links`, { name: 'x' })
  const keyed = (await ada(`GET ${at}/share-links`)).body.items[0].urls.published as string
  const key = keyed.slice(now.length)
  const nothing = await resolve(`${new URL(home).origin}/never/open`)
  const closed = await resolve(`${home}open`)
  assert.deepEqual([closed.status, closed.body], [404, nothing.body])
  assert.deepEqual(await lookUp(`${key}open`), { target: 'content', redirect: `${keyed}open` })
  const page404 = await nobody('GET /sites/docs/structure/open')
  const never = await nobody('GET /sites/docs/never/open')
  assert.deepEqual([page404.status, page404.text], [404, never.text])
  const followed = await nobody(`GET /sites/docs/structure/${key}open?q=1`)
  const location = `/sites/docs/arranged/${key}open?q=1`
  assert.deepEqual([followed.status, followed.headers.get('location')], [302, location])
  assert.equal(followed.headers.get('cache-control'), 'private, no-store')

  await ada(`PATCH ${at}`, { visibility: 'visitor-auth' })
  const { privateKey } = (await ada(`GET ${at}/publishing/auth`)).body
  const visitor = { jwtToken: jwt(privateKey, { exp: soon() }) }
  assert.equal((await resolve(`${home}open`)).status, 404)
  assert.deepEqual((await resolve(`${home}open`, visitor)).body, {
    target: 'content',
    redirect: `${now}open`,
  })
  const headers = { authorization: `Bearer ${visitor.jwtToken}` }
  assert.equal((await nobody('GET /sites/docs/structure/open', undefined, headers)).status, 302)
  assert.equal((await nobody('GET /sites/docs/structure/open')).status, 404)
})

test('claims that do not fit into a token are refused', async () => {
  const claims = { unsignedClaims: { beta: 'x'.repeat(5000) } }
  const { status, body } = await resolve(site.address, claims)
  assert.equal(status, 400)
  assert.equal(body.error.details[0].path, 'body.visitor.unsignedClaims')
})

test('addresses of the app, the API and sites lead to what the caller can read', async () => {
  const collection = (await ada(`POST /v1/orgs/${organizationId}/collections`, { title: 'Books' })).body
  const space = (await ada(`GET /v1/spaces/${site.spaceId}`)).body
  const change = (await ada(`POST /v1/spaces/${space.id}/change-requests`, { subject: 'Url' })).body
  const find = async (url: string, person = ada) =>
    person(`GET /v1/urls/content?url=${encodeURIComponent(url)}`)

  for (const url of [collection.urls.app, collection.urls.location])
    assert.equal((await find(url)).body.collection.id, collection.id, url)
  for (const url of [space.urls.app, space.urls.location, `${space.urls.app}/`, site.address])
    assert.deepEqual(Object.keys((await find(url)).body), ['space'], url)
  for (const url of [`${space.urls.app}/pro/below`, `${site.address}pro/below`, `${site.address}old-pro`])
    assert.match((await find(url)).body.page.title, /Below|Pro/, url)
  const inChange = (await find(`${change.urls.app}/open`)).body
  assert.deepEqual([inChange.changeRequest.id, inChange.page.title], [change.id, 'Open'])

  const stranger = await world.stranger('eve')
  for (const url of [collection.urls.app, space.urls.app, site.address, 'http://elsewhere.example/'])
    assert.equal((await find(url, stranger)).status, 404, url)
  for (const path of [`${site.address}nothing`, `${space.urls.app}/~/changes/99`, `${world.url}/v1/user`])
    assert.equal((await find(path)).status, 404, path)
  assert.equal((await find('nonsense')).status, 400)
})

test('an address with the character NUL, which PostgreSQL refuses, leads nowhere on both databases', async () => {
  const { origin } = new URL(world.url)
  const hosted = `${origin}/sites/docs/`
  for (const base of [hosted, `${hosted}urls/`, site.address]) {
    for (const path of [
      '%00',
      '%00/x',
      '%00.md',
      'open/%00',
      '~/revisions/%00/',
      '~/changes/%00/x',
      '%2500',
    ]) {
      const url = encodeURIComponent(base + path)
      for (const operation of ['published', 'content']) {
        const { status, text } = await ada(`GET /v1/urls/${operation}?url=${url}`)
        assert(status === 200 || status === 404, `${status} for ${operation} of ${base}${path}: ${text}`)
      }
    }
  }
  const paths = ['%00/x', '%00', 'a%00b/', 'urls/%00', 'urls/open%00', 'urls/%00.md', 'urls/~/files/%00']
  const queries = [
    'urls/open?jwt_token=%00',
    'urls/open?preview=%00',
    'urls/~search?q=%00',
    'urls/open?visitor.%00=1',
  ]
  for (const path of [...paths, ...queries]) {
    const { status, text } = await nobody(`GET /sites/docs/${path}`)
    assert(status < 500, `${status} for ${path}: ${text}`)
  }
  assert.equal((await nobody('GET /sites/docs/%00/x')).status, 404)
  for (const path of ['urls', 'site:%00']) {
    const { status } = await nobody(`GET /v1/spaces/%00/content/path/${path}`)
    assert(status < 500, `${status}`)
  }
})
