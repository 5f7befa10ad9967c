import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totpCode, totpStep } from '../src/access/credentials/totp.ts'
import { runHere } from './process.ts'
import { createWorld } from './world.ts'

const world = await createWorld()
const env: Record<string, string> = {
  LECTERN_DATA: world.config.data,
  ...(world.config.databaseUrl ? { DATABASE_URL: world.config.databaseUrl } : {}),
}
const bob = await world.person('bob', 'read')
const reset = (args: string[], more: Record<string, string> = { LECTERN_URL: world.url }) =>
  runHere(['reset-password', ...args], { ...env, ...more })

test('a link from the command line sets a new password, once', async () => {
  const { code, out, err } = await reset(['Bob@example.com'])
  assert.equal(code, 0, err)
  const link = new URL(out.trim())
  assert.equal(link.origin, world.url)
  const [token, password] = [link.hash.slice(1), 'a long enough password']
  const set = () => world.nobody('POST /v1/account/password', { token, password })
  assert.equal((await set()).status, 204)
  assert.equal((await set()).status, 404)
  const session = await world.nobody('POST /v1/account/sessions', { email: 'bob@example.com', password })
  assert.equal(session.status, 201)

  const logged = await world.db.read
    .selectFrom('auditEvent')
    .select(['targetId', 'payload'])
    .where('action', '=', 'user.reset-password')
    .execute()
  assert.deepEqual(
    logged.map(({ targetId, payload }) => [targetId, payload]),
    [[bob.id, '{}']],
  )
})

test('the second factor of a user who lost it is removed only on request', async () => {
  const eve = await world.person('eve', 'read')
  const password = 'a long enough password'
  await eve('PUT /v1/account/password', { password })
  const { secret } = (await eve('POST /v1/user/second-factor', { password })).body
  await eve('PUT /v1/user/second-factor', { code: totpCode(secret, totpStep(new Date())) })
  const signIn = async () =>
    (await world.nobody('POST /v1/account/sessions', { email: 'eve@example.com', password })).status
  await reset(['eve@example.com'])
  assert.equal(await signIn(), 401)
  const { code, err } = await reset(['eve@example.com', '--remove-second-factor'])
  assert.equal(code, 0, err)
  assert.equal(await signIn(), 201)
})

test('a later link invalidates the earlier one', async () => {
  const [first, second] = [await reset(['bob@example.com']), await reset(['bob@example.com'])]
  const use = ({ out }: { out: string }) =>
    world.nobody('POST /v1/account/password', {
      token: out.trim().split('#')[1],
      password: 'another password',
    })
  assert.equal((await use(first)).status, 404)
  assert.equal((await use(second)).status, 204)
})

test('errors name the fault, and no link is created', async () => {
  const cases = [
    [['nobody@example.com'], { LECTERN_URL: world.url }, /No user has the email address/],
    [[], { LECTERN_URL: world.url }, /Name one email address/],
    [['bob@example.com'], {}, /LECTERN_URL/],
  ] as const
  const runs = cases.map(async ([args, more, words]) => {
    const { code, out, err } = await reset([...args], more)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, words)
  })
  await Promise.all(runs)
})
