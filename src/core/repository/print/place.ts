import { freePath } from '../../content/repository-paths.ts'
import { FRONT_MATTER_FIELDS } from '../../content/page-fields.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../content/revision.ts'
import { cleanSlug, isFolderPage, slugOfTitle } from '../../text/page-slug.ts'
import { folderOf, joinPath } from '../../text/file-paths.ts'
import type { PlacedContent, PrintableContent, RepositoryLayout } from './model.ts'

/**
 * Gives a repository path to every record that has none. A page gets one from its place in the tree and its slug, a file in
 * `.gitbook/assets`, and a reusable content in `.gitbook/includes`. A page that is only a line of the table of contents stays
 * without a file. Equal contents get equal paths.
 */
export function placeContent(content: PrintableContent, layout: RepositoryLayout): PlacedContent {
  const taken = new Set([
    layout.summary.toLowerCase(),
    ...['.gitbook.yaml', 'SUMMARY.md'].map((name) => below(layout.folder, name).toLowerCase()),
    below(layout.root, '.gitbook/vars.yaml').toLowerCase(),
  ])
  const pages = content.pages.pages()
  for (const { file } of pages) if (file !== undefined) taken.add(file.toLowerCase())
  for (const records of [content.files, content.reusables])
    for (const { path } of records.values()) if (path !== undefined) taken.add(path.toLowerCase())

  const fresh = new Map<string, string>()
  const take = (wanted: string, id: string) => {
    const path = freePath(wanted.normalize('NFC'), (one) => taken.has(one.toLowerCase()))
    taken.add(path.toLowerCase())
    fresh.set(path, id)
    return path
  }
  const files = placedFiles(content, layout, take)
  const reusables = placedReusables(content, layout, take)
  const placed = placedPages(content, layout, take)
  return { ...content, pages: content.pages.apply(placed), files, reusables, layout, before: content, fresh }
}

type Take = (path: string, id: string) => string

function placedPages(
  { pages }: PrintableContent,
  { root }: RepositoryLayout,
  take: Take,
): Map<string, PageRecord> {
  const targets = new Set(
    pages.pages().flatMap(({ target }) => (target && 'page' in target ? [target.page] : [])),
  )
  const placed = new Map<string, PageRecord>()
  /** The folder of the pages below a page. */
  const folders = new Map<string | null, string>([[null, root]])

  for (const page of pages.pages()) {
    const folder = folders.get(pages.parent(page.id)) ?? root
    const name = cleanSlug(page.slug)
    if (page.type === 'document' && page.file === undefined && !isLine(page, targets)) {
      const isFolder = pages.children(page.id).length > 0 || isFolderPage(`${name}.md`)
      const file = take(below(folder, isFolder ? `${name}/README.md` : `${name}.md`), page.id)
      placed.set(page.id, { ...page, file })
    }
    const { file } = placed.get(page.id) ?? page
    folders.set(page.id, file === undefined ? below(folder, name) : folderBelow(file))
  }
  return placed
}

/** Whether a page is a line without a link in the table of contents, which has nothing but a title. */
function isLine(page: PageRecord, targets: ReadonlySet<string | undefined>): boolean {
  return (
    page.document === undefined &&
    page.linkTitle === undefined &&
    page.slug === slugOfTitle(page.title) &&
    FRONT_MATTER_FIELDS.every((field) => page[field] === undefined) &&
    !targets.has(page.id)
  )
}

function folderBelow(file: string): string {
  return isFolderPage(file) ? folderOf(file) : file.replace(/\.[^./]*$/, '')
}

function placedFiles(
  { files }: PrintableContent,
  { root }: RepositoryLayout,
  take: Take,
): Map<string, FileRecord> {
  const assets = below(root, '.gitbook/assets')
  return new Map(
    inOrder(files).map((file) => {
      if (file.path !== undefined) return [file.id, file]
      const name = file.name.replace(/[/\\\p{Cc}]/gu, '-').replace(/^\.+$/, '') || 'file'
      return [file.id, { ...file, path: take(below(assets, name), file.id) }]
    }),
  )
}

function placedReusables(
  { reusables }: PrintableContent,
  { root }: RepositoryLayout,
  take: Take,
): Map<string, ReusableRecord> {
  const includes = below(root, '.gitbook/includes')
  return new Map(
    inOrder(reusables).map((one) => {
      if (one.path !== undefined) return [one.id, one]
      return [one.id, { ...one, path: take(below(includes, `${slugOfTitle(one.title)}.md`), one.id) }]
    }),
  )
}

const inOrder = <R extends { id: string }>(records: ReadonlyMap<string, R>): R[] =>
  [...records.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))

const below = (folder: string, path: string) => joinPath(folder, path) ?? path
