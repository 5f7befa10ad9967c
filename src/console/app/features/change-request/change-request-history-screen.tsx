import { ProposalFrame } from './change-request-frame.tsx'
import { t } from '../../words/words.ts'
import { Revisions } from '../../history/revisions.tsx'

/** The revisions of a change request. */
export function ChangeRequestHistory({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params}>
      {({ base, space }) => (
        <>
          <h1>{t('common.history')}</h1>
          <Revisions path={`${base}/revisions`} space={space} />
        </>
      )}
    </ProposalFrame>
  )
}
