/** What a DELETE answers: 205 for what was there, 204 for what was gone already. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { Type } from 'typebox'
import { anyone } from '../../src/access/checks/on.ts'
import { lastUses } from '../../src/access/credentials/last-uses.ts'
import { rateLimiter } from '../../src/http/limits/rate.ts'
import { ABSENT, route } from '../../src/http/route.ts'
import { answerError, mountRoutes, NO_SCHEMA_CHECKS } from '../../src/server/mount.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

const deleteThing = route({
  method: 'DELETE',
  path: '/v1/things/:name',
  summary: 'Delete a thing',
  access: anyone(),
  params: Type.Object({ name: Type.String() }),
  status: 205,
  async handler({ params }) {
    return params.name === 'gone' ? ABSENT : undefined
  },
})

const server = fastify({ schemaController: NO_SCHEMA_CHECKS })
let described: { response?: Record<string, unknown> } | undefined
server.addHook('onRoute', ({ schema }) => void (described = schema as typeof described))
server.setErrorHandler(answerError)
mountRoutes(server, [{ name: 'deleteThing', route: deleteThing, file: 'things' }], {
  services: world.app.services,
  listeners: world.app.listeners,
  tokens: lastUses(world.db, 'token'),
  scimTokens: lastUses(world.db, 'scimToken'),
  sessions: lastUses(world.db, 'session'),
  take: rateLimiter(100),
})
await server.ready()

test('DELETE responds with 205 the first time and 204 after that, without content', async () => {
  const there = await server.inject({ method: 'DELETE', url: '/v1/things/there' })
  assert.deepEqual([there.statusCode, there.body], [205, ''])
  const gone = await server.inject({ method: 'DELETE', url: '/v1/things/gone' })
  assert.deepEqual([gone.statusCode, gone.body], [204, ''])
})

test('both are in the description of the API', () => {
  assert.deepEqual(Object.keys(described?.response ?? {}), ['204', '205'])
})
