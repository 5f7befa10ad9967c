import { sql } from 'kysely'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { levelOf, levelsAbove, readLevels } from './levels.ts'
import { type Reaching, reaches } from './reached.ts'
import { effectiveRole } from './roles.ts'

/** Those of these spaces that the caller can see, without spaces in the trash: their newest revisions by id. */
export async function visibleSpaces(
  db: Reader,
  me: Reaching,
  ids: readonly string[],
): Promise<Map<string, Row<'space'>['revisionId']>> {
  const { userId } = me
  const visible = new Map<string, Row<'space'>['revisionId']>()
  const space = { kind: 'space', id: sql`"space"."id"`, defaultLevel: sql`"space"."defaultLevel"` } as const
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('space')
      .innerJoin('member', 'member.organizationId', 'space.organizationId')
      .select(['space.id', 'space.revisionId', 'member.role'])
      .select(levelOf(space, userId).as('level'))
      .select(levelsAbove(sql`"space"."parent"`, userId).as('above'))
      .where('space.id', 'in', some)
      .where('space.deletedAt', 'is', null)
      .where('member.userId', '=', userId)
      .where('member.disabled', '=', 0)
      .where(reaches(me, 'member.organizationId'))
      .execute()
    for (const { id, revisionId, role, level, above } of rows) {
      const levels = [...readLevels(level), ...readLevels(above)]
      if (effectiveRole(role, levels) !== null) visible.set(id, revisionId)
    }
  }
  return visible
}

/** Those of these collections that the caller can see. */
export async function visibleCollections(
  db: Reader,
  me: Reaching,
  ids: readonly string[],
): Promise<Set<string>> {
  const { userId } = me
  const visible = new Set<string>()
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('collection')
      .innerJoin('member', 'member.organizationId', 'collection.organizationId')
      .select(['collection.id', 'member.role'])
      .select(levelsAbove(sql`"collection"."id"`, userId).as('levels'))
      .where('collection.id', 'in', some)
      .where('member.userId', '=', userId)
      .where('member.disabled', '=', 0)
      .where(reaches(me, 'member.organizationId'))
      .execute()
    for (const { id, role, levels } of rows)
      if (effectiveRole(role, readLevels(levels)) !== null) visible.add(id)
  }
  return visible
}
