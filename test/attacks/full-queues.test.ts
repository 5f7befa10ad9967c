/** Users who fill a queue with slow work keep nobody else out of it, and work whose client has left waits no longer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { archiveOf, upload } from '../importing.ts'
import { until } from '../waiting.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

/** The responses that the test has not sent yet. */
const held: ServerResponse[] = []
const release = () => {
  for (const response of held.splice(0)) response.setHeader('content-type', 'text/markdown').end('# Page\n')
}

/** A server that responds when the test says so. A host gets one request of all crawls at a time, so each import has one. */
async function startSlow(): Promise<string> {
  const server = createServer((_, response) => void held.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  after(() => server.closeAllConnections())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/page.md`
}

async function spaceOf(who: Person, organization: string): Promise<string> {
  return (await who(`POST /v1/orgs/${organization}/spaces`, {})).body.id
}

/** Waits until a request shows what it should. */
async function untilShown(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries++) assert(tries < 2_000)
}

const stageIn = async (who: Person, space: string): Promise<string | undefined> =>
  (await who(`GET /v1/spaces/${space}/content/import`)).body.imports[0]?.stage

for (const { source, users, each } of [
  { source: 'markdown', users: 5, each: 12 },
  { source: 'website', users: 5, each: 4 },
] as const)
  test(`slow imports (${source}) of ${users} users leave a place in the queue to another one`, async () => {
    const attackers = await Promise.all(
      Array.from({ length: users }, (_, i) => world.stranger(`${source}-${i}`)),
    )
    const statuses: number[] = []
    let sent = 0
    const burst = attackers.flatMap((who) =>
      Array.from({ length: each }, async () => {
        const url = await startSlow()
        const space = await spaceOf(who, who.organizationId)
        sent++
        const { status, headers } = await who(`POST /v1/spaces/${space}/content/import`, { url, source })
        if (status === 429) assert(Number(headers.get('retry-after')) > 0)
        statuses.push(status)
      }),
    )
    await until(() => sent === users * each && statuses.length > 0 && held.length > 0, 'the queue is full')
    const space = await spaceOf(ada, organizationId)
    const answer = ada(`POST /v1/spaces/${space}/content/import`, { url: await startSlow(), source })
    await untilShown(async () => (await stageIn(ada, space)) !== undefined)

    let isOver = false
    const all = Promise.all([answer, ...burst]).finally(() => (isOver = true))
    await until(() => {
      release()
      return isOver
    }, 'all end')
    const [{ status }] = await all
    assert.equal(status, source === 'markdown' ? 201 : 400)
    assert.equal(statuses.includes(429), true)
  })

for (const { source, count } of [
  { source: 'markdown', count: 8 },
  { source: 'website', count: 3 },
] as const)
  test(`imports (${source}) whose client leaves give back their places, whether they wait or fetch`, async () => {
    const eve = await world.stranger(`eve-${source}`)
    const spaces = await Promise.all(Array.from({ length: count }, () => spaceOf(eve, eve.organizationId)))
    const leaving = new AbortController()
    const url = await startSlow()
    const sent = spaces.map((space) =>
      fetch(`${world.url}/v1/spaces/${space}/content/import`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url, source }),
      }).catch(() => undefined),
    )
    const stages = async () => Promise.all(spaces.map((space) => stageIn(eve, space)))
    await untilShown(async () => (await stages()).every((stage) => stage !== undefined))
    await until(() => held.length > 0, 'the first one fetches')
    const begun = held.length
    leaving.abort()
    await Promise.all(sent)
    await untilShown(async () => (await stages()).every((stage) => stage === undefined))
    assert.equal(held.length, begun, 'none of them has begun meanwhile, and the server has responded to none')
    release()
  })

test('slow sources of a user keep no import of another one waiting', async () => {
  const eve = await world.stranger('eve-slow')
  const slow = await startSlow()
  const leaving = new AbortController()
  for (let i = 0; i < 6; i++) {
    const space = await spaceOf(eve, eve.organizationId)
    void fetch(`${world.url}/v1/spaces/${space}/content/import`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: slow, source: 'markdown' }),
    }).catch(() => undefined)
  }
  await until(() => held.length > 0, 'one fetches')
  const fast = createServer((_, response) => void response.end('# Page\n')).listen(0, '127.0.0.1')
  await once(fast, 'listening')
  after(() => fast.close())
  const address = `http://127.0.0.1:${(fast.address() as { port: number }).port}/page.md`
  const uploaded = await upload(ada, organizationId, archiveOf({ 'README.md': '# Home\n' }), 'pages.zip')
  for (const [url, source] of [
    [address, 'markdown'],
    [uploaded, 'zip'],
  ]) {
    const space = await spaceOf(ada, organizationId)
    const { status, text } = await ada(`POST /v1/spaces/${space}/content/import`, { url, source })
    assert.equal(status, 201, text)
  }
  leaving.abort()
  release()
})
