/** Provisioning by an identity provider: the tokens of SCIM. And whether single sign-on is required. */
import { useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { useChange, useList } from '../../api/api.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { CancelButton, ConfirmButton } from '../../ui/forms.tsx'
import { Refusal, Rows } from '../../ui/parts.tsx'
import { ago, t } from '../../words/words.ts'
import { CheckField, Part, Passed } from '../../ui/fields.tsx'
import type { Organization } from '../../api/types.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'

type ScimToken = Schemas['ScimToken']

/** Requires single sign-on of all members. @param hasProvider whether they could sign in so */
export function RequireSignOn({
  organization: { id, sso },
  hasProvider,
}: {
  organization: Organization
  hasProvider: boolean
}) {
  const reason = useId()
  const [isRequired, setRequired] = useState(sso)
  const [isAsking, setAsking] = useState(false)
  const change = useChange(`PATCH /orgs/${id}`)
  const sessions = useList('/user/sessions?limit=100')
  const method = sessions.items.find(({ current }) => current)?.method
  // While the method is not known, asking once too often does no harm.
  const isOwn = method === undefined || method === 'password' || method === 'passkey'
  const set = (next: boolean) => {
    setRequired(next)
    change.mutate({ sso: next }, { onError: () => setRequired(!next) })
  }
  return (
    <Part title={t('organization.can-sign')}>
      <CheckField
        label={t('organization.only-members-sign-provider')}
        isChecked={isRequired}
        unable={isRequired || hasProvider ? undefined : reason}
        onChange={(next) => (next && isOwn ? setAsking(true) : set(next))}
      />
      <p id={reason} className="hint">
        {isRequired || hasProvider
          ? t('organization.members-signed-password-passkey')
          : t('organization.require-first-set-up')}
      </p>
      <Refusal error={change.error} />
      {isAsking && <LockOut organizationId={id} onClose={() => setAsking(false)} />}
    </Part>
  )
}

/** Asks a person who would lose access to the organization, and then shows where they sign in again. */
function LockOut({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  // The screens would be refused afterwards, so they are not read again.
  const change = useChange(`PATCH /orgs/${organizationId}`, [])
  return (
    <OpenDialog title={t('organization.require-single-sign-lose')} onClose={onClose}>
      <p>{t('organization.signed-own-password-passkey')}</p>
      <p>{t('organization.come-back-sign-provider')}</p>
      <Refusal error={change.error} />
      <div className="actions">
        <Button
          className="button main"
          isDisabled={change.isPending}
          onPress={() => change.mutate({ sso: true }, { onSuccess: () => location.assign('/app/me') })}
        >
          {t('organization.require-lose-access')}
        </Button>
        <CancelButton close={onClose} autoFocus />
      </div>
    </OpenDialog>
  )
}

/** The tokens by which an identity provider manages members and teams. */
export function ScimTokens({ organizationId }: { organizationId: string }) {
  const path = `/orgs/${organizationId}/scim-tokens` as const
  const tokens = useList(path)
  const create = useChange(`POST ${path}`, [path])
  return (
    <Part
      title={t('organization.provisioning-scim')}
      actions={
        <Button className="button" isDisabled={create.isPending} onPress={() => create.mutate(undefined)}>
          {t('organization.new-token')}
        </Button>
      }
    >
      <p className="hint">{t('organization.identity-provider-can-create')}</p>
      <Refusal error={create.error} />
      {create.data && (
        <div role="status">
          <p>{t('organization.enter-these-at-identity')}</p>
          <Passed text={create.data.endpoint} />
          <Passed text={create.data.token} />
        </div>
      )}
      <Rows list={tokens} empty={t('organization.there-no-token-yet')}>
        {(token) => <TokenRow key={token.id} token={token} path={`${path}/${token.id}`} />}
      </Rows>
    </Part>
  )
}

function TokenRow({
  token: { createdAt, lastUsedAt },
  path,
}: {
  token: ScimToken
  path: `${OrganizationPath}/scim-tokens/${string}`
}) {
  const remove = useChange(`DELETE ${path}`)
  const name = t('organization.created-time', { time: ago(createdAt) })
  return (
    <li>
      <span className="name">
        <span>{name}</span>
        <span>
          {lastUsedAt === undefined
            ? t('organization.never-used')
            : t('organization.last-used-time', { time: ago(lastUsedAt) })}
        </span>
      </span>
      <ConfirmButton
        label={t('common.delete')}
        name={name}
        question={t('organization.delete-this-token')}
        text={t('organization.identity-provider-can-no')}
        change={remove}
        onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
      />
    </li>
  )
}
