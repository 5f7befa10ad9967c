import type { PageTree } from '../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { invalidAt } from '../../http/errors.ts'
import { expandedPagesOf } from './computed-pages.ts'
import { because } from '../../core/languages/reasons.ts'

/** The pages that a change of a batch names. */
interface NamingChange {
  operation: string
  page?: string
  into?: string | null
}

/** Refuses changes of pages that are computed, as they are stored nowhere. @throws 400 that names the change */
export async function refuseComputed(
  db: Reader,
  organizationId: string,
  { parent, tree: stored }: { parent: Row<'revision'>; tree: PageTree },
  changes: readonly NamingChange[],
): Promise<void> {
  const isStored = (id: string | null | undefined) => id == null || stored.get(id) !== undefined
  if (changes.every(({ page, into }) => isStored(page) && isStored(into))) return
  const { tree } = await expandedPagesOf(db, organizationId, parent)
  for (const [index, change] of changes.entries())
    for (const field of ['page', 'into'] as const) {
      const id = change[field]
      if (isStored(id) || !tree.get(id ?? '')) continue
      const path = `body.changes.${index}.${field}`
      throw invalidAt(path, because('page-computed', { id: String(id) }))
    }
}
