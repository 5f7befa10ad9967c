import { type Static, Type } from 'typebox'
import { atLeast } from '../../access/roles/roles.ts'
import type { SpecProblem } from '../../core/openapi/problem.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { Id, InOrganization, oneOf, omitNullish, Timestamp, Uri, WebUri } from '../common.ts'

export const SpecSlug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  'x-pattern': 'have words of the letters a to z and digits, joined by "-"',
})

/** Any text in a URL: one that is no slug names nothing. */
const SlugInPath = Type.String({ minLength: 1, maxLength: 100 })
export const InSpec = Type.Object({ ...InOrganization.properties, specSlug: SlugInPath })
export const InSpecVersion = Type.Object({ ...InSpec.properties, versionId: Id })

/** The largest text of a request, in UTF-16 units. A larger specification has a URL. */
const MAX_TEXT = 20 * 1024 * 1024

/** Where a specification comes from. */
export const SpecSource = Type.Union([
  Type.Object({
    url: WebUri,
    externalReferences: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also fetch the files of the same origin that the specification refers to',
      }),
    ),
  }),
  Type.Object({ text: Type.String({ minLength: 1, maxLength: MAX_TEXT }) }),
])
export type SpecSource = Static<typeof SpecSource>

/** The largest body with a source. JSON escapes make a text longer. */
export const SPEC_BODY_LIMIT = 30 * 1024 * 1024

/** The most specifications of an organization. */
export const MAX_SPECS = 500

/** The description of the field `requestProxy`. */
export const REQUEST_PROXY =
  'Whether the server sends requests that readers of sites try to the servers of the specification, if the browser of the reader cannot'

/** An OpenAPI specification of an organization. */
export const OpenApiSpec = Type.Object(
  {
    object: oneOf(['openapi-spec']),
    id: Type.String(),
    slug: Type.String(),
    sourceURL: Type.Optional(
      Type.String({
        description: 'Only for callers who may change the specification, as it can hold a secret',
      }),
    ),
    visibility: oneOf(['private', 'public'], {
      description: '`public`: anyone can get the newest version at `urls.published`',
    }),
    requestProxy: Type.Boolean({ description: REQUEST_PROXY }),
    processingState: oneOf(['pending', 'progress', 'complete']),
    lastVersion: Type.Optional(Type.String({ description: 'The id of the newest version' })),
    lastProcessedAt: Type.Optional(Timestamp),
    lastProcessErrorCode: Type.Optional(oneOf(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'])),
    lastProcessedErrors: Type.Optional(
      Type.Array(Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) })),
    ),
    lastProcessedErrorCount: Type.Integer({
      description: 'The number of `lastProcessedErrors`, of which the server keeps at most 100',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Uri, app: Uri, published: Type.Optional(Uri) }),
  },
  { title: 'OpenAPISpec' },
)
export type OpenApiSpec = Static<typeof OpenApiSpec>

/** @param role the caller's role in the organization */
export function toOpenApiSpec(urls: Urls, row: Row<'openapiSpec'>, role: Role | null): OpenApiSpec {
  const edit = atLeast(role, 'create')
  const path = pathOfSpec(row)
  const problems = JSON.parse(row.lastErrors) as SpecProblem[]
  return {
    object: 'openapi-spec',
    id: row.id,
    slug: row.slug,
    visibility: row.visibility,
    requestProxy: row.requestProxy === 1,
    processingState: row.processingState,
    ...omitNullish({
      sourceURL: edit ? row.sourceUrl : null,
      lastVersion: row.lastVersion,
      lastProcessedAt: row.lastProcessedAt,
      lastProcessErrorCode: row.lastErrorCode,
    }),
    ...(problems.length > 0 ? { lastProcessedErrors: problems } : {}),
    lastProcessedErrorCount: problems.length,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    permissions: { view: true, edit },
    urls: {
      location: urls.api(path),
      app: urls.app(`/o/${row.organizationId}/openapi/${row.slug}`),
      ...(row.visibility === 'public' && row.lastVersion !== null
        ? { published: urls.api(`${path}/versions/latest/openapi.json`) }
        : {}),
    },
  }
}

/** The API path of a specification, below `/v1`. */
export function pathOfSpec({ organizationId, slug }: Pick<Row<'openapiSpec'>, 'organizationId' | 'slug'>) {
  return `/orgs/${organizationId}/openapi/${slug}`
}

/** A specification of an organization by its slug. */
export function findSpec(
  db: Reader,
  organizationId: string,
  slug: string,
): Promise<Row<'openapiSpec'> | undefined> {
  return db
    .selectFrom('openapiSpec')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

/** A specification of an organization by its slug. @throws 404 */
export async function needSpec(
  db: Reader,
  organizationId: string,
  slug: string,
): Promise<Row<'openapiSpec'>> {
  const spec = await findSpec(db, organizationId, slug)
  if (!spec) throw notFound('specification')
  return spec
}

/** How long after a request a specification is processed again if its job was lost, in milliseconds. */
const SAFETY_MS = 15 * 60_000

/** The columns of a source that waits to be processed. @param blob the bytes of a text that was sent */
export function pendingSource(source: SpecSource, blob: string | undefined, now: Date) {
  const isUrl = 'url' in source
  return {
    sourceUrl: isUrl ? source.url : null,
    externalReferences: isUrl && source.externalReferences ? (1 as const) : (0 as const),
    sourceBlob: blob ?? null,
    etag: null,
    processingState: 'pending' as const,
    requestedAt: now.toISOString(),
    nextCheckAt: new Date(now.getTime() + SAFETY_MS).toISOString(),
    updatedAt: now.toISOString(),
  }
}

/** Deletes a specification with its versions. @returns the blobs that it used */
export async function deleteSpec(tx: Tx, spec: Row<'openapiSpec'>): Promise<string[]> {
  const versions = await tx
    .deleteFrom('openapiVersion')
    .where('specId', '=', spec.id)
    .returning(['blob', 'sourceBlob'])
    .execute()
  await tx.deleteFrom('openapiPart').where('specId', '=', spec.id).execute()
  await tx.deleteFrom('openapiSpec').where('id', '=', spec.id).execute()
  const blobs = versions.flatMap(({ blob, sourceBlob }) => [blob, sourceBlob])
  return [...new Set([...blobs, ...(spec.sourceBlob === null ? [] : [spec.sourceBlob])])]
}
