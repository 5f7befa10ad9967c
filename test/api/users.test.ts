import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox, secretIn } from '../mailbox.ts'
import { createWorld, stopClock } from '../world.ts'

const post = mailbox()
const world = await createWorld({}, { mail: post })
const single = await createWorld({ LECTERN_SINGLE_ORGANIZATION: 'true' })
const { ada, organizationId } = world
const bob = await world.person('bob', 'read')
const mallory = await world.stranger('mallory')

const PASSWORD = 'correct horse battery'
const as = (token: string) => (request: string, body?: unknown) =>
  world.nobody(request, body, { authorization: `Bearer ${token}` })
let place = 0
/** Each from a network of its own, so that the limit for one network is not reached. */
const fromElsewhere = () => ({ 'x-forwarded-for': `10.0.${++place}.1` })
const signIn = (email: string, password: string, headers: Record<string, string> = fromElsewhere()) =>
  world.nobody('POST /v1/account/sessions', { email, password }, headers)

test('shows users only to users who share an organization with them', async () => {
  const seen = await bob(`GET /v1/users/${ada.id}`)
  assert.deepEqual([seen.status, seen.body.email], [200, 'admin@localhost'])
  const foreign = await mallory(`GET /v1/users/${ada.id}`)
  const unknown = await mallory('GET /v1/users/unknown')
  assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
  assert.equal((await mallory(`GET /v1/users/${mallory.id}`)).status, 200)
})

test('users can change only themselves', async () => {
  const path = `/v1/users/${bob.id}`
  const photoURL = 'https://example.com/bob.png'
  const { body } = await bob(`PATCH ${path}`, { displayName: 'Bob', photoURL })
  assert.deepEqual([body.displayName, body.photoURL], ['Bob', photoURL])
  assert.equal((await bob(`PATCH ${path}`, { displayName: '' })).status, 400)
  assert.equal((await bob(`PATCH ${path}`, { displayName: 'x'.repeat(65) })).status, 400)
  assert.equal('photoURL' in (await bob(`PATCH ${path}`, { photoURL: null })).body, false)
  assert.equal((await ada(`PATCH ${path}`, { displayName: 'Hers' })).status, 403)
  assert.equal((await mallory(`PATCH ${path}`, { displayName: 'Theirs' })).status, 404)
  assert.equal((await bob('GET /v1/user')).body.displayName, 'Bob')
})

test('signs in with an address in any case and a password, and signs out by deleting the token', async () => {
  assert.equal((await bob('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  const { status, body } = await signIn('BOB@example.com', PASSWORD)
  assert.equal(status, 201)
  assert.equal((await as(body.token)('GET /v1/user')).body.id, bob.id)
  assert.equal((await as(body.token)(`DELETE /v1/user/tokens/${body.id}`)).status, 205)
  assert.equal((await as(body.token)('GET /v1/user')).status, 401)
})

test('a session ends after 30 days', async () => {
  const { token } = (await signIn('bob@example.com', PASSWORD)).body
  world.clock.now = new Date(Date.now() + 30 * 24 * 60 * 60_000 + 1)
  const late = await as(token)('GET /v1/user')
  world.clock.now = undefined
  assert.equal(late.status, 401)
  assert.equal((await as(token)('GET /v1/user')).status, 200)
})

test('the error is the same for a wrong password, an unknown address, and a user without a password', async () => {
  const answers = await Promise.all([
    signIn('bob@example.com', 'wrong'),
    signIn('nobody@example.com', PASSWORD),
    signIn('mallory@example.com', PASSWORD),
  ])
  for (const { status, body } of answers) {
    assert.equal(status, 401)
    assert.deepEqual(body, answers[0]?.body)
  }
})

test('the database contains no passwords, sessions, tokens and upload secrets in plain text', async () => {
  const org = `/v1/orgs/${organizationId}`
  const upload = { file: { name: 'a.zip', type: 'application/zip', size: 1 }, kind: 'import_file' }
  const secrets: string[] = [
    PASSWORD,
    (await signIn('bob@example.com', PASSWORD)).body.token,
    (await ada('POST /v1/user/tokens', { label: 'secret' })).body.token,
    (await ada(`POST ${org}/scim-tokens`)).body.token,
    new URL((await ada(`POST ${org}/storage/upload`, upload)).body.url).searchParams.get('secret') ?? '',
  ]
  for (const secret of secrets) assert(secret.length > 10, secret)
  const tables = ['account', 'token', 'scimToken', 'upload', 'accountToken', 'job', 'auditEvent'] as const
  for (const table of tables) {
    const rows = JSON.stringify(await world.db.read.selectFrom(table).selectAll().execute())
    for (const secret of secrets) assert(!rows.includes(secret), table)
  }
})

test('changing a password requires the current one and ends the other sessions, but not tokens', async () => {
  const carol = await world.person('carol', 'read')
  await carol('PUT /v1/account/password', { password: PASSWORD })
  const first = as((await signIn('carol@example.com', PASSWORD)).body.token)
  const second = as((await signIn('carol@example.com', PASSWORD)).body.token)
  const wrong = await first('PUT /v1/account/password', { current: 'wrong', password: 'the next password' })
  assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'body.current'])
  assert.equal((await first('PUT /v1/account/password', { password: 'the next password' })).status, 400)
  assert.equal(
    (await first('PUT /v1/account/password', { current: PASSWORD, password: 'short' })).status,
    400,
  )
  const changed = await first('PUT /v1/account/password', {
    current: PASSWORD,
    password: 'the next password',
  })
  assert.equal(changed.status, 204)
  assert.equal((await first('GET /v1/user')).status, 200)
  assert.equal((await second('GET /v1/user')).status, 401)
  assert.equal((await carol('GET /v1/user')).status, 200)
  assert.equal((await signIn('carol@example.com', PASSWORD)).status, 401)
  assert.equal((await signIn('carol@example.com', 'the next password')).status, 201)
})

test('a password is reset with a link from an e-mail, once and within an hour, and every session ends', async () => {
  const dan = await world.person('dan', 'read')
  await dan('PUT /v1/account/password', { password: PASSWORD })
  const session = as((await signIn('dan@example.com', PASSWORD)).body.token)

  const ask = async () => {
    const headers = fromElsewhere()
    const known = await world.nobody(
      'POST /v1/account/password-resets',
      { email: 'Dan@example.com' },
      headers,
    )
    assert.deepEqual([known.status, known.text], [204, ''])
    await runDueJobs(world)
    return secretIn(post.letters.at(-1)?.text ?? '')
  }
  const replaced = await ask()
  const token = await ask()
  const use = (secret: string) =>
    world.nobody('POST /v1/account/password', { token: secret, password: 'a new password' }, fromElsewhere())
  assert.equal((await use(replaced)).status, 404)
  world.clock.now = new Date(Date.now() + 60 * 60_000 + 1)
  assert.equal((await use(token)).status, 404)
  world.clock.now = undefined
  const statuses = (await Promise.all([use(token), use(token), use(token)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [204, 404, 404])
  assert.equal((await session('GET /v1/user')).status, 401)
  assert.equal((await signIn('dan@example.com', 'a new password')).status, 201)
  // Nobody had proved the address before, so whoever had claimed it is out with all their tokens.
  assert.equal((await dan('GET /v1/user')).status, 401)
})

test('the default administrator signs in as admin@localhost, and is invited and reset without a refusal', async () => {
  const email = 'admin@localhost'
  assert.equal((await ada('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  assert.equal((await signIn(email, PASSWORD)).status, 201)

  const before = post.letters.length
  // Such a link would go to a mailbox on the host of the mail server, which belongs to another person.
  const reset = await world.nobody('POST /v1/account/password-resets', { email }, fromElsewhere())
  await runDueJobs(world)
  assert.deepEqual([reset.status, post.letters.length], [204, before])

  const invited = await ada(`POST /v1/orgs/${organizationId}/invites`, { emails: ['grace@intranet'] })
  await runDueJobs(world)
  assert.deepEqual([invited.status, post.letters.at(-1)?.to], [200, 'grace@intranet'])
  for (const wrong of ['admin@', '@localhost', 'admin', 'admin@-localhost', 'admin@local host', 'a@b..c'])
    assert.equal((await signIn(wrong, PASSWORD)).status, 400, wrong)
})

test('a reset for an unknown address gets the same response and sends nothing', async () => {
  const before = post.letters.length
  const answer = await world.nobody('POST /v1/account/password-resets', { email: 'none@example.com' })
  await runDueJobs(world)
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal(post.letters.length, before)
})

test('an invitation link cannot reset a password, and a reset link cannot accept an invitation', async () => {
  const email = 'both@example.com'
  await ada(`POST /v1/orgs/${organizationId}/invites`, { emails: [email] })
  await runDueJobs(world)
  const token = secretIn(post.letters.at(-1)?.text ?? '')
  const reset = await world.nobody('POST /v1/account/password', { token, password: PASSWORD })
  assert.equal(reset.status, 404)
  assert.equal(
    (await world.nobody('POST /v1/account/invitations', { token, password: PASSWORD })).status,
    201,
  )
})

test('a session names its device, which is no token and works only for its address', async () => {
  const { device, token } = (await signIn('bob@example.com', PASSWORD)).body
  assert.equal((await as(device)('GET /v1/user')).status, 401)
  assert(!token.includes(device.split('.')[0]))
  const again = await world.nobody(
    'POST /v1/account/sessions',
    { email: 'bob@example.com', password: 'wrong', device },
    fromElsewhere(),
  )
  assert.equal(again.status, 401, 'a device is no password')
})

test('too many guesses of links from one client block it for every link, but not for passwords', async (t) => {
  stopClock(t, world)
  const headers = { 'x-forwarded-for': '10.9.9.9' }
  const guess = async (i: number) => {
    const body = { token: `guess${i}`, password: PASSWORD }
    return (await world.nobody('POST /v1/account/invitations', body, headers)).status
  }
  for (let i = 0; i < 100; i++) assert.equal(await guess(i), 404)
  assert.equal(await guess(100), 429)
  assert.equal((await signIn('bob@example.com', PASSWORD, headers)).status, 201)
})

test('with a single organization, nobody can create another', async () => {
  const answer = await single.ada('POST /v1/orgs', { title: 'Second' })
  assert.equal(answer.status, 403)
  assert.equal((await single.ada('GET /v1/orgs')).body.count, 1)
})
