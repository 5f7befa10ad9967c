import { Type } from 'typebox'
import { onAccount } from '../../access/checks/on.ts'
import { route } from '../../http/route.ts'
import { GivenPassword } from '../../model/people/account.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  deleteSecondFactor,
  needSecondFactor,
  NewSecondFactor,
  RecoveryCodes,
  replaceRecoveryCodes,
  SecondFactor,
  SecondFactorCode,
  secondFactorOf,
} from '../../model/people/second-factor.ts'
import { needPresence } from '../../model/people/sign-in.ts'

const ISSUER = 'Lectern'

export const getSecondFactor = route({
  method: 'GET',
  path: '/v1/user/second-factor',
  summary: 'Get whether signing in requires a code of an authenticator app',
  access: onAccount(),
  returns: SecondFactor,
  handler: ({ db, me }) => secondFactorOf(db, me.userId),
})

export const beginSecondFactorSetup = route({
  method: 'POST',
  path: '/v1/user/second-factor',
  summary: 'Begin to set up an authenticator app',
  description:
    'Returns the secret for the app. Nothing changes until `PUT` confirms it with a code. Requires the password, unless the caller signed in with the browser in the last 15 minutes.',
  access: onAccount(),
  body: Type.Object({ password: Type.Optional(GivenPassword) }),
  returns: NewSecondFactor,
  audit: 'user.second-factor.begin',
  async prepare({ db, me, body, ip, attempt, now, signal }) {
    await needPresence({ db: db.read, me, attempt, ip, now, signal }, body.password)
  },
  async handler({ tx, me, sealing, now, audit }) {
    audit({ target: { type: 'user', id: me.userId }, after: {} })
    return beginSecondFactor(tx, sealing, { userId: me.userId, issuer: ISSUER, now })
  },
})

export const confirmSecondFactorSetup = route({
  method: 'PUT',
  path: '/v1/user/second-factor',
  summary: 'Require codes of the authenticator app from now on',
  description:
    'Signing in with a password then requires a code. Returns recovery codes for users without their app. Each can be used once.',
  access: onAccount(),
  audit: 'user.second-factor.confirm',
  body: Type.Object({ code: SecondFactorCode }),
  returns: RecoveryCodes,
  async prepare({ me, ip, attempt, now }) {
    await attempt({ ip, key: `code:${me.userId}` }, now)
  },
  async handler({ tx, me, body, sealing, now, audit }) {
    audit({ target: { type: 'user', id: me.userId }, after: {} })
    const codes = await confirmSecondFactor(tx, sealing, { userId: me.userId, code: body.code, now })
    return { object: 'recovery-codes' as const, codes }
  },
})

export const createRecoveryCodes = route({
  method: 'POST',
  path: '/v1/user/second-factor/recovery-codes',
  summary: 'Replace the recovery codes',
  description: 'The earlier ones expire.',
  access: onAccount(),
  audit: 'user.second-factor.replace-codes',
  body: Type.Object({ code: SecondFactorCode }),
  returns: RecoveryCodes,
  async prepare({ me, ip, attempt, now }) {
    await attempt({ ip, key: `code:${me.userId}` }, now)
  },
  async handler({ tx, me, body, sealing, now, audit }) {
    audit({ target: { type: 'user', id: me.userId }, after: {} })
    await needSecondFactor(tx, sealing, { userId: me.userId, code: body.code, now })
    return { object: 'recovery-codes' as const, codes: await replaceRecoveryCodes(tx, me.userId) }
  },
})

export const removeSecondFactor = route({
  method: 'POST',
  path: '/v1/user/second-factor/removal',
  summary: 'Require no more codes',
  description: 'Requires a last code of the app, or a recovery code.',
  access: onAccount(),
  audit: 'user.second-factor.remove',
  body: Type.Object({ code: SecondFactorCode }),
  async prepare({ me, ip, attempt, now }) {
    await attempt({ ip, key: `code:${me.userId}` }, now)
  },
  async handler({ tx, me, body, sealing, now, audit }) {
    audit({ target: { type: 'user', id: me.userId }, after: {} })
    await needSecondFactor(tx, sealing, { userId: me.userId, code: body.code, now })
    await deleteSecondFactor(tx, me.userId)
  },
})
