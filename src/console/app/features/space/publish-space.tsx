/** The sites of a space, and the dialog that publishes it on one. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { type ApiFault, go, useApi, useList } from '../../api/api.ts'
import type { SiteSettings } from '../../api/settings-types.ts'
import type { Space } from '../../api/types.ts'
import { publishOnNewSite, publishSite, type SiteChoice } from '../../places/new-site.ts'
import { ChoiceField, LineField, Passed } from '../../ui/fields.tsx'
import { useFormValues } from '../../ui/form-values.ts'
import { EditForm } from '../../ui/forms.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { SplitButton } from '../../ui/split-button.tsx'
import { visibilityNames } from '../../words/site-visibility.ts'
import { t } from '../../words/words.ts'
import { slugify } from '../../../../core/text/slug.ts'

/** Publishes a space, or shows the sites that it is on. Nothing for people who can do neither. */
export function PublishSpace({ space }: { space: Space }) {
  const { id, organization: organizationId, permissions } = space
  const organization = useApi(`/orgs/${organizationId}`)
  const { listMembers, createContent = false } = organization.data?.permissions ?? {}
  const sites = useList(listMembers ? `/orgs/${organizationId}/sites?space=${id}` : undefined)
  const [asked, setAsked] = useState<{ site: SiteSettings | undefined }>()
  if (!sites.isSuccess) return null
  const mayCreate = createContent && permissions.admin
  const isPublished = sites.items.some((site) => site.published && site.urls.published)
  const waiting = sites.items.find((site) => !site.published && site.permissions.create)
  return (
    <>
      {isPublished ? (
        <ShownSites
          space={space}
          sites={sites.items}
          onPublish={mayCreate ? () => setAsked({ site: undefined }) : undefined}
        />
      ) : (
        (waiting ?? mayCreate) && (
          <Button className="button" onPress={() => setAsked({ site: waiting })}>
            {t('common.publish')}
          </Button>
        )
      )}
      {/* At the same place before and after, because it shows the address once the space is on a site. */}
      {asked && (
        <OpenDialog
          title={t('publish.publish-name', { name: space.title || t('common.untitled') })}
          onClose={() => setAsked(undefined)}
        >
          <PublishForm space={space} site={asked.site} close={() => setAsked(undefined)} />
        </OpenDialog>
      )}
    </>
  )
}

/** The sites of a space that has at least one. @param onPublish publishes it on another one, for people who may */
function ShownSites({
  space: { organization, urls },
  sites,
  onPublish,
}: {
  space: Space
  sites: readonly SiteSettings[]
  onPublish: (() => void) | undefined
}) {
  const named = sites.map((site) => ({ ...site, name: site.title || t('common.untitled') }))
  const [first, ...others] = named.filter((site) => site.published && site.urls.published)
  const choices = [
    ...others.map((site) => ({
      id: `view-${site.id}`,
      title: t('publish.view-name', { name: site.name }),
      onChoose: () => void window.open(site.urls.published, '_blank', 'noreferrer'),
    })),
    ...named.map(({ id, name, permissions }) => ({
      id,
      title: t('publish.settings-of', { name }),
      onChoose: () => go(`/o/${organization}/sites/${id}${permissions.admin ? '' : '/insights'}`),
    })),
    ...(onPublish ? [{ id: 'another', title: t('publish.publish-another'), onChoose: onPublish }] : []),
  ]
  return (
    <SplitButton label={t('publish.sites-of-space')} choices={choices}>
      <a className="button" href={urls.published ?? first?.urls.published} target="_blank" rel="noreferrer">
        {t('publish.view-site')}
      </a>
    </SplitButton>
  )
}

/** @param site one that has the space and is not published yet; without it, the form makes a site */
function PublishForm({
  space,
  site,
  close,
}: {
  space: Space
  site: SiteSettings | undefined
  close: () => void
}) {
  const { id, title, organization: organizationId } = space
  const client = useQueryClient()
  const { values, set } = useFormValues<SiteChoice>({
    title: (site?.title ?? title) || t('common.untitled'),
    basename: undefined,
    visibility: site?.visibility ?? 'public',
  })
  // Until it is changed, the address follows the name, and the server numbers it if another site has it.
  const proposed = site?.basename ?? slugify(values.title)
  const publishing = useMutation<SiteSettings, ApiFault>({
    mutationFn: () =>
      site
        ? publishSite(`/orgs/${organizationId}/sites/${site.id}`, values)
        : publishOnNewSite(organizationId, id, values),
    onSuccess: () => client.invalidateQueries(),
  })
  if (publishing.data)
    return <PublishedSite site={publishing.data} organizationId={organizationId} close={close} />
  return (
    <EditForm
      change={publishing}
      action={t('common.publish')}
      close={close}
      onSubmit={() => publishing.mutate()}
    >
      <LineField
        label={t('publish.name-of-site')}
        value={values.title}
        onChange={(name) => set({ title: name })}
        isRequired
      />
      <LineField
        label={t('common.name-address')}
        value={values.basename ?? proposed}
        onChange={(basename) => set({ basename })}
        isRequired
        hint={t('publish.last-part-of-address')}
      />
      <ChoiceField
        label={t('site.can-read-site')}
        value={values.visibility}
        onChange={(visibility) => set({ visibility })}
        options={visibilityNames()}
      />
    </EditForm>
  )
}

/** The address of a site that was published, and what is missing before readers can open it. */
function PublishedSite({
  site: { id, visibility, urls },
  organizationId,
  close,
}: {
  site: SiteSettings
  organizationId: string
  close: () => void
}) {
  const next = useRef<HTMLAnchorElement>(null)
  // The form had the focus, and is not there any more.
  useEffect(() => next.current?.focus(), [])
  const isForSome = visibility === 'share-link' || visibility === 'visitor-auth'
  return (
    <>
      <p role="status">{isForSome ? t('publish.choose-readers') : t('publish.readers-find-it')}</p>
      {urls.published && !isForSome && <Passed text={urls.published} label={t('common.copy-link')} />}
      <div className="actions">
        {isForSome ? (
          <Link ref={next} className="button main" href={`/o/${organizationId}/sites/${id}`}>
            {t('publish.choose-readers-now')}
          </Link>
        ) : (
          <a ref={next} className="button main" href={urls.published} target="_blank" rel="noreferrer">
            {t('publish.view-site')}
          </a>
        )}
        <Button className="button" onPress={close}>
          {t('common.close')}
        </Button>
      </div>
    </>
  )
}
