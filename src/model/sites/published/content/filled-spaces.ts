/** The one rule for what a site lists of its spaces to a reader: a space without pages for the reader is no entry. */
import { seesSomePage, stepsOfSpace } from '../../../../access/visitors/visitors.ts'
import type { Variables } from '../../../../core/content/revision.ts'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import type { Reader } from '../../../../db/schema.ts'
import { needRevision } from '../../../content/commit.ts'
import { hasOpenPage } from '../../../content/documents/open-page.ts'
import { expandedPagesOf } from '../../../openapi/computed-pages.ts'
import type { ServedSite, Variant } from '../open-site.ts'
import { isForEveryone } from './seen-pages.ts'
import type { Visit } from '../visit.ts'

const newCache = () => lru<ReadonlySet<string>>(4 * 1024 * 1024)
/** The ids of the site spaces without pages, by the version of the site and the context. */
const ofEveryone = newCache()
/** Apart, because a client can make up any number of claims. */
const ofReaders = newCache()

/**
 * Those of the spaces that have a page which the reader may see. If none has, the default is left, so that the address of
 * the site shows that it is there. A preview keeps spaces without any page, because it also shows their change requests.
 * @param variants the spaces of the site whose conditions the reader meets
 */
export async function filledSpaces(
  db: Reader,
  place: ServedSite,
  visit: Visit,
  variants: readonly Variant[],
): Promise<Variant[]> {
  const cache = isForEveryone(visit) ? ofEveryone : ofReaders
  const key = `${place.version} ${visit.context}${visit.preview ? ' preview' : ''}`
  let empty = cache.get(key)
  if (!empty) {
    empty = await emptyAmong(db, place, visit, variants)
    cache.set(key, empty, heapSize([...empty]))
  }
  if (empty.size === 0) return [...variants]
  const without = empty
  const filled = variants.filter(({ siteSpaceId }) => !without.has(siteSpaceId))
  if (filled.length > 0) return filled
  const main = variants.find(({ isDefault, section }) => isDefault && section?.isDefault !== false)
  return main ? [main] : variants.slice(0, 1)
}

/** Whether a revision has a page that everyone may see, by its id: most have, and their trees are not read. */
const open = lru<boolean>(4 * 1024 * 1024)

async function readOpen(db: Reader, revisions: readonly string[]): Promise<void> {
  if (revisions.length === 0) return
  const rows = await db
    .selectFrom('revision')
    .select(['id', 'spaceId', 'pages'])
    .where('id', 'in', revisions)
    .execute()
  for (const row of rows) open.set(row.id, await hasOpenPage(db, row), 8)
}

async function emptyAmong(
  db: Reader,
  { site }: ServedSite,
  { visitor, preview }: Visit,
  variants: readonly Variant[],
): Promise<ReadonlySet<string>> {
  const ids = variants.map(({ revisionId }) => revisionId).filter((id) => open.get(id) === undefined)
  await readOpen(db, ids)
  const steps = stepsOfSpace()
  const empty = new Set<string>()
  for (const { siteSpaceId, spaceId, revisionId } of variants) {
    if (open.get(revisionId)) continue
    const revision = await needRevision(db, spaceId, revisionId)
    const { tree } = await expandedPagesOf(db, site.organizationId, revision)
    if (preview && tree.first() === undefined) continue
    const variables = JSON.parse(revision.variables) as Variables
    if (!(await seesSomePage(tree, visitor, variables, steps))) empty.add(siteSpaceId)
  }
  return empty
}
