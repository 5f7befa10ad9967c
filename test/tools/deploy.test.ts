/** The files in `deploy` agree with the program: versions, environment variables, and the formats of their tools. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { parse, parseAllDocuments } from 'yaml'
import { CONFIG_VARIABLES } from '../config-variables.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const FILES = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((path) =>
  statSync(join(DEPLOY, path)).isFile(),
)
const CHART = FILES.filter((path) => path.startsWith('helm/lectern/templates/')).map((path) =>
  read(join('deploy', path)),
)
const { version, devDependencies } = JSON.parse(read('package.json')) as {
  version: string
  devDependencies: Record<string, string>
}

/** Variables that only the files in `compose` use, between each other. */
const OF_COMPOSE = ['LECTERN_DOMAIN', 'LECTERN_UPSTREAMS', 'LECTERN_ASK']
/** Prefixes that comments name, as LECTERN_S3_…. */
const PREFIXES = ['LECTERN_', 'LECTERN_S3_']

interface Compose {
  services: Record<string, Service>
}
interface Service {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
}

const composeOf = (name: string) => parse(read(`deploy/compose/${name}`), { merge: true }) as Compose
const COMPOSE = ['compose.yaml', 'compose.cluster.yaml']

test('every variable of Lectern in the files exists', () => {
  const used = FILES.flatMap((path) =>
    [...read(join('deploy', path)).matchAll(/\bLECTERN_[A-Z0-9_]*/g)].map(([name]) => ({ path, name })),
  )
  assert.ok(used.length > 50)
  const allowed = new Set([...CONFIG_VARIABLES, ...OF_COMPOSE, ...PREFIXES])
  assert.deepEqual(
    used.filter(({ name }) => !allowed.has(name)),
    [],
  )
  for (const name of ['PORT', 'HOST'])
    assert.match(read('deploy/Dockerfile'), new RegExp(`^ENV[^]*\\b${name}=`, 'm'))
  // A container of Lectern refuses to start if it gets one of these.
  for (const { services } of COMPOSE.map(composeOf))
    for (const { image, environment = {} } of Object.values(services))
      if (image.startsWith('lectern:'))
        assert.deepEqual(
          Object.keys(environment).filter((name) => !CONFIG_VARIABLES.has(name)),
          [],
        )
})

test('the files have the version of the package, and the image has the Node of the tests', () => {
  const chart = parse(read('deploy/helm/lectern/Chart.yaml')) as Record<string, string>
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
  const dockerfile = read('deploy/Dockerfile')
  assert.match(dockerfile, new RegExp(`^ARG VERSION=${version}$`, 'm'))
  assert.match(
    dockerfile,
    new RegExp(`^ARG BASE=docker.io/library/node:${devDependencies.node}-bookworm-slim$`, 'm'),
  )
  const nodes = new Set([...dockerfile.matchAll(/\bnode:(\d[\d.]*)/g)].map(([, found]) => found))
  assert.deepEqual([...nodes], [devDependencies.node])

  const tags = [dockerfile, ...COMPOSE.map((name) => read(`deploy/compose/${name}`))].flatMap((text) =>
    [...text.matchAll(/\blectern:(\d+\.\d+\.\d+)/g)].map(([, tag]) => tag),
  )
  assert.ok(tags.length >= 3)
  assert.deepEqual(new Set(tags), new Set([version]))
})

test('the image runs as a user that is not root, checks itself and keeps its data in a volume', () => {
  const lines = read('deploy/Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  for (const line of ['USER 10001:10001', 'VOLUME /data', 'STOPSIGNAL SIGTERM', 'EXPOSE 3000'])
    assert.ok(last.includes(line), line)
  const check = last.find((line) => line.startsWith('HEALTHCHECK'))
  const command = JSON.parse(/CMD (.*)/.exec(check ?? '')?.[1] ?? '[]') as string[]
  assert.deepEqual(command.slice(0, 2), ['node', '-e'])
  assert.match(command[2] ?? '', /\/livez/)
})

test('the files of Compose follow the specification, and every container of them is confined', () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  const schema = JSON.parse(read('node_modules/dclint/schemas/compose.schema.json')) as object
  const isValid = ajv.compile({ ...schema, $schema: undefined })
  assert.equal(isValid({ services: { one: { imagee: 'x' } } }), false)
  const example = read('deploy/compose/.env.example')
  for (const name of COMPOSE) {
    const file = composeOf(name)
    assert.ok(isValid(file), `${name}: ${JSON.stringify(isValid.errors)}`)
    for (const [service, { image, read_only, cap_drop, security_opt }] of Object.entries(file.services)) {
      const confined = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
      assert.deepEqual({ read_only, cap_drop, security_opt }, confined, service)
      assert.match(image, /:[\d.]+(-alpine)?$/, `${service} has an image of a version`)
    }
    for (const [, variable] of read(`deploy/compose/${name}`).matchAll(/\$\{([A-Z0-9_]+)/g))
      assert.match(example, new RegExp(`^${variable}=`, 'm'))
  }
})

test('the values of the chart follow their schema, and its templates use no other values', () => {
  const values = parse(read('deploy/helm/lectern/values.yaml')) as Record<string, unknown>
  const isValid = new Ajv({ strict: false }).compile(
    JSON.parse(read('deploy/helm/lectern/values.schema.json')),
  )
  assert.ok(isValid(values), JSON.stringify(isValid.errors))
  assert.ok(!isValid({ ...values, unknown: true }))
  for (const env of [{ PORT: '80' }, { LECTERN_LOG: 1 }]) assert.ok(!isValid({ ...values, env }))

  const used = CHART.flatMap((text) =>
    [...text.matchAll(/\.Values((?:\.[A-Za-z]+)+)/g)].map(([, path = '']) => path),
  )
  assert.ok(used.length > 20)
  for (const path of used) {
    const value = path
      .slice(1)
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], values)
    assert.notEqual(value, undefined, `.Values${path} is in values.yaml`)
  }
  for (const text of CHART) {
    const ends = text.match(/\{\{-? end -?\}\}/g)?.length ?? 0
    assert.equal(ends, text.match(/\{\{-? (if|range|define|with|block) /g)?.length ?? 0)
  }
})

test('every other file of YAML can be parsed', () => {
  for (const path of FILES.filter((one) => /\.ya?ml$/.test(one) && !one.includes('/templates/')))
    for (const document of parseAllDocuments(read(join('deploy', path)), { merge: true }))
      assert.deepEqual((document as { errors: Error[] }).errors, [], path)
})
