/** The content of a space as a reader of a site may see it, for the API. */
import { notFound } from '../../../../http/errors.ts'
import type { Document } from '../../../../core/document/model.ts'
import type { FileRecord, PageRecord } from '../../../../core/content/revision.ts'
import { listedEntries } from '../../../../core/content/tree/entries.ts'
import type { PageTree } from '../../../../core/content/tree/tree.ts'
import type { Row } from '../../../../db/schema.ts'
import { homeOf } from '../resolve/addresses.ts'
import { languageVersionsOf } from './language-versions.ts'
import { markdownOf, visibleDocumentOf, visibleReusableOf } from './body.ts'
import {
  fileAddress,
  linkTo,
  loadContent,
  type SiteContent,
  type SiteServices,
  variantAddress,
} from './site-content.ts'
import type { SpaceReading } from '../on-reader.ts'
import { isFileShown, isReusableShown, shownFilesOf } from './shown-content.ts'

/** The content of a revision that the API shows to a reader. */
export interface ReaderContent {
  tree: PageTree
  /** The files that the reader sees on some page of the site. */
  files(): Promise<FileRecord[]>
  /** One of them. */
  file(id: string): Promise<FileRecord | undefined>
  /** Distinguishes what readers see, for ETags. */
  version: string
  /** The address of a file on the site. For readers who proved something, it is signed and expires. */
  fileUrl(file: FileRecord): string
  markdown(page: PageRecord): Promise<string>
  document(page: PageRecord): Promise<Document>
  /** The document of a reusable content; undefined if no page that the reader may see includes it. */
  reusableDocument(id: string): Promise<Document | undefined>
  /** The same page in the languages of the site, with itself; empty if there is one language. */
  languageVersions(page: PageRecord): Promise<{ space: string; page: string }[]>
}

/**
 * The content of a revision for a reader: of the one that the site shows, or in a preview, of any.
 * @throws 404 if the reader may not see the revision
 */
export async function readerContent(
  services: SiteServices,
  { open: seen, variant: current }: SpaceReading,
  { id }: Row<'revision'>,
): Promise<ReaderContent> {
  const isCurrent = current.revisionId === id
  if (!isCurrent && !seen.visit.preview) throw notFound('revision')
  const variant = isCurrent ? current : { ...current, revisionId: id }
  const open = isCurrent
    ? seen
    : {
        ...seen,
        version: `${seen.version} ${id}`,
        variants: seen.variants.map((one) => (one === current ? variant : one)),
      }
  const content = await loadContent(services, open, variant, variantAddress(open, variant))
  const home = homeOf(services.urls, open)
  return {
    tree: await visibleTree(content),
    files: () => shownFilesOf(services.db, content),
    async file(fileId) {
      const file = content.files.get(fileId)
      return file && (await isFileShown(services.db, open, variant.spaceId, file)) ? file : undefined
    },
    version: [open.version, home].join(' '),
    fileUrl: (file) => home + fileAddress(content, file).slice(open.base.length),
    markdown: (page) => markdownOf(services, content, page, home),
    document: (page) => visibleDocumentOf(services, content, page, home),
    async reusableDocument(reusableId) {
      const reusable = content.reusables.get(reusableId)
      const isShown = reusable && (await isReusableShown(services.db, open, variant.spaceId, reusableId))
      return isShown ? visibleReusableOf(services, content, reusable, home) : undefined
    },
    async languageVersions(page) {
      const versions = await languageVersionsOf(services, content, page)
      return versions.map((one) => ({ space: one.content.variant.spaceId, page: one.page.id }))
    },
  }
}

const visibleTrees = new WeakMap<SiteContent, PageTree>()

/** The entries of the page tree that the reader may see. Pages that are hidden from navigation are among them. */
async function visibleTree(content: SiteContent): Promise<PageTree> {
  const known = visibleTrees.get(content)
  if (known) return known
  const isFound = (page: PageRecord) =>
    content.shown(page) &&
    page.type !== 'computed' &&
    (page.type !== 'link' || (page.target !== undefined && linkTo(content, page.target)?.href !== undefined))
  const entries = await listedEntries(content.tree, isFound)
  const unseen = content.tree.pages().filter(({ id }) => !entries.has(id))
  const tree =
    unseen.length === 0 ? content.tree : content.tree.apply(new Map(unseen.map(({ id }) => [id, null])))
  visibleTrees.set(content, tree)
  return tree
}
