/** That a change is logged because its route is mounted, and not because somebody thought of it. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
import fastify from 'fastify'
import { Type } from 'typebox'
import { onOrg } from '../../src/access/checks/on.ts'
import { lastUses } from '../../src/access/credentials/last-uses.ts'
import { conflict } from '../../src/http/errors.ts'
import { rateLimiter } from '../../src/http/limits/rate.ts'
import { ABSENT, type Route, route } from '../../src/http/route.ts'
import { answerError, mountRoutes, NO_SCHEMA_CHECKS } from '../../src/server/mount.ts'
import { InOrganization } from '../../src/model/common.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const inThing = Type.Object({ ...InOrganization.properties, thingId: Type.String() })
let runs = 0

const things = {
  createThing: route({
    method: 'POST',
    path: '/v1/orgs/:organizationId/things',
    summary: 'Make a thing, slowly',
    access: onOrg('admin'),
    params: InOrganization,
    body: Type.Object({ title: Type.String(), token: Type.Optional(Type.String()) }),
    returns: Type.Object({ id: Type.String(), title: Type.String(), secret: Type.String() }),
    async handler({ body }) {
      runs += 1
      await wait(300)
      return { id: 'made', title: body.title, secret: 'hidden' }
    },
  }),
  countThings: route({
    method: 'POST',
    path: '/v1/orgs/:organizationId/things/count',
    summary: 'Count things; a POST that changes nothing',
    access: onOrg('admin'),
    params: InOrganization,
    audit: false,
    async handler() {},
  }),
  deleteThing: route({
    method: 'DELETE',
    path: '/v1/orgs/:organizationId/things/:thingId',
    summary: 'Delete a thing',
    access: onOrg('admin'),
    params: inThing,
    async handler({ params }) {
      if (params.thingId === 'used') throw conflict('It is used')
      return params.thingId === 'gone' ? ABSENT : undefined
    },
  }),
}

const server = fastify({ schemaController: NO_SCHEMA_CHECKS })
server.setErrorHandler(answerError)
mountRoutes(
  server,
  Object.entries<Route>(things).map(([name, thing]) => ({ name, route: thing, file: 'things' })),
  {
    services: world.app.services,
    listeners: world.app.listeners,
    tokens: lastUses(world.db, 'token'),
    scimTokens: lastUses(world.db, 'scimToken'),
    sessions: lastUses(world.db, 'session'),
    take: rateLimiter(1000),
  },
)
await server.ready()

const send = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
  const url = `/v1/orgs/${organizationId}/things${path}`
  const headers = { authorization: `Bearer ${ada.token}` }
  const { statusCode } = await server.inject({ method, url, headers, ...(body && { payload: body }) })
  return statusCode
}
const eventsOfThings = async () => {
  const { body } = await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=100`)
  return (body.items as { id: string; action: string; target: object }[]).filter(({ action }) =>
    action.startsWith('thing.'),
  )
}

test('a route is logged without a word about it in its declaration; its secrets are not', async () => {
  assert.equal(await send('POST', '', { title: 'Lamp', token: 'hidden' }), 200)
  assert.equal(await send('DELETE', '/there'), 204)
  const [deleted, made] = await eventsOfThings()
  assert.deepEqual([deleted?.action, deleted?.target], ['thing.delete', { type: 'thing', id: 'there' }])
  assert.deepEqual(
    [made?.action, made?.target],
    ['thing.create', { type: 'thing', id: 'made', label: 'Lamp' }],
  )
  const { body } = await ada(`GET /v1/orgs/${organizationId}/audit-events/${made?.id}`)
  assert.deepEqual(body.payload, { after: { id: 'made', title: 'Lamp' }, fields: ['title', 'token'] })
})

test('what failed, was gone, or changes nothing by declaration is not logged', async () => {
  const before = (await eventsOfThings()).length
  assert.equal(await send('DELETE', '/used'), 409)
  assert.equal(await send('DELETE', '/gone'), 204)
  assert.equal(await send('POST', '/count'), 204)
  assert.equal((await eventsOfThings()).length, before)
})

test('a long change is not run again because shorter ones were logged meanwhile', async () => {
  runs = 0
  const long = send('POST', '', { title: 'Long' })
  const short: Promise<{ status: number }>[] = []
  for (let i = 0; i < 20; i++) {
    await wait(20)
    short.push(ada(`PATCH /v1/orgs/${organizationId}`, { title: `Title ${i}` }))
  }
  assert.equal(await long, 200)
  assert.deepEqual(new Set((await Promise.all(short)).map(({ status }) => status)), new Set([200]))
  assert.equal(runs, 1)
})
