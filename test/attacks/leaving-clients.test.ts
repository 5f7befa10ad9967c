/** Clients that leave in the middle of every kind of work: those that stay get their answers all the same. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { casesOf } from '../effort.ts'
import { archiveOf, publish, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

const TABLE = `| a | b |\n| - | - |\n${'| *c* | `d` |\n'.repeat(800)}\n`
const CODE = `\`\`\`ts\n${'const a: number = 1 // b\n'.repeat(300)}\`\`\`\n\n`
const pageOf = (title: string) => `---\ntitle: ${title}\n---\n\n${TABLE}\n${CODE}`
/** An answer takes a second at most when nothing else happens. */
const LONGEST_MS = 60_000

test('clients that leave at any time do not keep others from being answered', async () => {
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Left', editMode: 'live' })
  const space = `/v1/spaces/${body.id}`
  const insert = (title: string) => ({
    changes: [{ operation: 'insert_page', document: { markdown: pageOf(title) } }],
  })
  assert.equal((await ada(`POST ${space}/content`, insert('First'))).status, 200)
  const { address } = await publish(world, body.id, 'Left')
  const { host, pathname } = new URL(address)
  const site = `/sites/${host.split('.')[0]}${pathname}`
  const { pages } = (await ada(`GET ${space}/content/pages`)).body as { pages: { id: string }[] }

  let round = 0
  /** Work of each kind that a thread, the database or a body takes part in. */
  const kinds: (() => Promise<[method: string, path: string, body?: unknown]>)[] = [
    async () => ['POST', `${space}/content`, insert(`Written ${round}`)],
    async () => ['GET', site],
    async () => ['GET', `${site}first.md?${round}`],
    async () => ['GET', `${space}/content/page/${pages[0]!.id}`],
    async () => ['GET', `${space}/search?query=${encodeURIComponent('"c d" a b')}`],
    async () => ['GET', `${site}~/search?q=c`],
    async () => {
      const { id } = (await ada(`POST ${space}/change-requests`, { subject: `${round}` })).body
      await ada(`POST ${space}/change-requests/${id}/content`, insert(`Merged ${round}`))
      return ['POST', `${space}/change-requests/${id}/merge`]
    },
    async () => {
      const archive = archiveOf({ 'README.md': pageOf('Start'), [`a${round}.md`]: pageOf(`A ${round}`) })
      const url = await upload(ada, organizationId, archive, 'pages.zip')
      return ['POST', `${space}/content/import`, { url, source: 'zip' }]
    },
  ]

  const ask = async (kind: number, signal: AbortSignal) => {
    const [method, path, sent] = await kinds[kind]!()
    const response = await fetch(world.url + path, {
      method,
      signal,
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    })
    await response.arrayBuffer()
    return response.status
  }

  const left: Promise<unknown>[] = []
  for (; round < casesOf(1000); round++) {
    const leaving = new AbortController()
    left.push(ask(round % kinds.length, leaving.signal).catch(() => 'left'))
    // From at once to after the answer, so that some leave just when a thread has finished.
    setTimeout(() => leaving.abort(), (round * 37) % 400)
    await wait(10)
  }
  await Promise.all(left)

  for (const kind of kinds.keys()) {
    round++
    const statuses = await Promise.all([1, 2, 3].map(() => ask(kind, AbortSignal.timeout(LONGEST_MS))))
    assert(
      statuses.every((status) => status < 500),
      `kind ${kind}: ${statuses.join()}`,
    )
  }
})

test('clients that leave in the middle of an upload are no errors of the server', async () => {
  const lines: { level: number }[] = []
  const logging = await createWorld(
    { LECTERN_LOG: 'info' },
    { logTo: { write: (line) => void lines.push(JSON.parse(line)) } },
  )
  const { body } = await logging.ada(`POST /v1/orgs/${logging.organizationId}/storage/upload`, {
    file: { name: 'pages.zip', type: 'application/octet-stream', size: 1_000_000 },
    kind: 'import_file',
  })
  const { pathname, search, port } = new URL(body.url)
  const { server } = logging.app.server
  const closed = new Promise((resolve) =>
    server.once('connection', (one: Socket) => one.on('close', resolve)),
  )
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n`)
  socket.write('Content-Type: application/octet-stream\r\nExpect: 100-continue\r\n\r\n')
  await once(socket, 'data')
  await new Promise((sent) => socket.write(Buffer.alloc(100_000), sent))
  socket.destroy()
  await closed
  await wait(50)
  assert.deepEqual(
    lines.filter(({ level }) => level >= 50),
    [],
  )
})
