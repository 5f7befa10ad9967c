import { join } from 'node:path'
import { idSource } from '../src/core/data/id.ts'
import { spread as spreadKeys } from '../src/core/content/tree/order.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import type { Role, Row, Tx } from '../src/db/schema.ts'
import { insertToken } from '../src/model/people/token.ts'
import { compare, median, type Running, spread, startLectern, startReference } from './measure.ts'
import { rateLine, type Result } from './result.ts'

const DEPTH = 5
const SPACES = 100_000
const LISTED = `from "space" where "organizationId" = ? and "deletedAt" is null`
const MEMBERS = 100_000
const PAGE = 100
const FAR = 1_000
const CHANGES = 40
const now = new Date()
const at = now.toISOString()
const newId = idSource(() => now.getTime())

/** What access costs: a guard deep in collections, a level over many spaces, lists filtered for a member. */
export async function access(): Promise<Result[]> {
  return [...(await guards()), ...(await levels()), ...(await changesAmongMany()), ...(await lists())]
}

const timeLine = (scenario: string, ours: number[], reference: number[], goal: string): Result => ({
  scenario,
  ours: `${median(ours).toFixed(2)} ms`,
  reference: `${median(reference).toFixed(2)} ms`,
  ratio: median(ours) / median(reference),
  spread: spread(ours, 2),
  goal,
})

async function organizationOf(lectern: Running): Promise<string> {
  const { items } = await lectern.call('GET', '/v1/orgs')
  return String((items as { id: string }[])[0]?.id)
}

/** Writes rows beside the running server, as a copy of it would. */
async function write(lectern: Running, work: (tx: Tx) => Promise<void>): Promise<void> {
  const database = await openSqlite({ file: join(lectern.data, 'lectern.sqlite'), durable: false })
  await database.write(work)
  await database.close()
}

/** A member who administers nothing, so that every guard has a chain to walk. */
async function memberOf(
  lectern: Running,
  organizationId: string,
  role: Role = 'edit',
): Promise<Record<string, string>> {
  const userId = newId()
  const secret = `benchmark-member-${userId}`
  await write(lectern, async (tx) => {
    await tx
      .insertInto('user')
      .values({
        id: userId,
        displayName: 'Member',
        email: null,
        photoUrl: null,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    await tx
      .insertInto('member')
      .values({ organizationId, userId, role, disabled: 0, sso: 0, joinedAt: at, lastSeenAt: null })
      .execute()
    await insertToken(tx, { id: newId(), userId, label: 'Benchmark', now }, secret)
  })
  return { authorization: `Bearer ${secret}` }
}

async function guards(): Promise<Result[]> {
  await using lectern = await startLectern()
  const organizationId = await organizationOf(lectern)
  const headers = await memberOf(lectern, organizationId)
  let parent: string | undefined
  for (let depth = 0; depth < DEPTH; depth++) {
    const { id } = await lectern.call('POST', `/v1/orgs/${organizationId}/collections`, { parent })
    parent = String(id)
  }
  const spaceIn = async (collection?: string) => {
    const made = await lectern.call('POST', `/v1/orgs/${organizationId}/spaces`, { parent: collection })
    return `${lectern.url}/v1/spaces/${String(made.id)}`
  }
  const [flat, deep] = [await spaceIn(), await spaceIn(parent)]
  const [ours = [], reference = []] = await compare([
    { server: lectern, url: deep, headers },
    { server: lectern, url: flat, headers },
  ])
  return [rateLine(`GET a space ${DEPTH} collections deep / at the top level`, ours, reference, '≥ 0.8')]
}

async function levels(): Promise<Result[]> {
  await using lectern = await startLectern()
  const organizationId = await organizationOf(lectern)
  const collectionWith = async (count: number) => {
    const { id } = await lectern.call('POST', `/v1/orgs/${organizationId}/collections`, {})
    await write(lectern, (tx) => insertSpaces(tx, organizationId, count, String(id)))
    return String(id)
  }
  const [many, few] = [await collectionWith(10_000), await collectionWith(10)]
  const change = async (id: string, defaultLevel: string) => {
    const started = performance.now()
    await lectern.call('PATCH', `/v1/collections/${id}`, { defaultLevel })
    return performance.now() - started
  }
  const times: { many: number[]; few: number[] } = { many: [], few: [] }
  for (let round = 0; round <= CHANGES; round++) {
    const level = round % 2 === 0 ? 'read' : 'edit'
    const measured = { many: await change(many, level), few: await change(few, level) }
    // The first round warms up and does not count.
    if (round === 0) continue
    times.many.push(measured.many)
    times.few.push(measured.few)
  }
  return [timeLine('level of a collection of 10,000 spaces / of 10, time', times.many, times.few, '≤ 1.1')]
}

/** A change that is compared with what the caller has, which is nothing to look up for those it changes nothing for. */
async function changesAmongMany(): Promise<Result[]> {
  await using lectern = await startLectern()
  const organizationId = await organizationOf(lectern)
  const headers = await memberOf(lectern, organizationId, 'create')
  const { id } = await lectern.call('POST', `/v1/orgs/${organizationId}/collections`, {})
  const timed = async () => {
    const times: number[] = []
    for (let round = 0; round <= CHANGES; round++) {
      const started = performance.now()
      const answer = await fetch(`${lectern.url}/v1/collections/${String(id)}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ defaultLevel: round % 2 === 0 ? 'create' : 'inherit' }),
      })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      // The first round warms up and does not count.
      if (round > 0) times.push(performance.now() - started)
    }
    return times
  }
  const few = await timed()
  await write(lectern, (tx) => insertMembers(tx, organizationId, MEMBERS))
  return [timeLine('level set by a creator, 100,000 members / one, time', await timed(), few, '≤ 2')]
}

async function insertMembers(tx: Tx, organizationId: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += 500) {
    const ids = Array.from({ length: 500 }, () => newId())
    const nobody = { displayName: 'Member', email: null, photoUrl: null, createdAt: at, updatedAt: at }
    const member = {
      organizationId,
      role: 'read',
      disabled: 0,
      sso: 0,
      joinedAt: at,
      lastSeenAt: null,
    } as const
    const users = ids.map((id) => ({ id, ...nobody }))
    await tx.insertInto('user').values(users).execute()
    const members = ids.map((userId) => ({ ...member, userId }))
    await tx.insertInto('member').values(members).execute()
  }
}

async function lists(): Promise<Result[]> {
  await using lectern = await startLectern()
  const organizationId = await organizationOf(lectern)
  await write(lectern, (tx) => insertSpaces(tx, organizationId, SPACES, null))
  const list = `${lectern.url}/v1/orgs/${organizationId}/spaces?limit=${PAGE}`
  const administrator = { authorization: `Bearer ${lectern.token}` }
  const member = await memberOf(lectern, organizationId)
  const far = await beforeThousandth(lectern, organizationId)
  const farList = `${list}&page=${Buffer.from(JSON.stringify([far])).toString('base64url')}`

  const file = join(lectern.data, 'lectern.sqlite')
  const raw = (after: string) =>
    startReference('reference-list.ts', [
      file,
      JSON.stringify([
        {
          sql: `select * ${LISTED} and "id" > ? order by "id" limit ?`,
          values: [organizationId, after, PAGE],
        },
        { sql: `select count(*) as "count" ${LISTED}`, values: [organizationId] },
      ]),
    ])
  await using rawFirst = await raw('')
  await using rawFar = await raw(far)

  const [first = [], last = [], memberFirst = [], memberLast = [], reference = [], farReference = []] =
    await compare([
      { server: lectern, url: list, headers: administrator },
      { server: lectern, url: farList, headers: administrator },
      { server: lectern, url: list, headers: member },
      { server: lectern, url: farList, headers: member },
      { server: rawFirst },
      { server: rawFar },
    ])
  return [
    rateLine('100 of 100,000 spaces, administrator / raw SQL', first, reference, '≥ 0.4'),
    rateLine('the same, thousandth page / raw SQL', last, farReference, '≥ 0.4'),
    rateLine('the same, thousandth page / first', last, first, '≥ 0.83'),
    rateLine('100 of 100,000 spaces, member / raw SQL', memberFirst, reference, '≥ 0.4'),
    rateLine('the same, thousandth page / raw SQL', memberLast, farReference, '≥ 0.4'),
  ]
}

/** The id with which the page before the thousandth ends. */
async function beforeThousandth(lectern: Running, organizationId: string): Promise<string> {
  const database = await openSqlite({ file: join(lectern.data, 'lectern.sqlite') })
  const row = await database.read
    .selectFrom('space')
    .select('id')
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .offset((FAR - 1) * PAGE - 1)
    .limit(1)
    .executeTakeFirstOrThrow()
  await database.close()
  return row.id
}

async function insertSpaces(tx: Tx, organizationId: string, count: number, parent: string | null) {
  const positions = spreadKeys(count)
  const rows = positions.map((position, i): Row<'space'> => ({
    id: newId(),
    organizationId,
    title: `Space ${i}`,
    emoji: null,
    icon: null,
    editMode: 'locked',
    defaultLevel: 'inherit',
    language: null,
    languageTag: null,
    mergeRules: '{"type":"inherit"}',
    revisionId: newId(),
    parent,
    position,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }))
  for (let start = 0; start < rows.length; start += 500)
    await tx
      .insertInto('space')
      .values(rows.slice(start, start + 500))
      .execute()
}
