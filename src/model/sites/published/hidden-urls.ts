/** Full URLs of a site itself that lead to pages which their reader may not see. */
import { referenceKey } from '../../../core/document/references.ts'
import type { BodyTask } from '../../../core/reading/body.ts'
import type { Reader } from '../../../db/schema.ts'
import type { Urls } from '../../../http/urls.ts'
import { loadOwnPaths } from '../own-paths.ts'
import { isReadable, loadContent, type SiteContent } from './content.ts'
import { decodePath, matchesOf } from './resolve.ts'

/** Takes the targets of such URLs from a body, as those of links to the pages themselves. */
export async function hideOwnUrls(
  db: Reader,
  urls: Urls,
  { open }: SiteContent,
  { page, included, targets }: BodyTask,
): Promise<void> {
  const refs = [page, ...included.values()].flatMap(({ references }) => [...references.values()])
  const named = new Set(
    refs.flatMap((ref) => (ref.kind === 'url' && /^(?:https?:)?\/\//i.test(ref.url) ? ref.url : [])),
  )
  if (named.size === 0) return
  const own = await loadOwnPaths(db, urls, open.site, open.organizationHostname)
  for (const url of named) {
    const path = own.of(url.startsWith('//') ? `https:${url}` : url)
    if (path !== undefined && (await isHidden(path))) targets.set(referenceKey({ kind: 'url', url }), {})
  }

  /** Whether a path has pages, and the reader may see none of them. */
  async function isHidden(path: string): Promise<boolean> {
    let isPage = false
    for (const { variant, rest, base } of matchesOf(open, path)) {
      const content = await loadContent(db, open, variant, base)
      const name = decodePath(rest).replace(/\/$/, '')
      if (name === '') return false
      const found = content.tree.byPath(name) ?? content.tree.byPath(name.replace(/\.md$/, ''))
      if (found && isReadable(content, found)) return false
      isPage ||= found !== undefined
    }
    return isPage
  }
}
