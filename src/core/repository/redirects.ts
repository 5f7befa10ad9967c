import { because } from '../languages/reasons.ts'
import { findFile } from './addresses.ts'
import type { Repository } from './addresses.ts'
import type { Configuration } from './configuration.ts'
import type { PageReading, PlannedRedirect, Problem } from './model.ts'
import type { PlannedTree } from './pages.ts'
import { isAbsoluteAddress, isWebAddress } from '../text/file-paths.ts'

/**
 * Plans the redirects of `.gitbook.yaml`. Reports and omits each redirect whose target is not a page of the tree. Also omits
 * those from the path that a page has anyway.
 */
export function planRedirects<R extends PageReading>(
  repository: Repository,
  { redirects }: Configuration,
  tree: PlannedTree<R>,
  { path: settings, problems }: { path: string; problems: Problem[] },
): PlannedRedirect[] {
  const planned: PlannedRedirect[] = []

  for (const { from, to } of redirects) {
    if (isAbsoluteAddress(to)) {
      if (isWebAddress(to)) planned.push({ from, target: { url: to } })
      else
        problems.push({
          kind: 'redirect',
          path: settings,
          address: to,
          ...because('redirect-not-web', { from, to }),
        })
      continue
    }

    const [path = '', anchor] = to.split('#', 2)
    const file = findFile(repository, '', path)
    const page = file === undefined ? undefined : tree.documents.get(file)
    if (file === undefined || page === undefined) {
      const why = because('redirect-not-page', { from, to })
      problems.push({ kind: 'redirect', path: settings, address: to, ...why })
      continue
    }
    if (page.path.toLowerCase() === from.toLowerCase()) continue
    planned.push({ from, target: anchor === undefined ? { file } : { file, anchor } })
  }

  return planned
}
