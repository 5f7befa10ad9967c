/** Makes the links between the pages of a book name ids that exist. */
import { anchorFinder, type FindAnchor } from '../document/html/anchors.ts'
import type { EpubPageFile } from './model.ts'
import { anchorAddress, decodedAnchor } from './page.ts'
import { escapeXml } from '../text/xml.ts'
import { archived, archivedContent } from '../zip/zip.ts'

/** The file of a page, and what some of its links become. */
export interface SettleTask {
  page: EpubPageFile
  links: Map<string, string>
}

/** The ids of a page. */
interface Places {
  ids: ReadonlySet<string>
  /** Made for the first link that names none of them. */
  find?: FindAnchor
}

/** The links of pages to places that do not exist, with the closest that does: a place with a similar name, or the page. */
export function wrongLinks(pages: ReadonlyMap<string, EpubPageFile>): Map<string, SettleTask> {
  const places = new Map<string, Places>()
  const known = new Map<string, string>()
  const wrong = new Map<string, SettleTask>()
  for (const [name, page] of pages) {
    const links = new Map<string, string>()
    for (const link of page.links) {
      const right = known.get(link) ?? rightOf(link, pages, places)
      known.set(link, right)
      if (right !== link) links.set(link, right)
    }
    if (links.size > 0) wrong.set(name, { page, links })
  }
  return wrong
}

function rightOf(
  link: string,
  pages: ReadonlyMap<string, EpubPageFile>,
  places: Map<string, Places>,
): string {
  const [file, anchor] = [link.slice(0, link.indexOf('#')), decodedAnchor(link.slice(link.indexOf('#') + 1))]
  let place = places.get(file)
  if (!place) {
    place = { ids: new Set(pages.get(file)?.ids) }
    places.set(file, place)
  }
  if (place.ids.has(anchor)) return `${file}#${anchorAddress(anchor)}`
  place.find ??= anchorFinder(place.ids)
  const id = place.find(anchor)
  return place.ids.has(id) ? `${file}#${anchorAddress(id)}` : file
}

/** The file of a page with some of its links replaced. */
export function settleLinks({ page, links }: SettleTask): EpubPageFile {
  const escaped = new Map([...links].map(([from, to]) => [escapeXml(from), escapeXml(to)]))
  const markup = new TextDecoder().decode(archivedContent(page.file))
  // Text cannot contain quotation marks, so this finds attributes alone.
  const settled = markup.replace(/ href="([^"]*)"/g, (attribute, href: string) => {
    const to = escaped.get(href)
    return to === undefined ? attribute : ` href="${to}"`
  })
  return { ...page, file: archived(settled), links: page.links.map((link) => links.get(link) ?? link) }
}
