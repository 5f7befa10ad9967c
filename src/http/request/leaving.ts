import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'
import { because } from '../../core/languages/reasons.ts'

/** A status for the log alone, as other servers write it. */
const CLIENT_LEFT = 499

/** The error of a request whose client has closed the connection. */
export const clientLeft = () => new ApiError(CLIENT_LEFT, because('client-left'))

/** The reason once the answer was sent: most requests end so, and the stack of an error takes long to collect. */
const OVER = clientLeft()

/** A signal that aborts with `clientLeft()` when the client leaves, and at the latest when the request is over. */
export function leaving({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const leave = () => controller.abort(raw.writableFinished ? OVER : clientLeft())
  if (raw.closed) leave()
  else raw.once('close', leave)
  return controller.signal
}
