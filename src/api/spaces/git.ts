import { onSpace } from '../../access/checks/on.ts'
import { missing } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { GitInfo, sourceOfSpace, toGitInfo } from '../../model/proposals/space-source.ts'
import { because } from '../../core/languages/reasons.ts'

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
