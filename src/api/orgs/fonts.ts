import { Type } from 'typebox'
import { anyone, onOrg } from '../../access/checks/on.ts'
import { because } from '../../core/languages/reasons.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import { fileDownload } from '../../model/content/download.ts'
import { FontFamily } from '../../model/sites/customization/customization-settings.ts'
import {
  CustomFont,
  filesOfFonts,
  findFont,
  findFontFile,
  fontDefinition,
  needFont,
  toCustomFont,
  toCustomFonts,
} from '../../model/sites/fonts/font.ts'
import { FontFaceChanges, FontFaces, readFaces, storeFaces } from '../../model/sites/fonts/font-faces.ts'
import { renewFont, siteWithFont } from '../../model/sites/fonts/named-fonts.ts'

/** How many fonts an organization can have. */
const FONTS_MAX = 100

const InFont = Type.Object({ organizationId: Id, fontId: Id })

export const listCustomFonts = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/fonts',
  summary: 'List the fonts of an organization, oldest first',
  description:
    'An item can be `styling.font`, `styling.headingFont` or `styling.monospaceFont` of a site of the organization. Guests see the fonts too, because they can have a role on a site.',
  access: onOrg(),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(CustomFont),
  async handler({ db, urls, organization, organizationRole, page }) {
    const fonts = db.selectFrom('font').selectAll().where('organizationId', '=', organization.id)
    const list = await listRows(fonts, page, { by: ['id'] })
    return { ...list, items: await toCustomFonts(db, urls, list.items, organizationRole) }
  },
})

export const createCustomFont = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/fonts',
  summary: 'Add a font to an organization',
  description:
    'For each file, create an upload of the kind `customization_font`, send the file, and name the `key` of the upload as `storageKey`. A file for the weight 400 is required.',
  access: onOrg('create'),
  params: InOrganization,
  body: Type.Object({ fontFamily: FontFamily, fontFaces: FontFaces }),
  returns: CustomFont,
  status: 201,
  location: ({ id }, urls, { organizationId }) => urls.api(`/orgs/${organizationId}/fonts/${id}`),
  prepare: ({ db, blobs, me, now, params, body }) =>
    readFaces({ db: db.read, blobs, me, now }, params.organizationId, body.fontFaces),
  async handler({ tx, me, urls, organization, organizationRole, body, prepared, now, newId }) {
    const { count } = await tx
      .selectFrom('font')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('organizationId', '=', organization.id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= FONTS_MAX)
      throw conflict(because('too-many-fonts', { count: Number(count), limit: FONTS_MAX }))
    const at = now.toISOString()
    const font = {
      id: newId(),
      organizationId: organization.id,
      family: body.fontFamily,
      createdAt: at,
      updatedAt: at,
    }
    await tx.insertInto('font').values(font).execute()
    return toCustomFont(urls, font, await storeFaces(tx, me, font.id, prepared), organizationRole)
  },
})

export const getCustomFont = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/fonts/:fontId',
  summary: 'Get a font of an organization',
  access: onOrg(),
  params: InFont,
  returns: CustomFont,
  async handler({ db, urls, organization, organizationRole, params }) {
    const font = await needFont(db, organization.id, params.fontId)
    return toCustomFont(urls, font, await filesOfFonts(db, [font.id]), organizationRole)
  },
})

export const updateCustomFont = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/fonts/:fontId',
  summary: 'Change a font of an organization',
  description:
    'Weights that `fontFaces` does not name stay as they are; null as `storageKey` removes a weight. Sites that have the font show the change with the next request.',
  access: onOrg('create'),
  params: InFont,
  body: Type.Object({
    fontFamily: Type.Optional(FontFamily),
    fontFaces: Type.Optional(FontFaceChanges),
  }),
  returns: CustomFont,
  // As the client expects it.
  status: 201,
  location: ({ id }, urls, { organizationId }) => urls.api(`/orgs/${organizationId}/fonts/${id}`),
  audit: 'font.update',
  prepare: ({ db, blobs, me, now, params, body }) =>
    readFaces({ db: db.read, blobs, me, now }, params.organizationId, body.fontFaces ?? []),
  async handler({
    tx,
    me,
    urls,
    enqueue,
    organization,
    organizationRole,
    params,
    body,
    prepared,
    now,
    audit,
  }) {
    const before = await needFont(tx, organization.id, params.fontId)
    const had = await filesOfFonts(tx, [before.id])
    const font = { ...before, family: body.fontFamily ?? before.family, updatedAt: now.toISOString() }
    await tx.updateTable('font').set(font).where('id', '=', font.id).execute()
    const files = await storeFaces(tx, me, font.id, prepared)
    const kept = new Set(files.map(({ hash }) => hash))
    for (const { hash } of had) if (!kept.has(hash)) await enqueue(tx, 'remove-blob', { hash })
    await renewFont(tx, organization.id, fontDefinition(urls, font, files), now)
    const after = toCustomFont(urls, font, files, organizationRole)
    audit({
      target: { type: 'font', id: font.id, label: font.family },
      before: toCustomFont(urls, before, had, organizationRole),
      after,
    })
    return after
  },
})

export const deleteCustomFont = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/fonts/:fontId',
  summary: 'Delete a font of an organization',
  description: 'The request fails with 409 while the look of a site has the font.',
  access: onOrg('create'),
  params: InFont,
  async handler({ tx, enqueue, organization, params, audit }) {
    const font = await findFont(tx, organization.id, params.fontId)
    if (!font) return ABSENT
    const site = await siteWithFont(tx, font)
    if (site) throw conflict(because('font-in-use', site))
    for (const { hash } of await filesOfFonts(tx, [font.id])) await enqueue(tx, 'remove-blob', { hash })
    await tx.deleteFrom('fontFile').where('fontId', '=', font.id).execute()
    await tx.deleteFrom('font').where('id', '=', font.id).execute()
    audit({ target: { type: 'font', id: font.id, label: font.family } })
    return undefined
  },
})

export const downloadFontFile = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/fonts/:fontId/files/:hash/:name',
  summary: 'Download a file of a font',
  description: 'No token is required: everyone loads the fonts of a site. The `Range` header is supported.',
  access: anyone(),
  params: Type.Object({
    organizationId: Id,
    fontId: Id,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'be a SHA-256 hash in hexadecimal' }),
    name: Type.String({ minLength: 1, maxLength: 512 }),
  }),
  returns: 'download',
  async handler({ db, blobs, conditions, params }) {
    const file = await findFontFile(db, params)
    if (!file) throw notFound('file')
    return fileDownload(blobs, file, conditions)
  },
})
