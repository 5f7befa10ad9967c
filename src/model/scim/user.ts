import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { ScimFault } from '../../core/scim/fault.ts'
import type { FilterTerm } from '../../core/scim/filter.ts'
import type { Reader, Row, Schema } from '../../db/schema.ts'
import { missing } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { omitNullish } from '../common.ts'
import { type ScimUser, unknownAttribute, USER_SCHEMA } from './resources.ts'
import { because } from '../../core/languages/reasons.ts'

/** A member, and what the provider says of them. */
export type ScimUserRow = Pick<Row<'member'>, 'userId' | 'disabled' | 'joinedAt'> & {
  email: string | null
  accountName: string
} & {
  [K in 'userName' | 'externalId' | 'displayName' | 'givenName' | 'familyName' | 'updatedAt']: string | null
} & {
  created: number | null
}

/** A query for the members of an organization, as users of SCIM. */
export function selectScimUsers(db: Reader, organizationId: string) {
  return db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .leftJoin('scimUser', (join) =>
      join
        .onRef('scimUser.userId', '=', 'member.userId')
        .onRef('scimUser.organizationId', '=', 'member.organizationId'),
    )
    .where('member.organizationId', '=', organizationId)
    .select(['member.userId', 'member.disabled', 'member.joinedAt', 'user.email'])
    .select('user.displayName as accountName')
    .select(['scimUser.userName', 'scimUser.externalId', 'scimUser.displayName', 'scimUser.created'])
    .select(['scimUser.givenName', 'scimUser.familyName', 'scimUser.updatedAt'])
}

/** A member by the id of the user. @throws 404 */
export async function needScimUser(db: Reader, organizationId: string, userId: string): Promise<ScimUserRow> {
  const row = await selectScimUsers(db, organizationId).where('member.userId', '=', userId).executeTakeFirst()
  if (!row) throw missing(because('scim-user-unknown'))
  return row
}

/** A list of users has at most so many groups: 100 for each of the users of the largest page of results. */
const MOST_LISTED_GROUPS = 20_000

/**
 * Users with their groups, from one query.
 * @param withGroups false if the request excludes them
 * @throws ScimFault if there are too many for one response
 */
export async function toScimUsers(
  urls: Urls,
  db: Reader,
  organizationId: string,
  rows: ScimUserRow[],
  withGroups: boolean,
): Promise<ScimUser[]> {
  const groups = withGroups ? await groupsByUser(db, organizationId, rows) : undefined
  return rows.map((row) => {
    const { meta, ...user } = toScimUser(urls, row)
    return {
      ...user,
      ...(groups && {
        groups: (groups.get(row.userId) ?? []).map(({ teamId, display }) => ({
          value: teamId,
          $ref: urls.scim(`/Groups/${teamId}`),
          display,
          type: 'direct',
        })),
      }),
      meta,
    }
  })
}

/** The teams of users in an organization, by the id of the user. */
async function groupsByUser(db: Reader, organizationId: string, users: ScimUserRow[]) {
  if (users.length === 0) return new Map<string, never[]>()
  const rows = await db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .leftJoin('scimGroup', 'scimGroup.teamId', 'teamMember.teamId')
    .select(['teamMember.userId', 'teamMember.teamId'])
    .select(({ fn }) => fn.coalesce('scimGroup.displayName', 'team.title').as('display'))
    .where('team.organizationId', '=', organizationId)
    .where(
      'teamMember.userId',
      'in',
      users.map(({ userId }) => userId),
    )
    .orderBy('teamMember.userId')
    .orderBy('teamMember.teamId')
    .limit(MOST_LISTED_GROUPS + 1)
    .execute()
  if (rows.length > MOST_LISTED_GROUPS)
    throw new ScimFault(
      'tooMany',
      `The users have more than ${MOST_LISTED_GROUPS} groups together; ask for fewer users, or send excludedAttributes=groups`,
    )
  return Map.groupBy(rows, ({ userId }) => userId)
}

function toScimUser(urls: Urls, row: ScimUserRow): ScimUser {
  const { userId, email, givenName, familyName, externalId, updatedAt, joinedAt } = row
  const displayName = row.displayName ?? row.accountName
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...omitNullish({ externalId }),
    userName: row.userName ?? email ?? userId,
    displayName,
    name: omitNullish({ formatted: displayName, givenName, familyName }),
    ...(email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
    active: row.disabled === 0,
    meta: {
      resourceType: 'User',
      created: joinedAt,
      lastModified: updatedAt ?? joinedAt,
      location: urls.scim(`/Users/${userId}`),
    },
  }
}

/** The name by which user names are compared, ignoring case. */
export const userNameKeyOf = (userName: string) => userName.toLowerCase()

const COMPARED = 'id, userName, externalId, emails.value, active and groups.value'

type Builder = ExpressionBuilder<Schema, 'member' | 'user'>

/** SQL condition: a member matches one comparison of a filter. @throws ScimFault for an attribute that has none */
export function userMatches(
  { path, value }: FilterTerm,
  organizationId: string,
): (eb: Builder) => Expression<SqlBool> {
  const text = typeof value === 'string' ? value : ''
  const key = userNameKeyOf(text)
  switch (path) {
    case 'id':
      return (eb) => eb('member.userId', '=', text)
    case 'username':
      // Two lookups in an index. A join would read every member.
      return (eb) =>
        eb.or([
          eb('member.userId', 'in', named(eb, organizationId).where('userNameKey', '=', key)),
          eb.and([
            eb(
              'member.userId',
              'in',
              eb.selectFrom('user as addressed').select('id').where('email', '=', key),
            ),
            eb('member.userId', 'not in', named(eb, organizationId)),
          ]),
        ])
    case 'externalid':
      return (eb) => eb('member.userId', 'in', named(eb, organizationId).where('externalId', '=', text))
    case 'emails':
    case 'emails.value':
      return (eb) => eb('user.email', '=', key)
    // The one address of a user is for work, and the primary one.
    case 'emails.type':
      return () => (key === 'work' ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`)
    case 'emails.primary':
      return () => (value === true ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`)
    case 'active':
      return (eb) => eb('member.disabled', '=', value === true || key === 'true' ? 0 : 1)
    case 'groups':
    case 'groups.value':
      return (eb) =>
        eb('member.userId', 'in', eb.selectFrom('teamMember').select('userId').where('teamId', '=', text))
    case 'groups.type':
      return () => (key === 'direct' ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`)
    default:
      throw unknownAttribute(path, COMPARED)
  }
}

const named = (eb: Builder, organizationId: string) =>
  eb.selectFrom('scimUser').select('userId').where('organizationId', '=', organizationId)
