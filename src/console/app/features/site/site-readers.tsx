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
    <Part title={t('Readers')}>
      {/* An arrow key changes a closed list, and must not open a site to everyone. */}
      <EditForm
        change={change}
        action={t('Save the readers')}
        onSubmit={() => change.mutate({ visibility: chosen })}
      >
        <ChoiceField
          label={t('Who can read this site')}
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
      {!site.published && <p className="hint">{t('Links have an address when the site is published.')}</p>}
      <Rows list={links} empty={t('There is no share link yet, so nobody can read the site.')}>
        {(link) => <ShareLinkRow key={link.id} link={link} path={`${path}/share-links/${link.id}`} />}
      </Rows>
      <EditForm
        change={create}
        action={t('New share link')}
        onSubmit={() => create.mutate({ name }, { onSuccess: () => setName('') })}
      >
        <LineField
          label={t('Name of the link')}
          value={name}
          onChange={setName}
          isRequired
          hint={t('Such as “Partners”. Only you see it.')}
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
        {!link.active && <span className="tag off">{t('Off')}</span>}
      </span>
      <span className="row-actions">
        {link.urls.published && <CopyButton text={link.urls.published} label={t('Copy link')} />}
        <Button
          className="small quiet"
          isDisabled={change.isPending}
          onPress={() => change.mutate({ active: !link.active })}
        >
          <Named name={link.name}>{link.active ? t('Turn off') : t('Turn on')}</Named>
        </Button>
        <ConfirmButton
          label={t('Replace')}
          name={link.name}
          question={t('Replace the link {name}?', { name: link.name })}
          text={t(
            'The link gets a new address. People who have only the old one can no longer read the site.',
          )}
          change={renew}
          onConfirm={(close) => renew.mutate(undefined, { onSuccess: close })}
        />
        <ConfirmButton
          label={t('Delete')}
          name={link.name}
          question={t('Delete the link {name}?', { name: link.name })}
          text={t('People who have it can no longer read the site.')}
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
    <Loaded query={query} title={t('The settings cannot be shown')}>
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
        action={t('Save')}
        onSubmit={() => change.mutate({ backend: 'custom', fallbackURL: address === '' ? null : address })}
      >
        <LineField
          label={t('Address of your sign-in page')}
          type="url"
          value={address}
          onChange={setAddress}
          hint={t('Readers who are not signed in are sent there.')}
        />
      </EditForm>
      <p className="hint">{t('Your program signs readers in with this key. Keep it secret.')}</p>
      {isShown ? (
        <Passed text={auth.privateKey} />
      ) : (
        <p>
          <Button className="button small" onPress={() => setShown(true)}>
            {t('Show the key')}
          </Button>
        </p>
      )}
      <p>
        <ConfirmButton
          label={t('Replace the key')}
          question={t('Replace the key?')}
          text={t('Readers are signed out, and your program needs the new key.')}
          change={renew}
          onConfirm={(close) => renew.mutate(undefined, { onSuccess: close })}
        />
      </p>
    </>
  )
}
