import { type Static, Type } from 'typebox'
import {
  decideThrough,
  granteesOf,
  grantsTo,
  type Grantholder,
  type GrantTarget,
  loadSteps,
  type Step,
} from '../../access/roles/explain.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { DefaultLevelSchema, nullable, oneOf, RoleSchema } from '../common.ts'
import { Team, toTeams } from '../people/team.ts'
import { toUser, User } from '../people/user.ts'

/** A role, or null for an explicit "no access". */
export const Granted = nullable(RoleSchema)

export const UserPermission = Type.Object({ permission: Granted, user: User }, { title: 'UserPermission' })
export const TeamPermission = Type.Object({ permission: Granted, team: Team }, { title: 'TeamPermission' })

/** Users with their roles, for a viewer with this role in the organization. Guests see no e-mail addresses. */
export async function toUserPermissions(
  urls: Urls,
  db: Reader,
  held: Held[],
  viewerRole: Role | null,
): Promise<Static<typeof UserPermission>[]> {
  if (held.length === 0) return []
  const ids = held.map(({ id }) => id)
  const rows = await db.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  const users = new Map(rows.map((row) => [row.id, toUser(urls, row, viewerRole !== null)]))
  return held.flatMap(({ id, role }) => {
    const user = users.get(id)
    return user ? [{ permission: role, user }] : []
  })
}

/** Teams of one organization with their roles, for one of its members. */
export async function toTeamPermissions(
  db: Reader,
  organizationId: string,
  held: Held[],
  viewer: { userId: string; role: Role | null },
): Promise<Static<typeof TeamPermission>[]> {
  if (held.length === 0) return []
  const ids = held.map(({ id }) => id)
  const rows = await db.selectFrom('team').selectAll().where('id', 'in', ids).execute()
  const teams = new Map((await toTeams(db, organizationId, rows, viewer)).map((team) => [team.id, team]))
  return held.flatMap(({ id, role }) => {
    const team = teams.get(id)
    return team ? [{ permission: role, team }] : []
  })
}

type Held = { id: string; role: Role | null }

/** The effective role of a user on a space, and the sources that were considered, the nearest first. */
export const Explanation = Type.Object(
  {
    user: User,
    role: Granted,
    reason: oneOf(['administrator', 'grant', 'defaultLevel', 'organization', 'disabled'], {
      description: 'The kind of source that decided the role',
    }),
    chain: Type.Array(
      Type.Object({
        type: oneOf(['space', 'collection']),
        id: Type.String(),
        defaultLevel: DefaultLevelSchema,
        grants: Type.Array(Type.Object({ type: oneOf(['user', 'team']), id: Type.String(), role: Granted }), {
          description: 'The grants to the user and to their teams',
        }),
        decides: Type.Boolean(),
      }),
    ),
    organization: Type.Object({ id: Type.String(), role: Granted, decides: Type.Boolean() }),
  },
  { title: 'PermissionExplanation' },
)

/** Explains the effective role of a member on a space. */
export async function explain(
  urls: Urls,
  db: Reader,
  space: Row<'space'>,
  { user, member }: { user: Row<'user'>; member: Row<'member'> },
): Promise<Static<typeof Explanation>> {
  const steps = await loadSteps(db, { ...space, kind: 'space' })
  const [teams] = (await grantedTeamsOf(db, steps, [user.id])).values()
  const holder: Grantholder = { userId: user.id, role: member.role, teamIds: teams ?? new Set() }
  const { role, decision } = decideThrough(steps, holder)
  const disabled = member.disabled === 1
  const decides = (step: number) => !disabled && 'step' in decision && decision.step === step

  return {
    user: toUser(urls, user),
    role: disabled ? null : role,
    reason: disabled ? 'disabled' : decision.by,
    chain: steps.map((step, i) => ({
      type: step.kind,
      id: step.id,
      defaultLevel: step.defaultLevel,
      grants: grantsTo(holder, step).map((grant) => ({
        type: grant.granteeKind,
        id: grant.granteeId,
        role: grant.role,
      })),
      decides: decides(i),
    })),
    organization: {
      id: space.organizationId,
      role: member.role,
      decides: !disabled && (decision.by === 'administrator' || decision.by === 'organization'),
    },
  }
}

/** The members with a role on a space, collection or site, by id. All members of the organization are loaded into memory. */
export async function membersWithRole(
  db: Reader,
  thing: Parameters<typeof loadSteps>[1],
): Promise<{ userId: string; role: Role }[]> {
  const steps = await loadSteps(db, thing)
  const teams = await grantedTeamsOf(db, steps)
  const members = await db
    .selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', thing.organizationId)
    .where('disabled', '=', 0)
    .orderBy('userId')
    .execute()
  return members.flatMap(({ userId, role: organizationRole }) => {
    const teamIds = teams.get(userId) ?? new Set<string>()
    const { role } = decideThrough(steps, { userId, role: organizationRole, teamIds })
    return role === null ? [] : [{ userId, role }]
  })
}

/** The steps that decide access to a space, collection or site, the nearest first, and its organization. */
export async function stepsTo(
  tx: Tx,
  { kind, id }: GrantTarget,
): Promise<{ organizationId: string; steps: Step[] }> {
  const row = kind === 'site' ? await siteAlone(tx, id) : await placed(tx, kind, id)
  return { organizationId: row.organizationId, steps: await loadSteps(tx, { ...row, kind }) }
}

function placed(tx: Tx, kind: 'space' | 'collection', id: string) {
  return tx
    .selectFrom(kind)
    .select(['id', 'organizationId', 'parent', 'defaultLevel'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function siteAlone(tx: Tx, id: string) {
  const site = await tx
    .selectFrom('site')
    .select(['id', 'organizationId', 'defaultLevel'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...site, parent: null }
}

/** The current roles of all or some members on a space, collection or site. The key '' has the role of future members. */
export async function rolesOn(
  tx: Tx,
  thing: GrantTarget,
  users: string[] | undefined,
): Promise<Map<string, Role | null>> {
  const { organizationId, steps } = await stepsTo(tx, thing)
  return rolesThrough(tx, organizationId, steps, users)
}

/** The roles of all or some members through these steps. The key '' has the role of future members. */
export async function rolesThrough(
  tx: Tx,
  organizationId: string,
  steps: Step[],
  users?: string[],
): Promise<Map<string, Role | null>> {
  const teams = await grantedTeamsOf(tx, steps, users)
  // Disabled members count too, because they have these roles again when they are enabled.
  const members = await tx
    .selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', organizationId)
    .$if(users !== undefined, (some) => some.where('userId', 'in', users ?? []))
    .execute()
  const newcomer = { userId: '', role: 'create' as const }
  return new Map(
    [newcomer, ...members].map((member) => {
      const teamIds = teams.get(member.userId) ?? new Set<string>()
      return [member.userId, decideThrough(steps, { ...member, teamIds }).role]
    }),
  )
}

/** The teams with grants on these steps that each user is in, for all or some users. */
export async function grantedTeamsOf(
  db: Reader,
  steps: Step[],
  users?: string[],
): Promise<Map<string, Set<string>>> {
  const granted = granteesOf(steps, 'team')
  if (granted.length === 0) return new Map()
  const rows = await db
    .selectFrom('teamMember')
    .select(['userId', 'teamId'])
    .where('teamId', 'in', granted)
    .$if(users !== undefined, (members) => members.where('userId', 'in', users ?? []))
    .execute()
  const teams = new Map<string, Set<string>>()
  for (const { userId, teamId } of rows) teams.set(userId, (teams.get(userId) ?? new Set()).add(teamId))
  return teams
}
