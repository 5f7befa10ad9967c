import { pageAtFilePath } from '../../../core/content/file-addresses.ts'
import { findOldPath, indexOldPlaces } from '../../../core/content/old-places.ts'
import type { PageRecord } from '../../../core/content/revision.ts'
import { type PageTree, trimmedPath } from '../../../core/content/tree/tree.ts'
import { heapSize } from '../../../core/runtime/heap-size.ts'
import { lru } from '../../../core/data/lru.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { oldPlacesOf } from '../../content/content.ts'

/**
 * The page that an old path redirects to: by the redirects in the configuration of the space, or else the page that had
 * the path, or else the page whose file has the path, because published addresses follow the files. The path may end in
 * `.md`, and its case does not matter except in the names of files.
 */
export async function redirected(
  db: Reader,
  revision: Row<'revision'>,
  tree: PageTree,
  path: string,
): Promise<PageRecord | undefined> {
  const target = revisionTarget(revision, path)
  const configured = target === undefined || isAddress(target) ? undefined : tree.byFile(target)
  if (configured) return configured
  const oldPlaces = await oldPlacesOf(db, revision)
  await indexOldPlaces(oldPlaces)
  return findOldPath(tree, oldPlaces, path) ?? pageAtFilePath(tree, path)
}

/** The URL on another host that an old path redirects to, by the redirects in the configuration of the space. */
export function redirectedElsewhere(revision: Row<'revision'>, path: string): string | undefined {
  const target = revisionTarget(revision, path)
  return target !== undefined && isAddress(target) ? URL.parse(target)?.href : undefined
}

const isAddress = (target: string) => /^https?:\/\//i.test(target)

/** The redirects of revisions by path, because most requests for an unknown path look one up. */
const redirectsOf = lru<ReadonlyMap<string, string>>(4 * 1024 * 1024)

function revisionTarget({ id, redirects }: Row<'revision'>, path: string): string | undefined {
  if (redirects === '{}') return undefined
  let targets = redirectsOf.get(id)
  if (!targets) {
    // The first of two equal paths counts.
    const entries = Object.entries(JSON.parse(redirects) as Record<string, string>).toReversed()
    targets = new Map(entries.map(([from, to]) => [redirectKey(from), to]))
    redirectsOf.set(id, targets, heapSize(entries))
  }
  const wanted = redirectKey(path)
  return targets.get(wanted) ?? (wanted.endsWith('.md') ? targets.get(wanted.slice(0, -3)) : undefined)
}

function redirectKey(path: string): string {
  return trimmedPath(path.normalize('NFC'))
}
