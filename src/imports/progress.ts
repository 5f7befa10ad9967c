/** How far the imports of this process are. */
import { type Static, Type } from 'typebox'
import { oneOf, Timestamp } from '../model/common.ts'

/** An import that has not ended. */
export const ImportProgress = Type.Object(
  {
    stage: oneOf(['waiting', 'fetching', 'reading', 'writing'], {
      description: '`waiting`: other imports come first. `fetching`: of a website, its pages are read.',
    }),
    done: Type.Optional(
      Type.Integer({ description: 'The pages that are read, or the texts and files that are stored' }),
    ),
    total: Type.Optional(Type.Integer({ description: 'Their number in the whole source' })),
    startedAt: Timestamp,
  },
  { title: 'ImportProgress' },
)
export type ImportProgress = Static<typeof ImportProgress>

/** A stage with its amounts. */
export type ImportStage = Omit<ImportProgress, 'startedAt'>

/** The progress of one import. Disposing it ends it. */
export interface TrackedImport extends Disposable {
  enter(stage: ImportStage): void
  /** Adds to what is done. */
  add(amount: number): void
}

const running = new Map<string, Set<ImportProgress>>()

/** Tracks an import into a space from when it waits. */
export function trackImport(spaceId: string, now: Date): TrackedImport {
  const own: ImportProgress = { stage: 'waiting', startedAt: now.toISOString() }
  const all = running.get(spaceId) ?? new Set()
  running.set(spaceId, all.add(own))
  return {
    enter({ stage, done, total }) {
      own.stage = stage
      if (done === undefined) delete own.done
      else own.done = done
      if (total === undefined) delete own.total
      else own.total = total
    },
    add(amount) {
      own.done = (own.done ?? 0) + amount
    },
    [Symbol.dispose]() {
      all.delete(own)
      if (all.size === 0) running.delete(spaceId)
    },
  }
}

/** The imports into a space that this process runs, oldest first. */
export function importsOf(spaceId: string): ImportProgress[] {
  return [...(running.get(spaceId) ?? [])].map((one) => ({ ...one }))
}
