import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { stat } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { resolveHost } from '../../src/http/outgoing/connect.ts'
import { textResponse } from '../../src/sites/serve/responses.ts'
import { ShareFull, fairShare } from '../../src/threads/shares.ts'

/** Work that the test ends, and the order in which work begins. */
function workbench() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    work: (name: string) => async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    },
    /** Ends all work, also that which begins meanwhile. */
    async endAll() {
      while (ends.length > 0) {
        ends.shift()!()
        await new Promise(setImmediate)
      }
    },
  }
}

test('as much work runs as the share allows, and parties take turns for the rest', async () => {
  const { begun, work, endAll } = workbench()
  const share = fairShare({ atOnce: 2, atOnceOfParty: 2, queue: 10, queueOfParty: 10 })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => share({ user: name[0]! }, work(name)))
  assert.deepEqual(begun, ['a1', 'a2'])
  await endAll()
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1'])
  assert(begun.indexOf('b1') < begun.indexOf('a4'), begun.join(' '))
})

test('work beyond the queue is refused, and work that fails frees its place', async () => {
  const { work, endAll } = workbench()
  const share = fairShare({ atOnce: 1, queue: 2, queueOfParty: 1 })
  const accepted = [share({ user: 'a' }, work('a1')), share({ user: 'a' }, work('a2'))]
  await assert.rejects(share({ user: 'a' }, work('a3')), ShareFull)
  accepted.push(share({ user: 'b' }, work('b1')))
  const refused = accepted.splice(1, 1)[0]!
  accepted.push(share({ user: 'c' }, work('c1')))
  await assert.rejects(refused, ShareFull, 'work of a party that has work under way gives way to a new party')
  await assert.rejects(share({ user: 'd' }, work('d1')), ShareFull)
  await endAll()
  assert.deepEqual(await Promise.all(accepted), ['a1', 'b1', 'c1'])
  await assert.rejects(
    share({ user: 'a' }, () => Promise.reject(new Error('a fault'))),
    /a fault/,
  )
  assert.equal(await share({ user: 'a' }, () => Promise.resolve('next')), 'next')
})

test('many large texts that are compressed hold up no file', async () => {
  const text = Array.from({ length: 10_000 }, (_, i) => `line ${i * i}\n`).join('')
  let compressed = 0
  const responses = Array.from({ length: 40 }, async () => {
    const { body } = await textResponse(200, 'text/plain', text)
    compressed += 1
    return body
  })
  await stat(import.meta.filename)
  assert(compressed < 20, `the file came after ${compressed} texts`)
  for (const body of await Promise.all(responses)) assert(body.br && body.gzip)
})

test('lookups of one domain leave the next turn to others, and beyond a bound they are refused', async (t) => {
  const { begun, work, endAll } = workbench()
  t.mock.method(dns, 'lookup', async (name: string) => [{ address: await work(name)(), family: 4 }])
  syncBuiltinESMExports()
  t.after(syncBuiltinESMExports)
  const names = Array.from({ length: 100 }, (_, i) => `n${i}.slow.example`)
  const outcomes = Promise.allSettled(names.map((name) => resolveHost(name)))
  const atOnce = begun.length
  const other = resolveHost('www.other.example')
  const again = resolveHost('www.other.example')
  await endAll()

  const refused = (await outcomes).flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
  assert.equal(refused.length, 100 - atOnce - 50)
  assert.match(refused[0], /^Too many host names are looked up/)
  assert.deepEqual([await other, await again], [['www.other.example'], ['www.other.example']])
  assert(begun.indexOf('www.other.example') <= atOnce, 'the other domain came next')
  assert.equal(begun.length, atOnce + 50 + 1, 'requests to one host share a lookup')
})
