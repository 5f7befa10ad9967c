import type { Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'

/** Says that saving opens a change request, if the space changes only by these. */
export function ProposalHint({ space: { editMode } }: { space: Space }) {
  if (editMode === 'live') return null
  return <p className="hint">{t('space.pages-space-change-change')}</p>
}
