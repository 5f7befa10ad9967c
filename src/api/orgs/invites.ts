import { Type } from 'typebox'
import { onOrg, onSelf } from '../../access/on.ts'
import type { Role } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Email, insertAccountToken } from '../../model/account.ts'
import { Id, InOrganization, nullable, RoleSchema } from '../../model/common.ts'
import { inviteAddress, type Invited, renewInvite } from '../../model/invitation.ts'
import { lettersDue } from '../../model/invitation-letter.ts'
import { needOpenInvite, useInvite } from '../../model/invite.ts'
import { invitationLetter, joinLetter } from '../../model/letters.ts'

export const inviteUsersToOrganization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/invites',
  summary: 'Invite people by their addresses',
  description:
    'Who has no account is a member at once and gets a link to set a password; who has one gets a link to join with, once signed in. Links go by mail; where no mail server is configured they are in `links`, for the caller to pass on, and prove no address. An address that was sent a letter within ten minutes is sent no other; past 500 letters in an hour the answer is 429.',
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({
    emails: Type.Array(Type.Union([Email, Type.Object({ email: Email, role: nullable(RoleSchema) })]), {
      minItems: 1,
      maxItems: 100,
    }),
    role: Type.Optional(
      nullable(RoleSchema, { description: 'Of those without their own; absent: the organization’s default' }),
    ),
    sso: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({
    users: Type.Array(Type.String(), { description: 'Users who are members from now on' }),
    invited: Type.Integer({ description: 'Addresses that got a link' }),
    failedSSOEmails: Type.Optional(
      Type.Array(Type.String(), { description: 'Invited, but not as members of the sign-in provider' }),
    ),
    links: Type.Optional(
      Type.Array(Type.Object({ email: Type.String(), url: Type.String() }), {
        description: 'What could not be sent; good once, for seven days',
      }),
    ),
  }),
  async handler({ tx, me, at, mail, enqueue, organization, body, now, newId, audit }) {
    const { role = organization.defaultRole, sso = false } = body
    const wanted = new Map<string, Role | null>()
    for (const one of body.emails) {
      if (typeof one === 'string') wanted.set(one.toLowerCase(), role)
      if (typeof one === 'object') wanted.set(one.email.toLowerCase(), one.role)
    }

    const users: string[] = []
    const asked: string[] = []
    const told: { users: object[]; emails: object[] } = { users: [], emails: [] }
    const links: { email: string; url: string }[] = []
    const letters: { email: string; task: object; dedupe: string }[] = []
    for (const [email, asRole] of wanted) {
      const fields = { organizationId: organization.id, email, role: asRole, sso, createdBy: me.userId }
      const outcome = await inviteAddress(tx, { ...fields, now, newId })
      if (outcome.kind === 'known') continue
      if (outcome.kind === 'asked') asked.push(email)
      if (outcome.kind === 'added' && outcome.isNew) {
        users.push(outcome.userId)
        told.users.push({ id: outcome.userId, email, role: asRole })
      } else told.emails.push({ email, role: asRole })

      if (mail.configured) {
        letters.push(letterFor(outcome, organization.id, email))
        continue
      }
      if (outcome.kind === 'asked') {
        const url = at.app(`/join/${organization.id}#${await renewInvite(tx, outcome.inviteId, now)}`)
        links.push({ email, url })
        await mail.send(joinLetter(email, organization.title, url))
        continue
      }
      const to = { userId: outcome.userId, organizationId: organization.id }
      const link = { ...to, purpose: 'invitation', mailed: false, now } as const
      const url = at.app(`/invitation#${await insertAccountToken(tx, link)}`)
      links.push({ email, url })
      await mail.send(invitationLetter(email, organization.title, url))
    }
    const due = await lettersDue(
      tx,
      organization.id,
      letters.map(({ email }) => email),
      now,
    )
    for (const { email, task, dedupe } of letters)
      if (due.has(email)) await enqueue(tx, 'send-letter', task, { dedupe })
    audit({ before: { users: [], emails: [] }, after: { ...told, sso } })
    return {
      users,
      invited: due.size + links.length,
      ...(sso && asked.length > 0 && { failedSSOEmails: asked }),
      ...(links.length > 0 && { links }),
    }
  },
})

/** The job that writes to an invited address; one at a time waits for each. */
function letterFor(outcome: Exclude<Invited, { kind: 'known' }>, organizationId: string, email: string) {
  if (outcome.kind === 'asked') {
    const { inviteId } = outcome
    return { email, task: { letter: 'join', inviteId }, dedupe: `join:${inviteId}` }
  }
  const { userId } = outcome
  const task = { letter: 'invitation', userId, organizationId }
  return { email, task, dedupe: `invitation:${organizationId}:${userId}` }
}

export const joinOrganizationWithInvite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/invites/:inviteId',
  summary: 'Join an organization with an invite link, or with the link that came by mail',
  description:
    '`inviteId` is the id of the link, or what the link in the mail has after “#”, which is good once and for its address alone. Nothing that the caller has already becomes less.',
  access: onSelf(),
  params: Type.Object({ organizationId: Id, inviteId: Id }),
  returns: Type.Object({}),
  async handler({ tx, me, params, now }) {
    const organization = await tx
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', params.organizationId)
      .executeTakeFirst()
    if (!organization) throw notFound()

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
