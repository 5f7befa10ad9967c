import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { type Static, Type } from 'typebox'
import type { Blobs } from '../../blobs/blobs.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { matches } from '../../http/response/answer.ts'
import { notFound } from '../../http/errors.ts'
import type { Conditions, Download } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, Timestamp, Uri } from '../common.ts'
import { pathOfSpec } from './spec.ts'

/** A version of a specification: what its source was at some time. */
export const OpenApiVersion = Type.Object(
  {
    object: oneOf(['openapi-spec-version']),
    id: Type.String(),
    createdAt: Timestamp,
    url: Type.String({
      format: 'uri',
      description: 'The bundled specification as JSON. The address is signed, so no token is required.',
    }),
    urls: Type.Object({ location: Uri }),
  },
  { title: 'OpenAPISpecVersion' },
)
export type OpenApiVersion = Static<typeof OpenApiVersion>

export function toOpenApiVersion(
  urls: Urls,
  spec: Row<'openapiSpec'>,
  row: Row<'openapiVersion'>,
): OpenApiVersion {
  const location = urls.api(`${pathOfSpec(spec)}/versions/${row.id}`)
  return {
    object: 'openapi-spec-version',
    id: row.id,
    createdAt: row.createdAt,
    url: `${location}/openapi.json?signature=${urls.signatureOf(signedName(row))}`,
    urls: { location },
  }
}

/** Returns the text that is signed for the address of a version. */
export const signedName = ({ id, blob }: Pick<Row<'openapiVersion'>, 'id' | 'blob'>) =>
  `openapi:${id}:${blob}`

/** The version that a URL names: an id, or `latest`. @throws 404 */
export async function needVersion(
  db: Reader,
  spec: Row<'openapiSpec'>,
  id: string,
): Promise<Row<'openapiVersion'>> {
  const version = await db
    .selectFrom('openapiVersion')
    .selectAll()
    .where('specId', '=', spec.id)
    .where('id', '=', id === 'latest' ? (spec.lastVersion ?? '') : id)
    .executeTakeFirst()
  if (!version) throw notFound('version')
  return version
}

/** How the content of a version is sent. */
interface SentVersion {
  urls: Urls
  blobs: Blobs
  spec: Row<'openapiSpec'>
  version: Row<'openapiVersion'>
  conditions: Conditions
  /** The address names this version and no other, so clients may cache the content for ever. */
  isFixed: boolean
}

/** The bundled specification as a file system of one file, sent from the store without being parsed. */
export function versionContent(sent: SentVersion): Promise<Download> {
  const { urls, spec, version } = sent
  const [start, end] = contentOfBundle(urls, spec, toOpenApiVersion(urls, spec, version).url)
  return jsonFrom(sent, version.blob, async function* parts(bytes) {
    yield start
    yield* bytes
    yield end
  })
}

/** What is before and behind the JSON of a specification in the content of a version. @param url where the JSON is */
export function contentOfBundle(urls: Urls, spec: Row<'openapiSpec'>, url: string): [string, string] {
  const isPublic = spec.visibility === 'public'
  const published = isPublic ? urls.api(`${pathOfSpec(spec)}/versions/latest/openapi.json`) : null
  const file = { dir: '.', isEntrypoint: true, references: [], filename: 'openapi.json' }
  return [
    `{"filesystem":[${JSON.stringify(file).slice(0, -1)},"specification":`,
    `}],"url":${JSON.stringify(url)},"urls":${JSON.stringify({ source: url, public: published })}}`,
  ]
}

/** The source of a version as it was written, with its format. */
export function versionSource(sent: SentVersion): Promise<Download> {
  const { format, sourceBlob } = sent.version
  return jsonFrom(sent, sourceBlob, async function* parts(bytes) {
    // A decoder keeps the beginning of a character until its end arrives, so no part ends within a surrogate pair.
    const decoder = new StringDecoder('utf8')
    yield `{"format":"${format}","text":"`
    for await (const chunk of bytes) yield JSON.stringify(decoder.write(chunk)).slice(1, -1)
    yield `${JSON.stringify(decoder.end()).slice(1, -1)}"}`
  })
}

async function jsonFrom(
  { blobs, spec, version, conditions, isFixed }: SentVersion,
  hash: string,
  parts: (bytes: AsyncIterable<Buffer>) => AsyncIterable<string | Buffer>,
): Promise<Download> {
  const etag = `"${version.id}-${hash.slice(0, 16)}-${spec.visibility}"`
  const headers = {
    etag,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': isFixed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  }
  if (matches(conditions.ifNoneMatch, etag)) return { status: 304, headers, body: undefined }
  const blob = await blobs.get(hash)
  if (!blob) throw notFound('version')
  const body = Readable.from(parts(blob.stream as AsyncIterable<Buffer>), { objectMode: false })
  body.once('close', () => blob.stream.destroy())
  return { status: 200, headers, body }
}
