import { type Static, Type } from 'typebox'
import { sql } from 'kysely'
import { emojiOf } from '../core/document/emoji.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { conflict, invalid } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'
import { Timestamp } from './common.ts'
import { toUser, User } from './user.ts'

/** Emoji that a comment or a reply can have, whoever they are from. */
const EMOJI_MAX = 50
/** Users that a reaction names; it counts all of them. */
const NAMED_MAX = 50

/** An emoji, as its code (`1f44d`), its characters or its name (`:thumbsup:`), many of them in one request. */
export const Emoji = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: EMOJI_MAX })

export const Reaction = Type.Object({
  emoji: Type.String({ description: 'The code points in hexadecimal, joined by dashes: `1f44d`' }),
  count: Type.Integer({ description: 'How many users' }),
  users: Type.Array(Type.Object({ user: User, reactedAt: Timestamp }), {
    description: `The first ${NAMED_MAX} of them, and the caller`,
  }),
})
export type Reaction = Static<typeof Reaction>

/**
 * Reactions by what they are to, each emoji where it was used first.
 * @param viewing guests are told no addresses, and nobody that of who left the organization
 */
export async function reactionsTo(
  db: Reader,
  viewing: { at: Addresses; me: Caller; space: Row<'space'>; organizationRole: Role | null },
  subjectIds: string[],
): Promise<Map<string, Reaction[]>> {
  if (subjectIds.length === 0) return new Map()
  const { at, me, space, organizationRole } = viewing
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('reaction')
        .select(['subjectId', 'emoji', 'userId', 'reactedAt'])
        .select(
          sql<number>`row_number() over (partition by "subjectId", "emoji" order by "reactedAt", "userId")`.as(
            'place',
          ),
        )
        .select(sql<number | string>`count(*) over (partition by "subjectId", "emoji")`.as('total'))
        .select(sql<string>`min("reactedAt") over (partition by "subjectId", "emoji")`.as('first'))
        .where('subjectId', 'in', subjectIds)
        .as('given'),
    )
    .innerJoin('user', 'user.id', 'given.userId')
    .leftJoin('member', (join) =>
      join.onRef('member.userId', '=', 'given.userId').on('member.organizationId', '=', space.organizationId),
    )
    .select(['given.subjectId', 'given.emoji', 'given.reactedAt', 'given.total'])
    .select(['user.id', 'user.displayName', 'user.email', 'user.photoUrl'])
    .select('member.userId as memberId')
    .where((eb) => eb.or([eb('given.place', '<=', NAMED_MAX), eb('given.userId', '=', me.userId)]))
    .orderBy('given.subjectId')
    .orderBy('given.first')
    .orderBy('given.emoji')
    .orderBy('given.place')
    .execute()

  const found = new Map<string, Reaction[]>()
  for (const row of rows) {
    const reactions = found.get(row.subjectId) ?? []
    found.set(row.subjectId, reactions)
    let last = reactions.at(-1)
    if (last?.emoji !== row.emoji) {
      last = { emoji: row.emoji, count: Number(row.total), users: [] }
      reactions.push(last)
    }
    const user = toUser(at, row, organizationRole !== null && row.memberId !== null)
    last.users.push({ user, reactedAt: row.reactedAt })
  }
  return found
}

/**
 * Adds and removes reactions of one user, one of each emoji; what is both added and removed is removed.
 * @throws 400 for what is no emoji, 409 for more different ones than fit
 */
export async function react(
  tx: Tx,
  subject: { id: string; spaceId: string },
  sent: { addedReactions?: string[]; removedReactions?: string[] },
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const removed = codesOf(sent.removedReactions, 'removedReactions')
  const added = codesOf(sent.addedReactions, 'addedReactions').filter((code) => !removed.includes(code))
  if (removed.length > 0)
    await tx
      .deleteFrom('reaction')
      .where('subjectId', '=', subject.id)
      .where('userId', '=', userId)
      .where('emoji', 'in', removed)
      .execute()
  if (added.length === 0) return

  const reactedAt = now.toISOString()
  await tx
    .insertInto('reaction')
    .values(
      added.map((emoji) => ({ spaceId: subject.spaceId, subjectId: subject.id, emoji, userId, reactedAt })),
    )
    .onConflict((known) => known.doNothing())
    .execute()
  const { kinds } = await tx
    .selectFrom('reaction')
    .select((eb) => eb.fn.count('emoji').distinct().as('kinds'))
    .where('subjectId', '=', subject.id)
    .executeTakeFirstOrThrow()
  if (Number(kinds) > EMOJI_MAX)
    throw conflict(`There may be ${EMOJI_MAX} different emoji; use one that is there already`)
}

/** Removes all reactions to something that is deleted. */
export async function forgetReactions(tx: Tx, subjectIds: string[]): Promise<void> {
  if (subjectIds.length === 0) return
  await tx.deleteFrom('reaction').where('subjectId', 'in', subjectIds).execute()
}

function codesOf(emoji: string[] | undefined, field: string): string[] {
  const codes = (emoji ?? []).map((one, index) => {
    const code = emojiOf(one)
    if (code === undefined)
      throw invalid(
        `"${field}" must be emoji: a code such as "1f44d", the character, or a name such as ":thumbsup:"`,
        [{ path: `body.${field}.${index}`, message: 'is no emoji' }],
      )
    return code
  })
  return [...new Set(codes)]
}
