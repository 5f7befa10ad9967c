/** Who shares the turns of the event loop. Nobody takes those of others, however they write their requests. */
import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { nextTurn, partyFor } from '../src/core/runtime/turns.ts'
import { siteServer } from '../src/sites/serve/server.ts'
import { inTurnsOfCaller, listeningInTurns } from '../src/server/taking-turns.ts'
import { createWorld } from './world.ts'

const world = await createWorld()
const SITES = 'sites.example.com'
const sites = siteServer(
  world.app.services,
  () => SITES,
  ({ headers }) => headers.host ?? '',
)

const TURNS = 5
const CROWD = 20

/** A listener whose requests take turns, as many as their header `turns` says, after their URL has been changed. */
function turnTaker(order: string[], ended: Map<IncomingMessage, () => void>): RequestListener {
  async function take(request: IncomingMessage) {
    request.url = sites.routeOf(request)
    for (let turn = Number(request.headers['turns']); turn > 0; turn--) {
      await nextTurn()
      order.push(String(request.headers['name']))
    }
    ended.get(request)!()
  }
  return listeningInTurns((request) => void take(request), {
    organizationOf: sites.organizationOf,
    ipOf: ({ headers }) => String(headers['ip'] ?? '192.0.2.1'),
  })
}

interface Sent {
  host: string
  url: string
  authorization?: string
  ip?: string
}

/** Sends requests one after the other in many lanes. @returns how many turns they have while another one has five */
async function turnsOfCrowd(crowd: (index: number) => Sent, other: Sent): Promise<number> {
  const order: string[] = []
  const ended = new Map<IncomingMessage, () => void>()
  const listener = turnTaker(order, ended)
  const send = ({ url, ...headers }: Sent, name: string, turns: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const request = { url, headers: { ...headers, name, turns: String(turns) } } as unknown as IncomingMessage
    ended.set(request, resolve)
    listener(request, {} as ServerResponse)
    return promise
  }
  const over = new AbortController()
  let sent = 0
  const lanes = Array.from({ length: CROWD }, async () => {
    while (!over.signal.aborted) await send(crowd(sent++), 'crowd', 1)
  })
  while (order.length < 2 * CROWD) await nextTurn()
  const before = order.length
  await send(other, 'other', TURNS)
  const taken = order.slice(before).filter((name) => name === 'crowd').length
  over.abort()
  await Promise.all(lanes)
  return taken
}

const API = 'api.example.com'
const fair = (turns: number) => assert(turns <= 4 * TURNS, `the crowd had ${turns} turns`)

test('readers of one organization do not take the turns of another one, whatever they send', async () => {
  const waysToBeMany: ((index: number) => Sent)[] = [
    (index) => ({ host: API, url: `/sites/crowd/guide/${index}?q=${index}` }),
    (index) => ({ host: API, url: `/sites/crowd?${index}` }),
    (index) => ({ host: API, url: '/sites/crowd/guide', authorization: `Bearer ${index}` }),
    (index) => ({ host: `crowd.${SITES}:${1000 + index}`, url: `/${index}/page` }),
    (index) => ({ host: API, url: '/sites/crowd/guide', ip: `198.51.${index % 256}.1` }),
  ]
  for (const crowd of waysToBeMany) {
    fair(await turnsOfCrowd(crowd, { host: API, url: '/sites/other/guide/page' }))
    fair(await turnsOfCrowd(crowd, { host: `other.${SITES}`, url: '/guide/page' }))
    fair(await turnsOfCrowd(crowd, { host: API, url: '/v1/user', authorization: 'Bearer other' }))
  }
})

test('a reader does not take the turns of others by reading the sites of many organizations', async () => {
  const crowd = (index: number) => ({ host: API, url: `/sites/crowd-${index}/guide`, ip: '198.51.100.7' })
  fair(await turnsOfCrowd(crowd, { host: API, url: '/sites/other/guide/page' }))
  fair(await turnsOfCrowd(crowd, { host: API, url: '/v1/user', authorization: 'Bearer other' }))
})

test('a user has no more turns with many tokens', async () => {
  const order: string[] = []
  const me = (userId: string) => ({ userId, tokenId: '', readOnly: false })
  const take = (userId: string, turns: number) =>
    inTurnsOfCaller(me(userId), '192.0.2.1', async () => {
      for (; turns > 0; turns--) {
        await nextTurn()
        order.push(userId)
      }
    })
  const crowd = Array.from({ length: CROWD }, () => take('crowd', 10))
  while (order.length < 2 * CROWD) await nextTurn()
  const before = order.length
  await take('other', TURNS)
  fair(order.slice(before).filter((name) => name === 'crowd').length)
  await Promise.all(crowd)
})

test('the access of a caller is checked in the turns of the user, not in those of the token', async (t) => {
  const { app, ada, organizationId } = world
  const parties: string[] = []
  t.mock.method(app.services, 'now', () => {
    parties.push(partyFor(organizationId).user)
    return new Date()
  })
  const { body, status } = await ada('POST /v1/user/tokens', { label: 'another' })
  assert.equal(status, 201)
  for (const token of [ada.token, body.token]) {
    parties.length = 0
    const authorization = `Bearer ${token}`
    const created = await ada(`POST /v1/orgs/${organizationId}/spaces`, {}, { authorization })
    assert.equal(created.status, 201)
    const [first, ...others] = parties
    assert.equal(first, authorization, 'until the user is known')
    assert.deepEqual(new Set(others), new Set([ada.id]))
  }
})

test('callers of the API do not take the turns of others', async () => {
  const crowd = (index: number) => ({ host: API, url: `/v1/spaces/${index}`, authorization: 'Bearer crowd' })
  fair(await turnsOfCrowd(crowd, { host: API, url: '/v1/spaces/1', authorization: 'Bearer other' }))
  fair(await turnsOfCrowd(crowd, { host: API, url: '/v1/spaces/1' }))
})
