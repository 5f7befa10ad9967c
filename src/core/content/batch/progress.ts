import { refuseBatch } from './refused.ts'
import type { PageRecord } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'

/** The content while a batch changes it. */
export interface Progress {
  tree: PageTree
  pages: Map<string, PageRecord | null>
  /** The index of the last change that touched each page. */
  touched: Map<string, number>
  documents: Map<string, string>
  refs: Map<string, string>
  /** Why pages with a body of the batch are shown as their source. */
  unreadable: Map<string, string>
}

/** The page that a change names by its id or by the name that an earlier change of the batch gave it. */
export function findPage(progress: Progress, name: string, index: number, field = 'page'): PageRecord {
  const id = progress.refs.get(name) ?? name
  return (
    progress.tree.get(id) ??
    refuseBatch(index, field, `"${name}" is not a page of this content, nor the "ref" of an earlier change`)
  )
}

/** Sets records. If `index` is given, the pages count as touched by that change. */
export function setPages(
  progress: Progress,
  pages: ReadonlyMap<string, PageRecord | null>,
  index?: number,
): void {
  if (pages.size > 0) progress.tree = progress.tree.apply(pages)
  for (const [id, page] of pages) {
    progress.pages.set(id, page)
    if (index !== undefined) progress.touched.set(id, index)
  }
}
