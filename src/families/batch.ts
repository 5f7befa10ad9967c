import { Type, type TObject, type TSchema } from 'typebox'
import type { OnSpace } from '../access/on.ts'
import type { BatchOutcome } from '../core/batch.ts'
import { readBatch } from '../core/batch-read.ts'
import type { Reader, Row } from '../db/schema.ts'
import { type Access, type Circumstances, route } from '../http/route.ts'
import { Batch, ChangedContent, orRefused, toChangedContent, writeBatch } from '../model/batch.ts'
import { Id } from '../model/common.ts'
import { File, toFile } from '../model/page.ts'
import { needRevision } from '../model/revision.ts'
import { storeSent, useUploads } from '../model/sent-file.ts'

/** Whose content a batch changes: a change request's, or the space's own. */
export interface BatchLine {
  /** The newest revision. */
  revisionId: string
  changeRequest?: Row<'changeRequest'>
  /** What `revert_page` goes back to unless it says. */
  base?: string
}

/** Where batches are sent to. */
export interface BatchBase<Subject extends OnSpace> {
  path: `/v1/spaces/:spaceId/${string}`
  summary: string
  description: string
  access: Access<Subject>
  params: Record<string, TSchema>
  /** The line of content. @throws 409 where it does not change */
  line(subject: Subject): BatchLine
  /** What is answered: the thing whose content it is, and with `compat=false` beside what changed under its name. */
  name: string
  returns: TObject
  show(context: Circumstances & { db: Reader }, subject: Subject, revision: Row<'revision'>): Promise<object>
  /** What changes, for the audit log. */
  thing(subject: Subject): { type: string; id: string; label: string }
  /** The address of the content in the API. */
  address(subject: Subject): string
}

/** The operation that changes content by a batch, declared once for everything whose content can be changed. */
export function batchFamily<Subject extends OnSpace>(base: BatchBase<Subject>) {
  // The subject is a type parameter here, so the compiler cannot see that the context has it.
  const of = (context: object) => context as Subject
  const Told = Type.Object({
    [base.name]: base.returns,
    changes: Type.Array(ChangedContent),
    insertedFiles: Type.Optional(Type.Array(File)),
  })

  return route({
    method: 'POST',
    path: base.path,
    summary: base.summary,
    description: `All changes are made, in their order, or none is; together they are one new revision. Links in submitted Markdown to what the batch makes are by name, \`./name\`. ${base.description}`,
    access: base.access,
    params: Type.Object({ spaceId: Id, ...base.params }),
    query: Type.Object({
      compat: Type.Optional(
        Type.Boolean({ default: true, description: 'With false, answers what became of each page too' }),
      ),
    }),
    body: Batch,
    returns: Type.Unsafe<object>(Type.Union([base.returns, Told])),
    async prepare(context) {
      const { space } = of(context)
      base.line(of(context))
      const { changes } = context.body
      const stored = await storeSent(context, space.organizationId, changes)
      const files = stored.map((change) => change.map(({ upload: _upload, ...file }) => file))
      return { changes: orRefused(() => readBatch(changes, files, context.newId)), stored: stored.flat() }
    },
    async handler(context) {
      const { tx, me, at, query, prepared, now, newId, audit } = context
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
      return { [base.name]: shown, ...told(outcome) }

      function told({ outcomes, files }: BatchOutcome) {
        const address = base.address(subject)
        const changes = outcomes.map((one) =>
          toChangedContent(one, (page) => at.api(`${address}/page/${page}`)),
        )
        const insertedFiles = [...files.values()].map((file) => toFile(at, subject.space.id, file, true))
        return { changes, ...(insertedFiles.length > 0 ? { insertedFiles } : {}) }
      }
    },
  })
}
