import { type Static, Type } from 'typebox'
import {
  decideThrough,
  type Grantholder,
  grantsTo,
  loadSteps,
  type Step,
} from '../../access/roles/explain.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { compareKeys } from '../../http/pagination.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'
import { containing, teamsOwnedBy } from '../people/team.ts'
import { toUser, User } from '../people/user.ts'
import { Granted, grantedTeamsOf } from './permission.ts'

const Origin = Type.Unsafe<
  | { type: 'organization'; organization: string }
  | { type: 'site'; site: string; reason: 'member' | 'team' | 'default'; team?: string }
>({
  anyOf: [
    Type.Object({ type: oneOf(['organization']), organization: Type.String() }),
    Type.Object({
      type: oneOf(['site']),
      site: Type.String(),
      reason: oneOf(['member', 'team', 'default'], {
        description:
          'A grant to the user, a grant to a team of the user, or the `defaultLevel` of the site decided the role',
      }),
      team: Type.Optional(Type.String({ description: 'The team with the grant; absent for guests' })),
    }),
  ],
})

/** A user who can access a site, with the effective role and the setting that decided it. */
export const UserSitePermission = Type.Object(
  {
    permission: Granted,
    user: User,
    origin: Origin,
    disabled: Type.Boolean({ description: 'Always false, because disabled members have no access' }),
    lastSeenAt: Type.Optional(Timestamp),
  },
  { title: 'UserSitePermission' },
)

export const SITE_USER_ORDERS = ['joinedAt', 'lastSeenAt', 'name'] as const

interface SiteUserFilter {
  /** Their role on the site, or guests of the organization. */
  role?: Role | 'guest' | undefined
  search?: string | undefined
  team?: string | undefined
  sort: (typeof SITE_USER_ORDERS)[number]
  order: 'asc' | 'desc'
}

interface SiteUser {
  row: Pick<Row<'member'>, 'userId' | 'joinedAt' | 'lastSeenAt'> &
    Pick<Row<'user'>, 'displayName' | 'email' | 'photoUrl'>
  shownBy(urls: Urls): Static<typeof UserSitePermission>
}

/**
 * The users who can access a site, in the requested order, as this viewer sees them: a guest sees only themselves and
 * users with a direct grant, and no address, team or time. All members of the organization are loaded into memory.
 */
export async function listSiteUsers(
  db: Reader,
  site: Row<'site'>,
  viewer: { userId: string; role: Role | null },
  { role, search, team, sort, order }: SiteUserFilter,
): Promise<{ users: SiteUser[]; key: (user: SiteUser) => string[] }> {
  const steps = await loadSteps(db, { ...site, kind: 'site', parent: null })
  const teams = await grantedTeamsOf(db, steps)
  const isGuest = viewer.role === null
  const members = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['member.userId', 'member.role', 'member.joinedAt', 'member.lastSeenAt'])
    .select(['user.displayName', 'user.email', 'user.photoUrl'])
    .where('member.organizationId', '=', site.organizationId)
    .where('member.disabled', '=', 0)
    .$if(role === 'guest', (some) => some.where('member.role', 'is', null))
    .$if(!!search, (some) =>
      some.where((eb) => {
        const named = containing(eb.ref('user.displayName'), search)
        return isGuest ? named : eb.or([named, containing(eb.ref('user.email'), search)])
      }),
    )
    .$if(team !== undefined, (some) =>
      some.where('member.userId', 'in', (eb) =>
        eb
          .selectFrom('teamMember')
          .innerJoin('team', 'team.id', 'teamMember.teamId')
          .select('teamMember.userId')
          .where('team.id', '=', team ?? '')
          .where('team.organizationId', '=', site.organizationId)
          .$if(isGuest, (own) => own.where('team.id', 'in', teamsOwnedBy(db, viewer.userId))),
      ),
    )
    .execute()

  const users = members.flatMap(({ role: organizationRole, ...row }): SiteUser[] => {
    const holder = {
      userId: row.userId,
      role: organizationRole,
      teamIds: teams.get(row.userId) ?? new Set<string>(),
    }
    const { origin, permission, isDirect } = originOf(site, steps, holder)
    if (permission === null || (role !== undefined && role !== 'guest' && permission !== role)) return []
    if (isGuest && !isDirect && row.userId !== viewer.userId) return []
    return [{ row, shownBy: (urls) => shown(urls, { row, permission, origin, isGuest }) }]
  })
  const key = ({ row }: SiteUser) => [keyBy(sort, row), row.userId]
  const sign = order === 'asc' ? 1 : -1
  return { users: users.toSorted((a, b) => compareKeys(key(a), key(b)) * sign), key }
}

/** Members who were never active come before all others in ascending order. */
function keyBy(sort: SiteUserFilter['sort'], row: SiteUser['row']): string {
  if (sort === 'name') return row.displayName.toLowerCase()
  return (sort === 'joinedAt' ? row.joinedAt : row.lastSeenAt) ?? ''
}

type SiteOrigin = Static<typeof Origin>

/** The effective role of a member on a site, and the setting that decided it. */
function originOf(
  { id, organizationId }: Row<'site'>,
  steps: Step[],
  holder: Grantholder,
): { permission: Role | null; origin: SiteOrigin; isDirect: boolean } {
  const { role: permission, decision } = decideThrough(steps, holder)
  const grants = steps.flatMap((step) => grantsTo(holder, step))
  const isDirect = grants.some(({ granteeKind }) => granteeKind === 'user')
  if (decision.by === 'administrator' || decision.by === 'organization')
    return { permission, isDirect, origin: { type: 'organization', organization: organizationId } }
  if (decision.by === 'defaultLevel')
    return { permission, isDirect, origin: { type: 'site', site: id, reason: 'default' } }

  const deciding = grants.filter(({ role }) => role === permission)
  const ofUser = deciding.some(({ granteeKind }) => granteeKind === 'user')
  // Several teams can give the same role.
  const [team] = deciding.map(({ granteeId }) => granteeId).toSorted()
  return {
    permission,
    isDirect,
    origin: {
      type: 'site',
      site: id,
      ...(ofUser || team === undefined ? { reason: 'member' } : { reason: 'team', team }),
    },
  }
}

function shown(
  urls: Urls,
  {
    row,
    permission,
    origin,
    isGuest,
  }: { row: SiteUser['row']; permission: Role; origin: SiteOrigin; isGuest: boolean },
): Static<typeof UserSitePermission> {
  const { userId: id, lastSeenAt } = row
  const withoutTeam =
    origin.type === 'site' ? { type: origin.type, site: origin.site, reason: origin.reason } : origin
  return {
    permission,
    user: toUser(urls, { ...row, id }, !isGuest),
    origin: isGuest ? withoutTeam : origin,
    disabled: false,
    ...(isGuest ? {} : omitNullish({ lastSeenAt })),
  }
}
