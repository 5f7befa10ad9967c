import { Type } from 'typebox'
import { onSelf } from '../../access/on.ts'
import { invalidField } from '../../http/errors.ts'
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
  description: 'The response contains the token. It cannot be retrieved again.',
  access: onSelf(),
  body: Type.Object({
    label: titleOf(50),
    readOnly: Type.Optional(Type.Boolean({ default: false, description: 'The token can only read' })),
    expiresAt: Type.Optional(Timestamp),
  }),
  returns: NewToken,
  status: 201,
  location: ({ id }, urls) => urls.api(`/user/tokens/${id}`),
  async handler({ tx, me, body, now, newId }) {
    const expiresAt = body.expiresAt && new Date(body.expiresAt).toISOString()
    if (expiresAt && expiresAt <= now.toISOString()) {
      throw invalidField('body.expiresAt', `must be in the future, but was ${body.expiresAt}`)
    }
    const { row, token } = await insertToken(tx, {
      id: newId(),
      userId: me.userId,
      label: body.label,
      now,
      readOnly: body.readOnly ?? false,
      expiresAt,
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
