/** The signature of an ID token, which a provider sends over TLS: it counts nonetheless. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { createWorld } from '../world.ts'
import { browser } from './browser.ts'

const world = await createWorld()
const { ada, organizationId } = world
const keys = await generateKeyPair('RS256', { extractable: true })
const others = await generateKeyPair('RS256', { extractable: true })
const jwk = async (key: CryptoKey): Promise<JWK> => ({ ...(await exportJWK(key)), kid: 'one', alg: 'RS256' })

let published = [await jwk(keys.publicKey)]
let fetchedKeys = 0
let idToken = ''
const server = createServer((request, response) => {
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => {
      fetchedKeys += 1
      return { keys: published }
    },
    '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: idToken }),
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answers[request.url ?? '']?.() ?? {}))
}).listen(0, '127.0.0.1')
after(() => server.close())
await new Promise((listening) => server.once('listening', listening))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const secret = 'a secret of the client that has enough bytes for HS256'
const provider = await ada(`POST /v1/orgs/${organizationId}/oidc`, {
  label: 'Example',
  issuer,
  clientID: 'lectern',
  clientSecret: secret,
})

type Claims = Record<string, unknown>
async function signIn(make: (claims: Claims) => Promise<string> | string): Promise<number> {
  const user = browser()
  const start = await user.load(provider.body.service.startURL)
  const query = new URL(start.location!).searchParams
  const now = Math.floor(Date.now() / 1000)
  idToken = await make({
    iss: issuer,
    aud: 'lectern',
    sub: 'grace',
    email: 'grace@example.com',
    email_verified: true,
    nonce: query.get('nonce'),
    iat: now,
    exp: now + 60,
  })
  const back = new URL(provider.body.service.callbackURL)
  back.search = new URLSearchParams({ code: 'x', state: query.get('state')! }).toString()
  return (await user.load(back.href)).status
}
const signed =
  (key: CryptoKey | Uint8Array, alg = 'RS256', kid = 'one') =>
  (claims: Claims) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key)

test('an ID token signs a person in only with a signature by a key of the provider', async () => {
  assert.equal(await signIn(signed(keys.privateKey)), 303)
  const tampered = async (claims: Claims) => {
    const [head, , signature] = (await signed(keys.privateKey)(claims)).split('.')
    const body = Buffer.from(JSON.stringify({ ...claims, sub: 'ada', email: 'admin@example.com' }))
    return `${head}.${body.toString('base64url')}.${signature}`
  }
  const refused: [string, (claims: Claims) => Promise<string> | string][] = [
    ['a key of somebody else', signed(others.privateKey)],
    ['other claims', tampered],
    ['no signature', (claims) => new UnsecuredJWT(claims).encode()],
    ['the client secret as the key', signed(new TextEncoder().encode(secret), 'HS256')],
    ['an unknown key', signed(others.privateKey, 'RS256', 'two')],
  ]
  for (const [what, make] of refused) assert.equal(await signIn(make), 403, what)
})

test('keys are fetched once for many sign-ins, also if their tokens name unknown keys', async () => {
  const before = fetchedKeys
  for (let i = 0; i < 5; i += 1) await signIn(signed(others.privateKey, 'RS256', `unknown-${i}`))
  assert.equal(fetchedKeys, before)
  assert(before >= 1)
  published = []
  assert.equal(await signIn(signed(keys.privateKey)), 303)
})
