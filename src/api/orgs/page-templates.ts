import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { because } from '../../core/languages/reasons.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { countRows, listItems, listOf, ListQuery } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import {
  builtInTemplate,
  findPageTemplate,
  InPageTemplate,
  LISTED_TEMPLATE_COLUMNS,
  ListedPageTemplate,
  listedTemplates,
  needOwnTemplate,
  PageTemplate,
  PageTemplateFields,
  refuseBuiltIn,
  toPageTemplate,
} from '../../model/content/page-template.ts'

/** How many templates of pages an organization can keep. */
const TEMPLATES_MAX = 200
/** In bytes. The text of a template has at most 100,000 characters, each of which JSON can write in six bytes. */
const BODY_LIMIT = 700 * 1024

export const listPageTemplates = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/page-templates',
  summary: 'List the templates of pages, in the order of their ids',
  description:
    'The list has the templates of Lectern (`builtIn`) and the pages that members have kept as templates. To begin a page with a template, get its `markdown`, and send it as the `document` of an `insert_page` operation.',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(ListedPageTemplate),
  async handler({ db, urls, organization, page }) {
    const rows = await db
      .selectFrom('pageTemplate')
      .select(LISTED_TEMPLATE_COLUMNS)
      .where('organizationId', '=', organization.id)
      .execute()
    return listItems(listedTemplates(urls, organization.id, rows), page, { key: ({ id }) => [id] })
  },
})

export const createPageTemplate = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/page-templates',
  summary: 'Keep a page as a template',
  description: `An organization can keep at most ${TEMPLATES_MAX} templates. The template does not follow later changes of the page. To link to a page or show a file, write its address with the space, such as \`/spaces/{spaceId}/pages/{pageId}\`, because pages of any space can begin with the template.`,
  access: onOrg('create'),
  params: InOrganization,
  body: Type.Object({
    title: PageTemplateFields.title,
    description: Type.Optional(PageTemplateFields.description),
    emoji: Type.Optional(PageTemplateFields.emoji),
    markdown: PageTemplateFields.markdown,
  }),
  bodyLimit: BODY_LIMIT,
  returns: PageTemplate,
  status: 201,
  location: ({ urls }) => urls.location,
  async handler({ tx, urls, organization, body, now, newId }) {
    const count = await countRows(
      tx.selectFrom('pageTemplate').selectAll().where('organizationId', '=', organization.id),
    )
    if (count >= TEMPLATES_MAX)
      throw conflict(because('too-many-page-templates', { count, limit: TEMPLATES_MAX }))
    const { title, description = '', emoji = '', markdown } = body
    const at = now.toISOString()
    const fields = { title, description, emoji, markdown, createdAt: at, updatedAt: at }
    const row = { id: newId(), organizationId: organization.id, ...fields }
    await tx.insertInto('pageTemplate').values(row).execute()
    return toPageTemplate(urls, row)
  },
})

export const getPageTemplate = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/page-templates/:pageTemplateId',
  summary: 'Get a template of a page, with its text',
  access: onOrg('read'),
  params: InPageTemplate,
  returns: PageTemplate,
  async handler({ db, urls, organization, params: { pageTemplateId: id } }) {
    const builtIn = builtInTemplate(urls, organization.id, id)
    if (builtIn) return builtIn
    const row = await findPageTemplate(db, organization.id, id)
    if (!row) throw notFound('page template')
    return toPageTemplate(urls, row)
  },
})

export const updatePageTemplate = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/page-templates/:pageTemplateId',
  summary: 'Update a template of a page',
  description:
    'Fields that are not sent keep their values. Pages that began with the template do not change. The request fails with 409 for a template of Lectern.',
  access: onOrg('create'),
  params: InPageTemplate,
  body: Type.Partial(Type.Object(PageTemplateFields), { minProperties: 1 }),
  bodyLimit: BODY_LIMIT,
  returns: PageTemplate,
  async handler({ tx, urls, organization, params, body, now, audit }) {
    const before = await needOwnTemplate(tx, organization.id, params.pageTemplateId)
    const row = { ...before, ...body, updatedAt: now.toISOString() }
    await tx.updateTable('pageTemplate').set(row).where('id', '=', row.id).execute()
    audit({ before })
    return toPageTemplate(urls, row)
  },
})

export const deletePageTemplate = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/page-templates/:pageTemplateId',
  summary: 'Delete a template of a page',
  description:
    'Pages that began with the template stay. The request fails with 409 for a template of Lectern.',
  access: onOrg('create'),
  params: InPageTemplate,
  async handler({ tx, organization, params: { pageTemplateId: id }, audit }) {
    refuseBuiltIn(id)
    const before = await findPageTemplate(tx, organization.id, id)
    if (!before) return ABSENT
    await tx.deleteFrom('pageTemplate').where('id', '=', id).execute()
    audit({ before, target: { type: 'page-template', id, label: before.title } })
    return undefined
  },
})
