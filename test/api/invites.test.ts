import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox, secretIn } from '../mailbox.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const organization = `/v1/orgs/${organizationId}`
const post = mailbox()
const mailed = await createWorld({}, { mail: post })

const as = (token: string) => (request: string, body?: unknown) =>
  world.nobody(request, body, { authorization: `Bearer ${token}` })
const PASSWORD = 'correct horse battery'

test('without a mail server the response contains the link, which sets a password once', async () => {
  const answer = await ada(`POST ${organization}/invites`, { emails: ['New@Example.com'], role: 'edit' })
  assert.equal(answer.status, 200)
  const { users, invited, links } = answer.body
  assert.deepEqual([users.length, invited, links.length, links[0].email], [1, 1, 1, 'new@example.com'])
  const member = (await ada(`GET ${organization}/members/${users[0]}`)).body
  assert.deepEqual([member.role, member.user.email], ['edit', 'new@example.com'])
  const rows = await world.db.read.selectFrom('accountToken').selectAll().execute()
  assert(!JSON.stringify(rows).includes(secretIn(links[0].url)))

  const token = secretIn(links[0].url)
  const accept = { token, password: PASSWORD, displayName: 'New' }
  const first = await world.nobody('POST /v1/account/invitations', accept)
  assert.equal(first.status, 201)
  const me = (await as(first.body.token)('GET /v1/user')).body
  assert.deepEqual([me.id, me.displayName], [users[0], 'New'])
  assert.equal((await as(first.body.token)(`GET ${organization}`)).body.id, organizationId)

  const again = await world.nobody('POST /v1/account/invitations', {
    ...accept,
    password: 'another password',
  })
  const unknown = await world.nobody('POST /v1/account/invitations', { ...accept, token: 'unknown' })
  assert.deepEqual([again.status, again.body], [404, unknown.body])
  // A link that the inviter saw does not prove the address.
  const account = await world.db.read
    .selectFrom('account')
    .selectAll()
    .where('userId', '=', users[0])
    .executeTakeFirstOrThrow()
  assert.equal(account.emailVerifiedAt, null)
  assert.match(account.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('of two concurrent uses of an invitation link exactly one succeeds', async () => {
  for (let round = 0; round < 4; round++) {
    const email = `race-${round}@example.com`
    const { links } = (await ada(`POST ${organization}/invites`, { emails: [email] })).body
    const token = secretIn(links[0].url)
    const answers = await Promise.all(
      ['first password', 'second password', 'third password'].map((password) =>
        world.nobody('POST /v1/account/invitations', { token, password }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [201, 404, 404])
  }
})

test('the role comes from the address, or else from the request, or else from the organization', async () => {
  await ada(`PATCH ${organization}`, { defaultRole: 'comment' })
  const { users } = (
    await ada(`POST ${organization}/invites`, {
      emails: ['one@example.com', { email: 'two@example.com', role: 'admin' }],
      role: 'review',
      sso: true,
    })
  ).body
  const roles = await Promise.all(
    users.map(async (id: string) => {
      const { role, sso } = (await ada(`GET ${organization}/members/${id}`)).body
      return [role, sso]
    }),
  )
  assert.deepEqual(roles, [
    ['review', true],
    ['admin', true],
  ])
  const byDefault = (await ada(`POST ${organization}/invites`, { emails: ['three@example.com'] })).body
  assert.equal((await ada(`GET ${organization}/members/${byDefault.users[0]}`)).body.role, 'comment')
  const guest = (await ada(`POST ${organization}/invites`, { emails: ['four@example.com'], role: null })).body
  assert.equal((await ada(`GET ${organization}/members/${guest.users[0]}`)).body.role, null)
  await ada(`PATCH ${organization}`, { defaultRole: null })
})

test('inviting again returns a new link and ends the first; a member who can sign in gets none', async () => {
  const invite = async () =>
    (await ada(`POST ${organization}/invites`, { emails: ['again@example.com'] })).body
  const first = await invite()
  const second = await invite()
  assert.deepEqual([second.users, second.invited], [[], 1])
  const use = (url: string) =>
    world.nobody('POST /v1/account/invitations', { token: secretIn(url), password: PASSWORD })
  assert.equal((await use(first.links[0].url)).status, 404)
  assert.equal((await use(second.links[0].url)).status, 201)
  assert.deepEqual(await invite(), { users: [], invited: 0 })
})

test('an invitation ends with the membership, and after seven days', async () => {
  const { users, links } = (await ada(`POST ${organization}/invites`, { emails: ['gone@example.com'] })).body
  await ada(`DELETE ${organization}/members/${users[0]}`)
  const use = (url: string) =>
    world.nobody('POST /v1/account/invitations', { token: secretIn(url), password: PASSWORD })
  assert.equal((await use(links[0].url)).status, 404)

  const late = (await ada(`POST ${organization}/invites`, { emails: ['late@example.com'] })).body
  world.clock.now = new Date(Date.now() + 7 * 24 * 60 * 60_000 + 1)
  assert.equal((await use(late.links[0].url)).status, 404)
  world.clock.now = undefined
  assert.equal((await use(late.links[0].url)).status, 201)
})

test('until an invited user sets a name, their name reveals nothing of their address', async () => {
  const guest = await world.person('curious', null)
  const { users } = (await ada(`POST ${organization}/invites`, { emails: ['jane.roe@example.com'] })).body
  const seen = await guest(`GET /v1/users/${users[0]}`)
  assert.deepEqual([seen.status, seen.body.displayName], [200, 'Invited person'])
  assert(!/jane|roe/.test(seen.text))
  const found = (await ada(`GET ${organization}/members?search=jane.roe`)).body
  assert.equal(found.items[0].user.email, 'jane.roe@example.com')
})

test('a user with an account is not added or named, and gets a link that works once and only for them', async () => {
  const eve = await world.stranger('eve')
  const { body } = await ada(`POST ${organization}/invites`, {
    emails: ['eve@example.com'],
    role: 'edit',
    sso: true,
  })
  assert.deepEqual([body.users, body.invited, body.failedSSOEmails], [[], 1, ['eve@example.com']])
  assert.equal((await ada(`GET ${organization}/members/${eve.id}`)).status, 404)

  const path = `POST ${organization}/invites/${secretIn(body.links[0].url)}`
  const other = await world.person('other')
  assert.equal((await other(path)).status, 403)
  const statuses = (await Promise.all([eve(path), eve(path), eve(path)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 404, 404])
  const member = (await ada(`GET ${organization}/members/${eve.id}`)).body
  assert.deepEqual([member.role, member.sso], ['edit', false])
})

test('a link that an inviter saw never sets the password of an account elsewhere', async () => {
  const eve = await world.stranger('trudy')
  const { links } = (
    await eve(`POST /v1/orgs/${eve.organizationId}/invites`, { emails: ['victim@example.com'] })
  ).body
  // One organization claimed the address; an invitation by another one does not make that claim valid.
  const { users, links: own } = (
    await ada(`POST ${organization}/invites`, { emails: ['victim@example.com'], role: 'admin' })
  ).body
  assert.deepEqual(users, [])
  const claim = { token: secretIn(links[0].url), password: PASSWORD }
  const claimed = as((await world.nobody('POST /v1/account/invitations', claim)).body.token)
  assert.equal((await claimed(`GET ${organization}`)).status, 404)
  const wrong = await world.nobody('POST /v1/account/invitations', {
    token: secretIn(own[0].url),
    password: PASSWORD,
  })
  assert.equal(wrong.status, 404)
})

test('with a mail server only the e-mail contains the link, which proves the address', async () => {
  const path = `/v1/orgs/${mailed.organizationId}/invites`
  const { body } = await mailed.ada(`POST ${path}`, { emails: ['mia@example.com'], role: 'read' })
  assert.deepEqual(Object.keys(body), ['users', 'invited'])
  // The queue contains no secret.
  const [job] = await mailed.db.read.selectFrom('job').select('payload').execute()
  assert.deepEqual(Object.keys(JSON.parse(job?.payload ?? '{}')), ['template', 'userId', 'organizationId'])
  await runDueJobs(mailed)
  const letter = post.letters.at(-1)
  assert.equal(letter?.to, 'mia@example.com')
  assert.match(letter?.text ?? '', new RegExp(`${mailed.url}/app/invitation#`))

  const token = secretIn(letter?.text ?? '')
  const made = await mailed.nobody('POST /v1/account/invitations', { token, password: PASSWORD })
  assert.equal(made.status, 201)
  const account = await mailed.db.read
    .selectFrom('account')
    .select('emailVerifiedAt')
    .where('userId', '=', body.users[0])
    .executeTakeFirstOrThrow()
  assert.notEqual(account.emailVerifiedAt, null)

  const other = await mailed.person('nina')
  await mailed.ada(`POST ${path}`, { emails: ['nina@example.com'] })
  await runDueJobs(mailed)
  assert.equal(post.letters.at(-1)?.to, 'nina@example.com')
  const joined = await other(`POST ${path}/${secretIn(post.letters.at(-1)?.text ?? '')}`)
  assert.equal(joined.status, 200)
})

test('a user joins by the domain of a verified address, and by no other', async () => {
  const org = `/v1/orgs/${mailed.organizationId}`
  const list = '/v1/email-domains/example.com/orgs'
  const zoe = await mailed.stranger('zoe')
  assert.equal((await zoe(`POST ${org}/join`)).status, 404)
  await mailed.ada(`PATCH ${org}`, { emailDomains: ['example.com'], defaultRole: 'comment' })
  // The address is in the domain, but it is not verified.
  const unproved = await zoe(`POST ${org}/join`)
  const unknown = await zoe('POST /v1/orgs/unknown/join')
  assert.deepEqual([unproved.status, unproved.body], [404, unknown.body])
  assert.deepEqual((await zoe(`GET ${list}`)).body, { organizations: [] })

  await mailed.nobody('POST /v1/account/password-resets', { email: 'zoe@example.com' })
  await runDueJobs(mailed)
  const token = secretIn(post.letters.at(-1)?.text ?? '')
  await mailed.nobody('POST /v1/account/password', { token, password: PASSWORD })
  const seen = (await zoe(`GET ${list}`)).body.organizations
  assert.deepEqual([seen.length, seen[0].id, seen[0].permissions.view], [1, mailed.organizationId, false])
  assert.deepEqual((await zoe('GET /v1/email-domains/ample.com/orgs')).body, { organizations: [] })
  assert.equal((await zoe(`POST /v1/orgs/unknown/join`)).status, 404)
  assert.equal((await zoe(`POST ${org}/join`)).status, 204)
  assert.equal((await zoe(`POST ${org}/join`)).status, 204)
  assert.equal((await zoe(`GET ${org}/members/${zoe.id}`)).body.role, 'comment')
  assert.equal((await mailed.ada(`GET ${list}`)).body.organizations[0].permissions.admin, true)

  // Leaving and joining again does not raise the role.
  await mailed.ada(`PATCH ${org}/members/${zoe.id}`, { role: null })
  assert.equal((await zoe(`DELETE ${org}/members/${zoe.id}`)).status, 204)
  assert.equal((await zoe(`POST ${org}/join`)).status, 204)
  assert.equal((await mailed.ada(`GET ${org}/members/${zoe.id}`)).body.role, null)

  await mailed.ada(`PATCH ${org}/members/${zoe.id}`, { disabled: true })
  assert.equal((await zoe(`POST ${org}/join`)).status, 404)
  assert.deepEqual((await zoe(`GET ${list}`)).body, { organizations: [] })
  await mailed.ada(`DELETE ${org}/members/${zoe.id}`)
  assert.equal((await zoe(`POST ${org}/join`)).status, 404)
})

test('administrators create, update, list and delete links to the organization', async () => {
  const links = `${organization}/link-invites`
  const carol = await world.person('carol', 'create')
  const made = await ada(`POST ${links}`, { role: 'comment' })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `${world.url}${links}/${made.body.id}`)
  assert.deepEqual({ ...made.body, id: '' }, { object: 'invite', id: '', role: 'comment', redundant: true })
  for (const request of [
    `GET ${links}`,
    `PATCH ${links}/${made.body.id}`,
    `DELETE ${links}/${made.body.id}`,
    `POST ${links}`,
  ]) {
    const answer = await carol(request, request.startsWith('GET') ? undefined : { role: 'read' })
    assert.equal(answer.status, 403, request)
    assert.match(answer.body.error.message, /"admin"/)
  }
  assert.deepEqual(
    (await ada(`GET ${links}`)).body.items.map(({ id }: { id: string }) => id),
    [made.body.id],
  )
  assert.equal((await ada(`PATCH ${links}/${made.body.id}`, { role: 'edit' })).body.role, 'edit')
  assert.equal((await ada(`PATCH ${links}/${made.body.id}`, { level: 'edit' })).status, 400)

  const joiner = await world.person('joiner')
  const path = `POST ${organization}/invites/${made.body.id}`
  assert.deepEqual([(await joiner(path)).status, (await joiner(path)).status], [200, 200])
  assert.equal((await ada(`GET ${organization}/members/${joiner.id}`)).body.role, 'edit')
  // A link to a lower role lowers nobody.
  assert.equal((await carol(path)).status, 200)
  assert.equal((await ada(`GET ${organization}/members/${carol.id}`)).body.role, 'create')

  const last = await world.person('last')
  const gone = await ada(`DELETE ${links}/${made.body.id}`)
  assert.deepEqual([gone.status, gone.text], [205, ''])
  assert.equal((await ada(`DELETE ${links}/${made.body.id}`)).status, 204)
  const ended = await last(path)
  assert.deepEqual([ended.status, ended.body], [404, (await last(`POST ${organization}/invites/x`)).body])
})

test('a link to a space requires permission to grant access, and gives at most the role of its creator', async () => {
  const links = `${organization}/link-invites`
  const dave = await world.person('dave', 'create')
  const reader = await world.person('reader', 'read')
  const space = (await dave(`POST ${organization}/spaces`, { title: 'Shared' })).body
  const answer = await dave(`POST ${links}`, { level: 'comment', space: space.id })
  assert.equal(answer.status, 201)
  assert.deepEqual(
    [answer.body.level, answer.body.redundant, answer.body.space.id],
    ['comment', true, space.id],
  )
  assert.equal((await ada(`GET ${links}`)).body.items.length, 0)
  // Members can read a link that they can use. Only its managers can list, change or delete it.
  const read = await reader(`GET ${links}/${answer.body.id}`)
  assert.deepEqual([read.status, read.body.redundant], [200, false])
  assert.equal((await reader(`PATCH ${links}/${answer.body.id}`, { level: 'read' })).status, 403)
  assert.equal((await reader(`DELETE ${links}/${answer.body.id}`)).status, 403)
  assert.equal((await reader(`POST ${links}`, { level: 'read', space: space.id })).status, 403)
  assert.equal((await dave(`POST ${links}`, { level: 'read', space: 'unknown' })).status, 400)
  for (const body of [
    {},
    { level: 'read' },
    { role: 'read', space: space.id },
    { level: 'read', space: space.id, collection: 'x' },
    { space: space.id },
  ]) {
    assert.equal((await ada(`POST ${links}`, body)).status, 400, JSON.stringify(body))
  }

  const joiner = await world.person('space-joiner')
  assert.equal((await joiner(`POST ${organization}/invites/${answer.body.id}`)).status, 200)
  assert.equal((await ada(`GET ${organization}/members/${joiner.id}`)).body.role, null)
  const { body } = await joiner(`GET ${organization}/members/${joiner.id}/spaces`)
  assert.deepEqual(
    body.items.map((item: { permission: string; space: { id: string } }) => [item.permission, item.space.id]),
    [['comment', space.id]],
  )
  // A nearer, lower grant would reduce the access of a user with more.
  await dave(`POST ${organization}/invites/${answer.body.id}`)
  const grants = await world.db.read
    .selectFrom('grant')
    .select('role')
    .where('granteeId', '=', dave.id)
    .where('role', '=', 'comment')
    .execute()
  assert.deepEqual(grants, [])
})

test('a link to a collection grants on the collection, and never overrides an explicit “no access”', async () => {
  const at = new Date().toISOString()
  await world.db.write((tx) =>
    tx
      .insertInto('collection')
      .values({
        id: 'handbook',
        organizationId,
        parent: null,
        position: 'i',
        title: 'Handbook',
        description: null,
        defaultLevel: 'inherit',
        createdAt: at,
        updatedAt: at,
      })
      .execute(),
  )
  const made = await ada(`POST ${organization}/link-invites`, { level: 'edit', collection: 'handbook' })
  assert.deepEqual([made.body.level, made.body.collection.title], ['edit', 'Handbook'])
  const raised = await ada(`PATCH ${organization}/link-invites/${made.body.id}`, { level: 'review' })
  assert.equal(raised.body.level, 'review')
  const joiner = await world.person('collection-joiner')
  const shut = await world.person('shut', 'read')
  await world.db.write((tx) =>
    tx
      .insertInto('grant')
      .values({
        targetKind: 'collection',
        targetId: 'handbook',
        granteeKind: 'user',
        granteeId: shut.id,
        organizationId,
        role: null,
        createdAt: at,
      })
      .execute(),
  )
  assert.equal((await joiner(`POST ${organization}/invites/${made.body.id}`)).status, 200)
  assert.equal((await shut(`POST ${organization}/invites/${made.body.id}`)).status, 403)
  const grants = await world.db.read
    .selectFrom('grant')
    .select(['granteeId', 'role'])
    .where('targetId', '=', 'handbook')
    .orderBy('role')
    .execute()
  assert.deepEqual(
    new Map(grants.map(({ granteeId, role }) => [granteeId, role])),
    new Map<string, string | null>([
      [joiner.id, 'review'],
      [shut.id, null],
    ]),
  )
})

test('disabled links can neither be created nor used; a disabled member cannot return through one', async () => {
  const { body } = await ada(`POST ${organization}/link-invites`, { role: 'admin' })
  const out = await world.person('out', 'read')
  await ada(`PATCH ${organization}/members/${out.id}`, { disabled: true })
  assert.equal((await out(`POST ${organization}/invites/${body.id}`)).status, 404)
  await ada(`PATCH ${organization}`, { inviteLinks: false })
  const joiner = await world.person('too-late')
  assert.equal((await joiner(`POST ${organization}/invites/${body.id}`)).status, 409)
  assert.equal((await ada(`POST ${organization}/link-invites`, { role: 'read' })).status, 409)
  assert.equal((await ada(`GET ${organization}/members/${joiner.id}`)).status, 404)
  await ada(`PATCH ${organization}`, { inviteLinks: true })
  assert.equal((await joiner(`POST ${organization}/invites/${body.id}`)).status, 200)
})

test('refuses links of another organization', async () => {
  const eve = await world.stranger('mallory')
  const { body } = await ada(`POST ${organization}/link-invites`, { role: 'admin' })
  const theirs = `/v1/orgs/${eve.organizationId}`
  for (const request of [
    `GET ${theirs}/link-invites/${body.id}`,
    `PATCH ${theirs}/link-invites/${body.id}`,
    `POST ${theirs}/invites/${body.id}`,
  ]) {
    const foreign = await eve(request, request.startsWith('GET') ? undefined : { role: 'read' })
    assert.equal(foreign.status, 404, request)
  }
  assert.equal((await eve(`DELETE ${theirs}/link-invites/${body.id}`)).status, 204)
  assert.equal((await ada(`GET ${organization}/link-invites/${body.id}`)).status, 200)
  const space = (await ada(`POST ${organization}/spaces`, { title: 'Ours' })).body
  const stolen = await eve(`POST ${theirs}/link-invites`, { level: 'read', space: space.id })
  assert.equal(stolen.status, 400)
})
