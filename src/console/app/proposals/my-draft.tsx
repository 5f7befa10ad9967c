import { Link } from 'wouter'
import { useApi, useList } from '../api/api.ts'
import type { ChangeRequest } from '../api/types.ts'
import { t } from '../words/words.ts'

/** The draft of a space that the user changed last; undefined if there is none, or it is not known yet. */
export function useMyDraft(spaceId: string | undefined): ChangeRequest | undefined {
  const me = useApi(spaceId && '/user')
  const drafts = useList(
    spaceId &&
      me.data &&
      `/spaces/${spaceId}/change-requests?status=draft&creator=${me.data.id}&orderBy=updatedAt&limit=1`,
  )
  return drafts.items[0]
}

/** The way back to a draft. @param path that of the page to open in it */
export function ContinueDraft({
  draft: { number, subject },
  spaceId,
  path = '',
  className,
  onOpen,
}: {
  draft: ChangeRequest
  spaceId: string
  path?: string
  className?: string
  /** Called before the draft opens. */
  onOpen?: () => void
}) {
  return (
    <Link
      className={className}
      href={`/s/${spaceId}/~/changes/${number}/edit/${path}`}
      onClick={() => onOpen?.()}
      title={`${subject || t('common.untitled-change')} #${number}`}
    >
      {t('change-request.continue-your-draft')}
    </Link>
  )
}
