import { useId, useState } from 'react'
import { TextArea, Label, TextField } from 'react-aria-components'
import { useChange, useList, type ListQuery } from '../../api/api.ts'
import { LineField, Part, Passed } from '../../ui/fields.tsx'
import { ConfirmButton, CreateButton, EditForm, FieldProblem } from '../../ui/forms.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import type { Organization } from '../../api/types.ts'
import { RequireSignOn, ScimTokens } from './provisioning.tsx'
import { guest, RoleField, roleOf } from '../../ui/role-field.tsx'
import type { RoleName } from '../../words/role-names.ts'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'

/** A provider of either kind; the fields of the other kind are absent. */
type ProvidersPath = `${OrganizationPath}/${'oidc' | 'saml'}`
type SignInProvider = Schemas['OidcProvider'] | Schemas['SamlProvider']

/** The identity providers by which the members of an organization sign in. */
export function SingleSignOnScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  return (
    <OrganizationFrame id={organizationId} title={t('common.single-sign-on')}>
      {(organization) =>
        organization.permissions.admin ? (
          <SignOn organization={organization} />
        ) : (
          <p className="hint">{t('organization.only-administrators-organization-change')}</p>
        )
      }
    </OrganizationFrame>
  )
}

type ProviderList = ListQuery<SignInProvider>

function SignOn({ organization }: { organization: Organization }) {
  const { id, sso } = organization
  const paths = { oidc: `/orgs/${id}/oidc`, saml: `/orgs/${id}/saml` } as const
  const oidc = useList(paths.oidc)
  const saml = useList(paths.saml)
  const active = [...oidc.items, ...saml.items].filter(({ status }) => status === 'active')
  const needed = sso && active.length === 1 ? active[0]?.id : undefined
  return (
    <>
      <RequireSignOn organization={organization} hasProvider={active.length > 0} />
      <Providers
        list={oidc}
        path={paths.oidc}
        kind="oidc"
        title={t('organization.open-id-connect')}
        needed={needed}
      />
      <Providers list={saml} path={paths.saml} kind="saml" title={t('organization.saml')} needed={needed} />
      <ScimTokens organizationId={id} />
    </>
  )
}

function Providers({
  list,
  path,
  kind,
  title,
  needed,
}: {
  list: ProviderList
  path: ProvidersPath
  kind: 'oidc' | 'saml'
  title: string
  /** The id of the provider without which nobody could sign in. */
  needed: string | undefined
}) {
  return (
    <Part title={title} actions={<NewProvider path={path} title={title} />}>
      <Rows list={list} empty={t('organization.there-no-provider-yet')}>
        {(provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            kind={kind}
            path={`${path}/${provider.id}`}
            isNeeded={provider.id === needed}
          />
        )}
      </Rows>
    </Part>
  )
}

function NewProvider({ path, title }: { path: ProvidersPath; title: string }) {
  const [label, setLabel] = useState('')
  const create = useChange(`POST ${path}`)
  return (
    <CreateButton
      label={t('organization.new-provider')}
      name={title}
      create={create}
      body={{ label }}
      onCreated={() => setLabel('')}
    >
      <LineField
        label={t('common.name')}
        value={label}
        onChange={setLabel}
        isRequired
        autoFocus
        hint={t('organization.members-see-when-they')}
      />
    </CreateButton>
  )
}

function ProviderRow({
  provider,
  kind,
  path,
  isNeeded,
}: {
  provider: SignInProvider
  kind: 'oidc' | 'saml'
  path: `${ProvidersPath}/${string}`
  isNeeded: boolean
}) {
  const reason = useId()
  const remove = useChange(`DELETE ${path}`)
  const { label, status, service } = provider
  const addresses: [title: string, address: string | undefined][] = [
    [t('organization.redirect-address'), 'callbackURL' in service ? service.callbackURL : undefined],
    [t('organization.address-answers-acs'), 'acsURL' in service ? service.acsURL : undefined],
    [t('organization.identifier-entity-id'), 'entityID' in service ? service.entityID : undefined],
    [t('organization.address-sign-out-requests'), 'logoutURL' in service ? service.logoutURL : undefined],
    [t('organization.where-members-begin-sign'), service.startURL],
    [t('organization.certificate-of-lectern'), 'certificate' in service ? service.certificate : undefined],
  ]
  return (
    <li>
      <span>
        {label}
        <span className={status === 'active' ? 'tag' : 'tag off'}>
          {status === 'active' ? t('organization.active') : t('organization.not-complete')}
        </span>
      </span>
      <span className="row-actions">
        {status === 'active' && (
          <a href={service.startURL} target="_blank" rel="noreferrer">
            <Named name={label}>{t('organization.try-it')}</Named>
          </a>
        )}
        <DialogButton
          label={<Named name={label}>{t('organization.set-up')}</Named>}
          title={label}
          kind="small"
        >
          {(close) => (
            <>
              <p className="hint">{t('organization.enter-these-addresses-at')}</p>
              {addresses.map(
                ([title, address]) =>
                  address !== undefined && (
                    <div key={title}>
                      {title}
                      <Passed text={address} />
                    </div>
                  ),
              )}
              <ProviderForm provider={provider} kind={kind} path={path} close={close} />
            </>
          )}
        </DialogButton>
        <ConfirmButton
          label={t('common.delete')}
          name={label}
          question={t('common.delete-name', { name: label })}
          text={t('organization.nobody-can-sign-any')}
          unable={isNeeded ? reason : undefined}
          change={remove}
          onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
        />
      </span>
      {isNeeded && (
        <p id={reason} className="hint below">
          {t('organization.members-can-sign-only')}
        </p>
      )}
    </li>
  )
}

function ProviderForm({
  provider,
  kind,
  path,
  close,
}: {
  provider: SignInProvider
  kind: 'oidc' | 'saml'
  path: `${ProvidersPath}/${string}`
  close: () => void
}) {
  const [first, setFirst] = useState('issuer' in provider ? provider.issuer : provider.entityID)
  const [second, setSecond] = useState('clientID' in provider ? provider.clientID : provider.ssoURL)
  const [third, setThird] = useState('certificate' in provider ? provider.certificate : '')
  const [logoutURL, setLogoutURL] = useState('logoutURL' in provider ? provider.logoutURL : '')
  const [role, setRole] = useState<RoleName | ''>(provider.defaultRole ?? '')
  const change = useChange(`PATCH ${path}`)
  return (
    <EditForm
      change={change}
      action={t('common.save')}
      close={close}
      onSubmit={() =>
        change.mutate(
          {
            defaultRole: roleOf(role),
            ...(kind === 'oidc'
              ? { issuer: first, clientID: second, ...(third === '' ? {} : { clientSecret: third }) }
              : { entityID: first, ssoURL: second, logoutURL, certificate: third }),
          },
          { onSuccess: close },
        )
      }
    >
      <LineField
        label={kind === 'oidc' ? t('organization.issuer') : t('organization.identifier-provider-entity-id')}
        value={first}
        onChange={setFirst}
        isRequired
      />
      <LineField
        label={kind === 'oidc' ? t('organization.client-id') : t('organization.sign-on-address')}
        value={second}
        onChange={setSecond}
        isRequired
      />
      {kind === 'oidc' ? (
        <LineField
          label={t('organization.client-secret')}
          value={third}
          onChange={setThird}
          hint={
            provider.status === 'active'
              ? t('organization.never-shown-again-empty')
              : t('organization.never-shown-again')
          }
        />
      ) : (
        <>
          <LineField
            label={t('organization.sign-out-address')}
            value={logoutURL}
            onChange={setLogoutURL}
            hint={t('organization.sign-out-address-hint')}
          />
          <TextField className="field" value={third} onChange={setThird} isRequired>
            <Label>{t('organization.certificate-pem')}</Label>
            <TextArea />
            <FieldProblem />
          </TextField>
        </>
      )}
      <RoleField
        label={t('organization.role-new-members')}
        value={role}
        onChange={setRole}
        others={[guest()]}
      />
    </EditForm>
  )
}
