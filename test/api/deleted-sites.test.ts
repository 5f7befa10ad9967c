/** When a site is deleted, nothing of it remains in the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`

async function done(request: string, body?: unknown) {
  const answer = await ada(request, body)
  assert(answer.status < 300, `${request}: ${answer.text}`)
  return answer.body
}

/** A site that has a row in each table of a site. */
async function fullSite(): Promise<string> {
  const [first, second] = await Promise.all(
    ['One', 'Two'].map((title) => spaceWith(world, archiveOf({ 'README.md': `# ${title}\n` }), title)),
  )
  const site = await done(`POST ${sites}`, { title: 'Handbook', spaces: [first!.spaceId] })
  const at = `${sites}/${site.id}`
  const section = await done(`POST ${at}/sections`, { spaceId: second!.spaceId, title: 'Two' })
  await done(`POST ${at}/section-groups`, { title: 'More', sections: [section.id] })
  await done(`PATCH ${at}/sections/${section.id}`, { path: 'second' })
  await done(`POST ${at}/external-links`, { title: 'Shop', url: 'https://example.com/' })
  await done(`POST ${at}/share-links`, { name: 'Partners' })
  await done(`POST ${at}/mcp-servers`, { name: 'Status', url: 'https://example.com/mcp', headers: {} })
  await done(`POST ${at}/redirects`, {
    source: '/old',
    destination: { kind: 'external', url: 'https://example.com/' },
  })
  await done(`PATCH ${at}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://example.com/' })
  await done(`PUT ${at}/adaptive-schema`, {
    jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
  })
  await done(`PUT ${at}/customization`, { title: 'Our handbook' })
  await done(`PATCH ${at}`, { basename: 'guide', hostname: 'guide.example.com' })
  await done(`POST ${at}/permissions`, { users: [(await world.person('Reader', 'read')).id], role: 'edit' })
  await done(`PATCH /v1/orgs/${organizationId}`, { defaultContent: { type: 'site', site: site.id } })
  await done(`POST ${at}/publish`)
  const session = {
    visitorId: 'a',
    sessionId: 'b',
    cookies: {},
    userAgent: 'x',
    language: 'en',
    referrer: null,
  }
  const location = {
    url: 'https://example.com/',
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    space: null,
    revision: null,
    page: null,
  }
  const seen = () =>
    done(`POST ${at}/insights/events`, { events: [{ type: 'page_view', session, location }] })
  await seen()
  await world.app.services.insights.flush()
  // This one is not yet stored when the site is deleted.
  await seen()
  return site.id
}

const database = world.db.read as unknown as Kysely<Record<string, Record<string, string | null>>>

/** The tables with a column `siteId`, and how many of their rows are of a site. */
async function rowsOfSite(siteId: string): Promise<Map<string, number>> {
  const tables = await database.introspection.getTables()
  const counts = new Map<string, number>()
  for (const { name, columns } of tables) {
    if (!columns.some((column) => column.name === 'siteId')) continue
    const rows = database.selectFrom(name).where('siteId', '=', siteId)
    const { count } = await rows.select(sql<number | string>`count(*)`.as('count')).executeTakeFirstOrThrow()
    counts.set(name, Number(count))
  }
  return counts
}

test('nothing of a deleted site remains', async () => {
  const siteId = await fullSite()
  const before = await rowsOfSite(siteId)
  // A new table of sites must be filled above, so that the test sees its rows go.
  for (const [table, count] of before) assert(count > 0, `the site has no row in ${table}`)
  assert(before.size >= 13, [...before.keys()].join())

  assert.equal((await ada(`DELETE ${sites}/${siteId}`)).status, 205)
  await world.app.services.insights.flush()
  for (const [table, count] of await rowsOfSite(siteId)) assert.equal(count, 0, table)
  const granted = database.selectFrom('grant').selectAll().where('targetId', '=', siteId)
  assert.deepEqual(await granted.execute(), [])
  assert.equal((await ada(`GET /v1/orgs/${organizationId}`)).body.defaultContent, undefined)
})
