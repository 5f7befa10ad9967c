import type { Reader, Role, Row } from '../../db/schema.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import type { Access } from '../../http/route.ts'
import { demand, needOrganization } from './on.ts'
import { type Reaching, reaches, refuseLimited } from '../roles/reached.ts'
import { atLeast, teamPermissions } from '../roles/roles.ts'
import { because } from '../../core/languages/reasons.ts'

/** The organization in the URL, for members with the role `needed` in it and for the user in the URL. */
export function onOrgOrSelf(
  needed: Role,
): Access<{ organization: Row<'organization'>; organizationRole: Role | null }> {
  return {
    needs: `organization: ${needed}, or oneself`,
    async load({ db, me, params }) {
      const { organization, role } = await needOrganization(db, me, params.organizationId ?? '')
      if (params.userId !== me.userId) demand(role, needed, 'in-organization')
      return { organization, organizationRole: role }
    },
  }
}

/**
 * The team in the URL. `read` allows members of the organization and owners of the team, `owner` allows owners and
 * administrators, and `admin` allows administrators.
 */
export function onTeam(needed: 'read' | 'owner' | 'admin'): Access<{
  organization: Row<'organization'>
  organizationRole: Role | null
  team: Row<'team'>
  teamRole: Row<'teamMember'>['role'] | null
}> {
  return {
    needs: `team: ${needed}`,
    async load({ db, me, params }) {
      const { organization, role } = await needOrganization(db, me, params.organizationId ?? '')
      const found = await db
        .selectFrom('team')
        .leftJoin('teamMember', (join) =>
          join.onRef('teamMember.teamId', '=', 'team.id').on('teamMember.userId', '=', me.userId),
        )
        .selectAll('team')
        .select('teamMember.role as teamRole')
        .where('team.id', '=', params.teamId ?? '')
        .where('team.organizationId', '=', organization.id)
        .executeTakeFirst()
      if (!found) throw notFound('team')

      const { teamRole, ...team } = found
      const may = teamPermissions(role, teamRole)
      if (!may.view) throw notFound('team')
      if (needed === 'admin') demand(role, 'admin', 'in-organization')
      if (needed === 'owner' && !may.admin) throw forbidden(because('owner-required'))
      return { organization, organizationRole: role, team, teamRole }
    },
  }
}

/** The user in the URL, for callers who share an organization with the user; `self` allows only the user. */
export function onUser(needed: 'member' | 'self'): Access<{ user: Row<'user'>; addressShown: boolean }> {
  return {
    needs: `user: ${needed}`,
    async load({ db, me, params }) {
      const user = await db
        .selectFrom('user')
        .selectAll()
        .where('id', '=', params.userId ?? '')
        .executeTakeFirst()
      if (!user) throw notFound('user')
      // Other organizations see the profile too.
      if (user.id === me.userId && needed === 'self') refuseLimited(me)
      if (user.id === me.userId) return { user, addressShown: true }

      const shared = await sharedRoles(db, me, user.id)
      if (shared.length === 0) throw notFound('user')
      if (needed === 'self') throw forbidden(because('self-required'))
      return { user, addressShown: shared.some((role) => atLeast(role, 'read')) }
    },
  }
}

/** The roles of `me` in the organizations that both users are in. Organizations in which `me` is disabled do not count. */
async function sharedRoles(db: Reader, me: Reaching, other: string): Promise<(Role | null)[]> {
  const rows = await db
    .selectFrom('member as mine')
    .innerJoin('member as theirs', 'theirs.organizationId', 'mine.organizationId')
    .select('mine.role')
    .where('mine.userId', '=', me.userId)
    .where('mine.disabled', '=', 0)
    .where('theirs.userId', '=', other)
    .where(reaches(me, 'mine.organizationId'))
    .execute()
  return rows.map(({ role }) => role)
}
