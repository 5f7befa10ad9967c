import { Type } from 'typebox'
import { onSelf } from '../../access/checks/on.ts'
import { withinReach } from '../../access/roles/reached.ts'
import { invalidField, notFound, unauthorized } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import type { Tx } from '../../db/schema.ts'
import { ABSENT, type Caller, route } from '../../http/route.ts'
import { Id, Timestamp, titleSchema } from '../../model/common.ts'
import { insertTokenAuthorization, providerSession } from '../../model/membership/token-authorization.ts'
import { tryOwnPassword } from '../../model/people/sign-in.ts'
import { insertToken, NewToken, Token, toToken, toTokens } from '../../model/people/token.ts'
import { because } from '../../core/languages/reasons.ts'

const InToken = Type.Object({ tokenId: Id })

export const listTokens = route({
  method: 'GET',
  path: '/v1/user/tokens',
  summary: 'List the API tokens of the caller, newest first',
  access: onSelf(),
  query: ListQuery,
  returns: listOf(Token),
  async handler({ db, me, page }) {
    const mine = db
      .selectFrom('token')
      .selectAll()
      .where('userId', '=', me.userId)
      .where(withinReach(me, 'organizationId'))
    const list = await listRows(mine, page, { by: ['id'], order: 'desc' })
    return { ...list, items: await toTokens(db, list.items) }
  },
})

export const getToken = route({
  method: 'GET',
  path: '/v1/user/tokens/:tokenId',
  summary: 'Get an API token of the caller',
  access: onSelf(),
  params: InToken,
  returns: Token,
  async handler({ db, me, params }) {
    const row = await db
      .selectFrom('token')
      .selectAll()
      .where('userId', '=', me.userId)
      .where('id', '=', params.tokenId)
      .where(withinReach(me, 'organizationId'))
      .executeTakeFirst()
    if (!row) throw notFound('token')
    return toToken(row)
  },
})

export const createToken = route({
  method: 'POST',
  path: '/v1/user/tokens',
  summary: 'Create an API token for the caller',
  description:
    'The response contains the token. It cannot be retrieved again. If the token or session of the caller expires, the new token expires at that time at the latest, unless `password` is the password of the account. In a session by single sign-on, the new token is limited to the same organization, and authorized for it. All other tokens must be authorized for an organization that requires single sign-on.',
  access: onSelf(),
  body: Type.Object({
    label: titleSchema(50),
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
  async prepare({ db, body, ...rest }) {
    const { password } = body
    if (password === undefined) return
    await tryOwnPassword({ ...rest, db: db.read }, 'token', async (stored, { matches }) => {
      if (!(await matches(stored, password))) throw invalidField('body.password', because('password-wrong'))
    })
  },
  async handler({ tx, me, body, now, newId }) {
    const wanted = body.expiresAt && new Date(body.expiresAt).toISOString()
    if (wanted && wanted <= now.toISOString()) {
      throw invalidField('body.expiresAt', because('expiry-past', { time: String(body.expiresAt) }))
    }
    const own = await expiryOfCaller(tx, me)
    // A token that was stolen or lent must not live on in another one. A password proves more than the token does.
    const limit = body.password === undefined ? own : null
    const { row, token } = await insertToken(tx, {
      id: newId(),
      userId: me.userId,
      label: body.label,
      now,
      readOnly: body.readOnly ?? false,
      organizationId: me.organizationId,
      expiresAt: limit !== null && (!wanted || limit < wanted) ? limit : wanted,
    })
    const session = await providerSession(tx, me)
    if (session) await insertTokenAuthorization(tx, { tokenId: row.id, ...session, now })
    return { ...toToken(row, session && [session.organizationId]), token }
  },
})

/** When the token or session of the caller expires; null if never. @throws 401 if it has ended */
async function expiryOfCaller(tx: Tx, { tokenId, session }: Caller): Promise<string | null> {
  const [table, id] = session ? (['session', session.id] as const) : (['token', tokenId] as const)
  const own = await tx
    .selectFrom(table)
    .select('expiresAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(unauthorized)
  return own.expiresAt
}

export const deleteToken = route({
  method: 'DELETE',
  path: '/v1/user/tokens/:tokenId',
  summary: 'Revoke an API token',
  description: 'The token stops working immediately. The response is 204 even if the token does not exist.',
  access: onSelf(),
  params: InToken,
  status: 205,
  async handler({ tx, me, params }) {
    const { numDeletedRows } = await tx
      .deleteFrom('token')
      .where('id', '=', params.tokenId)
      .where('userId', '=', me.userId)
      .where(withinReach(me, 'organizationId'))
      .executeTakeFirst()
    return numDeletedRows === 0n ? ABSENT : undefined
  },
})
