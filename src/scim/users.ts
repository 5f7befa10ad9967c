import { Type } from 'typebox'
import { onProvisioning } from '../access/checks/on-provisioning.ts'
import { assignmentsOf, readPatch } from '../core/scim/patch.ts'
import { type UserChanges, userChangesOf } from '../core/scim/user.ts'
import type { Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { countRows } from '../http/pagination.ts'
import { type AuditNote, route } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import { grantsOf, teamsWith } from '../model/access/holdings.ts'
import { Id } from '../model/common.ts'
import { keepAdministrator, removeMember } from '../model/membership/member.ts'
import { provisionUser, updateScimUser } from '../model/scim/provisioning.ts'
import {
  onlyShown,
  ScimAttributes,
  ScimBody,
  scimListOf,
  ScimListQuery,
  scimPageOf,
  ScimPatch,
  ScimUser,
  showsOf,
  toScimList,
} from '../model/scim/resources.ts'
import {
  needScimUser,
  type ScimUserRow,
  selectScimUsers,
  toScimUsers,
  userMatches,
} from '../model/scim/user.ts'

const OfUser = Type.Object({ userId: Id })

export const listScimUsers = route({
  method: 'GET',
  path: '/scim/v2/Users',
  summary: 'List users',
  access: onProvisioning(),
  query: ScimListQuery,
  returns: scimListOf(ScimUser),
  async handler({ db, urls, organization, query }) {
    const { terms, offset, limit } = scimPageOf(query)
    let matching = selectScimUsers(db, organization.id)
    for (const term of terms) matching = matching.where(userMatches(term, organization.id) as never)
    const total = await countRows(matching.clearSelect())
    const rows = await matching.orderBy('member.userId').limit(limit).offset(offset).execute()
    const shows = showsOf(query)
    const users = await toScimUsers(urls, db, organization.id, rows, shows('groups'))
    return toScimList(
      total,
      offset,
      users.map((user) => onlyShown(user, shows)),
    )
  },
})

export const getScimUser = route({
  method: 'GET',
  path: '/scim/v2/Users/:userId',
  summary: 'Get a user',
  access: onProvisioning(),
  params: OfUser,
  query: ScimAttributes,
  returns: ScimUser,
  async handler({ db, urls, organization, params, query }) {
    const row = await needScimUser(db, organization.id, params.userId)
    const shows = showsOf(query)
    const [user] = await toScimUsers(urls, db, organization.id, [row], shows('groups'))
    return onlyShown(user!, shows)
  },
})

export const createScimUser = route({
  method: 'POST',
  path: '/scim/v2/Users',
  summary: 'Create a user',
  access: onProvisioning(),
  body: ScimBody,
  returns: ScimUser,
  status: 201,
  location: ({ id }, urls) => urls.scim(`/Users/${id}`),
  audit: 'scim.user.create',
  async handler({ tx, urls, mail, organization, tokenCreator, body, now, newId, audit }) {
    const changes = userChangesOf(assignmentsOf(body))
    const mailed = mail.configured
    const row = await provisionUser(tx, changes, { organization, tokenCreator, mailed, now, newId })
    audit({ ...userTarget(row), after: recordedOf(row) })
    return shown(urls, tx, organization.id, row)
  },
})

export const replaceScimUser = route({
  method: 'PUT',
  path: '/scim/v2/Users/:userId',
  summary: 'Replace the attributes of a user',
  access: onProvisioning(),
  params: OfUser,
  body: ScimBody,
  returns: ScimUser,
  audit: 'scim.user.update',
  async handler({ tx, urls, organization, params, body, now, audit }) {
    // Names that are not sent are cleared. What identifies the user, and whether they are active, stays.
    const none = { displayName: null, formatted: null, givenName: null, familyName: null }
    const changes = { ...none, ...userChangesOf(assignmentsOf(body)) }
    const at = { organizationId: organization.id, userId: params.userId, now, audit }
    return shown(urls, tx, organization.id, await update(tx, changes, at))
  },
})

export const patchScimUser = route({
  method: 'PATCH',
  path: '/scim/v2/Users/:userId',
  summary: 'Change attributes of a user',
  access: onProvisioning(),
  params: OfUser,
  body: ScimPatch,
  returns: ScimUser,
  audit: 'scim.user.update',
  async handler({ tx, urls, organization, params, body, now, audit }) {
    const changes = userChangesOf(readPatch(body.Operations))
    const at = { organizationId: organization.id, userId: params.userId, now, audit }
    return shown(urls, tx, organization.id, await update(tx, changes, at))
  },
})

export const deleteScimUser = route({
  method: 'DELETE',
  path: '/scim/v2/Users/:userId',
  summary: 'Remove a user from the organization',
  access: onProvisioning(),
  params: OfUser,
  audit: 'scim.user.delete',
  async handler({ tx, organization, params, now, audit }) {
    const { id: organizationId } = organization
    const { userId } = params
    const before = await needScimUser(tx, organizationId, userId)
    const teams = await teamsWith(tx, organizationId, userId)
    const grants = await grantsOf(tx, organizationId, { kind: 'user', id: userId })
    audit({ ...userTarget(before), before: { ...recordedOf(before), teams, ...grants } })
    if (!(await removeMember(tx, organizationId, userId, now))) throw notFound('user')
    await keepAdministrator(tx, organizationId)
  },
})

async function update(
  tx: Tx,
  changes: UserChanges,
  at: { organizationId: string; userId: string; now: Date; audit: (note: AuditNote) => void },
): Promise<ScimUserRow> {
  const { organizationId, userId, now, audit } = at
  const before = await needScimUser(tx, organizationId, userId)
  const after = await updateScimUser(tx, organizationId, userId, changes, now)
  audit({ ...userTarget(after), before: recordedOf(before), after: recordedOf(after) })
  return after
}

async function shown(urls: Urls, tx: Tx, organizationId: string, row: ScimUserRow) {
  const [user] = await toScimUsers(urls, tx, organizationId, [row], true)
  return user!
}

const userTarget = ({ userId, accountName }: ScimUserRow) => ({
  target: { type: 'member', id: userId, label: accountName },
})

const recordedOf = ({ displayName, accountName, email, disabled }: ScimUserRow) => ({
  displayName: displayName ?? accountName,
  email,
  disabled: disabled === 1,
})
