import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { ScimFault } from '../../core/scim/fault.ts'
import type { FilterTerm } from '../../core/scim/filter.ts'
import { type GroupChanges, MOST_GROUP_MEMBERS } from '../../core/scim/group.ts'
import { shorten } from '../../core/text/shorten.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row, Schema, Tx } from '../../db/schema.ts'
import { missing } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { omitNullish } from '../common.ts'
import { GROUP_SCHEMA, type ScimGroup, unknownAttribute } from './resources.ts'
import { because } from '../../core/languages/reasons.ts'

const LONGEST_TITLE = 64

/** A team, and what the provider says of it. */
export type ScimGroupRow = Row<'team'> & {
  [K in 'displayName' | 'externalId' | 'changedAt']: string | null
}

/** A query for the teams of an organization, as groups of SCIM. */
export function selectScimGroups(db: Reader, organizationId: string) {
  return db
    .selectFrom('team')
    .leftJoin('scimGroup', 'scimGroup.teamId', 'team.id')
    .where('team.organizationId', '=', organizationId)
    .selectAll('team')
    .select(['scimGroup.displayName', 'scimGroup.externalId', 'scimGroup.updatedAt as changedAt'])
}

/** A team by its id. @throws 404 */
export async function needScimGroup(db: Reader, organizationId: string, id: string): Promise<ScimGroupRow> {
  const row = await selectScimGroups(db, organizationId).where('team.id', '=', id).executeTakeFirst()
  if (!row) throw missing(because('scim-group-unknown'))
  return row
}

/**
 * Groups with their members, from one query.
 * @param withMembers false if the request excludes them
 * @throws ScimFault if there are too many for one response
 */
export async function toScimGroups(
  urls: Urls,
  db: Reader,
  rows: ScimGroupRow[],
  withMembers: boolean,
): Promise<ScimGroup[]> {
  const members = withMembers ? await membersOf(db, rows) : undefined
  return rows.map((row) => {
    const { id, title, externalId, createdAt, updatedAt, changedAt } = row
    return {
      schemas: [GROUP_SCHEMA],
      id,
      ...omitNullish({ externalId }),
      displayName: row.displayName ?? title,
      ...(members && {
        members: (members.get(id) ?? []).map(({ userId, displayName }) => ({
          value: userId,
          display: displayName,
          type: 'User',
          $ref: urls.scim(`/Users/${userId}`),
        })),
      }),
      meta: {
        resourceType: 'Group',
        created: createdAt,
        lastModified: changedAt !== null && changedAt > updatedAt ? changedAt : updatedAt,
        location: urls.scim(`/Groups/${id}`),
      },
    }
  })
}

async function membersOf(db: Reader, teams: { id: string }[]) {
  if (teams.length === 0) return new Map<string, never[]>()
  const rows = await db
    .selectFrom('teamMember')
    .innerJoin('user', 'user.id', 'teamMember.userId')
    .select(['teamMember.teamId', 'teamMember.userId', 'user.displayName'])
    .where(
      'teamMember.teamId',
      'in',
      teams.map(({ id }) => id),
    )
    .orderBy('teamMember.teamId')
    .orderBy('teamMember.userId')
    .limit(MOST_GROUP_MEMBERS + 1)
    .execute()
  if (rows.length > MOST_GROUP_MEMBERS)
    throw new ScimFault(
      'tooMany',
      `The groups have more than ${MOST_GROUP_MEMBERS} members together; ask for fewer groups, or send excludedAttributes=members`,
    )
  return Map.groupBy(rows, ({ teamId }) => teamId)
}

const COMPARED = 'id, displayName, externalId and members'

type Builder = ExpressionBuilder<Schema, 'team'>

/** SQL condition: a team matches one comparison of a filter. @throws ScimFault for an attribute that has none */
export function groupMatches({ path, value }: FilterTerm): (eb: Builder) => Expression<SqlBool> {
  const text = typeof value === 'string' ? value : ''
  switch (path) {
    case 'id':
      return (eb) => eb('team.id', '=', text)
    case 'displayname':
      return () =>
        sql<SqlBool>`lower(coalesce("scimGroup"."displayName", "team"."title")) = ${text.toLowerCase()}`
    case 'externalid':
      return () => sql<SqlBool>`"scimGroup"."externalId" = ${text}`
    case 'members':
    case 'members.value':
      return (eb) =>
        eb('team.id', 'in', eb.selectFrom('teamMember').select('teamId').where('userId', '=', text))
    default:
      throw unknownAttribute(path, COMPARED)
  }
}

/** Stores the name and the external id that a provider gives a team. The title of a team is shorter. */
export async function nameGroup(
  tx: Tx,
  before: Pick<ScimGroupRow, 'id' | 'organizationId' | 'title' | 'displayName' | 'externalId'>,
  changes: GroupChanges,
  now: Date,
): Promise<void> {
  const displayName = changes.displayName ?? before.displayName ?? before.title
  const externalId = changes.externalId === undefined ? before.externalId : changes.externalId
  const updatedAt = now.toISOString()
  const { organizationId, id: teamId } = before
  await tx
    .insertInto('scimGroup')
    .values({ teamId, organizationId, displayName, externalId, updatedAt })
    .onConflict((conflict) => conflict.column('teamId').doUpdateSet({ displayName, externalId, updatedAt }))
    .execute()
  if (changes.displayName === undefined) return
  await tx
    .updateTable('team')
    .set({ title: titleFor(displayName), updatedAt })
    .where('id', '=', teamId)
    .execute()
}

/** The title of a team for the name of a group. */
export const titleFor = (displayName: string) => shorten(displayName, LONGEST_TITLE)

/** Adds and removes members of a team. Those who stay keep their role in it. @throws ScimFault for unknown users */
export async function changeGroupMembers(
  tx: Tx,
  { id: teamId, organizationId }: Pick<Row<'team'>, 'id' | 'organizationId'>,
  { replaced, members }: GroupChanges,
  now: Date,
): Promise<void> {
  const added = [...members].flatMap(([id, isMember]) => (isMember ? [id] : []))
  await needAll(tx, organizationId, added)
  const kept = new Set(added)
  const present = replaced
    ? await tx.selectFrom('teamMember').select('userId').where('teamId', '=', teamId).execute()
    : []
  const removed = [
    ...present.flatMap(({ userId }) => (kept.has(userId) ? [] : [userId])),
    ...[...members].flatMap(([id, isMember]) => (isMember ? [] : [id])),
  ]
  for (const some of chunks(removed))
    await tx.deleteFrom('teamMember').where('teamId', '=', teamId).where('userId', 'in', some).execute()
  const createdAt = now.toISOString()
  for (const some of chunks(added))
    await tx
      .insertInto('teamMember')
      .values(some.map((userId) => ({ teamId, userId, role: 'member' as const, createdAt })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

async function needAll(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  const known = new Set<string>()
  for (const some of chunks(ids)) {
    const rows = await tx
      .selectFrom('member')
      .select('userId')
      .where('organizationId', '=', organizationId)
      .where('userId', 'in', some)
      .execute()
    for (const { userId } of rows) known.add(userId)
  }
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw new ScimFault(
      'invalidValue',
      `"members" must have ids of users, but has ${JSON.stringify(unknown)}`,
    )
}
