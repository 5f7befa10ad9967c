/** Makes the requests of the matrix and the resources that they name. */
import type { Person } from '../world.ts'
import type { Names } from './expected.ts'
import type { Things } from './things.ts'

export interface Call extends Names {
  params?: Record<string, string>
  /** A list is sent by repeating its name. */
  query?: Record<string, string | string[]>
  /** A function makes it when the request is sent. */
  body?: unknown
  /** Another caller, for requests that work once or that end somebody’s access. */
  as?: Person
  /** Requirements beyond those that the route declares, from the query or the body, in the order of their checks. */
  asks?: string | string[]
}

/** The caller, and a new user of the same kind. */
export interface Caller {
  person: Person
  /** True if the user’s token can make what the request needs. */
  writes: boolean
  /** The organization to which the session of the caller is limited. */
  limitedTo?: string
  another(): Promise<Person>
}

/** Makes a request in an organization for a user. */
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

/** A request with a code of a second factor. */
export const withCode =
  (state: 'begun' | 'confirmed'): Make =>
  async (t, { another }) => {
    const as = await another()
    const code = await t.secondFactor(as.id, state)
    return { body: () => ({ code: code() }), as }
  }
