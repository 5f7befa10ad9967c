import { Type } from 'typebox'
import { anyone, onAccount } from '../access/checks/on.ts'
import type { Tx } from '../db/schema.ts'
import { forbidden, invalidField, signInRequired } from '../http/errors.ts'
import { route, type Sealing } from '../http/route.ts'
import {
  Email,
  GivenPassword,
  LinkSecret,
  Password,
  setPassword,
  startSession,
  usePasswordLink,
} from '../model/people/account.ts'
import { titleSchema } from '../model/common.ts'
import { endSessions } from '../model/people/session.ts'
import { hasSecondFactor, SecondFactorCode, takeSecondFactor } from '../model/people/second-factor.ts'
import { hashForLink } from '../model/people/password-link.ts'
import {
  checkPassword,
  countCode,
  isFresh,
  needSamePassword,
  tryOwnPassword,
} from '../model/people/sign-in.ts'
import { NewToken } from '../model/people/token.ts'
import { because } from '../core/languages/reasons.ts'

const Device = Type.String({
  maxLength: 256,
  description:
    'Proves for a year that this client has signed in with the e-mail address before. It gives no access',
})
const NewSession = Type.Object({ ...NewToken.properties, device: Device }, { title: 'NewSession' })

export const createSession = route({
  method: 'POST',
  path: '/v1/account/sessions',
  summary: 'Sign in with an e-mail address and a password',
  description:
    'Returns a token that acts as the user. It expires after 30 days, unless the server is configured otherwise, when it is deleted, or when the password is reset. The request fails with 429 after too many attempts. Send the `device` of an earlier session, so that attempts of others do not count against you. If the account has a second factor, the request fails with 401 unless `code` is a code of it.',
  access: anyone(),
  body: Type.Object({
    email: Email,
    password: GivenPassword,
    code: Type.Optional(SecondFactorCode),
    device: Type.Optional(Device),
  }),
  returns: NewSession,
  status: 201,
  location: ({ id }, urls) => urls.api(`/user/tokens/${id}`),
  async prepare({ db, body, ip, attempt, devices, own, now, signal }) {
    const { email, password, code, device } = body
    const known = await checkPassword(
      { db: db.read, attempt, devices, own },
      { email, password, device, ip, now, signal },
    )
    if (code !== undefined)
      await countCode({ attempt, devices }, { userId: known.id, email: known.email, device, ip, now })
    return known
  },
  async handler({ tx, body, prepared, now, newId, devices, sessionTimes: times, sealing, audit }) {
    const { id, email } = prepared
    await needSamePassword(tx, prepared)
    if (await hasSecondFactor(tx, id)) await needCode(tx, sealing, { userId: id, code: body.code, now })
    audit({ userId: id })
    return {
      ...(await startSession(tx, { id: newId(), userId: id, now, times })),
      device: devices.issue(email, now),
    }
  },
})

/** @throws 401, because the caller is not signed in yet */
async function needCode(
  tx: Tx,
  sealing: Sealing,
  { userId, code, now }: { userId: string; code: string | undefined; now: Date },
): Promise<void> {
  if (code === undefined) throw signInRequired(because('code-required'))
  if (!(await takeSecondFactor(tx, sealing, { userId, code, now })))
    throw signInRequired(because('code-wrong'))
}

export const acceptInvitation = route({
  method: 'POST',
  path: '/v1/account/invitations',
  summary: 'Accept an invitation: set a password and sign in',
  description: 'A link can be used once, within seven days. A link from an e-mail verifies the address.',
  access: anyone(),
  body: Type.Object({
    token: LinkSecret,
    password: Password,
    displayName: Type.Optional(titleSchema(64)),
  }),
  returns: NewSession,
  status: 201,
  location: ({ id }, urls) => urls.api(`/user/tokens/${id}`),
  prepare({ db, body, ip, attempt, now, signal }) {
    const { token: secret, password } = body
    const link = { secret, purpose: 'invitation' as const, password }
    return hashForLink({ db: db.read, attempt }, link, { ip, now, signal })
  },
  async handler({ tx, body, prepared, now, newId, devices, sessionTimes: times, audit }) {
    const userId = await usePasswordLink(tx, {
      secret: body.token,
      purpose: 'invitation',
      passwordHash: prepared,
      now,
    })
    if (await hasSecondFactor(tx, userId)) throw signInRequired(because('code-required-after-reset'))
    const { email } = await tx
      .updateTable('user')
      .set({ ...(body.displayName && { displayName: body.displayName }), updatedAt: now.toISOString() })
      .where('id', '=', userId)
      .returning('email')
      .executeTakeFirstOrThrow()
    audit({ userId, target: { type: 'user', id: userId } })
    return {
      ...(await startSession(tx, { id: newId(), userId, now, times })),
      device: devices.issue(email ?? '', now),
    }
  },
})

export const requestPasswordReset = route({
  method: 'POST',
  path: '/v1/account/password-resets',
  summary: 'Send an e-mail with a link to reset a password',
  description:
    'The response is the same whether or not a user has the address. The link can be used once, within an hour.',
  access: anyone(),
  body: Type.Object({ email: Email }),
  async prepare({ body, ip, attempt, now }) {
    await attempt({ ip, by: 'link', key: `reset:${body.email.toLowerCase()}` }, now)
  },
  async handler({ tx, body, enqueue }) {
    // The job looks up the user, so that the response time does not reveal whether the address has an account.
    const email = body.email.toLowerCase()
    await enqueue(tx, 'send-email', { template: 'password-reset', email }, { dedupe: `reset:${email}` })
  },
})

export const resetPassword = route({
  method: 'POST',
  path: '/v1/account/password',
  summary: 'Reset a password with the link from an e-mail',
  description:
    'Ends every session of the user. API tokens stay valid, unless the address had not been verified before.',
  access: anyone(),
  body: Type.Object({ token: LinkSecret, password: Password }),
  prepare({ db, body, ip, attempt, now, signal }) {
    const { token: secret, password } = body
    const link = { secret, purpose: 'password-reset' as const, password }
    return hashForLink({ db: db.read, attempt }, link, { ip, now, signal })
  },
  async handler({ tx, body, prepared, now, audit }) {
    const userId = await usePasswordLink(tx, {
      secret: body.token,
      purpose: 'password-reset',
      passwordHash: prepared,
      now,
    })
    audit({ userId })
    await endSessions(tx, userId)
  },
})

export const changePassword = route({
  method: 'PUT',
  path: '/v1/account/password',
  summary: 'Change the password of the caller',
  description: 'Requires the current password, if there is one. Ends every other session of the caller.',
  access: onAccount(),
  body: Type.Object({ current: Type.Optional(GivenPassword), password: Password }),
  prepare({ db, me, body, ip, attempt, now, signal }) {
    const caller = { db: db.read, me, ip, attempt, now, signal }
    return tryOwnPassword(caller, 'change', async (stored, { hash, matches }) => {
      if (stored && !(await matches(stored, body.current ?? '')))
        throw invalidField('body.current', because('current-password-wrong'))
      // A first password is a new way in, which somebody with an open browser must not make.
      if (!stored && me.session && !isFresh(me, now)) throw forbidden(because('no-password'))
      return hash(body.password)
    })
  },
  async handler({ tx, me, prepared, now }) {
    await setPassword(tx, { userId: me.userId, passwordHash: prepared, verified: false, now })
    await endSessions(tx, me.userId, me)
  },
})
