import { compareWithOthers, type BasedOn, type SpaceState } from '../../../core/content/batch/since.ts'
import type { PageConflict } from '../../../core/content/batch/write.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { type ApiError, conflict } from '../../../http/errors.ts'
import { type LoadedBatch, spaceState } from './batch-content.ts'
import { sourcesOf } from '../content.ts'
import { orRefused } from './refused-batch.ts'
import { sweptPages, type SweptRevision } from './replaced.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The revision that a batch is based on, with the texts that are not stored any more, by hash. */
export interface ReadBase extends BasedOn {
  texts?: ReadonlyMap<string, string>
}

/**
 * The revision that a batch is based on. In a burst, only texts change: the files, variables and redirects of a swept
 * revision are those before its burst.
 */
export async function batchBase(db: Reader, base: Row<'revision'> | SweptRevision): Promise<ReadBase> {
  if (!('swept' in base)) return { id: base.id, state: await spaceState(db, base) }
  const { tree, texts } = await sweptPages(db, base)
  return { id: base.swept, state: { ...(await spaceState(db, base.parent)), tree }, texts }
}

/** As `compareWithOthers`, with 400 that names the change and its field. Changes on the newest revision, or without a base, have nothing to compare with. */
export async function compareWithBase<C extends { operation: string }>(
  db: Reader,
  batch: LoadedBatch,
  changes: readonly C[],
  hashOf: (index: number) => string | undefined,
  base: ReadBase | undefined,
): Promise<{ changes: readonly C[]; conflicts: PageConflict[] }> {
  if (!base || base.id === batch.parent.id) return { changes, conflicts: [] }
  const compared = orRefused(() => compareWithOthers(changes, hashOf, batch, base))
  return { ...compared, conflicts: await withTexts(db, batch, compared.conflicts, base) }
}

/** The texts of one response, in characters. */
const TEXTS_MAX = 4_000_000

/** Adds the texts of pages that others have changed and the writer deletes. */
async function withTexts(
  db: Reader,
  now: LoadedBatch,
  conflicts: readonly PageConflict[],
  base: ReadBase,
): Promise<PageConflict[]> {
  const documentOf = ({ tree }: SpaceState, page = '') => tree.get(page)?.document
  const bodies = conflicts.slice(0, CONFLICTS_MAX).flatMap(({ kind, page }) => {
    if (kind !== 'changed') return []
    return [documentOf(now, page), documentOf(base.state, page)].filter((hash) => hash !== undefined)
  })
  const sources = new Map([...(await sourcesOf(db, now.parent.spaceId, bodies)), ...(base.texts ?? [])])
  let left = TEXTS_MAX
  return conflicts.map((one) => {
    if (one.kind !== 'changed' || !now.tree.get(one.page ?? '')) return one
    const pageTextIn = (state: SpaceState) =>
      state.tree.get(one.page ?? '') ? (sources.get(documentOf(state, one.page) ?? '') ?? '') : null
    const [was, theirs] = [pageTextIn(base.state), pageTextIn(now)]
    left -= (was?.length ?? 0) + (theirs?.length ?? 0)
    return left < 0 ? one : { ...one, base: was, theirs, mine: null }
  })
}

/** The conflicts in one response, at most. */
const CONFLICTS_MAX = 100

/** 409 with what contradicts others. */
export function contradicted(conflicts: readonly PageConflict[]): ApiError {
  const shown = conflicts.slice(0, CONFLICTS_MAX)
  const titles = [...new Set(shown.map(({ title }) => `"${title}"`))].slice(0, 3).join(', ')
  const error = conflict(because('others-changed-same-parts', { titles }))
  error.conflicts = shown
  return error
}
