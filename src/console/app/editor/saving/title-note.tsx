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
      {isShown && t('editor.title-cannot-condition-so')}
    </div>
  )
}
