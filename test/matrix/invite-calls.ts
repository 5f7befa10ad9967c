/** Requests for invitations by e-mail and for lists of invite links. */
import { randomText } from '../../src/core/data/id.ts'
import { inOrg, type Make, org, withBody } from './makers.ts'

export const INVITE_CALLS: Record<string, Make | Make[]> = {
  inviteUsersToOrganization: (t) => ({ params: inOrg(t), body: { emails: [t.emailOf(randomText(8))] } }),
  listUndeliveredInvitations: org,
  listOrganizationInviteLinks: [
    org,
    async (t) => ({ params: inOrg(t), query: { space: await t.space() }, leadsTo: 'space' }),
    async (t) => ({ params: inOrg(t), query: { collection: await t.collection() }, leadsTo: 'collection' }),
  ],
  createOrganizationInvite: [
    withBody(org, { role: 'read' }),
    async (t) => ({ params: inOrg(t), body: { level: 'read', space: await t.space() }, leadsTo: 'space' }),
    async (t) => ({
      params: inOrg(t),
      body: { level: 'read', collection: await t.collection() },
      leadsTo: 'collection',
    }),
  ],
}
