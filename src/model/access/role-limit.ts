import { lower } from '../../access/roles/roles.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'

type Membership = Pick<Row<'member'>, 'organizationId' | 'userId'>

/**
 * The role of a user who joins by an invite link or by e-mail domain: at most the role that an administrator gave them
 * last, or that they had when they left.
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
  if (limit?.disabled) throw notFound('user')
  return limit ? lower(role, limit.role) : role
}

/** Sets the highest role that a user gets by joining through a link or e-mail domain. */
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

/** Removes the limit of a user whom an administrator has invited. */
export async function liftLimit(tx: Tx, { organizationId, userId }: Membership): Promise<void> {
  await tx
    .deleteFrom('roleLimit')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
}
