import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

test('the first start creates one organization, and its administrator has every permission', async () => {
  const { body } = await ada('GET /v1/orgs')
  assert.equal(body.count, 1)
  assert.equal(body.next, undefined)
  const [organization] = body.items
  assert.equal(organization.id, organizationId)
  assert.equal(organization.permissions.admin, true)
  assert.deepEqual(organization.trial, { status: 'notapplicable', count: 0 })
})

test('creates an organization with a host name made from its title, unique on the instance', async () => {
  const first = await ada('POST /v1/orgs', {
    title: 'Ünïted Söftware',
    type: 'community',
    useCase: 'docsSite',
  })
  const second = await ada('POST /v1/orgs', { title: 'United Software' })
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('location'), first.body.urls.location)
  assert.equal(first.body.hostname, 'united-software')
  assert.equal(second.body.hostname, 'united-software-1')
  assert.equal((await ada(`GET /v1/orgs/${first.body.id}`)).body.useCase, 'docsSite')
})

test('a new organization has a site of sample pages only on request', async () => {
  const made = await ada('POST /v1/orgs?withDefaultSite=true', { title: 'With a site' })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/orgs/${made.body.id}`
  const { items } = (await ada(`GET ${path}/sites`)).body
  assert.equal(items.length, 1)
  assert.deepEqual([items[0].siteSpaces, items[0].published], [1, false])
  const [space] = (await ada(`GET ${path}/spaces`)).body.items
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content/pages`)).body
  assert.deepEqual(
    pages.map(({ path: address }: { path: string }) => address),
    ['readme', 'blocks'],
  )
  assert.equal((await ada(`POST ${path}/sites/${items[0].id}/publish`)).body.published, true)

  for (const query of ['', '?withDefaultSite=false']) {
    const plain = (await ada(`POST /v1/orgs${query}`, { title: 'Plain' })).body
    assert.equal((await ada(`GET /v1/orgs/${plain.id}/sites`)).body.count, 0)
    assert.equal((await ada(`GET /v1/orgs/${plain.id}/spaces`)).body.count, 0)
  }
})

test('`permissions.ownTeam` is true for owners of a team, whatever their role, and for administrators', async () => {
  const path = `/v1/orgs/${organizationId}`
  const member = await world.person('team-member', 'create')
  const elsewhere = (await ada('POST /v1/orgs', { title: 'Elsewhere' })).body.id as string
  const at = new Date().toISOString()
  for (const role of ['read', null] as const) {
    const owner = await world.person(`owner-${role}`, role)
    const join = { organizationId: elsewhere, userId: owner.id, role, joinedAt: at, lastSeenAt: null }
    await world.db.write((tx) =>
      tx
        .insertInto('member')
        .values({ ...join, disabled: 0, sso: 0 })
        .execute(),
    )
    const team = (await ada(`PUT ${path}/teams`, { title: 'Owned', members: [member.id] })).body.id
    await ada(`PUT ${path}/teams/${team}/members/${owner.id}`, { role: 'owner' })
    assert.equal((await owner(`GET ${path}`)).body.permissions.ownTeam, true)
    const { items } = (await owner('GET /v1/orgs')).body
    const owned = items.filter((one: { permissions: { ownTeam: boolean } }) => one.permissions.ownTeam)
    assert.deepEqual([items.length, owned.map(({ id }: { id: string }) => id)], [2, [organizationId]])
  }
  assert.equal((await member(`GET ${path}`)).body.permissions.ownTeam, false)
  assert.equal((await ada(`GET ${path}`)).body.permissions.ownTeam, true)
})

test('null clears a field, and omitted fields keep their values', async () => {
  const path = `/v1/orgs/${organizationId}`
  await ada(`PATCH ${path}`, {
    logo: 'https://example.com/logo.png',
    defaultRole: 'edit',
    emailDomains: ['Acme.COM'],
  })
  const kept = (await ada(`PATCH ${path}`, { title: 'Acme' })).body
  assert.equal(kept.urls.logo, 'https://example.com/logo.png')
  assert.equal(kept.defaultRole, 'edit')
  assert.deepEqual(kept.emailDomains, ['acme.com'])

  const cleared = (await ada(`PATCH ${path}`, { logo: null, defaultRole: null })).body
  assert.equal(cleared.urls.logo, undefined)
  assert.equal(cleared.defaultRole, null)
  assert.equal(cleared.title, 'Acme')
})

test('refuses a host name of another organization, and changes nothing', async () => {
  const { body } = await ada('POST /v1/orgs', { title: 'Second' })
  const answer = await ada(`PATCH /v1/orgs/${body.id}`, { hostname: 'docs', title: 'Changed' })
  assert.equal(answer.status, 409)
  assert.match(answer.body.error.message, /"hostname"/)
  assert.deepEqual(answer.body.error.details, [
    {
      path: 'body.hostname',
      message: 'is taken by another organization',
      reason: 'taken-by-organization',
    },
  ])
  assert.equal((await ada(`GET /v1/orgs/${body.id}`)).body.title, 'Second')
})

test('refuses a default site of another organization', async () => {
  const { body } = await ada('POST /v1/orgs', { title: 'Third' })
  const site = (await ada(`POST /v1/orgs/${body.id}/sites`, { spaces: 'empty' })).body
  const answer = await ada(`PATCH /v1/orgs/${organizationId}`, {
    defaultContent: { type: 'site', site: site.id },
  })
  assert.equal(answer.status, 400)
})

test('guests cannot see who may join, and with which role', async () => {
  const [reader, guest] = [await world.person('reader', 'read'), await world.person('guest', null)]
  const path = `/v1/orgs/${organizationId}`
  await ada(`PATCH ${path}`, { emailDomains: ['acme.com'], defaultRole: 'edit' })
  const settingsOf = ({ emailDomains, defaultRole }: Record<string, unknown>) => [emailDomains, defaultRole]
  assert.deepEqual(settingsOf((await reader(`GET ${path}`)).body), [['acme.com'], 'edit'])
  for (const body of [(await guest(`GET ${path}`)).body, (await guest('GET /v1/orgs')).body.items[0]])
    assert.deepEqual(settingsOf(body), [[], undefined])
})

test('enforces every limit', async () => {
  const faults: [object, string][] = [
    [{ title: 'x' }, 'body.title'],
    [{ title: 'x'.repeat(256) }, 'body.title'],
    [{ hostname: 'ab' }, 'body.hostname'],
    [{ hostname: 'Has_Capitals' }, 'body.hostname'],
    [{ hostname: 'x'.repeat(33) }, 'body.hostname'],
    [{ defaultRole: 'owner' }, 'body.defaultRole'],
    [{ emailDomains: ['not a domain'] }, 'body.emailDomains.0'],
    [{ logo: 'javascript' }, 'body.logo'],
    [{ sso: 'true' }, 'body.sso'],
    [{ ai: 1 }, 'body.ai'],
    [{ inviteLinks: null }, 'body.inviteLinks'],
    [{ checkExternalLinks: null }, 'body.checkExternalLinks'],
    [{ defaultContent: { type: 'page', site: 'x' } }, 'body.defaultContent.type'],
  ]
  for (const [body, path] of faults) {
    const answer = await ada(`PATCH /v1/orgs/${organizationId}`, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.body.error.details[0].path, path)
  }
})

test('ignores unknown fields', async () => {
  const before = (await ada(`GET /v1/orgs/${organizationId}`)).body
  const answer = await ada(`PATCH /v1/orgs/${organizationId}`, {
    id: 'stolen',
    createdAt: '1999-01-01',
    plan: 'free',
  })
  assert.equal(answer.status, 200)
  assert.deepEqual((await ada(`GET /v1/orgs/${organizationId}`)).body, before)
})

test('a disabled member has no access, whatever their tokens', async () => {
  const bob = await world.person('bob', 'admin')
  assert.equal((await bob(`GET /v1/orgs/${organizationId}`)).status, 200)
  await world.db.write((tx) =>
    tx.updateTable('member').set({ disabled: 1 }).where('userId', '=', bob.id).execute(),
  )
  assert.equal((await bob(`GET /v1/orgs/${organizationId}`)).status, 404)
  assert.equal((await bob('GET /v1/orgs')).body.count, 0)
})
