import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { api, type ApiFault, go } from '../api/api.ts'
import { beginAtTitle } from '../editor/saving/opening.ts'
import { Refusal } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import { addedPage } from '../content/tree/changes.ts'
import { ContinueDraft, useMyDraft } from '../proposals/my-draft.tsx'
import { noteEmptyPage } from '../proposals/untouched.ts'

/**
 * Offers to write the first page of an empty space. The editor opens with the caret in its title.
 * @param number that of the change request; undefined to open one
 * @param children other ways to begin
 */
export function FirstPage({
  spaceId,
  number,
  children,
}: {
  spaceId: string
  number?: string
  children?: ReactNode
}) {
  const client = useQueryClient()
  const write = useMutation<string, ApiFault>({
    async mutationFn() {
      const into = number ?? String((await openChangeRequest(spaceId)).number)
      const base = `/spaces/${spaceId}/change-requests/${into}` as const
      const added = await api(`POST ${base}/content?compat=false`, {
        changes: [{ operation: 'insert_page', title: t('common.welcome'), document: {} }],
      })
      if (number === undefined) noteEmptyPage(base, added)
      beginAtTitle(addedPage(added))
      await client.invalidateQueries()
      return into
    },
    onSuccess: (into) => go(`/s/${spaceId}/~/changes/${into}/edit/`),
  })
  // In an empty space, what one wrote before is in a draft.
  const draft = useMyDraft(number === undefined ? spaceId : undefined)
  return (
    <>
      <p className="hint">
        {t('common.space-no-pages-yet')}
        {draft && ` ${t('page.wrote-draft')}`}
      </p>
      <div className="actions first-page">
        {draft && <ContinueDraft draft={draft} spaceId={spaceId} className="button main" />}
        <Button
          className={draft ? 'button' : 'button main'}
          isDisabled={write.isPending}
          onPress={() => write.mutate()}
        >
          {t('page.write-first-page')}
        </Button>
        {children}
      </div>
      <Refusal error={write.error} />
    </>
  )
}

const openChangeRequest = (spaceId: string) => api(`POST /spaces/${spaceId}/change-requests`, {})
