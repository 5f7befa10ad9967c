import { findOldPath } from '../../core/content/old-places.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import { type PageTree, trimmedPath } from '../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { oldPlacesOf } from '../content/content.ts'

/**
 * The page that an old path redirects to: by the redirects in the configuration of the space, or else the page that had
 * the path. The path may end in `.md`, and its case does not matter.
 */
export async function redirected(
  db: Reader,
  revision: Row<'revision'>,
  tree: PageTree,
  path: string,
): Promise<PageRecord | undefined> {
  const target = targetOf(revision, path)
  const configured = target === undefined || isAddress(target) ? undefined : tree.byFile(target)
  return configured ?? findOldPath(tree, await oldPlacesOf(db, revision), path)
}

/** The URL on another host that an old path redirects to, by the redirects in the configuration of the space. */
export function redirectedElsewhere(revision: Row<'revision'>, path: string): string | undefined {
  const target = targetOf(revision, path)
  return target !== undefined && isAddress(target) ? URL.parse(target)?.href : undefined
}

const isAddress = (target: string) => /^https?:\/\//i.test(target)

function targetOf(revision: Row<'revision'>, path: string): string | undefined {
  if (revision.redirects === '{}') return undefined
  const redirects = Object.entries(JSON.parse(revision.redirects) as Record<string, string>)
  const of = (wanted: string) => redirects.find(([from]) => keyOf(from) === wanted)?.[1]
  const wanted = keyOf(path)
  return of(wanted) ?? (wanted.endsWith('.md') ? of(wanted.slice(0, -3)) : undefined)
}

function keyOf(path: string): string {
  return trimmedPath(path.normalize('NFC'))
}
