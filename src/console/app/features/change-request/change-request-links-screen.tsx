import { ProposalFrame } from './change-request-frame.tsx'
import { t } from '../../words/words.ts'
import { LinksOf } from '../../pages/content-links.tsx'

/** The links of the pages of a change request. */
export function ChangeRequestLinks({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params}>
      {({ base, home }) => (
        <>
          <h1>{t('common.links')}</h1>
          <LinksOf path={`${base}/links`} addressOf={({ path = '' }) => `${home}/edit/${path}`} />
        </>
      )}
    </ProposalFrame>
  )
}
