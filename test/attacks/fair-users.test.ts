/** A user with several organizations has the turns of one user, in every queue. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { availableParallelism } from 'node:os'
import { after, test } from 'node:test'
import { partyFor } from '../../src/core/runtime/turns.ts'
import { inCompression } from '../../src/http/response/encodings.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import type { Worker } from '../../src/jobs/queue/job-kind.ts'
import { checkAnswer } from '../declared.ts'
import { archiveOf, upload } from '../importing.ts'
import { until } from '../waiting.ts'
import { mailbox } from '../mailbox.ts'
import { createWorld, type Person } from '../world.ts'

/** How many responses are about to be sent. */
let served = 0
const world = await createWorld(
  {},
  {
    mail: mailbox(),
    inspect(route, answer) {
      checkAnswer(route, answer)
      served++
    },
  },
)
const { ada, organizationId } = world

/** The requests that wait for responses, and the names of all that have arrived, in order. */
interface Silence {
  arrived: string[]
  held: (() => void)[]
}

/** A server that responds when the test releases a request: with no archive, and with rules that admit no crawl. Its requests arrive under a name. */
async function startSilent(name: string, { arrived, held }: Silence): Promise<string> {
  const server = createServer((_, response) => {
    arrived.push(name)
    held.push(() => response.setHeader('content-type', 'text/plain').end('User-agent: *\nDisallow: /'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  after(() => server.closeAllConnections())
  const { port } = server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}

async function spacesOf(who: Person, organizations: readonly string[]): Promise<string[]> {
  const made = organizations.map((id) => who(`POST /v1/orgs/${id}/spaces`, {}))
  return (await Promise.all(made)).map(({ body }) => body.id as string)
}

/** A space with content, and its pages. */
interface Filled {
  space: string
  pages: string[]
}

/** Creates a space with a page whose JSON is long enough to be compressed outside of the event loop. */
async function filledSpace(who: Person, organization: string): Promise<Filled> {
  const [space = ''] = await spacesOf(who, [organization])
  const long = Array.from({ length: 8_000 }, (_, i) => i * i).join(' ')
  const url = await upload(
    who,
    organization,
    archiveOf({ 'README.md': '# Home\n', 'long.md': `# Long\n\n${long}\n` }),
  )
  const imported = await who(`POST /v1/spaces/${space}/content/import`, { url, source: 'zip' })
  assert.equal(imported.status, 201, imported.text)
  const { body } = await who(`GET /v1/spaces/${space}/content/pages`)
  return { space, pages: body.pages.map(({ id }: { id: string }) => id) }
}

const eve = await world.stranger('eve')
const organizations = [eve.organizationId]
for (let i = 1; i < 3; i++) organizations.push((await eve('POST /v1/orgs', { title: `Free ${i}` })).body.id)
const spaces = await spacesOf(eve, organizations)
const [adas = ''] = await spacesOf(ada, [organizationId])
const filled = await Promise.all(organizations.map((id) => filledSpace(eve, id)))
const filledByAda = await filledSpace(ada, organizationId)

for (const { source, atOnce, waiting } of [
  { source: 'zip', atOnce: 4, waiting: 8 },
  { source: 'website', atOnce: 3, waiting: 2 },
] as const)
  test(`24 slow imports (${source}) from three organizations leave the next turn to another user`, async () => {
    const silence: Silence = { arrived: [], held: [] }
    const { arrived, held } = silence
    // A host gets one request of all crawls at a time, so each import has its own.
    const hosts = await Promise.all(Array.from({ length: 24 }, () => startSilent('eve', silence)))
    const other = await startSilent('ada', silence)
    let refused = 0
    const burst = hosts.map(async (host, i) => {
      const body = { url: `${host}/docs.zip`, source }
      const { status } = await eve(`POST /v1/spaces/${spaces[i % 3]}/content/import`, body)
      if (status === 429) refused++
    })
    await until(() => refused + waiting + arrived.length >= 24, 'the burst waits')
    assert.equal(refused + waiting + arrived.length, 24, 'the bounds of one user hold in all organizations')
    assert(arrived.length <= atOnce)

    const begun = arrived.length
    const body = { url: `${other}/docs.zip`, source }
    const answer = ada(`POST /v1/spaces/${adas}/content/import`, body)
    let stage: string | undefined
    while (!stage) stage = (await ada(`GET /v1/spaces/${adas}/content/import`)).body.imports[0]?.stage
    if (stage === 'waiting') held.shift()!()
    await until(() => arrived.length > begun, 'the next turn comes')
    assert.equal(arrived[begun], 'ada', arrived.join())

    let isOver = false
    const all = Promise.all([answer, ...burst]).finally(() => (isOver = true))
    await until(() => {
      for (const release of held.splice(0)) release()
      return isOver
    }, 'all end')
    const [{ status }] = await all
    assert.notEqual(status, 429)
  })

/** What makes each kind of job that is for an organization. */
const CAUSES: Record<
  string,
  (who: Person, organization: string) => Promise<{ status: number; text: string }>
> = {
  'index-search': async (who, organization) => {
    const [space = ''] = await spacesOf(who, [organization])
    const url = await upload(who, organization, archiveOf({ 'README.md': '# Home\n' }))
    return who(`POST /v1/spaces/${space}/content/import`, { url, source: 'zip' })
  },
  'process-openapi': (who, organization) =>
    who(`PUT /v1/orgs/${organization}/openapi/pets`, { source: { text: '{}' } }),
  'check-links': (who, organization) => who(`PATCH /v1/orgs/${organization}`, { checkExternalLinks: true }),
  'send-email': (who, organization) =>
    who(`POST /v1/orgs/${organization}/invites`, { emails: [`${organization}@example.com`], role: 'read' }),
}

test('the jobs of a user with three organizations leave the next turn to another user', async () => {
  const cause = async (who: Person, organization: string) => {
    for (const [kind, act] of Object.entries(CAUSES)) {
      const { status, text } = await act(who, organization)
      assert(status < 300, `${kind}: ${text}`)
    }
  }
  await world.db.write((tx) => tx.deleteFrom('job').execute())
  for (const organization of organizations) await cause(eve, organization)
  await cause(ada, organizationId)

  const ran = new Map(Object.keys(CAUSES).map((kind) => [kind, [] as string[]]))
  const note: Worker = async (_, { kind, askedBy, organizationId: of }) => {
    assert.deepEqual(partyFor(of), { user: askedBy, organization: of })
    ran.get(kind)!.push(askedBy)
  }
  const fail = (fact: object) => assert.fail(JSON.stringify(fact))
  const kinds = Object.fromEntries(Object.keys(CAUSES).map((kind) => [kind, note]))
  await jobLoop(world.db, kinds, () => new Date(), { warn: fail, error: fail }).runDue()
  for (const [kind, users] of ran) {
    assert.deepEqual(users.toSorted(), [ada.id, eve.id, eve.id, eve.id].toSorted(), kind)
    assert(users.indexOf(ada.id) < 2, `${kind}: ${users.join()}`)
  }
})

test('12 books from three organizations leave the next turn to another user', async () => {
  const { blobs } = world.app.services
  const { put, has } = blobs
  const held: (() => void)[] = []
  const made: string[] = []
  const make = async (who: Person, space: string, query: string): Promise<number> => {
    const { status } = await who(`GET /v1/spaces/${space}/pdf?${query}`)
    if (status === 200) made.push(who.id)
    return status
  }
  // A book that was made before and is lost is looked for when it is requested again.
  assert.equal(await make(ada, filledByAda.space, 'format=pdf'), 200)
  made.length = 0
  const looked = Promise.withResolvers<void>()
  blobs.has = async () => {
    looked.resolve()
    return false
  }
  blobs.put = async (...content) => {
    await new Promise<void>((resolve) => held.push(resolve))
    return put.apply(blobs, content)
  }
  try {
    let refused = 0
    const burst = filled.flatMap(({ space, pages: [home = '', long = ''] }) =>
      [`page=${home}`, `page=${home}&only=true`, `page=${long}`, `page=${long}&only=true`].map(
        async (query) => {
          if ((await make(eve, space, `format=epub&${query}`)) === 503) refused++
        },
      ),
    )
    await until(() => refused > 0 && held.length > 0, 'as many books as one user may have wait')
    const book = make(ada, filledByAda.space, 'format=pdf')
    await looked.promise
    // Where two books are made at once, one of the places is left for the other user.
    const places = availableParallelism() > 3 ? 2 : 1
    await until(() => held.length === places, 'all places are taken')

    let isOver = false
    const all = Promise.all([book, ...burst]).finally(() => (isOver = true))
    await until(() => {
      held.shift()?.()
      return isOver
    }, 'all end')
    await all
    assert.equal(refused, 1, 'the bounds of one user hold in all organizations')
    assert(made.indexOf(ada.id) < 2, made.join())
    assert.equal(made.length, 12)
  } finally {
    Object.assign(blobs, { put, has })
    for (const release of held) release()
  }
})

test('12 large responses from three organizations, by three tokens, leave the next turn of compression to another user', async () => {
  const ask = async (token: string, { space, pages }: Filled): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    const response = await fetch(
      `${world.url}/v1/spaces/${space}/content/page/${pages.at(-1)}?format=markdown`,
      { headers },
    )
    assert.deepEqual([response.status, response.headers.get('content-encoding')], [200, 'gzip'])
    await response.bytes()
  }
  // The server compresses nothing until these end.
  const blocked = Promise.withResolvers<void>()
  const places = Math.max(1, Math.floor((Number(process.env['UV_THREADPOOL_SIZE']) || 4) / 4))
  const blockers = Array.from({ length: places }, (_, i) =>
    inCompression({ user: `blocker ${i}` }, () => blocked.promise),
  )
  const tokens = await Promise.all(
    filled.map(
      async () => (await eve('POST /v1/user/tokens', { label: 'one of three' })).body.token as string,
    ),
  )

  const finished: string[] = []
  const onFinish = (message: unknown) => {
    const { authorization = '' } = (message as { request: IncomingMessage }).request.headers
    finished.push(authorization === `Bearer ${ada.token}` ? 'ada' : 'eve')
  }
  served = 0
  const burst = filled.flatMap((space, i) => [1, 2, 3, 4].map(() => ask(tokens[i]!, space)))
  await until(() => served === 12, 'the burst waits')
  const answer = ask(ada.token, filledByAda)
  await until(() => served === 13, 'the other user waits')
  subscribe('http.server.response.finish', onFinish)
  blocked.resolve()
  await Promise.all([answer, ...burst, ...blockers])
  unsubscribe('http.server.response.finish', onFinish)
  assert.equal(finished.length, 13)
  assert(finished.indexOf('ada') <= places, finished.join())
})
