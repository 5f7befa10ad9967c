/** Grants on sites: what they give, to whom, and when they end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/db/schema.ts'
import { cookiesOf, siteForReaders } from '../sites/reading.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId, db } = world
const org = `/v1/orgs/${organizationId}`
const reader = await world.person('reader', 'read')
const creator = await world.person('creator', 'create')
const guest = await world.person('guest', null)
const stranger = await world.stranger('mallory')

let sites = 0
/** A site with a space that guests cannot read. */
async function newSite(fields: object = {}) {
  const title = `Site ${(sites += 1)}`
  const { body, status, text } = await ada(`POST ${org}/sites`, { title, spaces: 'empty', ...fields })
  assert.equal(status, 201, text)
  const at = `${org}/sites/${body.id}`
  const [{ space }] = (await ada(`GET ${at}/site-spaces`)).body.items
  return { id: body.id as string, at, spaceId: space.id as string }
}

const invite = async (at: string, body: object, by = ada) => {
  const { status, text } = await by(`POST ${at}/permissions`, body)
  assert.equal(status, 204, text)
}
const newTeam = async (...members: Person[]) =>
  (await ada(`PUT ${org}/teams`, { title: 'Writers', members: members.map(({ id }) => id) })).body
    .id as string
const statusOf = async (person: Person, request: string, body?: object) =>
  (await person(request, body)).status
const listedBy = async (person: Person) =>
  (await person(`GET ${org}/sites?limit=1000`)).body.items.map(({ id }: { id: string }) => id) as string[]

test('grants to users and teams are made, listed, changed and revoked, and take effect at once', async () => {
  const { id, at } = await newSite()
  const team = await newTeam(reader)
  assert.equal(await statusOf(guest, `GET ${at}`), 404)
  await invite(at, { users: [guest.id, reader.id], role: 'read' })
  await invite(at, { teams: [team], role: 'create' })
  assert.deepEqual(
    [
      await statusOf(guest, `GET ${at}`),
      await statusOf(guest, `PATCH ${at}`, {}),
      await statusOf(reader, `PATCH ${at}`, {}),
    ],
    [200, 403, 200],
  )
  const users = (await ada(`GET ${at}/permissions/users`)).body
  assert.deepEqual(
    new Map(
      users.items.map(({ permission, user }: { permission: string; user: { id: string } }) => [
        user.id,
        permission,
      ]),
    ),
    new Map([
      [guest.id, 'read'],
      [reader.id, 'read'],
    ]),
  )
  const [granted] = (await ada(`GET ${at}/permissions/teams`)).body.items
  assert.deepEqual([granted.permission, granted.team.id], ['create', team])

  await ada(`PATCH ${at}/permissions/users/${guest.id}`, { role: 'create' })
  assert.equal((await guest(`PATCH ${at}`, { title: 'By a guest' })).body.title, 'By a guest')
  await ada(`PATCH ${at}/permissions/teams/${team}`, { role: null })
  assert.equal(await statusOf(reader, `PATCH ${at}`, {}), 403)
  for (const one of [`users/${guest.id}`, `users/${reader.id}`, `teams/${team}`]) {
    assert.equal(await statusOf(ada, `DELETE ${at}/permissions/${one}`), 205)
    assert.equal(await statusOf(ada, `DELETE ${at}/permissions/${one}`), 204)
  }
  assert.equal(await statusOf(guest, `GET ${at}`), 404)
  assert(!(await listedBy(guest)).includes(id))

  const { items } = (await ada(`GET ${org}/audit-events?limit=7`)).body
  const actions = items.map(({ action }: { action: string }) => action)
  for (const what of ['user.remove', 'team.remove', 'team.update', 'user.update'])
    assert(actions.includes(`site.permission.${what}`), what)
})

test('each role reads the settings of a site, and only "create" and "admin" change them', async () => {
  const writes = (at: string): [string, object?][] => [
    [`PATCH ${at}`, { title: 'Renamed' }],
    [`PUT ${at}/customization`, {}],
    [`POST ${at}/share-links`, { name: 'Link' }],
    [
      `POST ${at}/redirects`,
      { source: '/old', destination: { kind: 'external', url: 'https://example.com/' } },
    ],
    [`POST ${at}/section-groups`, { title: 'Group' }],
    [
      `PUT ${at}/adaptive-schema`,
      { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } },
    ],
    [`GET ${at}/publishing/auth`],
    [`GET ${at}/publishing/preview`],
    [`GET ${at}/permissions/aggregate`],
    [`POST ${at}/publish`],
    [`POST ${at}/unpublish`],
  ]
  const reads = (at: string) =>
    ['', '/structure', '/customization', '/share-links', '/redirects', '/adaptive-schema?orEmpty=true'].map(
      (path) => `GET ${at}${path}`,
    )
  for (const role of ['read', 'comment', 'edit', 'review', 'create', 'admin'] satisfies Role[]) {
    const { at } = await newSite()
    await invite(at, { users: [guest.id], role })
    const manages = role === 'create' || role === 'admin'
    for (const request of reads(at)) assert.equal(await statusOf(guest, request), 200, `${role}: ${request}`)
    for (const [request, body] of writes(at)) {
      const { status, text } = await guest(request, body)
      assert(manages ? status < 300 : status === 403, `${role}: ${request} ${status} ${text}`)
      if (!manages) assert.match(text, /\\"create\\" on this site/)
    }
    assert.equal(await statusOf(guest, `DELETE ${at}`), manages ? 205 : 403)
  }
})

test('a grant on a site gives nothing on its spaces, and no space of the organization', async () => {
  const { at, spaceId } = await newSite({ visibility: 'share-link' })
  await invite(at, { users: [guest.id], role: 'create' })
  assert.equal((await guest(`GET ${at}`)).body.siteSpaces, 0)
  assert.deepEqual((await guest(`GET ${at}/site-spaces`)).body.items, [])
  assert.equal(await statusOf(guest, `GET /v1/spaces/${spaceId}`), 404)
  assert.equal(await statusOf(guest, `GET /v1/spaces/${spaceId}/content`), 404)
  assert.deepEqual((await guest(`GET ${org}/spaces`)).body.items, [])
  assert.deepEqual((await guest(`POST ${at}/search`, { query: 'words' })).body.items, [])

  const other = (await ada(`POST ${org}/spaces`, { title: 'Other' })).body.id
  assert.equal(await statusOf(guest, `POST ${at}/site-spaces`, { spaceId: other }), 400)
  await ada(`POST /v1/spaces/${other}/permissions`, { users: [guest.id], role: 'read' })
  assert.equal(await statusOf(guest, `POST ${at}/site-spaces`, { spaceId: other }), 403)
  await ada(`POST /v1/spaces/${other}/permissions`, { users: [guest.id], role: 'create' })
  const added = await guest(`POST ${at}/site-spaces`, { spaceId: other })
  assert.equal(added.status, 201, added.text)
  // The copy would be a new space at the top level of the organization.
  assert.equal(await statusOf(guest, `POST ${at}/site-spaces/${added.body.id}/duplicate`), 403)
  assert.equal((await guest(`GET ${at}`)).body.siteSpaces, 1)
  assert.equal(await statusOf(guest, `POST ${org}/sites`, { title: 'Mine' }), 403)
})

test('a member who is shut out finds neither the site nor its host name, and no key', async () => {
  const { id, at } = await newSite({ visibility: 'share-link', spaces: 'sample' })
  await ada(`POST ${at}/publish`)
  await ada(`POST ${at}/share-links`, { name: 'Partners' })
  await ada(`PATCH ${at}`, { hostname: 'docs.shut-out.example' })
  const host = '/v1/custom-hostnames/docs.shut-out.example'
  assert.match((await creator(`GET ${at}`)).body.urls.published, /share_/)
  assert.equal(await statusOf(creator, `GET ${host}`), 200)

  await invite(at, { users: [creator.id], role: 'read' })
  const shown = (await creator(`GET ${org}/sites?limit=1000`)).body.items.find(
    (one: { id: string }) => one.id === id,
  )
  assert.equal(shown.urls.published, undefined)
  assert.equal(shown.permissions.admin, false)
  assert.equal(await statusOf(creator, `DELETE ${host}`), 403)

  await invite(at, { users: [creator.id], role: null })
  assert(!(await listedBy(creator)).includes(id))
  for (const path of [
    '',
    '/published',
    '/structure',
    '/share-links',
    '/publishing/auth',
    '/permissions/users',
  ])
    assert.equal(await statusOf(creator, `GET ${at}${path}`), 404, path)
  assert.equal(await statusOf(creator, `GET ${host}`), 404)
  assert.equal(await statusOf(creator, `DELETE ${at}`), 204)
  assert.equal(await statusOf(ada, `GET ${at}`), 200)
  const { items } = (await ada(`GET ${at}/share-links`)).body
  const key = /share_\w+/.exec(items[0].urls.published)![0]
  const asReader = await creator(`GET ${at}/published?shareKey=${key}`)
  assert.equal(asReader.status, 200, 'with the key, they are a reader as everybody else')
  assert.deepEqual(
    [asReader.body.site.permissions.access, asReader.body.site.permissions.edit],
    [false, false],
  )
})

test('a revoked grant ends previews that its user made', async () => {
  const site = await siteForReaders(world, 'Previewed')
  await ada(`POST /v1/spaces/${site.spaceId}/permissions`, { users: [guest.id], role: 'read' })
  await invite(site.at, { users: [guest.id], role: 'create' })
  const { url } = (await guest(`GET ${site.at}/publishing/preview`)).body
  const cookie = cookiesOf(await site.get(new URL(url).search))
  await ada(`POST ${site.at}/unpublish`)
  assert.equal((await site.get('open', { cookie })).status, 200)
  await ada(`PATCH ${site.at}/permissions/users/${guest.id}`, { role: 'review' })
  assert.equal((await site.get('open', { cookie })).status, 404)
  await ada(`PATCH ${site.at}/permissions/users/${guest.id}`, { role: 'create' })
  assert.equal((await site.get('open', { cookie })).status, 200)
  await ada(`DELETE ${site.at}/permissions/users/${guest.id}`)
  assert.equal((await site.get('open', { cookie })).status, 404)
})

test('the default level applies to members without a grant, and its author keeps their role', async () => {
  const { at } = await newSite()
  assert.equal((await ada(`GET ${at}`)).body.defaultLevel, 'inherit')
  assert.equal((await creator(`PATCH ${at}`, { defaultLevel: 'admin' })).status, 403)
  const closed = (await creator(`PATCH ${at}`, { defaultLevel: null })).body
  assert.deepEqual([closed.defaultLevel, closed.permissions.admin], [null, true])
  assert.equal(await statusOf(reader, `GET ${at}`), 404)
  const [kept] = (await creator(`GET ${at}/permissions/users`)).body.items
  assert.deepEqual([kept.user.id, kept.permission], [creator.id, 'create'])
  const open = (await creator(`PATCH ${at}`, { defaultLevel: 'create', title: 'Open' })).body
  assert.deepEqual([open.defaultLevel, open.title], ['create', 'Open'])
  assert.equal(await statusOf(reader, `PATCH ${at}`, {}), 200)
  assert.equal(await statusOf(guest, `GET ${at}`), 404)
  assert.equal(await statusOf(ada, `PATCH ${at}`, { defaultLevel: 'owner' }), 400)
})

test('ids of other organizations and bodies without grantees are refused', async () => {
  const { at } = await newSite()
  const { id: theirs } = (
    await stranger(`POST /v1/orgs/${stranger.organizationId}/sites`, { title: 'Theirs' })
  ).body
  assert.equal(await statusOf(stranger, `GET ${at}/permissions/users`), 404)
  assert.equal(await statusOf(ada, `GET ${org}/sites/${theirs}/permissions/users`), 404)
  assert.equal(await statusOf(ada, `POST ${at}/permissions`, { users: [stranger.id], role: 'read' }), 400)
  assert.equal(await statusOf(ada, `POST ${at}/permissions`, { role: 'read' }), 400)
  assert.equal(await statusOf(ada, `POST ${at}/permissions`, { users: [guest.id], role: 'owner' }), 400)
  assert.equal(await statusOf(ada, `PATCH ${at}/permissions/users/${stranger.id}`, { role: 'read' }), 404)
  assert.deepEqual((await ada(`GET ${at}/permissions/users`)).body.items, [])
})

test('the list of all who have access names the origin of each role, and is filtered and sorted', async () => {
  const { id, at } = await newSite()
  const outside = await world.person('Zoe Team', null)
  const direct = await world.person('Anna Direct', null)
  const team = await newTeam(outside, direct)
  await invite(at, { teams: [team], role: 'edit' })
  await invite(at, { users: [direct.id], role: 'comment' })
  await ada(`PATCH ${at}`, { defaultLevel: 'review' })
  type Item = {
    permission: string
    user: { id: string; displayName: string; email?: string }
    origin: object
  }
  const list = async (query = '', by: Person = ada) =>
    (await by(`GET ${at}/permissions/aggregate?limit=1000&${query}`)).body.items as Item[]

  const byId = new Map((await list()).map((item) => [item.user.id, item]))
  const shown = (person: Person) => [byId.get(person.id)?.permission, byId.get(person.id)?.origin]
  assert.deepEqual(shown(ada), ['admin', { type: 'organization', organization: organizationId }])
  assert.deepEqual(shown(reader), ['review', { type: 'site', site: id, reason: 'default' }])
  assert.deepEqual(shown(outside), ['edit', { type: 'site', site: id, reason: 'team', team }])
  assert.deepEqual(shown(direct), ['edit', { type: 'site', site: id, reason: 'team', team }])
  await ada(`PATCH ${at}/permissions/users/${direct.id}`, { role: 'edit' })
  assert.deepEqual(
    (await list('search=anna%20DIR')).map(({ origin }) => origin),
    [{ type: 'site', site: id, reason: 'member' }],
  )

  const names = async (query: string) => (await list(query)).map(({ user }) => user.displayName)
  assert.deepEqual(await names(`team=${team}&sort=name&order=asc`), ['Anna Direct', 'Zoe Team'])
  assert.deepEqual(await names(`team=${team}&sort=name`), ['Zoe Team', 'Anna Direct'])
  assert.deepEqual(await names(`team=${team}`), ['Anna Direct', 'Zoe Team'], 'newest first')
  assert.deepEqual(await names('role=guest&sort=name&order=asc'), ['Anna Direct', 'Zoe Team'])
  assert.deepEqual((await names('role=review')).toSorted(), ['creator', 'reader'])
  await outside(`POST ${org}/ping`)
  assert.deepEqual((await names('sort=lastSeenAt'))[0], 'Zoe Team')
  const pages: string[] = []
  for (let next = ''; ;) {
    const { body } = await ada(`GET ${at}/permissions/aggregate?limit=1&sort=lastSeenAt${next}`)
    pages.push(...body.items.map((item: Item) => item.user.id))
    if (!body.next) break
    next = `&page=${body.next.page}`
  }
  assert.deepEqual([...new Set(pages)].toSorted(), [...byId.keys()].toSorted())

  // A guest sees themselves and direct grants, and finds nobody by an address.
  await invite(at, { users: [guest.id], role: 'create' })
  const seen = await list('', guest)
  assert.deepEqual(seen.map(({ user }) => user.id).toSorted(), [direct.id, guest.id].toSorted())
  assert(seen.every(({ user, origin }) => user.email === undefined && !('team' in origin)))
  assert.deepEqual(await list(`search=${encodeURIComponent('@example.com')}`, guest), [])
  assert.deepEqual(await list(`team=${team}`, guest), [])
})

test('a removed member comes back without more access, and grants end with their team and site', async () => {
  const { id, at } = await newSite()
  const leaver = await world.person('leaver', 'create')
  const team = await newTeam(leaver)
  await invite(at, { users: [leaver.id], role: 'read' })
  await invite(at, { teams: [team], role: 'read' })
  await ada(`DELETE ${org}/members/${leaver.id}`)
  const rows = () =>
    db.read
      .selectFrom('grant')
      .select(['granteeId', 'role'])
      .where('targetId', '=', id)
      .orderBy('role')
      .execute()
  assert.deepEqual(
    new Map((await rows()).map(({ granteeId, role }) => [granteeId, role])),
    new Map([
      [leaver.id, null],
      [team, 'read'],
    ]),
  )
  await ada(`DELETE ${org}/teams/${team}`)
  assert.deepEqual(
    (await rows()).map(({ granteeId, role }) => [granteeId, role]),
    [[leaver.id, null]],
  )
  await ada(`DELETE ${at}`)
  assert.deepEqual(await rows(), [])
})

test('a team with a grant on a site takes nobody in whom it would reduce or free, unless an administrator says so', async () => {
  const { at } = await newSite()
  const owner = await world.person('owner', 'read')
  const other = await world.person('other', 'create')
  const team = await newTeam(owner)
  await ada(`PUT ${org}/teams/${team}/members`, { memberships: { [owner.id]: { role: 'owner' } } })
  await invite(at, { teams: [team], role: 'read' })
  const add = (by: Person) => by(`PUT ${org}/teams/${team}/members`, { add: [other.id] })
  assert.equal((await add(owner)).status, 403)
  await invite(at, { users: [other.id], role: null })
  await ada(`PATCH ${at}/permissions/teams/${team}`, { role: 'create' })
  assert.equal((await add(owner)).status, 403)
  assert.equal((await add(ada)).status, 204)
})
