/** The identity providers of an organization, and where its members sign in; also in an existing client. */
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { selfSigned } from '../../src/access/credentials/self-signed.ts'
import { clientOf, judged } from '../client.ts'
import { key, nextKey, shortKey } from '../sso/saml-kit.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId, url } = world
const org = `/v1/orgs/${organizationId}`
const orgs = judged(clientOf(world), 'orgs')
const SSO = { entityID: 'https://idp.example.com', ssoURL: 'https://idp.example.com/sso' }

test('an existing client adds, reads, changes, lists and deletes SAML providers', async () => {
  const team = await orgs('createOrganizationTeam', organizationId, { title: 'Everybody' })
  const fields = { ...SSO, certificate: key.certificate, defaultTeam: team.id, defaultRole: null }
  const made = await orgs('createOrganizationSamlProvider', organizationId, { label: 'Example', ...fields })
  assert.deepEqual([made.status, made.defaultTeam.id, made.defaultRole], ['active', team.id, null])
  assert.equal(made.service.entityID, `${url}/sso/${made.id}/metadata`)
  assert.equal((await orgs('getOrganizationSamlProviderById', organizationId, made.id)).id, made.id)
  const changed = await orgs('updateOrganizationSamlProvider', organizationId, made.id, {
    label: 'Renamed',
    defaultRole: 'read',
  })
  assert.deepEqual(
    [changed.label, changed.defaultRole, changed.certificate],
    ['Renamed', 'read', key.certificate],
  )
  const { items } = await orgs('listSamlProvidersInOrganizationById', organizationId)
  assert.deepEqual(items.length, 1)
  const logins = await orgs('listSsoProviderLoginsInOrganization', organizationId)
  assert.deepEqual(logins.items, [{ id: made.id, label: 'Renamed', startURL: `${url}/sso/${made.id}` }])
  await orgs('deleteOrganizationSamlProvider', organizationId, made.id)
  await orgs('deleteOrganizationSamlProvider', organizationId, made.id)
})

test('what a pending provider returns can be sent again, and an empty text removes a value', async () => {
  const { body: pending } = await ada(`POST ${org}/saml`, { label: 'Again' })
  const { label, ssoURL, entityID, certificate } = pending
  const fields = { label, ssoURL, entityID, certificate }
  const made = await ada(`POST ${org}/saml`, fields)
  assert.deepEqual([made.status, made.body.status, made.body.ssoURL], [201, 'pending', ''])
  const path = `${org}/saml/${made.body.id}`
  assert.equal((await ada(`PATCH ${path}`, SSO)).body.ssoURL, SSO.ssoURL)
  const cleared = await ada(`PATCH ${path}`, fields)
  assert.deepEqual([cleared.status, cleared.body.ssoURL, cleared.body.entityID], [200, '', ''])
  for (const bad of ['ftp://idp.example.com', 'https://', 'https://[x', 'https://a b']) {
    const wrong = await ada(`PATCH ${path}`, { ssoURL: bad })
    assert.deepEqual([wrong.status, wrong.body.error.message.startsWith('body.ssoURL must be ')], [400, true])
  }
})

test('a provider is pending until it has all that signing in needs, and pending ones are no way to sign in', async () => {
  const { status, body, headers } = await ada(`POST ${org}/saml`, { label: 'Pending' })
  assert.deepEqual([status, body.status, body.ssoURL, body.certificate], [201, 'pending', '', ''])
  assert.equal(headers.get('location'), body.urls.location)
  assert.deepEqual((await world.nobody(`GET ${org}/sso`)).body, { items: [] })
  assert.deepEqual((await world.nobody('GET /v1/orgs/nothing/sso')).body, { items: [] })
  const start = await world.nobody(`GET ${body.service.startURL}`)
  assert.equal(start.status, 403)
  // Its metadata is needed to configure the provider.
  const metadata = await world.nobody(`GET ${body.service.entityID}`)
  assert.equal(metadata.headers.get('content-type'), 'application/samlmetadata+xml; charset=utf-8')
  for (const address of [body.service.acsURL, body.service.entityID]) assert(metadata.text.includes(address))
  const { body: complete } = await ada(`PATCH ${org}/saml/${body.id}`, {
    ...SSO,
    certificate: key.certificate,
  })
  assert.equal(complete.status, 'active')
})

test('the default role is that of the organization, unless the provider has another', async () => {
  await ada(`PATCH ${org}`, { defaultRole: 'comment' })
  for (const kind of ['saml', 'oidc']) {
    assert.equal((await ada(`POST ${org}/${kind}`, { label: 'x' })).body.defaultRole, 'comment')
    assert.equal((await ada(`POST ${org}/${kind}`, { label: 'x', defaultRole: null })).body.defaultRole, null)
  }
})

test('a team that is deleted is no default any more', async () => {
  const team = (await ada(`PUT ${org}/teams`, { title: 'Passing' })).body.id
  const { body } = await ada(`POST ${org}/oidc`, { label: 'x', defaultTeam: team })
  assert.equal(body.defaultTeam.id, team)
  await ada(`DELETE ${org}/teams/${team}`)
  assert.equal((await ada(`GET ${org}/oidc/${body.id}`)).body.defaultTeam, undefined)
})

const ofCurve = (namedCurve: string) =>
  selfSigned(generateKeyPairSync('ec', { namedCurve }).privateKey, 'EC', new Date())
const ofEd25519 = `-----BEGIN CERTIFICATE-----
MIIBODCB66ADAgECAhRYUSKAQ1XBScZEokkoZQHyAecXIzAFBgMrZXAwEjEQMA4G
A1UEAwwHRWQyNTUxOTAeFw0yNjExMjkyMjQ3MTFaFw00NjExMjQyMjQ3MTFaMBIx
EDAOBgNVBAMMB0VkMjU1MTkwKjAFBgMrZXADIQASgPw2BnQBrQNEQiSVB+44j395
iCk7oZe93KIpq96d/qNTMFEwHQYDVR0OBBYEFDrDvEjGjm0Cd6wsMJg8hUDgLr74
MB8GA1UdIwQYMBaAFDrDvEjGjm0Cd6wsMJg8hUDgLr74MA8GA1UdEwEB/wQFMAMB
Af8wBQYDK2VwA0EAZyv59x7zllZ1BmZKoVf+AOyKvvIogMEvVhqes5JIojduv0zQ
5G0AAo1AsGP7SnNTpWJqSLaqhyEc7R16MwIUCw==
-----END CERTIFICATE-----`

test('a certificate must be one to verify RSA or ECDSA signatures with', async () => {
  const wrong: [string, RegExp][] = [
    ['certificate', /X\.509 certificate in PEM/],
    [key.privateKey, /X\.509 certificate in PEM/],
    [`${key.certificate}and more`, /nothing else/],
    [key.certificate.replace(/^M.{10}/m, 'MAAAAAAAAAA'), /X\.509 certificate in PEM/],
    [shortKey().certificate, /at least 2048 bits, but has 1024/],
    [ofEd25519, /RSA or ECDSA key, but has one of ed25519/],
    [ofCurve('secp256k1'), /P-256, P-384 or P-521, but has secp256k1/],
    [key.certificate.repeat(6), /at most 5 certificates, but has 6/],
  ]
  for (const [certificate, reason] of wrong) {
    const { status, body } = await ada(`POST ${org}/saml`, { label: 'x', certificate })
    assert.equal(status, 400, certificate)
    assert.match(body.error.message, reason)
    assert.equal(body.error.details[0].path, 'body.certificate')
  }
  const bare = key.certificate.replace(/-----.*-----/g, '').trim()
  const curves = ['P-256', 'P-384', 'P-521'].map(ofCurve)
  const right = [...curves, `${key.certificate}\r\n\n${nextKey.certificate}`, bare, bare.replace(/\s/g, '')]
  for (const certificate of right)
    assert.equal((await ada(`POST ${org}/saml`, { label: 'x', certificate })).status, 201)
  assert(createPrivateKey(key.privateKey).asymmetricKeyDetails!.modulusLength! >= 2048)
})

test('an organization has at most 50 providers', async () => {
  let last = await ada(`POST ${org}/saml`, { label: 'x' })
  for (let i = 0; i < 50 && last.status === 201; i += 1) last = await ada(`POST ${org}/oidc`, { label: 'x' })
  assert.equal(last.status, 409)
  assert.match(last.body.error.message, /at most 50 identity providers/)
})
