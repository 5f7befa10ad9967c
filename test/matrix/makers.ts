/** How the requests of the matrix are made: what they name is made for them. */
import type { Person } from '../world.ts'
import type { Names } from './expected.ts'
import type { Things } from './things.ts'

export interface Call extends Names {
  params?: Record<string, string>
  /** A list is sent by repeating its name. */
  query?: Record<string, string | string[]>
  body?: unknown
  /** Who calls instead, for what can be done once or ends somebody's access. */
  as?: Person
  /** What it needs besides what the route declares, because of what the query or the body names; the first asked first. */
  asks?: string | string[]
}

/** Who calls, and somebody new who is the same. */
export interface Caller {
  person: Person
  /** The person's token can make what the request needs. */
  writes: boolean
  another(): Promise<Person>
}

/** Makes a request in an organization, for somebody. */
export type Make = (things: Things, caller: Caller) => Promise<Call> | Call

export const inOrg = (t: Things) => ({ organizationId: t.organizationId })
export const org: Make = (t) => ({ params: inOrg(t) })
export const none: Make = () => ({})

export const space: Make = async (t) => ({ params: { spaceId: await t.space() } })
export const content: Make = async (t) => ({ params: (await t.content()).params })
export const changeRequest: Make = async (t) => ({ params: await t.changeRequest() })

export const withBody =
  (make: Make, body: unknown): Make =>
  async (t, caller) => ({ ...(await make(t, caller)), body })
