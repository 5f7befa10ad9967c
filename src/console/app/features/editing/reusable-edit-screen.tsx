import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { go, useApi } from '../../api/api.ts'
import { Failure, Loaded, Loading, Trail } from '../../ui/parts.tsx'
import { isClosed, NAME_IT } from '../../proposals/change-request.ts'
import { t } from '../../words/words.ts'
import { Toasts } from '../../ui/toasts.tsx'

const PageEditor = lazy(async () => ({ default: (await import('../../editor/page-editor.tsx')).PageEditor }))

/** A reusable content of a change request that is being written. */
export function ReusableEditScreen({ params }: { params: Record<string, string> }) {
  const { spaceId = '', number = '', id = '' } = params
  const client = useQueryClient()
  const space = useApi(`/spaces/${spaceId}`)
  const change = useApi(`/spaces/${spaceId}/change-requests/${number}`, { live: true })
  const place = useMemo(() => ({ spaceId, number, page: id, isReusable: true }), [spaceId, number, id])
  const address = `/s/${spaceId}/~/changes/${number}`
  return (
    <Loaded query={space} title={t('common.space-cannot-shown')}>
      {({ title, organization, permissions }) => (
        <Loaded query={change} title={t('common.change-request-cannot-shown')}>
          {({ subject, status }) =>
            isClosed({ status }) ? (
              <Failure title={t('editing.change-request-closed-so')} />
            ) : (
              <div className="screen">
                <Trail
                  items={[
                    { title: title || t('common.untitled'), to: `/s/${spaceId}` },
                    { title: `${subject || t('common.untitled-change')} #${number}`, to: address },
                    { title: t('block.reusable-content') },
                  ]}
                />
                <h1 className="unseen">{t('block.reusable-content')}</h1>
                <Suspense fallback={<Loading />}>
                  <PageEditor
                    key={id}
                    place={place}
                    pages={[]}
                    organizationId={organization}
                    mayEdit={permissions.edit}
                    head={null}
                    description={<p className="hint">{t('block.reusable-content')}</p>}
                    onSaved={() => undefined}
                    onDone={() => {
                      void client.invalidateQueries()
                      go(`${address}${NAME_IT}`)
                    }}
                  />
                </Suspense>
                <Toasts />
              </div>
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}
