import { Type } from 'typebox'
import { anyone, onOrg } from '../../../access/checks/on.ts'
import type { Reader } from '../../../db/schema.ts'
import { notFound } from '../../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { rendererHeaders } from '../../../http/response/renderer-headers.ts'
import { route } from '../../../http/route.ts'
import { fileDownload } from '../../../model/content/download.ts'
import { findSpec, InSpec, InSpecVersion, needSpec } from '../../../model/openapi/spec.ts'
import { partialContent } from '../../../model/sites/published/content/partial-spec.ts'
import { shownPartsOf } from '../../../model/sites/published/content/shown-specs.ts'
import { onReadableOrganization } from '../../../model/sites/published/on-reader.ts'
import {
  needVersion,
  OpenApiVersion,
  signedName,
  toOpenApiVersion,
  versionContent,
  versionSource,
} from '../../../model/openapi/version.ts'

const CONTENT =
  '`filesystem` has one file, whose `specification` is OpenAPI 3.1 or later; its references all lead to places in it. Equal versions have equal bytes. `urls.source` is signed and needs no token; `urls.public` is null unless the specification is public. A site token reads the newest version of the specifications that its reader sees on pages; of one that is not public, only the parts that these pages describe and what they refer to, without links to pages that the reader may not see.'
const RAW = 'The response is JSON: `text`, as it was written, and its `format`, `json` or `yaml`.'

export const listOpenAPISpecVersions = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/openapi/:specSlug/versions',
  summary: 'List the versions of an OpenAPI specification, newest first',
  access: onOrg('read'),
  params: InSpec,
  query: ListQuery,
  returns: listOf(OpenApiVersion),
  async handler({ db, urls, organization, params, page }) {
    const spec = await needSpec(db, organization.id, params.specSlug)
    const versions = db.selectFrom('openapiVersion').selectAll().where('specId', '=', spec.id)
    const list = await listRows(versions, page, { by: ['id'], order: 'desc' })
    return { ...list, items: list.items.map((row) => toOpenApiVersion(urls, spec, row)) }
  },
})

/** The routes that read one version. @param of names it in the summaries */
function versionRoutes<Params extends typeof InSpec | typeof InSpecVersion>(
  place: 'latest' | ':versionId',
  of: string,
  params: Params,
) {
  const path = `/v1/orgs/:organizationId/openapi/:specSlug/versions/${place}` as const
  const common = { method: 'GET', access: onOrg('read'), params } as const

  async function findVersion(context: { db: Reader; organization: { id: string }; params: object }) {
    const { specSlug, versionId = 'latest' } = context.params as { specSlug: string; versionId?: string }
    const spec = await needSpec(context.db, context.organization.id, specSlug)
    return { spec, version: await needVersion(context.db, spec, versionId), isFixed: versionId !== 'latest' }
  }

  return {
    get: route({
      ...common,
      path,
      summary: `Get ${of} of an OpenAPI specification`,
      returns: OpenApiVersion,
      async handler(context) {
        const { spec, version } = await findVersion(context)
        return toOpenApiVersion(context.urls, spec, version)
      },
    }),

    content: route({
      ...common,
      access: onReadableOrganization(),
      readers: true,
      path: `${path}/content`,
      summary: `Get ${of} of an OpenAPI specification, bundled`,
      description: CONTENT,
      returns: 'download',
      media: ['application/json'],
      async handler(context) {
        const { db, me, urls, blobs, conditions, params: named, reading } = context
        const parts = reading && (await shownPartsOf(db, reading, named.specSlug))
        if (parts?.length === 0) throw notFound('specification')
        const { spec, version } = await findVersion(context)
        // The visibility is in the content, and can change.
        const whole = () => versionContent({ urls, blobs, spec, version, conditions, isFixed: false })
        if (!reading || !parts || !me.reader) return whole()
        if (version.id !== spec.lastVersion) throw notFound('version')
        // A public specification is open to everyone anyway.
        const isOpen = spec.visibility === 'public'
        const sent = await (isOpen
          ? whole()
          : partialContent({ db, urls, open: reading }, spec, parts, conditions))
        const spaces = reading.variants.map(({ spaceId }) => spaceId)
        return { ...sent, headers: { ...sent.headers, ...rendererHeaders(me.reader, named, spaces) } }
      },
    }),

    raw: route({
      ...common,
      path: `${path}/content/raw`,
      summary: `Get the source of ${of} of an OpenAPI specification`,
      description: RAW,
      returns: 'download',
      media: ['application/json'],
      async handler(context) {
        const { urls, blobs, conditions } = context
        const { spec, version, isFixed } = await findVersion(context)
        return versionSource({ urls, blobs, spec, version, conditions, isFixed })
      },
    }),
  }
}

const latest = versionRoutes('latest', 'the newest version', InSpec)
export const getLatestOpenAPISpecVersion = latest.get
export const getLatestOpenAPISpecVersionContent = latest.content
export const getLatestOpenAPISpecVersionContentRaw = latest.raw

const byId = versionRoutes(':versionId', 'a version', InSpecVersion)
export const getOpenAPISpecVersionById = byId.get
export const getOpenAPISpecVersionContentById = byId.content
export const getOpenAPISpecVersionContentRawById = byId.raw

export const downloadOpenAPISpecVersion = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/openapi/:specSlug/versions/:versionId/openapi.json',
  summary: 'Download a version of an OpenAPI specification',
  description:
    'No token is required. The request must carry the signature from the `url` of the version, unless the specification is public. The version `latest` is the newest one of a public specification. The `Range` header is supported.',
  access: anyone(),
  params: InSpecVersion,
  query: Type.Object({ signature: Type.Optional(Type.String({ maxLength: 64 })) }),
  returns: 'download',
  media: ['application/json'],
  async handler({ db, urls, blobs, params, query, conditions }) {
    const spec = await findSpec(db, params.organizationId, params.specSlug)
    if (!spec) throw notFound('specification')
    const version = await needVersion(db, spec, params.versionId)
    const isSigned = urls.isSignatureOf(signedName(version), query.signature ?? '')
    if (spec.visibility !== 'public' && !isSigned) throw notFound('version')

    const { blob: hash, size } = version
    const file = { hash, size, name: `${spec.slug}.json`, contentType: 'application/json' }
    const download = await fileDownload(blobs, file, conditions)
    if (params.versionId === 'latest') download.headers['cache-control'] = 'public, no-cache'
    return download
  },
})
