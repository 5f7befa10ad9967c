import { Button } from 'react-aria-components'
import { useChange, useList } from '../api.ts'
import { OrganizationFrame } from '../admin/frames.tsx'
import { More, Named, Refusal } from '../parts.tsx'
import type { Space } from '../types.ts'
import { ago, t } from '../words.ts'

interface DeletedSpace extends Space {
  deletedAt?: string
}

/** The spaces that were deleted in the last days. */
export function TrashScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const spaces = useList<DeletedSpace>(`/orgs/${organizationId}/spaces?deleted=true`)
  return (
    <OrganizationFrame id={organizationId} title={t('Trash')}>
      {() => (
        <>
          <p className="hint">{t('A deleted space stays here for seven days. Then it is gone for good.')}</p>
          {spaces.isSuccess && spaces.items.length === 0 && <p>{t('The trash is empty.')}</p>}
          <ul className="rows">
            {spaces.items.map((space) => (
              <DeletedRow key={space.id} space={space} />
            ))}
          </ul>
          <More list={spaces} />
        </>
      )}
    </OrganizationFrame>
  )
}

function DeletedRow({ space: { id, title, deletedAt } }: { space: DeletedSpace }) {
  const restore = useChange(`POST /spaces/${id}/restore`)
  return (
    <li>
      <span className="name">
        <span>{title || t('Untitled')}</span>
        {deletedAt && <span>{t('deleted {time}', { time: ago(deletedAt) })}</span>}
      </span>
      <Button
        className="button small"
        isDisabled={restore.isPending}
        onPress={() => restore.mutate(undefined)}
      >
        <Named name={title}>{t('Restore')}</Named>
      </Button>
      {restore.error && (
        <div className="below">
          <Refusal error={restore.error} />
        </div>
      )}
    </li>
  )
}
