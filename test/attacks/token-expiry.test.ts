/** A token that was lent or stolen: it makes none that outlasts it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const PASSWORD = 'correct horse battery'
assert.equal((await ada('PUT /v1/account/password', { password: PASSWORD })).status, 204)

const as = (token: string) => (request: string, body?: unknown) =>
  world.nobody(request, body, { authorization: `Bearer ${token}` })
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const lent = (await ada('POST /v1/user/tokens', { label: 'lent', expiresAt: soon(10) })).body

test('a token made with a token that expires does not outlast it, nor does its child', async () => {
  for (const expiresAt of [undefined, soon(11), '9999-12-31T23:59:59.000Z']) {
    const child = await as(lent.token)('POST /v1/user/tokens', { label: 'child', expiresAt })
    assert.equal(child.status, 201)
    assert.equal(child.body.expiresAt, lent.expiresAt)
    const grandchild = await as(child.body.token)('POST /v1/user/tokens', { label: 'grandchild' })
    assert.equal(grandchild.body.expiresAt, lent.expiresAt)
  }
  const earlier = soon(5)
  const child = await as(lent.token)('POST /v1/user/tokens', { label: 'child', expiresAt: earlier })
  assert.equal(child.body.expiresAt, earlier)
  const lasting = await ada('POST /v1/user/tokens', { label: 'lasting' })
  assert.equal(lasting.body.expiresAt, undefined)
})

test('a session makes a lasting token only with the password, and guesses are limited', async () => {
  const session = (
    await world.nobody('POST /v1/account/sessions', { email: 'admin@localhost', password: PASSWORD })
  ).body
  const make = (password?: string) =>
    as(session.token)('POST /v1/user/tokens', { label: 'deployment', password })
  assert.equal((await make()).body.expiresAt, session.expiresAt)
  assert.equal((await make(PASSWORD)).body.expiresAt, undefined)
  const wrong = await make('wrong')
  assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'body.password'])
  const guesses: number[] = []
  for (let i = 0; i < 10; i++) guesses.push((await make('wrong')).status)
  assert.equal(guesses.at(-1), 429)

  const bob = await world.person('bob', 'read')
  const none = await bob('POST /v1/user/tokens', { label: 'x', password: 'any' })
  assert.equal(none.status, 400, 'an account without a password')
})

test('a read-only token makes none, with the password neither', async () => {
  const reader = (await ada('POST /v1/user/tokens', { label: 'reader', readOnly: true })).body
  for (const body of [{ label: 'x' }, { label: 'x', password: PASSWORD }])
    assert.equal((await as(reader.token)('POST /v1/user/tokens', body)).status, 403)
})
