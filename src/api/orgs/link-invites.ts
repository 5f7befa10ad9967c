import { Type } from 'typebox'
import { demand, onOrg } from '../../access/checks/on.ts'
import { atLeast } from '../../access/roles/roles.ts'
import { randomText } from '../../core/data/id.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { conflict, invalid, invalidField, notFound, unknownId } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, InOrganization, nullable, RoleSchema } from '../../model/common.ts'
import {
  InviteLink,
  type InviteTarget,
  inviteTargetOf,
  needUsable,
  toInviteLink,
  toLinksTo,
  type Viewer,
} from '../../model/membership/invite.ts'
import type { Thing } from '../../model/places/place.ts'
import { because } from '../../core/languages/reasons.ts'

/** The required role depends on the target of the invite, so the handlers check it with `demandInvite`. */
const onInvite = (): ReturnType<typeof onOrg> => ({
  ...onOrg(),
  needs: 'organization: admin, or create on the space or collection of the link',
})

const OfInvite = Type.Object({ organizationId: Id, inviteId: Id })
/** Any user who has the id can join with it, so it is longer and more random than other ids. */
const CODE_LENGTH = 28

export const listOrganizationInviteLinks = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/link-invites',
  summary: 'List the invite links to an organization, a space or a collection',
  description: '`space` or `collection` lists the links to it, which requires `create` on it.',
  access: onInvite(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    space: Type.Optional(Id),
    collection: Type.Optional(Id),
  }),
  returns: listOf(InviteLink),
  async handler({ db, me, urls, organization, organizationRole, query, page }) {
    const { space, collection } = query
    if (space && collection) throw invalid(because('invite-target-twice'))
    const viewer = { userId: me.userId, role: organizationRole }
    const thing = thingIn(query)
    const target = await demandInvite(db, organization.id, viewer, {
      kind: thing?.kind ?? 'organization',
      targetId: thing?.id ?? null,
      role: null,
    })

    const links = db
      .selectFrom('invite')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where('kind', '=', thing?.kind ?? 'organization')
      .$if(thing !== undefined, (some) => some.where('targetId', '=', thing?.id ?? ''))
    const { items: rows, ...envelope } = await listRows(links, page, { by: ['id'] })
    // Links to the organization itself have no target to load.
    const items = target
      ? await toLinksTo(urls, db, target, rows)
      : await Promise.all(rows.map((row) => toInviteLink(urls, db, row, viewer)))
    return { ...envelope, items }
  },
})

export const createOrganizationInvite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/link-invites',
  summary: 'Create an invite link to an organization, a space or a collection',
  description:
    'Send `role` for a link to the organization, which requires `admin`. Send `level` with `space` or `collection` for a link to one of them, which requires `create` on it; the level cannot exceed the role of the caller. The request fails with 409 if invite links are disabled.',
  access: onInvite(),
  params: InOrganization,
  body: Type.Object({
    role: Type.Optional(nullable(RoleSchema)),
    level: Type.Optional(RoleSchema),
    space: Type.Optional(Id),
    collection: Type.Optional(Id),
  }),
  returns: InviteLink,
  status: 201,
  location: ({ id }, urls, { organizationId }) => urls.api(`/orgs/${organizationId}/link-invites/${id}`),
  async handler({ tx, me, urls, organization, organizationRole, body, now }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const to = targetIn(body)
    if (!(await isSeen(tx, organization.id, viewer, { ...to, role: null })))
      throw unknownId(`body.${to.kind}`, to.targetId ?? '', `a ${to.kind} of this organization`)
    await demandInvite(tx, organization.id, viewer, { ...to, role: body.level ?? null })
    if (!organization.inviteLinks) throw conflict(because('invite-links-disabled'))

    const invite: Row<'invite'> = {
      id: randomText(CODE_LENGTH),
      organizationId: organization.id,
      ...to,
      role: (to.kind === 'organization' ? body.role : body.level) ?? null,
      email: null,
      sso: 0,
      secretHash: null,
      createdBy: me.userId,
      createdAt: now.toISOString(),
      expiresAt: null,
      usedAt: null,
    }
    await tx.insertInto('invite').values(invite).execute()
    return toInviteLink(urls, tx, invite, viewer)
  },
})

export const getOrganizationInviteLink = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/link-invites/:inviteId',
  summary: 'Get an invite link',
  description:
    'Every member of the organization can read a link that they can use. `redundant` is false if it would give them more than they have.',
  access: onOrg(),
  params: OfInvite,
  secrets: ['inviteId'],
  returns: InviteLink,
  async handler({ db, me, urls, organization, organizationRole, params }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const invite = await findLink(db, organization.id, params.inviteId)
    if (!invite) throw notFound('invitation')
    if (!(await mayManage(db, viewer, invite))) await needUsable(db, organization, invite)
    return toInviteLink(urls, db, invite, viewer)
  },
})

export const updateOrganizationInviteById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/link-invites/:inviteId',
  summary: 'Update an invite link',
  description:
    'Send `role` for a link to the organization, and `level` for a link to a space or collection. The link then gives at most what the caller can give, as if the caller had created it.',
  access: onInvite(),
  params: OfInvite,
  secrets: ['inviteId'],
  body: Type.Object({ role: Type.Optional(nullable(RoleSchema)), level: Type.Optional(RoleSchema) }),
  returns: InviteLink,
  async handler({ tx, me, urls, organization, organizationRole, params, body, audit }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const invite = await needInvite(tx, organization.id, viewer, params.inviteId)
    const field = invite.kind === 'organization' ? 'role' : 'level'
    const role = body[field]
    if (role === undefined) throw invalidField(`body.${field}`, because('required'))

    await demandInvite(tx, organization.id, viewer, { ...invite, role })
    audit({ before: { [field]: invite.role }, after: { [field]: role } })
    // The link is limited by what this user can give, and stops working when they leave.
    const createdBy = role === invite.role ? invite.createdBy : me.userId
    const updated = await tx
      .updateTable('invite')
      .set({ role, createdBy })
      .where('id', '=', invite.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toInviteLink(urls, tx, updated, viewer)
  },
})

export const deleteOrganizationInviteById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/link-invites/:inviteId',
  summary: 'Delete an invite link',
  access: onInvite(),
  params: OfInvite,
  secrets: ['inviteId'],
  status: 205,
  async handler({ tx, me, organization, organizationRole, params }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const invite = await findLink(tx, organization.id, params.inviteId)
    // Links to a space in the trash can be deleted too, because restoring the space restores them.
    const to = invite && { ...invite, role: null, trashed: true }
    if (!to || !(await isSeen(tx, organization.id, viewer, to))) return ABSENT

    await demandInvite(tx, organization.id, viewer, to)

    await tx.deleteFrom('invite').where('id', '=', to.id).execute()
    return undefined
  },
})

type Kind = 'organization' | 'space' | 'collection'

function thingIn({ space, collection }: { space?: string; collection?: string }): Thing | undefined {
  if (space !== undefined) return { kind: 'space', id: space }
  return collection === undefined ? undefined : { kind: 'collection', id: collection }
}

function targetIn(body: { role?: Role | null; level?: Role; space?: string; collection?: string }): {
  kind: Kind
  targetId: string | null
} {
  const { role, level, space, collection } = body
  const named = [role !== undefined, space !== undefined, collection !== undefined]
  if (named.filter(Boolean).length !== 1) throw invalid(because('invite-role-missing'))
  if (role !== undefined) return { kind: 'organization', targetId: null }
  if (level === undefined) throw invalidField('body.level', because('required'))
  return space === undefined
    ? { kind: 'collection', targetId: collection ?? null }
    : { kind: 'space', targetId: space }
}

interface Leads {
  kind: Row<'invite'>['kind']
  targetId: string | null
  role: Role | null
  trashed?: boolean
}

/** Whether the viewer can see the target of an invite. */
async function isSeen(db: Reader, organizationId: string, viewer: Viewer, to: Leads): Promise<boolean> {
  const { kind, targetId, trashed = false } = to
  if (kind === 'organization' || kind === 'email') return true
  const target = await inviteTargetOf(db, organizationId, viewer, { kind, id: targetId ?? '', trashed })
  return target !== undefined
}

/**
 * Checks that the viewer can invite users to an organization, or to a space or collection with a level.
 * @returns the space or collection
 * @throws 404 if the viewer cannot see the target, 403 if they cannot give the level
 */
async function demandInvite(
  db: Reader,
  organizationId: string,
  viewer: Viewer,
  to: Leads,
): Promise<InviteTarget | undefined> {
  if (to.kind === 'organization' || to.kind === 'email') {
    demand(viewer.role, 'admin', 'in-organization')
    return undefined
  }
  const { kind, targetId, trashed = false } = to
  const target = await inviteTargetOf(db, organizationId, viewer, { kind, id: targetId ?? '', trashed })
  if (!target) throw notFound(to.kind)
  demand(target.role, 'create', `on-${to.kind}`)
  if (to.role !== null && !atLeast(target.role, to.role)) demand(target.role, to.role, `on-${to.kind}`)
  return target
}

async function findLink(db: Reader, organizationId: string, id: string): Promise<Row<'invite'> | undefined> {
  return db
    .selectFrom('invite')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('kind', '!=', 'email')
    .executeTakeFirst()
}

/** Whether the viewer can change and delete a link. */
async function mayManage(db: Reader, viewer: Viewer, invite: Row<'invite'>): Promise<boolean> {
  const { kind, targetId, organizationId } = invite
  if (kind === 'organization' || kind === 'email') return viewer.role === 'admin'
  const target = await inviteTargetOf(db, organizationId, viewer, { kind, id: targetId ?? '' })
  return target !== undefined && atLeast(target.role, 'create')
}

/** A link that the caller can manage. @throws 403 or 404, like `demandInvite` */
async function needInvite(
  db: Reader,
  organizationId: string,
  viewer: Viewer,
  id: string,
): Promise<Row<'invite'>> {
  const invite = await findLink(db, organizationId, id)
  if (!invite) throw notFound('invitation')

  await demandInvite(db, organizationId, viewer, { ...invite, role: null })
  return invite
}
