/** How the declared routes are described by the OpenAPI document. */
import type { TSchema } from 'typebox'
import type { Route } from '../http/route.ts'
import { takesIfMatch } from './preconditions.ts'
import { isScimPath } from './scim-responses.ts'

/** The groups of the API reference, in its order, with what they are about. */
export const TAGS: Record<string, string> = {
  root: 'What the server is and can do.',
  account: 'Passwords, sessions of browsers, and invitations. No token is required.',
  user: 'The caller: their tokens, sessions, passkeys, settings and notifications.',
  users: 'The users that the caller can see.',
  orgs: 'Organizations, and what a member can do with all of one.',
  members: 'The members of an organization and their roles.',
  teams: 'Teams of members, which get roles together.',
  invites: 'Invitations by e-mail.',
  'link-invites': 'Invitations by a link that several people can use.',
  join: 'Joining an organization by its domain.',
  ping: 'When a member was last seen.',
  sso: 'Members for whom single sign-on is required.',
  saml: 'Identity providers by SAML.',
  oidc: 'Identity providers by OpenID Connect.',
  'scim-tokens': 'Tokens with which an identity provider keeps members up to date.',
  'token-authorizations': 'API tokens that open an organization which requires single sign-on.',
  'email-domains': 'Domains of e-mail addresses, whose owners an organization trusts.',
  fonts: 'Fonts of an organization, which the look of its sites can have.',
  'audit-events': 'The log of an organization: who changed what, and when.',
  'audit-event-actions': 'The actions that the log has.',
  favourites: 'The spaces, collections and sites that the caller keeps at hand.',
  collections: 'Groups of spaces, and who may do what in them.',
  spaces: 'Spaces with their content, revisions, comments, permissions and links.',
  'page-templates': 'Pages with which a new page can begin: those of Lectern, and those of the organization.',
  'space-templates': 'Pages with which a new space can begin.',
  'change-requests': 'Proposed changes of an organization, over all its spaces.',
  'custom-fields': 'Fields that an organization gives its spaces.',
  translations: 'Spaces that are kept as translations of others.',
  'translations-glossary': 'The terms of an organization in its languages.',
  openapi: 'OpenAPI specifications and their versions.',
  storage: 'Uploads.',
  search: 'Search over all spaces that the caller can read.',
  sites: 'Published sites: structure, appearance, readers, redirects and insights.',
  subdomains: 'Names of organizations in the addresses of their sites.',
  'custom-hostnames': 'Domains of sites.',
  certificates: 'Which domains may have certificates, for proxies that fetch them.',
  urls: 'What an address of a site shows.',
  installation: 'The installation itself, for its administrators: copies, jobs, storage and mail.',
}

/** The errors that operations can have, by their status, with what the caller can do. */
const ERRORS: Record<number, string> = {
  400: 'The request is wrong. The message names each field and what to send.',
  401: 'A valid token or session is required.',
  403: 'The caller may not do this. The message names the permission.',
  404: 'It does not exist, or the caller cannot see it.',
  409: 'The state of the resource does not allow it.',
  412: '`If-Match` is not the current `ETag`.',
  413: 'The body is too large.',
  415: 'The body has another media type.',
  422: 'Another request was sent with the same `Idempotency-Key`.',
  429: 'Too many requests. `Retry-After` has the seconds to wait.',
  500: 'The server failed. The message has the id of the request.',
  503: 'Something that the server needs does not respond. Retry after `Retry-After` seconds.',
}

/** The responses for errors as components: `Error404` and the others, and `Error` for those that are not listed. */
export const ERROR_RESPONSES = Object.fromEntries([
  ...Object.entries(ERRORS).map(([status, text]) => [`Error${status}`, errorResponse(text)]),
  ['Error', errorResponse('The request failed. The message states the reason and what to change.')],
])

/** What responses to successful requests are called, by their status, unless their schema has a description. */
export const SUCCESSES: Record<string, string> = { 200: 'The result', 201: 'What was created' }

function errorResponse(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

/** The schema with which Fastify's plug-in describes a route as an operation. */
export function describedOperation(route: Route, name: string): { response: Record<string, TSchema> } {
  const { summary, description, params, query, access } = route
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary,
    description: [description, `Required permission: ${access.needs}.`].filter(Boolean).join('\n\n'),
    ...(params ? { params } : {}),
    ...(isScimPath(route.path) ? { hide: true } : {}),
    ...(query ? { querystring: query } : {}),
    ...describedBody(route),
    ...describedHeaders(route),
    ...(access.open ? { security: access.open === true ? [] : [{}, { user: [] }] } : {}),
    response: describedResponses(route),
  } as { response: Record<string, TSchema> }
}

/** The statuses of the errors that an operation can have, in order. */
export function errorStatuses(route: Route): number[] {
  const { method, params, query, body, takes, access } = route
  const changes = method !== 'GET' && !route.reads
  const found = {
    400: params ?? query ?? body ?? takes,
    401: access.open !== true,
    403: access.open !== true,
    404: params ?? query,
    409: changes,
    412: takesIfMatch(route),
    413: body ?? takes,
    415: body ?? takes,
    422: method === 'POST' && changes,
    429: true,
    500: true,
    503: true,
  }
  return Object.entries(found)
    .filter(([, has]) => has)
    .map(([status]) => Number(status))
}

/** The group in the API reference: the first word of the path, or the second for resources of an organization. */
function tagOf({ path }: Route): string {
  const [first = 'root', second] = path
    .split('/')
    .filter((word) => word && word !== 'v1' && !word.startsWith(':'))
  return first === 'orgs' && second ? second : first
}

function describedBody({ body, takes }: Route): object {
  if (takes) return { consumes: takes.contentTypes, body: BYTES }
  return body ? { body } : {}
}

const BYTES = { type: 'string', format: 'binary' }

/** The headers that change what a request does. */
function describedHeaders(route: Route): object {
  const header = (name: string, description: string) => ({
    headers: { type: 'object', properties: { [name]: { type: 'string', description } } },
  })
  if (route.method === 'POST' && !route.reads)
    return header(
      'Idempotency-Key',
      'A key of 1 to 255 characters that names this request. If the same user sends it again within a day, the server makes no second change and responds as it did.',
    )
  if (takesIfMatch(route))
    return header(
      'If-Match',
      'The `ETag` of the `GET` of this address. If it has another one by now, the response is 412 and nothing changes.',
    )
  return {}
}

function describedResponses(route: Route): object {
  const { method, returns } = route
  const status = route.status ?? (returns === undefined ? 204 : 200)
  const absent = method === 'DELETE' && status !== 204 ? { 204: noContent(204, 'Did not exist') } : {}
  return { [status]: describedResponse(route, status), ...absent }
}

function describedResponse({ returns, media = ['*/*'] }: Route, status: number): object {
  if (returns === undefined) return noContent(status)
  if (returns === 'events')
    return {
      description: 'Server-sent events, until the client leaves',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    }
  if (returns === 'download')
    return {
      description: 'The bytes',
      content: Object.fromEntries(
        media.map((type) => [type, { schema: type === 'application/json' ? { type: 'object' } : BYTES }]),
      ),
    }
  return returns
}

const noContent = (status: number, description = status === 205 ? 'Deleted' : 'Done') => ({
  type: 'null',
  description,
})
