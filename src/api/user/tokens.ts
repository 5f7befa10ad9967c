import { Type } from 'typebox'
import { onSelf } from '../../access/on.ts'
import { isPassword } from '../../access/passwords.ts'
import { invalidField, unauthorized } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, Timestamp, titleOf } from '../../model/common.ts'
import { insertToken, NewToken, Token, toToken } from '../../model/people/token.ts'

export const listTokens = route({
  method: 'GET',
  path: '/v1/user/tokens',
  summary: 'List the API tokens of the caller, newest first',
  access: onSelf(),
  query: ListQuery,
  returns: listOf(Token),
  async handler({ db, me, page }) {
    const mine = db.selectFrom('token').selectAll().where('userId', '=', me.userId)
    const list = await listRows(mine, page, { by: ['id'], order: 'desc' })
    return { ...list, items: list.items.map(toToken) }
  },
})

export const createToken = route({
  method: 'POST',
  path: '/v1/user/tokens',
  summary: 'Create an API token for the caller',
  description:
    'The response contains the token. It cannot be retrieved again. If the token of the caller expires, the new token expires at that time at the latest, unless `password` is the password of the account.',
  access: onSelf(),
  body: Type.Object({
    label: titleOf(50),
    readOnly: Type.Optional(Type.Boolean({ default: false, description: 'The token can only read' })),
    expiresAt: Type.Optional(Timestamp),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The password of the caller, for a token that outlasts theirs',
      }),
    ),
  }),
  returns: NewToken,
  status: 201,
  location: ({ id }, urls) => urls.api(`/user/tokens/${id}`),
  async prepare({ db, me, body, ip, attempt, now }) {
    if (body.password === undefined) return
    attempt({ ip, key: `token:${me.userId}` }, now)
    const account = await db.read
      .selectFrom('account')
      .select('passwordHash')
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    if (!(await isPassword(account?.passwordHash, body.password)))
      throw invalidField('body.password', 'must be the password of the caller')
  },
  async handler({ tx, me, body, now, newId }) {
    const wanted = body.expiresAt && new Date(body.expiresAt).toISOString()
    if (wanted && wanted <= now.toISOString()) {
      throw invalidField('body.expiresAt', `must be in the future, but was ${body.expiresAt}`)
    }
    const own = await tx
      .selectFrom('token')
      .select('expiresAt')
      .where('id', '=', me.tokenId)
      .executeTakeFirstOrThrow(unauthorized)
    // A token that was stolen or lent must not live on in another one. A password proves more than the token does.
    const limit = body.password === undefined ? own.expiresAt : null
    const { row, token } = await insertToken(tx, {
      id: newId(),
      userId: me.userId,
      label: body.label,
      now,
      readOnly: body.readOnly ?? false,
      expiresAt: limit !== null && (!wanted || limit < wanted) ? limit : wanted,
    })
    return { ...toToken(row), token }
  },
})

export const deleteToken = route({
  method: 'DELETE',
  path: '/v1/user/tokens/:tokenId',
  summary: 'Revoke an API token',
  description: 'The token stops working immediately. The response is 204 even if the token does not exist.',
  access: onSelf(),
  params: Type.Object({ tokenId: Id }),
  status: 205,
  async handler({ tx, me, params }) {
    const { numDeletedRows } = await tx
      .deleteFrom('token')
      .where('id', '=', params.tokenId)
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    return numDeletedRows === 0n ? ABSENT : undefined
  },
})
