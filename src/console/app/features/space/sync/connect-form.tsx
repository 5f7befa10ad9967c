/** The form that connects a space with a branch of a repository, or changes the connection. */
import { useState } from 'react'
import { useChange } from '../../../api/api.ts'
import type { Schemas } from '../../../api/operations/schemas.ts'
import { CheckField, ChoiceField, LineField } from '../../../ui/fields.tsx'
import { NamedPerson } from '../../../places/merge-rules-field.tsx'
import { EditForm } from '../../../ui/forms.tsx'
import { PersonField } from '../../../ui/person-field.tsx'
import { t } from '../../../words/words.ts'

/** How often a space can be synced, in minutes. */
const INTERVALS = [1, 5, 15, 60, 24 * 60]

/** The words for an interval. */
export function intervalName(minutes: number): string {
  if (minutes % (24 * 60) === 0) return t('space.every-days', { count: minutes / 24 / 60 })
  if (minutes % 60 === 0) return t('space.every-hours', { count: minutes / 60 })
  return t('space.every-minutes', { count: minutes })
}

/** @param known the connection that the form changes */
export function ConnectForm({
  space: { id: spaceId, organization: organizationId },
  known,
  close,
}: {
  space: Pick<Schemas['Space'], 'id' | 'organization'>
  known?: Schemas['GitConnection']
  close?: () => void
}) {
  const [url, setUrl] = useState(known?.url ?? '')
  const [branch, setBranch] = useState(known?.branch ?? 'main')
  const [folder, setFolder] = useState(known?.path ?? '')
  const [user, setUser] = useState('')
  const [token, setToken] = useState('')
  const [interval, setInterval] = useState(String(known?.intervalMinutes ?? 5))
  const [notify, setNotify] = useState(known?.notify ?? [])
  const [force, setForce] = useState(false)
  const connect = useChange(`PUT /spaces/${spaceId}/git/connection`, [`/spaces/${spaceId}`])
  const mayReplace = connect.error?.reason === 'repository-would-replace'
  const intervals = [...new Set([...INTERVALS, Number(interval)])].toSorted((a, b) => a - b)
  const submit = () =>
    connect.mutate(
      {
        url: withCredentials(url.trim(), user.trim(), token.trim()),
        ref: `refs/heads/${branch.trim()}`,
        ...(folder.trim() !== '' && { repoProjectDirectory: folder.trim() }),
        intervalMinutes: Number(interval),
        notify: notify.length > 0 ? notify : null,
        ...(force && { force }),
      },
      { ...(close && { onSuccess: close }) },
    )
  return (
    <EditForm
      change={connect}
      action={known ? t('common.save') : t('space.connect')}
      onSubmit={submit}
      {...(close && { close })}
    >
      <LineField
        label={t('space.repository-address')}
        type="url"
        value={url}
        onChange={setUrl}
        isRequired
        autoFocus
        hint={t('space.repository-address-hint')}
      />
      <LineField label={t('space.branch')} value={branch} onChange={setBranch} isRequired />
      <LineField
        label={t('space.folder')}
        value={folder}
        onChange={setFolder}
        hint={t('space.folder-hint')}
      />
      <LineField
        label={t('space.access-token')}
        type="password"
        value={token}
        onChange={setToken}
        hint={known?.hasCredentials ? t('space.token-kept') : t('space.token-hint')}
      />
      {token !== '' && (
        <LineField
          label={t('space.user-of-token')}
          value={user}
          onChange={setUser}
          hint={t('space.user-of-token-hint')}
        />
      )}
      <ChoiceField
        label={t('space.sync-interval')}
        value={interval}
        onChange={setInterval}
        options={intervals.map((minutes) => [String(minutes), intervalName(minutes)])}
      />
      <PersonField
        organizationId={organizationId}
        label={t('space.notify-when-stopped')}
        onChange={(person) => person && setNotify([...notify, person.id])}
        without={notify}
      />
      {notify.length > 0 ? (
        <p>
          {notify.map((userId) => (
            <NamedPerson
              key={userId}
              path={`/orgs/${organizationId}/members/${userId}`}
              id={userId}
              onRemove={() => setNotify(notify.filter((one) => one !== userId))}
            />
          ))}
        </p>
      ) : (
        <p className="hint">{t('space.notify-hint')}</p>
      )}
      {(mayReplace || force) && (
        <CheckField label={t('space.replace-content')} isChecked={force} onChange={setForce} />
      )}
    </EditForm>
  )
}

/** The address with a token as its password. Most hosts take any user name with a token. */
function withCredentials(address: string, user: string, token: string): string {
  if (token === '' || !URL.canParse(address)) return address
  const url = new URL(address)
  url.username = user === '' ? 'git' : user
  url.password = token
  return url.href
}
