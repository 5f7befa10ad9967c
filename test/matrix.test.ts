/**
 * Every operation × every kind of caller: what each is answered follows from what the route declares and from
 * ACCESS.md, and nothing else. And every place where a request names a thing × the things of another organization.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRoutes, type NamedRoute } from '../src/routes.ts'
import { CALLS } from './matrix/calls.ts'
import type { Call, Make } from './matrix/makers.ts'
import { callersOf, grantTo, type Kind } from './matrix/callers.ts'
import { changes, rowsOf } from './matrix/database.ts'
import { onThing, verdict, type Verdict, withoutGrant } from './matrix/expected.ts'
import { idPlaces, likeOf, requestOf, type Swap, swapsOf } from './matrix/swap.ts'
import { thingsIn } from './matrix/things.ts'
import { type Answer, createWorld, type Person } from './world.ts'

const routes = await loadRoutes()
const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' })
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
const ask = (one: NamedRoute, person: Person, call: Call) => person(requestOf(one, call), call.body)

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

for (const one of routes) {
  test(`${one.name}: everyone is answered what is declared, and a refusal changes nothing`, async () => {
    for (const make of makesOf(one.name)) await askEveryone(one, make)
  })
}

interface Asked {
  kind: Kind
  person: Person
  call: Call
  expected: Verdict
}

async function askEveryone(one: NamedRoute, make: Make): Promise<void> {
  const asked: Asked[] = []
  for (const kind of callers) {
    const call = await make(here, kind)
    const person = call.as ?? kind.person
    await grantTo(world, kind.standing, person, call.params)
    asked.push({ kind, person, call, expected: expectedOf(one, kind, call) })
  }

  const refused = asked.filter(({ expected }) => expected !== 'allowed')
  const changing = one.route.method !== 'GET' && refused.length > 0
  const before = changing ? await rowsOf(db) : []
  for (const { kind, person, call, expected } of refused) {
    const answer = await ask(one, person, call)
    checkRefusal(one, `${one.name} as ${kind.name}`, answer, expected)
    if (expected !== 404) continue
    const nothing = await ask(one, person, { ...call, params: unknownParams(kind, call.params) })
    assert.deepEqual(said(answer), said(nothing), `${one.name} as ${kind.name}: as if it did not exist`)
  }
  if (changing) assert.deepEqual(changes(before, await rowsOf(db)), [])

  for (const { kind, person, call } of asked.filter(({ expected }) => expected === 'allowed')) {
    const answer = await ask(one, person, call)
    assert.equal(answer.status, successOf(one), `${one.name} as ${kind.name}: ${answer.text}`)
  }
}

function expectedOf({ route }: NamedRoute, { standing }: Kind, call: Call): Verdict {
  const verdicts = [verdict(route.access.needs, route.method, standing, call)]
  // What is asked besides is asked of something else, but for the space that the address names already.
  for (const asks of [call.asks ?? []].flat())
    verdicts.push(onThing(asks, asks.startsWith('space') ? standing : withoutGrant(standing)))
  return verdicts.find((one) => one !== 'allowed') ?? 'allowed'
}

function checkRefusal({ route }: NamedRoute, what: string, answer: Answer, expected: Verdict): void {
  const status = typeof expected === 'object' ? expected.status : expected
  // What is not visible is as good as gone, and deleting what is gone is no error.
  const isGone = expected === 404 && route.method === 'DELETE' && answer.status === 204
  if (isGone) return
  assert.equal(answer.status, status, `${what}: ${answer.text}`)
  assert.equal(answer.body.error.code, status, what)
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
let counter = 0
const makers = {
  here: {
    person: ada,
    writes: true,
    another: () => world.person(`admin-of-here-${(counter += 1)}`, 'admin'),
  },
  elsewhere: { person: bob, writes: true, another: () => world.stranger(`bob-${(counter += 1)}`) },
}

for (const one of routes) {
  test(`${one.name}: ids of another organization are ids of nothing`, async () => {
    const places = new Set<string>()
    const isChanging = one.route.method !== 'GET'
    for (const make of makesOf(one.name)) {
      const own = await make(here, makers.here)
      const swaps = swapsOf(one, own, await make(elsewhere, makers.elsewhere))
      const person = own.as ?? ada
      const before = isChanging ? await rowsOf(db) : []
      for (const swap of swaps) {
        places.add(swap.place)
        swapped.set(`${one.name} ${swap.place}`, { one, person, swap })
        const foreign = await ask(one, person, swap.foreign)
        const unknown = await ask(one, person, swap.unknown)
        checkSwap(one, swap, foreign, unknown)
      }
      if (isChanging) assert.deepEqual(changes(before, await rowsOf(db)), [])
    }
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

  // A filter of a list finds nothing; a body may also be refused in words that name the field.
  const allowed = [404]
  if (place.startsWith('params') && route.method === 'DELETE') allowed.push(204)
  if (place.startsWith('query')) allowed.push(200)
  if (place.startsWith('body')) allowed.push(400)
  assert(allowed.includes(foreign.status), what)
}

const ROUNDS = 5
/** What two medians may differ by before it is looked at again: half as much again, and half a millisecond. */
const FACTOR = 1.5
const NOISE_MS = 0.5

test('ids of another organization take as long as ids of nothing, within noise', async () => {
  assert(swapped.size > 100)
  for (const { one, person, swap } of swapped.values()) {
    let [foreign, unknown] = [0, 0]
    // Noise does not come back three times, with more rounds each time; a difference does.
    const differs = async (rounds: number) => {
      ;[foreign, unknown] = await medians(one, person, swap, rounds)
      const [less, more] = [Math.min(foreign, unknown), Math.max(foreign, unknown)]
      return more > less * FACTOR && more - less > NOISE_MS
    }
    const isTold = (await differs(ROUNDS)) && (await differs(ROUNDS * 3)) && (await differs(ROUNDS * 9))
    assert(!isTold, `${one.name}, ${swap.place}: ${foreign} ms for another's, ${unknown} ms for nothing`)
  }
})

async function medians(
  one: NamedRoute,
  person: Person,
  swap: Swap,
  rounds: number,
): Promise<[number, number]> {
  const times: Record<'foreign' | 'unknown', number[]> = { foreign: [], unknown: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const which of ['foreign', 'unknown'] as const) {
      const start = performance.now()
      await ask(one, person, swap[which])
      times[which].push(performance.now() - start)
    }
  }
  return [median(times.foreign), median(times.unknown)]
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
