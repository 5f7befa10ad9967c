import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { auditActions } from '../../src/effects/audit.ts'
import { appendAuditEvent, BY_SYSTEM, checkAuditChains } from '../../src/model/audit/chain.ts'
import { recorded } from '../../src/model/audit/payload.ts'
import { loadRoutes } from '../../src/server/routes.ts'
import { runHere } from '../process.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world
const { sealing } = world.app.services
const events = `GET /v1/orgs/${organizationId}/audit-events`
const routes = await loadRoutes()
const changing = routes.filter(({ route }) => route.method !== 'GET')
const stranger = await world.stranger('mallory')
const solo = await world.person('solo')
const env: Record<string, string> = world.config.databaseUrl
  ? { DATABASE_URL: world.config.databaseUrl, LECTERN_DATA: world.config.data }
  : { LECTERN_DATA: world.config.data }

/** Returns the newest event of the organization with all fields. */
async function lastEvent() {
  const { body } = await ada(`${events}?limit=1`)
  return (await ada(`GET /v1/orgs/${organizationId}/audit-events/${body.items[0].id}`)).body
}

const countEvents = async () => (await ada(`${events}?limit=1`)).body.count as number
const chains = async () => {
  const all = await Array.fromAsync(checkAuditChains(db.read, sealing))
  return new Map(all.map((chain) => [chain.organizationId, chain]))
}

test('the set-up is the first event, by the system', async () => {
  const { body } = await ada(`${events}?action=instance.set-up`)
  assert.equal(body.count, 1)
  assert.equal(body.items[0].actor.type, 'system')
  assert.deepEqual(body.items[0].target, { type: 'organization', id: organizationId, label: 'Documentation' })
})

test('a change is one event with actor, token, address, target, and values before and after', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body
  const made = await lastEvent()
  assert.equal(made.action, 'space.create')
  assert.deepEqual(made.target, { type: 'space', id: space.id, label: 'Guide' })
  assert.equal(made.payload.after.title, 'Guide')
  assert.equal('before' in made.payload, false)

  const before = await countEvents()
  const body = { title: 'Handbook', editMode: 'live' }
  await ada(`PATCH /v1/spaces/${space.id}`, body, { 'x-request-id': 'of-the-change' })
  assert.equal(await countEvents(), before + 1)
  const token = await db.read.selectFrom('token').select('id').where('userId', '=', ada.id).execute()
  const { id, occurredAt, hash, urls, sequence, ...event } = await lastEvent()
  assert.deepEqual(event, {
    object: 'audit-event',
    action: 'space.update',
    actor: { type: 'user', id: ada.id, label: 'Administrator' },
    source: 'api',
    target: { type: 'space', id: space.id, label: 'Handbook' },
    schemaVersion: 1,
    correlationId: 'of-the-change',
    token: token[1]?.id ?? token[0]?.id,
    ip: '127.0.0.1',
    payload: {
      before: { title: 'Guide', editMode: 'locked' },
      after: { title: 'Handbook', editMode: 'live' },
      fields: ['title', 'editMode'],
    },
  })
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert(Math.abs(Date.parse(occurredAt) - Date.now()) < 60_000)
  assert.equal(sequence, made.sequence + 1)
  assert.equal(urls.location, `${world.url}/v1/orgs/${organizationId}/audit-events/${id}`)
})

test('an event of a change request has the address of its screen while there is one', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Plans' })).body
  const { id, urls } = (await ada(`POST /v1/spaces/${space.id}/change-requests`, { subject: 'New plan' }))
    .body
  const listed = async () =>
    (await ada(`GET /v1/orgs/${organizationId}/audit-events?target=${id}`)).body.items[0].urls
  assert.equal((await listed()).app, urls.app)
  assert.equal((await lastEvent()).urls.app, urls.app)

  await ada(`DELETE /v1/spaces/${space.id}`)
  assert.deepEqual(Object.keys(await listed()), ['location'])
})

test('omits unchanged fields and logs flags as flags', async () => {
  await ada(`PATCH /v1/orgs/${organizationId}`, {
    title: 'Documentation',
    ai: true,
    emailDomains: ['acme.example'],
  })
  const { payload } = await lastEvent()
  assert.deepEqual(payload, {
    before: { ai: false, emailDomains: [] },
    after: { ai: true, emailDomains: ['acme.example'] },
    fields: ['title', 'ai', 'emailDomains'],
  })
})

test('failed requests and deletions of missing resources are not logged', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Refused' })).body
  const reader = await world.person('reader', 'read')
  const before = await countEvents()
  assert.equal((await ada(`PATCH /v1/spaces/${space.id}`, { title: '' })).status, 400)
  assert.equal((await ada(`PATCH /v1/spaces/${space.id}`, { emoji: 'x', icon: 'https://x.y/z' })).status, 400)
  assert.equal((await reader(`PATCH /v1/spaces/${space.id}`, { title: 'No' })).status, 403)
  assert.equal((await stranger(`PATCH /v1/spaces/${space.id}`, { title: 'No' })).status, 404)
  assert.equal((await ada('DELETE /v1/user/tokens/gone')).status, 204)
  assert.equal(await countEvents(), before)
})

test('deleting a collection is logged only in its own organization, with its name', async () => {
  const owner = await world.stranger('collector')
  const joined = { organizationId, userId: owner.id, role: 'admin', disabled: 0, sso: 0 } as const
  const at = { joinedAt: new Date().toISOString(), lastSeenAt: null }
  await db.write((tx) =>
    tx
      .insertInto('member')
      .values({ ...joined, ...at })
      .execute(),
  )
  const own = `/v1/orgs/${owner.organizationId}`
  const { id } = (await owner(`POST ${own}/collections`, { title: 'Ours' })).body
  assert.equal((await owner(`DELETE /v1/collections/${id}`)).status, 205)
  const joinEvents = async (organization: string) =>
    (await owner(`GET ${organization}/audit-events?action=collection.delete`)).body.items
  assert.deepEqual(await joinEvents(`/v1/orgs/${organizationId}`), [])
  const [event] = await joinEvents(own)
  assert.deepEqual([event.target.id, event.target.label], [id, 'Ours'])
  const { payload } = (await owner(`GET ${own}/audit-events/${event.id}`)).body
  assert.equal(payload.before.title, 'Ours')
})

test('account changes are logged in each organization of the user, or else in the log of the instance', async () => {
  const made = await ada('POST /v1/user/tokens', { label: 'not for other organizations' })
  const event = await lastEvent()
  assert.equal(event.action, 'user.token.create')
  assert.deepEqual(event.target, { type: 'token', id: made.body.id })
  assert.deepEqual(event.payload, {
    after: { object: 'token', id: made.body.id, readOnly: false },
    fields: ['label', 'readOnly'],
  })

  const before = (await chains()).get('instance')?.sequence ?? 0
  assert.equal((await solo('POST /v1/user/tokens', { label: 'alone' })).status, 201)
  assert.equal((await chains()).get('instance')?.sequence, before + 1)
})

test('an upload is two events, and the second one has the holder of the URL as actor', async () => {
  const announced = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'a.zip', type: 'application/zip', size: 3 },
    kind: 'import_file',
  })
  assert.equal((await lastEvent()).target.label, 'a.zip')
  const sent = await world.nobody(`PUT ${announced.body.url}`, new Uint8Array([1, 2, 3]))
  assert.equal(sent.status, 204)
  const event = await lastEvent()
  assert.equal(event.action, 'storage.upload.send')
  assert.deepEqual(event.actor, { type: 'system', id: 'anonymous' })
  assert.deepEqual(event.target, { type: 'upload', id: announced.body.key, label: 'a.zip' })
})

test('no log contains a generated or submitted secret', async () => {
  const { body } = await ada('POST /v1/user/tokens', { label: 'x' })
  const upload = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'b.zip', type: 'application/zip', size: 1 },
    kind: 'import_file',
  })
  await ada(`PATCH /v1/orgs/${organizationId}`, { logo: 'https://x.example/logo.png?signature=hidden' })
  const row = await db.read
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', upload.body.key)
    .executeTakeFirst()

  const log = JSON.stringify(await db.read.selectFrom('auditEvent').selectAll().execute())
  assert(log.includes(body.id) && log.includes(upload.body.key))
  const secret = new URL(upload.body.url).searchParams.get('secret')
  for (const hidden of [body.token, ada.token, secret, row?.secretHash, 'signature']) {
    assert(hidden && !log.includes(hidden), hidden ?? 'there is none')
  }
})

/** Names of all fields anywhere in a schema. */
function namesIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { properties = {}, ...rest } = schema as { properties?: object }
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...Object.values(rest)].flatMap(namesIn),
  ]
}

test('the log never stores the value of a field that may be a secret', () => {
  const secretive =
    /token|secret|hash|password|certificate|key|credential|url|href|uri|logo|icon|link|header|session|signature|cookie/i
  const harmless = new Set(['inviteLinks', 'checkExternalLinks'])
  const columns =
    'hash secretHash passwordHash token tokenId secret certificate privateKey password url sourceURL'
  const names = changing
    .flatMap(({ route }) => [...namesIn(route.body), ...namesIn(route.returns)])
    .concat(columns.split(' '))
    .filter((name) => secretive.test(name) && !harmless.has(name))
  assert(names.length > 10)

  const hidden = Object.fromEntries(names.map((name) => [name, `secret of ${name}`]))
  const lists = Object.fromEntries(names.map((name) => [name, [`secret of ${name}`]]))
  for (const fields of [hidden, lists, { user: hidden, items: [hidden, { user: lists }] }]) {
    assert.doesNotMatch(JSON.stringify(recorded(fields, fields, names)), /secret of/)
    assert.doesNotMatch(JSON.stringify(recorded(undefined, fields, names)), /secret of/)
    assert.doesNotMatch(JSON.stringify(recorded(fields, undefined, names)), /secret of/)
  }
})

test('every route that changes something has an action, and the list of actions is complete', async () => {
  const { body } = await ada(`GET /v1/orgs/${organizationId}/audit-event-actions`)
  const listed = new Set(body.items.map(({ id }: { id: string }) => id))
  const own = new Set(auditActions([]).map(({ id }) => id))
  const actionOf = (one: (typeof routes)[number]) => auditActions([one]).find(({ id }) => !own.has(id))?.id
  const silent = changing.filter((one) => actionOf(one) === undefined)
  assert.deepEqual(
    silent.map(({ name }) => name),
    [
      'updateOrganizationMemberLastSeenAt',
      'addFavourite',
      'removeFavourite',
      'aggregateSiteEvents',
      'trackEventsInSiteById',
      'searchSiteContent',
      'updatePresenceInChangeRequest',
      'deleteChangeRequestReviewDraft',
      'saveChangeRequestReviewDraft',
      'getComputedDocument',
      'getComputedRevision',
      'convertDocument',
      'highlightCode',
      'convertMarkdown',
      'updatePresenceInSpace',
      'resolvePublishedContentByUrl',
      'updateNotificationById',
      'updateNotifications',
    ],
  )
  for (const one of changing.filter((route) => !silent.includes(route))) {
    const action = actionOf(one) ?? ''
    assert.match(action, /^[a-z-]+(\.[a-z-]+)+$/, one.name)
    assert(listed.has(action), action)
  }
  assert.deepEqual(body.items[0].object, 'audit-event-action')
  const found = body.items.find(({ id }: { id: string }) => id === 'site.publish')
  assert.equal(found.label, 'Publish a site')
})

test('pages of events neither miss nor repeat events while others are written, and filters apply', async () => {
  const ben = await world.person('ben', 'create')
  const from = new Date().toISOString()
  const made: string[] = []
  for (const title of ['one', 'two', 'three', 'four', 'five']) {
    made.push((await ben(`POST /v1/orgs/${organizationId}/spaces`, { title })).body.id)
  }
  const seen: string[] = []
  let next = ''
  do {
    const { body } = await ada(`${events}?limit=2&actor=${ben.id}${next && `&page=${next}`}`)
    assert(body.count >= 5)
    seen.push(...body.items.map(({ target }: { target: { id: string } }) => target.id))
    next = body.next?.page ?? ''
    if (seen.length === 2) await ben(`PATCH /v1/spaces/${made[0]}`, { title: 'later' })
  } while (next)
  assert.deepEqual(seen, made.toReversed())

  const titled = await ada(`${events}?target=${made[0]}&action=space.update`)
  assert.equal(titled.body.count, 1)
  assert.equal((await ada(`${events}?from=${from}&actor=${ben.id}`)).body.count, 6)
  assert.equal((await ada(`${events}?to=${from}&actor=${ben.id}`)).body.count, 0)
  const offset = from.replace('Z', '+00:00')
  assert.equal((await ada(`${events}?actor=${ben.id}&from=${encodeURIComponent(offset)}`)).body.count, 6)
  assert.equal((await ada(`${events}?limit=0`)).status, 400)
})

test('filters compare the start time, also for events that were logged out of order', async () => {
  const entry = { ...BY_SYSTEM, action: 'space.purge', targetType: 'space', targetLabel: null, payload: '{}' }
  const times = ['2001-01-01', '2001-01-03', '2001-01-02', '2001-01-04'].map((day) => `${day}T00:00:00.000Z`)
  for (const occurredAt of times)
    await db.write((tx) =>
      appendAuditEvent(tx, sealing, organizationId, { ...entry, targetId: 'long', occurredAt }),
    )
  const found = async (query: string) => {
    const { body } = await ada(`${events}?target=long&${query}`)
    assert.equal(body.count, body.items.length)
    return body.items.map((event: { occurredAt: string }) => times.indexOf(event.occurredAt))
  }
  assert.deepEqual(await found(`from=${times[1]}`), [3, 1])
  assert.deepEqual(await found(`to=${times[1]}`), [2, 0])
  assert.deepEqual(await found(`from=${times[2]}&to=${times[3]}`), [2, 1])
  assert.deepEqual(await found(`to=${times[0]}`), [])
  const first = (await ada(`${events}?to=${times[3]}&limit=2`)).body
  assert.deepEqual([first.count, first.items.length], [3, 2])
  const rest = (await ada(`${events}?to=${times[3]}&limit=2&page=${first.next.page}`)).body
  assert.deepEqual([rest.items.length, rest.next], [1, undefined])
})

test('an organization lists only its own events', async () => {
  const own = await stranger(`GET /v1/orgs/${stranger.organizationId}/audit-events`)
  assert.equal(own.body.items.at(-1).action, 'organization.create')
  const [{ id }] = own.body.items
  const foreign = await ada(`GET /v1/orgs/${organizationId}/audit-events/${id}`)
  const unknown = await ada(`GET /v1/orgs/${organizationId}/audit-events/nothing`)
  assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
})

test('concurrent changes form one unbroken chain', async () => {
  const before = await countEvents()
  const titles = Array.from({ length: 40 }, (_, i) => `at once ${i}`)
  const answers = await Promise.all([
    ...titles.map((title) => ada(`POST /v1/orgs/${organizationId}/spaces`, { title })),
    ...titles.slice(30).map((label) => ada('POST /v1/user/tokens', { label })),
    ...titles
      .slice(20)
      .map((title) => stranger(`POST /v1/orgs/${stranger.organizationId}/spaces`, { title })),
  ])
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(await countEvents(), before + 50)
  const rows = await db.read
    .selectFrom('auditEvent')
    .select('sequence')
    .where('organizationId', '=', organizationId)
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    rows.map((_, i) => i + 1),
  )
  assert.equal((await ada(events)).body.items.length, 20)
  for (const { broken } of (await chains()).values()) assert.equal(broken, undefined)
})

test('the database refuses to change or delete an event', async () => {
  const before = await countEvents()
  const { id } = await lastEvent()
  const refused = { message: /The audit log is only added to/ }
  const forging = { actorId: 'somebody-else' }
  await assert.rejects(
    db.write((tx) => tx.updateTable('auditEvent').set(forging).where('id', '=', id).execute()),
    refused,
  )
  await assert.rejects(
    db.write((tx) => tx.deleteFrom('auditEvent').where('id', '=', id).execute()),
    refused,
  )
  assert.deepEqual([await countEvents(), (await lastEvent()).id], [before, id])
})

test('verify finds a changed event, a removed event, and a truncated end', async () => {
  // A user with full access to the database can drop its triggers first.
  const guards =
    db.dialect === 'postgres'
      ? ['"auditEvent_stays" on "auditEvent"']
      : ['"auditEvent_no_update"', '"auditEvent_no_delete"']
  for (const guard of guards) await db.write((tx) => sql`drop trigger ${sql.raw(guard)}`.execute(tx))

  const untouched = await runHere(['audit', 'verify'], env)
  assert.equal(untouched.code, 0, untouched.err)
  assert.match(untouched.out, new RegExp(`^${organizationId}: \\d+ events are unchanged`, 'm'))

  const fifth = db.read.selectFrom('auditEvent').selectAll().where('organizationId', '=', organizationId)
  const row = await fifth.where('sequence', '=', 5).executeTakeFirstOrThrow()
  const put = (fields: object) =>
    db.write((tx) => tx.updateTable('auditEvent').set(fields).where('id', '=', row.id).execute())
  for (const changed of [
    { actorId: 'somebody-else' },
    { payload: '{}' },
    { occurredAt: '2001-01-01T00:00:00.000Z' },
    { ip: null },
    { hash: '0'.repeat(64) },
  ]) {
    await put(changed)
    const { broken } = (await chains()).get(organizationId) ?? {}
    assert.deepEqual([broken?.sequence, broken?.id], [5, row.id], JSON.stringify(changed))
    await put(row)
  }

  await db.write((tx) => tx.deleteFrom('auditEvent').where('id', '=', row.id).execute())
  const cut = await runHere(['audit', 'verify'], env)
  assert.equal(cut.code, 1)
  assert.match(cut.err, new RegExp(`^${organizationId}: event 5 is missing$`, 'm'))
  assert.match(cut.out, new RegExp(`^${stranger.organizationId}: `, 'm'))
  await db.write((tx) => tx.insertInto('auditEvent').values(row).execute())
  assert.equal((await chains()).get(organizationId)?.broken, undefined)

  const { sequence } = await lastEvent()
  const end = await fifth.where('sequence', '=', sequence).executeTakeFirstOrThrow()
  await db.write((tx) => tx.deleteFrom('auditEvent').where('id', '=', end.id).execute())
  assert.equal((await chains()).get(organizationId)?.broken?.sequence, sequence)
  await db.write((tx) => tx.insertInto('auditEvent').values(end).execute())

  const added = { ...end, id: 'added', sequence: sequence + 1 }
  await db.write((tx) => tx.insertInto('auditEvent').values(added).execute())
  assert.equal((await chains()).get(organizationId)?.broken?.sequence, sequence + 1)
  await db.write((tx) => tx.deleteFrom('auditEvent').where('id', '=', 'added').execute())
})

test('verify finds a missing log, with or without its stored end', async () => {
  const { organizationId: theirs } = await world.stranger('erased')
  const entries = await db.read
    .selectFrom('auditEvent')
    .selectAll()
    .where('organizationId', '=', theirs)
    .execute()
  const ends = await db.read
    .selectFrom('auditChain')
    .selectAll()
    .where('organizationId', '=', theirs)
    .execute()
  const faultOf = async () => (await chains()).get(theirs)?.broken
  const remove = (table: 'auditEvent' | 'auditChain') =>
    db.write((tx) => tx.deleteFrom(table).where('organizationId', '=', theirs).execute())
  assert.equal(await faultOf(), undefined)

  await remove('auditChain')
  assert.equal((await faultOf())?.sequence, entries.length)
  await remove('auditEvent')
  assert.equal((await faultOf())?.sequence, 1)
  const { code, err } = await runHere(['audit', 'verify'], env)
  assert.deepEqual([code, err.trim()], [1, `${theirs}: event 1 is missing, with all events after it`])

  await db.write((tx) => tx.insertInto('auditChain').values(ends).execute())
  assert.equal((await faultOf())?.sequence, 1)
  await db.write((tx) => tx.insertInto('auditEvent').values(entries).execute())
  assert.equal(await faultOf(), undefined)
})
