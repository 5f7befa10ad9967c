import { Type } from 'typebox'
import { needPlace } from '../../../access/checks/on.ts'
import { onSite } from '../../../access/checks/on-site.ts'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import { notFound, unknownId } from '../../../http/errors.ts'
import { listItems, listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { Id, InSite, nullable, pathOfSite, ShareKeyQuery } from '../../../model/common.ts'
import {
  moveInStructure,
  needPart,
  removeFromStructure,
} from '../../../model/sites/structure/change-structure.ts'
import { Draft, withDraft } from '../../../model/sites/structure/draft.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { checkCondition, Condition } from '../../../model/sites/condition.ts'
import { changePath, checkSegment, forgetSiteSpaces } from '../../../model/sites/redirects/path-segments.ts'
import { touchSite } from '../../../model/sites/site.ts'
import {
  addSiteSpace,
  alreadyOnSite,
  keepDefaultSpace,
  SiteSpace,
  toSiteSpaces,
} from '../../../model/sites/structure/site-space.ts'
import { chooseSpace } from '../../../model/sites/structure/choose-space.ts'
import { copySiteSpace } from '../../../model/sites/structure/copy-site-space.ts'
import { loadStructure, type SiteStructure } from '../../../model/sites/structure/structure.ts'
import { positionOf, SpacePosition } from '../../../model/sites/structure/position.ts'

const InSiteSpace = Type.Object({ ...InSite.properties, siteSpaceId: Id })
const Path = Type.String({ minLength: 1, maxLength: 100 })

export const listSiteSpaces = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces',
  summary: 'List the spaces of a site, in reading order',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: Type.Object({
    ...ListQuery.properties,
    ...ShareKeyQuery,
    default: Type.Optional(
      Type.Boolean({
        description:
          '`true`: only the default spaces of the site and of its sections. `false`: only other spaces.',
      }),
    ),
  }),
  returns: listOf(SiteSpace),
  async handler({ db, site, query, page, ...seen }) {
    const structure = await loadStructure(db, site, seen)
    const wanted = structure.siteSpaces.filter(
      ({ isDefault }) => query.default === undefined || (isDefault === 1) === query.default,
    )
    const list = await listItems(wanted, page, { key: structure.orderKey, sizes: (size) => size % 2 === 0 })
    return { ...list, items: await toSiteSpaces(db, structure, list.items) }
  },
})

export const getSiteSpaceById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Get a space of a site',
  access: onReadableSite(),
  readers: true,
  params: InSiteSpace,
  query: Type.Object(ShareKeyQuery),
  returns: SiteSpace,
  handler: async ({ db, site, params, query: _query, ...seen }) =>
    siteSpaceOf(db, await loadStructure(db, site, seen), params.siteSpaceId),
})

export const addSpaceToSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces',
  summary: 'Add a space to a site',
  description:
    'The space is placed at the end of the section; without `sectionId`, of the default section, or of the site if it has no sections. The caller must have the permission "create" on the space. The request fails with 409 if the site contains the space already.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({ spaceId: Id, sectionId: Type.Optional(Id), draft: Type.Optional(Draft) }),
  returns: SiteSpace,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/site-spaces/${id}`),
  async handler({ tx, site, body, now, newId, ...seen }) {
    const space = await chooseSpace(tx, seen.me, seen.organization, {
      field: 'body.spaceId',
      id: body.spaceId,
    })
    const { sections } = await loadStructure(tx, site, seen)
    const section =
      body.sectionId === undefined
        ? (sections.find(({ isDefault }) => isDefault === 1) ?? sections[0])
        : sections.find(({ id }) => id === body.sectionId)
    if (body.sectionId !== undefined && !section)
      throw unknownId('body.sectionId', body.sectionId, 'a section of this site')
    const id = await addSiteSpace(tx, site, space, {
      sectionId: section?.id ?? null,
      draft: body.draft,
      now,
      newId,
    })
    await touchSite(tx, site, now)
    return siteSpaceOf(tx, await loadStructure(tx, site, seen), id)
  },
})

export const duplicateSiteSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/duplicate',
  summary: 'Duplicate a space of a site, in the site',
  description:
    'The copy of the space has its content, files, settings and grants, but no history, as with "Duplicate a space". The only space of a section is copied into a new section, directly behind that section and in the same group. Otherwise, the copy is a variant directly behind the original. The copy has the conditions and the look that the original has on the site. `draft` hides it from readers, and a copy of a draft is a draft. The caller must have the permission "create" on the space and on the place that contains it.',
  access: onSite('create'),
  params: InSiteSpace,
  body: Type.Object({ draft: Type.Optional(Draft) }),
  returns: SiteSpace,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/site-spaces/${id}`),
  async handler({ tx, site, params, body, now, newId, ...seen }) {
    const { siteSpaces } = await loadStructure(tx, site, seen)
    const siteSpace = needPart(siteSpaces, params.siteSpaceId, 'site space')
    const space = await chooseSpace(tx, seen.me, seen.organization, {
      field: 'siteSpaceId',
      id: siteSpace.spaceId,
    })
    await needPlace(tx, seen.me, seen, space.parent)
    const { draft = false } = body
    const id = await copySiteSpace(tx, site, { siteSpace, space }, { draft, seen, now, newId })
    await touchSite(tx, site, now)
    return siteSpaceOf(tx, await loadStructure(tx, site, seen), id)
  },
})

export const updateSiteSpaceById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Update a space of a site',
  description:
    'Fields that are not sent keep their values. The old path redirects to the new one. `spaceId` publishes another space in this place.',
  access: onSite('create'),
  params: InSiteSpace,
  body: Type.Object({
    path: Type.Optional(Path),
    condition: Type.Optional(nullable(Condition)),
    spaceId: Type.Optional(Id),
    draft: Type.Optional(Draft),
  }),
  returns: SiteSpace,
  async handler({ tx, site, params, body, now, ...seen }) {
    const { siteSpaces } = await loadStructure(tx, site, seen)
    const siteSpace = needPart(siteSpaces, params.siteSpaceId, 'site space')
    const { path, condition, spaceId, draft } = body
    if (condition) checkCondition('body.condition', condition)
    if (path !== undefined) {
      checkSegment('body.path', path)
      await changePath(tx, { ...siteSpace, kind: 'site-space' }, path)
    }
    if (condition !== undefined || draft !== undefined)
      await tx
        .updateTable('siteSpace')
        .set(withDraft({ ...(condition !== undefined && { condition }), draft }))
        .where('id', '=', siteSpace.id)
        .execute()
    if (spaceId !== undefined && spaceId !== siteSpace.spaceId)
      await replaceSpace(
        tx,
        siteSpace,
        await chooseSpace(tx, seen.me, seen.organization, { field: 'body.spaceId', id: spaceId }),
      )
    if (Object.keys(body).length > 0) await touchSite(tx, site, now)
    return siteSpaceOf(tx, await loadStructure(tx, site, seen), siteSpace.id)
  },
})

export const deleteSiteSpaceById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId',
  summary: 'Remove a space from a site',
  description:
    'The space itself remains. If it was the default, the first of the other spaces becomes the default.',
  access: onSite('create'),
  params: InSiteSpace,
  status: 205,
  async handler({ tx, params, ...changing }) {
    const siteId = changing.site.id
    const find = ({ siteSpaces }: SiteStructure) => siteSpaces.find(({ id }) => id === params.siteSpaceId)
    return removeFromStructure(tx, changing, find, async ({ id, sectionId }) => {
      await tx.deleteFrom('siteSpace').where('id', '=', id).execute()
      await forgetSiteSpaces(tx, siteId, [id])
      await keepDefaultSpace(tx, siteId, sectionId)
    })
  },
})

export const moveSiteSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/move',
  summary: 'Move a space of a site among those of its section',
  description: 'Without a position, it is placed at the end.',
  access: onSite('create'),
  params: InSiteSpace,
  body: Type.Object({ position: SpacePosition }),
  returns: SiteSpace,
  async handler({ tx, params: { siteSpaceId: id }, body, ...changing }) {
    const item = { type: 'site-space', id } as const
    return siteSpaceOf(tx, await moveInStructure(tx, changing, item, positionOf(body.position)), id)
  },
})

async function siteSpaceOf(db: Reader, structure: SiteStructure, id: string) {
  const [siteSpace] = await toSiteSpaces(db, structure, [needPart(structure.siteSpaces, id, 'site space')])
  if (!siteSpace) throw notFound('site space')
  return siteSpace
}

async function replaceSpace(tx: Tx, siteSpace: Row<'siteSpace'>, space: Row<'space'>): Promise<void> {
  const taken = await tx
    .selectFrom('siteSpace')
    .select('id')
    .where('siteId', '=', siteSpace.siteId)
    .where('spaceId', '=', space.id)
    .executeTakeFirst()
  if (taken) throw alreadyOnSite(space)
  await tx.updateTable('siteSpace').set({ spaceId: space.id }).where('id', '=', siteSpace.id).execute()
}
