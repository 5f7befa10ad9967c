/** Faults of identity providers, at each address that a sign-in asks. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { browser, type Page } from '../sso/browser.ts'
import { createWorld } from '../world.ts'
import { type Fault, HTTP_FAULTS, faultyServer } from './faulty-server.ts'
import { isDelay } from './outcomes.ts'

const world = await createWorld()
const { ada, organizationId } = world
const keys = await generateKeyPair('RS256', { extractable: true })
const published = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }

let nonce = ''
const working = createServer((request, response) => {
  const answer = request.url === '/keys' ? { keys: [published] } : undefined
  response.setHeader('content-type', 'application/json')
  if (request.url !== '/token') return response.end(JSON.stringify(answer ?? discovered()))
  const seconds = Math.floor(Date.now() / 1000)
  void new SignJWT({ nonce, email: 'grace@example.com', email_verified: true })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(faulty.url)
    .setAudience('lectern')
    .setSubject('grace')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 60)
    .sign(keys.privateKey)
    .then((token) =>
      response.end(JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token: token })),
    )
  return undefined
})
await new Promise<void>((listening) => working.listen(0, '127.0.0.1', listening))
const faulty = await faultyServer(`http://127.0.0.1:${(working.address() as AddressInfo).port}`)
after(async () => {
  await faulty.close()
  working.close()
})

const discovered = () => ({
  issuer: faulty.url,
  authorization_endpoint: `${faulty.url}/authorize`,
  token_endpoint: `${faulty.url}/token`,
  jwks_uri: `${faulty.url}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

const org = `/v1/orgs/${organizationId}`
const { body: provider } = await ada(`POST ${org}/oidc`, {
  label: 'Example',
  defaultRole: 'comment',
  issuer: faulty.url,
  clientID: 'lectern',
  clientSecret: 'a secret of the client',
})

/** Signs in. The server keeps what a provider says for ten minutes, so each time is an hour later. */
let hours = 0
async function signIn(): Promise<string> {
  world.clock.now = new Date(Date.now() + 3_600_000 * ++hours)
  const user = browser()
  const start = await user.load(provider.service.startURL)
  if (start.status !== 302) return inBrowser(start)
  const query = new URL(start.location!).searchParams
  nonce = query.get('nonce')!
  const back = new URL(provider.service.callbackURL)
  back.search = new URLSearchParams({ code: 'x', state: query.get('state')! }).toString()
  return inBrowser(await user.load(back.href))
}

function inBrowser({ status, headers }: Page): string {
  const retry = headers['retry-after']
  return retry === undefined ? String(status) : `${status}, retry in ${String(retry)}`
}

const ADDRESSES = [
  { address: 'its configuration', only: /^GET \/\.well-known/ },
  { address: 'its tokens', only: /^POST \/token/ },
  { address: 'its keys', only: /^GET \/keys/ },
]

for (const { address, only } of ADDRESSES)
  for (const fault of HTTP_FAULTS) {
    // A provider that is slow has ten seconds, so only the limit of other sources is tried.
    if (isDelay(fault)) continue
    // A provider that refuses connections refuses them for all addresses.
    if (fault === 'refuse' && address !== 'its configuration') continue
    // What a provider says wrongly is refused as a wrong configuration is.
    const seen = fault === 'a page of a proxy' ? '403' : '503, retry in 60'
    test(`${address}, ${fault}: ${seen}`, async (t) => {
      t.after(() => faulty.fail(undefined))
      faulty.only = only
      await faulty.fail(fault)
      assert.equal(await signIn(), seen)
      assert(faulty.requests.some((line) => only.test(line)) || fault === 'refuse')
      await faulty.fail(undefined)
      assert.equal(await signIn(), '303')
    })
  }

const ONCE: readonly Fault[] = ['reset at once', 'reset in the body', '500', 'truncated']
for (const fault of ONCE)
  test(`${fault}, once: not visible, but for tokens, whose code is valid once`, async () => {
    for (const { address, only } of ADDRESSES) {
      faulty.only = only
      await faulty.fail(fault, 1)
      assert.equal(await signIn(), address === 'its tokens' ? '503, retry in 60' : '303', address)
    }
    await faulty.fail(undefined)
  })
