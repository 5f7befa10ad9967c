import type { PageRecord } from '../core/revision.ts'
import type { Row } from '../db/schema.ts'

/** The page that an old path leads to, by the redirects of the space's configuration. */
export function redirected(
  revision: Row<'revision'>,
  path: string,
  byFile: (file: string) => PageRecord | undefined,
): PageRecord | undefined {
  const redirects = JSON.parse(revision.redirects) as Record<string, string>
  const wanted = path.replace(/^\/+|\/+$/g, '')
  const target = Object.hasOwn(redirects, wanted) ? redirects[wanted] : undefined
  return target === undefined ? undefined : byFile(target)
}
