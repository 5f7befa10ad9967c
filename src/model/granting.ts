import { demand } from '../access/on.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { listPage, type Page, textAfter } from '../http/page.ts'
import type { AuditNote } from '../http/route.ts'
import { putGrant } from './grant.ts'
import { changeWithin } from './change-within.ts'

/** The space or collection that grants are on, and what the caller is on it and in its organization. */
export interface Granting {
  kind: 'space' | 'collection'
  thing: Pick<Row<'space'>, 'id' | 'organizationId' | 'parent' | 'defaultLevel' | 'title'>
  role: Role
  organizationRole: Role | null
}

export type Grantee = { kind: 'user' | 'team'; id: string }
/** Who has which role by a grant; absent where they have none. */
type Held = (Grantee & { role: Role | null })[]
type Tell = (note: AuditNote) => void

/**
 * The grants on a thing to users or to teams, to be narrowed and ordered. To users, those of members: what is kept of
 * somebody who has left is not theirs before they are back.
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

/** A page of who has a grant, by id. */
export async function listGranted(grants: ReturnType<typeof grantsOn>, page: Page) {
  const rows = await grants
    .select(['granteeId as id', 'role'])
    .$if(page.after !== undefined, (some) => some.where('granteeId', '>', textAfter(page) ?? ''))
    .orderBy('granteeId')
    .limit(page.limit + 1)
    .execute()
  const { count } = await grants.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return listPage(rows, Number(count), page, ({ id }) => [id])
}

/**
 * Grants a role, which the caller must have been asked for with `refuseMore`, to all of these.
 * @throws 403 where it takes the place of one that is more than the caller has
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
  audit(told(granting, replaced, granted))
}

/** Changes a grant that is there. @throws 404, 403 for a role before or after that is more than the caller has */
export async function changeGrant(
  tx: Tx,
  granting: Granting,
  grantee: Grantee,
  { role, now, audit }: { role: Role | null | undefined; now: Date; audit: Tell },
): Promise<void> {
  const before = await heldBy(tx, granting, grantee)
  if (!before) throw notFound()
  const held = { ...grantee, role: before.role }
  audit(told(granting, [held], [role === undefined ? held : { ...grantee, role }]))
  if (role === undefined) return
  refuseMore(granting, before.role, role)
  const { id, organizationId } = granting.thing
  const target = { kind: granting.kind, id }
  await changeWithin(tx, { thing: target, role: granting.role, users: usersIn([grantee]) }, () =>
    putGrant(tx, { target, grantee, organizationId, role, now }),
  )
}

/** Takes a grant back. @returns whether there was one @throws 403 for one that is more than the caller has */
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
  audit(told(granting, [{ ...grantee, role: removed.role }], []))
  return true
}

function heldBy(tx: Tx, granting: Granting, { kind, id }: Grantee) {
  return grantsOn(tx, granting, kind).select('role').where('granteeId', '=', id).executeTakeFirst()
}

/** Nobody gives more than they have themselves. @throws 403 */
export function refuseMore({ kind, role: own }: Granting, ...roles: (Role | null)[]): void {
  for (const role of roles) if (role !== null) demand(own, role, `on this ${kind}`)
}

/** Whom grants to these are about; undefined where a team has them, which may have any number of members. */
function usersIn(grantees: Grantee[]): string[] | undefined {
  return grantees.every((grantee) => grantee.kind === 'user') ? grantees.map(({ id }) => id) : undefined
}

/** What the audit log is told: on what, and who had and has which role by it. */
function told({ kind, thing }: Granting, before: Held, after: Held): AuditNote {
  const target = { type: kind, id: thing.id, label: thing.title }
  return { target, before: byKind(before), after: byKind(after) }
}

/** Who holds which role, as the audit log has it. */
function byKind(held: Held) {
  const of = (kind: Grantee['kind']) =>
    held.filter((one) => one.kind === kind).map(({ id, role }) => ({ id, role }))
  return { users: of('user'), teams: of('team') }
}
