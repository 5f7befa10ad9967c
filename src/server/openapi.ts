import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { ERROR_SCHEMA } from '../http/errors.ts'
import { sendJson } from '../http/response/answer.ts'
import { clientOf } from '../http/limits/networks.ts'
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

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Adds `GET /openapi.json` and the interactive reference at `/docs`, both generated from the declared routes. */
export async function describeApi(server: FastifyInstance, url: () => string): Promise<void> {
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
    },
    transformObject: (document) => finish(document, url()),
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
  let described: object | undefined
  server.get('/openapi.json', { schema: { hide: true } }, async (request, reply) =>
    sendJson(request, reply, (described ??= Object.freeze({ ...server.swagger() })), {
      immutable: false,
      caller: () => clientOf(request.ip),
    }),
  )
}

/** Moves titled schemas to components, and adds the error response and the server URL. */
function finish(document: object, url: string): Record<string, unknown> {
  const { openapiObject } = document as { openapiObject: { paths: Json; components: Record<string, Json> } }
  const schemas: Record<string, Json> = { Error: ERROR_SCHEMA }
  const paths = addErrors(hoist(openapiObject.paths, schemas))
  return {
    ...openapiObject,
    servers: [{ url }],
    paths,
    components: { ...openapiObject.components, schemas },
  }
}

function hoist(value: Json, schemas: Record<string, Json>): Json {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas))
  if (value === null || typeof value !== 'object') return value

  if (typeof value['x-recursive'] === 'string')
    return { $ref: `#/components/schemas/${value['x-recursive']}` }
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hoist(item, schemas)]))
  const { title, type } = copy
  if (typeof title !== 'string' || (type === undefined && !copy.anyOf && !copy.oneOf)) return copy
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}

const ERROR_ANSWER = {
  description: 'The request failed. The message states the reason and what to change.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function addErrors(paths: Json): Json {
  for (const methods of Object.values(paths as Record<string, Record<string, Record<string, Json>>>)) {
    for (const operation of Object.values(methods)) {
      operation.responses = { ...(operation.responses as Record<string, Json>), default: ERROR_ANSWER }
    }
  }
  return paths
}
