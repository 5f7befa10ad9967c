import type { PageRecord } from '../core/revision.ts'
import type { Row } from '../db/schema.ts'

/** The page that an old path leads to, by the redirects of the space's configuration; upper and lower case are the same. */
export function redirected(
  revision: Row<'revision'>,
  path: string,
  byFile: (file: string) => PageRecord | undefined,
): PageRecord | undefined {
  const target = targetOf(revision, path)
  return target === undefined || isAddress(target) ? undefined : byFile(target)
}

/** The address elsewhere that an old path leads to, by the redirects of the space's configuration. */
export function redirectedElsewhere(revision: Row<'revision'>, path: string): string | undefined {
  const target = targetOf(revision, path)
  return target !== undefined && isAddress(target) ? URL.parse(target)?.href : undefined
}

const isAddress = (target: string) => /^https?:\/\//i.test(target)

function targetOf(revision: Row<'revision'>, path: string): string | undefined {
  const wanted = keyOf(path)
  const redirects = JSON.parse(revision.redirects) as Record<string, string>
  return Object.entries(redirects).find(([from]) => keyOf(from) === wanted)?.[1]
}

function keyOf(path: string): string {
  return path
    .replace(/^\/+|\/+$/g, '')
    .normalize('NFC')
    .toLowerCase()
}
