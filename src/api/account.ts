import { Type } from 'typebox'
import { anyone, onSelf } from '../access/on.ts'
import { hashPassword, isPassword } from '../access/passwords.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { route } from '../http/route.ts'
import {
  Email,
  endSessions,
  LinkSecret,
  needAccountToken,
  Password,
  setPassword,
  startSession,
  usePasswordLink,
} from '../model/account.ts'
import { titleOf } from '../model/common.ts'
import { NewToken } from '../model/token.ts'

const wrongPassword = () => new ApiError(401, 'The address or the password is wrong')
const GIVEN = Type.String({ minLength: 1, maxLength: 256 })

export const createSession = route({
  method: 'POST',
  path: '/v1/account/sessions',
  summary: 'Sign in with an address and a password',
  description:
    'Answers a token that acts as the user and ends after 30 days, when it is deleted, or when the password is reset. Too many attempts are 429.',
  access: anyone(),
  body: Type.Object({ email: Email, password: GIVEN }),
  returns: NewToken,
  status: 201,
  location: ({ id }, at) => at.api(`/user/tokens/${id}`),
  async prepare({ db, body, ip, attempt, now }) {
    const address = body.email.toLowerCase()
    attempt({ ip, address }, now)
    const account = await db.read
      .selectFrom('user')
      .innerJoin('account', 'account.userId', 'user.id')
      .select(['user.id', 'account.passwordHash'])
      .where('user.email', '=', address)
      .executeTakeFirst()
    const right = await isPassword(account?.passwordHash, body.password)
    if (!account || !right) throw wrongPassword()
    return account
  },
  async handler({ tx, prepared, now, newId, audit }) {
    // A password that was changed in between is not the password any more.
    const { id, passwordHash } = prepared
    const account = await tx
      .selectFrom('account')
      .select('passwordHash')
      .where('userId', '=', id)
      .executeTakeFirst()
    if (account?.passwordHash !== passwordHash) throw wrongPassword()
    audit({ userId: id })
    return startSession(tx, id, now, newId())
  },
})

export const acceptInvitation = route({
  method: 'POST',
  path: '/v1/account/invitations',
  summary: 'Use the link of an invitation: set a password and sign in',
  description: 'A link is good once, for seven days. One that came by mail proves the address.',
  access: anyone(),
  body: Type.Object({
    token: LinkSecret,
    password: Password,
    displayName: Type.Optional(titleOf(64)),
  }),
  returns: NewToken,
  status: 201,
  location: ({ id }, at) => at.api(`/user/tokens/${id}`),
  async prepare({ db, body, ip, attempt, now }) {
    attempt({ ip }, now)
    await needAccountToken(db.read, body.token, 'invitation', now)
    return hashPassword(body.password)
  },
  async handler({ tx, body, prepared, now, newId, audit }) {
    const userId = await usePasswordLink(tx, {
      secret: body.token,
      purpose: 'invitation',
      passwordHash: prepared,
      now,
    })
    if (body.displayName) {
      await tx
        .updateTable('user')
        .set({ displayName: body.displayName, updatedAt: now.toISOString() })
        .where('id', '=', userId)
        .execute()
    }
    audit({ userId, target: { type: 'user', id: userId } })
    return startSession(tx, userId, now, newId())
  },
})

export const requestPasswordReset = route({
  method: 'POST',
  path: '/v1/account/password-resets',
  summary: 'Ask for a link to reset a password, by mail',
  description: 'Answers the same whether anybody has the address. The link is good once, for an hour.',
  access: anyone(),
  body: Type.Object({ email: Email }),
  async prepare({ body, ip, attempt, now }) {
    attempt({ ip, address: `reset:${body.email.toLowerCase()}` }, now)
  },
  async handler({ tx, body, enqueue }) {
    // Whether there is such a user is looked up later, so that the time this takes does not tell.
    const email = body.email.toLowerCase()
    await enqueue(tx, 'send-letter', { letter: 'password-reset', email }, { dedupe: `reset:${email}` })
  },
})

export const resetPassword = route({
  method: 'POST',
  path: '/v1/account/password',
  summary: 'Set a new password with the link of a reset',
  description:
    'Ends every session of the user. Tokens that they made stay, unless the address was not known to be theirs before.',
  access: anyone(),
  body: Type.Object({ token: LinkSecret, password: Password }),
  async prepare({ db, body, ip, attempt, now }) {
    attempt({ ip }, now)
    await needAccountToken(db.read, body.token, 'password-reset', now)
    return hashPassword(body.password)
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
  summary: 'Set one’s password',
  description: 'Needs the current one, if there is one. Ends every other session of the caller.',
  access: onSelf(),
  body: Type.Object({ current: Type.Optional(GIVEN), password: Password }),
  async prepare({ db, me, body, ip, attempt, now }) {
    attempt({ ip, address: `change:${me.userId}` }, now)
    const account = await db.read
      .selectFrom('account')
      .select('passwordHash')
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    const known = account?.passwordHash
    if (known && !(await isPassword(known, body.current ?? ''))) {
      throw invalid('"current" is not the current password', [
        { path: 'body.current', message: 'is not the current password' },
      ])
    }
    return hashPassword(body.password)
  },
  async handler({ tx, me, prepared, now }) {
    await setPassword(tx, { userId: me.userId, passwordHash: prepared, verified: false, now })
    await endSessions(tx, me.userId, me.tokenId)
  },
})
