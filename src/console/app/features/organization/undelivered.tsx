/** The people whom an invitation by e-mail has not reached, each with the reason. */
import { Button } from 'react-aria-components'
import { useChange, useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { Part, Passed } from '../../ui/fields.tsx'
import { More, Named, Refusal } from '../../ui/parts.tsx'
import { roleName } from '../../words/role-names.ts'
import { ago, t } from '../../words/words.ts'

type Invitation = Schemas['UndeliveredInvitation']

/** Most organizations have none, so that the part appears only with the first one. */
export function Undelivered({ organizationId }: { organizationId: string }) {
  const list = useList(`/orgs/${organizationId}/invites/undelivered`)
  if (list.items.length === 0 && !list.error) return null
  return (
    <Part title={t('organization.undelivered-invitations')}>
      <p className="hint">{t('organization.undelivered-invitations-hint')}</p>
      <ul className="rows">
        {list.items.map((one) => (
          <InvitationRow key={one.id} organizationId={organizationId} invitation={one} />
        ))}
      </ul>
      <More list={list} />
    </Part>
  )
}

function InvitationRow({ organizationId, invitation }: { organizationId: string; invitation: Invitation }) {
  const { email, role, state } = invitation
  const cause = causeOf(invitation)
  const send = useChange(`POST /orgs/${organizationId}/invites`)
  return (
    <li>
      <span className="name">
        <span>
          {email}
          {state === 'failed' && <span className="tag off">{t('organization.undelivered-failed')}</span>}
        </span>
        <span>{progressOf(invitation)}</span>
        {cause !== undefined && <span>{cause}</span>}
      </span>
      <span className="row-actions">
        <span className="small">{roleName(role)}</span>
        {state !== 'waiting' && (
          <Button
            className="small quiet"
            isDisabled={send.isPending}
            onPress={() => send.mutate({ emails: [email], role })}
          >
            <Named name={email}>{t('organization.send-again')}</Named>
          </Button>
        )}
      </span>
      {send.data?.invited === 0 && (
        <p role="status" className="hint below">
          {t('organization.sent-too-recently')}
        </p>
      )}
      {/* Without a mail server, the administrator passes the link on. */}
      {send.data?.links?.map(({ url }) => (
        <div key={url} className="below">
          <Passed text={url} label={t('common.copy-link')} />
        </div>
      ))}
      {send.error && (
        <div className="below">
          <Refusal error={send.error} />
        </div>
      )}
    </li>
  )
}

function progressOf({ state, createdAt, firstTriedAt, lastTriedAt, nextTryAt }: Invitation): string {
  if (state === 'waiting') return t('organization.undelivered-waiting', { time: ago(createdAt) })
  if (state === 'failed')
    return t('organization.undelivered-given-up', { time: ago(lastTriedAt ?? createdAt) })
  const since = ago(firstTriedAt ?? createdAt)
  return t('organization.undelivered-retrying', { since, next: ago(nextTryAt ?? createdAt) })
}

function causeOf({ cause, response = '' }: Invitation): string | undefined {
  if (cause === 'recipient-refused') return t('organization.recipient-refused', { response })
  if (cause === 'message-refused') return t('organization.message-refused', { response })
  return cause && t('organization.mail-server-failing')
}
