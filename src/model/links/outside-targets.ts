/** Targets of links outside the revision that holds them. Whether they exist depends on the caller. */
import { findOrganization } from '../../access/checks/on.ts'
import { atLeast } from '../../access/roles/roles.ts'
import { visibleCollections, visibleSpaces } from '../../access/roles/visible.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { withLoadedLinks } from '../../core/content/link-resolving.ts'
import { getMany } from '../../core/content/prolly-tree/read.ts'
import type { Root } from '../../core/content/prolly-tree/node.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row } from '../../db/schema.ts'
import type { Caller } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { needRevision } from '../content/commit.ts'
import { filesOf, nodesOf, oldPlacesOf, reusablesOf } from '../content/content.ts'
import { linksOfDocuments } from '../content/stored-links.ts'
import { linkedTreeOf } from './linked-tree.ts'

/** The caller, and the organization of the space that holds the links. */
export interface LinkReader {
  db: Reader
  urls: Urls
  me: Caller
  space: Row<'space'>
}

/** The targets outside the revision, as the caller sees them. */
export interface OutsideTargets {
  /** Whether a target exists and the caller can see it. */
  isVisible: (target: ContentRef) => boolean
  /** Whether the caller can see the page of a target, which does not have its anchor. */
  lacksAnchor: (target: ContentRef) => boolean
}

/**
 * Checks targets of other spaces with their anchors, of collections, of specifications and of users. The number of queries does not grow with each target.
 * @param seen the revisions of the spaces, if the caller is known to see the targets
 */
export async function checkOutside(
  { db, me, space }: LinkReader,
  targets: readonly ContentRef[],
  seen?: ReadonlyMap<string, string | null>,
): Promise<OutsideTargets> {
  const of = (ids: Iterable<string | undefined>) => [...new Set([...ids].flatMap((id) => id ?? []))]
  const users = await membersAmong(
    db,
    space,
    of(targets.map((ref) => (ref.kind === 'user' ? ref.user : undefined))),
  )
  const collections = await visibleCollections(
    db,
    me,
    of(targets.map((ref) => (ref.kind === 'collection' ? ref.collection : undefined))),
  )
  const specs = await specsAmong(
    db,
    { me, space },
    of(targets.map((ref) => (ref.kind === 'openapi' ? ref.spec : undefined))),
  )
  const spaces = seen ?? (await visibleSpaces(db, me, of(targets.map(spaceOf))))
  const contents = await contentsIn(db, spaces, targets)

  const isThere = (ref: ContentRef) => {
    const place = targetPlace(ref)
    return place !== undefined && contents.has(`${spaceOf(ref)} ${place.map} ${place.id}`)
  }
  const missing = await missingAnchors(db, spaces, targets)

  const lacksAnchor = (ref: ContentRef) => ref.kind === 'anchor' && missing.has(ref) && isThere(ref)
  const isVisible = (ref: ContentRef) => {
    if (ref.kind === 'anchor' && missing.has(ref)) return false
    if (ref.kind === 'user') return users.has(ref.user)
    if (ref.kind === 'collection') return collections.has(ref.collection)
    if (ref.kind === 'openapi') return specs.has(ref.spec)
    if (ref.kind === 'space') return spaces.has(ref.space)
    return isThere(ref)
  }
  return { isVisible, lacksAnchor }
}

function spaceOf(ref: ContentRef): string | undefined {
  return 'space' in ref ? ref.space : undefined
}

/** The map of a revision that holds a target, and its key. */
function targetPlace(ref: ContentRef): { map: 'pages' | 'files' | 'reusables'; id: string } | undefined {
  if ((ref.kind === 'page' || ref.kind === 'anchor') && ref.page !== undefined)
    return { map: 'pages', id: ref.page }
  if (ref.kind === 'file') return { map: 'files', id: ref.file }
  if (ref.kind === 'reusable-content') return { map: 'reusables', id: ref.reusableContent }
  return undefined
}

async function membersAmong(db: Reader, { organizationId }: Row<'space'>, ids: readonly string[]) {
  const found = new Set<string>()
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('member')
      .select('userId')
      .where('organizationId', '=', organizationId)
      .where('userId', 'in', some)
      .execute()
    for (const { userId } of rows) found.add(userId)
  }
  return found
}

/** The OpenAPI specifications of the organization of the space, which guests do not see. */
async function specsAmong(db: Reader, { me, space }: Pick<LinkReader, 'me' | 'space'>, slugs: string[]) {
  const found = new Set<string>()
  if (slugs.length === 0) return found
  const member = await findOrganization(db, me, space.organizationId)
  if (!atLeast(member?.role ?? null, 'read')) return found
  for (const some of chunks(slugs)) {
    const rows = await db
      .selectFrom('openapiSpec')
      .select('slug')
      .where('organizationId', '=', space.organizationId)
      .where('slug', 'in', some)
      .execute()
    for (const { slug } of rows) found.add(slug)
  }
  return found
}

/** The targets that exist in the primary content of these spaces, as `<space> <map> <id>`. */
async function contentsIn(
  db: Reader,
  spaces: ReadonlyMap<string, string | null>,
  targets: readonly ContentRef[],
): Promise<Set<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const ref of targets) {
    const place = targetPlace(ref)
    const space = spaceOf(ref)
    const revision = space === undefined ? undefined : spaces.get(space)
    if (!place || !revision) continue
    const key = `${space} ${revision} ${place.map}`
    wanted.set(key, (wanted.get(key) ?? new Set()).add(place.id))
  }
  const found = new Set<string>()
  const revisions = await revisionsOf(db, spaces)
  for (const [key, ids] of wanted) {
    const [spaceId = '', revision = '', map = 'pages'] = key.split(' ')
    const row = revisions.get(revision)
    if (!row) continue
    const root: Root = row[map as 'pages' | 'files' | 'reusables']
    const stored = await getMany(root, ids, nodesOf(db, spaceId))
    const isThere = (id: string) => stored.has(id) || computed?.has(id) === true
    const isMissing = map === 'pages' && stored.size < ids.size
    const computed = isMissing ? (await linkedTreeOf(db, row)).computed : undefined
    for (const id of ids) if (isThere(id)) found.add(`${spaceId} ${map} ${id}`)
    await giveTurn()
  }
  return found
}

/** Those of these targets that name an anchor which their page, in a space that the caller can see, does not have. */
async function missingAnchors(
  db: Reader,
  spaces: ReadonlyMap<string, string | null>,
  targets: readonly ContentRef[],
): Promise<Set<ContentRef>> {
  const bySpace = new Map<string, Extract<ContentRef, { kind: 'anchor' }>[]>()
  for (const ref of targets) {
    if (ref.kind !== 'anchor' || ref.space === undefined || !spaces.get(ref.space)) continue
    const refs = bySpace.get(ref.space)
    if (refs) refs.push(ref)
    else bySpace.set(ref.space, [ref])
  }
  const missing = new Set<ContentRef>()
  for (const [spaceId, refs] of bySpace) {
    const revision = await needRevision(db, spaceId, spaces.get(spaceId)!)
    const { tree, documents: computed } = await linkedTreeOf(db, revision)
    const content = {
      spaceId,
      app: '',
      tree,
      files: await filesOf(db, revision),
      reusables: await reusablesOf(db, revision),
      oldPlaces: await oldPlacesOf(db, revision),
    }
    const load = async (hashes: readonly string[]) => {
      const stored = hashes.filter((hash) => !computed.has(hash))
      return new Map([...(await linksOfDocuments(db, spaceId, stored)), ...computed])
    }
    const documents = refs.flatMap(({ page = '' }) => content.tree.get(page)?.document ?? [])
    await withLoadedLinks(content, new Set(documents), load, async (resolver) => {
      for (const ref of refs) {
        const { space: _space, ...here } = ref
        if (resolver.status(here) === 'ok') missing.delete(ref)
        else missing.add(ref)
        await giveTurn()
      }
    })
  }
  return missing
}

async function revisionsOf(db: Reader, spaces: ReadonlyMap<string, string | null>) {
  const found = new Map<string, Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>>()
  for (const some of chunks([...spaces.values()].flatMap((id) => id ?? []))) {
    const rows = await db
      .selectFrom('revision')
      .select(['id', 'spaceId', 'pages', 'files', 'reusables'])
      .where('id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, row)
  }
  return found
}
