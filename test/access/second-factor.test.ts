/** Codes of authenticator apps and recovery codes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  matchingTotpStep,
  newTotpSeed,
  totpCode,
  totpStep,
  totpUri,
} from '../../src/access/credentials/totp.ts'
import { inSession } from '../signed-in.ts'
import { createWorld, type Person, stopClock } from '../world.ts'

const PASSWORD = 'correct horse battery'
const world = await createWorld()
const { nobody, clock } = world

describe('the codes of RFC 6238', () => {
  // The secret of the examples, "12345678901234567890", in base 32. The RFC has eight digits, of which apps show six.
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  test('are those of its examples', () => {
    const examples: [number, string][] = [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
      [20000000000, '353130'],
    ]
    for (const [seconds, code] of examples)
      assert.equal(totpCode(seed, totpStep(new Date(seconds * 1000))), code)
  })

  test('are accepted one step early or late, and not again', () => {
    const now = new Date(1_800_000_000_000)
    const step = totpStep(now)
    const accepted = (offset: number, lastStep = 0) =>
      matchingTotpStep(seed, totpCode(seed, step + offset), { now, lastStep })
    assert.deepEqual(
      [-2, -1, 0, 1, 2].map((offset) => accepted(offset)),
      [undefined, step - 1, step, step + 1, undefined],
    )
    assert.equal(accepted(0, step), undefined)
    assert.equal(accepted(-1, step), undefined)
    assert.equal(accepted(1, step), step + 1)
  })

  test('may have spaces, and nothing else', () => {
    const now = new Date(1_800_000_000_000)
    const code = totpCode(seed, totpStep(now))
    const isRight = (given: string) => matchingTotpStep(seed, given, { now, lastStep: 0 }) !== undefined
    assert(isRight(`${code.slice(0, 3)} ${code.slice(3)}`))
    for (const wrong of ['', code.slice(1), `${code}0`, `+${code.slice(1)}`, 'abcdef', '０'.repeat(6)])
      assert(!isRight(wrong))
  })

  test('have a secret of 160 bits, and an address for apps', () => {
    assert.match(newTotpSeed(), /^[A-Z2-7]{32}$/)
    assert.notEqual(newTotpSeed(), newTotpSeed())
    assert.equal(
      totpUri(seed, { issuer: 'Lectern', account: 'a+b@example.com' }),
      `otpauth://totp/Lectern:a%2Bb%40example.com?secret=${seed}&issuer=Lectern`,
    )
  })
})

/** A user with a confirmed second factor. */
async function withFactor(name: string) {
  const person = await world.person(name, 'read')
  assert.equal((await person('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  const begun = await person('POST /v1/user/second-factor', { password: PASSWORD })
  assert.equal(begun.status, 200, begun.text)
  const seed = begun.body.secret as string
  const codeNow = (offset = 0) => totpCode(seed, totpStep(clock.now ?? new Date()) + offset)
  const confirmed = await person('PUT /v1/user/second-factor', { code: codeNow(-1) })
  assert.equal(confirmed.status, 200, confirmed.text)
  const email = `${name}@example.com`
  const signIn = (code?: string, password = PASSWORD, ip = '203.0.113.9') =>
    nobody('POST /v1/account/sessions', { email, password, code }, { 'x-forwarded-for': ip })
  return { person, seed, codeNow, codes: confirmed.body.codes as string[], signIn }
}

test('signing in requires a code only after the app is confirmed', async () => {
  const person = await world.person('ann', 'read')
  await person('PUT /v1/account/password', { password: PASSWORD })
  const signIn = { email: 'ann@example.com', password: PASSWORD }
  assert.deepEqual((await person('GET /v1/user/second-factor')).body, {
    object: 'second-factor',
    enabled: false,
    recoveryCodes: 0,
  })
  assert.equal((await person('PUT /v1/user/second-factor', { code: '123456' })).status, 409)

  const { secret } = (await person('POST /v1/user/second-factor', { password: PASSWORD })).body
  assert.equal((await nobody('POST /v1/account/sessions', signIn)).status, 201)
  assert.equal((await person('PUT /v1/user/second-factor', { code: '123456' })).status, 400)
  const code = totpCode(secret, totpStep(new Date()))
  const { codes } = (await person('PUT /v1/user/second-factor', { code })).body
  assert.equal(new Set(codes).size, 10)
  for (const one of codes) assert.match(one, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)

  const refused = await nobody('POST /v1/account/sessions', signIn)
  assert.equal(refused.status, 401)
  assert.match(refused.body.error.message, /second factor: send the code/)
  assert.equal((await person('POST /v1/user/second-factor', { password: PASSWORD })).status, 409)
})

test('neither the database nor the audit log has the secret or a recovery code in plain text', async () => {
  const { person, seed, codes } = await withFactor('bea')
  const rows = [
    await world.db.read.selectFrom('secondFactor').selectAll().execute(),
    await world.db.read.selectFrom('recoveryCode').selectAll().execute(),
    await world.db.read.selectFrom('auditEvent').selectAll().where('actorId', '=', person.id).execute(),
  ]
  const stored = JSON.stringify(rows)
  for (const secret of [seed, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    assert(!stored.includes(secret))
  assert(rows[2]!.length >= 3)
})

test('a code signs in once, and a wrong password is wrong with a right code', async () => {
  const { codeNow, signIn } = await withFactor('cid')
  assert.equal((await signIn('000000')).status, 401)
  assert.equal((await signIn(codeNow(), 'wrong')).status, 401)
  assert.equal((await signIn(codeNow())).status, 201)
  assert.equal((await signIn(codeNow())).status, 401, 'again')
  assert.equal((await signIn(codeNow(-1))).status, 401, 'an earlier one')
})

test('two requests with one code: one of them signs in', async () => {
  const { codeNow, signIn, codes } = await withFactor('dee')
  for (const code of [codeNow(), codes[0]]) {
    const answers = await Promise.all([signIn(code), signIn(code), signIn(code)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 401, 401])
  }
})

test('a recovery code signs in once, in any spelling', async () => {
  const { person, codes, signIn } = await withFactor('eve')
  assert.equal((await signIn(codes[0]!.toUpperCase().replaceAll('-', ' '))).status, 201)
  assert.equal((await signIn(codes[0])).status, 401)
  assert.equal((await person('GET /v1/user/second-factor')).body.recoveryCodes, 9)

  const replaced = await person('POST /v1/user/second-factor/recovery-codes', { code: codes[1] })
  assert.equal(replaced.body.codes.length, 10)
  assert.equal((await signIn(codes[2])).status, 401)
  assert.equal((await signIn(replaced.body.codes[3])).status, 201)
})

test('turning it off requires a code, and then signing in requires none', async () => {
  const { person, codes, signIn } = await withFactor('fay')
  assert.equal((await person('POST /v1/user/second-factor/removal', { code: '000000' })).status, 400)
  assert.equal((await person('POST /v1/user/second-factor/removal', { code: codes[0] })).status, 204)
  assert.equal((await signIn()).status, 201)
  assert.equal((await person('GET /v1/user/second-factor')).body.enabled, false)
})

test('guesses of a code are throttled, whatever network they come from', async (t) => {
  stopClock(t, world)
  const { signIn, codeNow } = await withFactor('gus')
  for (let i = 0; i < 9; i++) assert.equal((await signIn('000000', PASSWORD, `198.51.${i}.1`)).status, 401)
  assert.equal((await signIn(codeNow(), PASSWORD, '198.51.77.1')).status, 429)
  clock.now = new Date(Date.now() + 15 * 60_000)
  assert.equal((await signIn(codeNow(), PASSWORD, '198.51.77.1')).status, 201)
})

test('setting it up requires the password, or a sign-in in the last 15 minutes', async () => {
  const hal = await world.person('hal', 'read')
  await hal('PUT /v1/account/password', { password: PASSWORD })
  const begin = (who: Person, password?: string) => who('POST /v1/user/second-factor', { password })
  assert.equal((await begin(hal)).status, 403)
  assert.equal((await begin(hal, 'wrong')).status, 400)
  const browser = await inSession(world, hal)
  assert.equal((await begin(browser)).status, 200)
  clock.now = new Date(Date.now() + 15 * 60_000)
  assert.equal((await begin(browser)).status, 403)
  assert.equal((await begin(browser, PASSWORD)).status, 200)
  clock.now = undefined
})

test('a session of an organization’s provider cannot change the account', async () => {
  const ivy = await world.person('ivy', 'read')
  const organizationId = world.organizationId
  const browser = await inSession(world, ivy, { method: 'saml', providerId: 'p', organizationId })
  for (const request of [
    'POST /v1/user/second-factor',
    'POST /v1/user/passkeys/challenges',
    'GET /v1/user/second-factor',
  ])
    assert.equal((await browser(request, request.startsWith('GET') ? undefined : {})).status, 403, request)
})
