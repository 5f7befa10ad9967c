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
    <PageFrame params={params} title={t('Links of this page')}>
      {(shown) => (
        <>
          <Part title={t('Pages that link here')}>
            <Uses
              path={`${shown.content}/page/${shown.page.id}/backlinks`}
              addressOf={shown.addressOf}
              none={t('No page links to this one.')}
            />
          </Part>
          <Part title={t('Links on this page')}>
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
      <Rows list={links} empty={t('The page has no links.')}>
        {(link, at) => <PageLinkRow key={at} link={link} addressOf={addressOf} />}
      </Rows>
    </>
  )
}
