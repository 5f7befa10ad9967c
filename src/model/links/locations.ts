/** Resolves the sources and targets of links to the locations that the API returns. */
import { type Static } from 'typebox'
import { findCollection, findSpace, needOrganization } from '../../access/checks/on.ts'
import type { ContentRef } from '../../core/document/model.ts'
import type { LinkHolder } from '../../core/content/link-places.ts'
import type { IndexedStatus } from '../../core/content/link-uses.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import type { Caller } from '../../http/route.ts'
import { toChangeRequest } from '../proposals/change-request.ts'
import { toCollection } from '../places/collection.ts'
import { findSpec, toOpenApiSpec } from '../openapi/spec.ts'
import { expandedPagesIn, expandedPagesOf } from '../openapi/computed-pages.ts'
import { filesOf, reusablesOf } from '../content/content.ts'
import { type Revision, revisionWith } from '../history/revision.ts'
import { type Organization, ownTeamsIn, toOrganization } from '../places/organization.ts'
import { toFile, toPage, toReusableContent, withoutDescendants } from '../content/documents/page.ts'
import { needRevision } from '../content/commit.ts'
import { toSpace } from '../places/space.ts'
import { usersIn } from '../people/user.ts'
import type { ContentLocation, InternalLocation } from './content-location.ts'

/** The content that is shown, and the caller. */
export interface Showing {
  db: Reader
  urls: Urls
  me: Caller
  space: Row<'space'>
  role: Role
  organizationRole: Role | null
  revision: Row<'revision'>
  /** The change request of the content. */
  changeRequest?: Row<'changeRequest'>
}

/** A target with its status in the index. */
interface LinkTarget {
  target: ContentRef
  status: IndexedStatus
}

/** Resolves the sources and targets of references. Each is loaded once. */
export interface Locations {
  /** The location of a reference. */
  holder(holder: LinkHolder): Promise<ContentLocation>
  /**
   * The location of a target; undefined if it does not exist or the caller cannot see it.
   * @param written the target as it is written, which is shown if it is an address whose page the caller may only read
   *   on a site
   */
  target(target: LinkTarget, written: ContentRef): Promise<ContentLocation | undefined>
}

/** Resolves locations in a revision. */
export function locationsIn(showing: Showing): Locations {
  const { db, urls, space, role, organizationRole, revision, changeRequest } = showing
  const spaceOf = once((id) => findElsewhere(showing, id))
  const elsewhere = once((key) => showElsewhere(showing, JSON.parse(key) as ContentRef, spaceOf))
  const here = once(async () => {
    const emailShown = organizationRole !== null
    return {
      organization: await locatedOrganization(showing, space.organizationId),
      space: await toSpace(urls, db, space, role),
      versionContext: changeRequest
        ? {
            type: 'changeRequest' as const,
            changeRequest: await toChangeRequest(urls, db, changeRequest, emailShown),
          }
        : undefined,
    }
  })
  async function around(shown: Shown) {
    const { versionContext, ...surroundings } = await here('')
    return { ...surroundings, versionContext: versionContext ?? revisionContext(urls, revision, shown) }
  }
  const pageOf = once(async (id: string) => {
    const { tree, ...computed } = await expandedPagesOf(db, space.organizationId, revision)
    const record = tree.get(id)
    return record && withoutDescendants(toPage({ urls, revision, tree, metadata: true, computed }, record))
  })

  async function pageLocation(id: string, internalLocation?: Static<typeof InternalLocation>) {
    const page = await pageOf(id)
    if (!page) return undefined
    const inside = internalLocation ? { internalLocation } : {}
    return { kind: 'page' as const, ...(await around({ pages: [page] })), page, ...inside }
  }
  async function reusableLocation(id: string) {
    const record = (await reusablesOf(db, revision)).get(id)
    if (!record) return undefined
    const reusableContent = toReusableContent(record, true)
    return {
      kind: 'reusable-content' as const,
      ...(await around({ reusableContents: [reusableContent] })),
      reusableContent,
    }
  }
  async function fileLocation(id: string) {
    const record = (await filesOf(db, revision)).get(id)
    if (!record) return undefined
    const file = toFile(urls, space.id, record, true)
    return { kind: 'file' as const, ...(await around({ files: [file] })), file }
  }

  return {
    async holder({ kind, id, node, link }) {
      const location =
        kind === 'page'
          ? await pageLocation(id, node === undefined ? undefined : { type: 'node', node })
          : await reusableLocation(id)
      if (!location) throw new Error(`the ${kind} ${id} has a reference but is not in the revision`)
      return { ...location, link }
    },
    async target({ status, target }, written) {
      if (status === 'broken') return undefined
      if (target.kind === 'url') return { kind: 'url', url: target.url }
      if (status === 'elsewhere') {
        const location = await elsewhere(JSON.stringify(target))
        return location ?? (written.kind === 'url' ? { kind: 'url', url: written.url } : undefined)
      }
      if (target.kind === 'page') return pageLocation(target.page)
      if (target.kind === 'file') return fileLocation(target.file)
      if (target.kind === 'reusable-content') return reusableLocation(target.reusableContent)
      if (target.kind === 'anchor' && target.page !== undefined)
        return pageLocation(target.page, { type: 'anchor', anchor: target.anchor })
      return undefined
    },
  }
}

type Shown = Partial<Pick<Static<typeof Revision>, 'pages' | 'files' | 'reusableContents'>>

function revisionContext(urls: Urls, row: Row<'revision'>, shown: Shown) {
  const revision = revisionWith(urls, row, {
    pages: [],
    files: [],
    reusableContents: [],
    tags: [],
    ...shown,
  })
  return { type: 'revision' as const, revision }
}

/** An organization of the caller, as the caller sees it. */
async function locatedOrganization({ db, urls, me }: Showing, id: string): Promise<Organization> {
  const { organization, role } = await needOrganization(db, me, id)
  const owned = await ownTeamsIn(db, me.userId)
  return toOrganization(urls, organization, role, owned.has(id))
}

/** Another space that the caller can see, and its primary content. */
async function findElsewhere(showing: Showing, id: string) {
  const { db, urls, me } = showing
  const found = await findSpace(db, me, id)
  if (!found || found.space.deletedAt !== null) return undefined
  const revision = await needRevision(db, found.space.id, found.space.revisionId)
  return {
    around: {
      organization: await locatedOrganization(showing, found.space.organizationId),
      space: await toSpace(urls, db, found.space, found.role),
    },
    revision,
  }
}

/** Resolves targets outside the revision that the caller can see. */
async function showElsewhere(
  showing: Showing,
  target: ContentRef,
  spaceOf: (id: string) => ReturnType<typeof findElsewhere>,
): Promise<ContentLocation | undefined> {
  const { db, urls, me } = showing
  if (target.kind === 'user') return showUser(showing, target.user)
  if (target.kind === 'openapi') return showSpec(showing, target.spec)
  if (target.kind === 'collection') {
    const found = await findCollection(db, me, target.collection)
    if (!found) return undefined
    return {
      kind: 'collection',
      organization: await locatedOrganization(showing, found.collection.organizationId),
      collection: toCollection(urls, found.collection, found.role),
    }
  }
  if (!('space' in target) || target.space === undefined) return undefined

  const found = await spaceOf(target.space)
  if (!found) return undefined
  const { revision } = found
  const spaceId = target.space
  if (target.kind === 'space') return { kind: 'space', ...found.around }
  const around = (shown: Shown) => ({
    ...found.around,
    versionContext: revisionContext(urls, revision, shown),
  })
  if (target.kind === 'file') {
    const record = (await filesOf(db, revision)).get(target.file)
    const file = record && toFile(urls, spaceId, record, true)
    return file && { kind: 'file', ...around({ files: [file] }), file }
  }
  if (target.kind === 'reusable-content') {
    const record = (await reusablesOf(db, revision)).get(target.reusableContent)
    const reusableContent = record && toReusableContent(record, true)
    return (
      reusableContent && {
        kind: 'reusable-content',
        ...around({ reusableContents: [reusableContent] }),
        reusableContent,
      }
    )
  }
  if (target.kind !== 'page' && target.kind !== 'anchor') return undefined
  const { tree, ...computed } = await expandedPagesIn(db, revision)
  const record: PageRecord | undefined = target.page === undefined ? undefined : tree.get(target.page)
  const page =
    record && withoutDescendants(toPage({ urls, revision, tree, metadata: true, computed }, record))
  return (
    page && {
      kind: 'page',
      ...around({ pages: [page] }),
      page,
      ...(target.kind === 'anchor'
        ? { internalLocation: { type: 'anchor' as const, anchor: target.anchor } }
        : {}),
    }
  )
}

/** A member of the organization of the space. */
async function showUser({ db, urls, space, organizationRole }: Showing, id: string) {
  const member = await db
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', space.organizationId)
    .where('userId', '=', id)
    .executeTakeFirst()
  if (!member) return undefined
  const user = (await usersIn(urls, db, { space, organizationRole }, [id])).get(id)
  return user && { kind: 'user' as const, user }
}

/** An OpenAPI specification of the organization of the space. */
async function showSpec(
  showing: Showing,
  slug: string,
): Promise<Extract<ContentLocation, { kind: 'openapi' }> | undefined> {
  const { db, urls, space, organizationRole } = showing
  const spec = organizationRole === null ? undefined : await findSpec(db, space.organizationId, slug)
  if (!spec) return undefined
  return {
    kind: 'openapi',
    organization: await locatedOrganization(showing, space.organizationId),
    openAPISpec: toOpenApiSpec(urls, spec, organizationRole),
  }
}

/** Caches the result of a function by key. */
function once<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const running = known.get(key) ?? work(key)
    known.set(key, running)
    return running
  }
}
