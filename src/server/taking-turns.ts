import type { IncomingMessage, RequestListener } from 'node:http'
import { SESSION_COOKIE } from '../access/credentials/sessions.ts'
import { identified, takingTurns } from '../core/runtime/turns.ts'
import { cookieOf } from '../http/request/cookies.ts'
import { clientOf, partyOf } from '../http/limits/networks.ts'
import type { Caller } from '../http/route.ts'

/** Finds out about requests before the server routes them. */
export interface Senders {
  /** The organization whose site a request is for, by the URL that the client sent; undefined if none. */
  organizationOf(request: IncomingMessage, url: string): string | undefined
  /** The IP address of the client. */
  ipOf(request: IncomingMessage): string
}

/**
 * A listener for requests that does its work in the turns of their parties: those of the caller; or those of the network
 * of a reader and of the organization whose site they read, because a reader can send any token.
 */
export function listeningInTurns(
  listener: RequestListener,
  { organizationOf, ipOf }: Senders,
): RequestListener {
  return (request, response) => {
    // The server changes the URL of a request before it routes it.
    const { url = '/' } = request
    const sender = () => {
      const organization = organizationOf(request, url)
      return organization === undefined
        ? { user: senderOf(request) }
        : { user: networkOf(ipOf(request)), organization: `readers of ${organization}` }
    }
    takingTurns(sender, () => listener(request, response))
  }
}

/**
 * Does the work of a caller of the API in their turns, whichever of their tokens and sessions they use; without a user,
 * in those of their network.
 */
export function inTurnsOfCaller<T>({ userId }: Caller, ip: string, work: () => T): T {
  return userId === ''
    ? identified({ user: networkOf(ip) }, undefined, work)
    : identified({ user: userId }, userId, work)
}

/** The largest network around a client: one customer may have all of it. */
const networkOf = (ip: string): string => partyOf(clientOf(ip))

/** Until the caller is known: the bearer of a token, the owner of a session, or all others together. */
const senderOf = (request: IncomingMessage) =>
  request.headers.authorization ?? cookieOf(request, SESSION_COOKIE) ?? 'nobody'
