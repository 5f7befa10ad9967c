/**
 * Tests every operation with every kind of caller: the response follows from the declaration of the route and the rules
 * in docs/access.md, and is the same with a token as in a session. Also tests every id in a request with the ids of another organization. By default, a few kinds of
 * caller stand for the others.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorStatuses } from '../src/server/described.ts'
import { loadRoutes, type NamedRoute } from '../src/server/routes.ts'
import { AUDITED } from './matrix/audited.ts'
import { CALLS } from './matrix/calls.ts'
import type { Call, Caller, Make } from './matrix/makers.ts'
import { cpuTime } from './cpu.ts'
import { isLongRun, onlyLong, shareOf } from './effort.ts'
import { callersOf, grantTo, type Kind, representativesOf } from './matrix/callers.ts'
import { changes, rowsOf } from './matrix/database.ts'
import { inBody, onThing, verdict, type Verdict, withoutGrant } from './matrix/expected.ts'
import { idPlaces, likeOf, requestOf, type Swap, swapsOf } from './matrix/swap.ts'
import { thingsIn } from './matrix/things.ts'
import { mailbox } from './mailbox.ts'
import { type Answer, createWorld, type Person } from './world.ts'

const routes = await loadRoutes()
const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { mail: mailbox() })
const { ada, db } = world
const bob = await world.stranger('bob')
const here = thingsIn(world, { admin: ada, organizationId: world.organizationId, domain: 'example.com' })
const elsewhere = thingsIn(world, {
  admin: bob,
  organizationId: bob.organizationId,
  domain: 'elsewhere.example',
})
const callers = await callersOf(world)

const makesOf = (name: string): Make[] => [CALLS[name] ?? []].flat()
const bodyOf = ({ body }: Call): unknown => (typeof body === 'function' ? body() : body)
let sent = 0
/** Each request comes from another network, because attempts to sign in are limited by network. */
const ask = (one: NamedRoute, person: Person, call: Call) =>
  person(requestOf(one, call), bodyOf(call), { 'x-forwarded-for': `10.${(sent += 1) >> 8}.${sent & 255}.1` })

/** A request of a caller, and what it should be answered. */
interface Attempt {
  kind: Kind
  person: Person
  call: Call
  expected: Verdict
}

let counter = 0
const makers = {
  here: {
    person: ada,
    writes: true,
    another: () => world.person(`admin-of-here-${(counter += 1)}`, 'admin'),
  },
  elsewhere: { person: bob, writes: true, another: () => world.stranger(`bob-${(counter += 1)}`) },
}

/** Routes of what an organization may have few of. The long run tries the callers of the default run, which make enough. */
const SCARCE = /\/(?:saml|oidc|custom-fields)/

/**
 * Requests that were made without looking at the caller. A caller who is refused can send them, because a refusal writes
 * nothing, and so can those who only read. The first who writes takes the request.
 */
const sharable = new Map<Make, Call>()
/** The requests of the other organization, where everybody is refused. */
const foreignCalls = new Map<Make, Call>()

// What the requests name is made before the first test, for all routes. As a refusal writes nothing, the rows before
// and after the requests of a route are then mostly the same ones, and need not be read again.
const requests = new Map<NamedRoute, Attempt[]>()
const swaps = new Map<NamedRoute, { person: Person; swap: Swap }[]>()
for (const one of routes) {
  requests.set(one, await requestsOf(one))
  swaps.set(one, await swapsFor(one))
  for (const make of makesOf(one.name)) if (isTakenBy(one, make)) sharable.delete(make)
}

/**
 * The kinds of caller that this run tries at a route: by default, some with a token, and the others in a session; in CI,
 * all, by turns with a token and in a session; in the long run, all in both ways.
 */
function callersFor(one: NamedRoute): Kind[] {
  const turn = routes.indexOf(one)
  if (isLongRun() && !SCARCE.test(one.route.path))
    return callers.flatMap((kind, i) =>
      kind.inSession ? shareOf([kind, kind.inSession], (turn + i) % 2, 2) : [kind],
    )
  const { access, method } = one.route
  const chosen = representativesOf(
    callers,
    (standing) => verdict(access.needs, method, standing) === 'allowed',
  )
  return chosen.map((kind, i) => ((turn + i) % 2 === 0 ? kind : (kind.inSession ?? kind)))
}

/** Makes a request for a caller, or takes the one that others are refused. */
async function sharableCall(make: Make, caller: Caller): Promise<Call> {
  const known = sharable.get(make)
  if (known) return known
  let isForAnyone = true
  const watched = new Proxy(caller, {
    get(target, key) {
      isForAnyone = false
      return Reflect.get(target, key) as unknown
    },
  })
  const call = await make(here, watched)
  if (isForAnyone) sharable.set(make, call)
  return call
}

/** The requests of the kinds of caller to a route. */
async function requestsOf(one: NamedRoute): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const make of makesOf(one.name)) {
    let isUsedUp = false
    for (const kind of callersFor(one)) {
      const known = await sharableCall(make, kind)
      const isShared = sharable.get(make) === known
      const isAllowed = expectedOf(one, kind, known) === 'allowed'
      const call = isShared && isAllowed && isUsedUp ? await make(here, kind) : known
      isUsedUp ||= isShared && isAllowed && !isRead(one)
      const person = call.as ?? kind.person
      await grantTo(world, kind.standing, person, call)
      attempts.push({ kind, person, call, expected: expectedOf(one, kind, call) })
    }
  }
  return attempts
}

async function swapsFor(one: NamedRoute): Promise<{ person: Person; swap: Swap }[]> {
  const found = []
  for (const make of makesOf(one.name)) {
    const own = await sharableCall(make, makers.here)
    for (const swap of swapsOf(one, own, await foreignCall(make))) found.push({ person: own.as ?? ada, swap })
  }
  return found
}

async function foreignCall(make: Make): Promise<Call> {
  const call = foreignCalls.get(make) ?? (await make(elsewhere, makers.elsewhere))
  foreignCalls.set(make, call)
  return call
}

/** Whether a caller of a route uses up the request that the others share. */
function isTakenBy(one: NamedRoute, make: Make): boolean {
  const shared = sharable.get(make)
  const isSent = requests.get(one)?.some(({ call, expected }) => call === shared && expected === 'allowed')
  return !isRead(one) && isSent === true
}

function isRead({ route }: NamedRoute): boolean {
  return route.method === 'GET' || route.reads === true
}

test('every route is in the table of calls, and nothing else is', () => {
  const names = routes.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => makesOf(name).length === 0),
    [],
    'these routes need a valid request in test/matrix/calls.ts',
  )
  assert.deepEqual(
    Object.keys(CALLS).filter((name) => !names.includes(name)),
    [],
  )
})

for (const [one, attempts] of requests) {
  test(`${one.name}: a caller without permission gets the declared error, and nothing changes`, async () => {
    const before = await rowsOf(db)
    for (const { kind, person, call, expected } of attempts) {
      if (expected === 'allowed') continue
      const answer = await ask(one, person, call)
      checkRefusal(one, `${one.name} as ${kind.name}`, answer, expected)
      if (expected !== 404) continue
      const nothing = await ask(one, person, { ...call, params: unknownParams(kind, call.params) })
      assert.deepEqual(
        unnamed(answer),
        unnamed(nothing),
        `${one.name} as ${kind.name}: as if it did not exist`,
      )
    }
    assert.deepEqual(changes(before, await rowsOf(db)), [])
  })
}

/** What a response says but for the kind that it names: of a path without any known id, the outermost is missing. */
function unnamed(answer: Parameters<typeof said>[0]) {
  const { status, text } = said(answer)
  const kind = /The ([\w ]+) does not exist/.exec(text)?.[1]
  if (kind === undefined) return { status, text }
  const message = text.replace(`The ${kind} does not exist`, 'It does not exist')
  return { status, text: message.replace(`"kind":"${kind}"`, '"kind":"thing"') }
}

function expectedOf({ route }: NamedRoute, { standing }: Kind, call: Call): Verdict {
  const method = route.reads ? 'GET' : route.method
  const verdicts = [verdict(route.access.needs, method, standing, call)]
  // What is asked besides is asked of something else, but for the space that the address names already.
  for (const asks of [call.asks ?? []].flat())
    verdicts.push(inBodyIf(asks, onThing(asks, asks.startsWith('space') ? standing : withoutGrant(standing))))
  if (verdicts[0] === 404 && standing.member && isInBody(call)) return 400
  return verdicts.find((one) => one !== 'allowed') ?? 'allowed'
}

function inBodyIf(asks: string, onIt: Verdict): Verdict {
  return /^(?:collection|people: named|specification)/.test(asks) ? inBody(onIt) : onIt
}

/** Whether the body names the space or collection that the request leads to. */
function isInBody({ leadsTo, body }: Call): boolean {
  return leadsTo !== undefined && Object.keys(body ?? {}).some((key) => [leadsTo, 'parent'].includes(key))
}

function checkRefusal({ route }: NamedRoute, what: string, answer: Answer, expected: Verdict): void {
  const status = typeof expected === 'object' ? expected.status : expected
  // What is not visible is as good as gone, and deleting what is gone is no error.
  const isGone = expected === 404 && route.method === 'DELETE' && answer.status === 204
  if (isGone) return
  assert.equal(answer.status, status, `${what}: ${answer.text}`)
  assert.equal(answer.body.error.code, status, what)
  assert(errorStatuses(route).includes(Number(status)), `${what}: ${status} is not in the description`)
  if (typeof expected === 'object' && expected.permission !== undefined)
    assert.match(answer.body.error.message, new RegExp(`"${expected.permission}"`), what)
}

function successOf({ route }: NamedRoute): number {
  return route.status ?? (route.returns === undefined ? 204 : 200)
}

const said = ({ status, text }: Answer) => ({ status, text })

/** Ids of nothing; to a member, in their organization, where there are others. */
function unknownParams({ standing }: Kind, params: Record<string, string> = {}): Record<string, string> {
  const { organizationId, ...others } = params
  const isIn = standing.member && organizationId !== undefined && Object.keys(others).length > 0
  const unknown = Object.entries(isIn ? others : params).map(([name, id]) => [name, likeOf(id)])
  return { ...params, ...Object.fromEntries(unknown) }
}

/** One swap for each place of each route. */
const swapped = new Map<string, { one: NamedRoute; person: Person; swap: Swap }>()

for (const one of routes) {
  test(`${one.name}: ids of another organization are ids of nothing`, async () => {
    const before = await rowsOf(db)
    for (const { person, swap } of swaps.get(one) ?? []) {
      swapped.set(`${one.name} ${swap.place}`, { one, person, swap })
      const foreign = await ask(one, person, swap.foreign)
      const unknown = await ask(one, person, swap.unknown)
      checkSwap(one, swap, foreign, unknown)
    }
    assert.deepEqual(changes(before, await rowsOf(db)), [])

    const places = new Set(swaps.get(one)?.map(({ swap }) => swap.place))
    assert.deepEqual(
      idPlaces(one).filter((place) => !places.has(place)),
      [],
      'test/matrix/calls.ts has no request with an id in these places',
    )
  })
}

function checkSwap({ route, name }: NamedRoute, { place, ids }: Swap, foreign: Answer, unknown: Answer) {
  const what = `${name}, ${place}: ${foreign.status} ${foreign.text}`
  const plain = ({ text }: Answer) => text.replaceAll(ids[0], '<id>').replaceAll(ids[1], '<id>')
  assert.deepEqual([foreign.status, plain(foreign)], [unknown.status, plain(unknown)], what)

  // 404 is for ids in the URL; a filter of a list may also find nothing.
  if (place.startsWith('body')) return checkRefusedBody(foreign, ids[0], what)
  const allowed = [404]
  if (place.startsWith('params') && route.method === 'DELETE') allowed.push(204)
  if (place.startsWith('query')) allowed.push(200)
  assert(allowed.includes(foreign.status), what)
}

/** An unknown id in a body is 400, and the response names the field and the id. */
function checkRefusedBody({ status, body }: Answer, id: string, what: string) {
  assert.equal(status, 400, what)
  assert.match(body.error.message, new RegExp(id), what)
  assert.match(body.error.details?.[0].path ?? '', /^body\./, what)
}

const ROUNDS = 3
/** The CPU time of two requests may differ by half, and by half a millisecond, before they are compared again. */
const FACTOR = 1.5
const NOISE_MS = 0.5

test('ids of another organization take as much work as ids of nothing, within noise', onlyLong, async () => {
  assert(swapped.size > 100)
  for (const { one, person, swap } of swapped.values()) {
    let [foreign, unknown] = [0, 0]
    // Noise does not come back three times, with more rounds each time; a difference does.
    const differs = async (rounds: number) => {
      ;[foreign, unknown] = await leastWork(one, person, swap, rounds)
      const [less, more] = [Math.min(foreign, unknown), Math.max(foreign, unknown)]
      return more > less * FACTOR && more - less > NOISE_MS
    }
    const isTold = (await differs(ROUNDS)) && (await differs(ROUNDS * 3)) && (await differs(ROUNDS * 9))
    assert(!isTold, `${one.name}, ${swap.place}: ${foreign} ms for another's, ${unknown} ms for nothing`)
  }
})

/** The least CPU time, in milliseconds, of requests for another organization's thing and for none, sent in turn. */
async function leastWork(
  one: NamedRoute,
  person: Person,
  swap: Swap,
  rounds: number,
): Promise<[number, number]> {
  const least = { foreign: Infinity, unknown: Infinity }
  for (let round = 0; round < rounds; round += 1) {
    for (const which of ['foreign', 'unknown'] as const) {
      const start = cpuTime()
      await ask(one, person, swap[which])
      least[which] = Math.min(least[which], cpuTime() - start)
    }
  }
  return [least.foreign, least.unknown]
}

// After all others: these requests write, and use up what the others name too.
for (const [one, attempts] of requests) {
  test(`${one.name}: a caller with permission gets the declared response`, async () => {
    for (const { kind, person, call, expected } of attempts) {
      if (expected !== 'allowed') continue
      const answer = await ask(one, person, call)
      assert.equal(answer.status, successOf(one), `${one.name} as ${kind.name}: ${answer.text}`)
    }
  })
}

test('every action is logged with the target that is written down for it', async () => {
  const rows = await db.read
    .selectFrom('auditEvent')
    .select(['action', 'targetType'])
    .distinct()
    .orderBy('action')
    .orderBy('targetType')
    .execute()
  const logged = rows.map(({ action, targetType }) => `${action} ${targetType}`).toSorted()
  assert.deepEqual(logged, AUDITED)
})
