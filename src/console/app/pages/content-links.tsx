/** The links of a content, and why some are broken. */
import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../api/api.ts'
import { ChoiceField } from '../ui/fields.tsx'
import { More } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import type { Schemas } from '../api/operations/schemas.ts'
import type { DiscussedPath, WritablePath } from '../api/paths.ts'
import type { AnyOf, PageEntry } from '../api/types.ts'

/** A place of any kind. */
type Place = AnyOf<Schemas['ContentLocation']>

/** A target with the places that link to it. */
export type ContentLink = Omit<Schemas['LinkRecord'], 'targetReference' | 'locationReferences'> & {
  targetReference?: Place
  locationReferences: readonly Place[]
}

const reasons = (): Record<string, string> => ({
  target: t('page.does-not-exist-cannot'),
  anchor: t('page.page-no-such-heading'),
  'not-found': t('page.other-website-does-not'),
  gone: t('page.other-website-removed'),
  'unknown-host': t('page.there-no-such-website'),
})

type AddressOf = (page: Pick<PageEntry, 'id' | 'path'>) => string

/** The links of a content by their status. @param path the list of the links below `/v1` */
export function LinksOf({
  path,
  addressOf,
}: {
  path: `${DiscussedPath}/links` | `${WritablePath}/page/${string}/links`
  addressOf: AddressOf
}) {
  const [status, setStatus] = useState<'broken' | 'in-app' | 'ok'>('broken')
  const links = useList(`${path}?status=${status}`)
  return (
    <>
      <div className="fields-row">
        <ChoiceField
          label={t('common.show')}
          value={status}
          onChange={setStatus}
          options={[
            ['broken', t('page.broken-links')],
            ['in-app', t('page.links-only-members-can')],
            ['ok', t('page.links-that-work')],
          ]}
        />
      </div>
      {links.isSuccess && links.items.length === 0 && (
        <p className="message note">
          {status === 'broken' ? t('common.no-link-broken') : t('page.no-link-fits-filter')}
        </p>
      )}
      <ul className="rows">
        {links.items.map((link, at) => (
          <PageLinkRow key={`${status} ${at}`} link={link} addressOf={addressOf} />
        ))}
      </ul>
      <More list={links} />
    </>
  )
}

/** A target, why it is broken, and where it is linked. */
export function PageLinkRow({
  link: { reason, targetReference: target, locationCount: count, locationReferences: places },
  addressOf,
}: {
  link: ContentLink
  addressOf: AddressOf
}) {
  const shown = places.slice(0, 10)
  const address = places[0]?.link?.address ?? target?.url
  return (
    <li>
      <span className="name">
        <span>
          <code>{target?.page?.title ?? target?.file?.name ?? address ?? t('page.a-link')}</code>
        </span>
        {reason !== undefined && <span>{reasons()[reason] ?? reason}</span>}
        <span>
          {t('page.on')}{' '}
          {shown.map(({ page, reusableContent, link }, at) => (
            <span key={`${page?.id ?? ''} ${at}`}>
              {at > 0 && ', '}
              {page ? <Link href={addressOf(page)}>{page.title}</Link> : reusableContent?.title}
              {link?.line !== undefined && ` ${t('page.line-line', { line: link.line })}`}
            </span>
          ))}
          {count > shown.length && ` ${t('page.and-count-more', { count: count - shown.length })}`}
        </span>
      </span>
    </li>
  )
}
