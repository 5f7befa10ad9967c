import { Type } from 'typebox'
import { demand, onOrg } from '../../access/on.ts'
import { atLeast } from '../../access/roles.ts'
import { randomText } from '../../core/id.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
import { GONE, route } from '../../http/route.ts'
import { Id, InOrganization, nullable, RoleSchema } from '../../model/common.ts'
import {
  InviteLink,
  type Target,
  targetOf,
  toInviteLink,
  toLinksTo,
  type Viewer,
} from '../../model/invite.ts'
import type { Thing } from '../../model/place.ts'

/** Whom an invite may be managed by depends on what it leads to, which the handlers ask with `demandInvite`. */
const onInvite = (): ReturnType<typeof onOrg> => ({
  ...onOrg(),
  needs: 'organization: admin, or create on what it leads to',
})

const OfInvite = Type.Object({ organizationId: Id, inviteId: Id })
/** Whoever has the id may join with it, so it is long and random, unlike other ids. */
const CODE_LENGTH = 28

export const listOrganizationInviteLinks = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/link-invites',
  summary: 'The invite links to an organization itself, or to one space or collection',
  description: '`space` or `collection` lists those to it, for those with the role "create" on it.',
  access: onInvite(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    space: Type.Optional(Id),
    collection: Type.Optional(Id),
  }),
  returns: listOf(InviteLink),
  async handler({ db, me, at, organization, organizationRole, query, page }) {
    const { space, collection } = query
    if (space && collection) throw invalid('Send "space" or "collection", not both')
    const viewer = { userId: me.userId, role: organizationRole }
    const thing = thingIn(query)
    const target = await demandInvite(db, organization.id, viewer, {
      kind: thing?.kind ?? 'organization',
      targetId: thing?.id ?? null,
      role: null,
    })

    const links = db
      .selectFrom('invite')
      .where('organizationId', '=', organization.id)
      .where('kind', '=', thing?.kind ?? 'organization')
      .$if(thing !== undefined, (some) => some.where('targetId', '=', thing?.id ?? ''))
    const rows = await links
      .selectAll()
      .$if(page.after !== undefined, (some) => some.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await links.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    // Links to the organization itself show nothing that would have to be read for each.
    const items = target
      ? await toLinksTo(at, db, target, rows)
      : await Promise.all(rows.map((row) => toInviteLink(at, db, row, viewer)))
    return listPage(items, Number(count), page, ({ id }) => [id])
  },
})

export const createOrganizationInvite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/link-invites',
  summary: 'Make an invite link to an organization, a space or a collection',
  description:
    'With `role` to the organization, for administrators; with `level` and `space` or `collection` to that, for those with the role "create" on it, and for no more than they have themselves. 409 where links are switched off.',
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
  location: ({ id }, at, { organizationId }) => at.api(`/orgs/${organizationId}/link-invites/${id}`),
  async handler({ tx, me, at, organization, organizationRole, body, now }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const to = targetIn(body)
    await demandInvite(tx, organization.id, viewer, { ...to, role: body.level ?? null })
    if (!organization.inviteLinks) throw conflict('Invite links are switched off in this organization')

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
    return toInviteLink(at, tx, invite, viewer)
  },
})

export const getOrganizationInviteLink = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/link-invites/:inviteId',
  summary: 'An invite link',
  access: onInvite(),
  params: OfInvite,
  returns: InviteLink,
  async handler({ db, me, at, organization, organizationRole, params }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const invite = await needInvite(db, organization.id, viewer, params.inviteId)
    return toInviteLink(at, db, invite, viewer)
  },
})

export const updateOrganizationInviteById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/link-invites/:inviteId',
  summary: 'Change what an invite link gives',
  description:
    '`role` for a link to the organization, `level` for one to a space or collection. Whoever changes it answers for it from then on, as if they had made it.',
  access: onInvite(),
  params: OfInvite,
  body: Type.Object({ role: Type.Optional(nullable(RoleSchema)), level: Type.Optional(RoleSchema) }),
  returns: InviteLink,
  async handler({ tx, me, at, organization, organizationRole, params, body, audit }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const invite = await needInvite(tx, organization.id, viewer, params.inviteId)
    const field = invite.kind === 'organization' ? 'role' : 'level'
    const role = body[field]
    if (role === undefined)
      throw invalid(`Send "${field}"`, [{ path: `body.${field}`, message: 'is required' }])

    await demandInvite(tx, organization.id, viewer, { ...invite, role })
    audit({ before: { [field]: invite.role }, after: { [field]: role } })
    // Whoever gave it its power answers for it: it gives what they still have, and ends with them.
    const createdBy = role === invite.role ? invite.createdBy : me.userId
    const updated = await tx
      .updateTable('invite')
      .set({ role, createdBy })
      .where('id', '=', invite.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toInviteLink(at, tx, updated, viewer)
  },
})

export const deleteOrganizationInviteById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/link-invites/:inviteId',
  summary: 'End an invite link',
  access: onInvite(),
  params: OfInvite,
  status: 205,
  async handler({ tx, me, organization, organizationRole, params }) {
    const viewer = { userId: me.userId, role: organizationRole }
    const invite = await findLink(tx, organization.id, params.inviteId)
    // Also to a space in the trash: it comes back with its links.
    const to = invite && { ...invite, role: null, trashed: true }
    if (!to || !(await isSeen(tx, organization.id, viewer, to))) return GONE

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
  if (named.filter(Boolean).length !== 1)
    throw invalid('Send "role", or "level" with "space", or "level" with "collection"')
  if (role !== undefined) return { kind: 'organization', targetId: null }
  if (level === undefined) throw invalid('Send "level"', [{ path: 'body.level', message: 'is required' }])
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

/** Whether somebody sees what an invite leads to. */
async function isSeen(db: Reader, organizationId: string, viewer: Viewer, to: Leads): Promise<boolean> {
  const { kind, targetId, trashed = false } = to
  if (kind === 'organization' || kind === 'email') return true
  const target = await targetOf(db, organizationId, viewer, { kind, id: targetId ?? '', trashed })
  return target !== undefined
}

/**
 * Demands what it takes to invite to an organization, or to a space or collection with a level.
 * @returns the space or collection
 * @throws 404 for what the caller cannot see, 403 for what they may not give
 */
async function demandInvite(
  db: Reader,
  organizationId: string,
  viewer: Viewer,
  to: Leads,
): Promise<Target | undefined> {
  if (to.kind === 'organization' || to.kind === 'email') {
    demand(viewer.role, 'admin', 'in this organization')
    return undefined
  }
  const { kind, targetId, trashed = false } = to
  const target = await targetOf(db, organizationId, viewer, { kind, id: targetId ?? '', trashed })
  if (!target) throw notFound()
  demand(target.role, 'create', `on this ${to.kind}`)
  if (to.role !== null && !atLeast(target.role, to.role)) demand(target.role, to.role, `on this ${to.kind}`)
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

/** A link that the caller may manage. @throws 403 or 404 as `demandInvite` */
async function needInvite(
  db: Reader,
  organizationId: string,
  viewer: Viewer,
  id: string,
): Promise<Row<'invite'>> {
  const invite = await findLink(db, organizationId, id)
  if (!invite) throw notFound()

  await demandInvite(db, organizationId, viewer, { ...invite, role: null })
  return invite
}
