import type { PageRecord } from '../../../core/content/revision.ts'
import { isLeaf, loadOne } from '../../../core/content/prolly-tree/node.ts'
import { getMany } from '../../../core/content/prolly-tree/read.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { nodesOf } from '../content.ts'

/** A page that is deeper is not looked for. */
const MOST_LEVELS = 20

/**
 * Whether a revision has a document without a condition, on itself or on a page above it. Reads a few nodes of the page
 * map, and not the tree: false can also mean that no such document is among the first records.
 */
export async function hasOpenPage(
  db: Reader,
  { spaceId, pages: root }: Pick<Row<'revision'>, 'spaceId' | 'pages'>,
): Promise<boolean> {
  if (root === null) return false
  const load = nodesOf<PageRecord>(db, spaceId)
  let node = await loadOne(root, load)
  while (!isLeaf(node)) node = await loadOne(node.nodes[0]!, load)
  const isOpen = ({ condition }: PageRecord) => condition === undefined
  let open = node.values.filter((page) => page.type === 'document' && isOpen(page))
  for (let level = 0; level < MOST_LEVELS && open.length > 0; level++) {
    if (open.some(({ parent }) => parent === null)) return true
    const above = await getMany(root, new Set(open.flatMap(({ parent }) => parent ?? [])), load)
    open = [...above.values()].filter(isOpen)
  }
  return false
}
