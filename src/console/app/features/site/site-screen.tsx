import { useState } from 'react'
import { Button } from 'react-aria-components'
import { go, useApi, useChange } from '../../api/api.ts'
import { LineField, Part, Passed } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { SiteFrame } from './site-frame.tsx'
import { SiteLook } from './site-look.tsx'
import { SitePublishing } from './site-publishing.tsx'
import type { SiteSettings } from '../../api/settings-types.ts'
import { SiteReaders } from './site-readers.tsx'
import { SiteSpaces } from './site-spaces.tsx'
import { Loaded, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'

/** A site: what it shows, to whom, where and how. */
export function SiteScreen({ params }: { params: Record<string, string> }) {
  const { organizationId = '' } = params
  return (
    <SiteFrame params={params}>
      {({ site, path, organization }) => (
        <>
          <SitePublishing site={site} path={path} />
          <SiteSpaces path={path} organizationId={organizationId} />
          <SiteReaders site={site} path={path} />
          {/* The fields of a saved title or name have it already, and a new form would lose the focus. */}
          <Address key={site.hostname} site={site} path={path} />
          <SiteLook
            place={{ path, host: organization.hostname ?? '', basename: site.basename ?? '' }}
            isEmpty={site.siteSpaces === 0}
          />
          <DeleteSite site={site} path={path} organizationId={organizationId} />
        </>
      )}
    </SiteFrame>
  )
}

function Address({ site, path }: { site: SiteSettings; path: SitePath }) {
  const [title, setTitle] = useState(site.title)
  const [basename, setBasename] = useState(site.basename ?? '')
  const [hostname, setHostname] = useState(site.hostname ?? '')
  const change = useChange(`PATCH ${path}`)
  // A site names its new host only once that is proved.
  const claimed = (change.isSuccess && change.variables.hostname) || site.hostname
  return (
    <Part title={t('site.name-and-address')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() =>
          change.mutate({
            ...(title === site.title ? {} : { title }),
            ...(basename === (site.basename ?? '') ? {} : { basename }),
            ...(hostname === (site.hostname ?? '') ? {} : { hostname: hostname === '' ? null : hostname }),
          })
        }
      >
        <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired />
        <LineField
          label={t('common.name-address')}
          value={basename}
          onChange={setBasename}
          hint={t('site.old-address-leads-new')}
        />
        <LineField
          label={t('common.custom-host-name')}
          value={hostname}
          onChange={setHostname}
          hint={t('site.such-docs-example-com')}
        />
      </EditForm>
      {claimed && <HostName hostname={claimed} />}
    </Part>
  )
}

type CustomHostName = Schemas['CustomHostname']

/** Whether the own host name of a site is proved, and how to prove it. */
function HostName({ hostname }: { hostname: string }) {
  const query = useApi(`/custom-hostnames/${hostname}`)
  const remove = useChange(`DELETE /custom-hostnames/${hostname}`)
  return (
    <Loaded query={query} title={t('site.host-name-cannot-shown')}>
      {({ isActive, verification }) => (
        <>
          {isActive ? (
            <p className="message note">{t('site.site-at-host', { host: hostname })}</p>
          ) : (
            <Challenge hostname={hostname} verification={verification} />
          )}
          <p>
            <ConfirmButton
              label={t('site.remove-host-name')}
              question={t('site.remove-name', { name: hostname })}
              text={t('site.site-then-at-address')}
              change={remove}
              onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
            />
          </p>
        </>
      )}
    </Loaded>
  )
}

/** The record of the DNS that proves who has a host name. */
function Challenge({ hostname, verification }: Pick<CustomHostName, 'hostname' | 'verification'>) {
  const check = useChange(`PATCH /custom-hostnames/${hostname}`)
  return (
    <>
      <p>
        {t('site.host-not-proved-yet', {
          host: hostname,
          type: verification.type,
        })}
      </p>
      <Passed text={verification.name} />
      <Passed text={verification.value} />
      <Refusal error={check.error} />
      <p>
        <Button className="button small" isDisabled={check.isPending} onPress={() => check.mutate(undefined)}>
          {t('site.check-now')}
        </Button>
      </p>
    </>
  )
}

function DeleteSite({
  site,
  path,
  organizationId,
}: {
  site: SiteSettings
  path: SitePath
  organizationId: string
}) {
  const remove = useChange(`DELETE ${path}`, [`/orgs/${organizationId}/sites?`])
  return (
    <Part title={t('site.delete-this-site')}>
      <p className="hint">{t('site.spaces-stay-site-itself')}</p>
      <p>
        <ConfirmButton
          label={t('common.delete')}
          name={site.title}
          question={t('common.delete-name', { name: site.title })}
          text={t('site.readers-no-longer-find')}
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => go(`/o/${organizationId}/sites`) })}
        />
      </p>
    </Part>
  )
}
