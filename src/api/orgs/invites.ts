import { Type } from 'typebox'
import { onOrg, onAccount } from '../../access/checks/on.ts'
import type { Role } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Email, insertAccountToken } from '../../model/people/account.ts'
import { Id, InOrganization, nullable, RoleSchema } from '../../model/common.ts'
import { inviteAddress, type Invited, resetInvite } from '../../model/membership/invitation.ts'
import { needOpenInvite, useInvite } from '../../model/membership/invite.ts'
import {
  joinKey,
  listUndelivered,
  memberKey,
  sendAgain,
  UndeliveredInvitation,
} from '../../model/membership/undelivered.ts'
import { invitationEmail, joinEmail } from '../../model/people/emails.ts'
import { countNewUsers } from '../../model/membership/new-users.ts'
import { countInvitations } from '../../model/people/sent-emails.ts'
import { languageOfUser } from '../../model/people/user.ts'

export const inviteUsersToOrganization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/invites',
  summary: 'Invite users by e-mail address',
  description:
    'A user without an account becomes a member immediately and gets a link to set a password. A user with an account gets a link to join. Lectern sends the links by e-mail. If no mail server is configured, the response returns them in `links`; such a link does not verify an address. An organization, and a user, sends at most one e-mail to an address every ten minutes, and a user at most five in a day. The request fails with 429 above 500 e-mails of the organization, or of the caller in all organizations, in an hour, and above 1,000 e-mails of the caller in a day. It also fails with 429 if the caller would make more than 1,000 users in a day by invitations and SCIM tokens, or 50 if no mail server is configured; administrators of the installation can invite any number.',
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({
    emails: Type.Array(Type.Union([Email, Type.Object({ email: Email, role: nullable(RoleSchema) })]), {
      minItems: 1,
      maxItems: 100,
    }),
    role: Type.Optional(
      nullable(RoleSchema, {
        description:
          'The role for addresses that are sent without one; the default is that of the organization',
      }),
    ),
    sso: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({
    users: Type.Array(Type.String(), { description: 'The ids of the users who are now members' }),
    invited: Type.Integer({
      description:
        'The number of addresses that Lectern created a link for; addresses skipped by the rate limit are not counted',
    }),
    failedSSOEmails: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Addresses that were invited, but could not be marked for single sign-on',
      }),
    ),
    links: Type.Optional(
      Type.Array(Type.Object({ email: Type.String(), url: Type.String() }), {
        description: 'The links that were not sent by e-mail. Each can be used once, within seven days',
      }),
    ),
  }),
  async handler({ tx, me, urls, mail, enqueue, organization, body, now, newId, audit }) {
    const { role = organization.defaultRole, sso = false } = body
    const wanted = new Map<string, Role | null>()
    for (const one of body.emails) {
      if (typeof one === 'string') wanted.set(one.toLowerCase(), role)
      if (typeof one === 'object') wanted.set(one.email.toLowerCase(), one.role)
    }

    const users: string[] = []
    const made: string[] = []
    const waiting: string[] = []
    const granted: { users: object[]; emails: object[] } = { users: [], emails: [] }
    const links: { email: string; url: string }[] = []
    const pending: { email: string; task: object; dedupe: string }[] = []
    const language = await languageOfUser(tx, me.userId)
    for (const [email, asRole] of wanted) {
      const fields = { organizationId: organization.id, email, role: asRole, sso, createdBy: me.userId }
      const outcome = await inviteAddress(tx, { ...fields, now, newId })
      if (outcome.kind === 'known') continue
      if (outcome.kind === 'invited') waiting.push(email)
      if (outcome.kind === 'added' && outcome.isNew) {
        users.push(outcome.userId)
        made.push(email)
        granted.users.push({ id: outcome.userId, email, role: asRole })
      } else granted.emails.push({ email, role: asRole })

      if (mail.configured) {
        const { dedupe, task } = jobFor(outcome, organization.id)
        pending.push({ email, task: { ...task, ...(language && { language }) }, dedupe })
        continue
      }
      if (outcome.kind === 'invited') {
        const url = urls.app(`/join/${organization.id}#${await resetInvite(tx, outcome.inviteId, now)}`)
        links.push({ email, url })
        await mail.send(joinEmail({ to: email, language }, organization.title, url))
        continue
      }
      const to = { userId: outcome.userId, organizationId: organization.id }
      const link = { ...to, purpose: 'invitation', mailed: false, now } as const
      const url = urls.app(`/invitation#${await insertAccountToken(tx, link)}`)
      links.push({ email, url })
      await mail.send(invitationEmail({ to: email, language }, organization.title, url))
    }
    const sender = { userId: me.userId, organizationId: organization.id, now, newId }
    const addresses = pending.map(({ email }) => email)
    const due = await countInvitations(tx, addresses, sender)
    await countNewUsers(tx, made, { ...sender, by: 'invitation', mailed: mail.configured })
    const sent = pending.filter(({ email }) => due.has(email))
    const keys = sent.map(({ dedupe }) => dedupe)
    await sendAgain(tx, organization.id, keys, now)
    for (const { task, dedupe } of sent)
      await enqueue(tx, 'send-email', task, { dedupe, organization: organization.id })
    audit({ before: { users: [], emails: [] }, after: { ...granted, sso } })
    return {
      users,
      invited: due.size + links.length,
      ...(sso && waiting.length > 0 && { failedSSOEmails: waiting }),
      ...(links.length > 0 && { links }),
    }
  },
})

/** The job that sends an invitation e-mail. `dedupe` keeps at most one such job in the queue. */
function jobFor(outcome: Exclude<Invited, { kind: 'known' }>, organizationId: string) {
  if (outcome.kind === 'invited') {
    const { inviteId } = outcome
    return { task: { template: 'join', inviteId }, dedupe: joinKey(inviteId) }
  }
  const { userId } = outcome
  const task = { template: 'invitation', userId, organizationId }
  return { task, dedupe: memberKey(organizationId, userId) }
}

export const listUndeliveredInvitations = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/invites/undelivered',
  summary: 'List the invitations by e-mail that were not delivered, newest first',
  description:
    'An invitation is in the list from its creation until the mail server accepts its e-mail, or until the user has joined or was removed. Failed e-mails are listed for 30 days. To send an e-mail again, invite its address again.',
  access: onOrg('admin'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(UndeliveredInvitation),
  handler: ({ db, organization, page }) => listUndelivered(db, organization.id, page),
})

export const joinOrganizationWithInvite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/invites/:inviteId',
  summary: 'Join an organization with an invite link or an e-mail invitation',
  description:
    '`inviteId` is the id of the invite link, or the part after `#` of the link in an invitation e-mail. A link in an e-mail can be used once, and only by the user with that address. Joining never lowers a role of the caller.',
  access: onAccount(),
  params: Type.Object({ organizationId: Id, inviteId: Id }),
  secrets: ['inviteId'],
  returns: Type.Object({}),
  async handler({ tx, me, params, now }) {
    const organization = await tx
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', params.organizationId)
      .executeTakeFirst()
    // Anyone can ask, so the answer does not tell which organizations there are.
    if (!organization) throw notFound('invitation')

    const invite = await needOpenInvite(tx, organization.id, params.inviteId, now)
    const user = await tx
      .selectFrom('user')
      .select(['id', 'email'])
      .where('id', '=', me.userId)
      .executeTakeFirstOrThrow()
    await useInvite(tx, organization, invite, user, now)
    return {}
  },
})
