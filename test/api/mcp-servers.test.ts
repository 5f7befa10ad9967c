/** The MCP servers of others that a site names to its readers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jwt, siteForReaders } from '../sites/reading.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, nobody } = world
const site = await siteForReaders(world, 'Manual')
const servers = `${site.at}/mcp-servers`
const SECRET = 'Bearer s3cret'
const pro = { authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro' })}` }

const added = async (body: object) => {
  const answer = await ada(`POST ${servers}`, body)
  assert.equal(answer.status, 201, answer.text)
  return answer
}

const { body: status, headers: statusHeaders } = await added({
  name: 'Status [eu]',
  url: 'https://status.example.com/mcp?a=(1)',
  transport: 'http',
  headers: { Authorization: SECRET, 'X-Region': 'eu' },
})
const { body: partners } = await added({
  name: 'Partners',
  url: 'https://partners.example.com/sse',
  headers: {},
  condition: 'visitor.claims.plan == "pro"',
})

/** The instructions of the MCP server of the site. */
async function instructions(headers: Record<string, string> = {}): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  const accept = 'application/json, text/event-stream'
  return (await nobody(`POST ${site.base}~mcp`, body, { accept, ...headers })).body.result.instructions
}

const llms = async (headers = {}) => (await nobody(`GET ${site.base}llms.txt`, undefined, headers)).text
const page = async (headers = {}) => (await nobody(`GET ${site.base}open`, undefined, headers)).text

test('a server has its headers for those who manage the site, and a URL in the API', async () => {
  assert.deepEqual(status, {
    object: 'site-mcp-server',
    id: status.id,
    name: 'Status [eu]',
    url: 'https://status.example.com/mcp?a=(1)',
    transport: 'http',
    headers: { Authorization: SECRET, 'X-Region': 'eu' },
    urls: { location: `${world.url}${servers}/${status.id}` },
  })
  assert.equal(statusHeaders.get('location'), status.urls.location)
  assert.deepEqual([partners.transport, partners.condition], ['sse', 'visitor.claims.plan == "pro"'])
  const { items } = (await ada(`GET ${servers}`)).body
  assert.deepEqual(items, [status, partners])
  assert.deepEqual((await ada(`GET ${servers}/${partners.id}`)).body, partners)
})

test('the values of headers are encrypted, and the audit log does not have them', async () => {
  const rows = await world.db.read.selectFrom('siteMcpServer').selectAll().execute()
  assert(!JSON.stringify(rows).includes('s3cret'))
  const events = await world.db.read
    .selectFrom('auditEvent')
    .selectAll()
    .where('action', 'like', 'site.mcp-server%')
    .execute()
  assert.equal(events.length, 2)
  assert(!JSON.stringify(events).includes('s3cret'))
})

test('readers see the names of servers and headers by conditions, and no values', async () => {
  const named =
    '- [Status \\[eu\\]](https://status.example.com/mcp?a=%281%29): Streamable HTTP, with the headers Authorization, X-Region'
  assert((await llms()).endsWith(`\n## MCP servers\n\n${named}\n`), await llms())
  assert(
    (await llms(pro)).endsWith(`${named}\n- [Partners](https://partners.example.com/sse): HTTP with SSE\n`),
  )
  assert.match(
    await instructions(),
    /It recommends the MCP server "Status \[eu\]" at https:\/\/status\.example\.com\/mcp\?a=\(1\) \(Streamable HTTP, with the headers Authorization, X-Region\)\.$/,
  )
  assert.match(
    await instructions(pro),
    /"Partners" at https:\/\/partners\.example\.com\/sse \(HTTP with SSE\)\.$/,
  )
  for (const text of [await llms(), await instructions(), await page()]) {
    assert(!text.includes('s3cret'))
    assert(!text.includes('artners'))
  }
})

test('the menu of a page offers the addresses if the look has the action', async () => {
  assert(!(await page()).includes('status.example.com'))
  const look = await ada(`PUT ${site.at}/customization`, { pageActions: { items: ['markdown', 'mcp'] } })
  assert.equal(look.status, 200, look.text)
  const shown = await page()
  assert(
    shown.includes(
      'data-address="https://status.example.com/mcp?a=(1)">Copy the address of the MCP server “Status [eu]”<small>Headers: Authorization, X-Region</small></button>',
    ),
    shown,
  )
  assert(!shown.includes('artners'))
  assert((await page(pro)).includes('“Partners”</button>'))
})

test('a change is seen at once, and fields that are not sent keep their values', async () => {
  const { body: server } = await added({
    name: 'Old',
    url: 'https://old.example.com/',
    headers: { 'X-A': 'b' },
  })
  const path = `${servers}/${server.id}`
  const changed = await ada(`PATCH ${path}`, { name: 'New', condition: 'visitor.claims.plan == "pro"' })
  assert.deepEqual(changed.body, { ...server, name: 'New', condition: 'visitor.claims.plan == "pro"' })
  assert(!(await llms()).includes('old.example.com'))
  const opened = await ada(`PATCH ${path}`, { condition: null, headers: {}, transport: 'http' })
  assert.deepEqual(opened.body, { ...server, name: 'New', headers: {}, transport: 'http' })
  assert.deepEqual((await ada(`PATCH ${path}`, {})).body, opened.body)
  assert((await llms()).includes('- [New](https://old.example.com/): Streamable HTTP\n'))
  assert.equal((await ada(`DELETE ${path}`)).status, 205)
  assert(!(await llms()).includes('old.example.com'))
  assert.equal((await ada(`GET ${path}`)).status, 404)
  assert.equal((await ada(`DELETE ${path}`)).status, 204)
})

test('an address of a page that a reader may not see is not named to this reader', async () => {
  const { body: server } = await added({ name: 'Own', url: `${site.address}pro`, headers: {} })
  assert(!(await llms()).includes('[Own]'))
  assert((await llms(pro)).includes('[Own]'))
  await ada(`DELETE ${servers}/${server.id}`)
})

test('what no client could send is refused', async () => {
  const good = { name: 'X', url: 'https://x.example.com/', headers: {} }
  const refused = async (change: object, path: string, message: RegExp) => {
    const { status: code, body } = await ada(`POST ${servers}`, { ...good, ...change })
    assert.equal(code, 400)
    assert.match(body.error.details[0].path, new RegExp(`^body\\.${path}`))
    assert.match(body.error.details[0].message, message)
  }
  await refused({ name: ' ' }, 'name', /blank/)
  await refused({ url: 'ftp://x.example.com/' }, 'url', /must begin with "https:/)
  await refused({ transport: 'stdio' }, 'transport', /"sse"/)
  await refused({ headers: { 'X A': 'b' } }, 'headers', /names of HTTP headers/)
  await refused({ headers: { 'X-A': 'b\r\nX-B: c' } }, 'headers', /line breaks/)
  await refused({ condition: 'visitor.' }, 'condition', /not a condition/)
  await refused({ headers: undefined }, 'headers', /required/)
})

test('a site has at most twenty', async () => {
  const { id } = (await ada(`POST /v1/orgs/${world.organizationId}/sites`, { title: 'Full' })).body
  const path = `/v1/orgs/${world.organizationId}/sites/${id}/mcp-servers`
  const body = { name: 'X', url: 'https://x.example.com/', headers: {} }
  for (let i = 0; i < 20; i++) assert.equal((await ada(`POST ${path}`, body)).status, 201)
  const full = await ada(`POST ${path}`, body)
  assert.equal(full.status, 409)
  assert.deepEqual(full.body.error.parameters, { limit: 20 })
})
