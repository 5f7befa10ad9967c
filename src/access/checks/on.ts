import { sql } from 'kysely'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { forbidden, notFound, unknownId } from '../../http/errors.ts'
import type { Access, Caller } from '../../http/route.ts'
import { levelOf, levelsAbove, readLevels } from '../roles/levels.ts'
import {
  isReached,
  type Reaching,
  reaches,
  refuseLimited,
  refuseWithoutSso,
  type RequiresSso,
} from '../roles/reached.ts'
import { isPastTrash } from '../roles/trash-period.ts'
import { atLeast, effectiveRole } from '../roles/roles.ts'
import { because, type ReasonId } from '../../core/languages/reasons.ts'

/** Any caller, with or without a token. */
export function anyone(): Access<object> {
  return { needs: 'anyone', open: true, load: async () => ({}) }
}

/** Any caller, with or without a token. With the valid token of a user, `me` is this user. */
export function anyoneKnown(): Access<object> {
  return { needs: 'anyone', open: 'knows members', load: async () => ({}) }
}

/** Any caller with a valid token. */
export function onSelf(): Access<object> {
  return { needs: 'token', load: async () => ({}) }
}

/**
 * The organization in the URL.
 * @param needed the role that the member must have; absent: every member and guest
 */
export function onOrg(
  needed?: Role,
): Access<{ organization: Row<'organization'>; organizationRole: Role | null }> {
  return {
    needs: `organization: ${needed ?? 'member'}`,
    async load({ db, me, params }) {
      const { organization, role } = await needOrganization(db, me, params.organizationId ?? '')
      if (needed) demand(role, needed, 'in-organization')
      return { organization, organizationRole: role }
    },
  }
}

/**
 * Any caller with a valid token or session that is not limited to one organization: for what concerns all organizations
 * of the user, such as the password.
 */
export function onAccount(): Access<object> {
  return {
    needs: 'account',
    async load({ me }) {
      refuseLimited(me)
      return {}
    },
  }
}

/**
 * The organization in the URL, in which the request creates something. The collection to create it in is in the body,
 * so the handler checks the permission with `needPlace`. A guest may have a grant on that collection.
 */
export function onPlace(): ReturnType<typeof onOrg> {
  return { ...onOrg(), needs: 'organization: create, or create on the collection in the body' }
}

/** A space with the roles of the caller on it and in its organization. */
export interface OnSpace {
  space: Row<'space'>
  role: Role
  organizationRole: Role | null
}

/** The space in the URL, for callers with at least the role `needed` on it. A space in the trash is 404. */
export function onSpace(needed: Role): Access<OnSpace> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params }) {
      const found = await needSpace(db, me, params.spaceId ?? '')
      demand(found.role, needed, 'on-space')
      return found
    },
  }
}

/**
 * The space in the URL, or undefined if it is deleted or the caller cannot see it. Deleting such a space succeeds with
 * 204, so that the response does not show whether it exists.
 */
export function onSpaceIfThere(needed: Role): Access<{ space: Row<'space'> | undefined }> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params }) {
      const { spaceId = '' } = params
      const found = await findSpace(db, me, spaceId)
      if (!found) await refuseHiddenSpace(db, me, spaceId)
      if (!found || found.space.deletedAt !== null) return { space: undefined }
      demand(found.role, needed, 'on-space')
      return { space: found.space }
    },
  }
}

/** The space in the URL, including a space in the trash. */
export function onSpaceOrTrash(needed: Role): Access<OnSpace> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params, now }) {
      const { spaceId = '' } = params
      const found = await findSpace(db, me, spaceId)
      if (!found) await refuseHiddenSpace(db, me, spaceId)
      if (!found || isPastTrash(found.space, now)) throw notFound('space')
      demand(found.role, needed, 'on-space')
      return found
    },
  }
}

/** A collection with the roles of the caller on it and in its organization. */
export interface OnCollection {
  collection: Row<'collection'>
  role: Role
  organizationRole: Role | null
}

/** The collection in the URL, for callers with at least the role `needed` on it. */
export function onCollection(needed: Role): Access<OnCollection> {
  return {
    needs: `collection: ${needed}`,
    async load({ db, me, params }) {
      const found = await needCollection(db, me, params.collectionId ?? '')
      demand(found.role, needed, 'on-collection')
      return found
    },
  }
}

/**
 * The collection in the URL, or undefined if the caller cannot see it. Deleting such a collection succeeds with 204, so
 * that the response does not show whether it exists.
 */
export function onCollectionIfThere(
  needed: Role,
): Access<{ found: OnCollection | undefined; collection: Row<'collection'> | undefined }> {
  return {
    needs: `collection: ${needed}`,
    async load({ db, me, params }) {
      const { collectionId = '' } = params
      const found = await findCollection(db, me, collectionId)
      if (!found) await refuseHiddenCollection(db, me, collectionId)
      if (found) demand(found.role, needed, 'on-collection')
      // The audit log reads the target from `collection`.
      return { found, collection: found?.collection }
    },
  }
}

/** A space visible to the caller, with the caller's role on it. @throws 404 if it does not exist or is not visible */
export async function needSpace(db: Reader, me: Caller, id: string): Promise<OnSpace> {
  const found = await findSpace(db, me, id)
  if (!found) await refuseHiddenSpace(db, me, id)
  if (!found || found.space.deletedAt !== null) throw notFound('space')
  return found
}

/** A space on which the caller has a role, in the trash or not. */
export async function findSpace(db: Reader, me: Reaching, id: string): Promise<OnSpace | undefined> {
  const found = await spaceOf(db, id, me.userId)
  return found && (await isReached(db, me, found.organization)) ? found.seen : undefined
}

/** @throws 403 if the caller does not see a space only because they did not use single sign-on */
export function refuseHiddenSpace(db: Reader, me: Reaching, id: string): Promise<void> {
  return refuseWithoutSso(db, me, async (any) => (await findSpace(db, any, id))?.space.organizationId)
}

/** One query at any depth. It does not read collections for a space at the top level. */
const spaceOf = prepare(
  (db, argument) =>
    db
      .selectFrom('space')
      .innerJoin('member', 'member.organizationId', 'space.organizationId')
      .innerJoin('organization', 'organization.id', 'space.organizationId')
      .selectAll('space')
      .select(['member.role as memberRole', 'organization.sso as requiresSso'])
      .select(levelOf(SPACE, argument(1)).as('level'))
      .select(levelsAbove(sql`"space"."parent"`, argument(1)).as('above'))
      .where('space.id', '=', argument(0))
      .where('member.userId', '=', argument(1))
      .where('member.disabled', '=', 0),
  ([row]): { seen: OnSpace; organization: RequiresSso } | undefined => {
    if (!row) return undefined
    const { memberRole: organizationRole, requiresSso: sso, level, above, ...space } = row
    const role = effectiveRole(organizationRole, [...readLevels(level), ...readLevels(above)])
    if (role === null) return undefined
    const seen = { space: Object.freeze(space), role, organizationRole }
    return { seen, organization: { id: space.organizationId, sso } }
  },
)

const SPACE = { kind: 'space', id: sql`"space"."id"`, defaultLevel: sql`"space"."defaultLevel"` } as const

/** A collection visible to the caller, with the caller's role on it. @throws 404 if it does not exist or is not visible */
async function needCollection(db: Reader, me: Caller, id: string): Promise<OnCollection> {
  const found = await findCollection(db, me, id)
  if (found) return found
  await refuseHiddenCollection(db, me, id)
  throw notFound('collection')
}

/** A collection on which the caller has a role. */
export async function findCollection(
  db: Reader,
  me: Reaching,
  id: string,
): Promise<OnCollection | undefined> {
  const found = await collectionOf(db, id, me.userId)
  return found && (await isReached(db, me, found.organization)) ? found.seen : undefined
}

function refuseHiddenCollection(db: Reader, me: Reaching, id: string): Promise<void> {
  return refuseWithoutSso(
    db,
    me,
    async (any) => (await findCollection(db, any, id))?.collection.organizationId,
  )
}

const collectionOf = prepare(
  (db, argument) =>
    db
      .selectFrom('collection')
      .innerJoin('member', 'member.organizationId', 'collection.organizationId')
      .innerJoin('organization', 'organization.id', 'collection.organizationId')
      .selectAll('collection')
      .select(['member.role as memberRole', 'organization.sso as requiresSso'])
      .select(levelsAbove(sql`"collection"."id"`, argument(1)).as('levels'))
      .where('collection.id', '=', argument(0))
      .where('member.userId', '=', argument(1))
      .where('member.disabled', '=', 0),
  ([row]): { seen: OnCollection; organization: RequiresSso } | undefined => {
    if (!row) return undefined
    const { memberRole: organizationRole, requiresSso: sso, levels, ...collection } = row
    const role = effectiveRole(organizationRole, readLevels(levels))
    if (role === null) return undefined
    const seen = { collection: Object.freeze(collection), role, organizationRole }
    return { seen, organization: { id: collection.organizationId, sso } }
  },
)

/**
 * Checks that the caller may put a space or collection into a collection, or at the top level of an organization.
 * @param parent id of the collection; null for the top level
 * @returns the caller's role there
 * @throws 403 without the permission "create" there
 */
export async function needPlace(
  db: Reader,
  me: Caller,
  { organizationRole }: { organizationRole: Role | null },
  parent: string | null,
): Promise<Role> {
  if (parent === null) return demand(organizationRole, 'create', 'in-organization')
  const found = await findCollection(db, me, parent)
  return demand(found?.role ?? null, 'create', 'on-collection')
}

/**
 * The same for a `parent` that a body names.
 * @throws 400 if the caller cannot see that collection, or if it belongs to another organization
 */
export async function needParent(
  db: Reader,
  me: Caller,
  place: { organizationId: string; organizationRole: Role | null },
  parent: string | null,
): Promise<Role> {
  const found = parent === null ? undefined : await findCollection(db, me, parent)
  if (parent !== null && found?.collection.organizationId !== place.organizationId)
    throw unknownId('body.parent', parent, 'a collection of this organization')
  return needPlace(db, me, place, parent)
}

/** An organization that the caller is a member of, with the caller's role in it. @throws 404 */
export async function needOrganization(db: Reader, me: Caller, id: string) {
  const found = await findOrganization(db, me, id)
  if (found) return found
  await refuseHiddenOrganization(db, me, id)
  throw notFound('organization')
}

/** @throws 403 if the caller does not reach an organization only because they did not use single sign-on */
export function refuseHiddenOrganization(db: Reader, me: Reaching, id: string): Promise<void> {
  return refuseWithoutSso(db, me, async (any) => (await findOrganization(db, any, id))?.organization.id)
}

/** An organization, if the caller is a member of it, with the caller's role. */
export async function findOrganization(db: Reader, me: Reaching, id: string) {
  const found = await db
    .selectFrom('organization')
    .innerJoin('member', 'member.organizationId', 'organization.id')
    .selectAll('organization')
    .select('member.role as memberRole')
    .where('organization.id', '=', id)
    .where('member.userId', '=', me.userId)
    .where('member.disabled', '=', 0)
    .where(reaches(me, 'organization.id'))
    .executeTakeFirst()
  if (!found) return undefined

  const { memberRole: role, ...organization } = found
  return { organization, role }
}

/** Where or for what a permission is needed, as the reason `needs-role-on-space` has it. */
type Need = ReasonId extends infer R ? (R extends `needs-role-${infer What}` ? What : never) : never

/** Returns the role if it is at least `needed`. @throws 403 that names the missing permission */
export function demand(role: Role | null, needed: Role, what: Need): Role {
  if (role === null || !atLeast(role, needed))
    throw forbidden(because(`needs-role-${what}`, { role: needed }))
  return role
}
