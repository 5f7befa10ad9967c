import { type Static, Type } from 'typebox'
import { decideThrough, granteesOf, grantsTo, type Holder, loadSteps, type Step } from '../access/explain.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { DefaultLevelSchema, nullable, oneOf, RoleSchema } from './common.ts'
import type { Thing } from './place.ts'
import { Team, toTeams } from './team.ts'
import { toUser, User } from './user.ts'

/** A role, or null for an explicit "no access". */
export const Granted = nullable(RoleSchema)

export const UserPermission = Type.Object({ permission: Granted, user: User }, { title: 'UserPermission' })
export const TeamPermission = Type.Object({ permission: Granted, team: Team }, { title: 'TeamPermission' })

/** Users with a role each, for a viewer with this role in the organization: guests are told no address. */
export async function toUserPermissions(
  at: Addresses,
  db: Reader,
  held: Held[],
  viewerRole: Role | null,
): Promise<Static<typeof UserPermission>[]> {
  if (held.length === 0) return []
  const ids = held.map(({ id }) => id)
  const rows = await db.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  const users = new Map(rows.map((row) => [row.id, toUser(at, row, viewerRole !== null)]))
  return held.flatMap(({ id, role }) => {
    const user = users.get(id)
    return user ? [{ permission: role, user }] : []
  })
}

/** Teams of one organization with a role each, for one of its members. */
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

/** The effective role of a user on a space, and the answers that were asked for it, the nearest first. */
export const Explanation = Type.Object(
  {
    user: User,
    role: Granted,
    reason: oneOf(['administrator', 'grant', 'defaultLevel', 'organization', 'disabled'], {
      description: 'Which kind of answer gave the role',
    }),
    chain: Type.Array(
      Type.Object({
        type: oneOf(['space', 'collection']),
        id: Type.String(),
        defaultLevel: DefaultLevelSchema,
        grants: Type.Array(Type.Object({ type: oneOf(['user', 'team']), id: Type.String(), role: Granted }), {
          description: 'To the user or to one of their teams',
        }),
        decides: Type.Boolean(),
      }),
    ),
    organization: Type.Object({ id: Type.String(), role: Granted, decides: Type.Boolean() }),
  },
  { title: 'PermissionExplanation' },
)

/** Why a member has the role on a space that they have. */
export async function explain(
  at: Addresses,
  db: Reader,
  space: Row<'space'>,
  { user, member }: { user: Row<'user'>; member: Row<'member'> },
): Promise<Static<typeof Explanation>> {
  const steps = await loadSteps(db, { ...space, kind: 'space' })
  const [teams] = (await teamsOf(db, steps, [user.id])).values()
  const holder: Holder = { userId: user.id, role: member.role, teamIds: teams ?? new Set() }
  const { role, decision } = decideThrough(steps, holder)
  const disabled = member.disabled === 1
  const decides = (step: number) => !disabled && 'step' in decision && decision.step === step

  return {
    user: toUser(at, user),
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

/** Every member with a role on a thing, by id. The members of one organization are few enough to ask each in memory. */
export async function holdersOf(
  db: Reader,
  thing: Parameters<typeof loadSteps>[1],
): Promise<{ userId: string; role: Role }[]> {
  const steps = await loadSteps(db, thing)
  const teams = await teamsOf(db, steps)
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

/** The role of every member on a thing as it is now, or of some of them, and under '' of those who may come. */
export async function rolesOn(
  tx: Tx,
  { kind, id }: Thing,
  users: string[] | undefined,
): Promise<Map<string, Role | null>> {
  const row = await tx
    .selectFrom(kind)
    .select(['id', 'organizationId', 'parent', 'defaultLevel'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return rolesThrough(tx, row.organizationId, await loadSteps(tx, { ...row, kind }), users)
}

/** The role of every member of an organization through these steps, or of some; under '' of those who may come. */
export async function rolesThrough(
  tx: Tx,
  organizationId: string,
  steps: Step[],
  users?: string[],
): Promise<Map<string, Role | null>> {
  const teams = await teamsOf(tx, steps, users)
  // Those who are disabled too: what they get now, they have when they are back.
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

/** Who is in the teams that have grants, of all users or of some. */
async function teamsOf(db: Reader, steps: Step[], users?: string[]): Promise<Map<string, Set<string>>> {
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
