/** The one rule for what page trees and settings list to a reader: a group without entries is no entry. */
import { eachInTurns } from '../../runtime/turns.ts'
import type { PageRecord } from '../revision.ts'
import type { PageTree } from './tree.ts'

/**
 * The ids of the entries of a page tree: the pages that a reader may find in it, and of the groups among them those that
 * have an entry. Lets other requests have their turn meanwhile.
 * @param isFound whether a reader may find a page, or a group for the sake of what is in it
 */
export async function listedEntries(
  tree: PageTree,
  isFound: (page: PageRecord) => boolean,
): Promise<ReadonlySet<string>> {
  const entries = new Set<string>()
  const filled = new Set<string | null>()
  // Pages come before those above them.
  await eachInTurns(tree.pages().toReversed(), (page) => {
    if (!isFound(page) || (page.type === 'group' && !filled.has(page.id))) return
    entries.add(page.id)
    filled.add(tree.parent(page.id))
  })
  return entries
}

/** An item of the settings with links inside: a group, or an entry with a menu, which can lead somewhere itself. */
interface LinkGroup {
  to?: unknown
  links: readonly unknown[]
}

/** The same for lists of links. @param items as a reader sees them, without what they may not see */
export function listedLinks<Item extends LinkGroup>(items: readonly Item[]): Item[] {
  return items.filter(({ to, links }) => links.length > 0 || (to !== undefined && to !== null))
}
