import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertAccountToken } from '../../src/model/people/account.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const ben = await world.person('ben', 'read')
const cy = await world.person('cy', 'read')
const space = (await ada(`POST ${org}/spaces`, { title: 'Guide' })).body
const collection = (await ada(`POST ${org}/collections`, { title: 'Shelf' })).body
const team = (await ada(`PUT ${org}/teams`, { title: 'Writers', members: [ben.id] })).body

/** Returns the newest event of an organization from its stored log. */
async function last(organization = organizationId) {
  const row = await db.read
    .selectFrom('auditEvent')
    .selectAll()
    .where('organizationId', '=', organization)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow()
  const { before, after } = JSON.parse(row.payload) as { before?: object; after?: object }
  return { ...row, before, after, target: `${row.targetType} ${row.targetId} ${row.targetLabel}` }
}

for (const [kind, thing] of [
  ['space', space],
  ['collection', collection],
] as const) {
  test(`events for grants on a ${kind} record the action, the user and the previous grants`, async () => {
    const path = `/v1/${kind}s/${thing.id}/permissions`
    const target = `${kind} ${thing.id} ${thing.title}`
    const is = async (request: string, body: unknown, before: object, after: object | undefined) => {
      const { status, text } = await ada(request, body)
      assert(status < 300, text)
      const event = await last()
      assert.deepEqual([event.target, event.before, event.after], [target, before, after], request)
    }
    const readBy = { id: ben.id, role: 'read' }
    await is(`POST ${path}`, { users: [ben.id], role: 'read' }, { users: [] }, { users: [readBy] })
    await is(
      `POST ${path}`,
      { users: [ben.id, cy.id], teams: [team.id], role: null },
      { users: [readBy], teams: [] },
      {
        users: [
          { id: ben.id, role: null },
          { id: cy.id, role: null },
        ],
        teams: [{ id: team.id, role: null }],
      },
    )
    const no = { id: cy.id, role: null }
    await is(
      `PATCH ${path}/users/${cy.id}`,
      { role: 'edit' },
      { users: [no] },
      { users: [{ ...no, role: 'edit' }] },
    )
    await is(
      `PATCH ${path}/teams/${team.id}`,
      { role: 'edit' },
      { teams: [{ id: team.id, role: null }] },
      { teams: [{ id: team.id, role: 'edit' }] },
    )
    await is(
      `DELETE ${path}/users/${cy.id}`,
      undefined,
      { users: [{ id: cy.id, role: 'edit' }] },
      { users: [] },
    )
    await is(
      `DELETE ${path}/teams/${team.id}`,
      undefined,
      { teams: [{ id: team.id, role: 'edit' }] },
      { teams: [] },
    )
  })
}

test('events for team membership name the team', async () => {
  const target = `team ${team.id} Writers`
  await ada(`PUT ${org}/teams/${team.id}/members/${cy.id}`, { role: 'owner' })
  const owner = { id: cy.id, role: 'owner' }
  const added = await last()
  assert.deepEqual([added.target, added.before, added.after], [target, { members: [] }, { members: [owner] }])
  await ada(`PUT ${org}/teams/${team.id}/members`, { remove: [cy.id] })
  const changed = await last()
  assert.deepEqual(
    [changed.target, changed.before, changed.after],
    [target, { members: [owner] }, { members: [] }],
  )
  await ada(`PUT ${org}/teams/${team.id}/members/${cy.id}`)
  await ada(`DELETE ${org}/teams/${team.id}/members/${cy.id}`)
  const removed = await last()
  assert.deepEqual(
    [removed.target, removed.before, removed.after],
    [target, { members: [{ id: cy.id, role: 'member' }] }, { members: [] }],
  )
})

test('events record the roles and memberships that members and teams lose', async () => {
  const dee = await world.person('dee', 'edit')
  await ada(`PATCH ${org}/members/${dee.id}`, { role: 'review', disabled: true })
  const changed = await last()
  assert.deepEqual(changed.before, { role: 'edit', disabled: false })
  assert.deepEqual(changed.after, { role: 'review', disabled: true })

  const doomed = (await ada(`PUT ${org}/teams`, { title: 'Doomed', members: [dee.id] })).body
  await ada(`POST /v1/spaces/${space.id}/permissions`, { users: [dee.id], teams: [doomed.id], role: 'edit' })
  const { id: site } = (await ada(`POST ${org}/sites`, { title: 'Site' })).body
  const onSite = { users: [dee.id], teams: [doomed.id], role: 'create' }
  await ada(`POST ${org}/sites/${site}/permissions`, onSite)
  await ada(`DELETE ${org}/teams/${doomed.id}`)
  const sites = [{ id: site, role: 'create' }]
  const spaces = [{ id: space.id, role: 'edit' }]
  const teamGone = await last()
  assert.equal(teamGone.target, `team ${doomed.id} Doomed`)
  const members = [{ id: dee.id, role: 'member' }]
  assert.deepEqual(teamGone.before, { title: 'Doomed', members, spaces, collections: [], sites })

  await ada(`DELETE ${org}/members/${dee.id}`)
  const gone = await last()
  assert.equal(gone.target, `member ${dee.id} dee`)
  assert.deepEqual(gone.before, { role: 'review', disabled: true, teams: [], spaces, collections: [], sites })
})

test('events for invitations name the added users, and events for links the previous settings', async () => {
  const { body } = await ada(`POST ${org}/invites`, { emails: ['new@example.com'], role: 'comment' })
  const users = [{ id: body.users[0], email: 'new@example.com', role: 'comment' }]
  assert.deepEqual((await last()).after, { users, sso: false })

  const link = (await ada(`POST ${org}/link-invites`, { role: 'read' })).body
  const { status } = await ada(`PATCH ${org}/link-invites/${link.id}`, { role: 'edit' })
  assert.equal(status, 200)
  const { before, after } = await last()
  assert.deepEqual([before, after], [{ role: 'read' }, { role: 'edit' }])
})

test('a transfer is logged in both organizations', async () => {
  const other = (await world.stranger('mallory')).organizationId
  await db.write((tx) =>
    tx
      .insertInto('member')
      .values({
        organizationId: other,
        userId: ada.id,
        role: 'admin',
        disabled: 0,
        sso: 0,
        joinedAt: new Date().toISOString(),
        lastSeenAt: null,
      })
      .execute(),
  )
  const inside = (await ada(`POST ${org}/spaces`, { title: 'Inside', parent: collection.id })).body
  const shelf = (await ada(`POST ${org}/collections`, { title: 'Moving' })).body
  for (const path of [`/v1/spaces/${inside.id}`, `/v1/collections/${shelf.id}`]) {
    await ada(`POST ${path}/permissions`, { users: [ben.id, cy.id], role: 'edit' })
    const { grants } = await db.read
      .selectFrom('grant')
      .select((eb) => eb.fn.countAll().as('grants'))
      .where('targetId', '=', path.split('/').at(-1) ?? '')
      .executeTakeFirstOrThrow()
    assert(Number(grants) >= 2)
    assert.equal((await ada(`POST ${path}/transfer`, { organization: other })).status, 200)
    const parent = path.includes('spaces')
    for (const log of [organizationId, other]) {
      const { before, after } = await last(log)
      assert.deepEqual(before, {
        organizationId,
        ...(parent && { parent: collection.id }),
        grants: Number(grants),
      })
      assert.deepEqual(after, { organizationId: other, ...(parent && { parent: null }), grants: 0 })
    }
  }
})

test('password changes are logged as actions of the user in each of their organizations', async () => {
  const now = new Date()
  const link = async (purpose: 'invitation' | 'password-reset') =>
    db.write((tx) =>
      insertAccountToken(tx, { userId: cy.id, purpose, mailed: true, organizationId: null, now }),
    )
  const is = async (request: string, body: object, action: string) => {
    const { status, text } = await world.nobody(request, body)
    assert(status < 300, text)
    const event = await last()
    assert.deepEqual([event.action, event.actorType, event.actorId], [action, 'user', cy.id])
  }
  const password = 'a long enough password'
  await is(
    'POST /v1/account/invitations',
    { token: await link('invitation'), password },
    'account.invitation.accept',
  )
  assert.equal((await last()).targetId, cy.id)
  await is('POST /v1/account/sessions', { email: 'cy@example.com', password }, 'account.session.create')
  await is(
    'POST /v1/account/password',
    { token: await link('password-reset'), password },
    'account.password.reset',
  )
  assert.equal((await cy('PUT /v1/account/password', { current: password, password })).status, 204)
  const changed = await last()
  assert.deepEqual([changed.action, changed.actorId], ['account.password.change', cy.id])
})
