/** Change requests to review, and changes of their content. */
import assert from 'node:assert/strict'
import { randomText } from '../src/core/data/id.ts'
import { commitRevision, needRevision } from '../src/model/content/commit.ts'
import type { Person, World } from './world.ts'

/** An open change request with its URL path. */
export interface Proposed {
  id: string
  address: string
}

/** Opens a change request on a space. */
export async function propose(
  by: Person,
  spaceId: string,
  subject = 'A change',
): Promise<Proposed & { revision: string }> {
  const { status, body, text } = await by(`POST /v1/spaces/${spaceId}/change-requests`, { subject })
  assert.equal(status, 201, text)
  return { id: body.id, revision: body.revision, address: `/v1/spaces/${spaceId}/change-requests/${body.id}` }
}

/** Changes the content of a change request, or with `primary` that of its space. */
export async function edit(
  { db }: World,
  { id }: Proposed,
  by: Person,
  as: 'edits' | 'update' | 'primary' = 'edits',
): Promise<string> {
  return db.write(async (tx) => {
    const row = await tx
      .selectFrom('changeRequest')
      .innerJoin('space', 'space.id', 'changeRequest.spaceId')
      .selectAll('changeRequest')
      .select('space.revisionId as primary')
      .where('changeRequest.id', '=', id)
      .executeTakeFirstOrThrow()
    const isPrimary = as === 'primary'
    const parent = await needRevision(tx, row.spaceId, isPrimary ? row.primary : row.revisionId)
    const revision = await commitRevision(
      tx,
      parent,
      { variables: { word: randomText(8) } },
      {
        id: randomText(24),
        type: isPrimary ? 'edits' : as,
        message: '',
        userId: by.id,
        now: new Date(),
        ...(isPrimary ? {} : { changeRequest: row }),
      },
    )
    return revision.id
  })
}
