import type { IncomingMessage, RequestListener } from 'node:http'
import { SESSION_COOKIE } from './access/sessions.ts'
import { takingTurns } from './core/turns.ts'
import { cookieOf } from './http/cookies.ts'

/**
 * A listener for requests that does its work in the turns of their parties: those of the caller, or of all readers of an
 * organization's sites together, because a reader can send any token.
 * @param organizationOf the organization whose site a request is for, by the URL that the client sent; undefined if none
 */
export function listeningInTurns(
  listener: RequestListener,
  organizationOf: (request: IncomingMessage, url: string) => string | undefined,
): RequestListener {
  return (request, response) => {
    // The server changes the URL of a request before it routes it.
    const { url = '/' } = request
    const partyOf = () => {
      const organization = organizationOf(request, url)
      return organization === undefined ? senderOf(request) : `readers of ${organization}`
    }
    takingTurns(partyOf, () => listener(request, response))
  }
}

/** Does the work of a caller of the API in their turns. */
export function inTurnsOfCaller<T>(request: IncomingMessage, work: () => T): T {
  return takingTurns(() => senderOf(request), work)
}

/** The bearer of a token, the owner of a session, or all others together. */
const senderOf = (request: IncomingMessage) =>
  request.headers.authorization ?? cookieOf(request, SESSION_COOKIE) ?? 'nobody'
