import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { invalidFields, missing } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InSite } from '../../../model/common.ts'
import {
  AdaptiveSchema,
  ClaimsJsonSchema,
  faultsOfSchema,
  findAdaptiveSchema,
  TemplateCondition,
  templateConditions,
  toAdaptiveSchema,
} from '../../../model/sites/adaptive-schema.ts'
import { touchSite } from '../../../model/sites/site.ts'
import { because } from '../../../core/languages/reasons.ts'

const noSchema = () => missing(because('claims-schema-missing'))

const emptySchema = () => ({
  object: 'site-adaptive-schema' as const,
  jsonSchema: { type: 'object' as const, properties: {}, additionalProperties: false as const },
})

export const getSiteAdaptiveSchema = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/adaptive-schema',
  summary: 'Get the schema of the claims of a site’s visitors',
  description:
    'The request fails with 404 if the site has no schema. With `orEmpty`, the response is then a schema without claims.',
  access: onSite('read'),
  params: InSite,
  query: Type.Object({ orEmpty: Type.Optional(Type.Boolean()) }),
  returns: AdaptiveSchema,
  async handler({ db, site, query }) {
    const row = await findAdaptiveSchema(db, site.id)
    if (!row && query.orEmpty) return { ...emptySchema(), updatedAt: site.createdAt }
    if (!row) throw noSchema()
    return toAdaptiveSchema(row)
  },
})

export const updateSiteAdaptiveSchema = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/sites/:siteId/adaptive-schema',
  summary: 'Set the schema of the claims of a site’s visitors',
  description: 'Conditions can read only the claims that the schema declares. Each error names its position.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({ jsonSchema: ClaimsJsonSchema }),
  returns: AdaptiveSchema,
  async handler({ tx, site, body: { jsonSchema }, now }) {
    const faults = faultsOfSchema(jsonSchema, 'body.jsonSchema')
    if (faults.length > 0) throw invalidFields(faults)

    const changes = { jsonSchema: JSON.stringify(jsonSchema), updatedAt: now.toISOString() }
    await tx
      .insertInto('siteAdaptiveSchema')
      .values({ siteId: site.id, ...changes })
      .onConflict((known) => known.column('siteId').doUpdateSet(changes))
      .execute()
    await touchSite(tx, site, now)
    return toAdaptiveSchema(changes)
  },
})

export const listSiteAdaptiveTemplateConditions = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/adaptive-schema/template-conditions',
  summary: 'List conditions that fit the claims of a site’s visitors',
  description:
    'Returns one condition for each possible value of each claim that has a fixed set of values, including nested claims.',
  access: onSite('read'),
  params: InSite,
  returns: Type.Object({ items: Type.Array(TemplateCondition) }),
  async handler({ db, site }) {
    const row = await findAdaptiveSchema(db, site.id)
    return { items: row ? templateConditions(toAdaptiveSchema(row).jsonSchema) : [] }
  },
})
