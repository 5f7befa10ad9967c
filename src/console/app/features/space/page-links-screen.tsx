import { Part } from '../../ui/fields.tsx'
import { useList } from '../../api/api.ts'
import { Rows } from '../../ui/parts.tsx'
import { PageFrame, type PageOfContent } from './page-frame.tsx'
import { t } from '../../words/words.ts'
import { Uses } from './uses.tsx'
import { PageLinkRow } from '../../pages/content-links.tsx'

/** The links of a page, and the pages that link to it. */
export function PageLinksScreen({ params }: { params: Record<string, string> }) {
  return (
    <PageFrame params={params} title={t('common.links-page')}>
      {(shown) => (
        <>
          <Part title={t('space.pages-link-here')}>
            <Uses
              path={`${shown.content}/page/${shown.page.id}/backlinks`}
              addressOf={shown.addressOf}
              none={t('space.no-page-links-one')}
            />
          </Part>
          <Part title={t('space.links-page')}>
            <OwnLinks shown={shown} />
          </Part>
        </>
      )}
    </PageFrame>
  )
}

function OwnLinks({ shown: { content, page, addressOf } }: { shown: PageOfContent }) {
  const links = useList(`${content}/page/${page.id}/links`)
  return (
    <>
      <Rows list={links} empty={t('space.page-no-links')}>
        {(link, at) => <PageLinkRow key={at} link={link} addressOf={addressOf} />}
      </Rows>
    </>
  )
}
