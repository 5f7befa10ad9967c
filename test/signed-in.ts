/** People who are signed in with a browser. */
import type { NewSession } from '../src/model/people/session.ts'
import { openSession } from '../src/model/people/session.ts'
import { SESSION_COOKIE } from '../src/access/credentials/sessions.ts'
import type { Person, World } from './world.ts'

/** Opens a session. @returns its id and the `Cookie` header of the browser */
export async function openSessionFor(
  { app, db, clock }: World,
  userId: string,
  fields: Partial<NewSession> = {},
): Promise<{ id: string; cookie: string }> {
  const id = app.services.newId()
  const now = clock.now ?? new Date()
  const { sessionTimes: times } = app.services
  const value = await db.write((tx) =>
    openSession(tx, {
      id,
      userId,
      method: 'password',
      ip: '127.0.0.1',
      userAgent: 'test',
      times,
      now,
      ...fields,
    }),
  )
  return { id, cookie: `${SESSION_COOKIE}=${value}` }
}

/** A user who sends requests from a page of the server, in a session instead of with a token. */
export async function inSession(
  world: World,
  { id }: Person,
  fields: Partial<NewSession> = {},
): Promise<Person & { cookie: string; sessionId: string }> {
  const { cookie, id: sessionId } = await openSessionFor(world, id, fields)
  const speak: Person = Object.assign(
    (request: string, body?: unknown, headers?: Record<string, string>) =>
      world.nobody(request, body, { cookie, 'sec-fetch-site': 'same-origin', ...headers }),
    { id, token: '' },
  )
  return Object.assign(speak, { cookie, sessionId })
}
