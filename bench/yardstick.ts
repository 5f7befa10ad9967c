/** A piece of work that is the same at every commit, to tell how fast a machine is. */
import { createHash } from 'node:crypto'
import { leastCost } from '../test/cpu.ts'

/** Sizes at which the work takes a tenth of a second or two. */
const [RECORDS, ROUNDS] = [2_000, 60]

/** The CPU time of the work on this machine, in microseconds: the least of some runs. */
export async function yardstick(): Promise<number> {
  const records = Array.from({ length: RECORDS }, (_, id) => ({ id, title: `Page ${id}`, tags: ['a', 'b'] }))
  const cost = await leastCost(0, () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = JSON.stringify(records)
      const words = text.split(/[^a-z]+/i)
      createHash('sha256').update(text).update(words.toSorted().join(' ')).digest()
      JSON.parse(text)
    }
  })
  return cost * 1000
}
