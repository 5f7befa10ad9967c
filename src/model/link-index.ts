import type { DocumentLinks } from '../core/document/links-in.ts'
import { indexLinks, type LinkUse } from '../core/link-index.ts'
import { lru } from '../core/lru.ts'
import type { Reader, Row } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { filesOf, pagesOf, reusablesOf, targetsOf } from './content.ts'

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables' | 'oldPlaces'>

// Addressed by content, so neither can be out of date. Weights are characters of JSON, and places of links.
const documents = lru<DocumentLinks>(16_000_000)
const indexes = lru<LinkUse[]>(1_000_000)
const BATCH = 200

/** The links of a revision, sorted by key. What a revision shares with one read before is read once. */
export async function linksOfRevision(db: Reader, at: Addresses, revision: Content): Promise<LinkUse[]> {
  const app = at.app('')
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
    targets: await targetsOf(db, revision),
    links: (document) => links.get(document),
    app,
  })
  indexes.set(
    name,
    uses,
    uses.reduce((sum, { holders }) => sum + holders.length, 1),
  )
  return uses
}

async function linksOfDocuments(
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
  for (let start = 0; start < missing.length; start += BATCH) {
    const rows = await db
      .selectFrom('document')
      .select(['hash', 'links'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', missing.slice(start, start + BATCH))
      .execute()
    for (const row of rows) {
      const links = JSON.parse(row.links) as DocumentLinks
      documents.set(row.hash, links, row.links.length)
      found.set(row.hash, links)
    }
  }
  return found
}
