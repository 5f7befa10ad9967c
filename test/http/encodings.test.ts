/** Answers of the API in the content codings of HTTP. */
import assert from 'node:assert/strict'
import { get, type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { draftOn, insert } from '../batches.ts'
import { proposalsIn } from '../proposing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { made, spaceId, changeRequest } = await draftOn(world)
const line = 'A line of text with **bold** words and [a link](https://example.com).\n\n'
const [pageId] = await made(insert(`# Large\n\n${line.repeat(2000)}`))
const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content`

interface Sent {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** `fetch` decodes what it receives, so the bytes are read without it. */
async function fetchRaw(
  address: string,
  headers: Record<string, string>,
  method = 'GET',
  body?: string,
): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>()
  const sent = request(
    world.url + address,
    { method, headers: { authorization: `Bearer ${world.ada.token}`, ...headers } },
    (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      )
    },
  )
  sent.on('error', reject).end(body)
  return await promise
}

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

test('large answers are compressed as the client accepts, in one piece and as a stream', async () => {
  const addresses = [`${path}/page/${pageId}/document`, `${path}/page/${pageId}?format=markdown`, path]
  for (const address of addresses) {
    const plain = await fetchRaw(address, {})
    assert.equal(plain.headers['content-encoding'], undefined)
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      const { headers, bytes } = await fetchRaw(address, { 'accept-encoding': `x, ${encoding};q=0.5` })
      const isShort = plain.bytes.length < 1024
      assert.equal(headers['content-encoding'], isShort ? undefined : encoding, address)
      if (isShort) continue
      assert.equal(headers.vary, 'accept-encoding')
      assert.equal(headers.etag, `W/${plain.headers.etag}`)
      assert(decode(bytes).equals(plain.bytes), `${address} as ${encoding}`)
    }
  }
  const document = await fetchRaw(addresses[0]!, {})
  const zipped = await fetchRaw(addresses[0]!, { 'accept-encoding': 'gzip, deflate, br, zstd' })
  assert.equal(zipped.headers['content-encoding'], 'zstd')
  assert(document.bytes.length > 500_000)
  assert(zipped.bytes.length < document.bytes.length / 10)
})

test('an answer that is kept is the same in each coding, at once and again, short and long', async () => {
  const section = (i: number) => `## Section ${i}\n\n${'walrus '.repeat(60)}\n\n`
  const page = Array.from({ length: 5 }, (_, i) => section(i)).join('')
  const pages = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`p${i}.md`, `# Page ${i}\n\n${page}`]),
  )
  const space = await proposalsIn(world).liveSpace({ 'README.md': '# Home\n', ...pages })
  await indexed(world)
  for (const [limit, least] of [
    [5, 1024],
    [30, 33_000],
  ] as const) {
    const address = `${space}/search?query=walrus&limit=${limit}`
    const fresh = await fetchRaw(address, {})
    assert(fresh.bytes.length > least)
    for (const [encoding, decode] of Object.entries(DECODERS))
      for (let time = 0; time < 2; time++) {
        const { headers, bytes } = await fetchRaw(address, { 'accept-encoding': encoding })
        assert.equal(headers['content-encoding'], encoding)
        assert.equal(headers.etag, `W/${fresh.headers.etag}`)
        assert(decode(bytes).equals(fresh.bytes), `${limit} as ${encoding}`)
      }
    assert((await fetchRaw(address, {})).bytes.equals(fresh.bytes))
  }
})

test('a client that has the answer gets 304, and codings that are refused are not used', async () => {
  const address = `${path}/page/${pageId}/document`
  const { headers } = await fetchRaw(address, { 'accept-encoding': 'br' })
  const again = await fetchRaw(address, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })
  assert.equal(again.status, 304)
  assert.equal(again.bytes.length, 0)
  const refused = await fetchRaw(address, { 'accept-encoding': 'br;q=0, identity' })
  assert.equal(refused.headers['content-encoding'], undefined)
})

test('the coding is the one that the client ranks first', async () => {
  const cases: [header: string, encoding: string | undefined][] = [
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['br;q=0.9, zstd;q=0.8, gzip;q=1.0', 'gzip'],
    ['gzip, br', 'br'],
    ['*', 'zstd'],
    ['*, zstd;q=0', 'br'],
    ['br;q=0.2, *;q=0.7, zstd;q=0', 'gzip'],
    ['*;q=0', undefined],
    ['GZIP', 'gzip'],
    ['Br ; Q=0.5', 'br'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.000', undefined],
    ['gzip;q=much', undefined],
    ['', undefined],
  ]
  for (const [header, encoding] of cases) {
    const { headers } = await fetchRaw(`${path}/page/${pageId}/document`, { 'accept-encoding': header })
    assert.equal(headers['content-encoding'], encoding, header)
  }
})

test('a HEAD request gets the headers of GET', async () => {
  const addresses = [
    `${path}/page/${pageId}/document`,
    `${path}/page/${pageId}?format=markdown`,
    '/openapi.json',
  ]
  for (const address of [...addresses, '/v1/user'])
    for (const accepted of ['br', 'gzip;q=0.5', 'identity']) {
      const [got, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetchRaw(address, { 'accept-encoding': accepted }, method)),
      )
      assert.equal(head!.bytes.length, 0)
      assert.equal(head!.status, got!.status)
      const names = ['content-encoding', 'etag', 'vary', 'content-type', 'cache-control', 'content-length']
      for (const name of names)
        assert.equal(head!.headers[name], got!.headers[name], `${name} of ${address} as ${accepted}`)
    }
})

test('the OpenAPI document is compressed and has an ETag', async () => {
  const plain = await fetchRaw('/openapi.json', {})
  for (const [encoding, decode] of Object.entries(DECODERS))
    for (let time = 0; time < 2; time++) {
      const { headers, bytes } = await fetchRaw('/openapi.json', { 'accept-encoding': encoding })
      assert.equal(headers['content-encoding'], encoding)
      assert(bytes.length < plain.bytes.length / 5)
      assert(decode(bytes).equals(plain.bytes))
      const had = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) }
      assert.equal((await fetchRaw('/openapi.json', had)).status, 304)
    }
})

test('answers of writes are compressed too', async () => {
  const changes = Array.from({ length: 20 }, (_, i) => insert(`# Page ${i}\n`))
  const { status, headers, bytes } = await fetchRaw(
    `${path}?compat=false`,
    { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
    'POST',
    JSON.stringify({ changes }),
  )
  assert.equal(status, 200)
  assert.equal(headers['content-encoding'], 'gzip')
  assert.equal(JSON.parse(gunzipSync(bytes).toString()).changes.length, 20)
})

test('a client that leaves in the middle of a compressed stream ends it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const headers = { authorization: `Bearer ${world.ada.token}`, 'accept-encoding': 'gzip' }
  const sent = get(`${world.url}${path}/page/${pageId}/document`, { headers }, (answer) => {
    answer.once('data', () => {
      answer.destroy()
      sent.destroy()
      resolve()
    })
  })
  sent.on('error', () => undefined)
  await promise
  assert.equal((await fetchRaw(path, {})).status, 200)
})
