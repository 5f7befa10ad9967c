import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useApi, useChange, useList } from '../../api/api.ts'
import { Loaded, Named, Refusal, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { ChoiceField, CopyButton, LineField, Part, Passed } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import type { SiteSettings } from '../../api/settings-types.ts'
import { visibilityNames } from '../../words/site-visibility.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'

/** The form for the visibility of a site. */
export function SiteReaders({ site, path }: { site: SiteSettings; path: SitePath }) {
  const change = useChange(`PATCH ${path}`)
  const [chosen, setChosen] = useState(site.visibility)
  return (
    <Part title={t('site.readers')}>
      {/* An arrow key changes a closed list, and must not open a site to everyone. */}
      <EditForm
        change={change}
        action={t('site.save-the-readers')}
        onSubmit={() => change.mutate({ visibility: chosen })}
      >
        <ChoiceField
          label={t('site.can-read-site')}
          value={chosen}
          onChange={setChosen}
          options={visibilityNames()}
        />
      </EditForm>
      {site.visibility === 'share-link' && <ShareLinks site={site} path={path} />}
      {site.visibility === 'visitor-auth' && <VisitorSignIn path={path} />}
    </Part>
  )
}

type SiteShareLink = Schemas['ShareLink']

function ShareLinks({ site, path }: { site: SiteSettings; path: SitePath }) {
  const [name, setName] = useState('')
  const links = useList(`${path}/share-links`)
  const create = useChange(`POST ${path}/share-links`)
  return (
    <>
      {!site.published && <p className="hint">{t('site.links-address-when-site')}</p>}
      <Rows list={links} empty={t('site.there-no-share-link')}>
        {(link) => <ShareLinkRow key={link.id} link={link} path={`${path}/share-links/${link.id}`} />}
      </Rows>
      <EditForm
        change={create}
        action={t('site.new-share-link')}
        onSubmit={() => create.mutate({ name }, { onSuccess: () => setName('') })}
      >
        <LineField
          label={t('site.name-link')}
          value={name}
          onChange={setName}
          isRequired
          hint={t('site.such-partners-only-see')}
        />
      </EditForm>
    </>
  )
}

function ShareLinkRow({ link, path }: { link: SiteShareLink; path: `${SitePath}/share-links/${string}` }) {
  const change = useChange(`PATCH ${path}`)
  const remove = useChange(`DELETE ${path}`)
  const renew = useChange(`POST ${path}/regenerate`)
  return (
    <li>
      <span>
        {link.name}
        {!link.active && <span className="tag off">{t('site.off')}</span>}
      </span>
      <span className="row-actions">
        {link.urls.published && <CopyButton text={link.urls.published} label={t('common.copy-link')} />}
        <Button
          className="small quiet"
          isDisabled={change.isPending}
          onPress={() => change.mutate({ active: !link.active })}
        >
          <Named name={link.name}>{link.active ? t('site.turn-off') : t('site.turn-on')}</Named>
        </Button>
        <ConfirmButton
          label={t('common.replace')}
          name={link.name}
          question={t('site.replace-link-name', { name: link.name })}
          text={t('site.link-gets-new-address')}
          change={renew}
          onConfirm={(close) => renew.mutate(undefined, { onSuccess: close })}
        />
        <ConfirmButton
          label={t('common.delete')}
          name={link.name}
          question={t('site.delete-link-name', { name: link.name })}
          text={t('site.people-can-no-longer')}
          change={remove}
          onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
        />
      </span>
      {change.error && (
        <div className="below">
          <Refusal error={change.error} />
        </div>
      )}
    </li>
  )
}

type PublishingAuth = Schemas['SitePublishingAuth']

function VisitorSignIn({ path }: { path: SitePath }) {
  const query = useApi(`${path}/publishing/auth`)
  return (
    <Loaded query={query} title={t('common.settings-cannot-shown')}>
      {(auth) => <VisitorForm key={auth.fallbackURL ?? ''} auth={auth} path={path} />}
    </Loaded>
  )
}

function VisitorForm({ auth, path }: { auth: PublishingAuth; path: SitePath }) {
  const [address, setAddress] = useState(auth.fallbackURL ?? '')
  const [isShown, setShown] = useState(false)
  const change = useChange(`PATCH ${path}/publishing/auth`)
  const renew = useChange(`POST ${path}/publishing/auth/regenerate`)
  return (
    <>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() => change.mutate({ backend: 'custom', fallbackURL: address === '' ? null : address })}
      >
        <LineField
          label={t('site.address-sign-page')}
          type="url"
          value={address}
          onChange={setAddress}
          hint={t('site.readers-not-signed-sent')}
        />
      </EditForm>
      <p className="hint">{t('site.program-signs-readers-key')}</p>
      {isShown ? (
        <Passed text={auth.privateKey} />
      ) : (
        <p>
          <Button className="button small" onPress={() => setShown(true)}>
            {t('site.show-the-key')}
          </Button>
        </p>
      )}
      <p>
        <ConfirmButton
          label={t('site.replace-the-key')}
          question={t('site.replace-the-key-question')}
          text={t('site.readers-signed-out-program')}
          change={renew}
          onConfirm={(close) => renew.mutate(undefined, { onSuccess: close })}
        />
      </p>
    </>
  )
}
