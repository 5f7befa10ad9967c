import { setTimeout as wait } from 'node:timers/promises'
import { bystanderAddresses, bystanding } from './bystanding.ts'
import { CORPORA, importCorpus } from './import.ts'
import { LOAD_CORE, quantile, SERVER_CORE, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const IDLE_MS = 5000
const ROUNDS = 3

/** The slowest responses to others while the corpora are imported, beside those of the same server before. */
export async function besideImports(): Promise<Result[]> {
  await using lectern = await startLectern({}, `${SERVER_CORE},${LOAD_CORE}`)
  const addresses = Object.values(bystanderAddresses(lectern, await importCorpus(lectern, CORPORA[0])))
  const p99 = async (work: () => Promise<void>) => quantile((await bystanding(addresses, work)).flat(), 0.99)
  const idle = await p99(() => wait(IDLE_MS))
  const busy = await p99(async () => {
    for (let round = 0; round < ROUNDS; round++) for (const name of CORPORA) await importCorpus(lectern, name)
  })
  return [
    {
      scenario: 'other requests during imports of the corpora / before them, 99th percentile',
      ours: `${busy.toFixed(1)} ms`,
      reference: `${idle.toFixed(1)} ms`,
      ratio: busy / idle,
      spread: '–',
      goal: '≤ 2',
    },
  ]
}
