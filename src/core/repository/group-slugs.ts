import { folderOf, isBelow, lastSegment } from '../text/file-paths.ts'
import { cleanSlug, isFolderPage, slugOfTitle } from '../text/page-slug.ts'

/** A group of pages. */
export interface FiledGroup {
  title: string
  /** The files of the pages directly in the group. */
  files: readonly string[]
}

/**
 * The slugs of groups that name none. A group has the name of the folder that has most of its files, because published
 * addresses follow the folders: a group keeps its folder when its title changes. If the files have no such folder, or
 * another group has it, the slug comes from the title.
 * @param root the folder of the pages
 */
export function groupSlugs(groups: readonly FiledGroup[], root: string): string[] {
  const folders = groups.map(({ files }) => folderSlug(files, root))
  const owners = new Map<string, number>()
  for (const [nth, folder] of folders.entries()) {
    if (folder === undefined) continue
    const isNamed = slugOfTitle(groups[nth]?.title ?? '') === folder
    if (isNamed || !owners.has(folder)) owners.set(folder, nth)
  }
  return groups.map(({ title }, nth) => {
    const folder = folders[nth]
    return folder !== undefined && owners.get(folder) === nth ? folder : slugOfTitle(title)
  })
}

/** The slug of the folder directly below the root that has more than half of the files. */
export function folderSlug(files: readonly string[], root: string): string | undefined {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = folderOf(isFolderPage(file) ? folderOf(file) : file)
    if (folder === '' || !isBelow(file, root) || folderOf(folder) !== root) continue
    const name = lastSegment(folder)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  for (const [name, count] of counts) if (count * 2 > files.length) return cleanSlug(name)
  return undefined
}
