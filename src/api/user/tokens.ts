import { Type } from 'typebox'
import { onSelf } from '../../access/on.ts'
import { invalid } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
import { GONE, route } from '../../http/route.ts'
import { Id, Timestamp, titleOf } from '../../model/common.ts'
import { insertToken, NewToken, Token, toToken } from '../../model/token.ts'

export const listTokens = route({
  method: 'GET',
  path: '/v1/user/tokens',
  summary: 'The API tokens of the caller, newest first',
  access: onSelf(),
  query: ListQuery,
  returns: listOf(Token),
  async handler({ db, me, page }) {
    const mine = db.selectFrom('token').where('userId', '=', me.userId)
    const rows = await mine
      .selectAll()
      .$if(page.after !== undefined, (query) => query.where('id', '<', textAfter(page) ?? ''))
      .orderBy('id', 'desc')
      .limit(page.limit + 1)
      .execute()
    const { count } = await mine.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    return listPage(rows.map(toToken), Number(count), page, ({ id }) => [id])
  },
})

export const createToken = route({
  method: 'POST',
  path: '/v1/user/tokens',
  summary: 'Make an API token that acts as the caller',
  description: 'The answer holds the token itself; it is shown this once.',
  access: onSelf(),
  body: Type.Object({
    label: titleOf(50),
    readOnly: Type.Optional(Type.Boolean({ default: false, description: 'Refuse everything but reading' })),
    expiresAt: Type.Optional(Timestamp),
  }),
  returns: NewToken,
  status: 201,
  location: ({ id }, at) => at.api(`/user/tokens/${id}`),
  async handler({ tx, me, body, now, newId }) {
    const expiresAt = body.expiresAt && new Date(body.expiresAt).toISOString()
    if (expiresAt && expiresAt <= now.toISOString()) {
      throw invalid('"expiresAt" must be in the future', [
        { path: 'body.expiresAt', message: 'is in the past' },
      ])
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
  summary: 'Revoke an API token, at once',
  description: 'Answers 204 too when the token is not there any more.',
  access: onSelf(),
  params: Type.Object({ tokenId: Id }),
  status: 205,
  async handler({ tx, me, params }) {
    const { numDeletedRows } = await tx
      .deleteFrom('token')
      .where('id', '=', params.tokenId)
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    return numDeletedRows === 0n ? GONE : undefined
  },
})
