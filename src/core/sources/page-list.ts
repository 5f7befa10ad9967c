/** A page tree that a source names, as the files and the table of contents of a repository. */
import { append } from '../data/lists.ts'
import { because } from '../languages/reasons.ts'
import { slugify, uniquifier } from '../text/slug.ts'
import { bytesOf } from './converted.ts'
import { escapeLabel } from './pages-of-document.ts'
import { ImportRefused } from '../repository/refused.ts'
import { repositoryLimits } from '../repository/model.ts'

/** A page of a source, with the pages below it. */
export interface ListedPage {
  title: string
  /** The path of its file in the source; absent for a page without content. */
  file?: string
  children: ListedPage[]
  /** The title in the table of contents, if it differs from that of the page. */
  linkTitle?: string
  /** Whether it is a group of pages, which has no page; only at the top level. */
  isGroup?: boolean
  /** The target of the entry, if it is no page of the source. */
  url?: string
}

/** The title of each file in a tree. */
export function titlesInTree(tree: readonly ListedPage[]): Map<string, string> {
  const titles = new Map<string, string>()
  const waiting = [...tree]
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    if (page.file !== undefined) titles.set(page.file, page.title)
    append(waiting, page.children)
  }
  return titles
}

/** Gives each page of a tree the path of its new file, by the path in the source. The folders follow the tree. */
export function placePages(pages: readonly ListedPage[], paths: Map<string, string>): void {
  const place = (level: readonly ListedPage[], folder: string, depth: number) => {
    if (depth > repositoryLimits.depth)
      throw new ImportRefused(because('import-pages-too-deep', { limit: repositoryLimits.depth }))
    const free = uniquifier(['summary', 'readme'], { caseless: true, longest: 60 })
    for (const { title, file, children } of level) {
      const slug = free(slugify(title), 'page')
      if (file !== undefined && !paths.has(file)) paths.set(file, `${folder}${slug}.md`)
      place(children, `${folder}${slug}/`, depth + 1)
    }
  }
  place(pages, '', 1)
}

/** The table of contents of a tree whose pages have been placed. */
export function printContents(pages: readonly ListedPage[], paths: ReadonlyMap<string, string>): Uint8Array {
  const lines: string[] = []
  const add = (level: readonly ListedPage[], indent: string) => {
    for (const { title, linkTitle, file, children, url } of level) {
      const path = file === undefined ? url : paths.get(file)
      const label = escapeLabel(title)
      const shown = linkTitle === undefined ? '' : ` "${linkTitle.replaceAll('"', '”')}"`
      lines.push(path === undefined ? `${indent}* ${label}` : `${indent}* [${label}](<${path}>${shown})`)
      add(children, `${indent}  `)
    }
  }
  let isInGroup = false
  for (const page of pages) {
    if (page.isGroup) lines.push('', `## ${escapeLabel(page.title)}`, '')
    // A rule ends a group.
    else if (isInGroup) lines.push('', '---', '')
    isInGroup = page.isGroup === true
    add(page.isGroup ? page.children : [page], '')
  }
  return bytesOf(`# Table of contents\n\n${lines.join('\n')}\n`)
}
