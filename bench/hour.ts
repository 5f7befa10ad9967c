import { setTimeout as wait } from 'node:timers/promises'
import { attackedOf, attackedOrganization, ATTACKS } from './attack-kinds.ts'
import { bystanderAddresses, bystanding } from './bystanding.ts'
import { importCorpus } from './import.ts'
import { lost, type Outcome, work } from './load.ts'
import { memoryOf, quantile, type Running, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const MINUTE_MS = 60_000
const LOAD_MS = Number(process.env.BENCH_MINUTES ?? 60) * MINUTE_MS
/** Everybody rests for so long while a level is read. */
const REST_MS = MINUTE_MS
/** One attack after the other, for so long each. */
const ATTACK_MS = 10_000
/**
 * A server that has never been under load has empty caches and a fresh heap. So there are rounds of the same load first, until
 * the level has hardly grown for two of them; each has every attack.
 */
const ROUND_MS = Math.max((Object.keys(ATTACKS).length + 1) * ATTACK_MS, LOAD_MS / 6)
const MOST_ROUNDS = 8
const STEADY = 1.03
const P99_MS = 50

/**
 * An hour of mixed load in one organization, with every attack on another in turn: what a third notices, whether memory
 * returns to its level, and whether an acknowledged write is lost.
 */
export async function hour(): Promise<Result[]> {
  await using lectern = await startLectern({ LECTERN_LOG: 'silent' }, '0,1')
  const addresses = bystanderAddresses(lectern, await importCorpus(lectern, 'elsa-docs'))
  const worker = String((await lectern.call('POST', '/v1/orgs', { title: 'Worker' })).id)
  const outcome: Outcome = { written: new Map(), requests: 0, refused: 0 }

  const attacked = await attackedOrganization(lectern)
  const load = async (until: AbortSignal) => {
    await Promise.all([work(lectern, worker, outcome, until), attackInTurn(lectern, attacked, until)])
  }

  const rounds = await warmUp(lectern, load)
  const before = rounds.at(-1)!

  const levels = [before]
  const sampling = setInterval(() => levels.push(memoryOf(lectern)), 1000)
  const until = AbortSignal.timeout(LOAD_MS)
  const times = await bystanding(Object.values(addresses), () => load(until))
  clearInterval(sampling)
  const after = await levelAtRest(lectern)

  const missing = await lost(lectern, outcome)
  const acknowledged = outcome.written.values().reduce((sum, titles) => sum + titles.size, 0)
  const megabytes = { ours: after.toFixed(0), reference: before.toFixed(0), ratio: after / before }
  return [
    ...Object.keys(addresses).map((what, index) => bystanderResult(what, times[index]!)),
    {
      scenario: `memory at rest after ${LOAD_MS / MINUTE_MS} minutes of load and attacks / before, MB; first ${rounds.length} rounds of it: ${rounds.map((level) => level.toFixed(0)).join(', ')}`,
      ...megabytes,
      spread: `${before.toFixed(0)}–${Math.max(...levels).toFixed(0)}`,
      goal: '≤ 1.1',
    },
    {
      scenario: `lost pages / acknowledged ones, ${outcome.refused} of ${outcome.requests} requests refused`,
      ours: [missing.length, ...missing.slice(0, 10)].join(', '),
      reference: String(acknowledged),
      ratio: missing.length / acknowledged,
      spread: '–',
      goal: '0',
    },
  ]
}

/** Loads the server in rounds until its memory is steady. @returns the level after each round, in megabytes */
async function warmUp(lectern: Running, load: (until: AbortSignal) => Promise<void>): Promise<number[]> {
  const levels: number[] = []
  for (let steady = 0; steady < 2 && levels.length < MOST_ROUNDS;) {
    await load(AbortSignal.timeout(ROUND_MS))
    const level = await levelAtRest(lectern)
    steady = level <= Math.max(0, ...levels) * STEADY ? steady + 1 : 0
    levels.push(level)
    console.error(`round ${levels.length}: ${level.toFixed(0)} MB at rest`)
  }
  return levels
}

/** The memory when the server has rested for a minute, in megabytes. */
async function levelAtRest(lectern: Running): Promise<number> {
  await wait(REST_MS)
  return memoryOf(lectern)
}

function bystanderResult(what: string, times: number[]): Result {
  const [least, p99, most] = [0, 0.99, 1].map((part) => quantile(times, part)) as [number, number, number]
  return {
    scenario: `${what} during load and attacks, ms: 99th percentile and longest of ${times.length}`,
    ours: `${p99.toFixed(1)} and ${most.toFixed(1)}`,
    reference: String(P99_MS),
    ratio: p99 / P99_MS,
    spread: `${least.toFixed(1)}–${most.toFixed(1)}`,
    goal: '≤ 1',
  }
}

/** Attacks one organization in every way, each for a while, in a new space each time around. */
async function attackInTurn(lectern: Running, organization: string, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    const attacked = await attackedOf(lectern, organization)
    for (const attack of Object.values(ATTACKS)) {
      const end = performance.now() + ATTACK_MS
      for (let round = 0; performance.now() < end && !until.aborted; round++)
        await attack(lectern, attacked, round)
    }
  }
}
