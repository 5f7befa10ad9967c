import { lower } from '../access/roles.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'

type Membership = Pick<Row<'member'>, 'organizationId' | 'userId'>

/**
 * What is left of a role for somebody who takes it by themselves, by a link or the domain of their address: no more than
 * an administrator made them, or than they had when they left.
 * @throws 404 if they were removed while disabled
 */
export async function withinLimit(
  db: Reader,
  { organizationId, userId }: Membership,
  role: Role | null,
): Promise<Role | null> {
  const limit = await db
    .selectFrom('roleLimit')
    .select(['role', 'disabled'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (limit?.disabled) throw notFound()
  return limit ? lower(role, limit.role) : role
}

/** Sets what somebody gets at most when they join by themselves. */
export async function setLimit(
  tx: Tx,
  member: Pick<Row<'member'>, 'organizationId' | 'userId' | 'role' | 'disabled'>,
  now: Date,
): Promise<void> {
  const { organizationId, userId, role, disabled } = member
  const changed = { role, disabled, updatedAt: now.toISOString() }
  await tx
    .insertInto('roleLimit')
    .values({ organizationId, userId, ...changed })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doUpdateSet(changed))
    .execute()
}

/** An administrator has invited somebody: what they were before is no limit any more. */
export async function liftLimit(tx: Tx, { organizationId, userId }: Membership): Promise<void> {
  await tx
    .deleteFrom('roleLimit')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
}
