/** Valid requests for the discussion of spaces and of change requests. */
import type { Caller, Make } from './makers.ts'
import type { Things } from './things.ts'

/** Comments and replies on a space or on a change request: the caller’s own, and those that need more permission. */
function discussion(of: 'space' | 'change request', name: 'Space' | 'ChangeRequest') {
  const discussed = async (t: Things) =>
    of === 'space' ? (await t.content()).params : await t.changeRequest()
  const comment =
    (more: { body?: unknown; asks?: string } = {}): Make =>
    async (t, { person }) => ({ params: await t.comment(more.asks ? t.admin.id : person.id, of), ...more })
  const reply =
    (more: { body?: unknown; asks?: string } = {}): Make =>
    async (t, { person }) => ({ params: await t.reply(more.asks ? t.admin.id : person.id, of), ...more })
  const body = { markdown: 'Said' }
  const reactions = { addedReactions: ['1f44d'], removedReactions: ['1f44e'] }
  return {
    [`listCommentsIn${name}`]: [
      comment(),
      async (t: Things) => {
        const { pageId, ...params } = await discussed(t)
        return { params, query: { targetPage: pageId, authors: [await t.member()] } }
      },
    ],
    [`postCommentIn${name}`]: async (t: Things) => {
      const { pageId, ...params } = await discussed(t)
      return { params, body: { body, page: pageId } }
    },
    [`getCommentIn${name}`]: comment(),
    [`updateCommentIn${name}`]: [
      comment({ body: { body, resolved: true, ...reactions } }),
      comment({ body: { resolved: true }, asks: 'space: review' }),
    ],
    [`deleteCommentIn${name}`]: [comment(), comment({ asks: 'space: admin' })],
    [`applySuggestionIn${name}`]: async (t: Things) => ({ params: await t.suggestion(of) }),
    [`listCommentRepliesIn${name}`]: comment(),
    [`postCommentReplyIn${name}`]: comment({ body: { body } }),
    [`getCommentReplyIn${name}`]: reply(),
    [`updateCommentReplyIn${name}`]: reply({ body: { body, ...reactions } }),
    [`deleteCommentReplyIn${name}`]: [reply(), reply({ asks: 'space: admin' })],
    [`listCommentersIn${name}`]: async (t: Things, caller: Caller) => ({
      ...(await comment()(t, caller)),
      asks: 'organization: read',
    }),
  }
}

export const COMMENT_CALLS: Record<string, Make | Make[]> = {
  ...discussion('space', 'Space'),
  ...discussion('change request', 'ChangeRequest'),
}
