import { emojiText } from '../../ui/emoji-code.ts'
import { t } from '../../words/words.ts'
import { PageIcon } from '../../ui/icons.tsx'
import type { OutlinePage } from './levels.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './pages.css'

/** A page as trees name it: its emoji, its title, and whether readers find it there. */
export function PageName({
  page: { title, linkTitle, emoji, icon, hidden, type, condition },
}: {
  page: OutlinePage
}) {
  return (
    <>
      {emoji && <span aria-hidden="true">{emojiText(emoji)} </span>}
      {!emoji && icon && <PageIcon name={icon} />}
      {linkTitle ?? (title || t('common.untitled'))}
      {type === 'link' && <span aria-hidden="true"> ↗</span>}
      {(hidden === true || condition !== undefined) && (
        <small className="page-note">{hidden === true ? t('page.hidden') : t('page.for-some')}</small>
      )}
    </>
  )
}
