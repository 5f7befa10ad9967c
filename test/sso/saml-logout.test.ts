/** Single logout by SAML in both directions, with a provider of another implementation, and requests that are refused. */
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { selfSigned } from '../../src/access/credentials/self-signed.ts'
import { createWorld } from '../world.ts'
import { browser, type Browser } from './browser.ts'
import { key, nextKey, strangersKey } from './saml-kit.ts'
import { type Account, startSamlProvider } from './saml-provider.ts'

const { SamlLib } = createRequire(import.meta.url)('samlify') as {
  SamlLib: { constructSAMLSignature(options: object): string }
}
const world = await createWorld()
const { ada, url, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const idp = await startSamlProvider(key)
const { body: provider } = await ada(`POST ${org}/saml`, {
  label: 'Example',
  entityID: idp.entityID,
  ssoURL: idp.ssoURL,
  logoutURL: idp.logoutURL,
  certificate: key.certificate,
})
const { service, id: providerId } = provider
idp.know((await browser().load(service.entityID)).text)

const account = (name: string, sessionIndex = `session-of-${name}`): Account => ({
  nameID: `id-of-${name}`,
  email: `${name}@example.com`,
  displayName: name,
  sessionIndex,
})

async function signedIn(person: Account): Promise<Browser> {
  const user = browser()
  const start = await user.load(service.startURL)
  const { acsURL, form } = await idp.answer(start.location!, person)
  const answered = await user.load(acsURL, form, idp.ssoURL)
  assert.equal((await user.load(answered.location!)).status, 303)
  assert.equal(await statusOf(user), 200)
  return user
}

const statusOf = async (user: Browser) => {
  const headers = { cookie: user.cookies(url), 'sec-fetch-site': 'same-origin' }
  return (await world.nobody('GET /v1/user', undefined, headers)).status
}

test('the provider has the addresses and the certificate for it', async () => {
  assert.equal(provider.logoutURL, idp.logoutURL)
  assert.equal(service.logoutURL, `${url}/sso/${providerId}/logout`)
  assert.match(service.certificate, /^-----BEGIN CERTIFICATE-----/)
  const wrong = await ada(`PATCH ${org}/saml/${providerId}`, { logoutURL: 'https://[' })
  assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'body.logoutURL'])
})

for (const path of ['/sign-out', 'own session'])
  test(`signing out here (${path}) signs the person out at the provider too`, async () => {
    const user = await signedIn(account('grace'))
    const headers = { cookie: user.cookies(url), 'sec-fetch-site': 'same-origin' }
    const [session] = (await world.nobody('GET /v1/user/sessions', undefined, headers)).body.items
    const at = path === '/sign-out' ? path : `/app/sessions/${session.id}/end`
    const out = await user.load(`${url}${at}`, {})
    assert.equal(out.status, 303)
    assert.match(out.location!, new RegExp(`^${url}/sso/${providerId}/sign-out\\?ticket=`))
    assert.equal(await statusOf(user), 401)

    // A redirect would be refused by `form-action` of the page with the form.
    const page = await user.load(out.location!)
    assert.equal(page.status, 200)
    const [, to = ''] = /^0; url=(.*)$/.exec(String(page.headers.refresh)) ?? []
    assert(to.startsWith(`${idp.logoutURL}?`), to)
    assert(page.text.includes('Example signs you out now'))
    const { nameID, sessionIndex, issuer } = await idp.readSignOut(to)
    assert.deepEqual([nameID, sessionIndex, issuer], ['id-of-grace', 'session-of-grace', service.entityID])

    const back = await user.load(`${service.logoutURL}?SAMLResponse=x`)
    assert.deepEqual([back.status, back.location], [303, `${url}/sign-in?note=signed-out`])
  })

test('a ticket that is not valid, or too old, only shows that the person is signed out', async () => {
  const user = await signedIn(account('grace'))
  const { location } = await user.load(`${url}/sign-out`, {})
  world.clock.now = new Date(Date.now() + 6 * 60_000)
  const late = await user.load(location!)
  world.clock.now = undefined
  const wrong = await user.load(location!.replace(/ticket=.{20}/, 'ticket=AAAAAAAAAAAAAAAAAAAA'))
  for (const page of [late, wrong])
    assert.deepEqual([page.status, page.location], [303, `${url}/sign-in?note=signed-out`])
})

const SENDERS: [string, (person: Account) => Promise<{ status: number; location: string | undefined }>][] = [
  ['a redirect', async (person) => browser().load(idp.signOut(person, 'state of 1 & 2').location)],
  [
    'a form',
    async (person) => {
      const { logoutURL, form } = idp.signOutForm(person)
      return browser().load(logoutURL, { ...form, RelayState: 'state of 1 & 2' }, idp.ssoURL)
    },
  ],
]

for (const [how, send] of SENDERS)
  test(`the provider signs a person out with ${how}: their sessions end, and no others`, async () => {
    const [first, second, other] = [
      await signedIn(account('lin')),
      await signedIn(account('lin')),
      await signedIn(account('kim')),
    ]
    const answered = await send(account('lin'))
    assert.equal(answered.status, 303)
    assert(answered.location!.startsWith(`${idp.logoutURL}?`))
    const { status, relayState, inResponseTo } = await idp.readSignedOut(answered.location!)
    assert.equal(status, 'urn:oasis:names:tc:SAML:2.0:status:Success')
    assert.equal(relayState, 'state of 1 & 2')
    assert.match(inResponseTo, /^_/)
    assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(other)], [401, 401, 200])
    const { body } = await ada(`GET ${org}/audit-events?action=account.sso.sign-out`)
    const [event, before] = body.items
    assert.deepEqual([event.target.id, event.actor.label], [providerId, 'lin'])
    assert.equal(before.actor.id, event.actor.id)
  })

test('a request that names sessions of the provider ends only these', async () => {
  const [desk, phone] = [await signedIn(account('max', 'desk')), await signedIn(account('max', 'phone'))]
  await browser().load(idp.signOut(account('max', 'desk')).location)
  assert.deepEqual([await statusOf(desk), await statusOf(phone)], [401, 200])
  await browser().load(idp.signOut({ ...account('max'), sessionIndex: '' }).location)
  assert.equal(await statusOf(phone), 200, 'an index of nothing names no session of this person')
})

// Requests by hand.

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const ECDSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'

interface Written {
  issuer?: string
  destination?: string
  issued?: Date
  end?: Date
  name?: string
  root?: string
  id?: string
}

function written(changes: Written = {}): string {
  const { issuer = idp.entityID, destination = service.logoutURL, issued = new Date(), end } = changes
  const { name = '<saml:NameID>id-of-zoe</saml:NameID>', root = 'LogoutRequest' } = changes
  const { id = `_${crypto.randomUUID()}` } = changes
  const until = end === undefined ? '' : ` NotOnOrAfter="${end.toISOString()}"`
  return (
    `<samlp:${root} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0"` +
    ` IssueInstant="${issued.toISOString()}" Destination="${destination}"${until}><saml:Issuer>${issuer}</saml:Issuer>${name}</samlp:${root}>`
  )
}

function redirect(
  xml: string,
  {
    by = key.privateKey,
    algorithm = RSA_SHA256,
    hash = 'sha256',
    after = (query: string) => query,
  }: { by?: string; algorithm?: string; hash?: string; after?: (query: string) => string } = {},
): string {
  const signed = `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}&SigAlg=${encodeURIComponent(algorithm)}`
  const how = { key: createPrivateKey(by), dsaEncoding: 'ieee-p1363' as const }
  const signature = signBytes(hash, Buffer.from(signed), how).toString('base64')
  return `${service.logoutURL}?${after(`${signed}&Signature=${encodeURIComponent(signature)}`)}`
}

function posted(xml: string, by = key, signatureAlgorithm = RSA_SHA256): Record<string, string> {
  const SAMLRequest = SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: `/*[local-name(.)='LogoutRequest']`,
    privateKey: by.privateKey,
    privateKeyPass: '',
    signatureAlgorithm,
    signingCert: by.certificate.replace(/-----.*-----|\s/g, ''),
    isBase64Output: true,
    signatureConfig: {
      prefix: 'ds',
      location: { reference: `/*[local-name(.)='LogoutRequest']/*[local-name(.)='Issuer']`, action: 'after' },
    },
  })
  return { SAMLRequest }
}

const unsigned = (xml: string) => ({ SAMLRequest: Buffer.from(xml).toString('base64') })
const minutes = (n: number) => new Date(Date.now() + n * 60_000)
const changed = (form: Record<string, string>, from: string, to: string) =>
  unsigned(Buffer.from(form.SAMLRequest!, 'base64').toString().replace(from, to))

/** Requests that are wrong in any binding. */
const WRONG: [string, Written, RegExp][] = [
  ['another issuer', { issuer: 'https://evil.example' }, /issuer/],
  ['another destination', { destination: service.acsURL }, /destination/],
  ['no destination', { destination: '' }, /destination/],
  ['an old request', { issued: minutes(-7) }, /expired/],
  ['a request that has ended', { end: minutes(-2) }, /expired/],
  ['a request from the future', { issued: minutes(2) }, /future/],
  ['no name', { name: '' }, /one element NameID/],
  ['two names', { name: '<saml:NameID>a</saml:NameID><saml:NameID>b</saml:NameID>' }, /one element NameID/],
  ['an empty name', { name: '<saml:NameID> </saml:NameID>' }, /name identifier/],
  ['an encrypted name of garbage', { name: '<saml:EncryptedID>x</saml:EncryptedID>' }, /one element Enc/],
  ['a comment in the name', { name: '<saml:NameID>id-of-zoe<!-- -->.evil</saml:NameID>' }, /elements only/],
]

const REFUSED: [string, () => [string, Record<string, string>?], RegExp][] = [
  ...WRONG.flatMap(([name, changes, reason]): typeof REFUSED => [
    [`${name}, by a redirect`, () => [redirect(written(changes))], reason],
    [`${name}, by a form`, () => [service.logoutURL, posted(written(changes))], reason],
  ]),
  ['no request at all', () => [service.logoutURL], /not signed/],
  ['an empty form', () => [service.logoutURL, {}], /no SAMLRequest/],
  [
    'a redirect without a signature',
    () => [redirect(written(), { after: (query) => query.replace(/&Signature=.*/, '') })],
    /not signed/,
  ],
  ['a redirect by a stranger', () => [redirect(written(), { by: strangersKey.privateKey })], /not valid/],
  [
    'a redirect with SHA-1',
    () => [redirect(written(), { algorithm: RSA_SHA1, hash: 'sha1' })],
    /not accepted/,
  ],
  [
    'a redirect with a state that is not signed',
    () => [redirect(written(), { after: (query) => `${query}&RelayState=x` })],
    /not valid/,
  ],
  [
    'a redirect with two requests',
    () => [redirect(written(), { after: (query) => `${query}&${query.split('&')[0]}` })],
    /several/,
  ],
  ['a redirect with a response of sign-in', () => [redirect(written({ root: 'Response' }))], /not a request/],
  ['a form without a signature', () => [service.logoutURL, unsigned(written())], /not signed/],
  ['a form by a stranger', () => [service.logoutURL, posted(written(), strangersKey)], /not valid/],
  ['a form with SHA-1', () => [service.logoutURL, posted(written(), key, RSA_SHA1)], /not accepted/],
  [
    'a form that was changed',
    () => [service.logoutURL, changed(posted(written()), 'id-of-zoe', 'id-of-max')],
    /not valid/,
  ],
  [
    'a form whose signature is of another element',
    () => [service.logoutURL, changed(posted(written({ id: '_a' })), 'ID="_a"', 'ID="_b"')],
    /own element/,
  ],
]

test('requests that are not signed, not fresh, or for others are refused, and end nothing', async (t) => {
  const user = await signedIn(account('zoe'))
  const warn = t.mock.method(world.app.server.log, 'warn')
  for (const [name, make, reason] of REFUSED) {
    const [address, form] = make()
    const page = await browser().load(address, form, idp.ssoURL)
    assert.equal(page.status, 403, name)
    assert(page.text.includes('was not accepted'), name)
    const [fact, message] = warn.mock.calls.at(-1)!.arguments as [{ reason: string }, string]
    assert.equal(message, 'sign-out refused')
    assert.match(fact.reason, reason, name)
  }
  assert.equal(await statusOf(user), 200)
})

test('a request ends sessions once, and a repetition of it none', async () => {
  for (const request of [[redirect(written())], [service.logoutURL, posted(written())]] as const) {
    const before = await signedIn(account('zoe'))
    assert.equal((await browser().load(request[0], request[1], idp.ssoURL)).status, 303)
    assert.equal(await statusOf(before), 401)
    const again = await signedIn(account('zoe'))
    assert.equal((await browser().load(request[0], request[1], idp.ssoURL)).status, 403)
    assert.equal(await statusOf(again), 200)
  }
})

test('a provider with an ECDSA key, and one without an address for responses, sign people out', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = `${key.certificate}${selfSigned(privateKey, 'EC', new Date())}`
  await ada(`PATCH ${org}/saml/${providerId}`, { certificate, logoutURL: '' })
  const by = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const user = await signedIn(account('zoe'))
  const page = await browser().load(redirect(written(), { by, algorithm: ECDSA_SHA256 }))
  assert.deepEqual([page.status, page.location], [303, `${url}/sign-in?note=signed-out`])
  assert.equal(await statusOf(user), 401)
  const last = await signedIn(account('zoe'))
  assert.equal((await last.load(`${url}/sign-out`, {})).location, `${url}/sign-in?note=signed-out`)
})

test('a provider ends no sessions of another one', async () => {
  const { body: second } = await ada(`POST ${org}/saml`, {
    label: 'Second',
    entityID: idp.entityID,
    ssoURL: idp.ssoURL,
    certificate: nextKey.certificate,
  })
  const user = await signedIn(account('zoe'))
  const address = redirect(written({ destination: second.service.logoutURL }), { by: nextKey.privateKey })
  const page = await browser().load(address.replace(service.logoutURL, second.service.logoutURL))
  assert.equal(page.status, 303)
  assert.equal(await statusOf(user), 200)
})
