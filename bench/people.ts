import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { compare, startLectern, startReference } from './measure.ts'
import { rateLine, type Result } from './result.ts'

const COUNT = 100_000
const LIMIT = 100
const THOUSANDTH = COUNT - LIMIT

/**
 * Lists of 100 of 100,000 members and teams, with `count`, the first page and the thousandth, beside the same rows and
 * the same count by plain SQL on the same database. Ours also tells the spaces and teams of each.
 */
export async function people(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organization = (items as { id: string }[])[0]?.id ?? ''
  const file = join(lectern.data, 'lectern.sqlite')
  fill(file, organization)
  const headers = { authorization: `Bearer ${lectern.token}` }
  const page = (values: string[]) => Buffer.from(JSON.stringify(values)).toString('base64url')

  const results: Result[] = []
  const lists = [
    {
      name: 'members',
      url: `${lectern.url}/v1/orgs/${organization}/members?limit=${LIMIT}&order=asc`,
      cursor: [joinedAt(THOUSANDTH - 1), id('user', THOUSANDTH - 1)],
      count: 'select count(*) as count from "member" where "organizationId" = ?',
      rows: `select m.*, u."displayName", u."email", u."photoUrl" from "member" m
        join "user" u on u."id" = m."userId" where m."organizationId" = ? and (m."joinedAt", m."userId") > (?, ?)
        order by m."joinedAt", m."userId" limit ${LIMIT + 1}`,
    },
    {
      name: 'teams',
      url: `${lectern.url}/v1/orgs/${organization}/teams?limit=${LIMIT}`,
      cursor: [id('team', THOUSANDTH - 1)],
      count: 'select count(*) as count from "team" where "organizationId" = ?',
      rows: `select t.* from "team" t where t."organizationId" = ? and t."id" > ? order by t."id" limit ${LIMIT + 1}`,
    },
  ]
  for (const { name, url, cursor, count, rows } of lists) {
    const raw = async (after: string[]) =>
      startReference('reference-list.ts', [
        file,
        JSON.stringify([
          { sql: rows, values: [organization, ...after] },
          { sql: count, values: [organization] },
        ]),
      ])
    await using first = await raw(cursor.map(() => ''))
    await using last = await raw(cursor)
    const [ours = [], reference = [], oursLast = [], referenceLast = []] = await compare([
      { server: lectern, url, headers },
      { server: first, headers },
      { server: lectern, url: `${url}&page=${page(cursor)}`, headers },
      { server: last, headers },
    ])
    results.push(
      rateLine(`list 100 of 100,000 ${name}, first page / raw SQL`, ours, reference, '≥ 0.4'),
      rateLine(`the thousandth page / raw SQL`, oursLast, referenceLast, '≥ 0.4'),
      rateLine(`the thousandth page / the first`, oursLast, ours, '≥ 0.83'),
    )
  }
  return results
}

const id = (kind: string, i: number) => `bench-${kind}-${String(i).padStart(8, '0')}`
/** After the administrator of the organization, who joined when it was made. */
const joinedAt = (i: number) => new Date(Date.UTC(2100, 0, 1) + i).toISOString()

/** 100,000 members, and as many teams with one member each. */
function fill(file: string, organization: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  const at = new Date().toISOString()
  const user = database.prepare(
    'insert into "user" ("id", "displayName", "email", "createdAt", "updatedAt") values (?, ?, ?, ?, ?)',
  )
  const member = database.prepare(
    'insert into "member" ("organizationId", "userId", "role", "disabled", "sso", "joinedAt") values (?, ?, ?, 0, 0, ?)',
  )
  const team = database.prepare(
    'insert into "team" ("id", "organizationId", "title", "createdAt", "updatedAt") values (?, ?, ?, ?, ?)',
  )
  const teamMember = database.prepare(
    'insert into "teamMember" ("teamId", "userId", "role", "createdAt") values (?, ?, ?, ?)',
  )
  database.exec('begin')
  for (let i = 0; i < COUNT; i++) {
    user.run(id('user', i), `Person ${i}`, `person-${i}@example.com`, at, at)
    member.run(organization, id('user', i), i % 10 === 0 ? null : 'read', joinedAt(i))
    team.run(id('team', i), organization, `Team ${i}`, at, at)
    teamMember.run(id('team', i), id('user', i), 'member', at)
  }
  database.exec('commit')
  database.exec('analyze')
  database.close()
}
