import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireInsights } from '../../src/jobs/expire-insights.ts'
import { workers } from '../../src/jobs/workers.ts'
import { longestHold, LONGEST_HOLD_MS } from '../attacks/event-loop.ts'
import { isLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, nobody, organizationId, db, clock } = world
const sites = `/v1/orgs/${organizationId}/sites`
const NOON = new Date('2026-11-18T12:00:00.000Z')

interface Site {
  path: string
  id: string
  space: string
  siteSpace: string
}

/** A published site with one space. */
async function siteNamed(title: string): Promise<Site> {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title })).body.id
  const { id } = (await ada(`POST ${sites}`, { title, spaces: [space] })).body
  await ada(`POST ${sites}/${id}/publish`)
  const { items } = (await ada(`GET ${sites}/${id}/site-spaces`)).body
  return { path: `${sites}/${id}/insights/events`, id, space, siteSpace: items[0].id }
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36'

function eventOf(
  site: Site,
  type: string,
  more: { session?: object; location?: object; [own: string]: unknown } = {},
) {
  const { session, location, ...own } = more
  return {
    type,
    session: {
      visitorId: 'ada-browser',
      sessionId: 'first',
      cookies: { secret: 'cookie-of-ada' },
      userAgent: CHROME,
      language: 'de',
      referrer: 'https://search.example.com/find?q=private',
      ip: '203.0.113.9',
      ...session,
    },
    location: {
      url: 'https://docs.example.com/handbook/install?jwt_token=hidden&utm_source=news',
      siteSection: null,
      siteSpace: site.siteSpace,
      siteShareKey: null,
      space: site.space,
      revision: null,
      page: 'page-1',
      ...location,
    },
    ...own,
  }
}

const columns = (body: { columns: { column: string; values: unknown[] }[] }) =>
  Object.fromEntries(body.columns.map(({ column, values }) => [column, values]))

test('anyone can report events of a published site, and members count them', async () => {
  clock.now = NOON
  const site = await siteNamed('Counted')
  const visitor = (visitorId: string, sessionId = 'first') => ({ session: { visitorId, sessionId } })
  const sent = await nobody(`POST ${site.path}`, {
    events: [
      eventOf(site, 'page_view', visitor('a')),
      eventOf(site, 'page_view', visitor('a', 'second')),
      eventOf(site, 'page_view', visitor('b')),
      eventOf(site, 'search_type_query', { ...visitor('b'), query: 'install' }),
      eventOf(site, 'page_post_feedback', { ...visitor('b'), feedback: { rating: 'good' } }),
    ],
  })
  assert.equal(sent.status, 204, sent.text)

  const count = async (query: object) => {
    const { status, body, text } = await ada(`POST ${site.path}/aggregate`, { range: 'last7Days', ...query })
    assert.equal(status, 200, text)
    return columns(body)
  }
  assert.deepEqual(
    await count({
      select: [
        { column: 'eventType' },
        { column: 'eventsCount' },
        { column: 'visitorsCount' },
        { column: 'sessionsCount' },
      ],
      order: { by: { column: 'eventsCount' }, direction: 'desc' },
    }),
    {
      eventType: ['page_view', 'page_post_feedback', 'search_type_query'],
      eventsCount: [3, 1, 1],
      visitorsCount: [2, 1, 1],
      sessionsCount: [3, 1, 1],
    },
  )
  assert.deepEqual(
    await count({
      select: [{ column: 'page' }, { column: 'url' }, { column: 'pageFeedbackRating' }],
      where: [{ column: 'visitorBrowser', values: ['chrome'] }],
    }),
    {
      page: [{ space: site.space, page: 'page-1' }],
      url: [`http://docs.localhost:${new URL(world.url).port}/handbook/install`],
      pageFeedbackRating: [{ bad: 0, ok: 0, good: 1 }],
    },
  )
  assert.deepEqual(
    await count({
      select: [{ column: 'eventSearchQuery' }, { column: 'utmSource' }, { column: 'referrerDomain' }],
      where: [{ column: 'eventSearchQuery', values: [null], operator: 'notIn' }],
    }),
    { eventSearchQuery: ['install'], utmSource: ['news'], referrerDomain: ['search.example.com'] },
  )
  assert.deepEqual(await count({ groupBy: [{ column: 'siteSpace' }], limit: 1 }), {
    siteSpace: [site.siteSpace],
    eventsCount: [5],
  })
  assert.deepEqual(
    await count({
      select: [{ column: 'eventType' }],
      where: [{ column: 'eventsCount', values: [1], operator: 'greaterThan' }],
    }),
    { eventType: ['page_view'] },
  )
})

test('searches are counted by the page that they led to', async () => {
  clock.now = NOON
  const site = await siteNamed('Results')
  const to = (query: string, pageId: string, spaceId = site.space) =>
    eventOf(site, 'search_open_result', { query, result: { spaceId, pageId } })
  const events = [to('log', 'one'), to('rotation', 'one'), to('log', 'two'), to('log', 'two', 'elsewhere')]
  assert.equal((await nobody(`POST ${site.path}`, { events })).status, 204)
  const opened = { column: 'eventSearchResult' }
  const counted = { column: 'eventsCount' }
  const select = [opened, counted]
  const order = { by: counted, direction: 'desc' }
  const count = async (query: object) => {
    const answer = await ada(`POST ${site.path}/aggregate`, { range: 'last7Days', select, order, ...query })
    assert.equal(answer.status, 200, answer.text)
    return columns(answer.body)
  }
  const one = { space: site.space, page: 'one' }
  const two = { space: site.space, page: 'two' }
  assert.deepEqual(await count({ where: [{ ...opened, values: [null], operator: 'notIn' }] }), {
    eventSearchResult: [one, two],
    eventsCount: [2, 1],
  })
  assert.deepEqual(await count({ where: [{ ...opened, values: [two] }] }), {
    eventSearchResult: [two],
    eventsCount: [1],
  })
  // A page of a space that the site does not have counts as none.
  assert.deepEqual(await count({ where: [{ ...opened, values: [null] }] }), {
    eventSearchResult: [null],
    eventsCount: [1],
  })
})

test('whatever path a stranger reports, the site is counted, and no address leaves its host', async () => {
  clock.now = NOON
  const site = await siteNamed('Strange paths')
  const reported = ['//a%5Bb/x', '//evil//x', '/..//c', '/ok'].map(
    (path) => `http://docs.localhost:4722${path}`,
  )
  const events = reported.map((url) => eventOf(site, 'page_view', { location: { url } }))
  assert.equal((await nobody(`POST ${site.path}`, { events })).status, 204)
  const counted = await ada(`POST ${site.path}/aggregate`, {
    groupBy: [{ column: 'url' }],
    range: 'last7Days',
  })
  assert.equal(counted.status, 200, counted.text)
  const home = `http://docs.localhost:${new URL(world.url).port}`
  assert.deepEqual(
    new Set(columns(counted.body).url),
    new Set(['//c', '//a%5Bb/x', '//evil//x', '/ok'].map((path) => home + path)),
  )
  const filtered = async (column: string, value: string) => {
    const query = { groupBy: [], where: [{ column, values: [value] }], range: 'last7Days' }
    return columns((await ada(`POST ${site.path}/aggregate`, query)).body).eventsCount
  }
  assert.deepEqual(await filtered('url', `${home}//evil//x`), [1])
  assert.deepEqual(await filtered('datetime', 'never'), [0])
})

test('intervals start in UTC, and weeks on Monday', async () => {
  const site = await siteNamed('Intervals')
  for (const now of ['2026-11-15T23:59:00.000Z', '2026-11-16T00:01:00.000Z', '2026-11-18T12:30:00.000Z']) {
    clock.now = new Date(now)
    await nobody(`POST ${site.path}`, { events: [eventOf(site, 'page_view')] })
  }
  const starts = async (interval: string) => {
    const datetime = { column: 'datetime', interval }
    const { body } = await ada(`POST ${site.path}/aggregate`, {
      select: [datetime, { column: 'eventsCount' }, { column: 'visitorsCount' }],
      groupBy: [datetime],
      range: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
    })
    const { datetime: at, eventsCount, visitorsCount } = columns(body)
    return at?.map((one, i) => [one, eventsCount?.[i], visitorsCount?.[i]])
  }
  assert.deepEqual(await starts('week'), [
    ['2026-11-09T00:00:00.000Z', 1, 1],
    // The events of one visitor on two days: they cannot be recognized the next day.
    ['2026-11-16T00:00:00.000Z', 2, 2],
  ])
  assert.deepEqual(await starts('month'), [['2026-11-01T00:00:00.000Z', 3, 3]])
  assert.deepEqual(
    (await starts('hour'))?.map(([at]) => at),
    ['2026-11-15T23:00:00.000Z', '2026-11-16T00:00:00.000Z', '2026-11-18T12:00:00.000Z'],
  )
})

test('nothing that identifies a visitor is stored, and the secret of a day is deleted after it', async () => {
  clock.now = NOON
  const site = await siteNamed('Private')
  const key = 'a-secret-share-key'
  await nobody(`POST ${site.path}`, {
    events: [
      eventOf(site, 'page_view', {
        location: { url: `https://docs.example.com/handbook/${key}/install`, siteShareKey: key },
      }),
      eventOf(site, 'page_view', { session: { visitorId: '' } }),
    ],
  })
  await world.app.services.insights.flush()
  const rows = () => db.read.selectFrom('insightEvent').selectAll().where('siteId', '=', site.id).execute()
  const stored = JSON.stringify(await rows())
  for (const word of [
    '203.0.113',
    '127.0.0.1',
    'ada-browser',
    'cookie-of-ada',
    'private',
    'hidden',
    key,
    CHROME,
  ])
    assert(!stored.includes(word), `${word} is in ${stored}`)
  assert.equal(new Set((await rows()).map(({ visitor }) => visitor)).size, 2)

  const salts = async () =>
    (await db.read.selectFrom('insightSalt').select('day').execute()).map(({ day }) => day)
  assert.deepEqual(await salts(), ['2026-11-18'])
  clock.now = new Date('2026-11-19T00:00:01.000Z')
  await workers(world.app.services)['expire-insights']!.run({} as never, {} as never)
  assert.deepEqual(await salts(), [])
})

test('events are deleted after the retention time', async () => {
  clock.now = NOON
  const site = await siteNamed('Expiring')
  await nobody(`POST ${site.path}`, { events: [eventOf(site, 'page_view')] })
  await world.app.services.insights.flush()
  const left = async () =>
    (await db.read.selectFrom('insightEvent').select('id').where('siteId', '=', site.id).execute()).length
  const expire = expireInsights({
    ...world.app.services,
    limits: { ...world.app.services.limits, insightDays: 30 },
  })
  clock.now = new Date(NOON.getTime() + 29 * 24 * 3_600_000)
  await expire({} as never, {} as never)
  assert.equal(await left(), 1)
  clock.now = new Date(NOON.getTime() + 31 * 24 * 3_600_000)
  await expire({} as never, {} as never)
  assert.equal(await left(), 0)
})

test('refuses events of unknown types and other times, and names them', async () => {
  clock.now = NOON
  const site = await siteNamed('Strict')
  const unknown = await nobody(`POST ${site.path}`, {
    events: [eventOf(site, 'page_view'), eventOf(site, 'page_stare')],
  })
  assert.equal(unknown.status, 400)
  assert.equal(unknown.body.error.details[0].path, 'body.events.1.type')
  const late = await nobody(`POST ${site.path}`, {
    events: [{ ...eventOf(site, 'page_view'), timestamp: '2026-11-18T11:54:00Z' }],
  })
  assert.equal(late.status, 400)
  assert.match(late.body.error.message, /body\.events\.0\.timestamp must be within 5 minutes/)
  const many = await nobody(`POST ${site.path}`, { events: Array(101).fill(eventOf(site, 'page_view')) })
  assert.equal(many.status, 400)
  await ada(`POST ${sites}/${site.id}/unpublish`)
  assert.equal((await nobody(`POST ${site.path}`, { events: [eventOf(site, 'page_view')] })).status, 404)
})

test('ids that the site does not have are not stored', async () => {
  clock.now = NOON
  const [site, other] = [await siteNamed('Mine'), await siteNamed('Other')]
  const location = { siteSpace: other.siteSpace, space: other.space }
  await nobody(`POST ${site.path}`, { events: [eventOf(site, 'page_view', { location })] })
  const { body } = await ada(`POST ${site.path}/aggregate`, {
    select: [{ column: 'siteSpace' }, { column: 'page' }],
    range: 'last24Hours',
  })
  assert.deepEqual(columns(body), { siteSpace: [null], page: [null] })
})

test('a client can report 1,000 events a minute to a site', async () => {
  clock.now = NOON
  const site = await siteNamed('Flooded')
  const events = Array(100).fill(eventOf(site, 'page_view'))
  for (let i = 0; i < 10; i++) assert.equal((await nobody(`POST ${site.path}`, { events })).status, 204)
  const over = await nobody(`POST ${site.path}`, { events })
  assert.equal(over.status, 429)
  assert(Number(over.headers.get('retry-after')) > 0)
})

test('refuses queries that contradict themselves', async () => {
  const site = await siteNamed('Contradicted')
  const refusal = async (query: object) => {
    const { status, body } = await ada(`POST ${site.path}/aggregate`, { range: 'last7Days', ...query })
    assert.equal(status, 400)
    return body.error.message as string
  }
  assert.match(await refusal({ select: [{ column: 'visitorGeoCountry' }] }), /body\.select\.0\.column/)
  assert.match(await refusal({ select: [{ column: 'url' }], groupBy: [] }), /body\.select\.0 must be counted/)
  assert.match(await refusal({ groupBy: [{ column: 'eventsCount' }] }), /body\.groupBy\.0\.column/)
  assert.match(await refusal({ order: { by: { column: 'url' }, direction: 'asc' } }), /body\.order\.by/)
  assert.match(
    await refusal({ range: { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' } }),
    /body\.range\.from/,
  )
  assert.match(await refusal({ where: [{ column: 'url', values: [] }] }), /body\.where\.0\.values/)
})

const MANY = isLongRun() ? 100_000 : 20_000

test('counting very many events of a day gives others their turns', async () => {
  clock.now = NOON
  const site = await siteNamed('Busy')
  const row = {
    siteId: site.id,
    type: 'page_view',
    siteSection: null,
    siteSpace: null,
    space: null,
    page: null,
    language: null,
    referrer: null,
    device: null,
    browser: null,
    os: null,
    displayContext: 'site' as const,
    details: '{}',
  }
  await db.write(async (tx) => {
    for (let i = 0; i < MANY; i += 500) {
      const values = Array.from({ length: 500 }, (_, j) => ({
        ...row,
        id: `busy${String(i + j).padStart(8, '0')}`,
        occurredAt: new Date(NOON.getTime() - i - j).toISOString(),
        visitor: `visitor-${(i + j) % 5000}`,
        session: `session-${(i + j) % 7000}`,
        path: `/handbook/page-${(i + j) % 200}`,
      }))
      await tx.insertInto('insightEvent').values(values).execute()
    }
  })
  const { value, ms } = await longestHold(() =>
    ada(`POST ${site.path}/aggregate`, {
      select: [{ column: 'url' }, { column: 'eventsCount' }, { column: 'visitorsCount' }],
      order: { by: { column: 'eventsCount' }, direction: 'desc' },
      range: 'last24Hours',
      limit: 10,
    }),
  )
  const { eventsCount, visitorsCount } = columns(value.body)
  assert.deepEqual(eventsCount, Array(10).fill(MANY / 200))
  assert.deepEqual(visitorsCount, Array(10).fill(25))
  assert(ms < LONGEST_HOLD_MS, `the event loop was held for ${ms} ms`)

  const each = await longestHold(() =>
    ada(`POST ${site.path}/aggregate`, {
      select: [{ column: 'datetime' }, { column: 'url' }, { column: 'eventsCount' }],
      where: [
        {
          column: 'datetime',
          values: [new Date(NOON.getTime() - 20_000).toISOString()],
          operator: 'greaterThan',
        },
      ],
      order: { by: { column: 'eventsCount' }, direction: 'desc' },
      range: 'last24Hours',
      limit: 3,
    }),
  )
  assert.deepEqual(
    columns(each.value.body).datetime,
    [19_999, 19_998, 19_997].map((before) => new Date(NOON.getTime() - before).toISOString()),
  )
  assert(each.ms < LONGEST_HOLD_MS, `the event loop was held for ${each.ms} ms by 20,000 groups`)
})
