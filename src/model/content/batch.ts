import { type Static, Type } from 'typebox'
import { applyBatch, type BatchOutcome, type PageOutcome } from '../../core/content/batch/apply.ts'
import type { ReadChange } from '../../core/content/batch/read.ts'
import { FIELD_LENGTHS } from '../../core/content/fields/page.ts'
import { BatchRefused, refuseBatch } from '../../core/content/batch/refused.ts'
import {
  type BatchReadout,
  type BatchTask,
  idsNeeded,
  isQuickBatch,
  readBatchTask,
} from '../../core/content/batch/read-task.ts'
import { depthFault } from '../../core/document/check.ts'
import type { DocumentLinks } from '../../core/document/links-in.ts'
import { documentHash } from '../../core/content/hash.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { invalid, invalidField } from '../../http/errors.ts'
import { Id, nullable, oneOf, titleOf } from '../common.ts'
import { inThread, type TaskKind, tookTooMuch } from './in-thread.ts'
import { type Reason, commitRevision } from './commit.ts'
import { storeDocuments } from './stored-document.ts'
import { type UsedBytes, useBlobs } from './stored-file.ts'
import { loadBatchContent } from './batch-content.ts'
import { blockReverter, type PreparedReverts } from './block-reverts.ts'

/** A temporary name for a page within the batch. */
const Ref = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  'x-pattern': 'have 1 to 64 letters, digits, "_" or "-"',
  description:
    'A temporary name for the page, for `page` and `into` of later changes and for links such as `./name`',
})

const Body = Type.Object(
  {
    markdown: Type.Optional(Type.String()),
    document: Type.Optional(Type.Unknown({ description: 'A document, as `format=document` returns it' })),
  },
  { description: 'Send `markdown` or `document`, or neither for an empty page' },
)

const Meta = {
  title: Type.Optional(titleOf(FIELD_LENGTHS.title)),
  slug: Type.Optional(
    Type.String({
      maxLength: FIELD_LENGTHS.slug,
      description: 'Unique among its siblings; if empty, it is derived from the title',
    }),
  ),
  emoji: Type.Optional(nullable(Type.String({ maxLength: FIELD_LENGTHS.emoji }))),
  icon: Type.Optional(nullable(Type.String({ maxLength: FIELD_LENGTHS.icon }))),
  description: Type.Optional(nullable(Type.String({ maxLength: FIELD_LENGTHS.description }))),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: Type.Optional(
    nullable(
      Type.String({
        maxLength: FIELD_LENGTHS.condition,
        description: 'Expression that must be true for the page to be shown to a visitor',
      }),
    ),
  ),
}

const At = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Index among its siblings, from 0; by default, the page is the last',
  }),
)
const Into = Type.Optional(nullable(Id, { description: 'The parent page; `null` means the top level' }))
const PageName = Type.String({ ...Id, description: 'The id of the page, or the `ref` of an earlier change' })

/** A file from one of three sources. */
const SentFile = Type.Object({
  name: titleOf(FIELD_LENGTHS.fileName),
  url: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description: 'A URL that the server fetches; it must not be in a private network',
    }),
  ),
  base64: Type.Optional(
    Type.String({ maxLength: 1_398_104, description: 'At most 1 MB; requires `contentType`' }),
  ),
  upload: Type.Optional(
    Type.String({ ...Id, description: 'The `key` of an upload of the caller, which can be used once' }),
  ),
  contentType: Type.Optional(Type.String({ maxLength: 255 })),
  ref: Type.Optional(Ref),
})
export type SentFile = Static<typeof SentFile>

const CHANGES = [
  Type.Object({
    operation: oneOf(['insert_page']),
    document: Body,
    ...Meta,
    into: Into,
    at: At,
    ref: Type.Optional(Ref),
  }),
  Type.Object({
    operation: oneOf(['update_page']),
    page: PageName,
    document: Type.Optional(Body),
    ...Meta,
    into: Into,
    at: At,
  }),
  Type.Object({ operation: oneOf(['delete_page']), page: PageName }),
  Type.Object({
    operation: oneOf(['revert_page']),
    page: PageName,
    revision: Type.Optional(
      Type.String({
        ...Id,
        description: 'The revision to revert to; the default is the base of the change request',
      }),
    ),
    block: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'The keys of the blocks to revert; by default, the whole page',
      }),
    ),
  }),
  Type.Object({
    operation: oneOf(['insert_files']),
    files: Type.Array(SentFile, { minItems: 1, maxItems: 20 }),
  }),
] as const

/** One change of a batch, discriminated by `operation`. */
const Change = Type.Unsafe<Static<(typeof CHANGES)[number]>>({
  title: 'ContentChange',
  type: 'object',
  required: ['operation'],
  oneOf: [...CHANGES],
  discriminator: { propertyName: 'operation' },
})

/** Changes of content that are applied atomically. */
export const Batch = Type.Object({ changes: Type.Array(Change, { minItems: 1, maxItems: 50 }) })
export type BatchChange = Static<typeof Batch>['changes'][number]

const ChangedPage = Type.Object({
  object: oneOf(['page']),
  id: Type.String(),
  urls: Type.Object({ location: Type.String({ format: 'uri' }) }),
})

/** The outcome for each page, in the order of the changes. */
export const ChangedContent = Type.Union(
  [
    Type.Object({ object: oneOf(['created_page']), ref: Type.Optional(Type.String()), page: ChangedPage }),
    Type.Object({ object: oneOf(['updated_page']), page: ChangedPage }),
    Type.Object({ object: oneOf(['deleted_page']), page: Type.String() }),
  ],
  { title: 'ChangedContent' },
)

/** A page that the batch stored, although it cannot be read. */
export const BatchProblem = Type.Object(
  {
    page: Type.String({ description: 'The id of the page' }),
    title: Type.String(),
    message: Type.String(),
  },
  { title: 'BatchProblem' },
)

/** @param locationOf returns the URL of a page by its id */
export function toChangedContent(
  { change, page: id, ref }: PageOutcome,
  locationOf: (page: string) => string,
): Static<typeof ChangedContent> {
  if (change === 'deleted') return { object: 'deleted_page', page: id }
  const page = { object: 'page' as const, id, urls: { location: locationOf(id) } }
  if (change === 'updated') return { object: 'updated_page', page }
  return { object: 'created_page', ...(ref === undefined ? {} : { ref }), page }
}

/** A batch that is parsed and whose files are stored. */
export interface ReadBatch {
  changes: ReadChange[]
  /** The stored files of each change. */
  stored: UsedBytes[]
  reverts: PreparedReverts | undefined
}

/**
 * Applies a batch to a revision and writes the next one, unless nothing changes.
 * @param base the revision that `revert_page` uses by default
 * @throws 400 that names the change and its field
 * @throws PrepareAgain if large pages changed since their blocks were reverted
 */
export async function writeBatch(
  tx: Tx,
  parent: Row<'revision'>,
  { changes, stored, reverts }: ReadBatch,
  base: string | undefined,
  reason: Omit<Reason, 'type' | 'message'>,
): Promise<{ revision: Row<'revision'>; outcome: BatchOutcome }> {
  const loaded = await loadBatchContent(tx, parent, changes, base)
  const content = { ...loaded, revertBlocks: blockReverter(parent, reverts) }
  const outcome = orRefused(() => applyBatch(content, changes, reason.now))
  await storeDocuments(tx, parent.spaceId, outcome.documents, linksRead(changes))
  await useBlobs(tx, parent.spaceId, stored)
  // `applyBatch` gives a page that did not change its record of the parent.
  const isChanged = [...outcome.pages].some(([id, page]) => page !== (content.tree.get(id) ?? null))
  if (!isChanged && outcome.files.size === 0) return { revision: parent, outcome }
  const revision = await commitRevision(tx, parent, outcome, { ...reason, type: 'edits', message: 'Edit' })
  return { revision, outcome }
}

/** The links of sources that were parsed with the batch, by hash, so that the transaction does not parse them again. */
function linksRead(changes: readonly ReadChange[]): Map<string, DocumentLinks> {
  const read = new Map<string, DocumentLinks>()
  for (const change of changes) {
    const body = 'body' in change ? change.body : undefined
    if (body?.kind === 'markdown') read.set(documentHash(body.source), body.links)
  }
  return read
}

const READ_BATCH: TaskKind<BatchTask, BatchReadout> = {
  module: new URL('../../core/content/batch/read-task.ts', import.meta.url),
  name: 'readBatchTask',
  timeMs: 10_000,
}

/**
 * Reads the changes of a batch, where it delays nobody.
 * @param stored the files whose bytes are stored, by change and position in it
 * @throws 400 that names the change and its field, 503
 */
export async function readChanges(
  { db, newId, signal }: { db: Reader; newId: () => string; signal: AbortSignal },
  spaceId: string,
  changes: readonly BatchChange[],
  stored: BatchTask['stored'],
): Promise<ReadChange[]> {
  const ids = Array.from({ length: idsNeeded(changes) }, newId)
  const sources = isQuickBatch(changes) ? 'quick' : 'slow'
  if (sources === 'slow') await refuseDeep(changes)
  try {
    const read = await inThread(
      READ_BATCH,
      readBatchTask,
      { changes, stored, ids },
      { db, spaceId, sources, signal },
    )
    if ('changes' in read) return read.changes
    const { index, field, message } = read.refused
    return orRefused(() => refuseBatch(index, field, message))
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    throw invalidField('body.changes', 'takes too long to read: send smaller pages, or fewer at once')
  }
}

/** @throws 400 if a document is nested too deeply to be sent to a thread */
async function refuseDeep(changes: readonly BatchChange[]): Promise<void> {
  for (const [index, change] of changes.entries()) {
    if (!('document' in change) || !change.document) continue
    const fault = await depthFault(change.document.document)
    if (fault) orRefused(() => refuseBatch(index, 'document.document', fault.message))
  }
}

/** Runs `work` and converts its errors. @throws 400 that names the change and its field */
function orRefused<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error
    const path = `body.changes.${error.index}.${error.field}`
    throw invalid(`${path}: ${error.message}`, [{ path, message: error.message }])
  }
}
