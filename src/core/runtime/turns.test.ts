import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asJob, askingUser, identified, nextTurn, partyFor, sortInTurns, takingTurns } from './turns.ts'

test('items sorted in turns have the order of a stable sort', async () => {
  for (const size of [0, 1, 1999, 2000, 2001, 9_001]) {
    const items = Array.from({ length: size }, (_, index) => ({ index, key: (index * 7919) % 101 }))
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
    assert.deepEqual(await sortInTurns(items, byKey), items.toSorted(byKey))
  }
})

/** Takes turns for a party, and notes each in `order`. */
async function take(order: string[], party: string, name: string, turns: number): Promise<void> {
  await takingTurns(
    () => ({ user: party }),
    async () => {
      for (let i = 0; i < turns; i++) {
        await nextTurn()
        order.push(name)
      }
    },
  )
}

test('parties with work that waits have equal parts of the turns', async () => {
  const order: string[] = []
  const crowd = Array.from({ length: 20 }, () => take(order, 'crowd', 'crowd', 10))
  while (order.length < 40) await nextTurn()
  const before = order.length
  await take(order, 'one', 'one', 5)
  const waited = order.slice(before).filter((name) => name === 'crowd').length
  assert.ok(waited <= 10, `the crowd had ${waited} turns`)
  await Promise.all(crowd)
})

test('a short request does not wait for the long ones of its party, and these go on', async () => {
  const order: string[] = []
  const long = [1, 2, 3].map(() => take(order, 'ours', 'long', 50))
  while (order.length < 60) await nextTurn()
  const before = order.length
  const short = Array.from({ length: 10 }, () => take(order, 'ours', 'short', 2))
  await Promise.all(short)
  const meanwhile = order.slice(before).filter((name) => name === 'long').length
  assert.ok(meanwhile > 0 && meanwhile <= 20, `the long ones had ${meanwhile} turns`)
  await Promise.all(long)
  assert.equal(order.length, 170)
})

test('work on content is for the user who asks, or else for the network of a reader or the organization alone', async () => {
  const partyAfter = async () => {
    await nextTurn()
    return [partyFor('acme').user, askingUser()]
  }
  const network = { user: '192.0.2.0/24', organization: 'readers of acme' }
  const byUser = () => identified({ user: 'ada' }, 'ada', partyAfter)
  assert.deepEqual(
    await Promise.all([
      byUser(),
      takingTurns(() => ({ user: 'Bearer token' }), byUser),
      takingTurns(() => network, partyAfter),
      asJob('ada', partyAfter),
      asJob(undefined, partyAfter),
      partyAfter(),
    ]),
    [
      ['ada', 'ada'],
      ['ada', 'ada'],
      ['192.0.2.0/24', undefined],
      ['ada', 'ada'],
      ['acme', undefined],
      ['acme', undefined],
    ],
  )
  assert.equal(partyFor('acme').organization, 'acme')
})
