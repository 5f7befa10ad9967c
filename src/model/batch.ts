import { type Static, Type } from 'typebox'
import { applyBatch, type BatchContent, type BatchOutcome, type PageOutcome } from '../core/batch.ts'
import { LONGEST, type ReadChange } from '../core/batch-read.ts'
import { BatchRefused } from '../core/batch-refused.ts'
import type { DocumentLinks } from '../core/document/links-in.ts'
import { documentHash } from '../core/hash.ts'
import type { PageTree } from '../core/tree.ts'
import type { Row, Tx } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import { Id, nullable, oneOf, titleOf } from './common.ts'
import { pagesOf, sourcesOf, targetsOf } from './content.ts'
import { type Reason, commitRevision, storeDocuments } from './revision.ts'
import { type UsedBytes, useBlobs } from './stored-file.ts'

/** A name that lasts as long as the batch. */
const Ref = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'A name for it in this batch: in `page` and `into` of later changes, and as `./name` in links',
})

const Body = Type.Object(
  {
    markdown: Type.Optional(Type.String()),
    document: Type.Optional(Type.Unknown({ description: 'A document, as `format=document` answers it' })),
  },
  { description: '`markdown` or `document`; neither for an empty page' },
)

const Meta = {
  title: Type.Optional(titleOf(LONGEST.title)),
  slug: Type.Optional(
    Type.String({
      maxLength: LONGEST.slug,
      description: 'Of its own among the pages there; empty: from the title',
    }),
  ),
  emoji: Type.Optional(nullable(Type.String({ maxLength: LONGEST.emoji }))),
  icon: Type.Optional(nullable(Type.String({ maxLength: LONGEST.icon }))),
  description: Type.Optional(nullable(Type.String({ maxLength: LONGEST.description }))),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: Type.Optional(
    nullable(
      Type.String({ maxLength: LONGEST.condition, description: 'Shown to a visitor only if it is true' }),
    ),
  ),
}

const At = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Which it is to be among the pages there, from 0; absent: the last',
  }),
)
const Into = Type.Optional(nullable(Id, { description: 'The page above; null: the top level' }))
const PageName = Type.String({ ...Id, description: 'Its id, or the `ref` of an earlier change' })

/** Bytes from one of three places. */
const SentFile = Type.Object({
  name: titleOf(LONGEST.fileName),
  url: Type.Optional(
    Type.String({ format: 'uri', maxLength: 2048, description: 'Fetched now; not from private networks' }),
  ),
  base64: Type.Optional(
    Type.String({ maxLength: 1_398_104, description: 'At most 1 MB; with `contentType`' }),
  ),
  upload: Type.Optional(
    Type.String({ ...Id, description: 'The `key` of an upload that the caller has sent; it is used up' }),
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
      Type.String({ ...Id, description: 'Absent: what the change request began with' }),
    ),
    block: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Keys of blocks; absent: the whole page',
      }),
    ),
  }),
  Type.Object({
    operation: oneOf(['insert_files']),
    files: Type.Array(SentFile, { minItems: 1, maxItems: 20 }),
  }),
] as const

/** One change of a batch; `operation` says which. */
const Change = Type.Unsafe<Static<(typeof CHANGES)[number]>>({
  title: 'ContentChange',
  type: 'object',
  required: ['operation'],
  oneOf: [...CHANGES],
  discriminator: { propertyName: 'operation' },
})

/** Changes of content that are made together or not at all (api-facts 4.2). */
export const Batch = Type.Object({ changes: Type.Array(Change, { minItems: 1, maxItems: 50 }) })
export type SentChange = Static<typeof Batch>['changes'][number]

const ChangedPage = Type.Object({
  object: oneOf(['page']),
  id: Type.String(),
  urls: Type.Object({ location: Type.String({ format: 'uri' }) }),
})

/** What became of a page, in the order in which the changes came to them. */
export const ChangedContent = Type.Union(
  [
    Type.Object({ object: oneOf(['created_page']), ref: Type.Optional(Type.String()), page: ChangedPage }),
    Type.Object({ object: oneOf(['updated_page']), page: ChangedPage }),
    Type.Object({ object: oneOf(['deleted_page']), page: Type.String() }),
  ],
  { title: 'ChangedContent' },
)

/** @param locationOf the address of a page, by its id */
export function toChangedContent(
  { change, page: id, ref }: PageOutcome,
  locationOf: (page: string) => string,
): Static<typeof ChangedContent> {
  if (change === 'deleted') return { object: 'deleted_page', page: id }
  const page = { object: 'page' as const, id, urls: { location: locationOf(id) } }
  if (change === 'updated') return { object: 'updated_page', page }
  return { object: 'created_page', ...(ref === undefined ? {} : { ref }), page }
}

/** What a batch is made of, once it is read and its bytes are stored. */
export interface ReadBatch {
  changes: ReadChange[]
  /** The bytes of its files. */
  stored: UsedBytes[]
}

/**
 * Applies a batch to a revision and writes the one that follows.
 * @param base the revision that `revert_page` goes back to unless it says
 * @throws 400 naming the change and its field
 */
export async function writeBatch(
  tx: Tx,
  parent: Row<'revision'>,
  { changes, stored }: ReadBatch,
  base: string | undefined,
  reason: Omit<Reason, 'type' | 'message'>,
): Promise<{ revision: Row<'revision'>; outcome: BatchOutcome }> {
  const content = await loadContent(tx, parent, changes, base)
  const outcome = orRefused(() => applyBatch(content, changes, reason.now))
  await storeDocuments(tx, parent.spaceId, outcome.documents, linksRead(changes))
  await useBlobs(tx, parent.spaceId, stored)
  const revision = await commitRevision(tx, parent, outcome, { ...reason, type: 'edits', message: 'Edit' })
  return { revision, outcome }
}

/** The links of the sources that were read when the batch was, by their hash: they are not read again while others wait. */
function linksRead(changes: readonly ReadChange[]): Map<string, DocumentLinks> {
  const read = new Map<string, DocumentLinks>()
  for (const change of changes) {
    const body = 'body' in change ? change.body : undefined
    if (body?.kind === 'markdown') read.set(documentHash(body.source), body.links)
  }
  return read
}

/** What `work` makes of a batch. @throws 400 naming the change and its field */
export function orRefused<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error
    const path = `body.changes.${error.index}.${error.field}`
    throw invalid(`${path}: ${error.message}`, [{ path, message: error.message }])
  }
}

async function loadContent(
  tx: Tx,
  parent: Row<'revision'>,
  changes: readonly ReadChange[],
  base: string | undefined,
): Promise<BatchContent> {
  const { spaceId } = parent
  const tree = await pagesOf(tx, parent)
  const reverts = changes.flatMap((change) => (change.operation === 'revert_page' ? [change] : []))
  const revisions = await treesOf(
    tx,
    spaceId,
    new Set(reverts.flatMap(({ revision = base }) => revision ?? [])),
  )

  const named = changes.flatMap((change) => ('page' in change ? [change.page] : []))
  const documents = [tree, ...revisions.values()].flatMap((one) =>
    named.flatMap((id) => one.get(id)?.document ?? []),
  )
  const sources = await sourcesOf(tx, spaceId, documents)
  return {
    tree,
    revisions,
    base,
    files: await targetsOf(tx, parent),
    source(hash) {
      if (hash === undefined) return ''
      const source = sources.get(hash)
      if (source === undefined) throw new Error(`The document ${hash} was not loaded for the batch`)
      return source
    },
  }
}

/** The page trees of these revisions, but for those that the space does not have. */
async function treesOf(tx: Tx, spaceId: string, ids: ReadonlySet<string>): Promise<Map<string, PageTree>> {
  if (ids.size === 0) return new Map()
  const rows = await tx
    .selectFrom('revision')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .where('id', 'in', [...ids])
    .execute()
  const trees = new Map<string, PageTree>()
  for (const row of rows) trees.set(row.id, await pagesOf(tx, row))
  return trees
}
