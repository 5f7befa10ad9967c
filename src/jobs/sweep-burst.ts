import type { Services } from '../http/route.ts'
import { forgetBurst, sweepBurst } from '../model/content/batch/replaced.ts'
import type { Worker } from './queue/job-kind.ts'

/** Deletes what the replaced revisions of a burst of saves need no longer; with `isOver`, all that is left of them. */
export function sweepBursts({ db, now }: Pick<Services, 'db' | 'now'>): Worker {
  return async ({ burst, isOver }: { burst: string; isOver: boolean }) => {
    await sweepBurst(db, burst, now())
    if (isOver) await db.write((tx) => forgetBurst(tx, burst))
  }
}
