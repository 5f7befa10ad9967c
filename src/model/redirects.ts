import { findOldPath } from '../core/old-places.ts'
import type { PageRecord } from '../core/revision.ts'
import { type PageTree, trimmedPath } from '../core/tree.ts'
import type { Reader, Row } from '../db/schema.ts'
import { oldPlacesOf } from './content.ts'

/**
 * The page that an old path leads to: by the redirects of the space's configuration, else the page that had it. With or
 * without `.md`; upper and lower case are the same.
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

/** The address elsewhere that an old path leads to, by the redirects of the space's configuration. */
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
