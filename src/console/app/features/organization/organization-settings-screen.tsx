import { useState } from 'react'
import { useApi, useChange, useList } from '../../api/api.ts'
import { CheckField, ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import type { Organization } from '../../api/types.ts'
import { UploadedPicture } from '../../ui/picture-field.tsx'
import { MergeRulesField } from '../../places/merge-rules-field.tsx'
import { guest, RoleField, roleOf } from '../../ui/role-field.tsx'
import type { RoleName } from '../../words/role-names.ts'
import { t } from '../../words/words.ts'

/** The settings of an organization. */
export function SettingsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  return (
    <OrganizationFrame id={organizationId} title={t('common.settings')}>
      {(organization) =>
        organization.permissions.admin ? (
          <>
            <General organization={organization} />
            <Joining organization={organization} />
            <Merging organization={organization} />
          </>
        ) : (
          <p className="hint">{t('organization.only-administrators-organization-change-settings')}</p>
        )
      }
    </OrganizationFrame>
  )
}

function General({
  organization: { id, title, hostname = '', checkExternalLinks, defaultContent, urls },
}: {
  organization: Organization
}) {
  const [name, setName] = useState(title)
  const [host, setHost] = useState(hostname)
  const [checks, setChecks] = useState(checkExternalLinks)
  const [logo, setLogo] = useState(urls.logo ?? '')
  // A file that is sent with the form.
  const [picture, setPicture] = useState<{ sent: { base64: string }; preview: string }>()
  const [first, setFirst] = useState(defaultContent?.site ?? '')
  const { data: spaces } = useApi(`/orgs/${id}/spaces?limit=1`)
  const sites = useList(`/orgs/${id}/sites?limit=200`)
  const change = useChange(`PATCH /orgs/${id}`)
  return (
    <Part title={t('common.general')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() =>
          change.mutate(
            {
              ...(name === title ? {} : { title: name }),
              ...(host === hostname ? {} : { hostname: host }),
              ...(checks === checkExternalLinks ? {} : { checkExternalLinks: checks }),
              ...(picture
                ? { logoPicture: picture.sent }
                : logo === (urls.logo ?? '')
                  ? {}
                  : { logo: logo === '' ? null : logo }),
              ...(first === (defaultContent?.site ?? '')
                ? {}
                : { defaultContent: first === '' ? null : { type: 'site', site: first } }),
            },
            {
              onSuccess: (saved) => {
                setLogo(saved.urls.logo ?? '')
                setPicture(undefined)
              },
            },
          )
        }
      >
        <LineField label={t('common.name')} value={name} onChange={setName} isRequired />
        <LineField
          label={t('organization.name-addresses-sites')}
          value={host}
          onChange={setHost}
          hint={t('organization.if-change-addresses-all')}
        />
        <UploadedPicture
          label={t('common.logo')}
          url={logo}
          unable={spaces?.items.length === 0 ? t('organization.file-would-kept-space') : undefined}
          preview={picture?.preview}
          onChange={(url) => {
            setLogo(url)
            setPicture(undefined)
          }}
          onFile={(sent, file) => {
            setLogo('')
            setPicture({ sent, preview: URL.createObjectURL(file) })
          }}
        />
        <ChoiceField
          label={t('organization.site-opens-at-address')}
          value={first}
          onChange={setFirst}
          options={[
            ['', t('common.none')],
            ...sites.items.map((site) => [site.id, site.title || t('common.untitled')] as const),
          ]}
        />
        <CheckField
          label={t('organization.check-whether-links-other')}
          isChecked={checks}
          onChange={setChecks}
        />
      </EditForm>
    </Part>
  )
}

function Joining({ organization }: { organization: Organization }) {
  const [domains, setDomains] = useState(organization.emailDomains.join(', '))
  const [role, setRole] = useState<RoleName | ''>(organization.defaultRole ?? '')
  const [links, setLinks] = useState(organization.inviteLinks)
  const change = useChange(`PATCH /orgs/${organization.id}`)
  return (
    <Part title={t('organization.joining')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() =>
          change.mutate({
            emailDomains: domains.split(/[\s,;]+/).filter((one) => one !== ''),
            defaultRole: roleOf(role),
            inviteLinks: links,
          })
        }
      >
        <LineField
          label={t('organization.e-mail-domains')}
          value={domains}
          onChange={setDomains}
          hint={t('organization.such-example-com-everyone')}
        />
        <RoleField
          label={t('organization.role-new-members')}
          value={role}
          onChange={setRole}
          others={[guest()]}
        />
        <CheckField label={t('organization.allow-invite-links')} isChecked={links} onChange={setLinks} />
      </EditForm>
    </Part>
  )
}

function Merging({ organization: { id, mergeRules } }: { organization: Organization }) {
  const [rules, setRules] = useState(mergeRules)
  const change = useChange(`PATCH /orgs/${id}`)
  return (
    <Part title={t('common.merging')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() => change.mutate({ mergeRules: rules })}
      >
        <MergeRulesField
          value={rules}
          onChange={setRules}
          organizationId={id}
          others={[['none', t('place.nothing-is-required')]]}
        />
      </EditForm>
    </Part>
  )
}
