/** Whether a change request can be merged, found without merging it. */
import { type Static, Type } from 'typebox'
import { atLeast } from '../../access/roles/roles.ts'
import { bodiesTask, finishMerge } from '../../core/content/merge/merge.ts'
import type { Conflict } from '../../core/content/merge/model.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { listRows } from '../../http/pagination.ts'
import type { Urls } from '../../http/urls.ts'
import { membersWithRole } from '../access/permission.ts'
import { oneOf, ReasonOfMessage } from '../common.ts'
import { isNothing } from '../content/commit.ts'
import { toUser, User } from '../people/user.ts'
import { ancestorOf, isClosed } from './change-request.ts'
import { failingRules, type Merging, ruleFault } from './failing-rules.ts'
import { ConflictSubject, openConflicts, parseConflict, subjectOf } from './merge-conflict.ts'
import { linesOf, mergeBodiesOf, sourcedPlanOf } from './merged-bodies.ts'
import { changesFrom, diffsOf, type Proposal } from './snapshots.ts'
import type { Reasoned } from '../../core/languages/reasoned.ts'

const BLOCKERS = ['closed', 'role', 'rules', 'conflicts', 'unchanged', 'limit'] as const
type Blocker = (typeof BLOCKERS)[number]

/** More conflicts than this are only counted. */
const CONFLICTS_MAX = 100

/** So many of the members who can merge are named. */
const MERGERS_MAX = 10

/** Whether the caller can merge a change request now. */
export const MergeCheck = Type.Object(
  {
    object: oneOf(['merge-check']),
    mergeable: Type.Boolean({ description: 'Whether a merge by the caller would succeed now' }),
    blockers: Type.Array(
      oneOf(BLOCKERS, {
        description:
          '`closed`: the change request is archived or merged, so nothing else was checked. `role`: the caller needs the role `review` on the space. `rules`: see `failingRules`. `conflicts`: see `conflicts`. `unchanged`: there is nothing to merge. `limit`: see `message`.',
      }),
      { description: 'The reasons why the caller cannot merge. The list is empty if the caller can.' },
    ),
    permitted: Type.Boolean({ description: 'Whether the role of the caller on the space allows merging' }),
    mergers: Type.Optional(
      Type.Array(User, {
        description: `If the caller cannot merge: the members whose role on the space allows it, at most ${MERGERS_MAX}. Guests do not see them.`,
      }),
    ),
    outdated: Type.Boolean({
      description: 'Whether the primary content has changed since the change request was updated from it',
    }),
    failingRules: Type.Array(Type.String(), {
      description: 'A sentence for each merge rule of the space that is not met',
    }),
    conflicts: Type.Object({
      count: Type.Integer(),
      items: Type.Array(
        Type.Object({
          id: Type.Optional(
            Type.String({ description: 'The id of a conflict that is open already, and can be resolved' }),
          ),
          ...ConflictSubject.properties,
        }),
        { maxItems: CONFLICTS_MAX, description: `At most ${CONFLICTS_MAX} of them` },
      ),
    }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'The place of the rule, such as `mergeRules.rules.0`' }),
          message: Type.String({ description: 'The sentence of the rule in `failingRules`' }),
          ...ReasonOfMessage,
        }),
        { description: 'The merge rules that are not met, each with its `reason`. Missing if all are met.' },
      ),
    ),
    message: Type.Optional(
      Type.String({ description: 'Which limit of a space the merged content would exceed' }),
    ),
    ...ReasonOfMessage,
  },
  { title: 'MergeCheck' },
)
export type MergeCheck = Static<typeof MergeCheck>

/**
 * Checks everything that a merge by the caller would check.
 * @throws 409 if the contents take too long to merge, 503
 */
export async function checkMerge(
  urls: Urls,
  db: Reader,
  merging: Merging,
  { organizationRole, ...work }: { now: Date; signal: AbortSignal; organizationRole: Role | null },
): Promise<MergeCheck> {
  const { space, changeRequest, role } = merging
  const permitted = atLeast(role, 'review')
  const common = {
    object: 'merge-check' as const,
    permitted,
    ...(permitted || organizationRole === null ? {} : { mergers: await mergersOf(urls, db, space) }),
    outdated: changeRequest.status !== 'merged' && ancestorOf(changeRequest) !== space.revisionId,
  }
  if (isClosed(changeRequest)) {
    const conflicts = { count: 0, items: [] }
    return { ...common, mergeable: false, blockers: ['closed'], failingRules: [], conflicts }
  }

  const failing = await failingRules(urls, db, merging)
  const open = await openConflictsIn(db, merging)
  const found = open.count > 0 ? undefined : await outcomeOf(db, merging, work)
  const conflicts = found?.conflicts ?? open
  const isBlocked: Record<Exclude<Blocker, 'closed'>, boolean> = {
    role: !permitted,
    rules: failing.length > 0,
    conflicts: conflicts.count > 0,
    unchanged: found?.isNothing ?? false,
    limit: found?.refused !== undefined,
  }
  const blockers = BLOCKERS.filter((one) => one !== 'closed' && isBlocked[one])
  return {
    ...common,
    mergeable: blockers.length === 0,
    blockers,
    failingRules: failing.map(({ message }) => message),
    ...(failing.length > 0 && { details: failing.map(ruleFault) }),
    conflicts,
    ...found?.refused,
  }
}

/** Some of the members who can merge in a space. */
async function mergersOf(urls: Urls, db: Reader, space: Row<'space'>): Promise<User[]> {
  const holders = await membersWithRole(db, { ...space, kind: 'space' })
  const mergers = holders.filter(({ role }) => atLeast(role, 'review')).slice(0, MERGERS_MAX)
  if (mergers.length === 0) return []
  const ids = mergers.map(({ userId }) => userId)
  const rows = await db.selectFrom('user').selectAll().where('id', 'in', ids).orderBy('id').execute()
  return rows.map((row) => toUser(urls, row))
}

/** The conflicts that have to be resolved before a merge is tried. */
async function openConflictsIn(
  db: Reader,
  { space, changeRequest }: Proposal,
): Promise<MergeCheck['conflicts']> {
  const { count, items } = await listRows(
    openConflicts(db, changeRequest.id).selectAll(),
    { limit: CONFLICTS_MAX, after: undefined },
    { by: ['id'], large: ['data'] },
  )
  return { count, items: items.map((row) => ({ id: row.id, ...subjectOf(parseConflict(row), space.id) })) }
}

/** The outcome that a merge of three revisions would have. */
interface MergeOutcome {
  conflicts: MergeCheck['conflicts']
  isNothing: boolean
  refused: Reasoned | undefined
}

/** By the revisions, which never change. Clients repeat the check while the change request is shown. */
const outcomes = lru<MergeOutcome>(2 * 1024 * 1024, 'merges')

async function outcomeOf(
  db: Reader,
  proposal: Proposal,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<MergeOutcome> {
  const { space, changeRequest } = proposal
  const key = [ancestorOf(changeRequest), space.revisionId, changeRequest.revisionId].join(' ')
  const known = outcomes.get(key)
  if (known) return known

  const lines = await linesOf(db, proposal)
  const { base, primary, own } = lines
  const none = { conflicts: { count: 0, items: [] }, refused: undefined }
  if (base.id === primary.id) {
    const changes = changesFrom(base, own, await diffsOf(db, base, own))
    return remember(key, { ...none, isNothing: isNothing(changes) })
  }
  const sourced = await sourcedPlanOf(db, lines, now)
  const bodies = await mergeBodiesOf(bodiesTask(sourced), { db, spaceId: space.id, signal })
  const { conflicts, refused, changesTo } = finishMerge(sourced, bodies)
  if (refused !== undefined) return remember(key, { ...none, isNothing: false, refused })
  return remember(key, {
    conflicts: { count: conflicts.length, items: shownOf(conflicts, space.id) },
    isNothing: conflicts.length === 0 && isNothing(changesTo('primary')),
    refused,
  })
}

function shownOf(conflicts: readonly Conflict[], spaceId: string) {
  return conflicts.slice(0, CONFLICTS_MAX).map((one) => subjectOf(one, spaceId))
}

function remember(key: string, outcome: MergeOutcome): MergeOutcome {
  outcomes.set(key, outcome, heapSize(outcome))
  return outcome
}
