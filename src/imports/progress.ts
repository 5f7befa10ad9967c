/** How far the imports of this process, and of the other copies of the server, are. */
import { Type } from 'typebox'
import type { Database, Row, Tx } from '../db/schema.ts'
import type { RunningImport, RunningImports } from '../http/running-imports.ts'
import { omitNullish, oneOf, Timestamp } from '../model/common.ts'

/** How long after its last report the other copies of the server show an import as running. */
const LEASE_MS = 15_000
const RENEW_MS = 5_000

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

interface OwnImport {
  id: string
  spaceId: string
  progress: RunningImport
  /** What the others know, and since when. */
  published?: { text: string; at: number }
}

/**
 * Tracks the imports of this process in memory, and records those that take longer than about a second in the database,
 * where the other copies read them.
 * @param onError hears of an end that could not be recorded: the others show the import until its lease ends
 */
export function runningImports(
  db: Database,
  { now, newId }: { now: () => Date; newId: () => string },
  onError: (error: unknown) => void,
): RunningImports {
  const own = new Set<OwnImport>()
  /** Imports of this process that ended, whose rows are not yet removed. */
  const ended = new Set<string>()
  let writing: Promise<void> = Promise.resolve()

  // The lease of a row that a power cut brings back ends soon.
  const write = <T>(work: (tx: Tx) => Promise<T>) => db.write(work, { isSynced: false })

  function afterOthers(step: () => Promise<void>): Promise<void> {
    writing = writing.catch(() => {}).then(step)
    return writing
  }

  async function publish(): Promise<void> {
    const at = now().getTime()
    const changed = [...own].filter(
      ({ progress, published }) =>
        !published || published.text !== JSON.stringify(progress) || at - published.at >= RENEW_MS,
    )
    if (changed.length === 0) return
    const leasedUntil = new Date(at + LEASE_MS).toISOString()
    const rows = changed.map(({ id, spaceId, progress }): Row<'runningImport'> => {
      const { stage, done = null, total = null, startedAt } = progress
      return { id, spaceId, stage, done, total, startedAt, leasedUntil }
    })
    // Before the write, so that an import that ends meanwhile removes its row afterwards.
    for (const one of changed) one.published = { text: JSON.stringify(one.progress), at }
    await write((tx) =>
      tx
        .insertInto('runningImport')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(({ ref }) => ({
            stage: ref('excluded.stage'),
            done: ref('excluded.done'),
            total: ref('excluded.total'),
            leasedUntil: ref('excluded.leasedUntil'),
          })),
        )
        .execute(),
    )
  }

  async function remove(id: string): Promise<void> {
    ended.add(id)
    try {
      await afterOthers(async () => {
        await write((tx) => tx.deleteFrom('runningImport').where('id', '=', id).execute())
      })
    } finally {
      ended.delete(id)
    }
  }

  /** The rows of these are older than what this process knows. */
  const ownIds = () => [...[...own].map(({ id }) => id), ...ended]

  return {
    track(spaceId, startedAt) {
      const progress: RunningImport = { stage: 'waiting', startedAt: startedAt.toISOString() }
      const one: OwnImport = { id: newId(), spaceId, progress }
      own.add(one)
      return {
        enter({ stage, done, total }) {
          progress.stage = stage
          if (done === undefined) delete progress.done
          else progress.done = done
          if (total === undefined) delete progress.total
          else progress.total = total
        },
        add(amount) {
          progress.done = (progress.done ?? 0) + amount
        },
        [Symbol.dispose]() {
          own.delete(one)
          if (one.published) remove(one.id).catch(onError)
        },
      }
    },
    async of(spaceId) {
      // One may begin or end while the rows are read.
      const before = ownIds()
      const rows = await db.read
        .selectFrom('runningImport')
        .selectAll()
        .where('spaceId', '=', spaceId)
        .where('leasedUntil', '>', now().toISOString())
        .execute()
      const ownHere = [...own].filter((one) => one.spaceId === spaceId)
      const ids = new Set([...before, ...ownIds()])
      const others = rows
        .filter(({ id }) => !ids.has(id))
        .map(({ stage, done, total, startedAt }) => ({ stage, ...omitNullish({ done, total }), startedAt }))
      return [...others, ...ownHere.map(({ progress }) => ({ ...progress }))].toSorted((a, b) =>
        a.startedAt < b.startedAt ? -1 : Number(a.startedAt > b.startedAt),
      )
    },
    stages: () => [...own].map(({ progress }) => progress.stage),
    publish: () => afterOthers(publish),
  }
}

/** Deletes the imports of copies that ended without removing them. */
export async function deleteLostImports(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('runningImport').where('leasedUntil', '<=', now.toISOString()).execute()
}
