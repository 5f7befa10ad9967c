import { Type, type TSchema } from 'typebox'
import type { OnSpace } from '../access/checks/on.ts'
import type { Row } from '../db/schema.ts'
import { type Access, route } from '../http/route.ts'
import {
  ImportBody,
  sourceReport,
  ImportResult,
  prepareImport,
  type PreparedImport,
  toImportResult,
} from '../imports/prepare-import.ts'
import { type PreparedSync, prepareSync, writeSync } from '../imports/sync.ts'
import { takeLanguage, writeImport } from '../imports/write.ts'
import { Id } from '../model/common.ts'
import { needRevision, newestRevision } from '../model/content/commit.ts'
import { SyncBody } from '../model/proposals/space-source.ts'

/** The routes that import into a kind of subject: a space or a change request. */
export interface ImportBase<Subject extends OnSpace> {
  path: `/v1/spaces/:spaceId/${string}`
  /** The name of the subject in the reference, such as "a space". */
  name: string
  /** When the subject accepts imports. */
  rule: string
  access: Access<Subject>
  params: Record<string, TSchema>
  /** The change request that the import changes; none for the primary content. */
  changeRequest(subject: Subject): Row<'changeRequest'> | undefined
  /** @param newest the newest revision @throws 409 if the subject cannot be changed */
  refuse(subject: Subject, newest: Row<'revision'>): void
  /** The target of the change in the audit log. */
  thing(subject: Subject): { type: string; id: string; label: string }
  /** The action in the audit log. */
  action: string
  /** Whether the subject can be made equal to a source. */
  syncs?: boolean
}

const ImportOrSyncBody = Type.Object({ ...ImportBody.properties, sync: Type.Optional(SyncBody) })

const RESULT =
  'If the import fails, nothing changes. `problems` lists the parts of the source that could not be imported.'

const SYNC =
  ' With `sync`, the space becomes equal to the source: pages that left it are deleted, and edits since the last sync are merged. If the space is locked or both sides changed the same content, a change request has the changes.'

/** The routes that import documentation, shared by spaces and change requests. */
export function importRoutes<Subject extends OnSpace>(base: ImportBase<Subject>) {
  // The subject is a type parameter here, so the compiler cannot see that the context has it.
  const of = (context: object) => context as Subject
  const importPageId = (params: object) => ('pageId' in params ? (params.pageId as string) : undefined)

  function importRoute(
    path: `/v1/${string}`,
    summary: string,
    description: string,
    params: object,
    accepted: typeof ImportOrSyncBody = ImportBody as never,
  ) {
    return route({
      method: 'POST',
      path,
      summary,
      description: `${description} ${RESULT} ${base.rule}`,
      access: base.access,
      params: Type.Object({ spaceId: Id, ...base.params, ...params }),
      body: accepted,
      returns: ImportResult,
      status: 201,
      audit: base.action,
      location: ({ revision }, urls, { spaceId }) => urls.api(`/spaces/${spaceId}/revisions/${revision}`),
      async prepare(context): Promise<PreparedImport | PreparedSync> {
        const { db, body } = context
        const subject = of(context)
        const { sync } = body
        if (sync) return prepareSync({ ...context, space: subject.space, body: { ...body, sync } })
        const newest = () => newestOf(db.read, subject)
        base.refuse(subject, await newest())
        const isSearched = base.changeRequest(subject) === undefined
        const into = { ...context, space: subject.space, isSearched }
        return prepareImport(into, body, newest, importPageId(context.params))
      },
      async handler(context) {
        const { tx, me, body, prepared, now, newId, audit } = context
        const subject = of(context)
        const { space } = subject
        const changeRequest = base.changeRequest(subject)
        const parent = await needRevision(tx, space.id, (changeRequest ?? space).revisionId)
        const isSync = 'sync' in prepared
        if (!isSync) base.refuse(subject, parent)
        const by = { space, userId: me.userId, now, newId, ...(changeRequest ? { changeRequest } : {}) }
        const result = isSync
          ? toImportResult(await writeSync(tx, prepared, by), prepared.report)
          : toImportResult(await writeImport(tx, parent, prepared, by), sourceReport(prepared))
        const page = importPageId(context.params)
        const isWritten = !isSync || result.sync?.result === 'updated'
        if (!changeRequest && page === undefined && isWritten && 'outline' in prepared)
          await takeLanguage(tx, space.id, prepared)
        const into = page === undefined ? {} : { page }
        audit({
          target: base.thing(subject),
          before: { revision: parent.id },
          after: { ...body, ...into, ...result },
          ...(result.sync?.result === 'proposed' && { changeRequestId: result.sync.changeRequest?.id }),
        })
        return result
      },
    })
  }

  function newestOf(db: Parameters<typeof newestRevision>[0], subject: Subject) {
    const changeRequest = base.changeRequest(subject)
    return changeRequest
      ? newestRevision(db, 'changeRequest', changeRequest.id)
      : newestRevision(db, 'space', subject.space.id)
  }

  return {
    content: importRoute(
      `${base.path}/import`,
      `Import documentation into ${base.name}`,
      '`source` is what the file or address at `url` is; other formats than Markdown are converted. With `zip`, Lectern recognizes the documentation tool by the files of the archive (`recognized`), and converts it as if `source` named it; `markdown` takes the files as they are. A space without a `language` takes the language of most pages, if Lectern can detect it. Pages from an earlier import of the same file are updated and keep their ids.' +
        (base.syncs ? SYNC : ''),
      {},
      base.syncs ? ImportOrSyncBody : undefined,
    ),
    page: importRoute(
      `${base.path}/page/:pageId/import`,
      `Import documentation below a page of ${base.name}`,
      'The pages of the source are added below the page, which stays as it is. A second import of the same files below the same page updates them. Redirects of the source are not imported, and variables only if the space has none of that name.',
      { pageId: Id },
    ),
  }
}
