/** Whether a site is published, and what is missing before it can be. */
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { api, useApi, useChange } from '../../api/api.ts'
import { useFocusAfter } from '../../ui/kept-focus.ts'
import { Refusal } from '../../ui/parts.tsx'
import type { Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { Part } from '../../ui/fields.tsx'
import { spacesIn } from './site-item.tsx'
import { ADD_SPACE } from './site-spaces.tsx'
import type { SiteSettings } from '../../api/settings-types.ts'
import type { SitePath } from '../../api/paths.ts'

/** The spaces of a larger site are not searched for a page. */
const SEARCHED = 5

/** Publishes a site that has something to show, and takes it back. */
export function SitePublishing({ site, path }: { site: SiteSettings; path: SitePath }) {
  const reason = useId()
  const publish = useChange(`POST ${path}/publish`)
  const unpublish = useChange(`POST ${path}/unpublish`)
  const other = useFocusAfter<HTMLButtonElement>(publish.isPending || unpublish.isPending)
  const [refused, setRefused] = useState<Error | null>(null)
  const missing = useMissing(site, path)
  const preview = async () => {
    setRefused(null)
    try {
      const { url } = await api(`GET ${path}/publishing/preview`)
      window.open(url, '_blank', 'noreferrer')
    } catch (error) {
      setRefused(error as Error)
    }
  }
  return (
    <Part
      title={site.published ? t('site.site-published') : t('site.site-not-published')}
      actions={
        <div className="actions">
          {site.siteSpaces > 0 && (
            <Button className="button" onPress={() => void preview()}>
              {t('common.preview')}
            </Button>
          )}
          {site.published ? (
            <Button
              ref={other}
              className="button"
              isDisabled={unpublish.isPending}
              onPress={() => unpublish.mutate(undefined)}
            >
              {t('site.unpublish')}
            </Button>
          ) : (
            !missing && (
              <Button
                ref={other}
                className="button main"
                isDisabled={publish.isPending || missing === null}
                aria-describedby={reason}
                onPress={() => publish.mutate(undefined)}
              >
                {t('common.publish')}
              </Button>
            )
          )}
        </div>
      }
    >
      {site.published && site.urls.published && (
        <p>
          <a href={site.urls.published} target="_blank" rel="noreferrer">
            {site.urls.published}
          </a>
        </p>
      )}
      {missing && <p>{missing}</p>}
      {!site.published && !missing && (
        <p id={reason} className="hint">
          {t('site.only-others-may-change')}
        </p>
      )}
      <Refusal error={publish.error ?? unpublish.error ?? refused} />
    </Part>
  )
}

/** The reason why readers find nothing, with links to add content; undefined if they find some, null until known. */
function useMissing(site: SiteSettings, path: SitePath): ReactNode {
  const count = site.siteSpaces
  const structure = useApi(count > 0 && count <= SEARCHED ? `${path}/structure` : undefined)
  const spaces = structure.data ? spacesIn(structure.data.structure) : []
  // A guest who manages the site may see a space only as its readers do.
  const own = spaces.filter(({ space }) => space.permissions.view)
  const pages = useQueries({
    queries: own.map(({ space: { id } }) => ({
      queryKey: ['api', `/spaces/${id}/content/outline?limit=1`],
      queryFn: () => api(`GET /spaces/${id}/content/outline?limit=1`),
    })),
  })
  if (count === 0)
    return (
      <>
        {site.published ? t('site.site-no-space-so') : t('site.site-no-space-yet')}{' '}
        <a href={`#${ADD_SPACE}`}>{t('site.add-a-space')}</a>
      </>
    )
  if (structure.isLoading || pages.some(({ isLoading }) => isLoading)) return null
  // A person does not see the spaces of others.
  if (own.length < count || !pages.every(({ data }) => data?.items.length === 0)) return undefined
  return (
    <>
      {site.published ? t('site.spaces-site-no-pages') : t('site.spaces-site-no-pages-yet')}{' '}
      {nameWays(spaces.map(({ space }) => space))}
    </>
  )
}

const nameWays = (spaces: readonly Space[]) =>
  spaces.map((space) => (
    <span key={space.id}>
      <Link href={`/s/${space.id}`}>
        {t('site.write-first-page-name', { name: space.title || t('common.untitled') })}
      </Link>{' '}
    </span>
  ))
