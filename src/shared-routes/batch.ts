import { type Static, Type, type TObject, type TSchema } from 'typebox'
import type { OnSpace } from '../access/checks/on.ts'
import type { BatchOutcome } from '../core/content/batch/apply.ts'
import type { Database, Reader, Row, Tx } from '../db/schema.ts'
import { conflict, invalidField, unknownIdFault } from '../http/errors.ts'
import {
  type Access,
  type AuditNote,
  type Caller,
  type Conditions,
  type HandlerContext,
  route,
} from '../http/route.ts'
import { loadBatch } from '../model/content/batch/batch-content.ts'
import { prepareReverts } from '../model/content/batch/block-reverts.ts'
import { batchBase, compareWithBase } from '../model/content/batch/read-base.ts'
import { Batch, type ReadBatch, readChanges, writeBatch } from '../model/content/batch/batch.ts'
import {
  BatchProblem,
  ChangedContent,
  toChangedContent,
  toChangedItems,
  type WrittenNow,
} from '../model/content/changed-content.ts'
import { pagesWrittenTo } from '../model/content/batch/written-pages.ts'
import { Id } from '../model/common.ts'
import { File, toFile } from '../model/content/documents/page.ts'
import { BASE_DAYS, sweepLater } from '../model/content/burst.ts'
import { followComments, prepareFollowing } from '../model/discussion/follow-comments.ts'
import { ancestorOf, refuseClosed } from '../model/proposals/change-request.ts'
import { findReplacedBase, type SweptRevision } from '../model/content/batch/replaced.ts'
import { refuseComputed } from '../model/openapi/refuse-computed.ts'
import { storeSent, useUploads } from '../model/content/files/sent-file.ts'
import { because } from '../core/languages/reasons.ts'
import { faultParameters } from '../core/languages/reasoned.ts'

/** The subject whose content a batch changes: a change request or a space. */
export interface BatchLine {
  /** The newest revision. */
  revisionId: string
  changeRequest?: Row<'changeRequest'>
  /** The default revision of `revert_page`. */
  base?: string
}

/** The route that accepts batches for a kind of subject. */
export interface BatchBase<Subject extends OnSpace> {
  path: `/v1/spaces/:spaceId/${string}`
  summary: string
  description: string
  access: Access<Subject>
  params: Record<string, TSchema>
  /** The line of content to change. @throws 409 if it cannot be changed */
  line(subject: Subject): BatchLine
  /** The response is the subject. With `compat=false`, it is under this name, beside the outcomes. */
  name: string
  returns: TObject
  show(context: HandlerContext & { db: Reader }, subject: Subject, revision: Row<'revision'>): Promise<object>
  /** The target of the change in the audit log. */
  thing(subject: Subject): { type: string; id: string; label: string }
  /** The API URL of the content. */
  address(subject: Subject): string
}

/** The largest body of a batch, in bytes. Larger files are sent as uploads. */
const BATCH_MAX = 8 * 1024 * 1024

/** The route that changes content by a batch, shared by spaces and change requests. */
export function batchRoutes<Subject extends OnSpace>(base: BatchBase<Subject>) {
  // The subject is a type parameter here, so the compiler cannot see that the context has it.
  const of = (context: object) => context as Subject
  return route({
    method: 'POST',
    path: base.path,
    summary: base.summary,
    description: `The changes are applied in their order and become one new revision, unless nothing changes. If one change fails, none is applied. Markdown can link to pages that the batch creates by their reference, as \`./name\`. ${base.description}`,
    access: base.access,
    params: Type.Object({ spaceId: Id, ...base.params }),
    query: Type.Object({
      compat: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'With `false`, the response also has the outcome for each page, file and reusable content',
        }),
      ),
    }),
    bodyLimit: BATCH_MAX,
    body: Batch,
    returns: Type.Unsafe<object>(Type.Union([base.returns, outcomesSchema(base)])),
    prepare: (context) => prepareBatch(context, base, of(context)),
    handler: (context) => applyBatch(context, base, of(context)),
  })
}

/** The response with `compat=false`. */
const outcomesSchema = ({ name, returns }: Pick<BatchBase<OnSpace>, 'name' | 'returns'>) =>
  Type.Object({
    [name]: returns,
    revision: Type.String({ description: 'The newest revision, which the next changes can be based on' }),
    changes: Type.Array(ChangedContent),
    insertedFiles: Type.Optional(Type.Array(File)),
    problems: Type.Optional(
      Type.Array(BatchProblem, {
        description:
          'What sites do not show of the Markdown as it was meant: pages that cannot be read, which are shown as their source, and conditions that hide more than their author may have meant',
      }),
    ),
  })

type PreparingContext = HandlerContext & { db: Database; signal: AbortSignal; body: Static<typeof Batch> }

/** The batch with its Markdown parsed and its files stored, before the transaction begins. */
interface PreparedBatch extends Omit<ReadBatch, 'stored'> {
  stored: Awaited<ReturnType<typeof storeSent>>[number]
}

/** Reads a batch, and stores its files. @throws 400 and 409, naming the change */
async function prepareBatch<Subject extends OnSpace>(
  context: PreparingContext,
  base: BatchBase<Subject>,
  subject: Subject,
): Promise<PreparedBatch> {
  const { space } = subject
  const line = base.line(subject)
  const { changes } = context.body
  const db = context.db.read
  const batch = await loadBatch(db, space.id, line)
  const named = await basedOn(db, space.id, context)
  const pages = await pagesWrittenTo(db, batch, named, changes)
  const storedName = (file: string) => batch.files.get(file)?.name
  const stored = await storeSent(context, space.organizationId, changes, storedName)
  const files = stored.map((change) => change.map(({ upload: _upload, ...file }) => file))
  const reading = { ...context, db }
  const based = named && (await batchBase(db, named))
  const hashOf = (index: number) => files[index]?.[0]?.hash
  const { conflicts } = await compareWithBase(db, batch, changes, hashOf, based)
  const made = await readChanges(reading, space.id, changes, { stored: files, pages, conflicts })
  await refuseComputed(db, space.organizationId, batch, changes)
  await prepareFollowing(reading, commentedLine(space.id, line), batch.tree, made)
  const reverts = await prepareReverts(reading, batch, made)
  return { changes: made, pages, based, stored: stored.flat(), reverts }
}

type ApplyingContext = HandlerContext & {
  tx: Tx
  query: { compat?: boolean | undefined }
  prepared: PreparedBatch
  audit: (note: AuditNote) => void
}

/** Writes a prepared batch as a revision, and returns the body of the response. */
async function applyBatch<Subject extends OnSpace>(
  context: ApplyingContext,
  base: BatchBase<Subject>,
  subject: Subject,
): Promise<object> {
  const { tx, me, query, prepared, now, newId } = context
  const line = base.line(subject)
  const { changeRequest } = line
  const uploads = prepared.stored.flatMap(({ upload }) => upload ?? [])
  await useUploads(tx, me, uploads)

  const batch = await loadBatch(tx, subject.space.id, line)
  const isSave = prepared.based !== undefined && changeRequest !== undefined
  const savedBy = isSave ? sourceOfSave(me) : undefined
  const reason = { id: newId(), userId: me.userId, changeRequest, now, savedBy }
  const { revision, outcome } = await writeBatch(tx, batch, prepared, reason)

  await followComments(tx, commentedLine(subject.space.id, line), batch.tree, outcome.pages)
  const shown = await base.show({ ...context, db: tx }, subject, revision)
  await recordBatch(context, base.thing(subject), { before: line.revisionId, revision, isSave })
  if (query.compat !== false) return shown
  const fields = outcomeFields(context, subject.space.id, base.address(subject), outcome)
  return { [base.name]: shown, revision: revision.id, ...fields }
}

/**
 * Writes the audit event of a batch, and has the revision that it replaces swept.
 * @param before the id of the revision before the batch
 * @param isSave whether the batch is a save of the editor, which can continue a burst
 */
async function recordBatch(
  { tx, enqueue, audit, now }: ApplyingContext,
  target: AuditNote['target'],
  { before, revision, isSave }: { before: string; revision: Row<'revision'>; isSave: boolean },
): Promise<void> {
  const { burst } = revision
  const isNew = revision.id !== before
  const begins = isNew && burst === revision.id
  const replaces = isNew && burst !== null && !begins
  if (replaces) await sweepLater(tx, enqueue, { burst, now })
  audit({
    target,
    before: { revision: before, ...(begins ? { burst: null } : {}) },
    after: { revision: revision.id, ...(begins ? { burst: true } : {}) },
    // The event of the first save of a burst stands for all of them, and a save that changes nothing has none.
    isRecorded: replaces || (isSave && !isNew),
  })
}

/**
 * The outcome for each page, file and reusable content.
 * @param address the API URL of the content
 */
function outcomeFields(
  { urls, prepared }: Pick<ApplyingContext, 'urls' | 'prepared'>,
  spaceId: string,
  address: string,
  outcome: BatchOutcome,
) {
  const { outcomes, items, files, problems } = outcome
  const writtenOf = (id: string) => writtenNow(prepared.changes, outcome, id)
  const changes = outcomes.map((one) =>
    toChangedContent(one, (page) => urls.api(`${address}/page/${page}`), writtenOf(one.page)),
  )
  const insertedFiles = items.flatMap(({ change, id }) => {
    const file = change === 'created' ? files.get(id) : undefined
    return file ? [toFile(urls, spaceId, file, true)] : []
  })
  return {
    changes: [...changes, ...toChangedItems(items, urls.api(address), writtenOf)],
    ...(insertedFiles.length > 0 ? { insertedFiles } : {}),
    ...(problems.length > 0 ? { problems } : {}),
  }
}

/** Returns the current title and blocks of a page or reusable content, if it was written by blocks. */
function writtenNow(
  changes: PreparedBatch['changes'],
  { pages, reusables }: Pick<BatchOutcome, 'pages' | 'reusables'>,
  id: string,
): WrittenNow | undefined {
  const bodies = changes.flatMap((one) =>
    (one.operation === 'update_page' && one.page === id) ||
    (one.operation === 'update_reusable_content' && one.reusableContent === id)
      ? [one.body]
      : [],
  )
  const last = bodies.at(-1)
  if (last?.kind !== 'written' || last.printed !== undefined || !last.blocks) return undefined
  const title = (pages.get(id) ?? reusables.get(id))?.title
  return { ...(title === undefined ? {} : { title }), blocks: last.blocks }
}

const commentedLine = (spaceId: string, { changeRequest }: Pick<BatchLine, 'changeRequest'>) => ({
  spaceId,
  changeRequestId: changeRequest?.id ?? null,
})

/**
 * The content that a user edits: that of a change request, or the primary content of a space.
 * @throws 409 if the change request is archived or merged, or the space is locked
 */
export function editedLine({
  space,
  changeRequest,
}: {
  space: Row<'space'>
  changeRequest?: Row<'changeRequest'>
}): BatchLine {
  if (changeRequest) {
    refuseClosed(changeRequest)
    return { revisionId: changeRequest.revisionId, changeRequest, base: ancestorOf(changeRequest) }
  }
  if (space.editMode === 'live') return { revisionId: space.revisionId }
  throw conflict(because('space-locked-for-batch'))
}

/** The token or session that saves: a burst is of one of them, so that its audit event names it. */
function sourceOfSave({ tokenId, session }: Caller): string {
  return tokenId || (session?.id ?? '')
}

/**
 * The revision that a batch is based on: that of the body, or of the header `If-Match`.
 * @throws 400 if the space does not have it, or if both are sent and differ
 */
async function basedOn(
  db: Reader,
  spaceId: string,
  { body, conditions }: { body: { revision?: string }; conditions: Conditions },
): Promise<Row<'revision'> | SweptRevision | undefined> {
  const header = conditions.ifMatch?.replace(/^(?:W\/)?"(.*)"$/, '$1')
  const named = header === '*' ? undefined : header
  const id = body.revision ?? named
  if (id === undefined) return undefined
  if (named !== undefined && named !== id)
    throw invalidField('body.revision', because('revision-differs-from-header', { id, named }))
  const revision = await db
    .selectFrom('revision')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  const base = revision ?? (await findReplacedBase(db, spaceId, id))
  if (base) return base
  const path = body.revision === undefined ? 'If-Match' : 'body.revision'
  const { path: _path, ...fault } = unknownIdFault(path, id, 'a revision of this space')
  throw invalidField(path, because('base-revision-unknown', { days: BASE_DAYS, ...faultParameters(fault) }))
}
