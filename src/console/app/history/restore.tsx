import { EditForm } from '../ui/forms.tsx'
import { useState } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { useChange } from '../api/api.ts'
import { DialogButton } from '../ui/parts.tsx'
import type { RevisionEntry } from '../api/review-types.ts'
import { ago, t } from '../words/words.ts'

/** Restores a revision after a dialog. @param onDone what happens after it */
export function Restore({
  spaceId,
  revision,
  title,
  onDone,
}: {
  spaceId: string
  revision: RevisionEntry
  title: string
  onDone?: () => void
}) {
  const [reason, setReason] = useState('')
  const restore = useChange(`POST /spaces/${spaceId}/revisions/${revision.id}/restore`, [
    `/spaces/${spaceId}`,
  ])
  return (
    <DialogButton label={t('common.restore')} title={t('history.restore-this-version')} kind="small">
      {(close) => (
        <EditForm
          change={restore}
          action={t('common.restore')}
          onSubmit={() =>
            restore.mutate(reason.trim() === '' ? {} : { reason }, { onSuccess: onDone ?? close })
          }
          close={close}
        >
          <p>
            <b>{title}</b> <time dateTime={revision.createdAt}>{ago(revision.createdAt)}</time>
          </p>
          <p>{t('history.all-pages-files-become')}</p>
          <TextField value={reason} onChange={setReason} maxLength={200}>
            <Label>{t('common.why-optional')}</Label>
            <Input />
          </TextField>
        </EditForm>
      )}
    </DialogButton>
  )
}
