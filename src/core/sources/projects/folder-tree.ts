/** The page tree that a generator makes of the folders of its pages. */
import {
  compareNames,
  folderOf,
  isBelow,
  lastSegment,
  titleOfName,
  pathBelow,
} from '../../text/file-paths.ts'
import type { SourceFiles } from '../converted.ts'
import type { ListedPage } from '../page-list.ts'
import { type Head, headLines, pageBeginning, readHead } from './addresses.ts'
import { bareName, isProjectPage, pageTitleIn } from './project.ts'

/** How a generator places a page or a folder among its siblings. */
export interface TreePlace {
  /** Without it, the title is that of the page, or the name of the file or folder. */
  title?: string | undefined
  /** Those without it follow in the order of their names. */
  position?: number | undefined
}

/** The rules of a generator. Undefined leaves a page or a folder out. */
export interface TreeRules {
  page(path: string, head: Head): TreePlace | undefined
  folder(path: string): TreePlace | undefined
  /** The folder of which a file is the page, such as `guide` for `guide/index.md`. */
  ownFolder(path: string): string | undefined
}

/** A page tree, and the pages below each folder by its path. */
export interface FolderTree {
  pages: ListedPage[]
  folders: ReadonlyMap<string, ListedPage>
}

interface Node extends ListedPage {
  position: number
  name: string
  children: Node[]
}

/** Reads the tree of the pages below a folder. Names that begin with `_` or a dot are not pages. */
export function folderTree(files: SourceFiles, root: string, rules: TreeRules): FolderTree {
  const top: Node = { title: '', name: '', position: 0, children: [] }
  const folders = new Map<string, Node>([[root, top]])
  const folder = (path: string): Node => {
    const known = folders.get(path)
    if (known) return known
    const place = rules.folder(path)
    const name = lastSegment(path)
    const node: Node = {
      title: place?.title ?? titleOfName(bareName(name)),
      name,
      position: place?.position ?? Infinity,
      children: [],
    }
    folders.set(path, node)
    const parent = folder(folderOf(path))
    if (place) parent.children.push(node)
    return node
  }
  for (const [path, bytes] of files) {
    if (!isProjectPage(path) || !isBelow(path, root)) continue
    const inRoot = pathBelow(path, root)
    // A page for addresses that do not exist is no chapter.
    if (/(?:^|\/)[_.]|node_modules\/|^404\.\w+$/.test(inRoot)) continue
    const text = pageBeginning(bytes)
    const place = rules.page(path, readHead(headLines(text)))
    if (!place) continue
    const { position = Infinity } = place
    const title = place.title ?? pageTitleIn(text) ?? titleOfName(bareName(path))
    const owned = rules.ownFolder(path)
    const own = owned === undefined ? top : folder(owned)
    if (own !== top && own.file === undefined) {
      own.file = path
      own.position = Math.min(own.position, position)
    } else {
      const name = lastSegment(path).replace(/\.\w+$/, '')
      folder(folderOf(path)).children.push({ title, name, position, file: path, children: [] })
    }
  }
  for (const { children } of folders.values())
    children.sort((a, b) =>
      a.position === b.position ? compareNames(a.name, b.name) : a.position - b.position,
    )
  return { pages: top.children, folders }
}
