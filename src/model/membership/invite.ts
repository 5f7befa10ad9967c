import { type Static, Type } from 'typebox'
import { decideThrough, grantsTo, loadSteps } from '../../access/roles/explain.ts'
import { findCollection, findSpace } from '../../access/checks/on.ts'
import { viewersAmong } from '../../access/roles/reach.ts'
import { atLeast, higher } from '../../access/roles/roles.ts'
import { hashSecret } from '../../access/credentials/tokens.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict, forbidden, notFound } from '../../http/errors.ts'
import { Collection, toCollection } from '../places/collection.ts'
import { nullable, oneOf, RoleSchema } from '../common.ts'
import { putGrant } from '../access/grant.ts'
import { insertMember } from './member.ts'
import type { Thing } from '../places/place.ts'
import { liftLimit, withinLimit } from '../access/role-limit.ts'
import { Space, toSpace } from '../places/space.ts'
import { because } from '../../core/languages/reasons.ts'

const Common = {
  object: oneOf(['invite']),
  id: Type.String(),
  redundant: Type.Boolean({ description: 'Whether the caller already has the role that the link gives' }),
}

/** A link to the organization, a space or a collection. Any user who has it can join. */
export const InviteLink = Type.Union(
  [
    Type.Object({ ...Common, role: nullable(RoleSchema) }),
    Type.Object({ ...Common, level: RoleSchema, space: Space }),
    Type.Object({ ...Common, level: RoleSchema, collection: Collection }),
  ],
  { title: 'InviteLink' },
)
export type InviteLink = Static<typeof InviteLink>

/** The user for whom an invite is shown. */
export interface Viewer {
  userId: string
  /** The role in the organization; null for a guest. */
  role: Role | null
}

/** The space or collection of an invite, with the role of a member on it; null if the member cannot see it. */
export type InviteTarget =
  | { kind: 'space'; row: Row<'space'>; role: Role | null }
  | { kind: 'collection'; row: Row<'collection'>; role: Role | null }

/**
 * A space or collection of the organization, if a member has a role on it.
 * @param trashed also a space in the trash
 */
export async function inviteTargetOf(
  db: Reader,
  organizationId: string,
  member: Pick<Viewer, 'userId'>,
  { kind, id, trashed = false }: Thing & { trashed?: boolean },
): Promise<InviteTarget | undefined> {
  if (kind === 'collection') {
    const found = await findCollection(db, member, id)
    if (found?.collection.organizationId !== organizationId) return undefined
    return { kind, row: found.collection, role: found.role }
  }
  const found = await findSpace(db, member, id)
  if (found?.space.organizationId !== organizationId) return undefined
  return found.space.deletedAt !== null && !trashed ? undefined : { kind, row: found.space, role: found.role }
}

/** The target of a link. A link shows its target even to a member who cannot see it yet. */
async function linkedTarget(
  db: Reader,
  organizationId: string,
  viewer: Viewer,
  { kind, id }: Thing,
): Promise<InviteTarget | undefined> {
  const seen = await inviteTargetOf(db, organizationId, viewer, { kind, id })
  if (seen) return seen
  if (kind === 'collection') {
    const row = await db
      .selectFrom('collection')
      .selectAll()
      .where('id', '=', id)
      .where('organizationId', '=', organizationId)
      .executeTakeFirst()
    return row && { kind, row, role: null }
  }
  const row = await db
    .selectFrom('space')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row && { kind, row, role: null }
}

export async function toInviteLink(
  urls: Urls,
  db: Reader,
  invite: Row<'invite'>,
  viewer: Viewer,
): Promise<InviteLink> {
  const { id, role, kind, targetId, organizationId } = invite
  if (kind === 'organization' || kind === 'email' || role === null) {
    return { object: 'invite', id, role, redundant: role === null || atLeast(viewer.role, role) }
  }
  const target = await linkedTarget(db, organizationId, viewer, { kind, id: targetId ?? '' })
  if (!target) throw notFound('invitation')
  const [link] = await toLinksTo(urls, db, target, [invite])
  if (!link) throw new Error('one row makes one link')
  return link
}

/** Links to one space or collection as the API returns them. */
export async function toLinksTo(
  urls: Urls,
  db: Reader,
  target: InviteTarget,
  invites: Pick<Row<'invite'>, 'id' | 'role'>[],
): Promise<InviteLink[]> {
  const leads =
    target.kind === 'space'
      ? { space: await toSpace(urls, db, target.row, target.role) }
      : { collection: toCollection(urls, target.row, target.role) }
  return invites.flatMap(({ id, role: level }) =>
    level === null ? [] : [{ object: 'invite', id, level, redundant: atLeast(target.role, level), ...leads }],
  )
}

/**
 * Finds an open invite by its code: the id of a link, or the secret in an invitation e-mail.
 * @throws 404 with the same message for unknown, used and expired invites
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
  if (!invite || expired) throw notFound('invitation')
  return invite
}

/** Gives a user the role of an invite. It never lowers a role that the user has. @throws 403, 404 or 409 */
export async function useInvite(
  tx: Tx,
  organization: Row<'organization'>,
  invite: Row<'invite'>,
  user: Pick<Row<'user'>, 'id' | 'email'>,
  now: Date,
): Promise<void> {
  if (invite.kind !== 'email' && !organization.inviteLinks) throw conflict(because('invite-links-disabled'))
  if (invite.kind === 'email' && invite.email !== user.email)
    throw forbidden(because('invitation-of-another'))

  const membership = await tx
    .selectFrom('member')
    .selectAll()
    .where('organizationId', '=', organization.id)
    .where('userId', '=', user.id)
    .executeTakeFirst()
  if (membership?.disabled) throw notFound('invitation')
  const given = await roleGiven(tx, invite)
  const joining = { organizationId: organization.id, userId: user.id }
  if (invite.kind === 'email') await liftLimit(tx, joining)

  // Marked as used first: of two concurrent requests, the second waits here and then finds the invite used.
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

/** @throws 404 for a link that nobody can use: links are disabled, or its creator could no longer create it */
export async function needUsable(
  db: Reader,
  { inviteLinks }: Pick<Row<'organization'>, 'inviteLinks'>,
  invite: Row<'invite'>,
): Promise<void> {
  if (!inviteLinks) throw notFound('invitation')
  await roleGiven(db, invite)
}

/**
 * The role that an invite gives now: at most what its creator could still give. Otherwise users who were removed, or
 * whose role was lowered, could return through their own invites.
 * @throws 404 if the creator could no longer create the invite
 */
async function roleGiven(db: Reader, invite: Row<'invite'>): Promise<Role | null> {
  const creator = await db
    .selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', invite.organizationId)
    .where('userId', '=', invite.createdBy)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (!creator) throw notFound('invitation')
  if (invite.kind === 'organization' || invite.kind === 'email') {
    if (creator.role !== 'admin') throw notFound('invitation')
    return invite.role
  }

  const to = { kind: invite.kind, id: invite.targetId ?? '' }
  const target = await inviteTargetOf(db, invite.organizationId, creator, to)
  if (!target || !atLeast(target.role, 'create')) throw notFound('invitation')
  return invite.role === null || atLeast(target.role, invite.role) ? invite.role : target.role
}

async function grantLevel(
  tx: Tx,
  invite: Row<'invite'> & { kind: 'space' | 'collection' },
  viewer: Viewer,
  now: Date,
): Promise<void> {
  // `roleGiven` has checked that the target exists. The joining user may have no role on it yet.
  const target: Thing = { kind: invite.kind, id: invite.targetId ?? '' }
  const has = await inviteTargetOf(tx, invite.organizationId, viewer, target)
  if (await isExcluded(tx, target, viewer)) throw forbidden(because('access-removed'))
  // A direct grant takes precedence over inherited access, so a lower grant would reduce it.
  if (invite.role === null || atLeast(has?.role ?? null, invite.role)) return
  await putGrant(tx, {
    target,
    grantee: { kind: 'user', id: viewer.userId },
    organizationId: invite.organizationId,
    role: invite.role,
    now,
  })
}

/** Whether the space or collection has a "no access" grant to the user or one of their teams, or inherits such a grant. */
async function isExcluded(db: Reader, { kind, id }: Thing, viewer: Viewer): Promise<boolean> {
  const row = await db
    .selectFrom(kind)
    .select(['id', 'organizationId', 'parent', 'defaultLevel'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('invitation')
  const steps = await loadSteps(db, { ...row, kind })
  const [member] = await viewersAmong(db, row.organizationId, [viewer])
  const holder = { ...viewer, teamIds: new Set(member?.teamIds) }
  const { role, decision } = decideThrough(steps, holder)
  const own = steps.slice(0, 1).flatMap((step) => grantsTo(holder, step))
  return own.some((grant) => grant.role === null) || (role === null && decision.by === 'grant')
}
