import { useId, useState } from 'react'
import { Link } from 'wouter'
import { go, useChange, useList } from '../../api/api.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { CreateButton } from '../../ui/forms.tsx'
import { offerToReaders } from '../../places/new-site.ts'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { visibilityNames } from '../../words/site-visibility.ts'
import { More, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

/** The sites of an organization. */
export function SitesScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const sites = useList(`/orgs/${organizationId}/sites`)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.sites')}
      links={[]}
      actions={({ permissions }) => permissions.createContent && <NewSite organizationId={organizationId} />}
    >
      {() => (
        <>
          <Rows list={sites} empty={t('site.there-no-site-yet')}>
            {(site) => (
              <li key={site.id}>
                <span className="name">
                  <span>
                    <Link
                      href={`/o/${organizationId}/sites/${site.id}${site.permissions.admin ? '' : '/insights'}`}
                    >
                      {site.title || t('common.untitled')}
                    </Link>
                    <span className={site.published ? 'tag' : 'tag off'}>
                      {site.published ? t('common.published') : t('site.not-published')}
                    </span>
                  </span>
                  <span>{visibilityNames().find(([one]) => one === site.visibility)?.[1]}</span>
                </span>
                {site.published && site.urls.published && (
                  <a href={site.urls.published} target="_blank" rel="noreferrer">
                    <Named name={site.title}>{t('common.open')}</Named>
                  </a>
                )}
              </li>
            )}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

/** The initial content of a site: existing spaces, or a new one. */
type Beginning = 'spaces' | 'sample' | 'empty'

function NewSite({ organizationId }: { organizationId: string }) {
  const reason = useId()
  const [title, setTitle] = useState('')
  const [beginning, setBeginning] = useState<Beginning>()
  const [chosen, setChosen] = useState<string[]>([])
  const spaces = useList(`/orgs/${organizationId}/spaces`)
  const free = spaces.items.filter(({ permissions }) => permissions.admin)
  const hasSpaces = free.length > 0 || spaces.hasNextPage
  const now = beginning ?? (hasSpaces ? 'spaces' : 'sample')
  const isMissing = now === 'spaces' && chosen.length === 0
  const create = useChange(`POST /orgs/${organizationId}/sites`)
  const open = (id: string) => go(`/o/${organizationId}/sites/${id}`)
  const offer = async (id: string) => {
    await offerToReaders(`/orgs/${organizationId}/sites/${id}`)
    open(id)
  }
  return (
    <CreateButton
      label={t('site.new-site')}
      kind="button main"
      letter="C"
      create={create}
      body={{ title, spaces: now === 'spaces' ? chosen : now }}
      unable={isMissing ? reason : undefined}
      onCreated={({ id }) => void offer(id)}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <ChoiceField<Beginning>
        label={t('site.site-shows')}
        value={now}
        onChange={setBeginning}
        options={[
          ...(hasSpaces ? [['spaces', t('site.spaces-that-exist')] as const] : []),
          ['sample', t('site.new-space-two-example')],
          ['empty', t('site.new-space-without-pages')],
        ]}
      />
      {now === 'spaces' && (
        <>
          <div role="group" aria-label={t('site.spaces-site')} className="choices">
            {free.map((space) => (
              <CheckField
                key={space.id}
                label={space.title || t('common.untitled')}
                isChecked={chosen.includes(space.id)}
                onChange={(isOn) =>
                  setChosen(isOn ? [...chosen, space.id] : chosen.filter((one) => one !== space.id))
                }
              />
            ))}
            <More list={spaces} />
          </div>
          {isMissing && (
            <p id={reason} className="hint">
              {t('site.choose-at-least-one')}
            </p>
          )}
        </>
      )}
    </CreateButton>
  )
}
