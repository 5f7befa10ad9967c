import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { createWorld } from '../world.ts'
import { keyOf, readExposition } from './exposition.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const TOKEN = 'a-token-for-scrapes'
const world = await createWorld({ LECTERN_METRICS_LISTEN: '127.0.0.1:0' })
const { ada, app, nobody } = world
const metricsUrl = app.metricsUrl()!

async function scrape() {
  const { status, text, headers } = await nobody(`GET ${metricsUrl}`)
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  return readExposition(text)
}

/** The sum of the samples with these labels. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number> {
  const family = [...(await scrape()).values()].find(({ samples }) =>
    samples.some((one) => one.name === name),
  )
  const samples = (family?.samples ?? []).filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )
  return samples.reduce((sum, { value }) => sum + value, 0)
}

const newJob = () =>
  world.db.write((tx) =>
    app.services.enqueue(
      tx,
      'remove-blob',
      { hash: 'f'.repeat(64) },
      { runAt: new Date(Date.now() - 60_000) },
    ),
  )

const runJobs = (all = workers(app.services)) =>
  jobLoop(world.db, world.telemetry.workers(all), () => new Date(), app.server.log).runDue()

test('requests are counted by operation and status, with their durations', async () => {
  const name = 'lectern_http_requests_total'
  const operation = 'getAuthenticatedUser'
  assert.equal(await valueOf(name, { operation }), 0)
  const { status } = await ada('GET /v1/user')
  assert.equal(status, 200)
  await nobody('GET /v1/user')
  assert.equal(await valueOf(name, { operation, status: '2xx' }), 1)
  assert.equal(await valueOf(name, { operation, status: '4xx' }), 1)
  assert.equal(await valueOf('lectern_http_request_duration_seconds_count', { operation }), 2)
})

test('statements, waits and the state of the process have values', async () => {
  assert((await valueOf('lectern_database_statement_duration_seconds_count', { kind: 'read' })) > 0)
  assert((await valueOf('lectern_database_statement_duration_seconds_count', { kind: 'transaction' })) > 0)
  assert((await valueOf('lectern_database_wait_seconds_count')) > 0)
  assert((await valueOf('lectern_disk_free_bytes')) > 0)
  assert((await valueOf('lectern_disk_size_bytes')) > (await valueOf('lectern_disk_free_bytes')))
  assert((await valueOf('process_resident_memory_bytes')) > 0)
  assert((await valueOf('lectern_cache_bytes')) > 0)
  if (world.db.dialect === 'sqlite') assert((await valueOf('lectern_database_file_bytes')) > 0)
  else assert((await valueOf('lectern_database_connections')) > 0)
})

test('a worked, a failed and a waiting job are counted by kind', async () => {
  await newJob()
  await runJobs()
  const name = 'lectern_job_runs_total'
  assert.equal(await valueOf(name, { kind: 'remove-blob', outcome: 'done' }), 1)
  await newJob()
  const broken = async () => {
    throw new Error('the worker is broken')
  }
  const all = workers(app.services)
  await runJobs({ ...all, 'remove-blob': { ...all['remove-blob']!, run: broken } })
  assert.equal(await valueOf(name, { kind: 'remove-blob', outcome: 'failed' }), 1)
})

test('different addresses and hosts make no new series', async () => {
  const visit = async (i: number) => {
    const random = `x${i}-${'y'.repeat(i % 7)}`
    await ada(`GET /v1/spaces/${random}`)
    await nobody(`GET /${random}/of/nothing`)
    await nobody(`GET /sites/${random}/page-${i}`, undefined, { 'x-request-id': random })
    await nobody('GET /', undefined, { host: `${random}.example.com` })
  }
  await visit(0)
  await nobody('GET /%zz')
  const series = async () =>
    new Set([...(await scrape()).values()].flatMap(({ samples }) => samples).map(keyOf))
  await series()
  const before = await series()
  for (let i = 1; i <= 100; i++) await visit(i)
  const added = [...(await series())].filter((one) => !before.has(one) && one.startsWith('lectern_'))
  assert.deepEqual(added, [])
  assert(before.size < 3_000, String(before.size))
})

test('the address of the metrics serves nothing else, and the address of the API no metrics', async () => {
  const { origin } = new URL(metricsUrl)
  assert.equal((await nobody(`GET ${origin}/`)).status, 404)
  assert.equal((await nobody(`GET ${origin}/v1/user`)).status, 404)
  assert.equal((await nobody(`POST ${metricsUrl}`)).status, 405)
  assert.equal((await ada('GET /metrics')).status, 404)
})

test('with a token, the server serves the metrics on its own address to those that send it', async () => {
  const other = await createWorld({ LECTERN_METRICS_TOKEN: TOKEN })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  assert.equal((await other.nobody('GET /metrics', undefined, bearer(TOKEN))).status, 200)
  for (const headers of [{}, bearer(`${TOKEN}x`), bearer(other.ada.token), { authorization: TOKEN }]) {
    const { status, body } = await other.nobody('GET /metrics', undefined, headers)
    assert.equal(status, 401)
    assert.equal(body.error.reason, 'metrics-token-required')
  }
  assert.equal((await other.nobody('GET /sites/docs/metrics', undefined, bearer(TOKEN))).status, 404)
})

test('with an address and a token, the address asks for the token', async () => {
  const other = await createWorld({ LECTERN_METRICS_LISTEN: '127.0.0.1:0', LECTERN_METRICS_TOKEN: TOKEN })
  const url = other.app.metricsUrl()!
  assert.equal((await other.nobody(`GET ${url}`)).status, 401)
  assert.equal(
    (await other.nobody(`GET ${url}`, undefined, { authorization: `Bearer ${TOKEN}` })).status,
    200,
  )
})

test('without configuration, there are no metrics', async () => {
  const other = await createWorld()
  assert.equal(other.telemetry.metrics, undefined)
  assert.equal(other.app.metricsUrl(), undefined)
  assert.equal((await other.ada('GET /metrics')).status, 404)
})

/** The expressions of the dashboard and of the alert rules, by their titles. */
function expressions(): Map<string, string> {
  const { panels } = JSON.parse(read('deploy/grafana/lectern.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  return new Map([
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }, i): [string, string] => [`panel ${title} ${i}`, expr]),
    ),
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr])),
  ])
}

test('the dashboard and the alerts use metrics and labels that exist', async () => {
  await newJob()
  await runJobs()
  await app.services.blobs.has('f'.repeat(64))
  const families = [...(await scrape()).values()]
  /** The labels that the samples of a metric have; undefined for a metric that does not exist. */
  const labelsOf = (name: string) => {
    const family = families.find(
      (one) =>
        one.name === name ||
        (one.type === 'histogram' &&
          ['bucket', 'sum', 'count'].some((part) => name === `${one.name}_${part}`)),
    )
    return family && new Set(family.samples.flatMap(({ labels }) => Object.keys(labels)))
  }
  const ofPostgres = new Set(['lectern_database_connections', 'lectern_database_connections_waiting'])
  const all = expressions()
  assert(all.size > 50)
  for (const [title, expr] of all) {
    const uses = [...expr.matchAll(/\b((?:lectern|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
    assert(uses.length > 0 || title === 'LecternDown', title)
    for (const [, name = '', selector = ''] of uses) {
      if (world.db.dialect === 'sqlite' ? ofPostgres.has(name) : name === 'lectern_database_file_bytes')
        continue
      const labels = labelsOf(name)
      assert(labels, `${title}: ${name}`)
      // A metric without samples so far, such as one that counts failures, has its labels in no sample.
      if (labels.size === 0) continue
      for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
        assert(labels.has(label) || ['instance', 'job'].includes(label), `${title}: ${label} of ${name}`)
    }
  }
})

test('the manual names every metric', async () => {
  const manual = read('docs/monitoring.md')
  const names = [...(await scrape()).keys()].filter((name) => name.startsWith('lectern_'))
  const missing = names.filter((name) => !manual.includes(`\`${name}\``))
  assert.deepEqual(missing, [])
})

test('the manual describes every alert, and quotes only messages of the log that exist', () => {
  const manual = read('docs/monitoring.md')
  const rows = new Map(
    [...manual.matchAll(/^\| (`Lectern\w+`.*?) \| (.*) \|$/gm)].flatMap(([, names = '', what = '']) =>
      [...names.matchAll(/\w{2,}/g)].map(([name]) => [name, what]),
    ),
  )
  assert.deepEqual(
    [...rows.keys()].toSorted(),
    [...expressions().keys()].filter((title) => title.startsWith('Lectern')).toSorted(),
  )
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(read)
  // A message has words; a command of Lectern has them too.
  const messages = [...rows.values()].flatMap((what) => what.match(/(?<=`)[a-z]+[ ;][^`<]+(?=`)/g) ?? [])
  const quoted = messages.filter((text) => !/^(npx )?lectern |^(systemctl|docker) /.test(text))
  assert(quoted.length > 4)
  assert.deepEqual(
    quoted.filter((text) => !sources.some((source) => source.includes(`'${text}'`))),
    [],
  )
})
