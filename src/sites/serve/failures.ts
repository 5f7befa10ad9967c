/** How sites respond to requests that fail. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../http/errors.ts'
import { logOutage, outageOf } from '../../http/response/outage.ts'
import { renderError } from '../render/page.ts'
import { pageHeaders } from './pages/page-headers.ts'
import { TEXT_TYPE, sendResponse, textResponse } from './responses.ts'

/** Sends an error as text, and an unexpected one as a page that names the request. */
export async function sendFailure(
  error: unknown,
  { request, reply, sandboxed }: { request: FastifyRequest; reply: FastifyReply; sandboxed: boolean },
): Promise<FastifyReply> {
  const outage = outageOf(error)
  const known = error instanceof ApiError ? error : (outage ?? errorOfBody(error))
  if (outage) logOutage(request, outage, error)
  else if (!known) request.log.error({ id: request.id, err: error }, 'unexpected error')
  if (known) {
    if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
    return sendResponse(request, reply, await textResponse(known.status, TEXT_TYPE, `${known.message}\n`))
  }
  const site = { language: 'en', title: 'Documentation', home: '/', tree: [], variants: [] }
  const page = renderError(site, request.id)
  const response = await textResponse(500, 'text/html; charset=utf-8', page, pageHeaders({ sandboxed }))
  return sendResponse(request, reply, response)
}

/** A body that the server cannot read: it is no JSON, or too large. */
function errorOfBody(error: unknown): ApiError | undefined {
  const { statusCode, message } = error as { statusCode?: number; message: string }
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new ApiError(statusCode, message)
    : undefined
}
