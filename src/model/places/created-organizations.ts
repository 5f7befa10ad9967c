/** How many organizations a user has created, which bounds what one user can have. */
import type { Reader, Tx } from '../../db/schema.ts'
import { conflict } from '../../http/errors.ts'
import { countRows } from '../../http/pagination.ts'
import { because } from '../../core/languages/reasons.ts'

/** The fact about the installation that names the organization of its first start. */
const FIRST_ORGANIZATION = 'organization'

/** Records the organization of the first start. Its administrators are those of the installation. */
export async function recordFirstOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.insertInto('instance').values({ name: FIRST_ORGANIZATION, value: organizationId }).execute()
}

/** Whether an organization is the one whose administrators are those of the installation. */
export async function isFirstOrganization(db: Reader, organizationId: string): Promise<boolean> {
  const found = await db
    .selectFrom('instance')
    .select('value')
    .where('name', '=', FIRST_ORGANIZATION)
    .where('value', '=', organizationId)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a user is an administrator of the installation. */
export async function administersInstallation(db: Reader, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('instance')
    .innerJoin('member', 'member.organizationId', 'instance.value')
    .select('member.userId')
    .where('instance.name', '=', FIRST_ORGANIZATION)
    .where('member.userId', '=', userId)
    .where('member.role', '=', 'admin')
    .where('member.disabled', '=', 0)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * How many more organizations a user may create. The organizations that the user has created count for as long as they
 * exist, even if other users administer them now: otherwise, giving them away would make room for more.
 */
export async function organizationsLeft(db: Reader, userId: string, most: number): Promise<number> {
  if (await administersInstallation(db, userId)) return Number.POSITIVE_INFINITY
  return most - (await countRows(db.selectFrom('organization').selectAll().where('createdBy', '=', userId)))
}

/** @throws 409 */
export async function needOrganizationsLeft(db: Reader, userId: string, most: number): Promise<void> {
  if ((await organizationsLeft(db, userId, most)) > 0) return
  throw conflict(because('too-many-organizations', { limit: most }))
}
