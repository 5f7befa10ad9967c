import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'

/** The pages of a space that a caller may see. */
export interface SearchedSpace {
  tree: PageTree
  /** Whether the caller may see a page, and search finds it. */
  sees(page: PageRecord): boolean
  /** Whether the caller may see what stands under these conditions on a page. */
  meets(page: PageRecord, when: readonly string[]): boolean
}
