import { Type } from 'typebox'
import { onSpace } from '../../../access/checks/on.ts'
import { bookUrl, fileNameOf, memberHolder } from '../../../books/download.ts'
import { joinPath } from '../../../core/text/file-paths.ts'
import { invalidField } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { storeRepository } from '../../../imports/repository-archive.ts'
import { InSpace } from '../../../model/common.ts'
import { needRevision } from '../../../model/content/commit.ts'
import { because } from '../../../core/languages/reasons.ts'

const folder = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

export const exportContent = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/content/export',
  summary: 'Export the primary content of a space as a documentation repository',
  description:
    'An archive that an import reads back: pages with their bytes, files, reusable contents, variables, redirects and `SUMMARY.md`. Links by ids are relative in it. It has everything in the space, so it requires `edit`. The response comes when the archive is ready.',
  access: onSpace('edit'),
  params: InSpace,
  query: Type.Object({
    folder: folder('The folder of `.gitbook.yaml` in the repository; by default its top'),
    root: folder('The folder that `.gitbook.yaml` names as `root`; by default `folder`'),
    summary: folder('The path of the table of contents; by default `SUMMARY.md` in `root`'),
  }),
  returns: Type.Object(
    {
      url: Type.String({
        format: 'uri',
        description:
          'The address of the archive. It needs no token, and works for an hour, as long as the caller has `edit` on the space.',
      }),
      revision: Type.String({ description: 'The exported revision, for `sync.exported` of an import' }),
      missingFiles: Type.Array(Type.String(), {
        description:
          'The paths of the files that are not in the archive, because the store of the server has lost their bytes. `.lectern/missing-files.txt` in the archive lists them, too.',
      }),
    },
    { title: 'ExportLocation' },
  ),
  async handler({ me, db, blobs, reportMissing, urls, sealing, now, space, query, leaving }) {
    const named = (name: 'folder' | 'root' | 'summary', otherwise: string) => {
      const given = query[name] ?? otherwise
      const path = joinPath('', given.normalize('NFC'))
      if (path !== undefined && !/\p{Cc}/u.test(path)) return path
      throw invalidField(`query.${name}`, because('not-repository-path', { path: given }))
    }
    const top = named('folder', '')
    const root = named('root', top)
    const summary = named('summary', joinPath(root, 'SUMMARY.md') ?? 'SUMMARY.md')
    const revision = await needRevision(db, space.id, space.revisionId)
    const layout = { folder: top, root, summary: summary === '' ? 'SUMMARY.md' : summary }
    const archiving = { db, blobs, signal: leaving(), reportMissing }
    const { hash, missing } = await storeRepository(archiving, revision, layout)
    const name = fileNameOf(space.title, 'zip')
    const holder = memberHolder(me, 'edit')
    return {
      url: bookUrl({ urls, sealing, now }, { spaceId: space.id, hash, name }, holder),
      revision: revision.id,
      missingFiles: missing,
    }
  },
})
