import type { Row } from '../../db/schema.ts'

/** Number of days in which a deleted space can be restored. */
export const TRASH_DAYS = 7

/** Whether a space was deleted so long ago that it can no longer be restored. */
export function isPastTrash({ deletedAt }: Pick<Row<'space'>, 'deletedAt'>, now: Date): boolean {
  return deletedAt !== null && deletedAt <= trashStart(now)
}

/** The time before which deleted spaces can no longer be restored. */
export function trashStart(now: Date): string {
  return new Date(now.getTime() - TRASH_DAYS * 24 * 3_600_000).toISOString()
}
