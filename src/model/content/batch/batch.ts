import { type Static, Type } from 'typebox'
import { applyBatch, type BatchOutcome } from '../../../core/content/batch/apply.ts'
import type { ReadChange } from '../../../core/content/batch/read.ts'
import { FIELD_LENGTHS } from '../../../core/content/fields/page.ts'
import { refuseBatch } from '../../../core/content/batch/refused.ts'
import {
  type BatchReadout,
  type BatchTask,
  idsNeeded,
  isQuickBatch,
  readBatchTask,
} from '../../../core/content/batch/read-task.ts'
import { depthFault } from '../../../core/document/shape/check.ts'
import type { DocumentLinks } from '../../../core/document/links/links-in.ts'
import { documentHash } from '../../../core/content/hash.ts'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import { invalidField } from '../../../http/errors.ts'
import { Id, nullable, oneOf, titleSchema } from '../../common.ts'
import { inThread, type TaskKind, tookTooMuch } from '../in-thread.ts'
import { burstOf } from '../burst.ts'
import { type Reason, commitRevision } from '../commit.ts'
import { storeDocuments } from '../documents/stored-document.ts'
import { type UsedBytes, useBlobs } from '../files/stored-file.ts'
import { type ReadBase, compareWithBase, contradicted } from './read-base.ts'
import { type LoadedBatch, loadBatchContent } from './batch-content.ts'
import { needSamePages, type PagesWrittenTo } from './written-pages.ts'
import { DocumentFields, LinkTitle, NAMED_CHANGES } from './batch-fields.ts'
import { ContentReference } from '../documents/document.ts'
import { orRefused } from './refused-batch.ts'
import { blockReverter, type PreparedReverts } from './block-reverts.ts'
import { because } from '../../../core/languages/reasons.ts'

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
    blocks: Type.Optional(
      Type.Array(Type.Unknown(), {
        maxItems: 20_000,
        description:
          'For `update_page` and `update_reusable_content`: the top-level blocks, each as a block, or as `{"keep": key}` for one that stays as it is. A block with the `key` of one that is there replaces it',
      }),
    ),
  },
  { description: 'Send `markdown`, `document` or `blocks`, or none of them for an empty page' },
)

const Meta = {
  title: Type.Optional(titleSchema(FIELD_LENGTHS.title)),
  linkTitle: LinkTitle,
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

const { description: _description, ...GroupFields } = Meta
const { linkTitle, emoji, icon, hidden, condition } = Meta
const LinkFields = { linkTitle, emoji, icon, hidden, condition }

const At = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Index among its siblings, from 0; by default, the page is the last',
  }),
)
const Into = Type.Optional(nullable(Id, { description: 'The parent page; `null` means the top level' }))
const PageName = Type.String({ ...Id, description: 'The id of the page, or the `ref` of an earlier change' })

const FileId = Type.String({ ...Id, description: 'The id of the file, or the `ref` of an earlier change' })
const ReusableContentId = Type.String({
  ...Id,
  description: 'The id of the reusable content, or the `ref` of an earlier change',
})

/** A file from one of three sources. */
const Bytes = {
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
}
const FileName = titleSchema(FIELD_LENGTHS.fileName)
const SentFile = Type.Object({ name: FileName, ...Bytes, ref: Type.Optional(Ref) })
export type SentFile = Static<typeof SentFile>

const CHANGES = [
  Type.Object({
    operation: oneOf(['insert_page']),
    document: Body,
    ...Meta,
    ...DocumentFields,
    into: Into,
    at: At,
    ref: Type.Optional(Ref),
  }),
  Type.Object({
    operation: oneOf(['insert_group']),
    ...GroupFields,
    title: titleSchema(FIELD_LENGTHS.title),
    at: At,
    ref: Type.Optional(Ref),
  }),
  Type.Object({
    operation: oneOf(['insert_link']),
    ...LinkFields,
    title: titleSchema(FIELD_LENGTHS.title),
    target: ContentReference,
    into: Into,
    at: At,
    ref: Type.Optional(Ref),
  }),
  Type.Object({
    operation: oneOf(['update_page']),
    page: PageName,
    document: Type.Optional(Body),
    ...Meta,
    ...DocumentFields,
    target: Type.Optional(ContentReference),
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
  Type.Object({
    operation: oneOf(['update_file']),
    file: FileId,
    name: Type.Optional(FileName),
    ...Bytes,
  }),
  Type.Object({
    operation: oneOf(['delete_files']),
    files: Type.Array(FileId, { minItems: 1, maxItems: 100 }),
  }),
  Type.Object({
    operation: oneOf(['insert_reusable_content']),
    document: Body,
    title: Type.Optional(titleSchema(FIELD_LENGTHS.title)),
    ref: Type.Optional(Ref),
  }),
  Type.Object({
    operation: oneOf(['update_reusable_content']),
    reusableContent: ReusableContentId,
    document: Type.Optional(Body),
    title: Type.Optional(titleSchema(FIELD_LENGTHS.title)),
  }),
  Type.Object({ operation: oneOf(['delete_reusable_content']), reusableContent: ReusableContentId }),
  ...NAMED_CHANGES,
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
export const Batch = Type.Object({
  changes: Type.Array(Change, { minItems: 1, maxItems: 50 }),
  revision: Type.Optional(
    Type.String({
      ...Id,
      description:
        'The revision that the changes are based on; the header `If-Match` can name it too. What others have changed since is merged, and the request fails with 409 where that is not possible. In a change request, successive requests of an author that name it replace each other as one revision',
    }),
  ),
})
export type BatchChange = Static<typeof Batch>['changes'][number]

/** A batch that is parsed and whose files are stored. */
export interface ReadBatch {
  changes: ReadChange[]
  /** The pages and reusable contents that it was prepared for. */
  pages: PagesWrittenTo
  /** The revision that the writer has read. */
  based: ReadBase | undefined
  /** The stored files of each change. */
  stored: UsedBytes[]
  reverts: PreparedReverts | undefined
}

/**
 * Applies a batch to the revision that `loadBatch` has loaded and writes the next one, unless nothing changes.
 * @param reason with the token or session that saves, if the revision may belong to a burst of saves
 * @throws 400 that names the change and its field
 * @throws 409 with what contradicts others who have written meanwhile
 * @throws PrepareAgain if pages changed since their blocks were written or reverted
 */
export async function writeBatch(
  tx: Tx,
  batch: LoadedBatch,
  { changes: read, pages, based, stored, reverts }: ReadBatch,
  {
    savedBy,
    ...reason
  }: Omit<Reason, 'type' | 'message' | 'burst'> & { message?: string; savedBy?: string | undefined },
): Promise<{ revision: Row<'revision'>; outcome: BatchOutcome }> {
  const { parent } = batch
  needSamePages(batch, pages)
  const hashOf = (index: number) => hashIn(read[index])
  const { changes, conflicts } = await compareWithBase(tx, batch, read, hashOf, based)
  if (conflicts.length > 0) throw contradicted(conflicts)
  const loaded = await loadBatchContent(tx, batch, read)
  const content = { ...loaded, revertBlocks: blockReverter(parent, reverts) }
  const outcome = orRefused(() => applyBatch(content, changes, reason.now))
  await useBlobs(tx, parent.spaceId, stored)
  // `applyBatch` gives a page that did not change its record of the parent.
  const isChanged = [...outcome.pages].some(([id, page]) => page !== (content.tree.get(id) ?? null))
  const isNamed = outcome.variables !== undefined || outcome.redirects !== undefined
  if (!isChanged && !isNamed && outcome.items.length === 0) return { revision: parent, outcome }
  // Of a revision that a save replaces, only the texts stay.
  const isText = !isNamed && !changes.some(({ operation }) => FILE_CHANGES.has(operation))
  const burst =
    savedBy === undefined || !isText
      ? undefined
      : await burstOf(tx, parent, [...outcome.pages.keys(), ...outcome.reusables.keys()], {
          ...reason,
          by: savedBy,
        })
  await storeDocuments(tx, parent.spaceId, outcome.documents, linksRead(changes), burst?.id)
  const why = { message: 'Edit', ...reason, type: 'edits', burst } as const
  const revision = await commitRevision(tx, parent, outcome, why)
  return { revision, outcome }
}

const FILE_CHANGES: ReadonlySet<string> = new Set(['update_file', 'delete_files'])

/** The hash of the bytes that a change gives to a file. */
function hashIn(change: ReadChange | undefined): string | undefined {
  return change?.operation === 'update_file' ? change.bytes?.hash : undefined
}

/** The links of sources that were parsed with the batch, by hash, so that the transaction does not parse them again. */
function linksRead(changes: readonly ReadChange[]): Map<string, DocumentLinks> {
  const read = new Map<string, DocumentLinks>()
  for (const change of changes) {
    const body = 'body' in change ? change.body : undefined
    if (body?.kind === 'markdown' || body?.kind === 'written') read.set(documentHash(body.source), body.links)
  }
  return read
}

const READ_BATCH: TaskKind<BatchTask, BatchReadout> = {
  module: new URL('../../../core/content/batch/read-task.ts', import.meta.url),
  name: 'readBatchTask',
  timeMs: 10_000,
}

/**
 * Reads the changes of a batch, where it delays nobody.
 * @param given the files whose bytes are stored, by change and position in it; the pages that it writes to; and the
 *   conflicts that were found before
 * @throws 400 that names the change and its field, 409 with what contradicts others, 503
 */
export async function readChanges(
  { db, newId, signal }: { db: Reader; newId: () => string; signal: AbortSignal },
  spaceId: string,
  changes: readonly BatchChange[],
  { stored, pages, conflicts = [] }: Pick<BatchTask, 'stored' | 'pages' | 'conflicts'>,
): Promise<ReadChange[]> {
  const ids = Array.from({ length: idsNeeded(changes) }, newId)
  const sources = isQuickBatch(changes, pages) ? 'quick' : 'slow'
  if (sources === 'slow') await refuseDeep(changes)
  try {
    const read = await inThread(
      READ_BATCH,
      readBatchTask,
      { changes, stored, ids, pages, conflicts },
      { db, spaceId, sources, signal },
    )
    if ('changes' in read) return read.changes
    if ('conflicts' in read) throw contradicted(read.conflicts)
    const { index, field, why } = read.refused
    return orRefused(() => refuseBatch(index, field, why))
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    throw invalidField('body.changes', because('batch-too-slow'))
  }
}

/** @throws 400 if a document is nested too deeply to be sent to a thread */
async function refuseDeep(changes: readonly BatchChange[]): Promise<void> {
  for (const [index, change] of changes.entries()) {
    if (!('document' in change) || !change.document) continue
    for (const field of ['document', 'blocks'] as const) {
      const fault = await depthFault(change.document[field])
      if (fault) orRefused(() => refuseBatch(index, `document.${field}`, fault))
    }
  }
}
