import type { GrantTarget } from '../../access/roles/explain.ts'
import type { Reader, Role } from '../../db/schema.ts'

/** An audit event lists at most so many. */
const LISTED_MAX = 100

type Granted = { id: string; role: Role | null }

/** The grants of a user or team in an organization, which the audit log records when they are deleted. */
export async function grantsOf(
  db: Reader,
  organizationId: string,
  grantee: { kind: 'user' | 'team'; id: string },
): Promise<{ spaces: Granted[]; collections: Granted[]; sites: Granted[] }> {
  const on = (kind: GrantTarget['kind']) =>
    db
      .selectFrom('grant')
      .select(['targetId as id', 'role'])
      .where('organizationId', '=', organizationId)
      .where('granteeKind', '=', grantee.kind)
      .where('granteeId', '=', grantee.id)
      .where('targetKind', '=', kind)
      .orderBy('targetId')
      .limit(LISTED_MAX)
      .execute()
  return { spaces: await on('space'), collections: await on('collection'), sites: await on('site') }
}

/** The roles of all members of a team, or of the given users, for the audit log. */
export async function rolesInTeam(
  db: Reader,
  teamId: string,
  users?: string[],
): Promise<{ id: string; role: 'owner' | 'member' }[]> {
  if (users?.length === 0) return []
  return db
    .selectFrom('teamMember')
    .select(['userId as id', 'role'])
    .where('teamId', '=', teamId)
    .$if(users !== undefined, (some) => some.where('userId', 'in', users ?? []))
    .orderBy('userId')
    .limit(LISTED_MAX)
    .execute()
}

/** The teams of a user in an organization, with the user's role in each, for the audit log. */
export async function teamsWith(
  db: Reader,
  organizationId: string,
  userId: string,
): Promise<{ id: string; role: 'owner' | 'member' }[]> {
  return db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select(['team.id', 'teamMember.role'])
    .where('team.organizationId', '=', organizationId)
    .where('teamMember.userId', '=', userId)
    .orderBy('team.id')
    .limit(LISTED_MAX)
    .execute()
}
