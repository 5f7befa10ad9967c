/** The secret of an installation is replaced while servers run. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SignJWT } from 'jose'
import type { Kysely } from 'kysely'
import { openDatabase } from '../src/db/open.ts'
import type { Database, Schema } from '../src/db/schema.ts'
import { SEALED_COLUMNS } from '../src/installation/sealed-columns.ts'
import { inLongRun } from './effort.ts'
import { archiveOf } from './importing.ts'
import { createPostgres } from './postgres.ts'
import {
  COMMAND,
  type Ended,
  freePort,
  run,
  runHere,
  type Server,
  startServer,
  temporaryFolder,
} from './process.ts'
import { PNG } from './picture.ts'

const TOKEN = 'a-token-of-the-test'
const [FIRST, SECOND] = ['first'.repeat(8), 'second'.repeat(8)]
const NOBODY = { authorization: '' }

/** A server of an installation whose copies have one address in common, and each a port of its own. */
type Copy = Server & { origin: string }

/** An installation, on which servers and commands are started. */
interface Installation {
  db: Database
  env: Record<string, string>
  secretFile: string
  start(env?: Record<string, string>): Promise<Copy>
  rotate(args?: string[], env?: Record<string, string>): Promise<Ended>
}

async function install(t: TestContext): Promise<Installation> {
  const folder = temporaryFolder()
  const postgres = await createPostgres()
  const data = folder.path
  const database: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {}
  const port = await freePort()
  const env = { LECTERN_DATA: data, LECTERN_URL: `http://127.0.0.1:${port}`, ...database }
  const servers: Server[] = []
  const db = await openDatabase({ data, databaseUrl: postgres?.url, durable: false })
  t.after(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await db.close()
    await postgres?.drop()
    folder.remove()
  })
  return {
    db,
    env,
    secretFile: join(data, 'secret'),
    async start(more = {}) {
      const isFirst = servers.every(({ process }) => process.exitCode !== null)
      const own = {
        PORT: String(isFirst ? port : await freePort()),
        LECTERN_ADMIN_TOKEN: TOKEN,
        LECTERN_FETCH_ALLOW: '127.0.0.0/8',
      }
      const server = await startServer({ ...env, ...own, LECTERN_LOG: 'error', ...more })
      servers.push(server)
      return Object.assign(server, { origin: `http://127.0.0.1:${own.PORT}` })
    },
    rotate: (args = [], more = {}) => runHere(['rotate-secret', ...args], { ...env, ...more }),
  }
}

async function call(server: Copy, request: string, body?: object, headers: Record<string, string> = {}) {
  const [method = '', address = ''] = request.split(' ')
  const { pathname, search } = new URL(address, server.origin)
  const response = await fetch(server.origin + pathname + search, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined }
}

async function made(server: Copy, request: string, body?: object) {
  const answer = await call(server, request, body)
  assert(answer.status < 300, `${request}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** Things that were sealed or signed with the secret, each with a request that still has to work. */
async function useSecret(server: Copy) {
  const [{ id: organizationId }] = (await made(server, 'GET /v1/orgs')).items
  const org = `/v1/orgs/${organizationId}`
  const space = await made(server, `POST ${org}/spaces`, { title: 'Guide' })
  const bytes = archiveOf({
    'README.md': '# Hello\n\n![An image](image.png)\n',
    'later.md': '# Later\n',
    'image.png': PNG,
  })
  const upload = await made(server, `POST ${org}/storage/upload`, {
    file: { name: 'docs.zip', type: 'application/octet-stream', size: bytes.length },
    kind: 'import_file',
  })
  assert.equal((await fetch(upload.url, { method: 'PUT', body: Buffer.from(bytes) })).status, 204)
  await made(server, `POST /v1/spaces/${space.id}/content/import`, { url: upload.url, source: 'zip' })
  const [file] = (await made(server, `GET /v1/spaces/${space.id}/content/files`)).items

  const site = async (title: string, visibility: string) => {
    const { id } = await made(server, `POST ${org}/sites`, { title, visibility, spaces: [space.id] })
    const { basename } = await made(server, `POST ${org}/sites/${id}/publish`)
    return { base: `${org}/sites/${id}`, url: `${server.origin}/sites/docs/${basename}/` }
  }
  const shared = await site('Shared', 'share-link')
  await made(server, `POST ${shared.base}/share-links`, { name: 'For friends' })
  const needsKey = { name: 'Status', url: 'https://mcp.example.com/', headers: { 'x-key': 'secret' } }
  await made(server, `POST ${shared.base}/mcp-servers`, needsKey)
  const derived = await site('Derived', 'visitor-auth')
  const stored = await site('Stored', 'visitor-auth')
  await made(server, `POST ${stored.base}/publishing/auth/regenerate`)
  const open = await site('Open', 'public')
  await made(server, `PUT ${open.base}/customization`, {
    header: { logo: { light: file.downloadURL, dark: file.downloadURL } },
  })
  const { privateKey } = await made(server, `GET ${derived.base}/publishing/auth`)
  const jwt = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(privateKey))
  const { apiToken } = (await call(server, 'POST /v1/urls/published', { url: open.url }, NOBODY)).body
  const hidden = await made(server, `POST ${org}/sites`, { title: 'Hidden', spaces: [space.id] })
  const preview = await made(server, `GET ${org}/sites/${hidden.id}/publishing/preview`)
  const visitor = `${derived.url}?jwt_token=${jwt}`
  const pageOf = (text: string) => /[^"]*~\/files\/[^"]*signature=[^"]*/.exec(text)?.[0] ?? ''
  const withCookie = async () => {
    const response = await fetch(visitor, { redirect: 'manual' })
    assert.equal(response.status, 303)
    return response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
  }
  const cookie = await withCookie()
  const page = await call(server, `GET ${derived.url}`, undefined, { ...NOBODY, cookie })
  const { body: links } = await call(server, `GET ${shared.base}/share-links`)
  const reader = { authorization: `Bearer ${apiToken}` }

  return {
    org,
    shared,
    lasting: {
      'a share link': [`GET ${shared.url}${links.items[0].urls.published.split('/').at(-2)}/`, NOBODY],
      'the cookie of a visitor': [`GET ${derived.url}`, { ...NOBODY, cookie }],
      'a token of a visitor': [`GET ${visitor}`, NOBODY],
      'a stored key': [`GET ${stored.base}/publishing/auth`, {}],
      'a list of MCP servers with headers': [`GET ${shared.base}/mcp-servers`, {}],
      'a list of share links': [`GET ${shared.base}/share-links`, {}],
    },
    signed: {
      'a download': [`GET ${file.downloadURL}`, NOBODY],
      'a file of a site': [`GET ${pageOf(page.text).replaceAll('&amp;', '&')}`, NOBODY],
      'a site token': [`GET /v1/spaces/${space.id}/content/pages`, reader],
      'a preview': [
        `GET ${server.origin}/sites/docs/${hidden.basename}/${new URL(preview.url).search}`,
        NOBODY,
      ],
    },
    privateKey: async (one: Copy) =>
      (await made(one, `GET ${derived.base}/publishing/auth`)).privateKey as string,
    key: privateKey as string,
    /** The address of the logo in a page of a site. */
    logo: async (one: Copy, path = '') => {
      const { text } = await call(one, `GET ${open.url}${path}`, undefined, NOBODY)
      return /[^"]*~\/look\/[^"]*/.exec(text)?.[0] ?? ''
    },
    url: derived.url,
  }
}

type Used = Awaited<ReturnType<typeof useSecret>>
type Requests = Record<string, (string | Record<string, string>)[]>

async function statuses(server: Copy, requests: Requests) {
  const all = Object.entries(requests).map(async ([name, [request, headers]]) => {
    const { status } = await call(server, request as string, undefined, headers as Record<string, string>)
    return [name, status < 400 ? 'works' : status] as const
  })
  return Object.fromEntries(await Promise.all(all))
}

const allOf = (requests: Requests, value: unknown) =>
  Object.fromEntries(Object.keys(requests).map((name) => [name, value]))

async function assertWorks(server: Copy, used: Used, requests: Requests): Promise<void> {
  assert.deepEqual(await statuses(server, requests), allOf(requests, 'works'))
  assert.equal(await used.privateKey(server), used.key)
  assert.match(await used.logo(server), /~\/look\//)
}

/** Sends requests until `stop`. */
function visit(server: Copy, used: Used): { stop(): Promise<number> } {
  const over = new AbortController()
  const requests = { ...used.lasting, ...used.signed }
  const visiting = (async () => {
    let count = 0
    for (; !over.signal.aborted; count++) {
      assert.deepEqual(await statuses(server, requests), allOf(requests, 'works'))
      await made(server, `POST ${used.shared.base}/share-links`, { name: 'Made meanwhile' })
      await wait(700)
    }
    return count
  })()
  return {
    async stop() {
      over.abort()
      return visiting
    },
  }
}

async function sealedKeys(db: Database): Promise<string[]> {
  const rows = await db.read.selectFrom('siteShareLink').select('sealedKey').execute()
  return rows.map(({ sealedKey }) => sealedKey)
}

const keyIds = async (db: Database) => new Set((await sealedKeys(db)).map((sealed) => sealed.slice(0, 8)))

async function isIn(db: Database, phase: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('instance')
    .select('value')
    .where('name', '=', 'secret-rotation')
    .executeTakeFirst()
  return row?.value.includes(`"phase":"${phase}"`) ?? false
}

/** Kills the command some time after the rotation is in a phase. */
async function killRotation(
  db: Database,
  env: Record<string, string>,
  phase: 'announced' | 'begun',
  afterMs: number,
): Promise<void> {
  const rotating = spawn(process.execPath, [COMMAND, 'rotate-secret'], { env, stdio: 'ignore' })
  const ended = once(rotating, 'close')
  while (!(await isIn(db, phase))) await wait(20)
  await wait(afterMs)
  rotating.kill('SIGKILL')
  await ended
}

test('a server keeps running while the secret in its data folder is replaced', async (t) => {
  const { db, env, secretFile, start, rotate } = await install(t)
  const server = await start()
  const used = await useSecret(server)
  const before = readFileSync(secretFile, 'utf8')
  const [idBefore] = await keyIds(db)
  await assertWorks(server, used, { ...used.lasting, ...used.signed })

  const visitor = visit(server, used)
  await killRotation(db, env, 'begun', 0)
  const { code, out, err } = await rotate()
  assert.equal(code, 0, err)
  assert.match(out, /secrets are sealed/)
  assert((await visitor.stop()) > 1)
  assert.notEqual(readFileSync(secretFile, 'utf8'), before)
  assert(!out.includes(readFileSync(secretFile, 'utf8')))
  assert.deepEqual(
    readdirSync(join(secretFile, '..')).filter((name) => name.includes('secret')),
    ['secret'],
  )
  const ids = await keyIds(db)
  assert(ids.size === 1 && !ids.has(idBefore!))

  // A server that starts during the rotation knows both secrets.
  assert.equal(await server.stop(), 0)
  const again = await start()
  await assertWorks(again, used, { ...used.lasting, ...used.signed })

  assert.equal((await rotate(['--finish'])).code, 0)
  await wait(2500)
  await assertWorks(again, used, used.lasting)
  assert.deepEqual(await statuses(again, used.signed), {
    'a download': 404,
    'a file of a site': 401,
    'a site token': 401,
    'a preview': 404,
  })
  await made(again, `POST ${used.shared.base}/share-links`, { name: 'Made after' })
  assert.equal((await keyIds(db)).size, 1)

  const verified = await run(['audit', 'verify'], env)
  assert.equal(verified.code, 0, verified.err)
  const logged = await db.read
    .selectFrom('auditEvent')
    .select('action')
    .where('action', 'like', 'instance.secret.%')
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    logged.map(({ action }) => action),
    ['instance.secret.rotate', 'instance.secret.forget'],
  )
})

test('copies with LECTERN_SECRET are restarted one by one', { skip: inLongRun }, async (t) => {
  const { start, rotate } = await install(t)
  const [first, second] = [{ LECTERN_SECRET: FIRST }, { LECTERN_SECRET: SECOND }]
  const [one, two] = [await start(first), await start(first)]
  const used = await useSecret(one)
  await assertWorks(two, used, { ...used.lasting, ...used.signed })
  const visitors = [visit(one, used), visit(two, used)]
  const { code, out, err } = await rotate([], { ...first, LECTERN_NEW_SECRET: SECOND })
  assert.equal(code, 0, err)
  assert.match(out, /restart the copies one by one/)
  for (const visitor of visitors) await visitor.stop()

  await one.stop()
  const restarted = await start(second)
  await made(restarted, `POST ${used.shared.base}/share-links`, { name: 'Made by the restarted copy' })
  for (const copy of [restarted, two]) await assertWorks(copy, used, { ...used.lasting, ...used.signed })

  assert.equal((await rotate(['--finish'], second)).code, 0)
  await wait(2500)
  for (const copy of [restarted, two]) {
    await assertWorks(copy, used, used.lasting)
    // This page is in no cache of responses yet, but the settings of the site may be in one.
    assert.match(await used.logo(copy, 'later'), /~\/look\//)
  }
})

test('the command explains what it needs', { skip: inLongRun }, async (t) => {
  const { start, rotate } = await install(t)
  const [first, second] = [{ LECTERN_SECRET: FIRST }, { LECTERN_SECRET: SECOND }]
  await (await start(first)).stop()
  const errors: [string[], Record<string, string>, RegExp][] = [
    [['--finish'], first, /No rotation is under way/],
    [['now'], first, /takes no names/],
    [[], first, /Set LECTERN_NEW_SECRET/],
    [[], {}, /differs from the secret of this database/],
    [[], second, /differs from the secret of this database/],
    [[], { ...first, LECTERN_NEW_SECRET: FIRST }, /must differ/],
  ]
  for (const [args, env, words] of errors) assert.match((await rotate(args, env)).err, words)
  assert.equal((await rotate([], { ...first, LECTERN_NEW_SECRET: SECOND })).code, 0)
  const third = { ...first, LECTERN_NEW_SECRET: 'third'.repeat(8) }
  assert.match((await rotate([], third)).err, /rotation to another secret is under way/)
  assert.match((await rotate(['--finish'], first)).err, /LECTERN_SECRET is the earlier secret/)
  assert.equal((await rotate(['--finish'], second)).code, 0)
  await assert.rejects(start(first), /LECTERN_SECRET differs from the secret of this database/)
})

test(
  'a rotation that is killed at any point is completed by the next one',
  { skip: inLongRun },
  async (t) => {
    const { db, env, start, rotate, secretFile } = await install(t)
    const server = await start()
    const used = await useSecret(server)
    const [row] = await db.read.selectFrom('siteShareLink').selectAll().limit(1).execute()
    const many = Array.from({ length: 700 }, (_, i) => ({ ...row!, id: `zz${i}`, keyHash: `zz${i}` }))
    // The values of these rows belong to another row, so no secret opens them.
    await db.write((tx) => tx.insertInto('siteShareLink').values(many).execute())
    const refused = await rotate()
    assert.equal(refused.code, 1)
    assert.match(
      refused.err,
      /700 stored secrets were sealed with an unknown secret, such as that of siteShareLink zz/,
    )
    assert.match((await rotate(['--finish'])).err, /Until then, the earlier secret is kept/)
    await db.write((tx) => tx.deleteFrom('siteShareLink').where('id', 'like', 'zz%').execute())
    assert.equal((await rotate(['--finish'])).code, 0)

    const before = readFileSync(secretFile, 'utf8')
    const kills = ['announced', 'announced', 'begun', 'begun', 'begun'] as const
    for (const [i, phase] of kills.entries()) {
      await killRotation(db, env, phase, i * 40)
      await assertWorks(server, used, { ...used.lasting })
    }
    const [one, two] = await Promise.all([run(['rotate-secret'], env), run(['rotate-secret'], env)])
    assert.deepEqual([one.code, two.code], [0, 0], one.err + two.err)
    assert.notEqual(readFileSync(secretFile, 'utf8'), before)
    assert.equal((await rotate(['--finish'])).code, 0)
    assert.equal((await keyIds(db)).size, 1)
    await server.stop()
    await assertWorks(await start(), used, used.lasting)
  },
)

const SOURCE = resolve(import.meta.dirname, '../src')

/** The files that seal: what is stored, with its table, and what is only sent. */
const SEALERS: Record<string, string> = {
  'access/visitors/preview.ts': 'sent',
  'books/download.ts': 'sent',
  'installation/sealed-columns.ts': 'every table',
  'installation/secrets.ts': 'the rotation itself',
  'model/membership/provider-changes.ts': 'identityProvider',
  'model/membership/provider-logout.ts': 'sent',
  'model/people/answered-requests.ts': 'answeredRequest',
  'model/people/second-factor.ts': 'secondFactor',
  'model/proposals/repository-connection.ts': 'repositoryConnection',
  'model/sites/mcp/mcp-server.ts': 'siteMcpServer',
  'model/sites/publishing-auth.ts': 'sitePublishingAuth',
  'model/sites/share-link.ts': 'siteShareLink',
  'sso/start.ts': 'signInRequest',
}

test('every value that is sealed and stored is sealed again by a rotation', async (t) => {
  const sealers = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && /\bseal\(/.test(readFileSync(join(SOURCE, file), 'utf8')),
  )
  const others = sealers.filter((file) => !['access/credentials/sealing.ts', 'http/route.ts'].includes(file))
  assert.deepEqual(others.toSorted(), Object.keys(SEALERS))

  const { db } = await install(t)
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  const columns = await sealedColumns(db)
  assert.deepEqual(known.toSorted(), columns)
  for (const table of Object.values(SEALERS))
    assert(
      /^(sent|every table|the rotation itself)$/.test(table) ||
        known.some((one) => one.startsWith(`${table}.`)),
    )
})

/** The columns with names such as `sealedKey`. */
async function sealedColumns(db: Database): Promise<string[]> {
  const all = await (db as Database & { writer: Kysely<Schema> }).writer.introspection.getTables()
  return all
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    .filter((name) => /\.sealed/.test(name))
    .toSorted()
}
