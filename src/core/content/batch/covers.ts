import { jsonEqual } from '../../data/json.ts'
import type { FileRecord } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import type { ReadChange } from './read.ts'
import { refuseBatch } from './refused.ts'
import { because } from '../../languages/reasons.ts'

/**
 * Refuses covers that are files which the content does not have after the batch. A page whose file was deleted can be
 * sent back as it is.
 * @throws BatchRefused
 */
export function refuseUnknownCovers(
  changes: readonly ReadChange[],
  {
    before,
    after,
    refs,
    files,
  }: {
    before: PageTree
    after: PageTree
    refs: ReadonlyMap<string, string>
    files: ReadonlyMap<string, FileRecord>
  },
): void {
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'insert_page' && change.operation !== 'update_page') continue
    const id = change.operation === 'insert_page' ? change.id : (refs.get(change.page) ?? change.page)
    const { cover } = change.meta
    // A later change may have deleted the page.
    if (!cover || !after.get(id) || jsonEqual(cover, before.get(id)?.cover)) continue
    for (const name of ['ref', 'refDark'] as const) {
      const ref = cover[name]
      if (ref?.kind === 'file' && !files.has(ref.file))
        refuseBatch(index, 'cover', because('cover-file-unknown', { name, id: ref.file }))
    }
  }
}
