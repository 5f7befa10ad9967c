import { CreateButton, FieldProblem } from '../../ui/forms.tsx'
import { useState } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { Link, useSearchParams } from 'wouter'
import { go, useApi, useChange, useList } from '../../api/api.ts'
import { EmptyHint, Failure, Loading, More, Trail } from '../../ui/parts.tsx'
import { statusName } from '../../proposals/change-request.ts'
import { useEvents } from '../../api/use-events.ts'
import type { ChangeRequest } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { ProposalRows } from '../../proposals/change-request-rows.tsx'
import type { OrganizationPath, SpacePath } from '../../api/paths.ts'

const STATUSES: readonly ChangeRequest['status'][] = ['open', 'draft', 'merged', 'archived']

/** The change requests of a space. */
export function SpaceChanges({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  const space = useApi(`/spaces/${spaceId}`)
  const organization = useApi(space.data && `/orgs/${space.data.organization}`)
  useEvents(`/spaces/${spaceId}`, [`/spaces/${spaceId}/change-requests`])
  if (space.error) return <Failure title={t('common.space-cannot-shown')} error={space.error} />
  if (!space.data) return <Loading />
  const { title, organization: organizationId, permissions } = space.data
  return (
    <div className="screen review">
      <Trail
        items={[
          { title: organization.data?.title ?? '…', to: `/o/${organizationId}` },
          { title: title || t('common.untitled'), to: `/s/${spaceId}` },
          { title: t('common.change-requests') },
        ]}
      />
      <div className="heading">
        <h1>{t('common.change-requests')}</h1>
        <div className="actions">
          <Link href={`/s/${spaceId}/~/history`}>{t('common.history')}</Link>
          {permissions.edit && <NewChangeRequest spaceId={spaceId} />}
        </div>
      </div>
      <FilteredChanges path={`/spaces/${spaceId}/change-requests`} />
    </div>
  )
}

/** The change requests of all spaces of an organization. */
export function OrganizationChanges({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const organization = useApi(`/orgs/${organizationId}`)
  return (
    <div className="screen review">
      <Trail
        items={[
          { title: organization.data?.title ?? '…', to: `/o/${organizationId}` },
          { title: t('common.change-requests') },
        ]}
      />
      <h1>{t('common.change-requests')}</h1>
      <FilteredChanges path={`/orgs/${organizationId}/change-requests`} inOrganization />
    </div>
  )
}

/** The filters are in the address, so that it can be shared, and the browser goes back to it. */
function FilteredChanges({
  path,
  inOrganization = false,
}: {
  path: `${SpacePath | OrganizationPath}/change-requests`
  inOrganization?: boolean
}) {
  const { data: me } = useApi('/user')
  const [search, setSearch] = useSearchParams()
  const status = STATUSES.find((one) => one === search.get('status')) ?? 'open'
  const whose = search.get('whose') ?? ''
  const text = search.get('text') ?? ''
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  const query = new URLSearchParams({ status, orderBy: 'updatedAt' })
  if (text.trim() !== '') query.set('query', text.trim().slice(0, 100))
  if (whose === 'mine' && me) query.set('creator', me.id)
  if (whose === 'review' && me) query.set('requestedReviewer', me.id)
  const list = useList(me && `${path}?${String(query)}`)
  return (
    <>
      <div className="filters" role="search" aria-label={t('common.change-requests')}>
        <label>
          {t('common.status')}
          <select value={status} onChange={({ target }) => set('status', target.value)}>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {statusName(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('change-request.whose')}
          <select value={whose} onChange={({ target }) => set('whose', target.value)}>
            <option value="">{t('change-request.of-everybody')}</option>
            <option value="mine">{t('change-request.mine')}</option>
            <option value="review">{t('change-request.waiting-my-review')}</option>
          </select>
        </label>
        <label className="grow">
          {t('common.subject')}
          <input
            type="search"
            value={text}
            maxLength={100}
            onChange={({ target }) => set('text', target.value)}
          />
        </label>
      </div>
      {list.error && <Failure title={t('change-request.change-requests-cannot-shown')} error={list.error} />}
      {list.isPending && <Loading />}
      <EmptyHint list={list}>{t('change-request.no-change-request-fits')}</EmptyHint>
      <ProposalRows proposals={list.items} inOrganization={inOrganization} />
      <More list={list} />
    </>
  )
}

function NewChangeRequest({ spaceId }: { spaceId: string }) {
  const [subject, setSubject] = useState('')
  const create = useChange(`POST /spaces/${spaceId}/change-requests`)
  return (
    <CreateButton
      label={t('change-request.new-change-request')}
      kind="button main"
      letter="C"
      create={create}
      body={{ subject }}
      onCreated={({ number }) => go(`/s/${spaceId}/~/changes/${number}/edit/`)}
    >
      <p className="hint">{t('change-request.change-pages-readers-see')}</p>
      <TextField className="field" value={subject} onChange={setSubject} isRequired autoFocus maxLength={100}>
        <Label>{t('change-request.what-will-change')}</Label>
        <Input />
        <FieldProblem />
      </TextField>
    </CreateButton>
  )
}
