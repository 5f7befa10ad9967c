import assert from 'node:assert/strict'
import { jobLoop } from '../src/jobs/queue.ts'
import { workers } from '../src/jobs/workers.ts'
import type { World } from './world.ts'

/** Runs the jobs that are due by the clock of a world, as the loop of a server does. None of them may fail. */
export async function runDueJobs({ db, app, clock }: World): Promise<void> {
  const fail = (fact: object, message: string) =>
    assert.fail(`${message}: ${String((fact as { err?: unknown }).err)}`)
  const log = { warn: fail, error: fail }
  await jobLoop(db, workers(app.services), () => clock.now ?? new Date(), log).runDue()
}
