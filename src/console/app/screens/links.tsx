import { SpaceFrame } from '../places/space-frame.tsx'
import { ReportButton } from '../import-export/kept-report.tsx'
import { ProposalFrame } from '../review/proposal.tsx'
import { t } from '../words/words.ts'
import { LinksOf } from '../pages/content-links.tsx'

/** The links of a space that do not work, or all of them. */
export function LinksScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('Links')} actions={<ReportButton place={{ spaceId }} />}>
      {() => (
        <LinksOf path={`/spaces/${spaceId}/links`} addressOf={({ path = '' }) => `/s/${spaceId}/${path}`} />
      )}
    </SpaceFrame>
  )
}

/** The links of the pages of a change request. */
export function ChangeRequestLinks({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params}>
      {({ base, home }) => (
        <>
          <h1>{t('Links')}</h1>
          <LinksOf path={`${base}/links`} addressOf={({ path = '' }) => `${home}/edit/${path}`} />
        </>
      )}
    </ProposalFrame>
  )
}
