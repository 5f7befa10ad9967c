import { SpaceFrame } from '../../places/space-frame.tsx'
import { ReportButton } from '../../import-export/kept-report.tsx'
import { t } from '../../words/words.ts'
import { LinksOf } from '../../pages/content-links.tsx'

/** The links of a space that do not work, or all of them. */
export function LinksScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('common.links')} actions={<ReportButton place={{ spaceId }} />}>
      {() => (
        <LinksOf path={`/spaces/${spaceId}/links`} addressOf={({ path = '' }) => `/s/${spaceId}/${path}`} />
      )}
    </SpaceFrame>
  )
}
