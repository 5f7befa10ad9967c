import type { Role } from '../../src/db/schema.ts'
import type { Person, World } from '../world.ts'
import type { Caller } from './makers.ts'
import type { Standing } from './expected.ts'

/** A kind of caller, with the facts that the rules need. */
export interface Kind extends Caller {
  name: string
  standing: Standing
}

const NOT_IN: Standing = { token: true, readOnly: false, member: false, role: null }
const IN: Standing = { token: true, readOnly: false, member: true, role: null }

/** Every kind of caller. */
export async function callersOf(world: World): Promise<Kind[]> {
  const { db, nobody } = world
  let counter = 0
  const named = (name: string) => `${name}-${(counter += 1)}`

  const member = (role: Role | null) => () => world.person(named(role ?? 'guest'), role)

  async function disabled(): Promise<Person> {
    const person = await world.person(named('disabled'), 'admin')
    await db.write((tx) =>
      tx.updateTable('member').set({ disabled: 1 }).where('userId', '=', person.id).execute(),
    )
    return person
  }

  async function readOnly(): Promise<Person> {
    const person = await world.person(named('read-only'), 'admin')
    const { body } = await person('POST /v1/user/tokens', { label: 'read-only', readOnly: true })
    const token = body.token as string
    const speak = (request: string, sent?: unknown, headers?: Record<string, string>) =>
      nobody(request, sent, { ...headers, authorization: `Bearer ${token}` })
    return Object.assign(speak, { id: person.id, token })
  }

  const roles: Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin']
  const kinds: { name: string; standing: Standing; another: () => Promise<Person> }[] = [
    { name: 'no token', standing: { ...NOT_IN, token: false }, another: async () => nobody },
    {
      name: "another organization's admin",
      standing: NOT_IN,
      another: () => world.stranger(named('stranger')),
    },
    { name: 'disabled member', standing: NOT_IN, another: disabled },
    { name: 'guest', standing: IN, another: member(null) },
    ...roles.map((role) => ({ name: role, standing: { ...IN, role }, another: member(role) })),
    { name: 'read-only token', standing: { ...IN, role: 'admin', readOnly: true }, another: readOnly },
    // The nearest level applies, also to access to the resource itself.
    { name: 'guest with a grant', standing: { ...IN, granted: 'create' }, another: member(null) },
    {
      name: 'member shut out',
      standing: { ...IN, role: 'create', granted: null },
      another: member('create'),
    },
  ]
  return Promise.all(
    kinds.map(async (kind) => ({
      ...kind,
      person: await kind.another(),
      writes: kind.standing.token && !kind.standing.readOnly,
    })),
  )
}

/** Grants the access that the kind of caller has on the resource of a request. */
export async function grantTo(
  { db, organizationId }: World,
  { granted }: Standing,
  person: Person,
  { spaceId, collectionId }: Record<string, string> = {},
): Promise<void> {
  const targetId = spaceId ?? collectionId
  if (granted === undefined || targetId === undefined) return
  const grant = {
    targetKind: spaceId === undefined ? ('collection' as const) : ('space' as const),
    targetId,
    granteeKind: 'user' as const,
    granteeId: person.id,
    organizationId,
    role: granted as Role | null,
    createdAt: new Date().toISOString(),
  }
  await db.write((tx) =>
    tx
      .insertInto('grant')
      .values(grant)
      .onConflict((known) => known.doNothing())
      .execute(),
  )
}
