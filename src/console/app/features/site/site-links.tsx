/** The links in the header and the footer of a site. */
import { Button } from 'react-aria-components'
import { Named } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { LineField } from '../../ui/fields.tsx'
import type { Schemas } from '../../api/operations/schemas.ts'

/** A link of a site. Only addresses are edited here; links to pages and others are kept. */
type Link = Schemas['SiteLink'] | Schemas['SiteHeaderLink']

const NEW_LINK = { title: '', to: { kind: 'url' as const, url: 'https://' }, links: [] }

/** A list of links that can be added, changed, moved and removed. */
export function LinksField<L extends Link>({
  label,
  links,
  onChange,
}: {
  label: string
  links: readonly L[]
  onChange: (links: (L | typeof NEW_LINK)[]) => void
}) {
  const set = (at: number, link: L) => onChange(links.with(at, link))
  return (
    <fieldset className="site-links">
      <legend>{label}</legend>
      {links.map((link, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- links have no other identity
        <div key={at} className="fields-row">
          <LineField
            label={t('block.text')}
            value={link.title}
            onChange={(title) => set(at, { ...link, title })}
            isRequired
          />
          {link.to?.kind === 'url' ? (
            <LineField
              label={t('common.address')}
              type="url"
              value={link.to.url}
              onChange={(url) => set(at, { ...link, to: { kind: 'url', url } })}
              isRequired
            />
          ) : (
            <span className="hint">
              {link.to
                ? t('site.opens-page-space-set')
                : t('site.menu-count-links', { count: 'links' in link ? link.links.length : 0 })}
            </span>
          )}
          <span className="row-actions">
            <Button
              className="small quiet"
              aria-label={t('common.move-name-up', { name: link.title })}
              isDisabled={at === 0}
              onPress={() => onChange(links.with(at, links[at - 1]!).with(at - 1, link))}
            >
              ↑
            </Button>
            <Button className="small quiet" onPress={() => onChange(links.toSpliced(at, 1))}>
              <Named name={link.title}>{t('common.remove')}</Named>
            </Button>
          </span>
        </div>
      ))}
      <Button className="button small" onPress={() => onChange([...links, NEW_LINK])}>
        {t('site.add-a-link')}
      </Button>
    </fieldset>
  )
}
