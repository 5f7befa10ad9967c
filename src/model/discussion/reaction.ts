import { type Static, Type } from 'typebox'
import { sql } from 'kysely'
import { emojiOf } from '../../core/document/emoji.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict, invalidField } from '../../http/errors.ts'
import type { Caller } from '../../http/route.ts'
import { Timestamp } from '../common.ts'
import { toUser, User } from '../people/user.ts'
import { because } from '../../core/languages/reasons.ts'

/** The maximum number of different emoji on one comment or reply. */
const EMOJI_MAX = 50
/** The maximum number of users that a reaction lists. Its count includes all users. */
const NAMED_MAX = 50

/** Emoji in a request: each a code (`1f44d`), the characters, or a name (`:thumbsup:`). */
export const Emoji = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: EMOJI_MAX })

export const Reaction = Type.Object({
  emoji: Type.String({ description: 'The code points in hexadecimal, joined by dashes: `1f44d`' }),
  count: Type.Integer({ description: 'The number of users who reacted' }),
  users: Type.Array(Type.Object({ user: User, reactedAt: Timestamp }), {
    description: `The first ${NAMED_MAX} users who reacted, and the caller`,
  }),
})
export type Reaction = Static<typeof Reaction>

/**
 * Reactions by the id of their comment or reply, in the order in which each emoji was first used.
 * @param viewing guests see no e-mail addresses, and nobody sees that of a user who left the organization
 */
export async function reactionsTo(
  db: Reader,
  viewing: { urls: Urls; me: Caller; space: Row<'space'>; organizationRole: Role | null },
  subjectIds: string[],
): Promise<Map<string, Reaction[]>> {
  if (subjectIds.length === 0) return new Map()
  const { urls, me, space, organizationRole } = viewing
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
    const user = toUser(urls, row, organizationRole !== null && row.memberId !== null)
    last.users.push({ user, reactedAt: row.reactedAt })
  }
  return found
}

/**
 * Adds and removes the reactions of one user, at most one for each emoji. An emoji that is both added and removed is
 * removed.
 * @throws 400 for a text that is not an emoji, 409 above the maximum number of different emoji
 */
export async function react(
  tx: Tx,
  subject: { id: string; spaceId: string },
  sent: { addedReactions?: string[]; removedReactions?: string[] },
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const removed = codesOf(sent.removedReactions, 'removedReactions')
  const gone = new Set(removed.map(plainCode))
  const wanted = codesOf(sent.addedReactions, 'addedReactions').filter((code) => !gone.has(plainCode(code)))
  if (removed.length > 0)
    await tx
      .deleteFrom('reaction')
      .where('subjectId', '=', subject.id)
      .where('userId', '=', userId)
      .where('emoji', 'in', await asSpelledAlready(tx, subject.id, removed))
      .execute()
  if (wanted.length === 0) return
  const added = await asSpelledAlready(tx, subject.id, wanted)

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
  if (Number(kinds) > EMOJI_MAX) throw conflict(because('too-many-emoji', { limit: EMOJI_MAX }))
}

/** Deletes all reactions to a deleted comment or reply. */
export async function forgetReactions(tx: Tx, subjectIds: string[]): Promise<void> {
  if (subjectIds.length === 0) return
  await tx.deleteFrom('reaction').where('subjectId', 'in', subjectIds).execute()
}

/**
 * A code without variation selectors and leading zeros: `2764` and `2764-fe0f` are one emoji, and so are `0023-20e3` and
 * `23-20e3`.
 */
function plainCode(code: string): string {
  const points = code.toLowerCase().split('-')
  return points
    .filter((point) => point !== 'fe0f')
    .map((point) => point.replace(/^0+(?=.)/, ''))
    .join('-')
}

/** Replaces codes by those stored for the subject: the first user who reacts with an emoji decides its code. */
async function asSpelledAlready(tx: Tx, subjectId: string, codes: string[]): Promise<string[]> {
  if (codes.length === 0) return []
  const rows = await tx
    .selectFrom('reaction')
    .select('emoji')
    .distinct()
    .where('subjectId', '=', subjectId)
    .execute()
  const spelled = new Map(rows.map(({ emoji }) => [plainCode(emoji), emoji]))
  return codes.map((code) => spelled.get(plainCode(code)) ?? code)
}

/** The distinct codes of emoji. Codes are kept as sent; characters and names are converted to codes. */
function codesOf(emoji: string[] | undefined, field: string): string[] {
  const codes = new Map<string, string>()
  for (const [index, one] of (emoji ?? []).entries()) {
    const code = emojiOf(one)
    if (code === undefined)
      throw invalidField(`body.${field}.${index}`, because('not-emoji', { value: JSON.stringify(one) }))
    const isCode = plainCode(one) === plainCode(code)
    if (!codes.has(plainCode(code))) codes.set(plainCode(code), isCode ? one.toLowerCase() : code)
  }
  return [...codes.values()]
}
