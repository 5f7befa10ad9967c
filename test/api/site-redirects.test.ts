import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, judged } from '../client.ts'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`

/** A published site with two spaces, each with the pages Home, Guide and Guide/Setup. */
async function newSite(title: string) {
  const spaces: string[] = []
  for (const name of ['One', 'Two']) {
    const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: name })).body
    const archive = archiveOf({
      'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Setup](guide/setup.md)\n',
      'README.md': '# Home\n',
      'guide.md': '# Guide\n',
      'guide/setup.md': '# Setup\n',
    })
    assert.equal((await importArchive(world, id, archive)).status, 201)
    spaces.push(id)
  }
  const { id } = (await ada(`POST ${sites}`, { title, spaces })).body
  const { published } = (await ada(`POST ${sites}/${id}/publish`)).body.urls
  const { items } = (await ada(`GET ${sites}/${id}/site-spaces`)).body
  const [one, two] = items.map((item: { id: string }) => item.id) as [string, string]
  const pageAt = async (path: string) =>
    (await ada(`GET /v1/spaces/${spaces[0]}/content/path/${encodeURIComponent(path)}`)).body.id as string
  const toPage = async (path: string) => ({
    kind: 'site-page',
    siteSpaceId: one,
    pageId: await pageAt(path),
  })
  return { path: `${sites}/${id}`, published: published as string, id: id as string, one, two, toPage }
}

const toSpace = (siteSpaceId: string) => ({ kind: 'site-space', siteSpaceId })
const external = (url: string) => ({ kind: 'external', url })

test('a redirect is created, listed, searched, changed and deleted', async () => {
  const { path, two, toPage } = await newSite('Kept')
  const destination = await toPage('guide')
  const made = await ada(`POST ${path}/redirects`, { source: '/old', destination })
  assert.equal(made.status, 201, made.text)
  const { id, createdAt, updatedAt, ...fields } = made.body
  assert.deepEqual(fields, {
    object: 'site-redirect',
    source: '/old',
    draft: false,
    destination,
    captureWildcard: false,
    permanent: false,
  })
  assert.equal(createdAt, updatedAt)
  assert.match(made.headers.get('location') ?? '', new RegExp(`/redirects/${id}$`))
  const second = { source: '/100%25/*', destination: toSpace(two), captureWildcard: true, permanent: true }
  assert.equal((await ada(`POST ${path}/redirects`, second)).status, 201)

  const found = async (query: string) =>
    (await ada(`GET ${path}/redirects${query}`)).body.items.map(({ source }: { source: string }) => source)
  assert.deepEqual(await found(''), ['/old', '/100%25/*'])
  assert.deepEqual(await found('?search=OL'), ['/old'])
  assert.deepEqual(await found(`?search=${encodeURIComponent('0%2')}`), ['/100%25/*'])
  assert.deepEqual(await found('?limit=1'), ['/old'])

  const changed = await ada(`PATCH ${path}/redirects/${id}`, { source: '/Older', permanent: false })
  assert.deepEqual(
    [changed.status, changed.body.source, changed.body.destination, changed.body.permanent],
    [200, '/Older', destination, false],
  )
  assert.deepEqual((await ada(`PATCH ${path}/redirects/${id}`, {})).body, changed.body)
  assert.equal((await ada(`DELETE ${path}/redirects/${id}`)).status, 205)
  assert.equal((await ada(`DELETE ${path}/redirects/${id}`)).status, 204)
  assert.equal((await ada(`PATCH ${path}/redirects/${id}`, { source: '/x' })).status, 404)
  assert.deepEqual(await found(''), ['/100%25/*'])
})

test('a path is resolved to the exact redirect, or else to the longest wildcard', async () => {
  const { path, published, two, toPage } = await newSite('Resolved')
  const create = async (body: object) => {
    const answer = await ada(`POST ${path}/redirects`, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body as { id: string; source: string }
  }
  const exact = await create({ source: '/v1/start', destination: await toPage('guide/setup') })
  await create({ source: '/v1/*', destination: toSpace(two), captureWildcard: true })
  await create({
    source: '/v1/away/*',
    destination: external('https://example.com/docs/?q=1#a'),
    captureWildcard: true,
  })
  await create({ source: '/home', destination: await toPage('').then(() => toSpace(two)) })
  const target = async (source: string) => {
    const { status, body } = await ada(`GET ${path}/redirect?source=${encodeURIComponent(source)}`)
    return status === 200 ? body.target : status
  }
  assert.deepEqual((await ada(`GET ${path}/redirect?source=/V1/Start`)).body, {
    redirect: exact,
    target: `${published}guide/setup`,
  })
  assert.equal(await target('/v1/start/more'), `${published}two/start/more`)
  assert.equal(await target('/v1'), `${published}two/`)
  assert.equal(await target('/v1/away/A/%C3%A9'), 'https://example.com/docs/A/%C3%A9?q=1#a')
  assert.equal(await target('/home'), `${published}two/`)
  assert.equal(await target('/nothing'), 404)
  assert.equal(await target('no-path'), 400)
  await ada(`DELETE ${path}/site-spaces/${two}`)
  assert.equal(await target('/home'), 404, 'its space is no longer on the site')
})

test('a source and a destination that cannot work are refused', async () => {
  const { path, one, toPage } = await newSite('Refused')
  const elsewhere = await newSite('Elsewhere')
  const status = async (source: string, destination: object, more: object = {}) =>
    (await ada(`POST ${path}/redirects`, { source, destination, ...more })).status
  const away = external('https://example.com/')
  for (const source of [
    'old',
    '/',
    '/a b',
    '/a*',
    '/*/a',
    '/a//b',
    '/%zz',
    '/a?b',
    '//x',
    `/${'x'.repeat(512)}`,
  ])
    assert.equal(await status(source, away), 400, source)
  for (const url of [
    'javascript:alert(1)',
    '/relative',
    'https://',
    'https://user:pass@example.com/',
    'ftp://a.example',
  ])
    assert.equal(await status('/x', external(url)), 400, url)
  const page = await toPage('guide')
  const wrong = [
    toSpace(elsewhere.one),
    { kind: 'site-section', siteSectionId: one },
    { ...page, pageId: 'unknown' },
    { ...page, siteSpaceId: elsewhere.one },
    { kind: 'nothing' },
  ]
  for (const destination of wrong)
    assert.equal(await status('/x', destination), 400, JSON.stringify(destination))
  assert.equal(await status('/x', away, { captureWildcard: true }), 400, 'nothing is captured')
  assert.equal(await status('/x', away), 201)
  assert.equal(await status('/X', away), 409)
  assert.equal(await status('/x/*', away), 201)
})

test('a destination that the caller cannot see is unknown to them', async () => {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Secret' })).body
  await ada(`PATCH /v1/spaces/${id}`, { defaultLevel: null })
  const site = (await ada(`POST ${sites}`, { title: 'Half', spaces: [id] })).body
  const [{ id: hidden }] = (await ada(`GET ${sites}/${site.id}/site-spaces`)).body.items
  const bob = await world.person('Bob', 'create')
  const body = { source: '/x', destination: toSpace(hidden) }
  assert.equal((await bob(`POST ${sites}/${site.id}/redirects`, body)).status, 400)
  assert.equal((await ada(`POST ${sites}/${site.id}/redirects`, body)).status, 201)
})

test('redirects that lead back to themselves are refused, also through others and by their own address', async () => {
  const { path, published, one, two, toPage } = await newSite('Loops')
  const create = async (source: string, destination: object, captureWildcard = false) => {
    const answer = await ada(`POST ${path}/redirects`, { source, destination, captureWildcard })
    return answer.status === 201 ? 201 : (answer.body.error.message as string)
  }
  assert.match(String(await create('/guide', await toPage('guide'))), /leads back to the source/)
  assert.match(String(await create('/two', toSpace(two))), /leads back/)
  assert.match(String(await create('/*', toSpace(one), true)), /leads back/)
  assert.match(String(await create('/*', toSpace(two), true)), /chain of more than 10/)
  assert.equal(await create('/*', await toPage('guide')), 201, 'a page comes before wildcards')
  assert.equal(await create('/a', external(`${published}b`)), 201)
  assert.equal(await create('/b', external(`${published}c?x`)), 201)
  assert.match(String(await create('/c', external(`${published}a#y`))), /leads back.*"\/c", "\/a", "\/b"/)
  assert.equal(await create('/d', external(`${published}a`)), 201)
  const { items } = (await ada(`GET ${path}/redirects?search=/a`)).body
  const looping = { destination: external(`${published}d`) }
  assert.equal((await ada(`PATCH ${path}/redirects/${items[0].id}`, looping)).status, 400)
})

test('a loop is refused at every address that the site has or had', async () => {
  const { path, published } = await newSite('Addresses')
  const { url } = world
  const spaceId = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Manual' })).body.id
  const section = (await ada(`POST ${path}/sections`, { spaceId, title: 'Manual' })).body
  await ada(`PATCH ${path}/sections/${section.id}`, { path: 'handbook' })
  const renamed = await ada(`PATCH ${path}`, { basename: 'addresses2' })
  assert.equal(renamed.status, 200)
  const now = renamed.body.urls.published as string
  const organization = new URL(now).hostname.split('.')[0]
  const create = async (source: string, to: string, captureWildcard = false) => {
    const body = { source, destination: external(to), captureWildcard }
    return (await ada(`POST ${path}/redirects`, body)).status
  }
  assert.equal(await create('/l1', `${published}l1`), 400, 'the former base name')
  assert.equal(await create('/handbook/l2', `${now}manual/l2`), 400, 'the former path of a section')
  assert.equal(await create('/l3', `${url}/sites/${organization}/addresses2/l3`), 400, 'the path form')
  assert.equal(await create('/l3', `${url}/sites/${organization}/addresses/L3?x`), 400)
  assert.equal(await create('/l4/*', `${published}l4`, true), 400, 'a wildcard')
  assert.equal(await create('/handbook/*', `${published}manual`, true), 400)
  assert.equal(await create('/l5', now.replace('http:', 'https:') + 'l5'), 400, 'another scheme')

  await ada(`PATCH ${path}`, { proxy: 'www.example.com/docs' })
  assert.equal(await create('/l6', 'https://www.example.com/docs/l6'), 400, 'the origin of the proxy')
  assert.equal(await create('/l6', `${now}l6`), 400, 'the target of the proxy')
  assert.equal(await create('/l7', 'https://www.example.com/l7'), 201, 'outside the origin')
  assert.equal(await create('/l8', `${url}/sites/${organization}/other/l8`), 201, 'another site')
})

test('many redirects are written at once, and each has its own result', async () => {
  const { path, one, two } = await newSite('Bulk')
  const put = async (redirects: object[]) => {
    const answer = await ada(`PUT ${path}/redirects`, { redirects })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.results as { status: string; source: string; id?: string; error?: string }[]
  }
  const many = Array.from({ length: 500 }, (_, i) => ({ source: `/old/${i}`, destination: toSpace(two) }))
  const made = await put(many)
  assert(made.every(({ status, id }) => status === 'created' && id))
  const version = async () =>
    (
      await world.db.read
        .selectFrom('site')
        .select('version')
        .where('id', '=', path.split('/').at(-1)!)
        .executeTakeFirstOrThrow()
    ).version
  const before = await version()

  const results = await put([
    { source: '/old/0', destination: toSpace(one), permanent: false },
    { source: '/OLD/1', destination: null },
    { source: '/old/1', destination: null },
    { source: 'old', destination: toSpace(one) },
    { source: '/new/*', destination: toSpace('unknown'), captureWildcard: true },
    { source: '/new/*', destination: toSpace(one), captureWildcard: true, intent: 'live' },
  ])
  assert.deepEqual(
    results.map(({ status, source, id }) => [status, source, id !== undefined]),
    [
      ['updated', '/old/0', true],
      ['deleted', '/OLD/1', true],
      ['error', '/old/1', false],
      ['error', 'old', false],
      ['error', '/new/*', false],
      ['created', '/new/*', true],
    ],
  )
  assert.equal(results[0]?.id, made[0]?.id)
  assert.match(results[4]?.error ?? '', /^body\.redirects\.4\.destination\.siteSpaceId must be the id/)
  assert.equal((await ada(`GET ${path}/redirects`)).body.count, 500)
  assert.equal(await version(), before + 1)
  const wrong = { redirects: [{ source: 'old', destination: null }] }
  assert.equal((await ada(`PUT ${path}/redirects`, wrong)).status, 400, 'nothing can be stored')
  assert.equal(await version(), before + 1, 'nothing changed')
  assert.equal((await ada(`PUT ${path}/redirects`, { redirects: [...many, many[0]] })).status, 400)
})

test('of redirects that are stored at the same time, none has the source of another or closes a loop', async () => {
  const { path, published, one } = await newSite('At once')
  const statuses = async (requests: Promise<{ status: number }>[]) =>
    (await Promise.all(requests)).map(({ status }) => status).toSorted()
  const create = (source: string, destination: object) =>
    ada(`POST ${path}/redirects`, { source, destination })
  const same = Array.from({ length: 4 }, () => create('/same', toSpace(one)))
  assert.deepEqual(await statuses(same), [201, 409, 409, 409])

  const round = [create('/a', external(`${published}b`)), create('/b', external(`${published}a`))]
  assert.deepEqual(await statuses(round), [201, 400])
  const ids = await Promise.all(
    ['/c', '/d'].map(async (source) => (await create(source, toSpace(one))).body.id as string),
  )
  const toEachOther = ids.map((id, i) =>
    ada(`PATCH ${path}/redirects/${id}`, { destination: external(`${published}${i === 0 ? 'd' : 'c'}`) }),
  )
  assert.deepEqual(await statuses(toEachOther), [200, 400])
})

test('an existing client manages the redirects of a site', async () => {
  const { id, two, published, toPage } = await newSite('Client')
  const orgs = judged(clientOf(world), 'orgs')
  const made = await orgs('createSiteRedirect', organizationId, id, {
    source: '/old',
    destination: await toPage('guide'),
  })
  const changed = { destination: toSpace(two) }
  assert.deepEqual(
    (await orgs('updateSiteRedirectById', organizationId, id, made.id, changed)).destination,
    toSpace(two),
  )
  assert.equal((await orgs('listSiteRedirects', organizationId, id, { search: 'old' })).items.length, 1)
  const found = await orgs('getSiteRedirectBySource', organizationId, id, { source: '/old' })
  assert.equal(found.target, `${published}two/`)
  await orgs('deleteSiteRedirectById', organizationId, id, made.id)
  await orgs('deleteSiteRedirectById', organizationId, id, made.id)
})
