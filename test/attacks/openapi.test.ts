/** Specifications that would take a parser minutes or gigabytes: each is refused in bounded time, and nobody waits for it. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { jsonInSteps } from '../../src/core/runtime/json-steps.ts'
import { isLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const { ada, organizationId } = world
const base = `/v1/orgs/${organizationId}/openapi`
const START = '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}'
const YAML_START = 'openapi: 3.1.0\ninfo: {title: x, version: "1"}\npaths: {}\n'

/** Everything that is asked of this server, which stands for one inside the network. */
const requestedPaths: string[] = []
let body: () => Iterable<string> = () => []
const outside = createServer((request, response) => {
  requestedPaths.push(request.url ?? '')
  Readable.from(body()).pipe(response)
})
await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
after(() => {
  outside.closeAllConnections()
  outside.close()
})
const origin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`

/** Processes a source. @returns the codes of what is wrong with it, and how long it held the event loop */
async function process(source: object) {
  const { status, text } = await ada(`PUT ${base}/hostile`, { source })
  assert.equal(status, 200, text)
  const worker = processOpenApi(world.app.services, 60_000)
  const { ms } = await longestHold(() => worker({ organizationId } as never, {} as never))
  const spec = (await ada(`GET ${base}/hostile`)).body
  assert.equal(spec.processingState, 'complete')
  const codes = (spec.lastProcessedErrors ?? []).map(({ code }: { code: string }) => code)
  return { error: spec.lastProcessErrorCode, codes, ms, version: spec.lastVersion }
}

test('warm up, because the first run loads and compiles code', async () => {
  assert.equal((await process({ text: `${START}}` })).error, undefined)
  assert.equal((await process({ text: YAML_START })).error, undefined)
})

const laughs = (levels: number) =>
  Array.from({ length: levels }, (_, i) => {
    const inside = i === 0 ? '"ha"' : Array.from({ length: 10 }, () => `*l${i - 1}`).join(', ')
    return `  l${i}: &l${i} [${inside}]\n`
  }).join('')

const HOSTILE: Record<string, [source: string, code: string]> = {
  '10,000 levels in JSON': [`${START},"x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, 'TOO_DEEP'],
  '1,000,000 open brackets in JSON': [`${START},"x":${'['.repeat(1_000_000)}`, 'NOT_JSON'],
  '10,000 levels in YAML': [`${YAML_START}x: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'NOT_YAML'],
  'explicit keys in YAML': [`${YAML_START}x: ${'? - '.repeat(10_000)}`, 'NOT_YAML'],
  'billion laughs': [`${YAML_START}x-laughs:\n${laughs(12)}`, 'TOO_LARGE'],
  'a text that aliases repeat': [
    `${YAML_START}x: &x "${'x'.repeat(100_000)}"\ny: [${'*x, '.repeat(1_000)}]\n`,
    'TOO_LARGE',
  ],
  'an alias in its own anchor': [`${YAML_START}x: &x {y: *x}\n`, 'NOT_YAML|TOO_DEEP|TOO_LARGE'],
  'very many aliases': [`${YAML_START}x: &x 1\ny: [${'*x, '.repeat(10_000)}]\n`, 'NOT_YAML'],
  'a reference to loopback': [
    `${START},"components":{"schemas":{"A":{"$ref":"${origin}/secret"}}}}`,
    'EXTERNAL_REFERENCE',
  ],
  'a reference to a file': [
    `${START},"components":{"schemas":{"A":{"$ref":"file:///etc/passwd"}}}}`,
    'EXTERNAL_REFERENCE',
  ],
  'a reference to a path': [
    `${START},"components":{"schemas":{"A":{"$ref":"../../etc/passwd"}}}}`,
    'EXTERNAL_REFERENCE',
  ],
}

for (const [name, [source, code]] of Object.entries(HOSTILE)) {
  test(`a specification with ${name} is refused while other requests keep their latency`, async () => {
    const before = (await ada(`GET ${base}/hostile`)).body.lastVersion
    const { error, codes, ms, version } = await process({ text: source })
    assert.equal(error, 'PARSE_ERROR')
    assert.match(codes[0], new RegExp(`^(?:${code})$`))
    assert.equal(version, before)
    assert.ok(ms < LONGEST_HOLD_MS, `${ms} ms`)
    assert.deepEqual(requestedPaths, [])
  })
}

test('references that lead in circles are kept as they are', async () => {
  const schemas = {
    A: { $ref: '#/components/schemas/B' },
    B: { $ref: '#/components/schemas/A' },
    Self: { properties: { self: { $ref: '#/components/schemas/Self' } } },
  }
  const document = {
    openapi: '3.0.0',
    info: { title: 'x', version: '1' },
    paths: {},
    components: { schemas },
  }
  const { error, codes } = await process({ text: JSON.stringify(document) })
  assert.deepEqual([error, codes], [undefined, []])
  const { body: content } = await ada(`GET ${base}/hostile/versions/latest/content`)
  assert.deepEqual(content.filesystem[0].specification.components.schemas, schemas)
})

test('names of the prototype are names like others', async () => {
  const text = `${START},"components":{"schemas":{"__proto__":{"type":"object"},"constructor":{"$ref":"#/components/schemas/__proto__"},"x":{"$ref":"#/components/schemas/toString"}}}}`
  const { error, codes } = await process({ text })
  assert.deepEqual([error, codes], [undefined, ['UNRESOLVED_REFERENCE']])
})

test('a source of 100 MB is refused after 20 MB, and one that never ends too', async () => {
  const part = 'x'.repeat(1024 * 1024)
  let sent = 0
  body = function* parts() {
    for (sent = 0; sent < 100; sent += 1) yield part
  }
  const { error, ms } = await process({ url: `${origin}/large` })
  assert.equal(error, 'FETCH_ERROR')
  assert.ok(sent < 40, `${sent} MB were read`)
  assert.ok(ms < LONGEST_HOLD_MS, `${ms} ms`)
})

test('a larger body is 413, and a text beyond the limit is 400', async () => {
  const most = 20 * 1024 * 1024
  assert.equal((await ada(`PUT ${base}/hostile`, { source: { text: 'x'.repeat(most + 1) } })).status, 400)
  // By default, `bodies.test.ts` and `http/body.test.ts` send bodies beyond the limit.
  if (!isLongRun()) return
  const { status } = await ada(`PUT ${base}/hostile`, { source: { text: 'x'.repeat(32 * 1024 * 1024) } })
  assert.equal(status, 413)
})

test('the JSON of the largest specification for readers of a site is written in steps', async () => {
  const operation = {
    summary: 'Summary',
    parameters: Array.from({ length: 20 }, (_, n) => ({
      in: 'query',
      name: `p${n}`,
      schema: { enum: ['a', 'b'] },
    })),
  }
  const paths = Object.fromEntries(Array.from({ length: 28_000 }, (_, n) => [`/p${n}`, { get: operation }]))
  const { ms, value } = await longestHold(async () => {
    let size = 0
    for await (const { length } of jsonInSteps({ openapi: '3.1.0', paths })) size += length
    return size
  })
  assert(value > 30_000_000, `${value} bytes`)
  assert(ms < LONGEST_HOLD_MS / 2, `${ms} ms`)
})
