/** Changes of the content of a space that belong to no page. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type ApiFault, go, useApi } from '../../api/api.ts'
import type { ChangeRequest, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import type { BatchChange } from '../../content/tree/changes.ts'
import { tellDone } from '../../ui/toasts.tsx'
import type { Schemas } from '../../api/operations/schemas.ts'

/** The values of a revision besides its pages and files. */
export type RevisionValues = Schemas['Revision']

/** The variables and redirects of a space. */
export function useSpaceValues(spaceId: string) {
  return useApi(`/spaces/${spaceId}/content?descendants=false`, { live: true })
}

/** Opens a change request of the caller. */
export function openChangeRequest(spaceId: string, subject: string): Promise<ChangeRequest> {
  return api(`POST /spaces/${spaceId}/change-requests`, { subject })
}

/** Changes the content of a space: at once if it is live, or else by a change request, which is shown then. */
export function useContentChange({ id, editMode }: Space) {
  const client = useQueryClient()
  return useMutation<number | undefined, ApiFault, { changes: BatchChange[]; subject: string }>({
    async mutationFn({ changes, subject }) {
      if (editMode === 'live') {
        await api(`POST /spaces/${id}/content`, { changes })
        return undefined
      }
      const { number } = await openChangeRequest(id, subject)
      await api(`POST /spaces/${id}/change-requests/${number}/content`, { changes })
      return number
    },
    async onSuccess(number) {
      await client.invalidateQueries()
      if (number === undefined) return tellDone(t('space.space-changed'))
      go(`/s/${id}/~/changes/${number}`)
    },
  })
}
