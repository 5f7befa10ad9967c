/** Prints contents as repositories, and reads repositories into contents, without a server. */
import { isBroken, repositoryPath, resolveReference, type Targets } from '../../../src/core/content/links.ts'
import { pathTargets } from '../../../src/core/content/repository-paths.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../src/core/content/revision.ts'
import { indexTree } from '../../../src/core/content/tree/tree.ts'
import { linksOf } from '../../../src/core/document/links/links-in.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import type { PrintableContent } from '../../../src/core/repository/print/model.ts'
import { placeContent } from '../../../src/core/repository/print/place.ts'
import { printRepository } from '../../../src/core/repository/print/print.ts'
import { planImport } from '../../../src/core/repository/plan.ts'
import { type OutlinedPage, type PageReadout, sendPlan } from '../../../src/imports/plan-outline.ts'
import { resolvePages } from '../../../src/imports/write.ts'

/** A content with its bodies and bytes in memory. */
export interface WholeContent extends PrintableContent {
  sources: ReadonlyMap<string, string>
  bytes: ReadonlyMap<string, Uint8Array>
}

export type RepositoryFiles = Map<string, Uint8Array>

/** The layout of a repository without settings. */
const PLAIN = { folder: '', root: '', summary: 'SUMMARY.md' }

/** The files of a printed content. */
export async function printed(content: WholeContent): Promise<RepositoryFiles> {
  const files: RepositoryFiles = new Map()
  const placed = placeContent(content, PLAIN)
  for await (const one of printRepository(placed, () => Promise.resolve(content.sources)))
    files.set(one.path, 'text' in one ? Buffer.from(one.text) : content.bytes.get(one.file.hash)!)
  return files
}

/** The content that an import of a repository makes in an empty space. */
export async function imported(files: RepositoryFiles): Promise<WholeContent> {
  const plan = await planImport<PageReadout>(files, (source) => {
    const page = parsePage(source)
    const links = linksOf(page, source)
    const urls = links.references.flatMap(({ ref, place }) =>
      ref.kind === 'url' ? [{ url: ref.url, place }] : [],
    )
    const covers = [page.meta.cover?.ref, page.meta.cover?.refDark]
    return {
      ...(page.title === undefined ? {} : { title: page.title }),
      meta: page.meta,
      links,
      lines: new Map(),
      unshown: [],
      outside: [],
      includes: urls.flatMap(({ url, place }) => (place === 'reusable-content' ? [url] : [])),
      references: [
        ...urls.flatMap(({ url, place }) => (place === 'reusable-content' ? [] : [url])),
        ...covers.flatMap((ref) => (ref?.kind === 'url' ? [ref.url] : [])),
      ],
    }
  })
  const sources = new Map<string, string>()
  const bytes = new Map<string, Uint8Array>()
  const fileRecords = new Map<string, FileRecord>()
  let next = 0
  const newId = () => `i${String(next++).padStart(21, '0')}`
  const outline = await sendPlan(plan, (part) => {
    if ('documents' in part) for (const { hash, source } of part.documents) sources.set(hash, source)
    else if ('files' in part)
      for (const { bytes: own, ...file } of part.files) {
        const id = newId()
        bytes.set(id, own)
        fileRecords.set(id, { ...file, id, hash: id, createdAt: '' })
      }
    return Promise.resolve()
  })
  const pages = new Map<string, PageRecord>()
  const add = (some: readonly OutlinedPage[], parent: string | null) => {
    for (const [nth, { slug, fields, children }] of some.entries()) {
      const id = newId()
      const order = String(nth).padStart(6, '0')
      pages.set(id, { ...fields, id, parent, order, slug, createdAt: '', updatedAt: '' })
      add(children, id)
    }
  }
  add(outline.pages, null)
  const reusables = new Map<string, ReusableRecord>(
    outline.reusables.map((one) => {
      const id = newId()
      return [id, { ...one, id }]
    }),
  )
  const content = { pages: indexTree(pages), files: fileRecords, reusables }
  return {
    ...content,
    pages: indexTree(resolvePages(pages, content)),
    variables: outline.variables,
    redirects: outline.redirects,
    sources,
    bytes,
  }
}

/** What two contents have in common if one is an import of the other: everything but ids, times and orders. */
export function shapeOf(content: WholeContent): unknown {
  const targets = pathTargets(content)
  const shown = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, one: unknown) => {
        if (key === 'page' && typeof one === 'string') return content.pages.path(one)
        if (key === 'file' && typeof one === 'string') return content.files.get(one)?.name
        if (key === 'reusableContent') return content.reusables.get(one as string)?.title
        return one === false ? undefined : one
      }) ?? 'null',
    )
  const pagesBelow = (parent: string | null): unknown[] =>
    content.pages.children(parent).map(({ id, type, title, linkTitle, target, ...page }) => {
      const { description, icon, hidden, noIndex, noRobotsIndex, condition, layout, tags, variables, slug } =
        page
      const fields = { description, icon, hidden, noIndex, noRobotsIndex, condition, layout, tags, variables }
      return {
        type,
        slug,
        title,
        ...(linkTitle === undefined ? {} : { linkTitle }),
        target: shown(target),
        cover: shown(page.cover),
        fields: shown(fields),
        computed: shown(page.computed?.type),
        links: linkedBy(content, page.document, page.file, targets, shown),
        pages: pagesBelow(id),
      }
    })
  return {
    pages: pagesBelow(null),
    files: [...content.files.values()]
      .map(({ hash }) => Buffer.from(content.bytes.get(hash)!).toString())
      .toSorted(),
    reusables: [...content.reusables.values()].map(({ title }) => title).toSorted(),
    variables: content.variables,
    redirects: content.redirects,
  }
}

/** Where the links of a document lead. */
function linkedBy(
  content: WholeContent,
  document: string | undefined,
  from: string | undefined,
  targets: Targets,
  shown: (value: unknown) => unknown,
): unknown[] {
  const source = content.sources.get(document ?? '') ?? ''
  return linksOf(parsePage(source), source).references.map(({ ref }) => {
    const resolved = resolveReference(ref, from, targets)
    if (resolved.kind !== 'url' || !isBroken(resolved)) return shown(resolved)
    return repositoryPath(resolved.url, from) ?? resolved.url
  })
}
