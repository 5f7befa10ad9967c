import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../../http/errors.ts'
import type { Caller, CallerSession, Services } from '../../http/route.ts'
import type { Html } from '../../core/text/html.ts'
import type { PagePhrase, Wording } from '../render/words.ts'

/** A request for a page of the server itself. */
export interface PageRequestContext {
  request: FastifyRequest
  services: Services
  now: Date
  /** The fields of the form that was sent, or else of the query. */
  form: URLSearchParams
  params: Record<string, string>
  /** The signed-in user, or undefined. */
  me: SignedIn | undefined
  /** Whether the browser accepts the cookie of a session here: only over HTTPS, or on the machine itself. */
  keepsCookies: boolean
  /** The words of the page, in the language of the person. */
  wording: Wording
  /** The page of the console, which shows what its address names. */
  console(): Promise<PageAnswer>
  /** Calls an operation of the API as the user, by its name. It checks, limits and logs what the page does. */
  call(operation: string, input?: ApiInput): Promise<ApiAnswer>
}

/** The input that a page sends to an operation. */
export interface ApiInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

/** A user with the session that identifies them. */
export type SignedIn = Caller & { session: CallerSession }

/** The response of an operation, or the error with which it refused. */
export interface ApiAnswer {
  error?: ApiError
  // The pages read responses of many shapes, which the schemas of their routes describe.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** The answer to a browser: a page, a redirect, or JSON for the script of a page. */
export type PageAnswer = { cookies?: string[] } & (
  | {
      status?: number
      page: Html
      /** The seconds after which a retry may succeed. */
      retryAfter?: number | undefined
      /** The content security policy, if it is not that of all pages. */ policy?: string
    }
  | { location: string }
  | { status?: number; json: object }
)

/** Responds to the requests for one address. */
export type PageHandler = (context: PageRequestContext) => Promise<PageAnswer>

/** The message of a refusal, for a person at a form, who does not see the places of fields in a request. */
export function refusalText(refusal: ApiError, wording: Wording): string {
  const { t } = wording
  const faults = refusal.details?.map((fault) => {
    const name = fault.path.replace(/^body\./, '')
    const field = Object.hasOwn(LABELS, name) ? t(LABELS[name]!) : `“${name}”`
    return t('{field} {fault}', { field, fault: wording.message(fault) })
  })
  const text = faults?.join(t('; ')) ?? wording.message(refusal)
  return t('{sentence}.', { sentence: `${text.charAt(0).toUpperCase()}${text.slice(1)}` })
}

const LABELS: Record<string, PagePhrase> = {
  code: 'the code',
  current: 'the present password',
  displayName: 'the name',
  email: 'the e-mail address',
  label: 'the name',
  password: 'the password',
  token: 'the code of the link',
}
