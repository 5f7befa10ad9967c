/** Projects of Nextra. */
import { isRecord } from '../../data/is-record.ts'
import { folderOf, isBelow, lastSegment, pathBelow } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { unwrapped } from '../literals.ts'
import { folderTree, type TreePlace } from './folder-tree.ts'
import { firstFile, mdxLines, settingsValue } from './mdx-project.ts'
import { convertProject, hasPages, inFolder, isProjectPage, settingsFolder } from './project.ts'
import { type ProjectTree, treesInLanguageFolders, treeWith } from './project-tree.ts'

const META = /^_meta(?:\.[a-z]{2}(?:-[A-Z]{2})?)?\.(?:[cm]?[jt]sx?|json)$/

const pagesFolder = (files: SourceFiles, folder: string): string =>
  ['content', 'src/content', 'pages', 'src/pages']
    .map((name) => inFolder(folder, name))
    .find((one) => hasPages(files, one)) ?? folder

const projectFolder = (files: SourceFiles) => settingsFolder(files, /^next\.config\.[cm]?[jt]s$/) ?? ''

/** The documentations of a project of Nextra: one for each language, if all pages are in folders of languages. */
export function nextraTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  return treesInLanguageFolders(files, pagesFolder(files, projectFolder(files)))
}

/**
 * Converts a project of Nextra, in the order of its `_meta` files.
 * @param chosen the folder of one of its languages; without it, English or else the first one
 */
export function convertNextra(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const files = withoutSingleFolder(source)
  const folder = projectFolder(files)
  const whole = pagesFolder(files, folder)
  const root = treeWith(treesInLanguageFolders(files, whole), chosen)?.folder ?? whole
  const metas = new Map<string, Map<string, TreePlace | undefined>>()
  const metaIn = (path: string) => {
    const known = metas.get(path)
    if (known) return known
    const read = placesIn(unwrapped(settingsValue(files, firstFile(files, path, META) ?? '')))
    metas.set(path, read)
    return read
  }
  const placeInMeta = (path: string): TreePlace | undefined => {
    const places = metaIn(folderOf(path))
    const name = stemOf(path)
    return places.has(name) ? places.get(name) : {}
  }
  const folders = new Set([...files.keys()].filter(isProjectPage).map(folderOf))
  return convertProject(files, 'nextra', {
    root,
    shared: [inFolder(folder, 'public'), whole],
    snippets: [folder, root],
    body: (text, included, { report }) => mdxLines(text, { files: included, report }),
    tree: folderTree(files, root, {
      page(path, { sidebarTitle }) {
        const place = placeInMeta(path)
        const title = typeof sidebarTitle === 'string' ? sidebarTitle : undefined
        return place && { ...place, title: place.title ?? title }
      },
      folder: placeInMeta,
      ownFolder: (path) => (folders.has(stemPath(path)) ? stemPath(path) : indexFolder(path)),
    }).pages,
    addressOf: (path) =>
      isBelow(path, root)
        ? stemPath(path)
            .slice(whole.length)
            .replace(/(?:^|\/)index$/, '')
        : undefined,
    base: pathBelow(root, whole),
  })
}

const stemPath = (path: string) => path.replace(/\.mdx?$/i, '')
const stemOf = (path: string) => lastSegment(stemPath(path))
const indexFolder = (path: string) => (stemOf(path) === 'index' ? folderOf(path) : undefined)

/** The places of the entries of a `_meta` file by their names; undefined for those that the sidebar hides. */
function placesIn(meta: unknown): Map<string, TreePlace | undefined> {
  const places = new Map<string, TreePlace | undefined>()
  for (const [position, [name, entry]] of Object.entries(isRecord(meta) ? meta : {}).entries()) {
    const title = isRecord(entry) ? entry.title : entry
    const isHidden = isRecord(entry) && entry.display === 'hidden'
    places.set(
      name,
      isHidden
        ? undefined
        : { title: typeof title === 'string' && title !== '' ? title : undefined, position },
    )
  }
  return places
}
