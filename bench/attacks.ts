import { setTimeout as wait } from 'node:timers/promises'
import { attackedOf, attackedOrganization, ATTACKS } from './attack-kinds.ts'
import type { Attack, Attacked } from './attacking.ts'
import { bystanderAddresses, bystanding } from './bystanding.ts'
import { importCorpus } from './import.ts'
import { memoryOf, quantile, type Running, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
/** Runs only the attacks whose names have this text in them. */
const ONLY = process.env.BENCH_ATTACKS ?? ''
const P99_MS = 50
const MOST_MS = 250

type Three = [number, number, number]

/** What other organizations notice of attacks, and whether the memory of the server returns to its level. */
export async function attacks(): Promise<Result[]> {
  await using lectern = await startLectern({ LECTERN_LOG: 'silent' }, '0,1')
  const addresses = bystanderAddresses(lectern, await importCorpus(lectern, 'elsa-docs'))
  const attacked = await attackedOf(lectern, await attackedOrganization(lectern))

  const results: Result[] = []
  const levels: number[] = []
  for (const [name, attack] of Object.entries(ATTACKS)) {
    if (name !== 'nothing' && !name.includes(ONLY)) continue
    const times = await bystanding(Object.values(addresses), () => repeat(lectern, attacked, attack))
    levels.push(memoryOf(lectern))
    for (const [index, what] of Object.keys(addresses).entries()) {
      const [least, p99, most] = [0, 0.99, 1].map((part) => quantile(times[index]!, part)) as Three
      results.push({
        scenario: `${what} during ${name}, ms: 99th percentile and longest of ${times[index]!.length}`,
        ours: `${p99.toFixed(1)} and ${most.toFixed(1)}`,
        reference: `${P99_MS} and ${MOST_MS}`,
        ratio: Math.max(p99 / P99_MS, most / MOST_MS),
        spread: `${least.toFixed(1)}–${most.toFixed(1)}`,
        goal: '≤ 1',
      })
    }
  }
  await wait(60_000)
  const [before = Number.NaN] = levels
  const after = memoryOf(lectern)
  results.push({
    scenario: 'memory a minute after the attacks / before them, MB',
    ours: after.toFixed(0),
    reference: before.toFixed(0),
    ratio: after / before,
    spread: `${Math.min(...levels).toFixed(0)}–${Math.max(...levels).toFixed(0)}`,
    goal: '≤ 1.1',
  })
  return results
}

async function repeat(lectern: Running, attacked: Attacked, attack: Attack): Promise<void> {
  const until = performance.now() + SECONDS * 1000
  for (let round = 0; performance.now() < until; round++) await attack(lectern, attacked, round)
}
