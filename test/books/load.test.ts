/** Several books at once: bounded processes and memory, and a server that goes on. */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { timesOf } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { makers, withoutProcesses as skip } from './makers.ts'
import { SAMPLE } from './sample.ts'

const world = await createWorld()
const { ada } = world
const BOOKS = timesOf(10, 2)
/** Those in the places for short books, and those that took too long for these. */
const AT_ONCE = availableParallelism() > 3 ? 4 : 2
const ids: string[] = []
for (let n = 0; n < BOOKS; n++) ids.push((await spaceWith(world, archiveOf(SAMPLE), `Book ${n}`)).spaceId)

test(
  'books that are asked for at once are made a few at a time, and the API responds meanwhile',
  { skip },
  async () => {
    let [most, memory] = [0, 0]
    let responses = 0
    const all = Promise.all(ids.map((id) => ada(`GET /v1/spaces/${id}/pdf`)))
    for (let done = false; !done;) {
      const own = makers()
      most = Math.max(most, own.length)
      memory = Math.max(memory, ...own.map(({ mb }) => mb))
      assert.equal((await ada(`GET /v1/spaces/${ids[0]}`)).status, 200)
      done = await Promise.race([all.then(() => true), wait(20, false)])
      if (!done) responses++
    }
    for (const answer of await all) assert.equal(answer.status, 200, answer.text)
    assert(most <= AT_ONCE, `${most} processes`)
    assert(memory < 2_000, `${memory} MB`)
    // A server that waited for the books would respond to a few requests.
    assert(responses > 3 * BOOKS, `${responses} responses`)
    // The answer leaves before the system has taken the process away.
    while (makers().length > 0) await wait(20)
  },
)
