import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world

test('returns the owner of the token', async () => {
  const { status, body, headers } = await ada('GET /v1/user')
  assert.equal(status, 200)
  assert.equal(body.object, 'user')
  assert.equal(body.id, ada.id)
  assert.equal(body.email, 'admin@localhost')
  assert.equal(body.urls.location, `${world.url}/v1/users/${ada.id}`)
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-z]{22}$/)
})

test('a token that cannot create organizations does not say that it can', async () => {
  const { body } = await ada('POST /v1/user/tokens', { label: 'reader', readOnly: true })
  const authorization = `Bearer ${body.token}`
  const permissions = async (headers?: Record<string, string>) =>
    (await (headers ? world.nobody : ada)('GET /v1/user', undefined, headers)).body.permissions
  assert.equal((await permissions()).createOrganization, true)
  assert.equal((await permissions({ authorization })).createOrganization, false)
  const refused = await world.nobody('POST /v1/orgs', { title: 'Another' }, { authorization })
  assert.equal(refused.status, 403)
})

test('the version requires no token', async () => {
  const { status, body } = await world.nobody('GET /v1')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['version', 'build'])
  assert.equal((await world.nobody('GET /v1/')).status, 200)
})

test('the text of a token is returned once; the token acts as its user and ends at once when revoked', async () => {
  const made = await ada('POST /v1/user/tokens', { label: 'laptop' })
  assert.equal(made.status, 201)
  assert.match(made.body.token, /^lec_[0-9a-z]{40}$/)
  assert.equal(made.headers.get('location'), `${world.url}/v1/user/tokens/${made.body.id}`)

  const authorization = `Bearer ${made.body.token}`
  const me = await world.nobody('GET /v1/user', undefined, { authorization })
  assert.equal(me.body.id, ada.id)

  const list = await ada('GET /v1/user/tokens')
  const listed = list.body.items.find((token: { id: string }) => token.id === made.body.id)
  assert.deepEqual(Object.keys(listed).toSorted(), ['createdAt', 'id', 'label', 'object', 'readOnly'])
  assert(!list.text.includes(made.body.token))

  const revoked = await ada(`DELETE /v1/user/tokens/${made.body.id}`)
  assert.deepEqual([revoked.status, revoked.text], [205, ''])
  assert.equal((await world.nobody('GET /v1/user', undefined, { authorization })).status, 401)
  assert.equal((await ada(`DELETE /v1/user/tokens/${made.body.id}`)).status, 204)
})

test('the database does not contain the text of a token', async () => {
  const { body } = await ada('POST /v1/user/tokens', { label: 'secret' })
  const rows = await world.db.read.selectFrom('token').selectAll().execute()
  assert(!JSON.stringify(rows).includes(body.token))
})

test('refuses to revoke the token of another user', async () => {
  const eve = await world.person('eve', 'admin')
  const { body } = await ada('POST /v1/user/tokens', { label: 'mine' })
  await eve(`DELETE /v1/user/tokens/${body.id}`)
  const still = await world.nobody('GET /v1/user', undefined, { authorization: `Bearer ${body.token}` })
  assert.equal(still.status, 200)
})

test('the error for an expired token is the same as for an unknown one', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const { body } = await ada('POST /v1/user/tokens', { label: 'short', expiresAt })
  const authorization = `Bearer ${body.token}`
  assert.equal((await world.nobody('GET /v1/user', undefined, { authorization })).status, 200)

  world.clock.now = new Date(Date.now() + 61_000)
  const expired = await world.nobody('GET /v1/user', undefined, { authorization })
  const wrong = await world.nobody('GET /v1/user', undefined, { authorization: 'Bearer wrong' })
  world.clock.now = undefined
  assert.deepEqual([expired.status, expired.body], [401, wrong.body])
})

test('refuses an expiry in the past', async () => {
  const { status, body } = await ada('POST /v1/user/tokens', {
    label: 'old',
    expiresAt: '2020-01-01T00:00:00Z',
  })
  assert.equal(status, 400)
  assert.equal(body.error.details[0].path, 'body.expiresAt')
})

test('pages through a list without missing or repeating items, also while it grows', async () => {
  const carol = await world.person('carol', 'read')
  for (let i = 0; i < 6; i++) await carol('POST /v1/user/tokens', { label: `token ${i}` })

  const seen: string[] = []
  let next = ''
  do {
    const { body } = await carol(`GET /v1/user/tokens?limit=2${next && `&page=${next}`}`)
    assert.equal(body.count >= 7, true)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    next = body.next?.page ?? ''
    if (seen.length === 2) await carol('POST /v1/user/tokens', { label: 'late' })
  } while (next)
  assert.equal(seen.length, 7)
  assert.equal(new Set(seen).size, 7)
})

test('an invalid request names each fault by its path, whatever its type', async () => {
  for (const body of [
    {},
    { label: '' },
    { label: 7 },
    { label: null },
    { label: 'x'.repeat(51) },
    [],
    'text',
    7,
  ]) {
    const answer = await ada('POST /v1/user/tokens', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.body.error.code, 400)
    assert.match(answer.body.error.details[0].path, /^body/)
  }
  const broken = await fetch(`${world.url}/v1/user/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
    body: '{"label": ',
  })
  assert.equal(broken.status, 400)
  assert.equal(((await broken.json()) as { error: { code: number } }).error.code, 400)
})
