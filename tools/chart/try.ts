/**
 * `node tools/chart/try.ts`: renders the Helm chart with the template language of Helm, for several installations, and checks
 * the objects that it makes. Needs Go and the library sprig, as Debian's packages `golang-go` and
 * `golang-github-masterminds-sprig-dev` have them; without them it says so and ends.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'

type Values = Record<string, unknown>
interface Manifest {
  kind: string
  metadata: { name: string }
  spec: { template: { spec: { containers: { env: { name: string }[]; envFrom?: unknown[] }[] } } }
}

const CHART = resolve(import.meta.dirname, '../../deploy/helm/lectern')
const SPRIG = '/usr/share/gocode/src/github.com/Masterminds/sprig'
const ADDRESS = 'https://docs.example.com'
const SECRETS = {
  LECTERN_SECRET: 'a secret of at least 32 characters',
  DATABASE_URL: 'postgres://lectern@postgres/lectern',
  LECTERN_S3_ENDPOINT: 'http://s3:8333',
  LECTERN_S3_BUCKET: 'lectern',
  LECTERN_S3_ACCESS_KEY_ID: 'lectern',
  LECTERN_S3_SECRET_ACCESS_KEY: 'lectern',
}

const read = (name: string) => parse(readFileSync(join(CHART, name), 'utf8')) as Values
const isValid = new Ajv({ strict: false }).compile(read('values.schema.json'))

if (!existsSync(SPRIG) || !runs('go', ['version'])) {
  console.log('The chart was not tried: install golang-go and golang-github-masterminds-sprig-dev first.')
} else {
  expectKinds({ url: ADDRESS }, ['Service', 'StatefulSet'])
  expectKinds({ url: ADDRESS, secretEnv: { LECTERN_SMTP_URL: 'smtp://mail' } }, [
    'Secret',
    'Service',
    'StatefulSet',
  ])
  const cluster = ['Deployment', 'PodDisruptionBudget', 'Service']
  expectKinds({ url: ADDRESS, cluster: { enabled: true }, existingSecret: 'lectern' }, cluster)
  expectKinds({ url: ADDRESS, cluster: { enabled: true }, secretEnv: SECRETS }, [...cluster, 'Secret'])
  expectKinds(
    { url: ADDRESS, ingress: { enabled: true, tlsSecret: 'tls', extraHosts: ['help.example.org'] } },
    ['Ingress', 'Service', 'StatefulSet'],
  )
  expectRefusal({}, 'Set url')
  expectRefusal({ url: ADDRESS, cluster: { enabled: true } }, 'A cluster needs LECTERN_SECRET')
  expectRefusal({ url: ADDRESS, env: { UNKNOWN: 'x' } }, 'values.schema.json')
  expectRefusal({ url: `${ADDRESS}/path` }, 'values.schema.json')
  console.log('The chart renders: one machine, a cluster, with and without secrets and an ingress.')
}

/** Renders the chart, and compares the kinds of its objects. @throws if they differ, or an object is not complete */
function expectKinds(values: Values, kinds: string[]): void {
  const manifests = render(values)
  const found = manifests.map(({ kind }) => kind).toSorted()
  if (found.join() !== kinds.toSorted().join())
    throw new Error(`${JSON.stringify(values)} made ${found.join(', ')}`)
  for (const { kind, metadata, spec } of manifests) {
    if (metadata.name !== 'docs-lectern') throw new Error(`${kind} has the name ${metadata.name}`)
    if (kind !== 'StatefulSet' && kind !== 'Deployment') continue
    const [container] = spec.template.spec.containers
    if (!container?.env.some(({ name }) => name === 'LECTERN_URL'))
      throw new Error(`${kind} has no LECTERN_URL`)
    const wantsSecrets = 'secretEnv' in values || 'existingSecret' in values
    if (wantsSecrets !== (container.envFrom !== undefined))
      throw new Error(`${kind}: secrets are missing, or too many`)
  }
}

function expectRefusal(values: Values, reason: string): void {
  try {
    render(values)
  } catch (error) {
    if (String(error).includes(reason)) return
    throw error
  }
  throw new Error(`The chart accepted ${JSON.stringify(values)}`)
}

function render(values: Values): Manifest[] {
  const all = merged(read('values.yaml'), values)
  if (!isValid(all)) throw new Error(`values.schema.json: ${JSON.stringify(isValid.errors)}`)
  const { name, version, appVersion } = read('Chart.yaml')
  const data = {
    Values: all,
    Release: { Name: 'docs', Namespace: 'default', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  }
  const text = execFileSync('go', ['run', 'render.go', CHART, JSON.stringify(data)], {
    cwd: import.meta.dirname,
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
    encoding: 'utf8',
    stdio: 'pipe',
  })
  const [manifests = ''] = text.split('# NOTES.txt')
  const documents = parseAllDocuments(manifests) as { errors: Error[]; toJS(): Manifest | null }[]
  for (const { errors } of documents) if (errors[0]) throw errors[0]
  return documents.map((document) => document.toJS()).filter((manifest) => manifest !== null)
}

/** The values of a chart with those of a user, as Helm merges them: object by object. */
function merged(base: Values, changes: Values): Values {
  const entries = Object.entries(changes).map(([key, value]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return [key, isObject ? merged((base[key] ?? {}) as Values, value as Values) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

function runs(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
