/** Where a redirect of a site leads. */
import { useApi, useList } from '../../api/api.ts'
import type { PageEntry, Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { ChoiceField, LineField } from '../../ui/fields.tsx'
import { nameOfItem } from './site-item.tsx'
import type { SitePath } from '../../api/paths.ts'
import type { Schemas } from '../../api/operations/schemas.ts'

export type Destination = Schemas['SiteRedirectDestination']

/** The address that a text names: itself, or a path of the site. */
export function redirectAddress(text: string, home: string | undefined): string | undefined {
  const url = URL.parse(text.startsWith('/') && home ? home.replace(/\/$/, '') + text : text)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const pagesIn = (pages: readonly PageEntry[], above = ''): { id: string; title: string }[] =>
  pages.flatMap((page) => [
    ...(page.type === 'document' ? [{ id: page.id, title: above + page.title }] : []),
    ...pagesIn(page.pages ?? [], `${above}${page.title} / `),
  ])

/** The spaces and sections of a site. */
function useTargets(path: SitePath) {
  const { items: spaces } = useList(`${path}/site-spaces?limit=1000`)
  const { items: sections } = useList(`${path}/sections?limit=1000`)
  return { spaces, sections }
}

/** The pages of a space of a site; empty for users who see the space only as its readers do. */
function usePages(space: Pick<Space, 'id' | 'permissions'> | undefined) {
  const { data } = useApi(space?.permissions.view ? `/spaces/${space.id}/content/pages` : undefined)
  return data ? pagesIn(data.pages) : []
}

/** Returns the name of a destination. */
export function useDestinationName(destination: Destination, path: SitePath): string {
  const { spaces, sections } = useTargets(path)
  const space = 'siteSpaceId' in destination && spaces.find(({ id }) => id === destination.siteSpaceId)
  const pages = usePages(destination.kind === 'site-page' && space ? space.space : undefined)
  if (destination.kind === 'external') return destination.url
  if (destination.kind === 'site-section')
    return sections.find(({ id }) => id === destination.siteSectionId)?.title ?? '…'
  const name = space ? nameOfItem(space) : '…'
  if (destination.kind === 'site-space') return name
  return `${name} / ${pages.find(({ id }) => id === destination.pageId)?.title ?? '…'}`
}

/** The choice of a destination. */
export function DestinationField({
  path,
  value,
  onChange,
}: {
  path: SitePath
  value: Destination
  onChange: (value: Destination) => void
}) {
  const { spaces, sections } = useTargets(path)
  const chosen = 'siteSpaceId' in value ? spaces.find(({ id }) => id === value.siteSpaceId) : undefined
  const pages = usePages(chosen?.space)
  const place =
    value.kind === 'external'
      ? ''
      : value.kind === 'site-section'
        ? `section ${value.siteSectionId}`
        : `space ${value.siteSpaceId}`
  return (
    <>
      <ChoiceField
        label={t('site.it-leads-to')}
        value={place}
        onChange={(next) => {
          const [kind, id = ''] = next.split(' ')
          onChange(
            kind === 'section'
              ? { kind: 'site-section', siteSectionId: id }
              : kind === 'space'
                ? { kind: 'site-space', siteSpaceId: id }
                : { kind: 'external', url: '' },
          )
        }}
        options={[
          ['', t('site.an-address')],
          ...sections.map(
            (one) => [`section ${one.id}`, t('site.section-name', { name: one.title })] as const,
          ),
          ...spaces.map(
            (one) => [`space ${one.id}`, t('site.space-name', { name: nameOfItem(one) })] as const,
          ),
        ]}
      />
      {value.kind === 'external' ? (
        <LineField
          label={t('site.new-address')}
          type="url"
          value={value.url}
          onChange={(url) => onChange({ kind: 'external', url })}
          isRequired
        />
      ) : (
        'siteSpaceId' in value && (
          <ChoiceField
            label={t('common.page')}
            value={value.kind === 'site-page' ? value.pageId : ''}
            onChange={(pageId) =>
              onChange(
                pageId === ''
                  ? { kind: 'site-space', siteSpaceId: value.siteSpaceId }
                  : { kind: 'site-page', siteSpaceId: value.siteSpaceId, pageId },
              )
            }
            options={[['', t('site.the-first-page')], ...pages.map(({ id, title }) => [id, title] as const)]}
          />
        )
      )}
    </>
  )
}
