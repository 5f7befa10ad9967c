import { type RawBuilder, sql } from 'kysely'
import type { DefaultLevel, Role, Row } from '../../db/schema.ts'
import type { Level } from './roles.ts'

// The database returns a level as one word, `<defaultLevel>:<grant>,<grant>`, and a chain as levels separated by `/`, the
// nearest first. `none` is null. Roles are fixed words, so nothing needs escaping.

/**
 * SQL for the level of a space, collection or site: its default level, and the roles granted to the user and the user's teams.
 */
export function levelOf(
  thing: { kind: Row<'grant'>['targetKind']; id: RawBuilder<unknown>; defaultLevel: RawBuilder<unknown> },
  userId: string,
): RawBuilder<string> {
  return sql<string>`coalesce(${thing.defaultLevel}, 'none') || ':' || coalesce((
    select string_agg(coalesce(g."role", 'none'), ',') from "grant" as g
    where g."targetKind" = ${thing.kind} and g."targetId" = ${thing.id} and ${isOf(userId)}
  ), '')`
}

/** SQL for the levels of a collection and its ancestors; null if `id` is null. */
export function levelsAbove(id: RawBuilder<unknown>, userId: string): RawBuilder<string | null> {
  const above = { kind: 'collection', id: sql`above."id"`, defaultLevel: sql`above."defaultLevel"` } as const
  return sql<string | null>`case when ${id} is null then null else (
    with recursive above("id", "parent", "defaultLevel", "step") as (
      select c."id", c."parent", c."defaultLevel", 1 from "collection" as c where c."id" = ${id}
      union all
      select c."id", c."parent", c."defaultLevel", above."step" + 1
      from "collection" as c join above on c."id" = above."parent"
    )
    select string_agg(${levelOf(above, userId)}, '/' order by above."step") from above
  ) end`
}

/** SQL for whether the grant `g` is to this user or to one of the user's teams. */
export function isOf(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    (g."granteeKind" = 'user' and g."granteeId" = ${userId})
    or (g."granteeKind" = 'team' and g."granteeId" in (
      select m."teamId" from "teamMember" as m where m."userId" = ${userId}
    ))
  )`
}

/**
 * SQL for whether the grant `g` is on a space, on a collection or on a site. The expression keeps the database from using an index
 * on the kind, because a grantee has few grants and a kind has nearly all of them.
 */
export function isOn(kind: Row<'grant'>['targetKind']): RawBuilder<boolean> {
  return sql<boolean>`g."targetKind" || '' = ${kind}`
}

/** Parses the result of `levelOf` and `levelsAbove`. */
export function readLevels(text: string | null): Level[] {
  if (!text) return []
  return text.split('/').map((level) => {
    const [defaultLevel = '', grants = ''] = level.split(':')
    return {
      defaultLevel: wordOf(defaultLevel) as DefaultLevel,
      grants: grants === '' ? [] : grants.split(',').map((role) => wordOf(role) as Role | null),
    }
  })
}

const wordOf = (word: string) => (word === 'none' ? null : word)
