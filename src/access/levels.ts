import { type RawBuilder, sql } from 'kysely'
import type { DefaultLevel, Role } from '../db/schema.ts'
import type { Level } from './roles.ts'

// A level travels out of the database as one word, `<defaultLevel>:<grant>,<grant>`, and a chain as levels with `/`
// between them, the nearest first; `none` stands for null. Roles are fixed words, so nothing needs escaping.

/**
 * The level of one thing for a user: what it says by itself, with the roles granted to the user and the user's teams.
 * @param thing SQL of its kind, its id and its default level
 */
export function levelOf(
  thing: { kind: 'space' | 'collection'; id: RawBuilder<unknown>; defaultLevel: RawBuilder<unknown> },
  userId: string,
): RawBuilder<string> {
  return sql<string>`coalesce(${thing.defaultLevel}, 'none') || ':' || coalesce((
    select string_agg(coalesce(g."role", 'none'), ',') from "grant" as g
    where g."targetKind" = ${thing.kind} and g."targetId" = ${thing.id} and ${isOf(userId)}
  ), '')`
}

/** The levels of a collection and of those around it, up to the top; null where `id` is null. */
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

/** Whether the grant `g` is to this user or to one of the user's teams. */
export function isOf(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    (g."granteeKind" = 'user' and g."granteeId" = ${userId})
    or (g."granteeKind" = 'team' and g."granteeId" in (
      select m."teamId" from "teamMember" as m where m."userId" = ${userId}
    ))
  )`
}

/**
 * Whether the grant `g` is on a thing of this kind, in words that no index answers: grants are to be found by who has
 * them, who has few, and not by the kind of thing, which has nearly all.
 */
export function isOn(kind: 'space' | 'collection'): RawBuilder<boolean> {
  return sql<boolean>`g."targetKind" || '' = ${kind}`
}

/** Reads what `levelOf` and `levelsAbove` made. */
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
