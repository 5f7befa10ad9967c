/** Compares the effective role with a slow model of the rules, over random trees of collections, grants and teams. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decideRole, effectiveRole, rolesOnCollections } from '../../src/access/roles/roles.ts'
import { spread } from '../../src/core/content/tree/order.ts'
import type { DefaultLevel, Role } from '../../src/db/schema.ts'
import { createWorld } from '../world.ts'
import { holds, samplesOf } from '../property.ts'

const CASES = 10_000
const ROLES: Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin']

interface Grant {
  /** `team` is an index, `user` is the user whose role is computed. */
  to: 'user' | 'somebody' | number
  role: Role | null
}
interface Thing {
  /** The index of the parent collection, always smaller than its own; none at the top level. */
  parent: number | null
  level: DefaultLevel
  grants: Grant[]
}
interface Case {
  organizationRole: Role | null
  /** The indexes of the user’s teams. */
  teams: number[]
  collections: Thing[]
  spaces: Thing[]
}

const TEAMS = 3
const role = fc.constantFrom(...ROLES, null)
const someLevel = fc.oneof(
  { weight: 3, arbitrary: fc.constant('inherit' as const) },
  { weight: 1, arbitrary: role },
)
const grant: fc.Arbitrary<Grant> = fc.record({
  to: fc.constantFrom('user' as const, 'somebody' as const, 0, 1, 2),
  role,
})
const thing = (parents: number): fc.Arbitrary<Thing> =>
  fc.record({
    parent: parents === 0 ? fc.constant(null) : fc.option(fc.nat(parents - 1)),
    level: someLevel,
    grants: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Grant[]>([]) },
      {
        weight: 1,
        arbitrary: fc.uniqueArray(grant, { maxLength: 3, selector: ({ to }) => to }),
      },
    ),
  })
const someCase: fc.Arbitrary<Case> = fc.integer({ min: 0, max: 7 }).chain((count) =>
  fc.record({
    organizationRole: role,
    teams: fc.uniqueArray(fc.nat(TEAMS - 1), { maxLength: TEAMS }),
    collections: fc.tuple(...Array.from({ length: count }, (_, i) => thing(i))),
    spaces: fc.array(thing(count), { minLength: 1, maxLength: 4 }),
  }),
)

/** The rules of docs/access.md, written literally. Shares no code with the implementation. */
function slowRole(
  { organizationRole, teams, collections }: Case,
  { parent, level, grants }: Thing,
): Role | null {
  // 1. An organization admin is admin everywhere in it.
  if (organizationRole === 'admin') return 'admin'
  // 2. Grants on the resource to the user or to the user's teams: the highest of them.
  const own = grants.filter(({ to }) => to === 'user' || (typeof to === 'number' && teams.includes(to)))
  if (own.length > 0) {
    const ranks = own.map((one) => (one.role === null ? -1 : ROLES.indexOf(one.role)))
    return ROLES[Math.max(...ranks)] ?? null
  }
  // 3. Otherwise its default level: a role applies to every member except guests, and null to nobody.
  if (level === null) return null
  if (level !== 'inherit') return organizationRole === null ? null : level
  // … and `inherit` continues with the parent. 4. At the top level: the member's role in the organization.
  const above = parent === null ? undefined : collections[parent]
  return above ? slowRole({ organizationRole, teams, collections, spaces: [] }, above) : organizationRole
}

const concerns =
  ({ teams }: Case) =>
  ({ to }: Grant) =>
    to === 'user' || (typeof to === 'number' && teams.includes(to))

function chainOf(one: Case, start: Thing) {
  const chain = []
  for (
    let at: Thing | undefined = start;
    at;
    at = at.parent === null ? undefined : one.collections[at.parent]
  )
    chain.push({
      defaultLevel: at.level,
      grants: at.grants.filter(concerns(one)).map(({ role: granted }) => granted),
    })
  return chain
}

// Each case is one organization, tested through the database and the API.
const SAMPLE = 12
const world = await createWorld()
const { db, ada } = world
const sample = samplesOf(someCase, SAMPLE)
const built: Awaited<ReturnType<typeof build>>[] = []
for (const [i, one] of sample.entries()) built.push(await build(i, one))

test('the effective role matches the rules in 10,000 random cases', () => {
  holds(
    fc.property(someCase, (one) => {
      for (const space of one.spaces) {
        const chain = chainOf(one, space)
        const expected = slowRole(one, space)
        assert.equal(effectiveRole(one.organizationRole, chain), expected)
        assert.equal(decideRole(one.organizationRole, chain).role, expected)
      }
    }),
    { cases: CASES },
  )
})

test('the roles of all collections, computed together, are the same as computed one by one', () => {
  holds(
    fc.property(someCase, (one) => {
      const rows = one.collections.map(({ parent, level: defaultLevel }, i) => ({
        id: `c${i}`,
        parent: parent === null ? null : `c${parent}`,
        defaultLevel,
      }))
      const grants = one.collections.flatMap((collection, i) =>
        collection.grants.filter(concerns(one)).map((granted) => ({ targetId: `c${i}`, role: granted.role })),
      )
      // Not ordered with parents first.
      const roles = rolesOnCollections(one.organizationRole, rows.toReversed(), grants)
      one.collections.forEach((collection, i) => assert.equal(roles.get(`c${i}`), slowRole(one, collection)))
    }),
    { cases: CASES / 10 },
  )
})

test('guards, lists and explanations agree with the rules', async () => {
  for (const { one, person, organizationId, spaces, collections } of built) {
    for (const [i, id] of spaces.entries()) {
      const expected = slowRole(one, one.spaces[i]!)
      const got = await person(`GET /v1/spaces/${id}`)
      assert.equal(got.status, expected === null ? 404 : 200, JSON.stringify(one))
      if (expected === null) continue
      const why = await person(`GET /v1/spaces/${id}/permissions/explain`)
      assert.equal(why.body.role, expected)
      const deciding = [...why.body.chain, why.body.organization].filter(({ decides }) => decides)
      assert.equal(deciding.length, 1)
    }
    for (const [i, id] of collections.entries()) {
      const expected = slowRole(one, one.collections[i]!)
      const { status, body } = await person(`GET /v1/collections/${id}`)
      assert.equal(status, expected === null ? 404 : 200)
      if (expected) assert.equal(body.permissions.create, ['create', 'admin'].includes(expected))
    }
    const visible = (things: Thing[], ids: string[]) =>
      ids.filter((_, i) => slowRole(one, things[i]!) !== null).toSorted()
    const listed = async (what: string) => {
      const { body } = await person(`GET /v1/orgs/${organizationId}/${what}`)
      assert.equal(body.count, body.items.length)
      return body.items.map(({ id }: { id: string }) => id).toSorted()
    }
    assert.deepEqual(await listed('spaces'), visible(one.spaces, spaces))
    assert.deepEqual(await listed('collections'), visible(one.collections, collections))
  }
})

test('the list of all users and roles that an administrator sees agrees with the rules', async () => {
  for (const { one, person, organizationId, spaces } of built) {
    const member = `GET /v1/orgs/${organizationId}/members/${person.id}`
    const roles = new Map(spaces.map((id, i) => [id, slowRole(one, one.spaces[i]!)]))
    const { items, count } = (await ada(`${member}/spaces`)).body
    const listedRoles = items.map((item: { space: { id: string }; permission: Role }) => [
      item.space.id,
      item.permission,
    ])
    const readable = [...roles].filter(([, held]) => held !== null)
    assert.deepEqual(new Map(listedRoles), new Map(readable))
    assert.deepEqual([count, (await ada(member)).body.spaces], [readable.length, readable.length])
    for (const [i, id] of spaces.entries()) {
      const expected = slowRole(one, one.spaces[i]!)
      const { body } = await ada(`GET /v1/spaces/${id}/permissions/aggregate?limit=1000`)
      const found = body.items.find(({ user }: { user: { id: string } }) => user.id === person.id)
      assert.equal(found?.permission ?? null, expected)
      const why = await ada(`GET /v1/spaces/${id}/permissions/explain?user=${person.id}`)
      assert.equal(why.body.role, expected)
    }
  }
})

async function build(index: number, one: Case) {
  const { newId } = world.app.services
  const now = new Date().toISOString()
  const organizationId = (await ada('POST /v1/orgs', { title: `Case ${index}` })).body.id as string
  const person = await world.person(`case-${index}`)
  const somebody = await world.person(`somebody-${index}`)
  const ids = (count: number) => Array.from({ length: count }, () => newId())
  const [teams, collections] = [ids(TEAMS), ids(one.collections.length)]
  const spaces: string[] = []
  for (const _ of one.spaces) {
    spaces.push((await ada(`POST /v1/orgs/${organizationId}/spaces`)).body.id)
  }
  await db.write(async (tx) => {
    const member = { organizationId, disabled: 0 as const, sso: 0 as const, joinedAt: now, lastSeenAt: null }
    await tx
      .insertInto('member')
      .values([
        { ...member, userId: person.id, role: one.organizationRole },
        { ...member, userId: somebody.id, role: 'read' },
      ])
      .execute()
    const dates = { createdAt: now, updatedAt: now }
    await tx
      .insertInto('team')
      .values(teams.map((id, i) => ({ id, organizationId, title: `${i}`, ...dates })))
      .execute()
    for (const team of one.teams)
      await tx
        .insertInto('teamMember')
        .values({ teamId: teams[team]!, userId: person.id, role: 'member', createdAt: now })
        .execute()
    const positions = spread(collections.length)
    for (const [i, { parent, level: defaultLevel }] of one.collections.entries())
      await tx
        .insertInto('collection')
        .values({
          id: collections[i]!,
          organizationId,
          parent: parent === null ? null : collections[parent]!,
          position: positions[i]!,
          title: `${i}`,
          description: null,
          defaultLevel,
          ...dates,
        })
        .execute()
    for (const [i, { parent, level: defaultLevel }] of one.spaces.entries())
      await tx
        .updateTable('space')
        .set({ parent: parent === null ? null : collections[parent]!, defaultLevel })
        .where('id', '=', spaces[i]!)
        .execute()
    const grantsOn = async (targetKind: 'space' | 'collection', targetId: string, { grants }: Thing) => {
      for (const { to, role: granted } of grants)
        await tx
          .insertInto('grant')
          .values({
            targetKind,
            targetId,
            granteeKind: typeof to === 'number' ? 'team' : 'user',
            granteeId: typeof to === 'number' ? teams[to]! : to === 'user' ? person.id : somebody.id,
            organizationId,
            role: granted,
            createdAt: now,
          })
          .execute()
    }
    for (const [i, collection] of one.collections.entries())
      await grantsOn('collection', collections[i]!, collection)
    for (const [i, space] of one.spaces.entries()) await grantsOn('space', spaces[i]!, space)
  })
  return { one, person, organizationId, spaces, collections }
}
