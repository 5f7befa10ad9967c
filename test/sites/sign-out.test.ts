/** How readers sign out of a site, and what cannot sign them out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { cookiesOf, jwt, siteForReaders } from './reading.ts'
import { soon } from './reader-table.ts'

const world = await createWorld()
const { ada, nobody } = world
const site = await siteForReaders(world, 'Leaving')
await site.set({ visibility: 'visitor-auth' })
await ada(`PATCH ${site.at}/publishing/auth`, {
  backend: 'custom',
  fallbackURL: 'https://app.example.com/in',
})

test('only the form of the site itself signs a reader out', async () => {
  for (const published of [true, false]) {
    if (!published) await ada(`POST ${site.at}/unpublish`)
    const { url } = (await ada(`GET ${site.at}/publishing/preview`)).body
    const preview = cookiesOf(await site.get(new URL(url).search))
    const token = `lectern-visitor=${jwt(site.privateKey, { plan: 'pro', exp: soon() })}`
    for (const cookie of published ? [token, preview, ''] : [preview]) {
      const confirmation = await site.get('~/sign-out', { cookie })
      assert.equal(confirmation.status, 200)
      assert.deepEqual(confirmation.headers.getSetCookie(), [])
      assert.match(confirmation.text, /<form method="post"><button/)
      assert.doesNotMatch(confirmation.text, /<script|Leaving/, 'it has no scripts, and nothing of the site')
      const policy = confirmation.headers.get('content-security-policy')!
      assert.match(policy, /default-src 'none'.*form-action 'self'; frame-ancestors 'none'$/)
      assert.doesNotMatch(policy, /sandbox|script-src/)
      assert.equal(confirmation.headers.get('cache-control'), 'private, no-store')
      assert.equal(
        (await site.get('~/sign-out?visitor.beta=true', { cookie })).headers.getSetCookie().length,
        0,
      )

      const { origin } = new URL(world.url)
      const foreign: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site', origin: 'null' },
        { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
        {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
          origin,
        },
        { 'sec-fetch-site': 'none' },
        { origin: 'null' },
        { origin: 'https://evil.example' },
        {},
      ]
      for (const headers of foreign) {
        const refused = await nobody(`POST ${site.base}~/sign-out`, undefined, { cookie, ...headers })
        assert.equal(refused.status, 403, JSON.stringify(headers))
        assert.deepEqual(refused.headers.getSetCookie(), [])
        assert.match(refused.text, /open \/sites\/docs\/\S+~\/sign-out/)
      }
      const own = await nobody(`POST ${site.base}~/sign-out`, undefined, { cookie, origin })
      for (const left of [await site.signOut({ cookie }), own]) {
        assert.equal(left.status, 200, left.text)
        assert.equal(left.headers.getSetCookie().filter((one) => one.endsWith('Max-Age=0')).length, 3)
      }
    }
  }
  assert.equal((await site.signOut()).status, 404, 'a site that is not published')
  await ada(`POST ${site.at}/publish`)

  const put = await nobody(`PUT ${site.base}~/sign-out`)
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST'])
  assert.equal((await nobody(`POST ${site.base}open/~/sign-out`)).status, 401, 'of a page')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await nobody(`POST ${site.base}~/events`, new Uint8Array([97]), form)).status, 415)
})
