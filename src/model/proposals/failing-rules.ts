import { atLeast } from '../../access/roles/roles.ts'
import {
  failing,
  type FailingRule,
  isBypassed,
  type MergeRule,
  type Verdict,
} from '../../core/proposals/merge-rules.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { type Fault, faultAt } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import type { Caller } from '../../http/route.ts'
import { ancestorOf, toChangeRequest } from './change-request.ts'
import { rulesOf } from '../places/merge-rules.ts'
import { membersWithRole } from '../access/permission.ts'
import { isSuperseded, selectReviews, toReviews } from './review.ts'
import { toSpace } from '../places/space.ts'
import { usersIn } from '../people/user.ts'

/** A change request that a caller wants to merge. */
export interface Merging {
  space: Row<'space'>
  changeRequest: Row<'changeRequest'>
  me: Caller
  /** The role of the caller on the space. */
  role: Role
}

/** Custom expressions see at most this many reviews, the newest first. */
const MOST_REVIEWS = 1_000

/**
 * The merge rules of the space that the change request does not satisfy, each with a sentence. A review counts only while its
 * author can review the space.
 */
export async function failingRules(urls: Urls, db: Reader, merging: Merging): Promise<FailingRule[]> {
  const { space, changeRequest, me } = merging
  const rules = await rulesOf(db, space)
  if (rules.length === 0 || isBypassed(rules, me.userId)) return []

  const holders = await membersWithRole(db, { kind: 'space', ...space })
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
    scope: rules.some(({ rule }) => rule === 'custom') ? await scopeOf(urls, db, merging) : {},
  })
}

/** The fault of a rule that is not met, as one of a request. */
export const ruleFault = ({ index, ...why }: FailingRule): Fault => faultAt(`mergeRules.rules.${index}`, why)

/** The text of a description document. */
function textIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  if ('leaves' in value && Array.isArray(value.leaves))
    return value.leaves
      .map((leaf: { text?: unknown } | null) => (typeof leaf?.text === 'string' ? leaf.text : ''))
      .join('')
  return Object.values(value).map(textIn).join(' ')
}

/** The latest review of each reviewer. */
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

/** The creator and the users who edited the content. Updating from the primary content is not an edit. */
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

/** The input of custom expressions, as the API returns it to administrators: the result must not depend on the caller. */
async function scopeOf(urls: Urls, db: Reader, merging: Merging) {
  const { space, changeRequest, me } = merging
  const reviews = await selectReviews(db, changeRequest)
    .orderBy('review.id', 'desc')
    .limit(MOST_REVIEWS)
    .execute()
  const viewing = { ...merging, urls, organizationRole: 'admin', format: 'markdown' } as const
  const users = await usersIn(urls, db, viewing, [me.userId])
  return {
    changeRequest: await toChangeRequest(urls, db, changeRequest, true),
    reviews: await toReviews(db, viewing, reviews),
    actor: users.get(me.userId),
    space: await toSpace(urls, db, space, merging.role),
  }
}
