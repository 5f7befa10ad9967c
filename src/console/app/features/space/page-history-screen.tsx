import { PageFrame } from './page-frame.tsx'
import { t } from '../../words/words.ts'
import { Revisions } from '../../history/revisions.tsx'

/** The revisions in which a page changed, with the differences. */
export function PageHistoryScreen({ params }: { params: Record<string, string> }) {
  return (
    <PageFrame params={params} title={t('common.history-page')}>
      {({ space, page, content }) => (
        <div className="review">
          <Revisions path={`${content}/page/${page.id}/revisions`} space={space} pageId={page.id} />
        </div>
      )}
    </PageFrame>
  )
}
