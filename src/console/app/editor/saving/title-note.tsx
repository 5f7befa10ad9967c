import { useState } from 'react'
import { hidingTag, withoutTagsIn } from '../../../../core/document/markdown/hiding-tags.ts'
import { t } from '../../words/words.ts'

/** Says that the title of a page is saved without the tag of a condition, until the writer changes the saved title. */
export function TitleNote({ title }: { title: string }) {
  const [saved, setSaved] = useState<string>()
  const isTagged = hidingTag(title) !== undefined
  if (isTagged && saved !== withoutTagsIn(title)) setSaved(withoutTagsIn(title))
  const isShown = isTagged || title === saved
  return (
    <div role="status" className={isShown ? 'typed-tag' : undefined}>
      {isShown &&
        t(
          'A title cannot have a condition, so it is saved without the tag. To choose who sees the page, set “Who sees this page” in “Page options”.',
        )}
    </div>
  )
}
