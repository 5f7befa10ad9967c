import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { useList } from '../../api/api.ts'
import { DialogButton, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { READING_POLL, stateText } from './specification.ts'
import { SourceForm } from './source-form.tsx'

/** The OpenAPI specifications of an organization. */
export function OpenApiScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const path = `/orgs/${organizationId}/openapi` as const
  const list = useList(path)
  const client = useQueryClient()
  const isReading = list.items.some(({ processingState }) => processingState !== 'complete')
  useEffect(() => {
    if (!isReading) return undefined
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: ['api', path] }), READING_POLL)
    return () => clearInterval(timer)
  }, [isReading, client, path])
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.openapi-specifications')}
      actions={({ permissions }) =>
        permissions.createContent && (
          <DialogButton
            label={t('openapi.add-a-specification')}
            title={t('openapi.add-a-specification')}
            kind="button main"
          >
            {(close) => <SourceForm organizationId={organizationId} close={close} />}
          </DialogButton>
        )
      }
    >
      {() => (
        <>
          <p className="hint">{t('openapi.specification-describes-api-pages')}</p>
          <Rows list={list} empty={t('openapi.there-no-specification-yet')}>
            {(one) => (
              <li key={one.id}>
                <span className="name">
                  <Link href={`/o/${organizationId}/openapi/${one.slug}`}>{one.slug}</Link>
                  <span>{stateText(one)}</span>
                </span>
                {one.visibility === 'public' && <span className="tag">{t('openapi.public')}</span>}
              </li>
            )}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}
