/** Clients that ask for large answers and never read them: what the server holds for them is bounded. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isLongRun } from '../effort.ts'
import { archiveOf, importArchive, upload } from '../importing.ts'
import { createWorld, type Person } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const SOCKETS = isLongRun() ? 60 : 8
const PAGES = isLongRun() ? 3000 : 1000
/** What the server may hold for a connection whose client does not read. */
const MOST_HELD = 512 * 1024

// The check of each answer against its schema would make it whole.
const world = await createWorld({}, { inspect: undefined })
const { ada, organizationId } = world

/** Sends a request and reads nothing. */
function ask(path: string, { token }: Person): Socket {
  const { port } = new URL(world.url)
  const socket = connect(Number(port), '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

/** A space whose page tree is about 10 MB of JSON, a third of the pages below one page. */
async function createLargeSpace(): Promise<string> {
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Large' })
  const files: Record<string, string> = { 'README.md': '# Home\n', 'folder/README.md': '# Folder\n' }
  for (let i = 0; i < PAGES; i++)
    files[`${i % 3 === 0 ? 'folder/' : ''}page-${i}.md`] =
      `---\ndescription: ${'x'.repeat(8000)} é🙂 ${i}\n---\n\n# Page ${i}\n`
  assert.equal((await importArchive(world, body.id, archiveOf(files))).status, 201)
  return body.id
}

const spaceId = await createLargeSpace()
const TREE = `/v1/spaces/${spaceId}/content/pages`

test('clients that never read a page tree cost the server little memory each', async () => {
  const connections: Socket[] = []
  const listen = (socket: Socket) => void connections.push(socket)
  world.app.server.server.on('connection', listen)
  const clients = Array.from({ length: SOCKETS }, () => ask(TREE, ada))

  const written = () => connections.reduce((sum, socket) => sum + socket.bytesWritten, 0)
  let before = -1
  while (connections.length < SOCKETS || written() !== before || before < SOCKETS * 1_000_000) {
    before = written()
    await wait(500)
  }
  world.app.server.server.off('connection', listen)
  const held = connections.map(({ writableLength }) => writableLength)
  // The server would wait for them when it closes.
  for (const client of clients) client.destroy()
  for (const bytes of held) assert(bytes < MOST_HELD, `${bytes} bytes`)
})

test('others do not wait while a large page tree is made', async () => {
  const { ms, value } = await longestHold(() => ada(`HEAD ${TREE}`))
  assert.equal(value.status, 200)
  assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
  const reading = await longestHold(async () => {
    const response = await fetch(world.url + TREE, { headers: { authorization: `Bearer ${ada.token}` } })
    let bytes = 0
    for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length
    return bytes
  })
  assert(reading.value > PAGES * 8000, `${reading.value} bytes`)
  assert(reading.ms < LONGEST_HOLD_MS, `${reading.ms} ms`)
})

test('a large page tree is whole, and has an ETag that changes with it', async () => {
  const first = await ada(`GET ${TREE}`)
  const [root] = first.body.pages.filter(({ slug }: { slug: string }) => slug === 'folder')
  assert.equal(first.body.pages.length + root.pages.length, PAGES + 2)
  assert(!first.text.includes('\ufffd'), 'no character is divided')
  const one = first.body.pages.find(({ slug }: { slug: string }) => slug === 'page-1')
  assert.deepEqual((await ada(`GET /v1/spaces/${spaceId}/content/page/${one.id}?format=markdown`)).body, {
    ...one,
    markdown: (await ada(`GET /v1/spaces/${spaceId}/content/page/${one.id}?format=markdown`)).body.markdown,
  })

  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]+"$/)
  const known = { 'if-none-match': etag }
  assert.equal((await ada(`GET ${TREE}`, undefined, known)).status, 304)
  const head = await ada(`HEAD ${TREE}`)
  assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag])
  assert.notEqual((await ada(`GET ${TREE}?metadata=false`)).headers.get('etag'), etag)

  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  const changes = [{ operation: 'insert_page', document: { markdown: '# New\n' } }]
  const changed = await ada(`POST /v1/spaces/${spaceId}/content`, { changes })
  assert(changed.status < 300, changed.text)
  const second = await ada(`GET ${TREE}`, undefined, known)
  assert.equal(second.status, 200)
  assert.equal(second.body.pages.length, first.body.pages.length + 1)
})

test('a file is read no further when its client leaves', async () => {
  const { blobs } = world.app.services
  const { get } = blobs
  const streams: Readable[] = []
  blobs.get = async (...args) => {
    const blob = await get.apply(blobs, args)
    if (blob) streams.push(blob.stream)
    return blob
  }
  after(() => void (blobs.get = get))
  const url = new URL(await upload(ada, organizationId, randomBytes(24 * 1024 * 1024), 'large.bin'))
  const socket = ask(url.pathname + url.search, world.nobody)
  await once(socket, 'readable')
  const [stream] = streams
  assert(stream && !stream.destroyed)
  socket.destroy()
  if (!stream.closed) await once(stream, 'close')
  assert(stream.destroyed && !stream.readableEnded)
})
