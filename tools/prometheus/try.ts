/**
 * `node tools/prometheus/try.ts`: lets Prometheus scrape a server with the configuration of the manual and the alert rules of
 * `deploy/prometheus`, and asks it for everything that the rules and the dashboard show. Needs the programs `prometheus` and
 * `promtool`, as Debian's package `prometheus` has them; without them it says so and ends.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { runProgram, tryInstallation, writeDocs } from '../install/trial.ts'

interface Configuration {
  global?: object
  scrape_configs: {
    job_name: string
    scrape_interval: string
    static_configs: { targets: string[] }[]
    authorization: { credentials_file: string }
  }[]
  rule_files: string[]
}

/** The result of a query: series, each with its value. */
type Series = { metric: Record<string, string>; value: [number, string] }[]

const ROOT = resolve(import.meta.dirname, '../..')
const RULES = join(ROOT, 'deploy/prometheus/alerts.yaml')
/** What dashboards put in the place of their variables. */
const VARIABLES = { $instance: '.*', $__rate_interval: '1m' }
/** Metrics that only a server with PostgreSQL has. */
const ELSEWHERE = /^lectern_database_connections/

if (!isInstalled('prometheus') || !isInstalled('promtool')) {
  console.log('Prometheus was not tried: install the package prometheus first.')
} else {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-prometheus-'))
  try {
    await tryPrometheus(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryPrometheus(folder: string): Promise<void> {
  await runProgram('promtool', ['check', 'rules', RULES])
  const [metrics, own] = [await freePort(), await freePort()]
  const token = 'a token of Prometheus'.replaceAll(' ', '-')
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LECTERN_DATA: join(folder, 'data'),
    LECTERN_LOG: 'silent',
    PORT: '0',
    LECTERN_METRICS_LISTEN: `127.0.0.1:${metrics}`,
    LECTERN_METRICS_TOKEN: token,
  }
  await tryInstallation({
    start: () => spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env }),
    command: (...args) => runProgram(process.execPath, ['src/main.ts', ...args], { cwd: ROOT, env }),
    docs: writeDocs(folder),
    more: async () => {
      const prometheus = await startPrometheus(folder, configured(folder, metrics, token), own)
      try {
        await compare(`http://127.0.0.1:${own}/api/v1`)
      } finally {
        prometheus.kill('SIGKILL')
      }
    },
  })
}

/** The configuration of the manual, for one server on this machine that is scraped every second. */
function configured(folder: string, port: number, token: string): Configuration {
  const chapter = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8')
  const text = /```yaml\n(scrape_configs:[^]*?)```/.exec(chapter)?.[1]
  assert.ok(text, 'the manual has a configuration')
  const configuration = parse(text) as Configuration
  const [scrape] = configuration.scrape_configs
  assert.ok(scrape)
  scrape.scrape_interval = '1s'
  scrape.static_configs = [{ targets: [`127.0.0.1:${port}`] }]
  scrape.authorization.credentials_file = join(folder, 'token')
  writeFileSync(scrape.authorization.credentials_file, token, { mode: 0o600 })
  return { ...configuration, global: { evaluation_interval: '1s' }, rule_files: [RULES] }
}

async function startPrometheus(
  folder: string,
  configuration: Configuration,
  port: number,
): Promise<ChildProcess> {
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, stringify(configuration))
  await runProgram('promtool', ['check', 'config', file])
  const options = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'series')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  return spawn('prometheus', options, { stdio: 'ignore' })
}

/** Checks that the server is scraped, that no rule has an error or fires, and that everything on the dashboard has values. */
async function compare(api: string): Promise<void> {
  const values = await until(`${api}/query`, 'rate(process_cpu_seconds_total{job="lectern"}[1m])')
  console.log(`Prometheus scrapes ${values[0]?.metric['instance']}.`)
  const { groups } = (await ask(`${api}/rules`)) as {
    groups: { rules: { name: string; state: string; health: string }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  assert.ok(rules.length > 0)
  for (const { name, state, health } of rules)
    assert.ok(state !== 'firing' && health === 'ok', `${name}: ${state}, ${health}`)
  console.log(`${rules.length} alert rules are evaluated, and none fires.`)

  const names = new Set(
    ((await ask(`${api}/targets/metadata`)) as { metric: string }[]).map(({ metric }) => metric),
  )
  const expressions = [
    ...expressionsOf(JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/lectern.json'), 'utf8'))),
    ...expressionsOf(parse(readFileSync(RULES, 'utf8'))),
  ]
  for (const expression of expressions) {
    const query = Object.entries(VARIABLES).reduce(
      (text, [name, value]) => text.replaceAll(name, value),
      expression,
    )
    await ask(`${api}/query`, query)
    for (const [, name = ''] of query.matchAll(
      /\b((?:lectern|nodejs|process)_\w+?)(?:_bucket|_sum|_count)?\b/g,
    ))
      assert.ok(names.has(name) || ELSEWHERE.test(name), `nothing is called ${name}: ${expression}`)
  }
  console.log(`${expressions.length} expressions of the dashboard and the rules name metrics that there are.`)
}

function expressionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'expr' && typeof inner === 'string' ? [inner] : expressionsOf(inner),
  )
}

/** Asks until there is a value. @throws after half a minute */
async function until(url: string, query: string): Promise<Series> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await ask(url, query).catch(() => undefined)
    const { result = [] } = (answer ?? {}) as { result?: Series }
    if (result.length > 0) return result
    await wait(500)
  }
  throw new Error(`Prometheus has no value for ${query}`)
}

async function ask(url: string, query?: string): Promise<unknown> {
  const response = await fetch(query === undefined ? url : `${url}?query=${encodeURIComponent(query)}`)
  const { data, error } = (await response.json()) as { data?: unknown; error?: string }
  assert.equal(error, undefined, query ?? url)
  return data
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve: listened } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listened)
  await promise
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('No port is free')
  return address.port
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
