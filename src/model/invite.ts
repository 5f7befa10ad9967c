import { type Static, Type } from 'typebox'
import { decideThrough, grantsTo, loadSteps } from '../access/explain.ts'
import { findCollection, findSpace } from '../access/on.ts'
import { holdersOf } from '../access/reach.ts'
import { atLeast, higher } from '../access/roles.ts'
import { hashSecret } from '../access/tokens.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { conflict, forbidden, notFound } from '../http/errors.ts'
import { Collection, toCollection } from './collection.ts'
import { nullable, oneOf, RoleSchema } from './common.ts'
import { putGrant } from './grant.ts'
import { insertMember } from './member.ts'
import type { Thing } from './place.ts'
import { liftLimit, withinLimit } from './role-limit.ts'
import { Space, toSpace } from './space.ts'

const Common = {
  object: oneOf(['invite']),
  id: Type.String(),
  redundant: Type.Boolean({ description: 'The caller has everything already that the link would give' }),
}

/** A link that whoever has it may join with (api-facts 1.3): to the organization, a space or a collection. */
export const InviteLink = Type.Union(
  [
    Type.Object({ ...Common, role: nullable(RoleSchema) }),
    Type.Object({ ...Common, level: RoleSchema, space: Space }),
    Type.Object({ ...Common, level: RoleSchema, collection: Collection }),
  ],
  { title: 'InviteLink' },
)
export type InviteLink = Static<typeof InviteLink>

/** Who looks at an invite. */
export interface Viewer {
  userId: string
  /** In the organization; null for a guest. */
  role: Role | null
}

/** A space or collection that an invite may lead to, with the role of a member on it. */
export type Target =
  | { kind: 'space'; row: Row<'space'>; role: Role }
  | { kind: 'collection'; row: Row<'collection'>; role: Role }

/**
 * A space or collection of the organization, if a member has a role on it.
 * @param trashed also a space in the trash
 */
export async function targetOf(
  db: Reader,
  organizationId: string,
  member: Pick<Viewer, 'userId'>,
  { kind, id, trashed = false }: Thing & { trashed?: boolean },
): Promise<Target | undefined> {
  if (kind === 'collection') {
    const found = await findCollection(db, member, id)
    if (found?.collection.organizationId !== organizationId) return undefined
    return { kind, row: found.collection, role: found.role }
  }
  const found = await findSpace(db, member, id)
  if (found?.space.organizationId !== organizationId) return undefined
  return found.space.deletedAt !== null && !trashed ? undefined : { kind, row: found.space, role: found.role }
}

export async function toInviteLink(
  at: Addresses,
  db: Reader,
  invite: Row<'invite'>,
  viewer: Viewer,
): Promise<InviteLink> {
  const { id, role, kind, targetId, organizationId } = invite
  if (kind === 'organization' || kind === 'email' || role === null) {
    return { object: 'invite', id, role, redundant: role === null || atLeast(viewer.role, role) }
  }
  const target = await targetOf(db, organizationId, viewer, { kind, id: targetId ?? '' })
  if (!target) throw notFound()
  const [link] = await toLinksTo(at, db, target, [invite])
  if (!link) throw new Error('one row makes one link')
  return link
}

/** Links that lead to one space or collection, with what the viewer is on it. */
export async function toLinksTo(
  at: Addresses,
  db: Reader,
  target: Target,
  invites: Pick<Row<'invite'>, 'id' | 'role'>[],
): Promise<InviteLink[]> {
  const leads =
    target.kind === 'space'
      ? { space: await toSpace(at, db, target.row, target.role) }
      : { collection: toCollection(at, target.row, target.role) }
  return invites.flatMap(({ id, role: level }) =>
    level === null ? [] : [{ object: 'invite', id, level, redundant: atLeast(target.role, level), ...leads }],
  )
}

/**
 * The invite that a code leads into an organization with: the id of a link, or the secret in the mail to an address.
 * @throws 404 with the same words for unknown, used and expired ones
 */
export async function needOpenInvite(
  db: Reader,
  organizationId: string,
  code: string,
  now: Date,
): Promise<Row<'invite'>> {
  const invite = await db
    .selectFrom('invite')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '!=', 'email'), eb('id', '=', code)]),
        eb.and([eb('kind', '=', 'email'), eb('secretHash', '=', hashSecret(code))]),
      ]),
    )
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  const expired = invite?.expiresAt !== null && (invite?.expiresAt ?? '') <= now.toISOString()
  if (!invite || expired) throw notFound()
  return invite
}

/** Gives a user what an invite holds. Nothing that they have already becomes less by it. @throws 403, 404 or 409 */
export async function useInvite(
  tx: Tx,
  organization: Row<'organization'>,
  invite: Row<'invite'>,
  user: Pick<Row<'user'>, 'id' | 'email'>,
  now: Date,
): Promise<void> {
  if (invite.kind !== 'email' && !organization.inviteLinks)
    throw conflict('Invite links are switched off in this organization')
  if (invite.kind === 'email' && invite.email !== user.email)
    throw forbidden('This invitation is for another address; sign in with that one')

  const membership = await tx
    .selectFrom('member')
    .selectAll()
    .where('organizationId', '=', organization.id)
    .where('userId', '=', user.id)
    .executeTakeFirst()
  if (membership?.disabled) throw notFound()
  const given = await roleGiven(tx, invite)
  const joining = { organizationId: organization.id, userId: user.id }
  if (invite.kind === 'email') await liftLimit(tx, joining)

  // Used up before anything is given: of two at once, the second waits here and then finds it used.
  if (invite.kind === 'email') {
    await tx.updateTable('invite').set({ usedAt: now.toISOString() }).where('id', '=', invite.id).execute()
  }

  const ofOrganization = invite.kind === 'organization' || invite.kind === 'email'
  const offered = await withinLimit(tx, joining, ofOrganization ? given : null)
  const role = higher(membership?.role ?? null, offered)
  const fields = { ...joining, role }
  if (!membership) await insertMember(tx, { ...fields, sso: invite.sso === 1, now })
  if (membership && role !== membership.role) {
    await tx
      .updateTable('member')
      .set({ role })
      .where('organizationId', '=', organization.id)
      .where('userId', '=', user.id)
      .execute()
  }
  if (invite.kind === 'space' || invite.kind === 'collection')
    await grantLevel(tx, { ...invite, kind: invite.kind, role: given }, { userId: user.id, role }, now)
}

/**
 * What an invite gives now: no more than whoever made it could still give, so that nobody who was removed or lowered
 * comes back through an invite of their own.
 * @throws 404 if they could not make it any more
 */
async function roleGiven(db: Reader, invite: Row<'invite'>): Promise<Role | null> {
  const maker = await db
    .selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', invite.organizationId)
    .where('userId', '=', invite.createdBy)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (!maker) throw notFound()
  if (invite.kind === 'organization' || invite.kind === 'email') {
    if (maker.role !== 'admin') throw notFound()
    return invite.role
  }

  const to = { kind: invite.kind, id: invite.targetId ?? '' }
  const target = await targetOf(db, invite.organizationId, maker, to)
  if (!target || !atLeast(target.role, 'create')) throw notFound()
  return invite.role === null || atLeast(target.role, invite.role) ? invite.role : target.role
}

async function grantLevel(
  tx: Tx,
  invite: Row<'invite'> & { kind: 'space' | 'collection' },
  viewer: Viewer,
  now: Date,
): Promise<void> {
  // That it is there is known from what its maker has on it; whoever joins may have nothing on it yet.
  const target: Thing = { kind: invite.kind, id: invite.targetId ?? '' }
  const has = await targetOf(tx, invite.organizationId, viewer, target)
  if (await isShutOut(tx, target, viewer))
    throw forbidden('Somebody has taken your access to this away; ask them')
  // A direct grant is nearer than what is inherited, and a lower one would take from it.
  if (invite.role === null || atLeast(has?.role ?? null, invite.role)) return
  await putGrant(tx, {
    target,
    grantee: { kind: 'user', id: viewer.userId },
    organizationId: invite.organizationId,
    role: invite.role,
    now,
  })
}

/** Whether an explicit "no access", to a user or a team of theirs, is on a thing, or is what shuts them out of it. */
async function isShutOut(db: Reader, { kind, id }: Thing, viewer: Viewer): Promise<boolean> {
  const row = await db
    .selectFrom(kind)
    .select(['id', 'organizationId', 'parent', 'defaultLevel'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  const steps = await loadSteps(db, { ...row, kind })
  const [member] = await holdersOf(db, row.organizationId, [viewer])
  const holder = { ...viewer, teamIds: new Set(member?.teamIds) }
  const { role, decision } = decideThrough(steps, holder)
  const own = steps.slice(0, 1).flatMap((step) => grantsTo(holder, step))
  return own.some((grant) => grant.role === null) || (role === null && decision.by === 'grant')
}
