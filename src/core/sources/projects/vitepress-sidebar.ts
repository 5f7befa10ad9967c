/** The page tree of a project of VitePress: `themeConfig.sidebar` of its settings, or of those of a language. */
import { isRecord } from '../../data/is-record.ts'
import { isBelow, isWebAddress, joinPath, titleOfName } from '../../text/file-paths.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import type { SourceFiles } from '../converted.ts'
import { LiteralCall } from '../literals.ts'
import type { ListedPage } from '../page-list.ts'
import { listedPage, namedFile } from './mdx-project.ts'

const DEEPEST_SIDEBAR = 16

/** The files that the links of a sidebar name. */
interface SidebarFiles {
  files: SourceFiles
  /** The folder that is the top of the site. */
  root: string
  /** The folder of the pages of one language. */
  within: string
}

/**
 * The tree of the sidebars in settings; undefined if they are not literals, or list no page. If there are several, by the
 * paths that show them, each is below the text that the menu at the top has for its path.
 */
export function sidebarTree(settings: unknown, from: SidebarFiles): ListedPage[] | undefined {
  const theme = isRecord(settings) ? settings.themeConfig : undefined
  const { sidebar, nav } = isRecord(theme) ? theme : {}
  if (Array.isArray(sidebar)) return orUndefined(sidebarEntries(sidebar, '', from, 0))
  if (!isRecord(sidebar) || sidebar instanceof LiteralCall) return undefined
  const parts = Object.entries(sidebar).flatMap(([path, part]): ListedPage[] => {
    const { items, base = '' } = Array.isArray(part) ? { items: part as unknown } : isRecord(part) ? part : {}
    const children = sidebarEntries(items, typeof base === 'string' ? base : '', from, 0)
    if (children.length === 0) return []
    const [only] = children
    const title = textForPath(nav, path)
    if (withoutSlashes(path) === '' || (children.length === 1 && only?.file === undefined)) return children
    return [{ title: title ?? titleOfName(withoutSlashes(path)), children }]
  })
  return orUndefined(parts)
}

const orUndefined = (tree: ListedPage[]) => (tree.length === 0 ? undefined : tree)

/** The text of the entry of the menu that leads to pages below a path. */
function textForPath(nav: unknown, path: string, depth = 0): string | undefined {
  if (!Array.isArray(nav) || depth > 2) return undefined
  for (const entry of nav.filter(isRecord)) {
    const { text, link, items } = entry
    if (typeof text === 'string' && typeof link === 'string' && link.startsWith(path)) return text
    const inner = textForPath(items, path, depth + 1)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** @param base the path before the links of the entries */
function sidebarEntries(items: unknown, base: string, from: SidebarFiles, depth: number): ListedPage[] {
  if (!Array.isArray(items) || depth > DEEPEST_SIDEBAR) return []
  return items.filter(isRecord).flatMap((entry): ListedPage[] => {
    const inner = typeof entry.base === 'string' ? entry.base : base
    const children = sidebarEntries(entry.items, inner, from, depth + 1)
    const title = typeof entry.text === 'string' ? entry.text : undefined
    const link = typeof entry.link === 'string' ? entry.link : undefined
    if (link !== undefined && isWebAddress(link)) return [{ title: title ?? link, url: link, children }]
    const file = link === undefined ? undefined : linkedFile(`${inner}${link}`, from)
    if (file !== undefined) return [{ ...listedPage(from.files, file, title), children }]
    if (children.length === 0) return []
    return title === undefined ? children : [{ title, children }]
  })
}

function linkedFile(link: string, { files, root, within }: SidebarFiles): string | undefined {
  const path = joinPath(
    '',
    link
      .replace(/[?#].*$/s, '')
      .replace(/\.html$/, '')
      .replace(/^\/+/, ''),
  )
  const file = path === undefined ? undefined : namedFile(files, root, path)
  return file !== undefined && isBelow(file, within) ? file : undefined
}
