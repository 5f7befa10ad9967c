import { Type } from 'typebox'
import { onSpace } from '../../access/checks/on.ts'
import { missing } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { writeSync } from '../../imports/sync.ts'
import { takeLanguage } from '../../imports/write.ts'
import { InSpace } from '../../model/common.ts'
import { GitInfo, sourceOfSpace, toGitInfo } from '../../model/proposals/space-source.ts'
import { because } from '../../core/languages/reasons.ts'
import { prepareRepositoryExport } from '../../sync/export-repository.ts'
import { prepareRepositoryImport } from '../../sync/import-repository.ts'
import { auditedBranch, branchIn, REPOSITORY } from '../../sync/repository-body.ts'

export const getSpaceGitInfo = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/git/info',
  summary: 'Get the source that a space is kept equal to',
  description:
    'The archive, folder or git repository of the last sync. The request fails with 404 if the space was never synced.',
  access: onSpace('edit'),
  params: InSpace,
  returns: GitInfo,
  async handler({ db, space }) {
    const source = await sourceOfSpace(db, space.id)
    if (!source) throw missing(because('never-synced'))
    return toGitInfo(source.row)
  },
})

export const importGitRepository = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/git/import',
  summary: 'Import a branch of a git repository',
  description:
    'Makes the space equal to the branch. Edits since the last sync with the branch are merged. If the space is locked or both sides changed the same content, a change request has the changes; `GET …/git/info` returns its id. The response comes when the import is done. Credentials in `url` are not stored.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    ...REPOSITORY,
    force: Type.Optional(
      Type.Boolean({
        description:
          'Whether the branch may replace the content of a space that was never synced with it. Earlier revisions are kept.',
      }),
    ),
    standalone: Type.Optional(
      Type.Boolean({
        description: 'Whether a change request gets the changes, also if the space could take them',
      }),
    ),
  }),
  audit: 'space.git.import',
  prepare: (context) => prepareRepositoryImport(context, branchIn(context.body)),
  async handler({ tx, me, body, prepared, space, now, newId, audit }) {
    const isProposed = body.standalone === true
    const by = { space, userId: me.userId, now, newId, isProposed }
    const { id: revision, sync } = await writeSync(tx, prepared, by)
    if (sync.result === 'updated' && 'outline' in prepared) await takeLanguage(tx, space.id, prepared)
    audit({
      target: { type: 'space', id: space.id, label: space.title },
      before: { revision: space.revisionId },
      after: { ...auditedBranch(branchIn(body)), revision, sync },
      ...(sync.result === 'proposed' && { changeRequestId: sync.changeRequest?.id }),
    })
  },
})

export const exportToGitRepository = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/git/export',
  summary: 'Push a space to a branch of a git repository',
  description:
    'Pushes one commit with the content of the space, unless the branch has it already. The request fails with 409 if the branch has changes that the space has not seen. Files that are no part of the documentation stay. The response comes when the commit is pushed. Credentials in `url` are not stored.',
  access: onSpace('create'),
  params: InSpace,
  body: Type.Object({
    ...REPOSITORY,
    commitMessage: Type.String({ minLength: 1, maxLength: 10_000, description: 'The message of the commit' }),
    force: Type.Optional(
      Type.Boolean({
        description:
          'Whether the commit may undo changes of the branch that the space has not seen. The history of the branch is kept.',
      }),
    ),
  }),
  audit: 'space.git.export',
  async prepare(context) {
    const { db, me, body } = context
    const { displayName: name } = await db.read
      .selectFrom('user')
      .select('displayName')
      .where('id', '=', me.userId)
      .executeTakeFirstOrThrow()
    const author = { id: me.userId, name: name ?? '' }
    return prepareRepositoryExport(context, { ...branchIn(body), message: body.commitMessage, author })
  },
  async handler({ tx, me, body, prepared, space, now, newId, audit }) {
    const { id: revision, sync } = await writeSync(tx, prepared, { space, userId: me.userId, now, newId })
    audit({
      target: { type: 'space', id: space.id, label: space.title },
      before: { revision: space.revisionId },
      after: { ...auditedBranch(branchIn(body)), oid: prepared.sync.oid, revision, sync },
    })
  },
})
