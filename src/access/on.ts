import { sql } from 'kysely'
import { prepare } from '../db/prepare.ts'
import type { Reader, Role, Row } from '../db/schema.ts'
import { forbidden, notFound } from '../http/errors.ts'
import type { Access, Caller } from '../http/route.ts'
import { levelOf, levelsAbove, readLevels } from './levels.ts'
import { atLeast, effectiveRole } from './roles.ts'

/** Whoever asks, with or without a token. */
export function anyone(): Access<object> {
  return { needs: 'anyone', open: true, load: async () => ({}) }
}

/** Whoever has a valid token. */
export function onSelf(): Access<object> {
  return { needs: 'token', load: async () => ({}) }
}

/** The organization that the URL names, for its members; `needed` absent: also for guests. */
export function onOrg(
  needed?: Role,
): Access<{ organization: Row<'organization'>; organizationRole: Role | null }> {
  return {
    needs: `organization: ${needed ?? 'member'}`,
    async load({ db, me, params }) {
      const { organization, role } = await needOrganization(db, me, params.organizationId ?? '')
      if (needed) demand(role, needed, 'in this organization')
      return { organization, organizationRole: role }
    },
  }
}

/**
 * The organization that the URL names, where something is to be made. The collection to make it in is in the body, so
 * the handler asks `needPlace`; guests may have been granted one.
 */
export function onPlace(): ReturnType<typeof onOrg> {
  return { ...onOrg(), needs: 'organization: create, or create on what it leads to' }
}

/** A space with what the caller is on it and in its organization. */
export interface OnSpace {
  space: Row<'space'>
  role: Role
  organizationRole: Role | null
}

/** The space that the URL names, for those with at least the role `needed` on it. Deleted spaces are not there. */
export function onSpace(needed: Role): Access<OnSpace> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params }) {
      const found = await needSpace(db, me, params.spaceId ?? '')
      demand(found.role, needed, 'on this space')
      return found
    },
  }
}

/**
 * The space that the URL names, or none if it is deleted or the caller sees none: deleting what is gone is no error, and
 * what is not visible answers the same.
 */
export function onSpaceIfThere(needed: Role): Access<{ space: Row<'space'> | undefined }> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params }) {
      const found = await findSpace(db, me, params.spaceId ?? '')
      if (!found || found.space.deletedAt !== null) return { space: undefined }
      demand(found.role, needed, 'on this space')
      return { space: found.space }
    },
  }
}

/** The space that the URL names, also while it is in the trash. */
export function onSpaceOrTrash(needed: Role): Access<OnSpace> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params, now }) {
      const found = await findSpace(db, me, params.spaceId ?? '')
      if (!found || isPast(found.space, now)) throw notFound()
      demand(found.role, needed, 'on this space')
      return found
    },
  }
}

/** A collection with what the caller is on it and in its organization. */
export interface OnCollection {
  collection: Row<'collection'>
  role: Role
  organizationRole: Role | null
}

/** The collection that the URL names, for those with at least the role `needed` on it. */
export function onCollection(needed: Role): Access<OnCollection> {
  return {
    needs: `collection: ${needed}`,
    async load({ db, me, params }) {
      const found = await needCollection(db, me, params.collectionId ?? '')
      demand(found.role, needed, 'on this collection')
      return found
    },
  }
}

/**
 * The collection that the URL names, or none if the caller sees none: deleting what is gone is no error, and what is
 * not visible answers the same.
 */
export function onCollectionIfThere(
  needed: Role,
): Access<{ found: OnCollection | undefined; collection: Row<'collection'> | undefined }> {
  return {
    needs: `collection: ${needed}`,
    async load({ db, me, params }) {
      const found = await findCollection(db, me, params.collectionId ?? '')
      if (found) demand(found.role, needed, 'on this collection')
      // By itself too, for the audit log to know what it is and whose.
      return { found, collection: found?.collection }
    },
  }
}

/** The site that the URL names, for those with the role `needed` in its organization. */
export function onSite(needed: Role): Access<{
  organization: Row<'organization'>
  organizationRole: Role | null
  site: Row<'site'>
}> {
  return {
    needs: `site: ${needed}`,
    async load({ db, me, params }) {
      const { organization, role } = await needOrganization(db, me, params.organizationId ?? '')
      if (!atLeast(role, 'read')) throw notFound()
      const site = await db
        .selectFrom('site')
        .selectAll()
        .where('id', '=', params.siteId ?? '')
        .where('organizationId', '=', organization.id)
        .executeTakeFirst()
      if (!site) throw notFound()
      demand(role, needed, 'in this organization')
      return { organization, organizationRole: role, site }
    },
  }
}

/** How long a deleted space can be restored. */
export const TRASH_DAYS = 7

/** Whether a deleted space is past restoring. */
export function isPast({ deletedAt }: Pick<Row<'space'>, 'deletedAt'>, now: Date): boolean {
  return deletedAt !== null && deletedAt <= trashStart(now)
}

/** What was deleted at this time or before is gone. */
export function trashStart(now: Date): string {
  return new Date(now.getTime() - TRASH_DAYS * 24 * 3_600_000).toISOString()
}

/** A space visible to the caller, with the caller's role on it. @throws 404 if it is not there or not visible */
export async function needSpace(db: Reader, me: Caller, id: string): Promise<OnSpace> {
  const found = await findSpace(db, me, id)
  if (!found || found.space.deletedAt !== null) throw notFound()
  return found
}

/** A space on which the caller has a role, in the trash or not. */
export async function findSpace(
  db: Reader,
  me: Pick<Caller, 'userId'>,
  id: string,
): Promise<OnSpace | undefined> {
  const [row] = await spaceOf(db, id, me.userId)
  if (!row) return undefined

  const { memberRole: organizationRole, level, above, ...space } = row
  const role = effectiveRole(organizationRole, [...readLevels(level), ...readLevels(above)])
  return role === null ? undefined : { space, role, organizationRole }
}

/** One query, whatever the depth; at the top level it does not look for collections. */
const spaceOf = prepare((db, argument) =>
  db
    .selectFrom('space')
    .innerJoin('member', 'member.organizationId', 'space.organizationId')
    .selectAll('space')
    .select('member.role as memberRole')
    .select(levelOf(SPACE, argument(1)).as('level'))
    .select(levelsAbove(sql`"space"."parent"`, argument(1)).as('above'))
    .where('space.id', '=', argument(0))
    .where('member.userId', '=', argument(1))
    .where('member.disabled', '=', 0),
)

const SPACE = { kind: 'space', id: sql`"space"."id"`, defaultLevel: sql`"space"."defaultLevel"` } as const

/** A collection visible to the caller, with the caller's role on it. @throws 404 if it is not there or not visible */
export async function needCollection(db: Reader, me: Caller, id: string): Promise<OnCollection> {
  const found = await findCollection(db, me, id)
  if (!found) throw notFound()
  return found
}

/** A collection on which the caller has a role. */
export async function findCollection(
  db: Reader,
  me: Pick<Caller, 'userId'>,
  id: string,
): Promise<OnCollection | undefined> {
  const [row] = await collectionOf(db, id, me.userId)
  if (!row) return undefined

  const { memberRole: organizationRole, levels, ...collection } = row
  const role = effectiveRole(organizationRole, readLevels(levels))
  return role === null ? undefined : { collection, role, organizationRole }
}

const collectionOf = prepare((db, argument) =>
  db
    .selectFrom('collection')
    .innerJoin('member', 'member.organizationId', 'collection.organizationId')
    .selectAll('collection')
    .select('member.role as memberRole')
    .select(levelsAbove(sql`"collection"."id"`, argument(1)).as('levels'))
    .where('collection.id', '=', argument(0))
    .where('member.userId', '=', argument(1))
    .where('member.disabled', '=', 0),
)

/**
 * The role of the caller where something is made or put: in a collection of the organization, or at its top level.
 * @param parent id of the collection; null for the top level
 * @throws 404 if the collection is not visible or of another organization; 403 without the permission "create" there
 */
export async function needPlace(
  db: Reader,
  me: Caller,
  { organizationId, organizationRole }: { organizationId: string; organizationRole: Role | null },
  parent: string | null,
): Promise<Role> {
  if (parent === null) return demand(organizationRole, 'create', 'in this organization')
  const { collection, role } = await needCollection(db, me, parent)
  if (collection.organizationId !== organizationId) throw notFound()
  return demand(role, 'create', 'on this collection')
}

/** An organization of the caller, with the caller's role in it. @throws 404 */
export async function needOrganization(db: Reader, me: Caller, id: string) {
  const found = await db
    .selectFrom('organization')
    .innerJoin('member', 'member.organizationId', 'organization.id')
    .selectAll('organization')
    .select('member.role as memberRole')
    .where('organization.id', '=', id)
    .where('member.userId', '=', me.userId)
    .where('member.disabled', '=', 0)
    .executeTakeFirst()
  if (!found) throw notFound()

  const { memberRole: role, ...organization } = found
  return { organization, role }
}

/** The role, if it gives what is needed. @throws 403 that names the permission */
export function demand(role: Role | null, needed: Role, where: string): Role {
  if (role === null || !atLeast(role, needed))
    throw forbidden(`This needs the permission "${needed}" ${where}`)
  return role
}
