/** A user with several organizations has the turns of one user, in every queue. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { partyFor } from '../../src/core/turns.ts'
import { jobLoop, type Worker } from '../../src/jobs/queue.ts'
import { archiveOf, upload } from '../importing.ts'
import { until } from '../listening.ts'
import { mailbox } from '../mailbox.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld({}, { mail: mailbox() })
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

const eve = await world.stranger('eve')
const organizations = [eve.organizationId]
for (let i = 1; i < 3; i++) organizations.push((await eve('POST /v1/orgs', { title: `Free ${i}` })).body.id)
const spaces = await spacesOf(eve, organizations)
const [adas = ''] = await spacesOf(ada, [organizationId])

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
