import { demand } from '../../access/checks/on.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { listRows, type PageRequest } from '../../http/pagination.ts'
import type { AuditNote } from '../../http/route.ts'
import type { GrantTarget } from '../../access/roles/explain.ts'
import { putGrant } from './grant.ts'
import { changeWithin } from './change-within.ts'

/** The space, collection or site that grants are on, and the caller's roles on it and in its organization. */
export interface Granting {
  kind: GrantTarget['kind']
  /** The `parent` of a site is null. */
  thing: Pick<Row<'space'>, 'id' | 'organizationId' | 'parent' | 'defaultLevel' | 'title'>
  role: Role
  organizationRole: Role | null
}

export type Grantee = { kind: 'user' | 'team'; id: string }
/** Users and teams with the role that they are granted; without a role, there is no grant. */
type Held = (Grantee & { role: Role | null })[]
type Tell = (note: AuditNote) => void

/**
 * A query for the grants to users or to teams on a space, collection or site. Grants to users who left the organization are
 * stored but not listed.
 */
export function grantsOn(db: Reader, { kind, thing }: Granting, granteeKind: Grantee['kind']) {
  const members = db.selectFrom('member').select('userId').where('organizationId', '=', thing.organizationId)
  return db
    .selectFrom('grant')
    .where('targetKind', '=', kind)
    .where('targetId', '=', thing.id)
    .where('granteeKind', '=', granteeKind)
    .$if(granteeKind === 'user', (grants) => grants.where('granteeId', 'in', members))
}

/** A page of results with grants, ordered by the id of the grantee. */
export async function listGranted(grants: ReturnType<typeof grantsOn>, page: PageRequest) {
  const list = await listRows(grants.select(['granteeId', 'role']), page, { by: ['granteeId'] })
  return { ...list, items: list.items.map(({ granteeId: id, role }) => ({ id, role })) }
}

/**
 * Grants a role to these users or teams. Call `refuseMore` with the role first.
 * @throws 403 if an existing grant has a role above that of the caller
 */
export async function grantTo(
  tx: Tx,
  granting: Granting,
  grantees: Grantee[],
  { role, now, audit }: { role: Role | null; now: Date; audit: Tell },
): Promise<void> {
  const { organizationId } = granting.thing
  const target = { kind: granting.kind, id: granting.thing.id }
  const replaced: Held = []
  await changeWithin(tx, { thing: target, role: granting.role, users: usersIn(grantees) }, async () => {
    for (const grantee of grantees) {
      const before = await heldBy(tx, granting, grantee)
      refuseMore(granting, before?.role ?? null)
      if (before) replaced.push({ ...grantee, role: before.role })
      await putGrant(tx, { target, grantee, organizationId, role, now })
    }
  })
  const granted = grantees.map((grantee) => ({ ...grantee, role }))
  audit(grantNote(granting, replaced, granted))
}

/** Changes an existing grant. @throws 404; 403 if the old or the new role is above that of the caller */
export async function changeGrant(
  tx: Tx,
  granting: Granting,
  grantee: Grantee,
  { role, now, audit }: { role: Role | null | undefined; now: Date; audit: Tell },
): Promise<void> {
  const before = await heldBy(tx, granting, grantee)
  if (!before) throw notFound('grant')
  const held = { ...grantee, role: before.role }
  audit(grantNote(granting, [held], [role === undefined ? held : { ...grantee, role }]))
  if (role === undefined) return
  refuseMore(granting, before.role, role)
  const { id, organizationId } = granting.thing
  const target = { kind: granting.kind, id }
  await changeWithin(tx, { thing: target, role: granting.role, users: usersIn([grantee]) }, () =>
    putGrant(tx, { target, grantee, organizationId, role, now }),
  )
}

/** Revokes a grant. @returns whether it existed @throws 403 if its role is above that of the caller */
export async function removeGrant(
  tx: Tx,
  granting: Granting,
  grantee: Grantee,
  audit: Tell,
): Promise<boolean> {
  const thing = { kind: granting.kind, id: granting.thing.id }
  if (!(await heldBy(tx, granting, grantee))) return false
  const removed = await changeWithin(tx, { thing, role: granting.role, users: usersIn([grantee]) }, () =>
    tx
      .deleteFrom('grant')
      .where('targetKind', '=', thing.kind)
      .where('targetId', '=', thing.id)
      .where('granteeKind', '=', grantee.kind)
      .where('granteeId', '=', grantee.id)
      .returning('role')
      .executeTakeFirst(),
  )
  if (!removed) return false
  refuseMore(granting, removed.role)
  audit(grantNote(granting, [{ ...grantee, role: removed.role }], []))
  return true
}

function heldBy(tx: Tx, granting: Granting, { kind, id }: Grantee) {
  return grantsOn(tx, granting, kind).select('role').where('granteeId', '=', id).executeTakeFirst()
}

/** Refuses roles above that of the caller. @throws 403 */
export function refuseMore({ kind, role: own }: Granting, ...roles: (Role | null)[]): void {
  for (const role of roles) if (role !== null) demand(own, role, `on-${kind}`)
}

/** The ids of the grantees if all are users; undefined if one is a team, which can have any number of members. */
function usersIn(grantees: Grantee[]): string[] | undefined {
  return grantees.every((grantee) => grantee.kind === 'user') ? grantees.map(({ id }) => id) : undefined
}

/** The note for the audit log: the target, and its grants before and after. */
function grantNote({ kind, thing }: Granting, before: Held, after: Held): AuditNote {
  const target = { type: kind, id: thing.id, label: thing.title }
  return { target, before: byKind(before), after: byKind(after) }
}

/** Grants in the form of the audit log. */
function byKind(held: Held) {
  const of = (kind: Grantee['kind']) =>
    held.filter((one) => one.kind === kind).map(({ id, role }) => ({ id, role }))
  return { users: of('user'), teams: of('team') }
}
