import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const { ada, nobody } = world
const site = await siteForReaders(world, 'Models')
await indexed(world)

const ACCEPT = { accept: 'application/json, text/event-stream' }
let id = 0

/** Calls a method of the protocol, as a client that has no session. */
async function call(method: string, params: object, headers: Record<string, string> = {}, prefix = '') {
  const body = { jsonrpc: '2.0', id: (id += 1), method, params }
  // Both addresses by turns.
  const address = `${site.base}${prefix}${id % 2 === 0 ? '~mcp' : '~/mcp'}`
  return nobody(`POST ${address}`, body, { ...ACCEPT, ...headers })
}

async function tool(name: string, input: object, headers: Record<string, string> = {}, prefix = '') {
  const { status, body, text } = await call('tools/call', { name, arguments: input }, headers, prefix)
  assert.equal(status, 200, text)
  assert(body.result, text)
  return body.result as {
    content: [{ text: string }]
    structuredContent?: object
    isError?: boolean
  }
}

const found = async (query: string, headers: Record<string, string> = {}) => {
  const { content, structuredContent } = await tool('search_pages', { query }, headers)
  assert.deepEqual(structuredContent, JSON.parse(content[0].text))
  const { pages } = JSON.parse(content[0].text) as {
    pages: { title: string; url: string; excerpt?: string }[]
  }
  return pages
}

const pro = { authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro' })}` }

test('a client initializes without a session, and lists the tools', async () => {
  const { status, body, headers } = await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /application\/json/)
  assert.equal(headers.get('mcp-session-id'), null)
  assert.equal(body.result.serverInfo.name, 'Models')
  assert.deepEqual(body.result.capabilities, { tools: { listChanged: false } })
  assert.match(body.result.instructions, /"Models"/)
  for (const path of ['~mcp', '~/mcp']) assert.equal((await site.get(path)).status, 405)
  const listed = await call('tools/list', {})
  assert.deepEqual(
    listed.body.result.tools.map(({ name }: { name: string }) => name),
    ['search_pages', 'read_page'],
  )
  const initialized = await nobody(
    `POST ${site.base}~mcp`,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ACCEPT,
  )
  assert.equal(initialized.status, 202)
})

test('a client of the revision of 2026 calls tools with an envelope', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'read_page',
  }
  const { status, body, text } = await call(
    'tools/call',
    { name: 'read_page', arguments: { page: 'open' }, _meta },
    headers,
  )
  assert.equal(status, 200, text)
  assert.match(body.result.content[0].text, /For everyone/)
})

test('search finds pages by title and by text, and only what the reader may see', async () => {
  assert.deepEqual(
    (await found('open')).map(({ title, url }) => [title, url]),
    [['Open', `${site.address}open`]],
  )
  const [byText] = await found('EVERYONE for')
  assert.equal(byText?.title, 'Open')
  assert.match(byText.excerpt ?? '', /For everyone/)
  assert(!(await found('below pro')).some(({ title }) => ['Pro', 'Below'].includes(title)))
  for (const { title, excerpt } of await found('secret text')) {
    assert.equal(title, 'Mixed')
    assert.equal(excerpt, 'The free text.')
  }
  assert.deepEqual(await found('secret'), [])
  assert.deepEqual(
    (await found('secret text', pro)).map(({ title }) => title),
    ['Mixed'],
  )
  assert.deepEqual(
    (await found('below the pro', pro)).map(({ title }) => title),
    ['Below'],
  )
  assert.deepEqual(await found(' '), [])
})

test('a page is read by path or URL as the site shows it to the reader', async () => {
  const read = async (page: string, headers: Record<string, string> = {}) => {
    const { content, isError } = await tool('read_page', { page }, headers)
    return isError ? undefined : content[0].text
  }
  const markdown = (await site.get('open.md')).text
  for (const page of ['open', '/open', 'Open', 'old-open', 'open.md', `${site.address}open#part`])
    assert.equal(await read(page), markdown, page)
  for (const page of [
    'pro',
    'nothing',
    '../open',
    'https://example.com/open',
    'llms.txt',
    'pro/below',
    '//open/x',
  ])
    assert.equal(await read(page), undefined, page)
  assert.match((await read('pro', pro)) ?? '', /^# Pro/)
  assert.doesNotMatch((await read('mixed')) ?? '', /secret/)
  const { content } = await tool('read_page', { page: 'open', offset: markdown.length - 4 })
  assert.equal(content[0].text, markdown.slice(-4))
})

test('a reader who may not see the site gets nothing', async () => {
  const { token } = { token: (await ada(`POST ${site.at}/share-links`, { name: 'Models' })).body }
  assert(token)
  await site.set({ visibility: 'visitor-auth' })
  assert.equal((await call('tools/list', {})).status, 401)
  assert.equal((await call('tools/list', {}, pro)).status, 200)
  await site.set({ visibility: 'share-link' })
  assert.equal((await call('tools/list', {})).status, 404)
  const { items } = (await ada(`GET ${site.at}/share-links`)).body
  const key = /share_\w+/.exec(items[0].urls.published)![0]
  assert.equal((await call('tools/list', {}, {}, `${key}/`)).status, 200)
  const { content } = await tool('search_pages', { query: 'open' }, {}, `${key}/`)
  assert(content[0].text.includes(`/${key}/open`))
  await ada(`POST ${site.at}/unpublish`)
  assert.equal((await call('tools/list', {})).status, 404)
  await ada(`POST ${site.at}/publish`)
  await site.set({ visibility: 'public' })
})

test('only POST of one JSON message is accepted, and only at the one path', async () => {
  const get = await nobody(`GET ${site.base}~mcp`)
  assert.equal(get.status, 405)
  assert.equal(get.headers.get('allow'), 'POST')
  for (const path of ['open', 'open/~mcp', '~mcp/x']) {
    const { status } = await nobody(`POST ${site.base}${path}`, {}, ACCEPT)
    assert.equal(status, 405, path)
  }
  assert.equal((await nobody(`POST ${site.base}~mcp`, [], ACCEPT)).status, 400)
  assert.equal((await call('subscriptions/listen', {})).status, 400)
  const large = await call('tools/call', { name: 'read_page', arguments: { page: 'x'.repeat(70_000) } })
  assert.equal(large.status, 413)
  const long = await call('tools/call', { name: 'search_pages', arguments: { query: 'x'.repeat(201) } })
  assert(long.body.error ?? long.body.result.isError, long.text)
})

test('a client can make 120 calls a minute', async () => {
  world.clock.now = new Date('2026-11-20T12:00:00.000Z')
  const statuses = new Set<number>()
  for (let i = 0; i < 125; i++) statuses.add((await call('ping', {})).status)
  assert.deepEqual([...statuses], [200, 429])
})
