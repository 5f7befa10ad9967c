import { Fragment, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link, useLocation, useSearch } from 'wouter'
import { useApi, useList } from '../../api/api.ts'
import { fieldName, fieldValue } from './audit-fields.ts'
import { ChoiceField, LineField } from '../../ui/fields.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { type Chosen, PersonField } from '../../ui/person-field.tsx'
import { Loaded, Named, Rows } from '../../ui/parts.tsx'
import type { MessageId } from '../../words/message-ids.ts'
import { isMessage, language, t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'

type AuditedEvent = Schemas['AuditEvent']
type EventPath = `${OrganizationPath}/audit-events/${string}`

/** The record of every change in an organization. The filters are in the address. */
export function AuditScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  return (
    <OrganizationFrame id={organizationId} title={t('common.audit-log')}>
      {({ permissions }) =>
        permissions.admin ? (
          <Log organizationId={organizationId} />
        ) : (
          <p className="hint">{t('organization.only-administrators-organization-read')}</p>
        )
      }
    </OrganizationFrame>
  )
}

function Log({ organizationId }: { organizationId: string }) {
  const path = `/orgs/${organizationId}` as const
  const filters = new URLSearchParams(useSearch())
  const [at, navigate] = useLocation()
  const set = (name: string, value: string) => {
    if (value === '') filters.delete(name)
    else filters.set(name, value)
    navigate(filters.size === 0 ? at : `${at}?${filters.toString()}`, { replace: true })
  }
  const actions = useApi(`${path}/audit-event-actions`)
  const members = useList(`${path}/members?limit=200`)
  const query = new URLSearchParams({ limit: '50' })
  for (const name of ['action', 'actor', 'target']) {
    const value = filters.get(name)
    if (value) query.set(name, value)
  }
  const [from, to] = [dayOf(filters.get('from')), dayOf(filters.get('to'))]
  if (from) query.set('from', from.toISOString())
  if (to) query.set('to', new Date(to.getTime() + 86_400_000).toISOString())
  const events = useList(`${path}/audit-events?${query.toString()}`)
  const names = new Map(members.items.map(({ user }) => [user.id, user.displayName]))
  // The address has only the id. The events name people who are no longer members.
  const [chosen, setChosen] = useState<Chosen>()
  const actorId = filters.get('actor') ?? ''
  const nameOf = (id: string) =>
    names.get(id) ?? events.items.find(({ actor: by }) => by.id === id)?.actor.label ?? id
  const known = chosen?.id === actorId ? chosen : undefined
  const actor: Chosen | undefined =
    actorId === '' ? undefined : (known ?? { kind: 'user', id: actorId, name: nameOf(actorId) })
  return (
    <>
      <div className="fields-row">
        <ChoiceField
          label={t('common.what')}
          value={filters.get('action') ?? ''}
          onChange={(value) => set('action', value)}
          options={[
            ['', t('organization.everything')],
            ...(actions.data?.items ?? []).map(
              ({ id }) => [id, sentenceOf(id, { actor: '…', target: '…' })] as const,
            ),
          ]}
        />
        <PersonField
          organizationId={organizationId}
          label={t('organization.who')}
          value={actor}
          onChange={(one) => {
            setChosen(one)
            set('actor', one?.id ?? '')
          }}
        />
        <LineField
          label={t('organization.from')}
          type="date"
          value={filters.get('from') ?? ''}
          onChange={(value) => set('from', value)}
        />
        <LineField
          label={t('organization.to')}
          type="date"
          value={filters.get('to') ?? ''}
          onChange={(value) => set('to', value)}
        />
      </div>
      {filters.get('target') && (
        <p>
          <Button className="button small" onPress={() => set('target', '')}>
            {t('organization.show-changes-everything-else')}
          </Button>
        </p>
      )}
      <Rows list={events} empty={t('common.nothing-was-found')}>
        {(event) => (
          <EventRow
            key={event.id}
            event={event}
            organizationId={organizationId}
            names={names}
            path={`${path}/audit-events/${event.id}`}
            showTarget={() => set('target', event.target.id)}
          />
        )}
      </Rows>
    </>
  )
}

/** The beginning of a day in the time zone of the reader. */
function dayOf(text: string | null): Date | undefined {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00`)
  return Number.isNaN(day.getTime()) ? undefined : day
}

/** Returns the sentence for an action. An action of an earlier server may have none. */
function sentenceOf(action: string, values: { actor: string; target: string }): string {
  const id = `audit.${action}`
  return isOfAudit(id) ? t(id, values) : `${values.actor}: ${action} ${values.target}`
}

const isOfAudit = (id: string): id is Extract<MessageId, `audit.${string}`> => isMessage(id)

/** Where one sees the target of an event, if there is a screen of it. */
function linkOf({ action, target: { type, id, label }, urls }: AuditedEvent, organizationId: string) {
  if (urls.app !== undefined) return new URL(urls.app).pathname.replace(/^.*?\/app\//, '/')
  const organization = `/o/${organizationId}`
  const people = `${organization}/people?search=${encodeURIComponent(label ?? '')}`
  if (action === 'space.delete') return `${organization}/trash`
  if (/^[\w-]+\.(?:delete|purge|remove|transfer)$/.test(action)) return undefined
  return {
    space: `/s/${id}`,
    collection: `/c/${id}`,
    site: `${organization}/sites/${id}`,
    team: `${organization}/teams`,
    member: people,
    user: people,
    organization: `${organization}/settings`,
    'custom-field': `${organization}/settings/fields`,
    'openapi-spec': `${organization}/openapi`,
  }[type]
}

function EventRow({
  event,
  organizationId,
  names,
  path,
  showTarget,
}: {
  event: AuditedEvent
  organizationId: string
  /** The names of members by their ids. */
  names: ReadonlyMap<string, string>
  path: EventPath
  showTarget: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const { action, actor, target, occurredAt } = event
  const who =
    actor.label ?? names.get(actor.id) ?? (actor.type === 'user' ? actor.id : t('organization.the-server'))
  const what = target.label || names.get(target.id) || t('common.untitled')
  const link = linkOf(event, organizationId)
  const sentence = sentenceOf(action, { actor: '{actor}', target: '{target}' })
  return (
    <li>
      <span className="name">
        <span>
          {sentence
            .split(/(\{\w+\})/)
            .map((part) =>
              part === '{actor}' ? (
                <b key={part}>{who}</b>
              ) : part === '{target}' ? (
                <Fragment key={part}>{link ? <Link href={link}>{what}</Link> : <b>{what}</b>}</Fragment>
              ) : (
                part
              ),
            )}
        </span>
        <span>
          <time dateTime={occurredAt}>
            {new Date(occurredAt).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </span>
      </span>
      <Button className="small quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Named name={sentenceOf(action, { actor: who, target: what })}>{t('organization.details')}</Named>
      </Button>
      {isOpen && (
        <div className="below">
          <EventDetails path={path} showTarget={showTarget} />
        </div>
      )}
    </li>
  )
}

function EventDetails({ path, showTarget }: { path: EventPath; showTarget: () => void }) {
  const query = useApi(path)
  return (
    <Loaded query={query} title={t('organization.event-cannot-shown')}>
      {(event) => {
        const { payload, ip } = event
        const { before = {}, after = {}, fields = [] } = payload
        // The sentence of the event already names its target.
        const values = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
          (name) => !['object', 'id'].includes(name),
        )
        const rest = fields.filter((field) => !(field in before || field in after))
        return (
          <>
            {values.length > 0 && (
              <table className="values">
                <thead>
                  <tr>
                    <th scope="col">{t('organization.field')}</th>
                    <th scope="col">{t('common.before')}</th>
                    <th scope="col">{t('common.after')}</th>
                  </tr>
                </thead>
                <tbody>
                  {values.map((name) => (
                    <tr key={name}>
                      <th scope="row">{fieldName(name)}</th>
                      <td>{fieldValue(name, before[name])}</td>
                      <td>{fieldValue(name, after[name])}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {rest.length > 0 && (
              <p className="hint">
                {t('organization.changed-without-record-value', {
                  names: rest.map(fieldName).join(', '),
                })}
              </p>
            )}
            <details>
              <summary>{t('organization.event-api-returns')}</summary>
              <pre tabIndex={0}>{JSON.stringify(event, null, 2)}</pre>
            </details>
            {ip !== undefined && <p className="hint">{t('organization.address-ip', { ip })}</p>}
            <p>
              <Button className="button small" onPress={showTarget}>
                {t('organization.everything-about-item')}
              </Button>
            </p>
          </>
        )
      }}
    </Loaded>
  )
}
