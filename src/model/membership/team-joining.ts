import { demand } from '../../access/checks/on.ts'
import { higher } from '../../access/roles/roles.ts'
import type { Role, Row, Tx } from '../../db/schema.ts'
import { rolesOn } from '../access/permission.ts'
import { addToTeam } from '../people/team.ts'

/**
 * Adds members to a team. If the caller is not an administrator, no added member may lose access, or have a "no access"
 * grant, directly or through another team, on a space or collection that the team is granted a role on.
 * @throws 403 that names neither the member nor the space, because the caller may not be allowed to see them
 */
export async function addWithin(
  tx: Tx,
  team: Row<'team'>,
  organizationRole: Role | null,
  users: { id: string; role?: 'owner' | 'member' | undefined }[],
  now: Date,
): Promise<void> {
  const ids = users.map(({ id }) => id)
  if (organizationRole === 'admin' || ids.length === 0) return addToTeam(tx, team.id, users, now)

  if (await areShutOut(tx, team.id, ids)) demand(organizationRole, 'admin', 'to-admit-shut-out')
  const before = await rolesByGrantsOf(tx, team.id, ids)
  await addToTeam(tx, team.id, users, now)
  const after = await rolesByGrantsOf(tx, team.id, ids)
  const isLess = (id: string, [userId, role]: [string, Role | null]) =>
    higher(before.get(id)?.get(userId) ?? null, role) !== role
  if ([...after].some(([id, roles]) => [...roles].some((one) => isLess(id, one))))
    demand(organizationRole, 'admin', 'to-lessen-access')
}

/** Whether one of these users, while not in the team, has "no access" to something that the team is granted a role on. */
async function areShutOut(tx: Tx, teamId: string, users: string[]): Promise<boolean> {
  const found = await tx
    .selectFrom('grant as given')
    .innerJoin('grant as denied', (join) =>
      join
        .onRef('denied.targetKind', '=', 'given.targetKind')
        .onRef('denied.targetId', '=', 'given.targetId'),
    )
    .select('denied.targetId')
    .where('given.granteeKind', '=', 'team')
    .where('given.granteeId', '=', teamId)
    .where('given.role', 'is not', null)
    .where('denied.role', 'is', null)
    .where((eb) => {
      const inTeam = eb.selectFrom('teamMember').select('userId').where('teamId', '=', teamId)
      const theirs = eb
        .selectFrom('teamMember')
        .select('teamId')
        .where('userId', 'in', users)
        .where('userId', 'not in', inTeam)
      return eb.or([
        eb.and([
          eb('denied.granteeKind', '=', 'user'),
          eb('denied.granteeId', 'in', users),
          eb('denied.granteeId', 'not in', inTeam),
        ]),
        eb.and([eb('denied.granteeKind', '=', 'team'), eb('denied.granteeId', 'in', theirs)]),
      ])
    })
    .executeTakeFirst()
  return found !== undefined
}

/** The role of each of these members on each thing that a team has a grant on. */
async function rolesByGrantsOf(
  tx: Tx,
  teamId: string,
  users: string[],
): Promise<Map<string, Map<string, Role | null>>> {
  const grants = await tx
    .selectFrom('grant')
    .select(['targetKind as kind', 'targetId as id'])
    .where('granteeKind', '=', 'team')
    .where('granteeId', '=', teamId)
    .execute()
  const found = new Map<string, Map<string, Role | null>>()
  for (const thing of grants) found.set(thing.id, await rolesOn(tx, thing, users))
  return found
}
