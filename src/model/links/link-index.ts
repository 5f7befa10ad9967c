import { type DocumentLinks, LINKS_VERSION, linksIn } from '../../core/document/links-in.ts'
import { indexLinks, type LinkUse } from '../../core/content/link-index.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { filesOf, pagesOf, reusablesOf, linkTargetsOf, sourceOf } from '../content/content.ts'

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables' | 'oldPlaces'>

const MB = 1024 * 1024

// Both caches are keyed by hashes of the content, so they are never stale.
const documents = lru<DocumentLinks>(32 * MB)
const indexes = lru<LinkUse[]>(32 * MB)

/** The links of a revision, sorted by key. Nodes that revisions share are read once. */
export async function linksOfRevision(db: Reader, urls: Urls, revision: Content): Promise<LinkUse[]> {
  const app = urls.app('')
  const { spaceId, pages, oldPlaces } = revision
  const name = [spaceId, pages, revision.files, revision.reusables, oldPlaces, app].join(' ')
  const known = indexes.get(name)
  if (known) return known

  const tree = await pagesOf(db, revision)
  const files = await filesOf(db, revision)
  const reusables = await reusablesOf(db, revision)
  const hashes = [...tree.pages(), ...reusables.values()].flatMap(({ document }) => document ?? [])
  const links = await linksOfDocuments(db, revision.spaceId, hashes)
  const uses = indexLinks({
    spaceId: revision.spaceId,
    pages: tree.pages(),
    page: tree.get,
    files,
    reusables,
    targets: await linkTargetsOf(db, revision),
    links: (document) => links.get(document),
    app,
  })
  indexes.set(name, uses, heapSize(uses))
  return uses
}

/** The links and anchors of documents, by the hash of their source. */
export async function linksOfDocuments(
  db: Reader,
  spaceId: string,
  hashes: readonly string[],
): Promise<Map<string, DocumentLinks>> {
  const found = new Map<string, DocumentLinks>()
  const missing: string[] = []
  for (const hash of new Set(hashes)) {
    const known = documents.get(hash)
    if (known) found.set(hash, known)
    else missing.push(hash)
  }
  for (const some of chunks(missing)) {
    const rows = await db
      .selectFrom('document')
      .select(['hash', 'links'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', some)
      .execute()
    for (const row of rows) {
      const stored = JSON.parse(row.links) as DocumentLinks & { version?: number }
      const isCurrent = stored.version === LINKS_VERSION
      const links = isCurrent ? stored : linksIn(await sourceOf(db, spaceId, row.hash))
      documents.set(row.hash, links, heapSize(links))
      found.set(row.hash, links)
    }
  }
  return found
}
