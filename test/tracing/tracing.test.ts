import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { causeOfJob, inWork } from '../../src/core/runtime/work.ts'
import { readConfig } from '../../src/installation/config.ts'
import type { JobKind } from '../../src/jobs/queue/job-kind.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { readTraceParent } from '../../src/core/runtime/traceparent.ts'
import type { FinishedSpan } from '../../src/tracing/otlp.ts'
import { tracerOf } from '../../src/tracing/tracer.ts'
import { slowStatements } from '../../src/tracing/slow-statements.ts'
import { createWorld } from '../world.ts'

interface OtlpValue {
  stringValue?: string
  intValue?: string
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: OtlpValue }[]
  links?: { traceId: string; spanId: string }[]
  status?: { code: number }
}

/** A collector that takes OTLP in JSON. */
async function collector() {
  const spans: OtlpSpan[] = []
  const requests: { url: string; headers: Record<string, unknown>; service: string | undefined }[] = []
  const state = { status: 200 }
  const server = createServer((request, response) => {
    void take(request, response)
  })

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    response.writeHead(state.status).end('{}')
    if (state.status !== 200) return
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: {
        resource: { attributes: OtlpSpan['attributes'] }
        scopeSpans: { spans: OtlpSpan[] }[]
      }[]
    }
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
      requests.push({ url: request.url ?? '', headers: request.headers, service })
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
  }

  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  after(() => server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, spans, requests, state }
}

const otel = await collector()
const lines: Record<string, unknown>[] = []
const world = await createWorld(
  {
    LECTERN_LOG: 'info',
    LECTERN_SLOW_QUERY_MS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: otel.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
    OTEL_SERVICE_NAME: 'docs',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  },
  { logTo: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) } },
)

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const traced = (trace = TRACE, flags = '01') => ({ traceparent: `00-${trace}-${PARENT}-${flags}` })

/** Waits until the collector has the spans that are asked for. */
async function spansOf(trace: string, isAll: (spans: OtlpSpan[]) => boolean): Promise<OtlpSpan[]> {
  for (;;) {
    const found = otel.spans.filter(({ traceId }) => traceId === trace)
    if (isAll(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const valuesByName = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

test('a request continues the trace of its caller, with its statements', async () => {
  const { status } = await world.ada('POST /v1/orgs', { title: 'Traced' }, traced())
  assert.equal(status, 201)
  const spans = await spansOf(TRACE, (some) => some.some(({ kind }) => kind === 2))
  const root = spans.find(({ kind }) => kind === 2)!
  assert.equal(root.parentSpanId, PARENT)
  assert.match(root.name, /^POST create/)
  const attributes = valuesByName(root)
  assert.equal(attributes['http.route'], '/v1/orgs')
  assert.equal(attributes['http.response.status_code'], '201')
  assert.equal(root.status, undefined)

  const statements = spans.filter(({ name }) => name === 'INSERT')
  assert(statements.length > 0, 'a statement of a body that was read has the span of its request')
  for (const span of statements) {
    assert.equal(span.parentSpanId, root.spanId)
    assert(BigInt(span.startTimeUnixNano) >= BigInt(root.startTimeUnixNano))
    assert(BigInt(span.endTimeUnixNano) <= BigInt(root.endTimeUnixNano))
    const query = valuesByName(span)['db.query.text'] ?? ''
    assert.match(query, /^insert into/)
    assert(!query.includes('Traced'), 'no values of parameters')
  }
  const [request] = otel.requests
  assert.equal(request?.url, '/v1/traces')
  assert.equal(request?.service, 'docs')
  assert.equal(request?.headers['x-tenant'], 'a b')
})

test('the lines of the log have the trace, also of a trace that is not recorded', async () => {
  const trace = 'a'.repeat(32)
  await world.ada('GET /v1/user', undefined, traced(trace, '00'))
  await world.ada('GET /v1/user', undefined, { traceparent: 'nonsense', 'x-request-id': 'no-trace' })
  const line = lines.find((one) => one.trace === trace)
  assert.equal(line?.path, '/v1/user')
  assert.equal(line?.msg, 'request')
  assert.deepEqual(
    otel.spans.filter(({ traceId }) => traceId === trace),
    [],
  )
})

test('a job and its failure are a trace', async () => {
  const other = await createWorld({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${otel.url}/own/path`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  })
  const { services, server } = other.app
  await other.db.write((tx) => services.enqueue(tx, 'remove-blob', { hash: 'f'.repeat(64) }))
  const broken = async () => {
    throw new RangeError('with a secret')
  }
  const all = workers(services)
  const kinds = { ...all, 'remove-blob': { ...all['remove-blob']!, run: broken } }
  await jobLoop(other.db, other.telemetry.workers(kinds), () => new Date(), server.log).runDue()
  await other.telemetry.close()
  const span = otel.spans.find(({ name }) => name === 'job remove-blob')
  assert.deepEqual(span?.status, { code: 2, message: 'RangeError' })
  assert.equal(span?.parentSpanId, undefined)
  assert(otel.requests.some(({ url }) => url === '/own/path'))
})

test('a job has a link to the request that caused it, and is recorded if that is', async () => {
  const { app, telemetry, db, ada, organizationId } = world
  const warnings: Record<string, unknown>[] = []
  const log = { warn: (fact: object) => void warnings.push({ ...fact }), error: () => undefined }
  const broken = async () => {
    throw new Error('broken')
  }
  const loopOf = (kinds: Record<string, JobKind>) =>
    jobLoop(db, telemetry.workers({ ...workers(app.services), ...kinds }), () => new Date(), log)
  const newSpace = async () =>
    (await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })).body.id as string
  const spaces = [await newSpace(), await newSpace()]
  await loopOf({}).runDue()

  const [trace, unrecorded] = ['d'.repeat(32), 'e'.repeat(32)]
  const indexing = { ...workers(app.services)['index-search']!, run: broken }
  for (const [id, flags, kinds] of [
    [unrecorded, '00', { 'index-search': indexing }],
    [trace, '01', {}],
  ] as const) {
    const changes = [{ operation: 'insert_page', document: { markdown: `# Page of ${id}` } }]
    const { status } = await ada(`POST /v1/spaces/${spaces.pop()}/content`, { changes }, traced(id, flags))
    assert.equal(status, 200)
    await loopOf(kinds).runDue()
  }
  assert.equal(warnings.find(({ kind }) => kind === 'index-search')?.causedBy, unrecorded)

  const isRequest = ({ traceId, kind }: OtlpSpan) => traceId === trace && kind === 2
  const isJob = ({ name }: OtlpSpan) => name === 'job index-search'
  while (!otel.spans.some(isRequest) || !otel.spans.some(isJob))
    await new Promise((resolve) => setTimeout(resolve, 10))
  const jobs = otel.spans.filter(isJob)
  const request = otel.spans.find(isRequest)!
  assert.deepEqual(
    jobs.map(({ links }) => links),
    [[{ traceId: trace, spanId: request.spanId }]],
    'the job of the request that is not recorded is not recorded',
  )
  assert.notEqual(jobs[0]?.traceId, trace, 'the job is a trace by itself')
  assert.equal(jobs[0]?.parentSpanId, undefined)
})

test('a job that begins the next one of its kind is not its cause', async () => {
  const work = {
    name: 'sweep-blobs',
    traceId: TRACE,
    span: undefined,
    traceParent: `00-${TRACE}-${PARENT}-01`,
  }
  const causes = await inWork(work, async () => ['sweep-blobs', 'remove-blob'].map(causeOfJob))
  assert.deepEqual(causes, [null, work.traceParent])
})

test('spans of a collector that is away are sent when it is back', async () => {
  otel.state.status = 503
  const trace = 'b'.repeat(32)
  const { status } = await world.ada('GET /v1/user', undefined, traced(trace))
  assert.equal(status, 200)
  while (!lines.some(({ msg }) => msg === 'spans could not be sent'))
    await new Promise((resolve) => setTimeout(resolve, 10))
  otel.state.status = 200
  await spansOf(trace, (some) => some.length > 1)
})

test('a request to another server is a span, and has no traceparent', async () => {
  let seen: Record<string, unknown> | undefined
  const stranger = createServer((request, response) => {
    seen = request.headers
    response.end('ok')
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  stranger.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = stranger.address() as { port: number }
  const trace = 'c'.repeat(32)
  const parent = { traceId: trace, spanId: PARENT, sampled: true }
  const { span } = world.telemetry.begin!('work', 'internal', { parent }, {})
  await inWork({ name: 'work', traceId: trace, span }, async () => {
    const limits = { maxBytes: 1000, timeoutMs: 60_000 }
    const fetched = await world.app.services.fetch(`http://127.0.0.1:${port}/?with=secret`, limits)
    await fetched.bytes()
  })
  span?.end({})
  const spans = await spansOf(trace, (some) => some.length === 2)
  const call = spans.find(({ name }) => name === 'GET')!
  assert.equal(valuesByName(call)['server.address'], '127.0.0.1')
  assert(!JSON.stringify(spans).includes('secret'))
  stranger.close()
  assert.deepEqual(
    Object.keys(seen ?? {}).filter((name) => name.startsWith('trace')),
    [],
  )
})

test('a sampler selects a part of the traces, and one request has a bounded number of spans', () => {
  const spans: FinishedSpan[] = []
  const tenth = tracerOf({ parentBased: true, ratio: 0.1 }, (span) => spans.push(span))
  const idOf = (share: number) =>
    `${'f'.repeat(18)}${Math.floor(share * 2 ** 48)
      .toString(16)
      .padStart(12, '0')}00`
  const begin = (traceId: string, sampled?: boolean) =>
    tenth('work', 'server', sampled === undefined ? {} : { parent: { traceId, spanId: PARENT, sampled } }, {})
  assert(begin(TRACE, true).span)
  assert.equal(begin(TRACE, false).span, undefined)
  const byRatio = tracerOf({ parentBased: false, ratio: 0.1 }, () => undefined)
  for (const [share, isRecorded] of [
    [0, true],
    [0.0999, true],
    [0.1001, false],
    [0.9, false],
  ] as const) {
    const parent = { traceId: idOf(share), spanId: PARENT, sampled: !isRecorded }
    for (const origin of [{ parent }, { cause: parent }])
      assert.equal(byRatio('work', 'server', origin, {}).span !== undefined, isRecorded, String(share))
  }

  const { span } = begin(TRACE, true)
  for (let i = 0; i < 600; i++) span?.add('SELECT', {}, 1)
  span?.end({})
  assert.equal(spans.length, 501)
  assert.equal(spans.at(-1)?.attributes['lectern.dropped_spans'], 100)
})

test('traceparent is read as W3C Trace Context has it', () => {
  const valid = `00-${TRACE}-${PARENT}-01`
  assert.deepEqual(readTraceParent(valid), { traceId: TRACE, spanId: PARENT, sampled: true })
  assert.equal(readTraceParent(`00-${TRACE}-${PARENT}-02`)?.sampled, false)
  assert.equal(readTraceParent(`cc-${TRACE}-${PARENT}-01-later`)?.sampled, true)
  for (const header of [
    undefined,
    '',
    `${valid}-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-1`,
    [valid, valid],
  ])
    assert.equal(readTraceParent(header), undefined, String(header))
})

test('wrong variables are named with what they must be', () => {
  const faults = (env: Record<string, string>) => {
    try {
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', ...env })
      return []
    } catch (error) {
      return (error as { faults: string[] }).faults
    }
  }
  assert.deepEqual(faults({}), [])
  assert.match(faults({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).join(), /must be http\/json/)
  assert.match(faults({ OTEL_TRACES_SAMPLER: 'some' }).join(), /one of always_on/)
  assert.match(faults({ OTEL_TRACES_SAMPLER_ARG: '2' }).join(), /from 0 to 1/)
  assert.match(faults({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }).join(), /must be a URL/)
  const headers = faults({ OTEL_EXPORTER_OTLP_HEADERS: 'a-secret' }).join()
  assert.match(headers, /name=value/)
  assert(!headers.includes('a-secret'))
  assert.match(faults({ LECTERN_METRICS_LISTEN: '9464' }).join(), /an address and a port/)
  assert.match(faults({ LECTERN_METRICS_TOKEN: 'short' }).join(), /16 to 255/)
  assert.equal(
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost', OTEL_SDK_DISABLED: 'true' }).tracing,
    undefined,
  )
  assert.deepEqual(readConfig({ LECTERN_METRICS_LISTEN: '[::1]:9464' }).metrics?.listen, {
    host: '::1',
    port: 9464,
  })
})

test('slow statements are logged with their operation and trace, without values', async () => {
  const slow: Record<string, unknown>[] = []
  const other = await createWorld(
    { LECTERN_SLOW_QUERY_MS: '100000', LECTERN_LOG: 'info' },
    { logTo: { write: (line) => void slow.push(JSON.parse(line) as Record<string, unknown>) } },
  )
  const { observer } = other.telemetry
  observer?.statement('select 1', 'read', 99_999)
  inWork({ name: 'updatePage', traceId: TRACE, span: undefined }, () =>
    observer?.statement('select 2 where x = ?', 'read', 100_000),
  )
  const found = slow.filter(({ msg }) => msg === 'slow statement')
  const one = found.find(({ sql }) => sql === 'select 2 where x = ?')
  assert.deepEqual([one?.ms, one?.work, one?.trace], [100_000, 'updatePage', TRACE])
  assert(!found.some(({ sql }) => sql === 'select 1'))
})

test('at most 20 slow statements of a minute have a line, and the others are counted', async () => {
  const logged: { fact: object; message: string }[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const log = {
    warn(fact: object, message: string) {
      logged.push({ fact, message })
      if ('leftOut' in fact) resolve()
    },
  }
  const note = slowStatements(10, () => log, 20)
  for (let i = 0; i < 30; i++) assert.equal(note(`select ${i}`, 11), true)
  assert.equal(note('select', 9), false)
  const keep = setInterval(() => undefined, 1000)
  await promise
  clearInterval(keep)
  assert.equal(logged.length, 21)
  assert.deepEqual(logged.at(-1), { fact: { leftOut: 10 }, message: 'slow statements left out' })
  note('select again', 11)
  assert.equal(logged.length, 22)
})
