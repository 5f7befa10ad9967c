import { indexSearch } from '../../src/jobs/index-search.ts'
import { pagesOf } from '../../src/model/content/content.ts'
import { needRevision } from '../../src/model/content/commit.ts'
import type { SearchedSpace } from '../../src/model/search/searched-space.ts'
import type { World } from '../world.ts'

/** Brings the search indexes of all spaces up to date, as the jobs do that changes enqueue. */
export async function indexed({ db }: Pick<World, 'db'>): Promise<void> {
  const organizations = await db.read
    .selectFrom('searchTask')
    .innerJoin('space', 'space.id', 'searchTask.spaceId')
    .select('space.organizationId')
    .distinct()
    .execute()
  for (const { organizationId } of organizations)
    await indexSearch({ db })({ organizationId } as never, {} as never)
}

/** All of a space, as a caller sees it who may see everything. */
export async function wholeSpace({ db }: Pick<World, 'db'>, spaceId: string): Promise<SearchedSpace> {
  const space = await db.read
    .selectFrom('space')
    .select('revisionId')
    .where('id', '=', spaceId)
    .executeTakeFirstOrThrow()
  const tree = await pagesOf(db.read, await needRevision(db.read, spaceId, space.revisionId))
  return { tree, sees: ({ id }) => !tree.noIndex(id), meets: () => true }
}
