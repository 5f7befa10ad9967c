import { atLeast } from '../access/roles.ts'
import { failing, isBypassed, type MergeRule, type Verdict } from '../core/merge-rules.ts'
import type { Reader, Role, Row } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import type { Caller } from '../http/route.ts'
import { ancestorOf, toChangeRequest } from './change-request.ts'
import { rulesOf } from './merge-rules.ts'
import { holdersOf } from './permission.ts'
import { isSuperseded, selectReviews, toReviews } from './review.ts'
import { toSpace } from './space.ts'
import { usersIn } from './user.ts'

/** A change request that somebody is about to merge. */
export interface Merging {
  space: Row<'space'>
  changeRequest: Row<'changeRequest'>
  me: Caller
  /** What the caller is on the space. */
  role: Role
}

/** The most reviews that a custom expression sees: the newest. */
const MOST_REVIEWS = 1_000

/**
 * Why the merge rules of a space do not let a change request be merged: a sentence for each rule that fails, none if
 * it may be merged. A review counts while its reviewer may review.
 */
export async function failingRules(at: Addresses, db: Reader, merging: Merging): Promise<string[]> {
  const { space, changeRequest, me } = merging
  const rules = await rulesOf(db, space)
  if (rules.length === 0 || isBypassed(rules, me.userId)) return []

  const holders = await holdersOf(db, { kind: 'space', ...space })
  const reviewers = new Set(holders.filter(({ role }) => atLeast(role, 'review')).map(({ userId }) => userId))
  const verdicts = (await verdictsOn(db, changeRequest)).filter(({ reviewer }) => reviewers.has(reviewer))
  const names = await namesIn(db, rules, verdicts)

  return failing(rules, {
    actor: me.userId,
    subject: changeRequest.subject,
    description: textIn(JSON.parse(changeRequest.description ?? 'null')),
    upToDate: ancestorOf(changeRequest) === space.revisionId,
    writers: await writersOf(db, changeRequest),
    verdicts,
    mayReview: (user) => reviewers.has(user),
    nameOf: (user) => names.get(user) ?? user,
    scope: rules.some(({ rule }) => rule === 'custom') ? await scopeOf(at, db, merging) : {},
  })
}

/** The words of a description, which is JSON as somebody has sent it. */
function textIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  if ('leaves' in value && Array.isArray(value.leaves))
    return value.leaves
      .map((leaf: { text?: unknown } | null) => (typeof leaf?.text === 'string' ? leaf.text : ''))
      .join('')
  return Object.values(value).map(textIn).join(' ')
}

/** The last review of each reviewer. */
async function verdictsOn(db: Reader, changeRequest: Row<'changeRequest'>): Promise<Verdict[]> {
  const rows = await selectReviews(db, changeRequest)
    .where((eb) => eb.not(isSuperseded(eb)))
    .orderBy('review.id')
    .execute()
  return rows.map(({ reviewerId, status, outdated }) => ({
    reviewer: reviewerId,
    status,
    outdated: outdated === 1,
  }))
}

async function namesIn(
  db: Reader,
  rules: MergeRule[],
  verdicts: Verdict[],
): Promise<ReadonlyMap<string, string>> {
  const named = [
    ...rules.flatMap((rule) => ('users' in rule ? rule.users : [])),
    ...verdicts.map(({ reviewer }) => reviewer),
  ]
  if (named.length === 0) return new Map()
  const users = await db
    .selectFrom('user')
    .select(['id', 'displayName'])
    .where('id', 'in', [...new Set(named)])
    .execute()
  return new Map(users.map(({ id, displayName }) => [id, displayName]))
}

/** Whoever opened it or changed its content; pulling in primary content changes nothing of one's own. */
async function writersOf(db: Reader, { id, createdBy }: Row<'changeRequest'>): Promise<Set<string>> {
  const rows = await db
    .selectFrom('revision')
    .select('createdBy')
    .distinct()
    .where('changeRequestId', '=', id)
    .where('type', '!=', 'update')
    .execute()
  return new Set([createdBy, ...rows.map((row) => row.createdBy)])
}

/** What custom expressions read, as the API shows it to administrators: what holds must not depend on who may see it. */
async function scopeOf(at: Addresses, db: Reader, merging: Merging) {
  const { space, changeRequest, me } = merging
  const reviews = await selectReviews(db, changeRequest)
    .orderBy('review.id', 'desc')
    .limit(MOST_REVIEWS)
    .execute()
  const viewing = { ...merging, at, organizationRole: 'admin', format: 'markdown' } as const
  const users = await usersIn(at, db, viewing, [me.userId])
  return {
    changeRequest: await toChangeRequest(at, db, changeRequest, true),
    reviews: await toReviews(db, viewing, reviews),
    actor: users.get(me.userId),
    space: await toSpace(at, db, space, merging.role),
  }
}
