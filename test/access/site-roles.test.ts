/** Compares what the API shows of random sites with a slow model of docs/access.md, which does not use `src/access`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { DefaultLevel, Role } from '../../src/db/schema.ts'
import { holds } from '../property.ts'
import { createWorld } from '../world.ts'

const ROLES: Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin']
const world = await createWorld()
const { ada, db, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const people = await Promise.all(
  ([...ROLES, null] as const).map(async (role) => ({ role, person: await world.person(`${role}`, role) })),
)
const TEAMS = 3
const teams: string[] = []
for (let i = 0; i < TEAMS; i += 1) teams.push((await ada(`PUT ${org}/teams`, { title: `Team ${i}` })).body.id)

/** A site with the grants on it: by place in `people` or `teams`. */
interface Case {
  defaultLevel: DefaultLevel
  users: { to: number; role: Role | null }[]
  teams: { to: number; role: Role | null }[]
  /** The teams of each of the people. */
  inTeams: number[][]
}

const role = fc.constantFrom(...ROLES, null)
const grantsTo = (count: number) =>
  fc.uniqueArray(fc.record({ to: fc.nat(count - 1), role }), { selector: ({ to }) => to, maxLength: count })
const someCase: fc.Arbitrary<Case> = fc.record({
  defaultLevel: fc.constantFrom('inherit' as const, ...ROLES, null),
  users: grantsTo(people.length),
  teams: grantsTo(TEAMS),
  inTeams: fc.array(fc.uniqueArray(fc.nat(TEAMS - 1), { maxLength: 2 }), {
    minLength: people.length,
    maxLength: people.length,
  }),
})

function expectedRole(one: Case, i: number): Role | null {
  const own = people[i]!.role
  if (own === 'admin') return 'admin'
  const granted = [
    ...one.users.filter(({ to }) => to === i),
    ...one.teams.filter(({ to }) => one.inTeams[i]!.includes(to)),
  ].map((grant) => grant.role)
  if (granted.length > 0) return ROLES.findLast((each) => granted.includes(each)) ?? null
  if (one.defaultLevel === 'inherit') return own
  return own === null ? null : one.defaultLevel
}

const power = (one: Role | null) => (one === null ? -1 : ROLES.indexOf(one))

async function build(one: Case): Promise<string> {
  const site = (await ada(`POST ${org}/sites`, { title: 'A site', spaces: [] })).body.id as string
  await ada(`PATCH ${org}/sites/${site}`, { defaultLevel: one.defaultLevel })
  await db.write((tx) => tx.deleteFrom('teamMember').execute())
  const createdAt = new Date().toISOString()
  for (const [i, own] of one.inTeams.entries())
    for (const team of own) {
      const row = { teamId: teams[team]!, userId: people[i]!.person.id, role: 'member' as const, createdAt }
      await db.write((tx) => tx.insertInto('teamMember').values(row).execute())
    }
  const invite = (body: object) => ada(`POST ${org}/sites/${site}/permissions`, body)
  for (const { to, role: granted } of one.users)
    assert.equal((await invite({ users: [people[to]!.person.id], role: granted })).status, 204)
  for (const { to, role: granted } of one.teams)
    assert.equal((await invite({ teams: [teams[to]], role: granted })).status, 204)
  return site
}

test('nobody can do more on a site than the grants, the default level and the organization give', async () => {
  await holds(
    fc.asyncProperty(someCase, async (one) => {
      const site = await build(one)
      const { items } = (await ada(`GET ${org}/sites/${site}/permissions/aggregate?limit=1000`)).body
      const listed = new Map<string, Role>(
        items.map((item: { user: { id: string }; permission: Role }) => [item.user.id, item.permission]),
      )
      for (const [i, { person, role: own }] of people.entries()) {
        const expected = expectedRole(one, i)
        const what = JSON.stringify({ own, expected, one })
        assert.equal(listed.get(person.id) ?? null, expected, what)

        const seen = await person(`GET ${org}/sites/${site}`)
        assert.equal(seen.status, expected === null ? 404 : 200, what)
        const manages = power(expected) >= power('create')
        if (expected !== null) {
          const { view, access, edit, create, admin } = seen.body.permissions
          assert.deepEqual(
            { view, access, edit, create, admin },
            {
              view: true,
              access: true,
              edit: manages,
              create: manages,
              admin: manages,
            },
          )
        }
        const list = (await person(`GET ${org}/sites?limit=1000`)).body
        assert.equal(
          list.items.some(({ id }: { id: string }) => id === site),
          expected !== null,
          what,
        )
        assert.equal(list.count, list.items.length, what)
        const member = (await ada(`GET ${org}/members/${person.id}`)).body
        assert.equal(member.sites, list.count, what)

        const changed = await person(`PATCH ${org}/sites/${site}`, { title: 'Renamed' })
        assert.equal(changed.status, expected === null ? 404 : manages ? 200 : 403, what)
      }
      await ada(`DELETE ${org}/sites/${site}`)
    }),
    { cases: 200, byDefault: 20 },
  )
  const left = await db.read.selectFrom('grant').select('targetId').where('targetKind', '=', 'site').execute()
  assert.deepEqual(left, [], 'the grants are deleted with their site')
})

test('no caller takes anyone above their own role, whatever they send', async () => {
  const attempt = fc.record({
    by: fc.nat(people.length - 1),
    to: fc.oneof(
      fc.record({ kind: fc.constant('users' as const), at: fc.nat(people.length - 1) }),
      fc.record({ kind: fc.constant('teams' as const), at: fc.nat(TEAMS - 1) }),
    ),
    how: fc.constantFrom('POST' as const, 'PATCH' as const, 'DELETE' as const, 'level' as const),
    role,
  })
  await holds(
    fc.asyncProperty(someCase, fc.array(attempt, { minLength: 1, maxLength: 4 }), async (one, attempts) => {
      const site = await build(one)
      const path = `${org}/sites/${site}/permissions`
      const roles = async () => {
        const { items } = (await ada(`GET ${path}/aggregate?limit=1000`)).body
        return new Map<string, Role>(
          items.map((item: { user: { id: string }; permission: Role }) => [item.user.id, item.permission]),
        )
      }
      for (const { by, to, how, role: sent } of attempts) {
        const { person } = people[by]!
        const grantee = to.kind === 'users' ? people[to.at]!.person.id : teams[to.at]!
        const before = await roles()
        const own = before.get(person.id) ?? null
        const { status } =
          how === 'level'
            ? await person(`PATCH ${org}/sites/${site}`, { defaultLevel: sent })
            : how === 'POST'
              ? await person(`POST ${path}`, { [to.kind]: [grantee], role: sent })
              : await person(
                  `${how} ${path}/${to.kind}/${grantee}`,
                  how === 'PATCH' ? { role: sent } : undefined,
                )
        const after = await roles()
        const what = JSON.stringify({ own, how, sent, to, status, one })
        const isRefused = power(own) < power('create')
        for (const { person: each } of people) {
          const [was, is] = [before.get(each.id) ?? null, after.get(each.id) ?? null]
          if (isRefused || status >= 400) assert.equal(is, was, what)
          else if (was !== is) assert(Math.max(power(was), power(is)) <= power(own), what)
        }
        if (isRefused) assert([403, 404, 204].includes(status), what)
      }
      await ada(`DELETE ${org}/sites/${site}`)
    }),
    { cases: 200, byDefault: 20 },
  )
})
