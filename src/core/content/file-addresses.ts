import { folderOf, joinPath } from '../text/file-paths.ts'
import { isFolderPage } from '../text/page-slug.ts'
import { withoutSlashes } from '../text/trimming.ts'
import type { PageRecord } from './revision.ts'
import type { PageTree } from './tree/tree.ts'

/** The ends of the path of a file behind its address. */
const ENDS = ['.md', '/README.md', '/readme.md', '/index.md', '.markdown']

/**
 * Finds the page whose file has an address: `guides/install` is that of `guides/install.md` and of
 * `guides/install/README.md`. The address begins at the top of the repository, or in the folder of the first page.
 * The lookup ignores slashes at the ends and `.md`, and finds upper case as it is written and lower case.
 */
export function pageAtFilePath(tree: PageTree, path: string): PageRecord | undefined {
  const wanted = withoutSlashes(path.normalize('NFC')).replace(/\.md$/i, '')
  if (wanted === '') return undefined
  const first = tree.first()?.file ?? ''
  const folders = new Set(['', isFolderPage(first) ? folderOf(first) : ''])
  for (const folder of folders)
    for (const address of new Set([wanted, wanted.toLowerCase()]))
      for (const end of ENDS) {
        const page = tree.byFile(joinPath(folder, address + end) ?? '')
        if (page) return page
      }
  return undefined
}
