import { Type, type TObject, type TSchema } from 'typebox'
import type { OnSpace } from '../access/on.ts'
import type { BatchOutcome } from '../core/content/batch/apply.ts'
import type { Reader, Row } from '../db/schema.ts'
import { type Access, type HandlerContext, route } from '../http/route.ts'
import { prepareReverts } from '../model/content/block-reverts.ts'
import {
  Batch,
  BatchProblem,
  ChangedContent,
  readChanges,
  toChangedContent,
  writeBatch,
} from '../model/content/batch.ts'
import { Id } from '../model/common.ts'
import { File, toFile } from '../model/content/page.ts'
import { needRevision } from '../model/content/commit.ts'
import { refuseComputed } from '../model/openapi/refuse-computed.ts'
import { storeSent, useUploads } from '../model/content/sent-file.ts'

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
  const Outcomes = Type.Object({
    [base.name]: base.returns,
    changes: Type.Array(ChangedContent),
    insertedFiles: Type.Optional(Type.Array(File)),
    problems: Type.Optional(
      Type.Array(BatchProblem, {
        description: 'The pages whose Markdown cannot be read; they are stored, and shown as their source',
      }),
    ),
  })

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
          description: 'With `false`, the response also has the outcome for each page',
        }),
      ),
    }),
    bodyLimit: BATCH_MAX,
    body: Batch,
    returns: Type.Unsafe<object>(Type.Union([base.returns, Outcomes])),
    async prepare(context) {
      const { space } = of(context)
      const line = base.line(of(context))
      const { changes } = context.body
      const stored = await storeSent(context, space.organizationId, changes)
      const files = stored.map((change) => change.map(({ upload: _upload, ...file }) => file))
      const read = await readChanges({ ...context, db: context.db.read }, space.id, changes, files)
      const db = context.db.read
      const parent = await needRevision(db, space.id, line.revisionId)
      await refuseComputed(db, space.organizationId, parent, changes)
      const reverts = await prepareReverts({ ...context, db }, parent, read, line.base)
      return { changes: read, stored: stored.flat(), reverts }
    },
    async handler(context) {
      const { tx, me, urls, query, prepared, now, newId, audit } = context
      const subject = of(context)
      const { revisionId, changeRequest, base: initial } = base.line(subject)
      const { stored } = prepared
      await useUploads(
        tx,
        me,
        stored.flatMap(({ upload }) => upload ?? []),
      )

      const parent = await needRevision(tx, subject.space.id, revisionId)
      const reason = { id: newId(), userId: me.userId, changeRequest, now }
      const { revision, outcome } = await writeBatch(tx, parent, prepared, initial, reason)

      const shown = await base.show({ ...context, db: tx }, subject, revision)
      audit({
        target: base.thing(subject),
        before: { revision: revisionId },
        after: { revision: revision.id },
      })
      if (query.compat !== false) return shown
      return { [base.name]: shown, ...outcomeFields(outcome) }

      function outcomeFields({ outcomes, files, problems }: BatchOutcome) {
        const address = base.address(subject)
        const changes = outcomes.map((one) =>
          toChangedContent(one, (page) => urls.api(`${address}/page/${page}`)),
        )
        const insertedFiles = [...files.values()].map((file) => toFile(urls, subject.space.id, file, true))
        return {
          changes,
          ...(insertedFiles.length > 0 ? { insertedFiles } : {}),
          ...(problems.length > 0 ? { problems } : {}),
        }
      }
    },
  })
}
