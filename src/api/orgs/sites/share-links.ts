import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { countRows, listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { ABSENT, route } from '../../../http/route.ts'
import { InSite } from '../../../model/common.ts'
import {
  InShareLink,
  newShareKey,
  ShareLink,
  ShareLinkName,
  toShareLink,
} from '../../../model/sites/share-link.ts'
import { touchSite } from '../../../model/sites/site.ts'
import { because } from '../../../core/languages/reasons.ts'

const MOST_SHARE_LINKS = 1000

export const listSiteShareLinks = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/share-links',
  summary: 'List the share links of a site, oldest first',
  access: onSite('read'),
  params: InSite,
  query: ListQuery,
  returns: listOf(ShareLink),
  async handler({ db, page, ...place }) {
    const links = db.selectFrom('siteShareLink').selectAll().where('siteId', '=', place.site.id)
    const list = await listRows(links, page, { by: ['id'] })
    return { ...list, items: list.items.map((row) => toShareLink(place, row)) }
  },
})

export const getSiteShareLinkById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Get a share link of a site',
  access: onSite('read'),
  params: InShareLink,
  returns: ShareLink,
  async handler({ db, params, ...place }) {
    const link = await findShareLink(db, place.site, params.shareLinkId)
    if (!link) throw notFound('share link')
    return toShareLink(place, link)
  },
})

export const createSiteShareLink = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/share-links',
  summary: 'Create a share link',
  description:
    'While the `visibility` of the site is `share-link`, everyone who has the address of an active link can read the site.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({ name: ShareLinkName }),
  returns: ShareLink,
  status: 201,
  location: ({ id }, urls, { organizationId, siteId }) =>
    urls.api(`/orgs/${organizationId}/sites/${siteId}/share-links/${id}`),
  async handler({ tx, body, now, newId, ...place }) {
    const { site, sealing } = place
    const others = tx.selectFrom('siteShareLink').select('id').where('siteId', '=', site.id)
    if ((await countRows(others)) >= MOST_SHARE_LINKS)
      throw conflict(because('too-many-share-links', { limit: MOST_SHARE_LINKS }))

    const id = newId()
    const row: Row<'siteShareLink'> = {
      id,
      siteId: site.id,
      name: body.name,
      ...newShareKey(sealing, id),
      active: 1,
      createdAt: now.toISOString(),
    }
    await tx.insertInto('siteShareLink').values(row).execute()
    await touchSite(tx, site, now)
    return toShareLink(place, row)
  },
})

export const updateSiteShareLinkById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Update a share link',
  description:
    'Fields that are not sent keep their values. If `active` is false, the address of the link is 404 from the next request on.',
  access: onSite('create'),
  params: InShareLink,
  body: Type.Object({ name: Type.Optional(ShareLinkName), active: Type.Optional(Type.Boolean()) }),
  returns: ShareLink,
  async handler({ tx, params, body: { name, active }, now, audit, ...place }) {
    const before = await findShareLink(tx, place.site, params.shareLinkId)
    if (!before) throw notFound('share link')
    if (name === undefined && active === undefined) return toShareLink(place, before)
    audit({ before })
    const row = {
      ...before,
      ...(name === undefined ? {} : { name }),
      ...(active === undefined ? {} : { active: active ? (1 as const) : (0 as const) }),
    }
    await tx
      .updateTable('siteShareLink')
      .set({ name: row.name, active: row.active })
      .where('id', '=', row.id)
      .execute()
    await touchSite(tx, place.site, now)
    return toShareLink(place, row)
  },
})

export const regenerateSiteShareLinkById = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId/regenerate',
  summary: 'Replace the key of a share link',
  description:
    'The link gets another address. Its present address is 404 from the next request on. This operation is an addition of Lectern.',
  access: onSite('create'),
  params: InShareLink,
  returns: ShareLink,
  async handler({ tx, params, now, ...place }) {
    const before = await findShareLink(tx, place.site, params.shareLinkId)
    if (!before) throw notFound('share link')
    const key = newShareKey(place.sealing, before.id)
    await tx.updateTable('siteShareLink').set(key).where('id', '=', before.id).execute()
    await touchSite(tx, place.site, now)
    return toShareLink(place, { ...before, ...key })
  },
})

export const deleteSiteShareLinkById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId',
  summary: 'Delete a share link',
  description: 'The address of the link is 404 from the next request on.',
  access: onSite('create'),
  params: InShareLink,
  status: 205,
  async handler({ tx, site, params, now, audit }) {
    const before = await findShareLink(tx, site, params.shareLinkId)
    if (!before) return ABSENT
    await tx.deleteFrom('siteShareLink').where('id', '=', before.id).execute()
    await touchSite(tx, site, now)
    audit({ before, target: { type: 'share-link', id: before.id, label: before.name } })
    return undefined
  },
})

function findShareLink(db: Reader, site: Row<'site'>, id: string): Promise<Row<'siteShareLink'> | undefined> {
  return db
    .selectFrom('siteShareLink')
    .selectAll()
    .where('id', '=', id)
    .where('siteId', '=', site.id)
    .executeTakeFirst()
}
