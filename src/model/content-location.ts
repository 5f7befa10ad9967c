import { type Static, type TSchema, Type } from 'typebox'
import { findCollection, findSpace, needOrganization } from '../access/on.ts'
import type { ContentRef } from '../core/document/model.ts'
import type { Holder, LinkUse } from '../core/link-index.ts'
import type { PageRecord } from '../core/revision.ts'
import type { Reader, Role, Row } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import type { Caller } from '../http/route.ts'
import { ChangeRequest, toChangeRequest } from './change-request.ts'
import { Collection, toCollection } from './collection.ts'
import { oneOf } from './common.ts'
import { filesOf, pagesOf, reusablesOf } from './content.ts'
import { Organization, ownTeamsIn, toOrganization } from './organization.ts'
import { File, Page, ReusableContent, toFile, toPage, toReusableContent } from './page.ts'
import { needRevision } from './revision.ts'
import { Space, toSpace } from './space.ts'
import { User, usersIn } from './user.ts'

const VersionContext = Type.Object({ type: oneOf(['changeRequest']), changeRequest: ChangeRequest })

const InternalLocation = Type.Union([
  Type.Object({ type: oneOf(['anchor']), anchor: Type.String() }),
  Type.Object({ type: oneOf(['node']), node: Type.String() }),
])

const within = {
  organization: Organization,
  space: Space,
  versionContext: Type.Optional(VersionContext),
}
const PageLocation = Type.Object({
  kind: oneOf(['page']),
  ...within,
  page: Page,
  internalLocation: Type.Optional(InternalLocation),
})
const FileLocation = Type.Object({ kind: oneOf(['file']), ...within, file: File })
const ReusableLocation = Type.Object({
  kind: oneOf(['reusable-content']),
  ...within,
  reusableContent: ReusableContent,
})
const UrlLocation = Type.Object({ kind: oneOf(['url']), url: Type.String() })
const UserLocation = Type.Object({ kind: oneOf(['user']), user: User })
const SpaceLocation = Type.Object({ kind: oneOf(['space']), organization: Organization, space: Space })
const CollectionLocation = Type.Object({
  kind: oneOf(['collection']),
  organization: Organization,
  collection: Collection,
})

type Of<S extends TSchema> = Static<S>

/** Where content is, with all that it is in, whole (api-facts 1.3). */
export type ContentLocation =
  | Of<typeof PageLocation>
  | Of<typeof FileLocation>
  | Of<typeof ReusableLocation>
  | Of<typeof UrlLocation>
  | Of<typeof UserLocation>
  | Of<typeof SpaceLocation>
  | Of<typeof CollectionLocation>

export const ContentLocation = Type.Unsafe<ContentLocation>({
  title: 'ContentLocation',
  anyOf: [
    PageLocation,
    FileLocation,
    ReusableLocation,
    UrlLocation,
    UserLocation,
    SpaceLocation,
    CollectionLocation,
  ],
  discriminator: { propertyName: 'kind' },
})

/** Whose content is shown, and to whom. */
export interface Showing {
  db: Reader
  at: Addresses
  me: Caller
  space: Row<'space'>
  role: Role
  organizationRole: Role | null
  revision: Row<'revision'>
  /** The change request whose content it is. */
  changeRequest?: Row<'changeRequest'>
}

/** Shows where references stand and where they lead, each thing once. */
export interface Locations {
  /** Where a reference stands. */
  holder(holder: Holder): Promise<ContentLocation>
  /** Where it leads; undefined where that is not there, or not for the caller to see. */
  target(use: LinkUse): Promise<ContentLocation | undefined>
  /** Whether it leads nowhere. */
  isBroken(use: LinkUse): Promise<boolean>
}

/** Shows the places in a revision. */
export function locationsIn(showing: Showing): Locations {
  const { db, at, space, role, organizationRole, revision, changeRequest } = showing
  const spaceOf = once((id) => findElsewhere(showing, id))
  const elsewhere = once((key) => showElsewhere(showing, JSON.parse(key) as ContentRef, spaceOf))
  const here = once(async () => {
    const told = organizationRole !== null
    return {
      organization: await organizationOf(showing, space.organizationId),
      space: await toSpace(at, db, space, role),
      ...(changeRequest
        ? {
            versionContext: {
              type: 'changeRequest' as const,
              changeRequest: await toChangeRequest(at, db, changeRequest, told),
            },
          }
        : {}),
    }
  })
  const pageOf = once(async (id: string) => {
    const tree = await pagesOf(db, revision)
    const record = tree.get(id)
    return record && toPage({ at, tree, spaceId: space.id, metadata: true }, record)
  })

  async function pageLocation(id: string, internalLocation?: Static<typeof InternalLocation>) {
    const page = await pageOf(id)
    if (!page) return undefined
    const inside = internalLocation ? { internalLocation } : {}
    return { kind: 'page' as const, ...(await here('')), page, ...inside }
  }
  async function reusableLocation(id: string) {
    const record = (await reusablesOf(db, revision)).get(id)
    if (!record) return undefined
    return {
      kind: 'reusable-content' as const,
      ...(await here('')),
      reusableContent: toReusableContent(record, true),
    }
  }
  async function fileLocation(id: string) {
    const record = (await filesOf(db, revision)).get(id)
    if (!record) return undefined
    return { kind: 'file' as const, ...(await here('')), file: toFile(at, space.id, record, true) }
  }

  return {
    async holder({ kind, id, node }) {
      const location =
        kind === 'page'
          ? await pageLocation(id, node === undefined ? undefined : { type: 'node', node })
          : await reusableLocation(id)
      if (!location) throw new Error(`${kind} ${id} refers to something and is not there`)
      return location
    },
    async target({ status, target }) {
      if (status === 'broken') return undefined
      if (target.kind === 'url') return { kind: 'url', url: target.url }
      if (status === 'elsewhere') return elsewhere(JSON.stringify(target))
      if (target.kind === 'page') return pageLocation(target.page)
      if (target.kind === 'file') return fileLocation(target.file)
      if (target.kind === 'reusable-content') return reusableLocation(target.reusableContent)
      if (target.kind === 'anchor' && target.page !== undefined)
        return pageLocation(target.page, { type: 'anchor', anchor: target.anchor })
      return undefined
    },
    async isBroken({ status, target }) {
      if (status !== 'elsewhere') return status === 'broken'
      return (await elsewhere(JSON.stringify(target))) === undefined
    },
  }
}

/** An organization that the caller is in, as the caller sees it. */
async function organizationOf({ db, at, me }: Showing, id: string): Promise<Organization> {
  const { organization, role } = await needOrganization(db, me, id)
  const owned = await ownTeamsIn(db, me.userId)
  return toOrganization(at, organization, role, owned.has(id))
}

/** Another space that the caller may see, and its primary content. */
async function findElsewhere(showing: Showing, id: string) {
  const { db, at, me } = showing
  const found = await findSpace(db, me, id)
  if (!found || found.space.deletedAt !== null) return undefined
  return {
    around: {
      organization: await organizationOf(showing, found.space.organizationId),
      space: await toSpace(at, db, found.space, found.role),
    },
    revision: await needRevision(db, found.space.id, found.space.revisionId),
  }
}

/** What is not in the revision, as far as the caller may see it; the rest is not there. */
async function showElsewhere(
  showing: Showing,
  target: ContentRef,
  spaceOf: (id: string) => ReturnType<typeof findElsewhere>,
): Promise<ContentLocation | undefined> {
  const { db, at, me } = showing
  if (target.kind === 'user') return showUser(showing, target.user)
  if (target.kind === 'collection') {
    const found = await findCollection(db, me, target.collection)
    if (!found) return undefined
    return {
      kind: 'collection',
      organization: await organizationOf(showing, found.collection.organizationId),
      collection: toCollection(at, found.collection, found.role),
    }
  }
  if (!('space' in target) || target.space === undefined) return undefined

  const found = await spaceOf(target.space)
  if (!found) return undefined
  const { around, revision } = found
  const spaceId = target.space
  if (target.kind === 'space') return { kind: 'space', ...around }
  if (target.kind === 'file') {
    const record = (await filesOf(db, revision)).get(target.file)
    return record && { kind: 'file', ...around, file: toFile(at, spaceId, record, true) }
  }
  if (target.kind === 'reusable-content') {
    const record = (await reusablesOf(db, revision)).get(target.reusableContent)
    return record && { kind: 'reusable-content', ...around, reusableContent: toReusableContent(record, true) }
  }
  if (target.kind !== 'page' && target.kind !== 'anchor') return undefined
  const tree = await pagesOf(db, revision)
  const record: PageRecord | undefined = target.page === undefined ? undefined : tree.get(target.page)
  return (
    record && {
      kind: 'page',
      ...around,
      page: toPage({ at, tree, spaceId, metadata: true }, record),
      ...(target.kind === 'anchor'
        ? { internalLocation: { type: 'anchor' as const, anchor: target.anchor } }
        : {}),
    }
  )
}

/** A member of the organization of the space. */
async function showUser({ db, at, space, organizationRole }: Showing, id: string) {
  const member = await db
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', space.organizationId)
    .where('userId', '=', id)
    .executeTakeFirst()
  if (!member) return undefined
  const user = (await usersIn(at, db, { space, organizationRole }, [id])).get(id)
  return user && { kind: 'user' as const, user }
}

/** The same for the same key, asked once. */
function once<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const running = known.get(key) ?? work(key)
    known.set(key, running)
    return running
  }
}
