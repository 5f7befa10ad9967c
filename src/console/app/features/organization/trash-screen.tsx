import { useRef } from 'react'
import { Button } from 'react-aria-components'
import { useChange, useList } from '../../api/api.ts'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { Toasts, tellDone } from '../../ui/toasts.tsx'
import { More, Named, Refusal } from '../../ui/parts.tsx'
import type { Space } from '../../api/types.ts'
import { ago, t } from '../../words/words.ts'

interface DeletedSpace extends Space {
  deletedAt?: string
}

/** The spaces that were deleted in the last days. */
export function TrashScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const spaces = useList(`/orgs/${organizationId}/spaces?deleted=true`)
  const list = useRef<HTMLDivElement>(null)
  return (
    <OrganizationFrame id={organizationId} title={t('common.trash')}>
      {() => (
        <div ref={list} tabIndex={-1}>
          <p className="hint">{t('organization.deleted-space-stays-here')}</p>
          {spaces.isSuccess && spaces.items.length === 0 && <p>{t('organization.trash-empty')}</p>}
          <ul className="rows">
            {spaces.items.map((space) => (
              <DeletedRow
                key={space.id}
                space={space}
                // The button is gone, and the focus with it.
                onRestored={() => list.current?.focus()}
              />
            ))}
          </ul>
          <More list={spaces} />
          <Toasts />
        </div>
      )}
    </OrganizationFrame>
  )
}

function DeletedRow({
  space: { id, title, deletedAt },
  onRestored,
}: {
  space: DeletedSpace
  onRestored: () => void
}) {
  const change = useChange(`POST /spaces/${id}/restore`)
  const restore = async () => {
    try {
      await change.mutateAsync(undefined)
    } catch {
      return // The row shows the reason.
    }
    tellDone(t('organization.title-back-place', { title: title || t('common.untitled') }))
    onRestored()
  }
  return (
    <li>
      <span className="name">
        <span>{title || t('common.untitled')}</span>
        {deletedAt && <span>{t('organization.deleted-time', { time: ago(deletedAt) })}</span>}
      </span>
      <Button className="button small" isDisabled={change.isPending} onPress={() => void restore()}>
        <Named name={title}>{t('common.restore')}</Named>
      </Button>
      {change.error && (
        <div className="below">
          <Refusal error={change.error} />
        </div>
      )}
    </li>
  )
}
