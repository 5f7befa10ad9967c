/** Passkeys: registering them, and signing in with them. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type Authenticator, authenticator, type Wrong } from '../authenticator.ts'
import { browserOf } from '../console/pages.ts'
import { inSession } from '../signed-in.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { nobody, clock } = world
const { origin, hostname } = new URL(world.url)
let network = 0

async function registered(name: string) {
  const person = await world.person(name, 'read')
  const browser = await inSession(world, person)
  const device = authenticator(origin, person.id)
  const options = await challengeFor(browser)
  const made = await browser('POST /v1/user/passkeys', { label: 'phone', credential: device.create(options) })
  assert.equal(made.status, 201, made.text)
  return { person, browser, device, id: made.body.id as string }
}

async function challengeFor(person: Person) {
  const { status, body, text } = await person('POST /v1/user/passkeys/challenges', {})
  assert.equal(status, 200, text)
  return body.options as { challenge: string; rp: { id: string } }
}

const ofPage = () => ({ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': `198.51.${(network += 1)}.1` })

async function askedToSignIn() {
  const { status, body, text } = await nobody('POST /sign-in/passkey/options', {}, ofPage())
  assert.equal(status, 200, text)
  return body.options as { challenge: string; rpId: string }
}

const answer = (credential: object, next?: string) =>
  nobody('POST /sign-in/passkey', { credential, ...(next ? { next } : {}) }, ofPage())

async function signIn(device: Authenticator, wrong?: Wrong) {
  return answer(device.get(await askedToSignIn(), wrong))
}

test('a registered passkey signs its user in', async () => {
  const { device, person, browser } = await registered('ann')
  const signedIn = await answer(device.get(await askedToSignIn()), '/app/o/1')
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.deepEqual(signedIn.body, { location: '/app/o/1' })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  const me = await nobody('GET /v1/user', undefined, { cookie })
  assert.equal(me.body.id, person.id)
  const [session] = (await nobody('GET /v1/user/sessions', undefined, { cookie })).body.items
  assert.equal(session.method, 'passkey')
  const [listed] = (await browser('GET /v1/user/passkeys')).body.items
  assert.deepEqual(Object.keys(listed).toSorted(), [
    'backedUp',
    'createdAt',
    'id',
    'label',
    'lastUsedAt',
    'object',
  ])
})

test('the challenge asks for this host, for a passkey that names its user, and to check the user', async () => {
  const { person } = await registered('bea')
  const begun = await (await inSession(world, person))('POST /v1/user/passkeys/challenges', {})
  const { options } = begun.body
  assert.equal(options.rp.id, hostname)
  assert.deepEqual(options.authenticatorSelection.residentKey, 'required')
  assert.equal(options.authenticatorSelection.userVerification, 'required')
  assert.equal(options.excludeCredentials.length, 1)
  const requestOptions = (await nobody('POST /sign-in/passkey/options', {}, ofPage())).body.options
  assert.equal(requestOptions.userVerification, 'required')
  assert.equal(requestOptions.allowCredentials, undefined, 'it names no passkey, so it reveals no account')
})

const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const WRONGS: [string, Wrong][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: `http://localhost:1` }],
  ['another host', { rpId: 'evil.example' }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['a user who is not checked', { flags: 0x01 }],
  ['a user who is not there', { flags: 0x04 }],
]

test('wrong answers sign nobody in', async () => {
  const { device, person } = await registered('cid')
  const more: [string, Wrong][] = [
    ['another key', { signer: foreign }],
    ['another type', { type: 'webauthn.create' }],
    ['another user', { userHandle: 'somebody-else' }],
    ['an earlier count', { counter: 1 }],
  ]
  assert.equal((await signIn(device)).status, 200)
  for (const [what, wrong] of [...WRONGS, ...more]) {
    const refused = await signIn(device, wrong)
    assert.equal(refused.status, 401, what)
    assert.equal(refused.headers.getSetCookie().length, 0, what)
  }
  const unknown = await signIn(authenticator(origin, person.id))
  assert.equal(unknown.status, 401)
  assert.equal((await signIn(device)).status, 200)
})

test('an answer is taken once, also at the same time, and for ten minutes', async () => {
  const { device } = await registered('dee')
  const credential = device.get(await askedToSignIn())
  const answers = await Promise.all([answer(credential), answer(credential), answer(credential)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401])

  const options = await askedToSignIn()
  clock.now = new Date(Date.now() + 11 * 60_000)
  assert.equal((await answer(device.get(options))).status, 401)
  clock.now = undefined
})

test('wrong passkeys are not registered', async () => {
  const eve = await inSession(world, await world.person('eve', 'read'))
  for (const [what, wrong] of [...WRONGS, ['another type', { type: 'webauthn.get' }] as [string, Wrong]]) {
    const credential = authenticator(origin, eve.id).create(await challengeFor(eve), wrong)
    assert.equal((await eve('POST /v1/user/passkeys', { label: 'x', credential })).status, 400, what)
  }
  const device = authenticator(origin, eve.id)
  const made = device.create(await challengeFor(eve))
  for (const credential of [
    {},
    { ...made, id: '' },
    { ...made, response: {} },
    { ...made, type: 'password' },
  ])
    assert.equal((await eve('POST /v1/user/passkeys', { label: 'x', credential })).status, 400)
  assert.equal((await eve('GET /v1/user/passkeys')).body.count, 0)
})

test('a challenge registers one passkey, of the user whom it was given to', async () => {
  const [fay, gus] = [
    await inSession(world, await world.person('fay', 'read')),
    await inSession(world, await world.person('gus', 'read')),
  ]
  const options = await challengeFor(fay)
  const device = authenticator(origin, fay.id)
  const credential = device.create(options)
  assert.equal((await gus('POST /v1/user/passkeys', { label: 'x', credential })).status, 400)
  assert.equal((await fay('POST /v1/user/passkeys', { label: 'x', credential })).status, 201)
  assert.equal((await fay('POST /v1/user/passkeys', { label: 'x', credential })).status, 400)
  const again = device.create(await challengeFor(gus))
  assert.equal((await gus('POST /v1/user/passkeys', { label: 'x', credential: again })).status, 409)

  // A challenge to sign in with is none to register with.
  const requestOptions = await askedToSignIn()
  const other = authenticator(origin, fay.id).create({
    challenge: requestOptions.challenge,
    rp: { id: requestOptions.rpId },
  })
  assert.equal((await fay('POST /v1/user/passkeys', { label: 'x', credential: other })).status, 400)
})

test('a deleted passkey signs nobody in, and nobody deletes another’s', async () => {
  const { device, browser, id } = await registered('hal')
  const stranger = await world.person('ivy', 'read')
  assert.equal((await stranger(`DELETE /v1/user/passkeys/${id}`)).status, 204)
  assert.equal((await signIn(device)).status, 200)
  assert.equal((await browser(`DELETE /v1/user/passkeys/${id}`)).status, 205)
  assert.equal((await signIn(device)).status, 401)
})

test('registering requires the password, or a recent sign-in', async () => {
  const jon = await world.person('jon', 'read')
  assert.equal((await jon('POST /v1/user/passkeys/challenges', {})).status, 403)
  await jon('PUT /v1/account/password', { password: 'correct horse battery' })
  const begun = await jon('POST /v1/user/passkeys/challenges', { password: 'correct horse battery' })
  assert.equal(begun.status, 200)
})

test('another site cannot begin or finish a sign-in with the browser', async () => {
  const { device } = await registered('kim')
  const options = await askedToSignIn()
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { 'sec-fetch-site': site }
    assert.equal((await nobody('POST /sign-in/passkey/options', {}, headers)).status, 403)
    const credential = device.get(options)
    assert.equal((await nobody('POST /sign-in/passkey', { credential }, headers)).status, 403)
  }
  assert.equal((await browserOf(world).open('/sign-in')).status, 200)
})
