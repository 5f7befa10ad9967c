import { findFile } from './addresses.ts'
import type { Repository } from './addresses.ts'
import type { Library } from './library.ts'
import type { PageReading, PlannedReusable } from './model.ts'
import type { PlannedTree } from './pages.ts'
import { isBelow, isMarkdown, joinPath, nameOf, titleOfName } from './paths.ts'

/** Plans every file in `.gitbook/includes`, and every other Markdown file that a page or an include embeds. */
export async function planReusables<R extends PageReading>(
  repository: Repository,
  tree: PlannedTree<R>,
  library: Library<R>,
): Promise<PlannedReusable<R>[]> {
  const folder = joinPath(repository.root, '.gitbook/includes') ?? ''
  const paths = new Set(
    [...repository.files.keys()].filter((path) => isBelow(path, folder) && isMarkdown(path)),
  )
  const add = (from: string, includes: string[] = []) => {
    for (const include of includes) {
      const path = findFile(repository, from, include)
      if (path !== undefined && isMarkdown(path)) paths.add(path)
    }
  }

  for (const [file, page] of tree.documents) add(file, page.reading.includes)
  const reusables: PlannedReusable<R>[] = []
  // The set grows during the loop, because an include may embed other files.
  for (const path of paths) {
    const { source, reading } = await library.open(path)
    reusables.push({ path, title: reading.title?.trim() || titleOfName(nameOf(path)), source, reading })
    add(path, reading.includes)
  }

  return reusables
}
