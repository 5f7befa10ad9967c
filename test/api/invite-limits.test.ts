import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '../../src/access/credentials/tokens.ts'
import { insertToken } from '../../src/model/people/token.ts'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox, secretIn } from '../mailbox.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const post = mailbox()
const mailed = await createWorld({}, { mail: post })
const { ada, organizationId } = world
const organization = `/v1/orgs/${organizationId}`
const members = `${organization}/members`
const links = `${organization}/link-invites`
const PASSWORD = 'correct horse battery'

const linkBy = async (maker: Person, to: object): Promise<string> =>
  (await maker(`POST ${links}`, to)).body.id
const join = async (person: Person, code: string) =>
  (await person(`POST ${organization}/invites/${code}`)).status
const roleOf = async ({ id }: Person) => (await ada(`GET ${members}/${id}`)).body.role
/** The secret for an address that already has an account. */
const invitationSecret = async (inviter: Person, email: string, role = 'admin') => {
  const { body } = await inviter(`POST ${organization}/invites`, { emails: [email], role })
  return secretIn(body.links[0].url)
}

test('a removed administrator cannot return through their own links and invitations', async () => {
  const boss = await world.person('boss', 'admin')
  await world.person('second-self')
  const link = await linkBy(boss, { role: 'admin' })
  const secret = await invitationSecret(boss, 'second-self@example.com')
  await ada(`DELETE ${members}/${boss.id}`)
  assert.deepEqual([await join(boss, link), await join(boss, secret)], [404, 404])
  const left = await world.db.read
    .selectFrom('invite')
    .select('id')
    .where('createdBy', '=', boss.id)
    .execute()
  assert.deepEqual(left, [])
})

test('a link or e-mail stops working while its creator is disabled or not an administrator', async () => {
  const boss = await world.person('lowered', 'admin')
  const joiner = await world.person('hopeful')
  const codes = [
    await linkBy(boss, { role: 'read' }),
    await invitationSecret(boss, 'hopeful@example.com', 'edit'),
  ]
  for (const less of [{ role: 'create' }, { role: 'admin', disabled: true }]) {
    await ada(`PATCH ${members}/${boss.id}`, less)
    for (const code of codes) assert.equal(await join(joiner, code), 404)
    if (!less.disabled) assert.equal(await join(boss, codes[0] ?? ''), 404)
  }
  await ada(`PATCH ${members}/${boss.id}`, { disabled: false })
  for (const code of codes) assert.equal(await join(joiner, code), 200)
  assert.equal(await roleOf(joiner), 'edit')
})

test('an administrator who raised another user’s link cannot return through it', async () => {
  const boss = await world.person('raiser', 'admin')
  const space = (await ada(`POST ${organization}/spaces`, { title: 'Raised' })).body
  const link = await linkBy(ada, { role: 'read' })
  const kept = await linkBy(ada, { role: 'read' })
  const level = await linkBy(ada, { level: 'read', space: space.id })
  await boss(`PATCH ${links}/${link}`, { role: 'admin' })
  await boss(`PATCH ${links}/${level}`, { level: 'admin' })
  // Sending the same role changes nothing, so the link keeps its creator.
  assert.equal((await boss(`PATCH ${links}/${kept}`, { role: 'read' })).status, 200)
  await ada(`DELETE ${members}/${boss.id}`)
  assert.deepEqual([await join(boss, link), await join(boss, level)], [404, 404])
  assert.deepEqual([await join(boss, kept), await roleOf(boss)], [200, 'read'])
})

test('inviting an address again makes the second inviter responsible for the invitation', async () => {
  const boss = await world.person('first-inviter', 'admin')
  const joiner = await world.person('twice')
  await invitationSecret(boss, 'twice@example.com')
  const secret = await invitationSecret(ada, 'twice@example.com', 'comment')
  await ada(`DELETE ${members}/${boss.id}`)
  assert.equal(await join(joiner, secret), 200)
  assert.equal(await roleOf(joiner), 'comment')
})

test('a link to a space gives at most its creator’s current role, and nothing without “create”', async () => {
  const boss = await world.person('space-boss', 'admin')
  const space = (await ada(`POST ${organization}/spaces`, { title: 'Plans' })).body
  const link = await linkBy(boss, { level: 'admin', space: space.id })
  const levelOf = async ({ id }: Person) =>
    (await ada(`GET ${members}/${id}/spaces`)).body.items[0]?.permission

  await ada(`PATCH ${members}/${boss.id}`, { role: 'create' })
  const one = await world.person('space-one')
  assert.deepEqual([await join(one, link), await levelOf(one)], [200, 'create'])
  assert.equal(await join(boss, link), 200)
  assert.equal(await levelOf(boss), 'create')

  await ada(`PATCH ${members}/${boss.id}`, { role: 'review' })
  const two = await world.person('space-two')
  assert.deepEqual([await join(two, link), await join(boss, link)], [404, 404])
  assert.equal((await ada(`GET ${members}/${two.id}`)).status, 404)
})

test('removing a person ends their unused invitations, but not in other organizations', async () => {
  const eve = await world.stranger('eve')
  const secret = await invitationSecret(ada, 'eve@example.com')
  assert.equal(await join(eve, await linkBy(ada, { role: 'read' })), 200)
  const other = await world.stranger('other-boss')
  const theirs = `/v1/orgs/${other.organizationId}`
  const invited = await other(`POST ${theirs}/invites`, { emails: ['eve@example.com'], role: 'edit' })
  assert.equal((await ada(`DELETE ${members}/${eve.id}`)).status, 204)
  assert.equal(await join(eve, secret), 404)
  assert.equal((await eve(`POST ${theirs}/invites/${secretIn(invited.body.links[0].url)}`)).status, 200)
})

test('an organization cannot end an invitation with which a user sets a password in another', async () => {
  const other = await world.stranger('far-boss')
  const theirs = `/v1/orgs/${other.organizationId}`
  const { users, links: sent } = (await other(`POST ${theirs}/invites`, { emails: ['far@example.com'] })).body
  const at = new Date().toISOString()
  const member = { organizationId, userId: users[0], role: 'read', joinedAt: at, lastSeenAt: null } as const
  // Once as a non-member and once as a member: neither ends the invitation.
  assert.equal((await ada(`DELETE ${members}/${users[0]}`)).status, 204)
  await world.db.write((tx) =>
    tx
      .insertInto('member')
      .values({ ...member, disabled: 0, sso: 0 })
      .execute(),
  )
  assert.equal((await ada(`DELETE ${members}/${users[0]}`)).status, 204)
  const token = secretIn(sent[0].url)
  const accepted = await world.nobody('POST /v1/account/invitations', { token, password: PASSWORD })
  assert.equal(accepted.status, 201)
})

test('the audit log contains no code of an invite, but distinguishes invites', async () => {
  const joiner = await world.person('logged')
  const link = await linkBy(ada, { role: 'read' })
  const secret = await invitationSecret(ada, 'logged@example.com', 'comment')
  await ada(`PATCH ${links}/${link}`, { role: 'edit' })
  assert.deepEqual([await join(joiner, link), await join(joiner, secret)], [200, 200])
  await ada(`DELETE ${links}/${link}`)

  const rows = await world.db.read.selectFrom('auditEvent').selectAll().orderBy('sequence').execute()
  const log = JSON.stringify(rows)
  assert(!log.includes(link) && !log.includes(secret))
  const alias = hashSecret(link).slice(0, 16)
  assert.deepEqual(
    rows.filter(({ targetId }) => targetId === alias).map(({ action }) => action),
    ['link-invite.create', 'link-invite.update', 'invite.join', 'link-invite.delete'],
  )
})

test('links and leaving never give a user more than an administrator has left them', async () => {
  const [demoted, left, guest] = [
    await world.person('demoted', 'create'),
    await world.person('left', 'comment'),
    await world.person('fresh', null),
  ]
  const link = await linkBy(ada, { role: 'review' })
  await ada(`PATCH ${members}/${demoted.id}`, { role: 'read' })
  assert.deepEqual([await join(demoted, link), await roleOf(demoted)], [200, 'read'])
  for (const [person, role] of [
    [demoted, 'read'],
    [left, 'comment'],
  ] as const) {
    await person(`DELETE ${members}/${person.id}`)
    assert.deepEqual([await join(person, link), await roleOf(person)], [200, role])
  }
  // A link raises only members whose role nobody has set.
  assert.deepEqual([await join(guest, link), await roleOf(guest)], [200, 'review'])

  await demoted(`DELETE ${members}/${demoted.id}`)
  const secret = await invitationSecret(ada, 'demoted@example.com', 'edit')
  assert.deepEqual([await join(demoted, secret), await roleOf(demoted)], [200, 'edit'])
  assert.deepEqual([await join(demoted, link), await roleOf(demoted)], [200, 'review'])
})

test('a member who was removed while disabled returns only through an invitation of an administrator', async () => {
  const off = await world.person('off', 'edit')
  const space = (await ada(`POST ${organization}/spaces`, { title: 'Off' })).body
  const codes = [await linkBy(ada, { role: 'read' }), await linkBy(ada, { level: 'read', space: space.id })]
  await ada(`PATCH ${members}/${off.id}`, { disabled: true })
  assert.equal((await off(`DELETE ${members}/${off.id}`)).status, 404)
  await ada(`DELETE ${members}/${off.id}`)
  for (const code of codes) assert.equal(await join(off, code), 404)
  assert.equal(await join(off, await invitationSecret(ada, 'off@example.com', 'read')), 200)
  assert.equal(await join(off, codes[1] ?? ''), 200)
})

test('leaving and returning does not remove an explicit “no access”', async () => {
  const shut = await world.person('shut-out', 'edit')
  const space = (await ada(`POST ${organization}/spaces`, { title: 'Salaries' })).body
  const open = (await ada(`POST ${organization}/spaces`, { title: 'Open' })).body
  for (const [id, role] of [
    [space.id, null],
    [open.id, 'create'],
  ]) {
    const path = `/v1/spaces/${id}/permissions`
    assert.equal((await ada(`POST ${path}`, { users: [shut.id], role: 'read' })).status, 204)
    assert.equal((await ada(`PATCH ${path}/users/${shut.id}`, { role })).status, 204)
  }
  await shut(`DELETE ${members}/${shut.id}`)
  assert.equal(await join(shut, await linkBy(ada, { role: 'review' })), 200)
  assert.equal((await shut(`GET /v1/spaces/${space.id}`)).status, 404)
  assert.equal((await shut(`GET /v1/spaces/${open.id}/permissions/explain`)).body.role, 'edit')
})

test('leaving and returning does not remove the restrictions of a team', async () => {
  const back = await world.person('comes-back', 'edit')
  const team = (await ada(`PUT ${organization}/teams`, { title: 'Less', members: [back.id] })).body.id
  const make = async (kind: 'spaces' | 'collections', body: object = {}) =>
    (await ada(`POST ${organization}/${kind}`, body)).body.id as string
  const grant = async (path: string, body: object) =>
    assert.equal((await ada(`POST /v1/${path}/permissions`, body)).status, 204)
  const shut = await make('collections')
  const inShut = await make('spaces', { parent: shut })
  const lowered = await make('spaces')
  const trusted = await make('collections')
  const loweredThere = await make('spaces', { parent: trusted })
  const raised = await make('spaces')
  const equal = await make('spaces')
  await grant(`collections/${shut}`, { teams: [team], role: null })
  await grant(`spaces/${lowered}`, { teams: [team], role: 'read' })
  await grant(`collections/${trusted}`, { users: [back.id], role: 'admin' })
  await grant(`spaces/${loweredThere}`, { users: [back.id], role: 'create' })
  await grant(`spaces/${raised}`, { users: [back.id], role: 'create' })
  await grant(`spaces/${equal}`, { users: [back.id], role: 'edit' })

  const roles = async () => {
    const all = [inShut, lowered, loweredThere, raised, equal]
    const why = await Promise.all(
      all.map((id) => ada(`GET /v1/spaces/${id}/permissions/explain?user=${back.id}`)),
    )
    return why.map(({ body }) => body.role)
  }
  assert.deepEqual(await roles(), [null, 'read', 'create', 'create', 'edit'])
  await back(`DELETE ${members}/${back.id}`)
  assert.equal(await join(back, await linkBy(ada, { role: 'edit' })), 200)
  assert.deepEqual(await roles(), [null, null, null, 'edit', 'edit'])
  assert.equal((await back(`GET /v1/collections/${trusted}`)).body.permissions.create, false)
})

test('a link does not override a “no access” of a team or of a surrounding collection', async () => {
  const shut = await world.person('shut-by-team', 'edit')
  const team = (await ada(`PUT ${organization}/teams`, { title: 'Shut', members: [shut.id] })).body.id
  const shutting = (await ada(`POST ${organization}/collections`, { title: 'Shutting' })).body.id as string
  const open = (await ada(`POST ${organization}/collections`, { title: 'Open' })).body.id as string
  const inside = (await ada(`POST ${organization}/spaces`, { parent: shutting })).body.id as string
  const own = (await ada(`POST ${organization}/spaces`, { parent: open })).body.id as string
  await ada(`POST /v1/collections/${shutting}/permissions`, { teams: [team], role: null })
  await ada(`POST /v1/spaces/${own}/permissions`, { teams: [team], role: null })
  for (const to of [{ collection: shutting }, { space: inside }, { space: own }])
    assert.equal(await join(shut, await linkBy(ada, { level: 'create', ...to })), 403)
  for (const id of [inside, own]) assert.equal((await shut(`GET /v1/spaces/${id}`)).status, 404)
  assert.equal(await join(shut, await linkBy(ada, { level: 'create', collection: open })), 200)
})

test('changing or resetting a password ends the invitations to set one', async () => {
  const invite = async (email: string) => {
    const path = `POST /v1/orgs/${mailed.organizationId}/invites`
    const { users } = (await mailed.ada(path, { emails: [email] })).body
    await runDueJobs(mailed)
    return { userId: users[0] as string, token: secretIn(post.letters.at(-1)?.text ?? '') }
  }
  const isGood = async (token: string) => {
    const { status } = await mailed.nobody('POST /v1/account/invitations', { token, password: 'of the link' })
    return status === 201
  }
  assert(await isGood((await invite('first@example.com')).token))

  const changed = await invite('changed@example.com')
  const { token: session } = await mailed.db.write((tx) =>
    insertToken(tx, { id: 'of-changed', userId: changed.userId, label: 'x', now: new Date() }),
  )
  const headers = { authorization: `Bearer ${session}` }
  const put = await mailed.nobody('PUT /v1/account/password', { password: PASSWORD }, headers)
  assert.deepEqual([put.status, await isGood(changed.token)], [204, false])

  const reset = await invite('reset@example.com')
  await mailed.nobody('POST /v1/account/password-resets', { email: 'reset@example.com' })
  await runDueJobs(mailed)
  const token = secretIn(post.letters.at(-1)?.text ?? '')
  const set = await mailed.nobody('POST /v1/account/password', { token, password: PASSWORD })
  assert.deepEqual([set.status, await isGood(reset.token)], [204, false])
})
