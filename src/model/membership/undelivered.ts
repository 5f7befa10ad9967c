import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reasoned } from '../../core/languages/reasoned.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import { countRows, type ListOf, listRows, type PageRequest } from '../../http/pagination.ts'
import { nullable, oneOf, omitNullish, RoleSchema, Timestamp } from '../common.ts'

/** An invitation whose e-mail the mail server has not accepted. An e-mail that it accepted is in no list. */
export const UndeliveredInvitation = Type.Object(
  {
    object: oneOf(['undelivered-invitation']),
    id: Type.String({ description: 'The id of the e-mail' }),
    email: Type.String(),
    role: nullable(RoleSchema, { description: 'The role that the user has or gets; `null` for a guest' }),
    state: {
      ...oneOf(['waiting', 'retrying', 'failed']),
      description:
        '`waiting`: not tried yet. `retrying`: tried without success, and tried again at `nextTryAt`. `failed`: not tried again',
    },
    cause: Type.Optional({
      ...oneOf(['recipient-refused', 'message-refused', 'mail-server-failing']),
      description:
        'Why the last attempt failed: the mail server refused the address, refused the e-mail, or failed itself',
    }),
    response: Type.Optional(
      Type.String({ description: 'What the mail server replied when it refused the address or the e-mail' }),
    ),
    createdAt: Timestamp,
    firstTriedAt: Type.Optional({ ...Timestamp, description: 'When the first attempt failed' }),
    lastTriedAt: Type.Optional({ ...Timestamp, description: 'When the last attempt failed' }),
    nextTryAt: Type.Optional({ ...Timestamp, description: 'Absent if the e-mail is not tried again' }),
  },
  { title: 'UndeliveredInvitation' },
)
export type UndeliveredInvitation = Static<typeof UndeliveredInvitation>

const KIND = 'send-email'
/** The reasons of `mail/faults.ts` that are about one e-mail. All others are faults of the mail server or its settings. */
const REFUSALS = {
  'mail-recipient-refused': 'recipient-refused',
  'mail-message-refused': 'message-refused',
} as const

/** The `dedupe` of the job that sends a link to a user who must accept first. */
export const joinKey = (inviteId: string): string => `join:${inviteId}`

/** The `dedupe` of the job that sends a link to a new member. */
export const memberKey = (organizationId: string, userId: string): string =>
  `invitation:${organizationId}:${userId}`

/**
 * The open invitations of an organization whose e-mail waits or failed, newest first. They are found by the keys of the
 * jobs, so that the list needs one query, however many members the organization has.
 */
export async function listUndelivered(
  db: Reader,
  organizationId: string,
  page: PageRequest,
): Promise<ListOf<UndeliveredInvitation>> {
  const query = selectUndelivered(db, organizationId)
  const list = await listRows(query, page, {
    by: ['job.createdAt', 'job.id'],
    order: 'desc',
    count: () => countRows(query),
  })
  return { ...list, items: list.items.map(toUndelivered) }
}

/** A user who has accepted, was removed or has a password needs the e-mail no longer. */
function selectUndelivered(db: Reader, organizationId: string) {
  return db
    .selectFrom('job')
    .leftJoin('invite', (on) =>
      on
        .onRef('invite.organizationId', '=', 'job.organizationId')
        .on('invite.usedAt', 'is', null)
        .on('invite.id', '=', idAfter(joinKey(''))),
    )
    .leftJoin('member', (on) =>
      on
        .onRef('member.organizationId', '=', 'job.organizationId')
        .on('member.userId', '=', idAfter(memberKey(organizationId, ''))),
    )
    .leftJoin('user', 'user.id', 'member.userId')
    .leftJoin('account', 'account.userId', 'member.userId')
    .where('job.kind', '=', KIND)
    .where('job.state', 'in', ['waiting', 'failed'])
    .where('job.organizationId', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb('invite.id', 'is not', null),
        eb.and([
          eb('member.userId', 'is not', null),
          eb('member.lastSeenAt', 'is', null),
          eb('account.passwordHash', 'is', null),
        ]),
      ]),
    )
    .select([
      'job.id',
      'job.state',
      'job.attempts',
      'job.runAt',
      'job.fault',
      'job.firstTriedAt',
      'job.lastTriedAt',
      'job.createdAt',
      'invite.email as inviteEmail',
      'invite.role as inviteRole',
      'user.email as memberEmail',
      'member.role as memberRole',
    ])
}

const idAfter = (start: string) => sql<string>`substr("job"."dedupe", ${sql.lit(start.length + 1)})`

type Undelivered = Pick<
  Row<'job'>,
  'id' | 'state' | 'attempts' | 'runAt' | 'fault' | 'firstTriedAt' | 'lastTriedAt' | 'createdAt'
> & {
  inviteEmail: string | null
  inviteRole: Role | null
  memberEmail: string | null
  memberRole: Role | null
}

function toUndelivered(row: Undelivered): UndeliveredInvitation {
  const { id, attempts, runAt, fault, firstTriedAt, lastTriedAt, createdAt } = row
  const isFailed = row.state === 'failed'
  const wasTried = isFailed || attempts > 0
  return {
    object: 'undelivered-invitation',
    id,
    email: row.inviteEmail ?? row.memberEmail ?? '',
    role: row.inviteEmail === null ? row.memberRole : row.inviteRole,
    state: isFailed ? 'failed' : wasTried ? 'retrying' : 'waiting',
    ...(wasTried && causeOf(fault)),
    createdAt,
    ...omitNullish({ firstTriedAt, lastTriedAt }),
    ...(isFailed ? {} : { nextTryAt: runAt }),
  }
}

/** Administrators of an organization do not see the settings of the mail server, which other errors name. */
function causeOf(fault: string | null): Pick<UndeliveredInvitation, 'cause' | 'response'> {
  const { reason = '', parameters } = JSON.parse(fault ?? '{}') as Partial<Reasoned>
  if (!(reason in REFUSALS)) return { cause: 'mail-server-failing' }
  return {
    cause: REFUSALS[reason as keyof typeof REFUSALS],
    ...omitNullish({ response: parameters?.['response']?.toString() }),
  }
}

/**
 * Prepares that invitations are sent again: deletes their failed jobs, which would otherwise be listed beside the new
 * ones, and makes those due that wait for their next try.
 * @param keys the `dedupe` of the jobs, at most 100
 */
export async function sendAgain(
  tx: Tx,
  organizationId: string,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return
  const at = now.toISOString()
  await tx
    .deleteFrom('job')
    .where('kind', '=', KIND)
    .where('state', '=', 'failed')
    .where('organizationId', '=', organizationId)
    .where('dedupe', 'in', keys)
    .execute()
  await tx
    .updateTable('job')
    .set({ attempts: 0, firstTriedAt: null, lostLeases: 0, leasedUntil: null, runAt: at })
    .where('dedupe', 'in', keys)
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0)
    .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<', at)]))
    .execute()
}
