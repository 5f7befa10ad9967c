import { Type } from 'typebox'
import { onAccount, onSelf } from '../../access/checks/on.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { endSession, endSessions, Session, sessionsOf, toSession } from '../../model/people/session.ts'

export const listSessions = route({
  method: 'GET',
  path: '/v1/user/sessions',
  summary: 'List the browsers in which the caller is signed in, newest first',
  access: onSelf(),
  query: ListQuery,
  returns: listOf(Session),
  async handler({ db, me, page, now, sessionTimes }) {
    const list = await listRows(sessionsOf(db, me, now, sessionTimes), page, { by: ['id'], order: 'desc' })
    return { ...list, items: list.items.map((row) => toSession(row, me, sessionTimes)) }
  },
})

export const endSessionById = route({
  method: 'DELETE',
  path: '/v1/user/sessions/:sessionId',
  summary: 'End a session of the caller',
  description:
    'The session ends immediately, in the browser that it belongs to. The response is 204 even if the session does not exist.',
  access: onSelf(),
  params: Type.Object({ sessionId: Id }),
  status: 205,
  async handler({ tx, me, params }) {
    return (await endSession(tx, me, params.sessionId)) ? undefined : ABSENT
  },
})

export const endOtherSessions = route({
  method: 'DELETE',
  path: '/v1/user/sessions',
  summary: 'End all other sessions of the caller',
  description:
    'Also deletes the tokens of sign-ins with `POST /v1/account/sessions`. The session or token of the request is kept, and so are API tokens.',
  access: onAccount(),
  status: 205,
  async handler({ tx, me }) {
    await endSessions(tx, me.userId, me)
  },
})
