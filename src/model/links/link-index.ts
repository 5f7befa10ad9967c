import { indexLinks, type LinkUse } from '../../core/content/link-index.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import type { Reader, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { filesOf, pagesOf, reusablesOf, linkTargetsOf } from '../content/content.ts'
import { linksOfDocuments } from '../content/stored-links.ts'

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables' | 'oldPlaces'>

const MB = 1024 * 1024

/** Keyed by hashes of the content, so never stale. */
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
