import { Type } from 'typebox'
import { onAccount } from '../../access/checks/on.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, oneOf, titleSchema } from '../../model/common.ts'
import { GivenPassword } from '../../model/people/account.ts'
import {
  checkNewPasskey,
  deletePasskeyOf,
  insertPasskey,
  NewPublicKey,
  optionsForNewPasskey,
  Passkey,
  storeChallenge,
  toPasskey,
} from '../../model/people/passkey.ts'
import { needPresence } from '../../model/people/sign-in.ts'

const InPasskey = Type.Object({ passkeyId: Id })

export const listPasskeys = route({
  method: 'GET',
  path: '/v1/user/passkeys',
  summary: 'List the passkeys of the caller, newest first',
  access: onAccount(),
  query: ListQuery,
  returns: listOf(Passkey),
  async handler({ db, me, page }) {
    const mine = db.selectFrom('passkey').selectAll().where('userId', '=', me.userId)
    const list = await listRows(mine, page, { by: ['id'], order: 'desc' })
    return { ...list, items: list.items.map(toPasskey) }
  },
})

export const getPasskey = route({
  method: 'GET',
  path: '/v1/user/passkeys/:passkeyId',
  summary: 'Get a passkey of the caller',
  access: onAccount(),
  params: InPasskey,
  returns: Passkey,
  async handler({ db, me, params }) {
    const row = await db
      .selectFrom('passkey')
      .selectAll()
      .where('userId', '=', me.userId)
      .where('id', '=', params.passkeyId)
      .executeTakeFirst()
    if (!row) throw notFound('passkey')
    return toPasskey(row)
  },
})

export const beginPasskey = route({
  method: 'POST',
  path: '/v1/user/passkeys/challenges',
  summary: 'Begin to register a passkey',
  description:
    'Returns what a page of this server passes to `navigator.credentials.create`. The challenge is good for one passkey within ten minutes. Requires the password, unless the caller signed in with the browser in the last 15 minutes.',
  access: onAccount(),
  audit: 'user.passkey.begin',
  body: Type.Object({ password: Type.Optional(GivenPassword) }),
  returns: Type.Object(
    {
      object: oneOf(['passkey-challenge']),
      options: Type.Record(Type.String(), Type.Unknown(), {
        description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3',
      }),
    },
    { title: 'PasskeyChallenge' },
  ),
  async prepare({ db, me, body, ip, attempt, now, signal, urls }) {
    await needPresence({ db: db.read, me, attempt, ip, now, signal }, body.password)
    return optionsForNewPasskey(db.read, urls, me.userId)
  },
  async handler({ tx, me, prepared, now, audit }) {
    await storeChallenge(tx, prepared, { userId: me.userId, now })
    audit({ after: {} })
    return { object: 'passkey-challenge' as const, options: { ...prepared } }
  },
})

export const createPasskey = route({
  method: 'POST',
  path: '/v1/user/passkeys',
  summary: 'Register a passkey',
  access: onAccount(),
  body: Type.Object({ label: titleSchema(50), credential: NewPublicKey }),
  returns: Passkey,
  status: 201,
  location: ({ id }, urls) => urls.api(`/user/passkeys/${id}`),
  prepare: ({ urls, body }) => checkNewPasskey(urls, body.credential),
  async handler({ tx, me, body, prepared, now, newId, audit }) {
    const { label } = body
    const row = await insertPasskey(tx, { id: newId(), userId: me.userId, label, ...prepared, now })
    audit({ after: { label } })
    return toPasskey(row)
  },
})

export const deletePasskey = route({
  method: 'DELETE',
  path: '/v1/user/passkeys/:passkeyId',
  summary: 'Delete a passkey',
  description: 'It can no longer sign in. The response is 204 even if the passkey does not exist.',
  access: onAccount(),
  params: InPasskey,
  status: 205,
  async handler({ tx, me, params }) {
    return (await deletePasskeyOf(tx, me.userId, params.passkeyId)) ? undefined : ABSENT
  },
})
