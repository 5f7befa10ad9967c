/** The job that requests external addresses. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { guardedFetch } from '../../src/http/outgoing/guarded-fetch.ts'
import { parseRanges } from '../../src/http/limits/networks.ts'
import type { Services } from '../../src/http/route.ts'
import { checkLinks } from '../../src/jobs/check-links.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world

/** Every request: its method, host and path, and when it came. */
const requests: { line: string; at: number; agent: string | undefined }[] = []
const outside = createServer((request, response) => {
  const { method = '', url = '', headers } = request
  const host = headers.host?.split(':')[0]
  requests.push({ line: `${method} ${host}${url}`, at: Date.now(), agent: headers['user-agent'] })
  const status = Number(/\/(\d{3})/.exec(url)?.[1] ?? 200)
  // Some servers do not answer HEAD.
  const isRefused = url.startsWith('/get') && method === 'HEAD'
  response.writeHead(isRefused ? 405 : status, status === 301 ? { location: '/404' } : {}).end('x')
})
await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
after(() => outside.close())
const { port } = outside.address() as AddressInfo

/** The guarded fetch with a DNS of its own: every host but one is this server. */
const fetch: Services['fetch'] = (url, bounds, outgoing) =>
  guardedFetch(
    url,
    {
      ...bounds,
      allow: parseRanges('127.0.0.0/8'),
      async lookup(host) {
        if (host === 'nowhere.example') throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
        return ['127.0.0.1']
      },
    },
    outgoing,
  )
const PAUSE_MS = 1000
const job = checkLinks({ ...world.app.services, fetch }, PAUSE_MS)
const run = () => job({ organizationId } as never, {} as never)
const at = (host: string, path: string) => `http://${host}.example:${port}${path}`

const waiting = async () =>
  (await db.read.selectFrom('job').select('id').where('kind', '=', 'check-links').execute()).length

test('external addresses are requested once a day where the organization asks for it, and show as broken', async () => {
  const addresses = {
    ok: [
      at('a', '/200'),
      at('b', '/get'),
      at('c', '/403'),
      at('d', '/500'),
      at('e', '/429'),
      at('i', '/302'),
    ],
    broken: [at('f', '/404'), at('g', '/410'), at('h', '/301'), 'http://nowhere.example/'],
  }
  const all = [...addresses.ok, ...addresses.broken, at('a', '/200/again#part'), `${world.url}/none`]
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'a.md': `# A\n\n${all.map((one) => `[x](${one})`).join('\n\n')}\n` }),
  )
  const broken = async () => {
    const { body } = await ada(`GET /v1/spaces/${spaceId}/links?status=broken`)
    const items = body.items as { reason: string; locationReferences: { link: { address: string } }[] }[]
    return items.map(({ reason, locationReferences }) => `${reason} ${locationReferences[0]!.link.address}`)
  }

  await run()
  assert.equal(requests.length, 0, 'nobody asked for it')
  const updated = await ada(`PATCH /v1/orgs/${organizationId}`, { checkExternalLinks: true })
  assert.equal(updated.body.checkExternalLinks, true, updated.text)
  assert.equal(await waiting(), 1)
  const begun = Date.now()
  await run()
  assert.deepEqual((await broken()).toSorted(), [
    `gone ${at('g', '/410')}`,
    `not-found ${at('f', '/404')}`,
    `not-found ${at('h', '/301')}`,
    'unknown-host http://nowhere.example/',
  ])
  assert.ok(requests.every(({ agent }) => agent?.startsWith('LecternLinkCheck/')))
  const lines = requests.map(({ line }) => line)
  assert.ok(lines.includes('HEAD b.example/get') && lines.includes('GET b.example/get'))
  assert.ok(!lines.some((line) => line.startsWith('GET a.example')))
  assert.ok(!lines.some((line) => line.includes('none')), 'addresses of this installation are not requested')
  const toOne = requests.filter(({ line }) => line.startsWith('HEAD a.example'))
  assert.equal(toOne.length, 2)
  /** Whether a request came after so many pauses. A busy machine may send the one before it late, so the run counts. */
  const isAfter = (request: { at: number }, pauses: number) => request.at - begun >= pauses * (PAUSE_MS - 1)
  assert.ok(isAfter(toOne[1]!, 1), 'requests to one host come one after the other')

  const redirected = requests.filter(({ line }) => line.includes(' h.example'))
  assert.deepEqual(
    redirected.map(({ line }) => line),
    ['HEAD h.example/301', 'HEAD h.example/404', 'GET h.example/301', 'GET h.example/404'],
  )
  for (const [pauses, request] of redirected.entries())
    assert.ok(isAfter(request, pauses), 'a redirect waits for the turn of the host too')

  // A redirect that names no address is requested once.
  assert.deepEqual(
    lines.filter((line) => line.includes(' i.example')),
    ['HEAD i.example/302'],
  )

  // An hour later, only what nobody knows is asked again; a day later, all of it.
  const first = lines.filter((line) => line.startsWith('HEAD'))
  requests.length = 0
  world.clock.now = new Date(Date.now() + 61 * 60_000)
  await run()
  assert.deepEqual(
    new Set(requests.map(({ line }) => line.split(' ')[1])),
    new Set(['c.example/403', 'd.example/500', 'e.example/429', 'i.example/302']),
  )
  requests.length = 0
  world.clock.now = new Date(Date.now() + 25 * 3_600_000)
  await run()
  const again = requests.map(({ line }) => line).filter((line) => line.startsWith('HEAD'))
  assert.deepEqual(again.toSorted(), first.toSorted())

  await ada(`PATCH /v1/orgs/${organizationId}`, { checkExternalLinks: false })
  assert.deepEqual(await broken(), [])
  await run()
  const { count } = await db.read
    .selectFrom('externalLink')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 0)
})
