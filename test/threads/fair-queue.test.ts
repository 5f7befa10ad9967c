/** Users take turns, and then the organizations of each, whatever number of organizations or items they have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Party } from '../../src/core/runtime/party.ts'
import { type FairQueue, fairQueue } from '../../src/threads/fair-queue.ts'
import { holds } from '../property.ts'

const MANY = { queue: 10_000, queueOfParty: 10_000, atOnceOfParty: 10_000 }

/** Takes all items, each of which uses a millisecond. */
function takeAll<T>(queue: FairQueue<T>): { party: Party; item: T }[] {
  const taken = []
  for (let next = queue.take(); next; next = queue.take()) {
    taken.push(next)
    queue.end(next.party, 1)
  }
  return taken
}

const parties = fc.record({
  user: fc.constantFrom('ada', 'bob', 'cleo', 'dan', 'eve'),
  organization: fc.constantFrom('acme', 'globex', 'initech', 'hooli', undefined),
})
const key = ({ user, organization }: Party) => `${user} ${organization}`

test('the turn of each user who waits comes within as many turns as users wait, and items stay in order', () => {
  holds(
    fc.property(fc.array(parties, { maxLength: 60 }), (sent) => {
      const queue = fairQueue<number>(MANY)
      for (const [i, party] of sent.entries()) queue.add(party, i)
      const taken = takeAll(queue)
      assert.equal(taken.length, sent.length)
      assert.equal(queue.size, 0)

      const left = new Map<string, number>()
      for (const { user } of sent) left.set(user, (left.get(user) ?? 0) + 1)
      const begin = () => ({ turns: 0, users: left.size })
      const waited = new Map([...left.keys()].map((user) => [user, begin()]))
      for (const { party } of taken) {
        for (const [user, wait] of waited)
          assert(++wait.turns <= wait.users, `${user} waits ${wait.turns} turns for ${wait.users} users`)
        const more = left.get(party.user)! - 1
        left.set(party.user, more)
        if (more === 0) left.delete(party.user)
        if (more === 0) waited.delete(party.user)
        else waited.set(party.user, begin())
      }
      for (const party of sent) {
        const own = taken.filter((one) => key(one.party) === key(party)).map(({ item }) => item)
        assert.deepEqual(
          own,
          own.toSorted((a, b) => a - b),
        )
      }
    }),
  )
})

test('a user with many organizations has as many turns as a user with one', () => {
  const queue = fairQueue<string>(MANY)
  for (let i = 0; i < 24; i++) queue.add({ user: 'eve', organization: `organization ${i % 3}` }, `eve ${i}`)
  for (let i = 0; i < 4; i++) queue.add({ user: 'ada', organization: 'acme' }, `ada ${i}`)
  const users = takeAll(queue).map(({ party }) => party.user)
  assert.deepEqual(users.slice(0, 8).filter((user) => user === 'ada').length, 4, users.join())
})

test('the organizations of a user take turns, and the users of an organization too', () => {
  const queue = fairQueue<string>(MANY)
  for (let i = 0; i < 6; i++) queue.add({ user: 'ada', organization: 'large' }, `large ${i}`)
  queue.add({ user: 'ada', organization: 'small' }, 'small')
  for (let i = 0; i < 6; i++) queue.add({ user: 'bob', organization: 'large' }, `bob ${i}`)
  const items = takeAll(queue).map(({ item }) => item)
  assert(items.indexOf('small') < 4, items.join())
  assert(items.indexOf('bob 0') < 2, items.join())
})

test('the bounds hold for a user in all organizations, and for an organization with all users', () => {
  const bounds = { queue: 100, queueOfParty: 4, atOnceOfParty: 2 }
  const ways: ((i: number) => Party)[] = [
    (i) => ({ user: 'eve', organization: `organization ${i}` }),
    (i) => ({ user: `user ${i}`, organization: 'acme' }),
    (i) => ({ user: i % 2 === 0 ? 'eve' : `user ${i}`, organization: 'acme' }),
  ]
  for (const party of ways) {
    const queue = fairQueue<number>(bounds)
    let added = 0
    for (let i = 0; i < 10; i++)
      if (!queue.isFull(party(i))) {
        queue.add(party(i), i)
        added++
      }
    assert.equal(added, 4)
    const running = [queue.take(), queue.take()]
    assert.equal(queue.take(), undefined)
    assert.equal(queue.mayRun(party(0)), false)

    const other = { user: 'ada', organization: 'globex' }
    assert.equal(queue.isFull(other), false)
    queue.add(other, 11)
    assert.equal(queue.take()?.item, 11)
    queue.end(running[0]!.party, 1)
    assert.notEqual(queue.take(), undefined)
  }
})

test('the counts return to zero, in whatever order items come, go and are taken back', () => {
  const step = fc.record({ does: fc.constantFrom('add', 'add', 'take', 'end', 'remove'), party: parties })
  holds(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const queue = fairQueue<object>({ queue: 20, queueOfParty: 8, atOnceOfParty: 2 })
      const waiting: { party: Party; item: object }[] = []
      const running: Party[] = []
      const leave = (item: object) =>
        waiting.splice(
          waiting.findIndex((one) => one.item === item),
          1,
        )
      for (const { does, party } of steps) {
        if (does === 'add' && !queue.isFull(party)) {
          const item = {}
          queue.add(party, item)
          waiting.push({ party, item })
        } else if (does === 'take') {
          const next = queue.take()
          if (!next) continue
          leave(next.item)
          running.push(next.party)
        } else if (does === 'end' && running.length > 0) queue.end(running.shift()!, 3)
        else if (does === 'remove' && waiting[0]) {
          assert(queue.remove(waiting[0].party, waiting[0].item))
          waiting.shift()
        }
        assert.equal(queue.size, waiting.length)
        for (const count of [(one: Party) => one.user, (one: Party) => one.organization]) {
          const counts = Map.groupBy(running, count)
          counts.delete(undefined)
          for (const [, of] of counts) assert(of.length <= 2)
        }
      }
      for (const party of running) queue.end(party, 1)
      assert.equal(takeAll(queue).length, waiting.length)
      for (const user of ['ada', 'bob', 'cleo', 'dan', 'eve'])
        for (const organization of ['acme', 'globex', 'initech', 'hooli']) {
          assert.equal(queue.waitingOf({ user, organization }), 0)
          assert(queue.mayRun({ user, organization }))
        }
    }),
  )
})

test('no stream of new users keeps anybody out', () => {
  const queue = fairQueue<string>(MANY)
  for (let i = 0; i < 2; i++) queue.add({ user: 'ada' }, 'ada')
  let turns = 0
  for (let had = 0; had < 2; turns++) {
    queue.add({ user: `new ${turns}` }, 'new')
    const next = queue.take()!
    if (next.item === 'ada') had++
    queue.end(next.party, 1)
    assert(turns < 50, 'new users came first for 50 turns')
  }
})

test('short items do not wait for a long item of each of the others, who have their turns all the same', () => {
  const queue = fairQueue<number>(MANY)
  const others = Array.from({ length: 20 }, (_, i) => ({ user: `user ${i}` }))
  for (const party of others) queue.add(party, 1000)
  const [waits, turns]: [number[], Map<string, number>] = [[], new Map()]
  let since: number | undefined
  for (let turn = 0; turn < 400; turn++) {
    if (since === undefined && turn >= 40 && turn % 3 === 0) {
      queue.add({ user: 'ada' }, 1)
      since = turn
    }
    const { party, item } = queue.take()!
    queue.end(party, item)
    turns.set(party.user, (turns.get(party.user) ?? 0) + 1)
    if (party.user !== 'ada') queue.add(party, item)
    else {
      waits.push(turn - since!)
      since = undefined
    }
  }
  assert(waits.length > 60 && Math.max(...waits) <= 1, `waits: ${waits.join()}`)
  const had = others.map(({ user }) => turns.get(user) ?? 0)
  assert(Math.max(...had) - Math.min(...had) <= 2, `turns: ${had.join()}`)
})

test('a turn costs about the same, however many wait', () => {
  const costOf = (users: number) => {
    const queue = fairQueue<number>(MANY)
    for (let i = 0; i < users; i++) queue.add({ user: `user ${i}`, organization: `o ${i}` }, i)
    const start = performance.now()
    for (let i = 0; i < 2000; i++) {
      const next = queue.take()!
      queue.add(next.party, next.item)
      queue.end(next.party, 1)
    }
    return performance.now() - start
  }
  costOf(100)
  const [few, many] = [costOf(50), costOf(800)]
  assert(many < 60 * few, `${many} ms instead of ${few} ms`)
})
