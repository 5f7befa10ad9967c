import { outward } from '../../core/data/nesting.ts'
import type { DefaultLevel, Reader, Role, Row } from '../../db/schema.ts'
import { type Decision, decideRole } from './roles.ts'

/** The kinds of things that a role can be granted on. */
export type TargetKind = Row<'grant'>['targetKind']

/** A space, collection or site that a role can be granted on. */
export interface GrantTarget {
  kind: TargetKind
  id: string
}

/** A site, or a space or collection in the chain up to the top level, with all grants on it. */
export interface Step<Kind extends TargetKind = TargetKind> {
  kind: Kind
  id: string
  defaultLevel: DefaultLevel
  /** By kind and id of the grantee, such as `team:abc`. */
  grants: ReadonlyMap<string, Granted>
}

type Granted = Pick<Row<'grant'>, 'granteeKind' | 'granteeId' | 'role'>

/** The properties of a member that decide access. */
export interface Grantholder {
  userId: string
  /** The role in the organization; null is a guest. */
  role: Role | null
  teamIds: ReadonlySet<string>
}

/** A space, collection or site with its ancestors, the nearest first. A site is in no collection, so it has no ancestors. */
export async function loadSteps<Kind extends TargetKind>(
  db: Reader,
  thing: Pick<Step<Kind>, 'kind' | 'id' | 'defaultLevel'> & { organizationId: string; parent: string | null },
): Promise<Step<Kind | 'collection'>[]> {
  const collections =
    thing.parent === null
      ? []
      : await db
          .selectFrom('collection')
          .select(['id', 'parent', 'defaultLevel'])
          .where('organizationId', '=', thing.organizationId)
          .execute()
  const levels = new Map(collections.map(({ id, defaultLevel }) => [id, defaultLevel]))
  const above = outward(collections, thing.parent)
  const grants = await db
    .selectFrom('grant')
    .select(['targetKind', 'targetId', 'granteeKind', 'granteeId', 'role'])
    .where((eb) =>
      eb.or([
        eb.and([eb('targetKind', '=', thing.kind), eb('targetId', '=', thing.id)]),
        ...(above.length > 0
          ? [eb.and([eb('targetKind', '=', 'collection'), eb('targetId', 'in', above)])]
          : []),
      ]),
    )
    .execute()
  const onEach = Map.groupBy(grants, ({ targetKind, targetId }) => `${targetKind}:${targetId}`)
  const stepOf = <K extends TargetKind>(kind: K, id: string, defaultLevel: DefaultLevel): Step<K> => ({
    kind,
    id,
    defaultLevel,
    grants: new Map(
      (onEach.get(`${kind}:${id}`) ?? []).map((grant) => [`${grant.granteeKind}:${grant.granteeId}`, grant]),
    ),
  })
  return [
    stepOf(thing.kind, thing.id, thing.defaultLevel),
    ...above.map((id) => stepOf('collection', id, levels.get(id) ?? null)),
  ]
}

/** The role of a member that follows from these steps, and the setting that decided it. */
export function decideThrough(steps: Step[], holder: Grantholder): { role: Role | null; decision: Decision } {
  return decideRole(
    holder.role,
    steps.map((step) => ({
      defaultLevel: step.defaultLevel,
      grants: grantsTo(holder, step).map(({ role }) => role),
    })),
  )
}

/** The grants to a member or to one of the member's teams. */
export function grantsTo({ userId, teamIds }: Grantholder, { grants }: Step): Granted[] {
  const grantees = [`user:${userId}`, ...[...teamIds].map((id) => `team:${id}`)]
  return grantees.flatMap((grantee) => grants.get(grantee) ?? [])
}

/** The users, or the teams, that have a grant on one of these steps. */
export function granteesOf(steps: Step[], kind: Granted['granteeKind']): string[] {
  const granted = steps.flatMap(({ grants }) => [...grants.values()])
  return [...new Set(granted.flatMap((grant) => (grant.granteeKind === kind ? grant.granteeId : [])))]
}
