/** Faults of the DNS: names that do not resolve, and servers of names that fail, hang or send nonsense. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { ApiError } from '../../src/http/errors.ts'
import { txtResolver } from '../../src/http/outgoing/dns.ts'
import { fetchRetried } from '../../src/http/outgoing/retried.ts'
import { CRAWL_LIMITS, crawlWebsite } from '../../src/imports/website.ts'
import { browser } from '../sso/browser.ts'
import { createWorld } from '../world.ts'
import { runJob } from './storage.ts'
import { inWords } from './outcomes.ts'

type NameFault = 'no such name' | 'no address' | 'failing' | 'hanging'

const codeOf = (code: string) => Object.assign(new Error(code), { code })
const LOOKUPS: Record<NameFault, () => Promise<string[]>> = {
  'no such name': () => Promise.reject(codeOf('ENOTFOUND')),
  'no address': () => Promise.resolve([]),
  // What the resolver of the system reports if the servers of names fail, or have not answered in time.
  failing: () => Promise.reject(codeOf('EAI_AGAIN')),
  hanging: () => new Promise(() => undefined),
}
let lookup = LOOKUPS.failing
const world = await createWorld({}, { lookup: () => lookup() })
const { ada, organizationId, app } = world
const org = `/v1/orgs/${organizationId}`
const spaceId = (await ada(`POST ${org}/spaces`)).body.id as string

/** What a request with a limit sees. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (found: unknown) => found,
  )
  assert(error instanceof ApiError, String(error))
  const { status, reason, retryAfter } = error
  return `${status} ${reason}${retryAfter === undefined ? '' : `, retry in ${retryAfter}`}`
}

const SEEN: Record<NameFault, string> = {
  'no such name': '400 host-unknown',
  'no address': '400 host-unknown',
  failing: '503 fetch-failed-with-code, retry in 30',
  hanging: '503 response-late, retry in 30',
}

for (const fault of Object.keys(LOOKUPS) as NameFault[]) {
  test(`the name of a source, ${fault}: ${SEEN[fault]}`, async () => {
    lookup = LOOKUPS[fault]
    const limits = { maxBytes: 1_000, timeoutMs: fault === 'hanging' ? 300 : 20_000 }
    const reading = fetchRetried(app.services.fetch, 'http://docs.example/', limits, {}, (found) =>
      found.bytes(),
    )
    const [seen, live] = await Promise.all([refusalOf(reading), fetch(`${world.url}/livez`)])
    assert.equal(seen, SEEN[fault])
    assert.equal(live.status, 200, 'others are not held up')
  })

  test(`the name of a website, ${fault}: ${SEEN[fault]}`, async () => {
    lookup = LOOKUPS[fault]
    const limits = { ...CRAWL_LIMITS, pauseMs: 0, totalMs: fault === 'hanging' ? 300 : 20_000 }
    const { fetch: guarded, urls } = app.services
    const { signal } = new AbortController()
    const services = { fetch: guarded, urls, party: { user: organizationId }, signal }
    assert.equal(await refusalOf(crawlWebsite(services, 'http://docs.example/', limits)), SEEN[fault])
  })

  // The limits of these are those of real servers, so a name that hangs is tried above only.
  if (fault === 'hanging') continue

  for (const source of ['zip', 'website'])
    test(`an import (${source}) from a name, ${fault}: ${SEEN[fault]}`, async () => {
      lookup = LOOKUPS[fault]
      const body = { url: 'http://docs.example/docs.zip', source }
      assert.equal(inWords(await ada(`POST /v1/spaces/${spaceId}/content/import`, body)), SEEN[fault])
    })

  test(`a specification from a name, ${fault}: the error is shown, and the job is over`, async () => {
    lookup = LOOKUPS[fault]
    const slug = fault.replaceAll(' ', '-')
    const source = { url: 'https://specs.example/openapi.json' }
    const created = await ada(`POST ${org}/openapi`, { slug, source })
    assert.equal(created.status, 201, created.text)
    assert.equal(await runJob(world, 'process-openapi', { organizationId }), 'done')
    const { body } = await ada(`GET ${org}/openapi/${slug}`)
    assert.equal(body.lastProcessErrorCode, 'FETCH_ERROR', JSON.stringify(body))
  })

  test(`an identity provider with a name, ${fault}`, async () => {
    lookup = LOOKUPS[fault]
    const { body: provider } = await ada(`POST ${org}/oidc`, {
      label: fault,
      defaultRole: 'comment',
      issuer: 'https://identity.example',
      clientID: 'lectern',
      clientSecret: 'a secret of the client',
    })
    const { status, headers } = await browser().load(provider.service.startURL)
    const retry = headers['retry-after']
    assert.deepEqual([status, retry], fault === 'failing' ? [503, '60'] : [403, undefined])
  })
}

/** A server of the DNS that answers each query with these bytes after its id; undefined is no answer. */
const dns = createSocket('udp4')
let answer: (query: Buffer) => Buffer | undefined = () => undefined
let queries = 0
dns.on('message', (query, { port, address }) => {
  queries += 1
  const bytes = answer(query)
  if (bytes) dns.send(bytes, port, address)
})
dns.bind(0, '127.0.0.1')
await once(dns, 'listening')
after(() => dns.close())

/** A response with a code (RFC 1035, 4.1.1), and with a text for the name of the query. */
const response =
  (code: number, text?: string) =>
  (query: Buffer): Buffer => {
    const head = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      0x80 + code,
      0,
      1,
      0,
      text === undefined ? 0 : 1,
      0,
      0,
      0,
      0,
    ])
    const end = query.indexOf(0, 12) + 5
    const question = query.subarray(12, end)
    if (text === undefined) return Buffer.concat([head, question])
    const record = [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length + 1, text.length]
    return Buffer.concat([head, question, Buffer.from(record), Buffer.from(text)])
  }

const resolve = (timeoutMs: number) =>
  txtResolver({ servers: [`127.0.0.1:${dns.address().port}`], timeoutMs })('_lectern-challenge.docs.example')
const silent = '503 dns-silent, retry in 60'
const QUERIES: Record<string, [(query: Buffer) => Buffer | undefined, string | string[]]> = {
  'a name with a text': [response(0, 'challenge'), ['challenge']],
  'a name that does not exist': [response(3), []],
  'a name without a text': [response(0), []],
  'a server of names that fails': [response(2), silent],
  'a server of names that refuses': [response(5), silent],
  'a server of names that hangs': [() => undefined, silent],
  'a server of names that sends nonsense': [
    (query) => Buffer.concat([query.subarray(0, 2), Buffer.from('?')]),
    silent,
  ],
}

for (const [name, [reply, seen]] of Object.entries(QUERIES))
  test(`${name}: ${JSON.stringify(seen)}`, async () => {
    answer = reply
    queries = 0
    // A server that answers has as much time as a real one.
    const result = resolve(typeof seen === 'string' && /hangs|nonsense/.test(name) ? 100 : 3_000)
    if (typeof seen === 'string') assert.equal(await refusalOf(result), seen)
    else assert.deepEqual(await result, seen)
    assert(queries > 0)
  })
