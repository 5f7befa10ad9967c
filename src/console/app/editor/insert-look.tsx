import { PageIcon } from '../pages/icons.tsx'
import { t } from '../words.ts'
import type { Insert } from './insert-list.ts'

/** What the menus show of a kind of block or inline: its icon, its name and what it is for. */
export function InsertLook({ what: { title, about, icon } }: { what: Insert }) {
  return (
    <>
      <span className="insert-icon">
        <PageIcon name={icon} />
      </span>
      <span>{t(title)} </span>
      <span className="insert-about">{t(about)}</span>
    </>
  )
}
