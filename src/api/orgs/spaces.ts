import { languageColumns, LanguageTagField } from '../../model/places/space-language.ts'
import { LANGUAGES } from '../../core/languages/content-languages.ts'
import { Type } from 'typebox'
import { demand, needParent, onOrg, onPlace } from '../../access/checks/on.ts'
import { trashStart } from '../../access/roles/trash-period.ts'
import { loadReach } from '../../access/roles/reach.ts'
import type { Tx } from '../../db/schema.ts'
import { invalidField } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Id, InOrganization, oneOf, WebUri } from '../../model/common.ts'
import { ComputedPagesSource } from '../../model/openapi/computed-source.ts'
import { API_TITLE, fillFromOpenApi, fillWithComputed } from '../../model/openapi/create-spec.ts'
import { insertSpace, Space, SpaceEmoji, SpaceTitle, toSpace, toSpaces } from '../../model/places/space.ts'
import { fillFromTemplate, TEMPLATE_IDS, templateFields } from '../../model/content/space-template.ts'
import { because } from '../../core/languages/reasons.ts'

export const listSpacesInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'List the spaces of an organization that the caller can see, oldest first',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    deleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'If true, list only the deleted spaces that the caller can restore',
      }),
    ),
    source: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        'x-pattern': 'be 64 digits of a SHA-256 in lower case hexadecimal',
        description: 'List only spaces that are synced with the source that has this `key`',
      }),
    ),
    synced: Type.Optional(
      Type.Boolean({ description: 'If true, list only spaces that are synced with any source' }),
    ),
  }),
  returns: listOf(Space),
  async handler({ db, me, urls, organization, organizationRole, query, page, now }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const needed = query.deleted ? 'create' : 'read'
    const trashedSince = query.deleted ? trashStart(now) : undefined
    const all = db
      .selectFrom('space')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where(reach.spacesFrom(needed))
      .where('deletedAt', trashedSince === undefined ? 'is' : '>', trashedSince ?? null)
    const { source, synced = false } = query
    const isOfSource = source !== undefined || synced
    const sources = db
      .selectFrom('spaceSource')
      .select('spaceId')
      .$if(source !== undefined, (some) => some.where('key', '=', source ?? ''))
    const visible = isOfSource ? all.where('id', 'in', sources) : all
    const { items: rows, ...envelope } = await listRows(visible, page, {
      by: ['id'],
      ...(!isOfSource && { count: () => reach.countSpaces(db, needed, trashedSince) }),
    })
    return { ...envelope, items: await toSpaces(urls, db, rows, await reach.onSpaces(db, rows)) }
  },
})

export const createSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'Create a space, in a collection or at the top level',
  description:
    'Creating a space in a collection requires `create` on the collection. The space inherits its access; no grant is created. The space is empty, unless the body has one of `template`, `openapiUrl` and `computedSource`. With `template`, the space has the pages of this template, and without `title` or `emoji` also its title or emoji. With `openapiUrl`, the organization gets this specification, and the space its pages once it is processed. That requires `create` in the organization. With `computedSource`, the space has a computed page of a specification that the organization has, which requires `read` in the organization.',
  access: onPlace(),
  params: InOrganization,
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(SpaceEmoji),
    parent: Type.Optional(Id),
    language: Type.Optional(oneOf(LANGUAGES)),
    languageTag: Type.Optional(LanguageTagField),
    editMode: Type.Optional(oneOf(['live', 'locked'])),
    openapiUrl: Type.Optional(WebUri),
    computedSource: Type.Optional(ComputedPagesSource),
    template: Type.Optional(
      oneOf(TEMPLATE_IDS, {
        description: 'The id of a template, as `GET /v1/orgs/{organizationId}/space-templates` lists them',
      }),
    ),
  }),
  returns: Space,
  status: 201,
  async handler({ tx, me, urls, body, organization, organizationRole, now, newId, enqueue }) {
    const place = { organizationId: organization.id, organizationRole }
    const role = await needParent(tx, me, place, body.parent ?? null)
    const { openapiUrl, computedSource, template, ...fields } = body
    if (template !== undefined && (openapiUrl !== undefined || computedSource !== undefined))
      throw invalidField('body.template', because('template-with-specification'))
    if (openapiUrl !== undefined) demand(organizationRole, 'create', 'to-create-space')
    if (computedSource !== undefined) {
      if (openapiUrl !== undefined)
        throw invalidField('body.computedSource', because('computed-with-openapi'))
      demand(organizationRole, 'read', 'to-create-space')
      await needSpecNamed(tx, organization.id, computedSource.dependencies.spec.ref.spec)
    }
    const by = { userId: me.userId, now, newId }
    const isReference = openapiUrl !== undefined || computedSource !== undefined
    const proposed =
      template === undefined ? { title: isReference ? API_TITLE : undefined } : templateFields(template)
    const space = await insertSpace(tx, {
      ...proposed,
      ...fields,
      ...languageColumns(fields),
      organizationId: organization.id,
      ...by,
    })
    if (template !== undefined) await fillFromTemplate(tx, space, template, by)
    if (openapiUrl !== undefined) await fillFromOpenApi(tx, space, openapiUrl, { ...by, enqueue })
    if (computedSource !== undefined) await fillWithComputed(tx, space, computedSource, by)
    return toSpace(urls, tx, space, role)
  },
})

/** @throws 400 if the organization has no such specification */
async function needSpecNamed(tx: Tx, organizationId: string, slug: string): Promise<void> {
  const spec = await tx
    .selectFrom('openapiSpec')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (!spec)
    throw invalidField(
      'body.computedSource.dependencies.spec.ref.spec',
      because('specification-slug-unknown', { slug: JSON.stringify(slug) }),
    )
}
