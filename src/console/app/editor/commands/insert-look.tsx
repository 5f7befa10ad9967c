import { PageIcon } from '../../ui/icons.tsx'
import { t } from '../../words/words.ts'
import type { Insert } from './insert-list.ts'

/** Shows a kind of block or inline in a menu: its icon, its name and its purpose. */
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
