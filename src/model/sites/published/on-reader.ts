/** The access checks of routes that readers of a site may call, with a site token or the key of a share link. */
import { needChangeRequest } from '../../../access/checks/on-change-request.ts'
import { findSpace, needOrganization, onOrg, refuseHiddenSpace } from '../../../access/checks/on.ts'
import { findOnSite } from '../../../access/checks/on-site.ts'
import { onUser } from '../../../access/checks/on-people.ts'
import { hashSecret } from '../../../access/credentials/tokens.ts'
import { ANONYMOUS } from '../../../access/visitors/visitors.ts'
import type { Reader, Role, Row } from '../../../db/schema.ts'
import { notFound, unauthorized } from '../../../http/errors.ts'
import type { Access, AccessContext, ReaderProof, SiteReader } from '../../../http/route.ts'
import { isShareKey } from '../../../http/request/secret-paths.ts'
import { openFor } from './admission.ts'
import { findMentionable } from './content/mentioned-users.ts'
import { isMentioned } from './content/shown-content.ts'
import { findSite, type OpenSite, type Variant } from './open-site.ts'

/**
 * The path at which the API opens sites. It only has to be the same for all, because the API names nothing by its path.
 */
const BASE = '/'

/** A site for a user with a role on it, or for one of its readers. */
export interface OnReadableSite {
  organization: Row<'organization'>
  /** Null for readers and guests. */
  organizationRole: Role | null
  /** The role on the site; null for readers. */
  role: Role | null
  site: Row<'site'>
  /** The site as a reader sees it who has a site token, or the key in `shareKey`. */
  reading: OpenSite | undefined
}

/** The site in the URL, for users who can read it, for its readers, and for callers who send the key of one of its share links. */
export function onReadableSite(): Access<OnReadableSite> {
  return {
    needs: 'site: read, or a reader of the site',
    async load(context) {
      const { db, me, params, query } = context
      const { organizationId = '', siteId = '' } = params
      if (me.reader) {
        const { reader } = me
        const reading = await openForReader(context, reader)
        if (reader.organizationId !== organizationId || reader.siteId !== siteId) throw notFound('site')
        return { ...(await needPlace(db, siteId)), organizationRole: null, role: null, reading }
      }
      const found = await findOnSite(db, me, { organizationId, siteId })
      if (!found && query.shareKey === undefined) {
        await needOrganization(db, me, organizationId)
        throw notFound('site')
      }
      const place = await sitePlace(db, siteId)
      if (place?.organization.id !== organizationId) throw notFound('site')
      const reading = await openWithKey(context, place, query.shareKey)
      if (!found && !reading) throw notFound('site')
      const { organizationRole = null, role = null } = found ?? {}
      return { ...place, organizationRole, role, reading }
    },
  }
}

/** A space for a member, or for a reader of a site that publishes it. */
export interface OnReadableSpace {
  space: Row<'space'>
  /** Null for readers. */
  role: Role | null
  organizationRole: Role | null
  /** The space on the site, as its reader sees it. */
  reading: SpaceReading | undefined
}

/** A space on a site, as one reader sees it. */
export interface SpaceReading {
  open: OpenSite
  variant: Variant
}

/**
 * The space in the URL, for members who can read it, and for readers of a site who see it there.
 * @param takesKey whether the query can have a `shareKey`
 */
export function onReadableSpace(takesKey: 'shareKey' | 'no key' = 'no key'): Access<OnReadableSpace> {
  return {
    needs: 'space: read, or a reader of its site',
    async load(context) {
      const { db, me, params, query } = context
      const { spaceId = '' } = params
      if (me.reader) {
        const reading = inSpace(await openForReader(context, me.reader), spaceId)
        const space = reading && (await liveSpace(db, spaceId))
        if (!reading || !space) throw notFound('space')
        return { space, role: null, organizationRole: null, reading }
      }
      const found = await findSpace(db, me, spaceId)
      const member = found?.space.deletedAt === null ? found : undefined
      const reading =
        takesKey === 'shareKey' ? await spaceWithKey(context, spaceId, query.shareKey) : undefined
      if (member) return { ...member, reading }
      const space = reading && (await liveSpace(db, spaceId))
      if (space) return { space, role: null, organizationRole: null, reading }
      await refuseHiddenSpace(db, me, spaceId)
      throw notFound('space')
    },
  }
}

/** The change request in the URL, for members who can read its space, and for readers who preview the site. */
export function onReadableChangeRequest(): Access<OnReadableSpace & { changeRequest: Row<'changeRequest'> }> {
  const { load } = onReadableSpace()
  return {
    needs: 'space: read, or a preview of its site',
    async load(context) {
      const found = await load(context)
      if (found.reading && !found.reading.open.visit.preview) throw notFound('change request')
      const { changeRequestId = '' } = context.params
      return { ...found, changeRequest: await needChangeRequest(context.db, found.space.id, changeRequestId) }
    },
  }
}

/** The organization in the URL, for its members who can read, and for readers of one of its sites. */
export function onReadableOrganization(): Access<{
  organization: Row<'organization'>
  /** The site as its reader sees it; undefined for members. */
  reading: OpenSite | undefined
}> {
  const { load } = onOrg('read')
  return {
    needs: 'organization: read, or a reader of one of its sites',
    async load(context) {
      const { db, me, params } = context
      if (!me.reader) return { organization: (await load(context)).organization, reading: undefined }
      const reading = await openForReader(context, me.reader)
      if (me.reader.organizationId !== params.organizationId) throw notFound('organization')
      return { organization: (await needPlace(db, me.reader.siteId)).organization, reading }
    },
  }
}

/** The user in the URL, for callers who share an organization, and for readers of a site that mentions the user. */
export function onReadableUser(): Access<{ user: Row<'user'>; addressShown: boolean }> {
  const { load } = onUser('member')
  return {
    needs: 'user: member, or a reader of a site that mentions the user',
    async load(context) {
      const { db, me, params } = context
      if (!me.reader) return load(context)
      const { userId = '' } = params
      const open = await openForReader(context, me.reader)
      const user = await findMentionable(db, me.reader.organizationId, userId)
      if (!user || !(await isMentioned(db, open, userId))) throw notFound('user')
      return { user, addressShown: false }
    },
  }
}

/** The site that the reader of a site token sees. @throws 401 if it does not admit them any more */
async function openForReader(context: AccessContext, reader: SiteReader): Promise<OpenSite> {
  const open = await findForReader(context, reader)
  if (!open) throw unauthorized()
  return open
}

async function findForReader(
  { db, sealing, now }: ReadingContext,
  { siteId, organizationId, proof, expires }: SiteReader,
): Promise<OpenSite | undefined> {
  const place = await sitePlace(db, siteId)
  return place?.organization.id === organizationId
    ? openProof({ db, sealing, now }, place, proof, expires)
    : undefined
}

/** A space as a reader of a site sees it now; undefined if they may not, or not any more. */
export async function findSpaceForReader(
  context: ReadingContext,
  reader: SiteReader,
  spaceId: string,
): Promise<SpaceReading | undefined> {
  const open = await findForReader(context, reader)
  return open && inSpace(open, spaceId)
}

type ReadingContext = Pick<AccessContext, 'db' | 'sealing' | 'now'>

type Place = Pick<OnReadableSite, 'organization' | 'site'>

async function openProof(
  { db, sealing, now }: ReadingContext,
  { organization, site }: Place,
  proof: ReaderProof,
  expires?: Date,
): Promise<OpenSite | undefined> {
  const served = await findSite(db, {
    organizationHostname: organization.hostname,
    basename: site.basename,
    base: BASE,
  })
  return served && openFor({ db, sealing, now: () => now }, served, { proof, expires, sendsCookies: false })
}

/** The site as the holder of a key sees it; undefined if the key does not open it. A wrong key is as none. */
async function openWithKey(
  context: AccessContext,
  place: Place,
  key: unknown,
): Promise<OpenSite | undefined> {
  if (typeof key !== 'string' || !isShareKey(key) || place.site.visibility !== 'share-link') return undefined
  return openProof(context, place, { claims: ANONYMOUS.claims, keyHash: hashSecret(key) })
}

async function spaceWithKey(
  context: AccessContext,
  spaceId: string,
  key: unknown,
): Promise<SpaceReading | undefined> {
  if (typeof key !== 'string' || !isShareKey(key)) return undefined
  const link = await context.db
    .selectFrom('siteShareLink')
    .select('siteId')
    .where('keyHash', '=', hashSecret(key))
    .executeTakeFirst()
  const place = link && (await sitePlace(context.db, link.siteId))
  const open = place && (await openWithKey(context, place, key))
  return open && inSpace(open, spaceId)
}

function inSpace(open: OpenSite, spaceId: string): SpaceReading | undefined {
  const variant = open.variants.find((one) => one.spaceId === spaceId)
  return variant && { open, variant }
}

async function needPlace(db: Reader, siteId: string): Promise<Place> {
  const place = await sitePlace(db, siteId)
  if (!place) throw notFound('site')
  return place
}

async function sitePlace(db: Reader, siteId: string): Promise<Place | undefined> {
  const site = await db.selectFrom('site').selectAll().where('id', '=', siteId).executeTakeFirst()
  if (!site) return undefined
  const organization = await db
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', site.organizationId)
    .executeTakeFirstOrThrow()
  return { organization, site }
}

function liveSpace(db: Reader, id: string): Promise<Row<'space'> | undefined> {
  return db
    .selectFrom('space')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}
