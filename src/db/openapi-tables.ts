import type { Flag, Instant, JsonText } from './columns.ts'

export type SpecProcessingState = 'pending' | 'progress' | 'complete'
export type SpecErrorCode = 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR'

/** The tables of OpenAPI specifications. */
export interface OpenApiTables {
  openapiSpec: {
    id: string
    organizationId: string
    /** Unique in the organization. */
    slug: string
    /** Where the source is fetched; null if it was sent as text. */
    sourceUrl: string | null
    /** Whether references to other files of the same origin are fetched. */
    externalReferences: Flag
    visibility: 'private' | 'public'
    /** Whether the server of a site sends requests of its readers to the servers of the specification. */
    requestProxy: Flag
    processingState: SpecProcessingState
    /** The blob with the source that was sent, or fetched last. */
    sourceBlob: string | null
    /** The ETag of the source that was fetched last. */
    etag: string | null
    lastVersion: string | null
    lastProcessedAt: Instant | null
    lastErrorCode: SpecErrorCode | null
    /** The problems of the source, as a JSON array of `{ message, code }`. */
    lastErrors: JsonText
    /** When the source was set last; it identifies the request whose source is processed. */
    requestedAt: Instant
    /** When it is processed again if nobody asks; null for a text that was processed. */
    nextCheckAt: Instant | null
    createdAt: Instant
    updatedAt: Instant
  }
  /** The parts of the newest version of a specification, which pages load one by one (`core/openapi/spec-parts.ts`). */
  openapiPart: {
    specId: string
    pointer: string
    kind: 'info' | 'operation' | 'webhook' | 'component'
    /** The place in the specification: 0, 1, 2 … */
    position: number
    tag: string | null
    title: string | null
    json: JsonText
  }
  openapiVersion: {
    id: string
    specId: string
    /** The blob of the bundled specification, as JSON, and its size in bytes. */
    blob: string
    size: number
    /** The blob of the source as it was written, and its size in bytes. */
    sourceBlob: string
    sourceSize: number
    format: 'json' | 'yaml'
    createdAt: Instant
  }
}
