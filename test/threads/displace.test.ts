/** A full queue: the newest item of the party that has the most gives way, so that nobody keeps others out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Party } from '../../src/core/runtime/party.ts'
import { type FairLimits, type FairQueue, fairQueue } from '../../src/threads/fair-queue.ts'
import { holds } from '../property.ts'

interface Item {
  party: Party
  number: number
}

/** A queue, and what waits and runs in it. Each refusal is handed to a check with the items that wait then. */
function watched(limits: FairLimits, onRefused: (refused: Item, waiting: readonly Item[]) => void) {
  const queue: FairQueue<Item> = fairQueue(limits)
  const waiting = new Set<Item>()
  const running: Item[] = []
  let number = 0
  return {
    queue,
    waiting,
    send(party: Party): Item {
      const item = { party, number: number++ }
      let refused: Item | undefined
      if (queue.isFull(party)) {
        refused = queue.displace(party)?.item
        if (refused) assert(waiting.delete(refused), 'only what waits gives way')
        else refused = item
      }
      if (refused !== item) {
        queue.add(party, item)
        waiting.add(item)
      }
      if (refused) onRefused(refused, [...waiting])
      assert(waiting.size <= limits.queue)
      assert.equal(queue.size, waiting.size)
      for (const keyOf of [userOf, organizationOf])
        for (const [, count] of counts(waiting, keyOf)) assert(count <= limits.queueOfParty)
      return item
    },
    take() {
      const next = queue.take()
      if (!next) return
      waiting.delete(next.item)
      running.push(next.item)
    },
    end() {
      const item = running.shift()
      if (item) queue.end(item.party, item.number % 7)
    },
  }
}

const userOf = ({ party }: Item) => party.user
const organizationOf = ({ party }: Item) => party.organization

function counts(items: Iterable<Item>, keyOf: (item: Item) => string | undefined): Map<string, number> {
  const found = new Map<string, number>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== undefined) found.set(key, (found.get(key) ?? 0) + 1)
  }
  return found
}

/** No key whose items, with the refused one, are at most its part of the places is refused while another has more. */
function needFair(refused: Item, waiting: readonly Item[], places: number, keyOf = userOf): void {
  const of = counts(waiting, keyOf)
  const key = keyOf(refused)
  const own = (of.get(key) ?? 0) + 1
  of.set(key, own)
  if (own > Math.floor(places / of.size)) return
  for (const [other, has] of of) assert(has <= own, `${key} is refused with ${own}, and ${other} has ${has}`)
}

const PLACES = 12
const LIMITS: FairLimits = { queue: PLACES, queueOfParty: PLACES / 2, atOnceOfParty: 1 }
const user = fc.integer({ min: 0, max: 7 }).map((i) => `user ${i}`)
const does = fc.constantFrom('send', 'send', 'send', 'send', 'take', 'end')
const stepsOf = (party: fc.Arbitrary<Party>) =>
  fc.array(fc.record({ does, party }), { maxLength: 150, size: 'max' })

function play(limits: FairLimits, steps: { does: string; party: Party }[], places = limits.queue): void {
  const one = watched(limits, (refused, waiting) => needFair(refused, waiting, places))
  for (const { does: step, party } of steps) {
    if (step === 'send') one.send(party)
    else if (step === 'take') one.take()
    else one.end()
  }
}

test('no user with at most their part of the places is refused while another has more, in whatever organizations', () => {
  const party = fc
    .record({ user, organization: fc.integer({ min: 0, max: 3 }) })
    .map((one) => ({ user: one.user, organization: `${one.organization} of ${one.user}` }))
  holds(fc.property(stepsOf(party), (steps) => play(LIMITS, steps)))
  const alone = user.map((name) => ({ user: name }))
  holds(fc.property(stepsOf(alone), (steps) => play(LIMITS, steps)))
})

test('no user of an organization with at most their part of its places is refused while another has more', () => {
  const limits = { queue: 2 * PLACES, queueOfParty: PLACES, atOnceOfParty: 1 }
  const party = user.map((name) => ({ user: name, organization: 'acme' }))
  holds(fc.property(stepsOf(party), (steps) => play(limits, steps, PLACES)))
})

test('nothing else is displaced than items of the party that has the most, the newest first', () => {
  const refused: number[] = []
  const one = watched({ ...LIMITS, queue: 6 }, (item) => refused.push(item.number))
  for (let i = 0; i < 6; i++) one.send({ user: i < 2 ? 'ada' : 'eve', organization: `organization ${i % 2}` })
  one.send({ user: 'bob' })
  assert.deepEqual(refused, [5])
  one.send({ user: 'bob' })
  assert.deepEqual(refused, [5, 4], 'of the two organizations of eve, the one that has more')
  one.send({ user: 'bob' })
  assert.deepEqual(refused, [5, 4, 8], 'all have two')
})

test('users who are as many as the places do not displace each other in turn', () => {
  const refused: string[] = []
  const one = watched(LIMITS, (item) => refused.push(item.party.user))
  const first = Array.from({ length: PLACES }, (_, i) => one.send({ user: `user ${i}` }))
  for (let i = 0; i < 5; i++) one.send({ user: 'late' })
  assert.deepEqual(refused, Array<string>(5).fill('late'))
  assert.deepEqual([...one.waiting], first)
})

test('one who has something under way gives way to one who has nothing', () => {
  const refused: string[] = []
  const one = watched({ ...LIMITS, queue: 3 }, (item) => refused.push(item.party.user))
  one.send({ user: 'eve' })
  one.take()
  for (const name of ['eve', 'ada', 'bob']) one.send({ user: name })
  one.send({ user: 'cleo' })
  assert.deepEqual(refused, ['eve'])
  one.send({ user: 'eve' })
  assert.deepEqual(refused, ['eve', 'eve'])
})

test('many users of a few organizations give way to a user of another one', () => {
  const refused: string[] = []
  const one = watched(LIMITS, (item) => refused.push(item.party.user))
  for (let i = 0; i < PLACES; i++) one.send({ user: `user ${i}`, organization: `organization ${i % 2}` })
  one.send({ user: 'ada', organization: 'acme' })
  assert.deepEqual(refused, [`user ${PLACES - 1}`])
  one.send({ user: 'new', organization: 'organization 1' })
  assert.deepEqual(refused.slice(1), ['new'])
})

test('displacing costs at most a look at each party that waits', () => {
  const costOf = (users: number) => {
    const queue = fairQueue<number>({ queue: users, queueOfParty: users, atOnceOfParty: 1 })
    // A user with many organizations, in which nothing waits any more.
    for (let i = 0; i < 1000; i++) {
      queue.add({ user: 'user 0', organization: `old ${i}` }, i)
      queue.end(queue.take()!.party, 1)
    }
    for (let i = 0; i < users; i++) queue.add({ user: `user ${i % (users / 2)}`, organization: `o ${i}` }, i)
    const start = performance.now()
    for (let i = 0; i < 500; i++) {
      const party = { user: `late ${i}` }
      if (queue.displace(party)) queue.add(party, i)
    }
    return performance.now() - start
  }
  costOf(1000)
  const [few, many] = [costOf(100), costOf(1600)]
  assert(many < 80 * Math.max(few, 0.5), `${many} ms instead of ${few} ms`)
})
