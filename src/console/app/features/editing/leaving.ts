/** What happens to a change request when its writer leaves the editor. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, go, useApi } from '../../api/api.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'
import type { ChangeRequest, Space } from '../../api/types.ts'
import { hasKeptText } from '../../editor/saving/kept-text.ts'
import { NAME_IT } from '../../proposals/change-request.ts'
import { isDirectEdit, mergeDirectEdit } from '../../proposals/direct-edit.ts'
import { discardDraft, discardUntouched, isOfFirstPage } from '../../proposals/untouched.ts'
import { tellDone } from '../../ui/toasts.tsx'
import { t } from '../../words/words.ts'

/** The characters that the subject of a change request can have. */
const SUBJECT_MAX = 100

/** Reads the drafts again. A list of before would offer the one that was discarded for a moment. */
async function forgetDrafts(client: QueryClient): Promise<void> {
  client.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey: [, path] }) => String(path).includes('status=draft'),
  })
  await client.invalidateQueries()
}

interface Left {
  space: Space
  change: ChangeRequest
  /** The address of the change request below `/app`. */
  address: string
}

/**
 * What the buttons of the editor do once everything is saved.
 * @param path that of the page, at which the writer goes on reading
 * @param title that of the page
 */
export function useLeaving({ space, change, address }: Left, { path = '', title = '' }) {
  const client = useQueryClient()
  const me = useApi('/user')
  const base: ChangeRequestPath = `/spaces/${space.id}/change-requests/${change.number}`
  const isOwnDraft = change.status === 'draft' && change.createdBy.id === me.data?.id
  const read = async ({ isDiscarded = false } = {}) => {
    await forgetDrafts(client)
    go(`/s/${space.id}/${isDiscarded && isOfFirstPage(base) ? '' : path}`)
  }
  return {
    isDirect: isDirectEdit(base),
    /** Shows what was changed, merges a direct edit, and discards a draft without a change. */
    async done() {
      if (me.data && (await discardUntouched(base, me.data).catch(() => false)))
        return read({ isDiscarded: true })
      if (!isDirectEdit(base)) {
        void client.invalidateQueries()
        return go(`${address}${NAME_IT}`)
      }
      const subject = t('common.edit-title', { title }).slice(0, SUBJECT_MAX)
      const end = await mergeDirectEdit(base, subject).catch(() => undefined)
      if (end === 'merged') {
        await read()
        return tellDone(t('editing.changes-in-space'))
      }
      // The screen says what prevents the merge, or asks.
      await client.invalidateQueries()
      return go(end === 'conflicts' ? `${address}/conflicts` : address)
    },
    /** Discards the draft, with a button that takes it back; undefined if the draft is not the caller's. */
    discard: isOwnDraft
      ? async () => {
          await discardDraft(base)
          await read({ isDiscarded: true })
          tellDone(t('editing.draft-discarded'), () => {
            void api(`PATCH ${base}`, { status: 'draft' }).then(() => client.invalidateQueries())
          })
        }
      : undefined,
  }
}

/** Discards a draft without a change when its writer leaves its screens. */
export function useDiscardUntouched(spaceId: string, number: string): void {
  const client = useQueryClient()
  const { data: me } = useApi('/user')
  useEffect(() => {
    if (!me) return undefined
    const leave = async () => {
      const home = `/s/${spaceId}/~/changes/${number}`
      const isStillThere = `${location.pathname}/`.startsWith(`/app${home}/`)
      // The editor keeps what it has not saved yet before it closes.
      if (isStillThere || hasKeptText({ spaceId, number })) return
      const base = `/spaces/${spaceId}/change-requests/${number}` as const
      if (await discardUntouched(base, me)) await forgetDrafts(client)
    }
    return () => void setTimeout(() => void leave().catch(() => undefined))
  }, [client, me, spaceId, number])
}
