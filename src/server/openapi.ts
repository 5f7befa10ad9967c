import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { ERROR_SCHEMA } from '../http/errors.ts'
import { sendJson } from '../http/response/answer.ts'
import { clientOf, partyOf } from '../http/limits/networks.ts'
import { sendEncoded } from '../http/response/encodings.ts'
import { yaml } from '../core/runtime/libraries.ts'
import { ERROR_RESPONSES, errorStatuses, SUCCESSES, TAGS } from './described.ts'
import type { NamedRoute } from './routes.ts'
import { VERSION } from '../core/runtime/version.ts'

/** The Content-Security-Policy of the reference, except for the address of the API. Its icons are `data:` URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A response of an operation, as the plug-in describes it. */
interface ApiResponse {
  description: string
  content?: Record<string, object>
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Adds `GET /openapi.json` and the interactive reference at `/docs`, both generated from the declared routes. */
export async function describeApi(
  server: FastifyInstance,
  routes: readonly NamedRoute[],
  url: () => string,
): Promise<void> {
  const errors = new Map(routes.map(({ route, name }) => [name, errorStatuses(route)]))
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lectern API',
        version: VERSION,
        description: 'The HTTP JSON API of Lectern.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: { user: { type: 'http', scheme: 'bearer', description: 'An API token' } },
      },
      security: [{ user: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    },
    transformObject: (document) => finish(document, url(), errors),
  })
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    // "Try it out" sends requests to the public URL, which the page need not have been opened at.
    transformStaticCSP: (policy) => `${policy}; connect-src 'self' ${url()}`,
    theme: {
      title: 'Lectern API',
      css: [{ filename: 'own.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
  // Frozen, so that it is written and compressed once.
  let made: object | undefined
  const document = () => (made ??= Object.freeze({ ...server.swagger() }))
  server.get('/openapi.json', { schema: { hide: true } }, async (request, reply) =>
    sendJson(request, reply, document(), { immutable: false, caller: () => clientOf(request.ip) }),
  )
  let written: string | undefined
  server.get('/openapi.yaml', { schema: { hide: true } }, async (request, reply) => {
    written ??= yaml().stringify(document(), { aliasDuplicateObjects: false })
    const [text, party] = [written, () => partyOf(clientOf(request.ip))]
    return sendEncoded(request, reply.type('application/yaml; charset=utf-8'), party, () => text)
  })
}

/** Moves titled schemas to components, and adds the error response and the server URL. */
function finish(
  document: object,
  url: string,
  errors: ReadonlyMap<string, number[]>,
): Record<string, unknown> {
  const { openapiObject } = document as {
    openapiObject: { info: object; paths: Json; components: Record<string, Json> }
  }
  const schemas: Record<string, Json> = { Error: ERROR_SCHEMA }
  const paths = addErrors(hoist(openapiObject.paths, schemas), errors, readExamples())
  return {
    ...openapiObject,
    info: { ...openapiObject.info, contact: { name: 'The administrators of this installation', url } },
    servers: [{ url }],
    paths,
    components: { ...openapiObject.components, schemas, responses: withErrorExamples() },
  }
}

function hoist(value: Json, schemas: Record<string, Json>): Json {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas))
  if (value === null || typeof value !== 'object') return value

  if (typeof value['x-recursive'] === 'string')
    return { $ref: `#/components/schemas/${value['x-recursive']}` }
  const named = value.discriminator === undefined ? value : withNamedVariants(value)
  const copy = Object.fromEntries(Object.entries(named).map(([key, item]) => [key, hoist(item, schemas)]))
  const { title, type } = copy
  if (typeof title !== 'string' || (type === undefined && !copy.anyOf && !copy.oneOf)) return copy
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}

/** A schema as the routes declare it. */
interface Variant {
  title?: string
  properties: Record<string, { enum: string[] }>
}

/**
 * Names the variants of a discriminated union, so that `hoist()` moves them to the components: a discriminator ignores
 * inline schemas (OpenAPI 3.1.1, 4.8.25), and generators of clients refuse them. A variant without a title is named after
 * the union and its value of the discriminator.
 */
function withNamedVariants(union: Record<string, Json>): Record<string, Json> {
  const keyword = union.oneOf ? 'oneOf' : 'anyOf'
  const { propertyName } = union.discriminator as { propertyName: string }
  const name = union.title as string
  const mapping: Record<string, string> = {}
  const variants = (union[keyword] as unknown as Variant[]).map((variant) => {
    const values = variant.properties[propertyName]?.enum ?? []
    const title = variant.title ?? `${name}${values.map(inPascalCase).join('')}`
    for (const value of values) mapping[value] = `#/components/schemas/${title}`
    return { ...variant, title }
  })
  return { ...union, [keyword]: variants, discriminator: { propertyName, mapping } }
}

const inPascalCase = (word: string) =>
  word.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Recorded responses, by the operation, or those of errors, by the status. `npm run examples` records them. */
const readExamples = (file: 'examples.json' | 'error-examples.json' = 'examples.json') =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Record<string, Json>

/** The responses for errors, those for mistakes of the caller with an example. All operations share them. */
function withErrorExamples(): Json {
  const examples = readExamples('error-examples.json')
  const responses = { ...ERROR_RESPONSES }
  for (const [status, example] of Object.entries(examples)) {
    const name = `Error${status}`
    const response = responses[name]
    if (response) responses[name] = withExample(response, example)
  }
  return responses
}

/** Adds the errors that each operation can have and an example of its response, and calls the others by what they are. */
function addErrors(
  paths: Json,
  errors: ReadonlyMap<string, number[]>,
  examples: Readonly<Record<string, Json>>,
): Json {
  for (const methods of Object.values(paths as Record<string, Record<string, Record<string, Json>>>)) {
    for (const operation of Object.values(methods)) {
      const statuses = errors.get(operation.operationId as string) ?? []
      const named = statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }])
      const successes = Object.entries(operation.responses as unknown as Record<string, ApiResponse>)
      const example = examples[operation.operationId as string]
      operation.responses = {
        ...(Object.fromEntries(
          successes.map(([status, one]) => [status, withExample(described(one, status), example)]),
        ) as object),
        ...(Object.fromEntries(named) as Record<string, Json>),
        default: { $ref: '#/components/responses/Error' },
      }
    }
  }
  return paths
}

/** A response of JSON with an example. */
function withExample<R extends { content?: Record<string, object> }>(
  response: R,
  example: Json | undefined,
): R {
  const json = response.content?.['application/json']
  if (!json || example === undefined) return response
  return { ...response, content: { ...response.content, 'application/json': { ...json, example } } }
}

/** A response with a description. The plug-in calls those without one "Default Response". */
function described<R extends { description: string }>(response: R, status: string): R {
  const description = SUCCESSES[status]
  return response.description === 'Default Response' && description ? { ...response, description } : response
}
