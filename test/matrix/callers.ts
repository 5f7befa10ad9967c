import type { Role } from '../../src/db/schema.ts'
import type { Person, World } from '../world.ts'
import { inSession } from '../signed-in.ts'
import type { Call, Caller } from './makers.ts'
import type { Standing } from './expected.ts'

/** A kind of caller, with the facts that the rules need. */
export interface Kind extends Caller {
  name: string
  standing: Standing
  /** The same kind in a browser, with a session instead of a token. */
  inSession?: Kind
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

  const { organizationId: limitedTo } = await world.stranger('provider')
  const limits = { method: 'saml', providerId: 'provider', organizationId: limitedTo } as const

  const roles: Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin']
  const kinds: { name: string; standing: Standing; another: () => Promise<Person> }[] = [
    { name: 'no token', standing: { ...NOT_IN, token: false }, another: async () => nobody },
    {
      name: "another organization's admin",
      standing: NOT_IN,
      another: () => world.stranger(named('stranger')),
    },
    {
      name: "administrator in a session of another organization's provider",
      standing: { ...NOT_IN, limited: true },
      another: async () => inSession(world, await world.person(named('limited'), 'admin'), limits),
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
  const ofKind = async (name: string, standing: Standing, another: () => Promise<Person>): Promise<Kind> => ({
    name,
    standing,
    another,
    person: await another(),
    writes: standing.token && !standing.readOnly,
    ...(standing.limited && { limitedTo }),
  })
  return Promise.all(
    kinds.map(async ({ name, standing, another }) => {
      const kind = await ofKind(name, standing, another)
      if (!kind.writes || standing.limited) return kind
      const signedIn = async () => inSession(world, await another())
      return { ...kind, inSession: await ofKind(`${name}, in a session`, standing, signedIn) }
    }),
  )
}

/**
 * The kinds of caller that stand for the others: nobody, a stranger, a session of another organization's provider, the greatest role that may not call a route, and
 * the least one that may.
 */
export function representativesOf(kinds: readonly Kind[], may: (standing: Standing) => boolean): Kind[] {
  const members = kinds.filter(
    ({ standing }) => standing.member && !standing.readOnly && !('granted' in standing),
  )
  const edge = [
    members.findLast(({ standing }) => !may(standing)),
    members.find(({ standing }) => may(standing)),
  ]
  return [...kinds.slice(0, 3), ...edge.filter((kind) => kind !== undefined)]
}

/**
 * Grants the access that the kind of caller has on the resource of a request. A role on a site gives no access to spaces,
 * so the caller is granted the same role on those that the site has or the request names.
 */
export async function grantTo(
  { db, organizationId }: World,
  { granted }: Standing,
  person: Person,
  { params: { siteId, spaceId, collectionId, hostname } = {}, query, body }: Call,
): Promise<void> {
  if (granted === undefined) return
  const site = siteId ?? (hostname && (await siteAt(db, hostname)))
  const targets = [
    ...(site ? [['site', site] as const] : []),
    ...(site === undefined && spaceId ? [['space', spaceId] as const] : []),
    ...(site === undefined && spaceId === undefined && collectionId
      ? [['collection', collectionId] as const]
      : []),
    ...(site && granted !== null
      ? (await spacesNamed(db, site, { query, body })).map((id) => ['space', id] as const)
      : []),
  ]
  for (const [targetKind, targetId] of targets) {
    const grant = {
      targetKind,
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
}

async function siteAt(db: World['db'], hostname: string): Promise<string | undefined> {
  const row = await db.read
    .selectFrom('customHostname')
    .select('siteId')
    .where('hostname', '=', hostname)
    .executeTakeFirst()
  return row?.siteId ?? undefined
}

/** The spaces of a site, and those that the rest of the request names. */
async function spacesNamed(
  db: World['db'],
  siteId: string,
  { query, body }: Pick<Call, 'query' | 'body'>,
): Promise<string[]> {
  const shown = await db.read
    .selectFrom('siteSpace')
    .select('spaceId as id')
    .where('siteId', '=', siteId)
    .execute()
  const sent = JSON.stringify([query, body]).match(/[0-9a-z]{20,28}/g) ?? []
  const named = await db.read
    .selectFrom('space')
    .select('id')
    .where('id', 'in', ['', ...sent])
    .execute()
  return [...new Set([...shown, ...named].map(({ id }) => id))]
}
