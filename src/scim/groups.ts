import { Type } from 'typebox'
import { onProvisioning } from '../access/checks/on-provisioning.ts'
import { ScimFault } from '../core/scim/fault.ts'
import { type GroupChanges, groupChangesOf } from '../core/scim/group.ts'
import { assignmentsOf, readPatch } from '../core/scim/patch.ts'
import type { Row, Tx } from '../db/schema.ts'
import { countRows } from '../http/pagination.ts'
import { type AuditNote, route } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import { grantsOf, rolesInTeam } from '../model/access/holdings.ts'
import { Id } from '../model/common.ts'
import { removeTeam } from '../model/people/team.ts'
import {
  changeGroupMembers,
  groupMatches,
  nameGroup,
  needScimGroup,
  selectScimGroups,
  titleFor,
  toScimGroups,
} from '../model/scim/group.ts'
import {
  onlyShown,
  ScimAttributes,
  ScimBody,
  ScimGroup,
  scimListOf,
  ScimListQuery,
  scimPageOf,
  ScimPatch,
  showsOf,
  toScimList,
} from '../model/scim/resources.ts'

const OfGroup = Type.Object({ groupId: Id })
/** A body with as many members as a request may name. */
const GROUP_BODY_LIMIT = 2 * 1024 * 1024

export const listScimGroups = route({
  method: 'GET',
  path: '/scim/v2/Groups',
  summary: 'List groups',
  access: onProvisioning(),
  query: ScimListQuery,
  returns: scimListOf(ScimGroup),
  async handler({ db, urls, organization, query }) {
    const { terms, offset, limit } = scimPageOf(query)
    let matching = selectScimGroups(db, organization.id)
    for (const term of terms) matching = matching.where(groupMatches(term) as never)
    const total = await countRows(matching.clearSelect())
    const rows = await matching.orderBy('team.id').limit(limit).offset(offset).execute()
    const shows = showsOf(query)
    const groups = await toScimGroups(urls, db, rows, shows('members'))
    return toScimList(
      total,
      offset,
      groups.map((group) => onlyShown(group, shows)),
    )
  },
})

export const getScimGroup = route({
  method: 'GET',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Get a group',
  access: onProvisioning(),
  params: OfGroup,
  query: ScimAttributes,
  returns: ScimGroup,
  async handler({ db, urls, organization, params, query }) {
    const row = await needScimGroup(db, organization.id, params.groupId)
    const shows = showsOf(query)
    const [group] = await toScimGroups(urls, db, [row], shows('members'))
    return onlyShown(group!, shows)
  },
})

export const createScimGroup = route({
  method: 'POST',
  path: '/scim/v2/Groups',
  summary: 'Create a group',
  access: onProvisioning(),
  bodyLimit: GROUP_BODY_LIMIT,
  body: ScimBody,
  returns: ScimGroup,
  status: 201,
  location: ({ id }, urls) => urls.scim(`/Groups/${id}`),
  audit: 'scim.group.create',
  async handler({ tx, urls, organization, body, now, newId, audit }) {
    const changes = groupChangesOf(assignmentsOf(body))
    const { displayName } = changes
    if (displayName === undefined) throw new ScimFault('invalidValue', '"displayName" is required')
    const at = now.toISOString()
    const title = titleFor(displayName)
    const team = { id: newId(), organizationId: organization.id, title, createdAt: at, updatedAt: at }
    await tx.insertInto('team').values(team).execute()
    await nameGroup(tx, { ...team, displayName, externalId: null }, changes, now)
    await changeGroupMembers(tx, team, changes, now)
    const members = await rolesInTeam(tx, team.id)
    audit({ target: { type: 'team', id: team.id, label: title }, after: { title, members } })
    return shown(urls, tx, team)
  },
})

export const replaceScimGroup = route({
  method: 'PUT',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Replace the name and the members of a group',
  access: onProvisioning(),
  params: OfGroup,
  bodyLimit: GROUP_BODY_LIMIT,
  body: ScimBody,
  returns: ScimGroup,
  audit: 'scim.group.update',
  async handler({ tx, urls, organization, params, body, now, audit }) {
    const changes = { ...groupChangesOf(assignmentsOf(body)), replaced: true }
    const at = { organizationId: organization.id, id: params.groupId, now, audit }
    await update(tx, changes, at)
    return shown(urls, tx, at)
  },
})

export const patchScimGroup = route({
  method: 'PATCH',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Change the name or members of a group',
  access: onProvisioning(),
  params: OfGroup,
  bodyLimit: GROUP_BODY_LIMIT,
  body: ScimPatch,
  audit: 'scim.group.update',
  async handler({ tx, organization, params, body, now, audit }) {
    const changes = groupChangesOf(readPatch(body.Operations))
    await update(tx, changes, { organizationId: organization.id, id: params.groupId, now, audit })
  },
})

export const deleteScimGroup = route({
  method: 'DELETE',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Delete a group',
  access: onProvisioning(),
  params: OfGroup,
  audit: 'scim.group.delete',
  async handler({ tx, organization, params, audit }) {
    const team = await needScimGroup(tx, organization.id, params.groupId)
    const { id, title } = team
    const members = await rolesInTeam(tx, id)
    const grants = await grantsOf(tx, organization.id, { kind: 'team', id })
    audit({ target: { type: 'team', id, label: title }, before: { title, members, ...grants } })
    await removeTeam(tx, team)
  },
})

async function update(
  tx: Tx,
  changes: GroupChanges,
  at: { organizationId: string; id: string; now: Date; audit: (note: AuditNote) => void },
): Promise<void> {
  const { id, organizationId, now, audit } = at
  const before = await needScimGroup(tx, organizationId, id)
  const members = await rolesInTeam(tx, id)
  await nameGroup(tx, before, changes, now)
  await changeGroupMembers(tx, before, changes, now)
  const { title } = await needScimGroup(tx, organizationId, id)
  audit({
    target: { type: 'team', id, label: title },
    before: { title: before.title, members },
    after: { title, members: await rolesInTeam(tx, id) },
  })
}

async function shown(urls: Urls, tx: Tx, { id, organizationId }: Pick<Row<'team'>, 'id' | 'organizationId'>) {
  const [group] = await toScimGroups(urls, tx, [await needScimGroup(tx, organizationId, id)], true)
  return group!
}
