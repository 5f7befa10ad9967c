import { type SelectQueryBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { onOrg } from '../../access/on.ts'
import { onOrgOrSelf } from '../../access/on-people.ts'
import { atLeast, ROLES } from '../../access/roles.ts'
import { loadReach } from '../../access/reach.ts'
import type { Role, Schema } from '../../db/schema.ts'
import { listOf, listPage, ListQuery, textAfter, textsAfter } from '../../http/page.ts'
import { GONE, route } from '../../http/route.ts'
import { Id, nullable, oneOf, InOrganization, RoleSchema } from '../../model/common.ts'
import { grantsOf, teamsWith } from '../../model/holdings.ts'
import {
  keepAdministrator,
  Member,
  needMember,
  removeMember,
  selectMembers,
  toMember,
  toMembers,
} from '../../model/member.ts'
import { setLimit } from '../../model/role-limit.ts'
import { Space, toSpaces } from '../../model/space.ts'
import { containing, Team, TeamRole, toTeams } from '../../model/team.ts'

const OfMember = Type.Object({ organizationId: Id, userId: Id })
const Order = oneOf(['asc', 'desc'], { default: 'desc' })

export const listMembersInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members',
  summary: 'The members of an organization, who joined last first',
  description:
    'Sorted by `lastSeenAt`, only those who were seen are in the list. Guests cannot list members.',
  access: onOrg('read'),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    order: Type.Optional(Order),
    sort: Type.Optional(oneOf(['joinedAt', 'lastSeenAt'], { default: 'joinedAt' })),
    role: Type.Optional(oneOf([...ROLES, 'guest'])),
    search: Type.Optional(
      Type.String({ maxLength: 512, description: 'Part of the name or the address, in any case' }),
    ),
  }),
  returns: listOf(Member),
  async handler({ db, at, organization, query, page }) {
    const { order = 'desc', sort = 'joinedAt', role, search } = query
    const column = `member.${sort}` as const
    const narrow = <O>(members: SelectQueryBuilder<Schema, 'member' | 'user', O>) =>
      members
        .$if(sort === 'lastSeenAt', (some) => some.where('member.lastSeenAt', 'is not', null))
        .$if(role === 'guest', (some) => some.where('member.role', 'is', null))
        .$if(role !== undefined && role !== 'guest', (some) => some.where('member.role', '=', role as Role))
        .$if(!!search, (some) =>
          some.where((eb) =>
            eb.or([containing(eb.ref('user.displayName'), search), containing(eb.ref('user.email'), search)]),
          ),
        )

    const [value = '', userId = ''] = textsAfter(page) ?? []
    const rows = await narrow(selectMembers(db, organization.id))
      .$if(page.after !== undefined, (some) =>
        some.where((eb) =>
          eb(
            eb.refTuple(column, 'member.userId'),
            order === 'desc' ? '<' : '>',
            sql`(${value}, ${userId})` as never,
          ),
        ),
      )
      .orderBy(column, order)
      .orderBy('member.userId', order)
      .limit(page.limit + 1)
      .execute()
    const everyone = db.selectFrom('member').where('member.organizationId', '=', organization.id)
    // The user is only joined where it decides: counting a large organization reads one index.
    const counted = search
      ? narrow(everyone.innerJoin('user', 'user.id', 'member.userId'))
      : narrow(everyone as never)
    const { count } = await counted.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()

    const shown = rows.slice(0, page.limit)
    const members = await toMembers(at, db, organization.id, shown)
    const list = listPage(rows, Number(count), page, (row) => [row[sort] ?? '', row.userId])
    return { ...list, items: members }
  },
})

export const getMemberInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members/:userId',
  summary: 'A member of an organization',
  access: onOrgOrSelf('read'),
  params: OfMember,
  returns: Member,
  async handler({ db, at, organization, params }) {
    return toMember(at, db, await needMember(db, organization.id, params.userId))
  },
})

export const updateMemberInOrganizationById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/members/:userId',
  summary: 'Change the role of a member, or disable them',
  description:
    'A role of null makes a guest. A disabled member has no access to the organization until enabled again. The role is the most that a link to the organization gives them from then on. Both are refused with 409 for the last administrator.',
  access: onOrg('admin'),
  params: OfMember,
  body: Type.Object({
    role: Type.Optional(nullable(RoleSchema)),
    disabled: Type.Optional(Type.Boolean()),
  }),
  returns: Member,
  async handler({ tx, at, organization, params, body, now, audit }) {
    const member = await needMember(tx, organization.id, params.userId)
    audit({ before: member })
    const changed = {
      role: body.role === undefined ? member.role : body.role,
      disabled: body.disabled === undefined ? member.disabled : body.disabled ? (1 as const) : (0 as const),
    }

    await tx
      .updateTable('member')
      .set(changed)
      .where('organizationId', '=', organization.id)
      .where('userId', '=', member.userId)
      .execute()
    // A link to the organization gives them no more than that from now on.
    if (body.role !== undefined) await setLimit(tx, { ...member, role: body.role, disabled: 0 }, now)
    await keepAdministrator(tx, organization.id)
    return toMember(at, tx, { ...member, ...changed })
  },
})

export const removeMemberFromOrganizationById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/members/:userId',
  summary: 'Remove a member from an organization, or leave it',
  description:
    'Ends their access at once; what they wrote stays. Refused with 409 for the last administrator. Answers 204 too when they are no member any more.',
  access: onOrgOrSelf('admin'),
  params: OfMember,
  async handler({ tx, organization, params, now, audit }) {
    const { id: organizationId } = organization
    const { userId } = params
    const member = await selectMembers(tx, organizationId)
      .where('member.userId', '=', userId)
      .executeTakeFirst()
    if (member) {
      const { role, disabled, displayName: label } = member
      const teams = await teamsWith(tx, organizationId, userId)
      const grants = await grantsOf(tx, organizationId, { kind: 'user', id: userId })
      const before = { role, disabled: disabled === 1, teams, ...grants }
      audit({ target: { type: 'member', id: userId, label }, before })
    }
    if (!(await removeMember(tx, organization.id, params.userId, now))) return GONE
    await keepAdministrator(tx, organization.id)
    return undefined
  },
})

export const setUserAsSSOMemberForOrganization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/members/:userId/sso',
  summary: 'Mark a member as one who signs in through the organization’s provider',
  access: onOrg('admin'),
  params: OfMember,
  returns: Member,
  async handler({ tx, at, organization, params }) {
    const member = await needMember(tx, organization.id, params.userId)
    await tx
      .updateTable('member')
      .set({ sso: 1 })
      .where('organizationId', '=', organization.id)
      .where('userId', '=', member.userId)
      .execute()
    return toMember(at, tx, { ...member, sso: 1 })
  },
})

export const listSpacesForOrganizationMember = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members/:userId/spaces',
  summary: 'The spaces that a member can read, newest first, with the role they have on each',
  description: 'For administrators, and for members themselves.',
  access: onOrgOrSelf('admin'),
  params: OfMember,
  query: Type.Object({ ...ListQuery.properties, order: Type.Optional(Order) }),
  returns: listOf(Type.Object({ permission: RoleSchema, space: Space })),
  async handler({ db, me, at, organization, organizationRole, params, query, page }) {
    const { order = 'desc' } = query
    const member = await needMember(db, organization.id, params.userId)
    const reach = await loadReach(db, member)

    const readable = db
      .selectFrom('space')
      .where('organizationId', '=', organization.id)
      .where('deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
      .$if(member.disabled === 1, (none) => none.where('id', '=', ''))
    const rows = await readable
      .selectAll()
      .$if(page.after !== undefined, (some) =>
        some.where('id', order === 'desc' ? '<' : '>', textAfter(page) ?? ''),
      )
      .orderBy('id', order)
      .limit(page.limit + 1)
      .execute()
    const count = member.disabled === 1 ? 0 : await reach.countSpaces(db, 'read')

    const roleOn = await reach.onSpaces(db, rows)
    const mine = params.userId === me.userId
    const spaces = await toSpaces(at, db, rows, mine ? roleOn : () => organizationRole)
    const items = spaces.flatMap((space) => {
      const permission = roleOn(space)
      return permission ? [{ permission, space }] : []
    })
    return listPage(items, count, page, ({ space }) => [space.id])
  },
})

export const listTeamsForOrganizationMember = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members/:userId/teams',
  summary: 'The teams that a member is in, oldest first',
  access: onOrgOrSelf('read'),
  params: OfMember,
  query: Type.Object({
    ...ListQuery.properties,
    title: Type.Optional(Type.String({ maxLength: 64, description: 'Part of the title, in any case' })),
  }),
  returns: listOf(Type.Object({ team: Team, member: Type.Object({ role: TeamRole }) })),
  async handler({ db, me, organization, organizationRole, params, query, page }) {
    await needMember(db, organization.id, params.userId)
    const theirs = db
      .selectFrom('teamMember')
      .innerJoin('team', 'team.id', 'teamMember.teamId')
      .where('teamMember.userId', '=', params.userId)
      .where('team.organizationId', '=', organization.id)
      .$if(!!query.title, (some) => some.where((eb) => containing(eb.ref('team.title'), query.title)))
      // Guests see no teams but those they own.
      .$if(!atLeast(organizationRole, 'read'), (some) => some.where('teamMember.role', '=', 'owner'))
    const rows = await theirs
      .selectAll('team')
      .select('teamMember.role')
      .$if(page.after !== undefined, (some) => some.where('team.id', '>', textAfter(page) ?? ''))
      .orderBy('team.id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await theirs.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()

    const teams = await toTeams(db, organization.id, rows, { userId: me.userId, role: organizationRole })
    const items = rows.flatMap(({ role }, i) => {
      const team = teams[i]
      return team ? [{ team, member: { role } }] : []
    })
    return listPage(items, Number(count), page, ({ team }) => [team.id])
  },
})
