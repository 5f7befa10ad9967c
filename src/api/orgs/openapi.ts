import { cacheTags } from '../../core/web/cache-tags.ts'
import { revalidate } from '../../model/revalidation.ts'
import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import type { Blobs } from '../../blobs/blobs.ts'
import { bytesOfText } from '../../core/text/text-bytes.ts'
import { conflict } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { InOrganization, oneOf } from '../../model/common.ts'
import { askForSpecIndex } from '../../model/content/search-task.ts'
import { insertSpec } from '../../model/openapi/create-spec.ts'
import { askToProcess } from '../../model/openapi/process-spec.ts'
import {
  deleteSpec,
  findSpec,
  InSpec,
  needSpec,
  OpenApiSpec,
  pendingSource,
  REQUEST_PROXY,
  SPEC_BODY_LIMIT,
  SpecSlug,
  SpecSource,
  toOpenApiSpec,
} from '../../model/openapi/spec.ts'
import { because } from '../../core/languages/reasons.ts'

const PROCESSED =
  'A job fetches and processes the source: `processingState` goes from `pending` over `progress` to `complete`. If that fails, the newest version stays, and `lastProcessErrorCode` and `lastProcessedErrors` have the reason. A source that did not change makes no version.'

export const listOpenAPISpecs = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/openapi',
  summary: 'List the OpenAPI specifications of an organization, oldest first',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(OpenApiSpec),
  async handler({ db, urls, organization, organizationRole, page }) {
    const specs = db.selectFrom('openapiSpec').selectAll().where('organizationId', '=', organization.id)
    const list = await listRows(specs, page, { by: ['id'] })
    return { ...list, items: list.items.map((row) => toOpenApiSpec(urls, row, organizationRole)) }
  },
})

export const createOpenAPISpec = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/openapi',
  summary: 'Create an OpenAPI specification from a URL or a text',
  description: `The source is Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2, in JSON or YAML. ${PROCESSED}`,
  access: onOrg('create'),
  params: InOrganization,
  bodyLimit: SPEC_BODY_LIMIT,
  body: Type.Object({ slug: SpecSlug, source: SpecSource }),
  returns: OpenApiSpec,
  status: 201,
  prepare: async ({ blobs, body }) => storeText(blobs, body.source),
  async handler({ tx, urls, organization, organizationRole, body, prepared, now, newId, enqueue }) {
    const { slug, source } = body
    if (await findSpec(tx, organization.id, slug)) throw conflict(because('specification-exists', { slug }))
    const row = await insertSpec(tx, {
      id: newId(),
      organizationId: organization.id,
      slug,
      ...pendingSource(source, prepared, now),
      createdAt: now.toISOString(),
    })
    await askToProcess(tx, enqueue, organization.id)
    return toOpenApiSpec(urls, row, organizationRole)
  },
})

export const getOpenAPISpecBySlug = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/openapi/:specSlug',
  summary: 'Get an OpenAPI specification',
  access: onOrg('read'),
  params: InSpec,
  returns: OpenApiSpec,
  async handler({ db, urls, organization, organizationRole, params }) {
    return toOpenApiSpec(urls, await needSpec(db, organization.id, params.specSlug), organizationRole)
  },
})

export const createOrUpdateOpenAPISpecBySlug = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/openapi/:specSlug',
  summary: 'Set the source of an OpenAPI specification, and create it if there is none',
  description: `A URL that the specification has already is fetched again. ${PROCESSED}`,
  access: onOrg('create'),
  params: Type.Object({ ...InOrganization.properties, specSlug: SpecSlug }),
  bodyLimit: SPEC_BODY_LIMIT,
  body: Type.Object({ source: SpecSource }),
  returns: OpenApiSpec,
  prepare: async ({ blobs, body }) => storeText(blobs, body.source),
  async handler({
    tx,
    urls,
    organization,
    organizationRole,
    params,
    body,
    prepared,
    now,
    newId,
    enqueue,
    audit,
  }) {
    const before = await findSpec(tx, organization.id, params.specSlug)
    const pending = pendingSource(body.source, prepared, now)
    if (before) audit({ before })
    const row = before
      ? await tx
          .updateTable('openapiSpec')
          .set(pending)
          .where('id', '=', before.id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await insertSpec(tx, {
          id: newId(),
          organizationId: organization.id,
          slug: params.specSlug,
          ...pending,
          createdAt: now.toISOString(),
        })
    await askToProcess(tx, enqueue, organization.id)
    if (before?.sourceBlob && before.sourceBlob !== row.sourceBlob)
      await enqueue(tx, 'remove-blob', { hash: before.sourceBlob })
    return toOpenApiSpec(urls, row, organizationRole)
  },
})

export const updateOpenAPISpecBySlug = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/openapi/:specSlug',
  summary: 'Set the visibility of an OpenAPI specification, and whether sites send requests to its servers',
  description: 'Fields that are not sent keep their values.',
  access: onOrg('create'),
  params: InSpec,
  body: Type.Object({
    visibility: Type.Optional(oneOf(['private', 'public'])),
    requestProxy: Type.Optional(Type.Boolean({ description: REQUEST_PROXY })),
  }),
  returns: OpenApiSpec,
  async handler({ tx, urls, organization, organizationRole, params, body, now, audit }) {
    const before = await needSpec(tx, organization.id, params.specSlug)
    const { visibility, requestProxy } = body
    if (visibility === undefined && requestProxy === undefined)
      return toOpenApiSpec(urls, before, organizationRole)
    audit({ before })
    const row = await tx
      .updateTable('openapiSpec')
      .set({
        visibility: visibility ?? before.visibility,
        requestProxy: (requestProxy ?? before.requestProxy === 1) ? 1 : 0,
        updatedAt: now.toISOString(),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await revalidate(tx, now, cacheTags.specification(organization.id, before.slug))
    return toOpenApiSpec(urls, row, organizationRole)
  },
})

export const deleteOpenAPISpecBySlug = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/openapi/:specSlug',
  summary: 'Delete an OpenAPI specification with its versions',
  description: 'Links to the specification are broken afterwards, and pages no longer show it.',
  access: onOrg('create'),
  params: InSpec,
  status: 205,
  async handler({ tx, organization, params, enqueue, now, audit }) {
    const before = await findSpec(tx, organization.id, params.specSlug)
    if (!before) return ABSENT
    const blobs = await deleteSpec(tx, before)
    const { id, slug, organizationId } = before
    await askForSpecIndex(tx, { organizationId, slug, cause: `without ${id}`, now })
    await enqueue(
      tx,
      'remove-blob',
      blobs.map((hash) => ({ hash })),
    )
    audit({ before, target: { type: 'openapi-spec', id: before.id, label: before.slug } })
    return undefined
  },
})

/** Stores the bytes of a source that was sent as text. */
async function storeText(blobs: Blobs, source: SpecSource): Promise<string | undefined> {
  return 'text' in source ? (await blobs.put(bytesOfText(source.text))).hash : undefined
}
