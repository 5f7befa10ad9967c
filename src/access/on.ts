import { prepare } from '../db/prepare.ts'
import type { Reader, Role, Row } from '../db/schema.ts'
import { forbidden, notFound } from '../http/errors.ts'
import type { Access, Caller } from '../http/route.ts'
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
      demand(role, needed, 'in this organization')
      return { organization, organizationRole: role }
    },
  }
}

/** The space that the URL names, for those with at least the role `needed` on it. Deleted spaces are not there. */
export function onSpace(needed: Role): Access<{ space: Row<'space'>; role: Role }> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params }) {
      const { space, role } = await needSpace(db, me, params.spaceId ?? '')
      demand(role, needed, 'on this space')
      return { space, role }
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

/** A space visible to the caller, with the caller's role on it. @throws 404 if it is not there or not visible */
export async function needSpace(
  db: Reader,
  me: Caller,
  id: string,
): Promise<{ space: Row<'space'>; role: Role }> {
  const [space] = await visibleSpace(db, id, me.userId)
  if (!space) throw notFound()

  const role = effectiveRole(space.memberRole, [{ defaultLevel: space.defaultLevel, grants: [] }])
  if (role === null) throw notFound()
  return { space, role }
}

const visibleSpace = prepare((db, argument) =>
  db
    .selectFrom('space')
    .innerJoin('member', 'member.organizationId', 'space.organizationId')
    .selectAll('space')
    .select('member.role as memberRole')
    .where('space.id', '=', argument(0))
    .where('space.deletedAt', 'is', null)
    .where('member.userId', '=', argument(1))
    .where('member.disabled', '=', 0),
)

async function needOrganization(db: Reader, me: Caller, id: string) {
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

function demand(role: Role | null, needed: Role | undefined, where: string): void {
  if (needed && !atLeast(role, needed)) throw forbidden(`This needs the permission "${needed}" ${where}`)
}
