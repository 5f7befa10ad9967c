import type { Person, World } from '../world.ts'

type Made = (request: string, body?: unknown) => Promise<{ id: string }>
type Proposed = { spaceId: string; changeRequestId: string; revisionId: string; pageId: string }

/** Creates reviews in an organization. @param changeRequest makes a new change request of a space with content */
export function reviewsIn<P extends Proposed>(
  { db }: World,
  admin: Person,
  made: Made,
  changeRequest: () => Promise<P>,
) {
  const pathOf = ({ spaceId, changeRequestId }: Pick<Proposed, 'spaceId' | 'changeRequestId'>) =>
    `/v1/spaces/${spaceId}/change-requests/${changeRequestId}`

  return {
    /** A new review of a new change request. */
    async review() {
      const params = await changeRequest()
      const { id: reviewId } = await made(`POST ${pathOf(params)}/reviews`, { status: 'approved' })
      return { ...params, reviewId }
    },
    /** A new change request with the draft of a review by a user, or by the administrator for a caller without a user. */
    async reviewDraft(userId: string) {
      const params = await changeRequest()
      const { spaceId, changeRequestId, revisionId } = params
      const updatedAt = new Date().toISOString()
      const draft = { spaceId, changeRequestId, userId: userId || admin.id, revisionId, data: '{}' }
      await db.write((tx) =>
        tx
          .insertInto('reviewDraft')
          .values({ ...draft, createdAt: updatedAt, updatedAt })
          .execute(),
      )
      return params
    },
    async askForReview(params: Pick<Proposed, 'spaceId' | 'changeRequestId'>, userId: string) {
      await made(`POST ${pathOf(params)}/requested-reviewers`, { users: [userId] })
    },
  }
}
