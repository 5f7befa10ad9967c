/** A field for a text in which people mention others, and link pages. */
import { lazy, Suspense, type TextareaHTMLAttributes, useRef, useState } from 'react'
import type { CompletionPlace } from '../editor/completion/completions.ts'
import { type MentionNames, shownMentions, writtenMentions } from '../editor/completion/mention-text.ts'
import type { DiscussedPath } from '../api/paths.ts'
import type { Space } from '../api/types.ts'

/** Most people who read comments write none, so this is loaded with the first focus. */
const FieldCompletion = lazy(async () => ({
  default: (await import('../editor/completion/field-completion.tsx')).FieldCompletion,
}))

/** What a text is about. */
export interface TextSubject {
  /** The path of the space or change request below `/v1`. */
  base: DiscussedPath
  space: Space
}

/** What the completion offers in a text about something. */
const completionPlace = ({ base, space }: TextSubject): CompletionPlace => ({
  organizationId: space.organization,
  spaceId: space.id,
  content: `${base}/content`,
})

/** A field with completion. The caller gets Markdown, in which mentions name the users; the field shows their names. */
export function MarkdownArea({
  value,
  onChange,
  subject,
  isPlain = false,
  ...others
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  value: string
  onChange: (markdown: string) => void
  subject: TextSubject
  /** The text is shown as it is written, and not as Markdown. */
  isPlain?: boolean
}) {
  const place = completionPlace(subject)
  const names = useRef<MentionNames>(new Map())
  const [field, setField] = useState<HTMLTextAreaElement>()
  const shown = isPlain ? value : shownMentions(value, names.current)
  return (
    <>
      <textarea
        {...others}
        value={shown}
        onFocus={({ currentTarget }) => setField(currentTarget)}
        onChange={({ target }) =>
          onChange(isPlain ? target.value : writtenMentions(target.value, names.current))
        }
      />
      {field && (
        <Suspense>
          <FieldCompletion
            key={place.content}
            {...{ field, place, isPlain }}
            onMention={(name, user) => names.current.set(name, user)}
          />
        </Suspense>
      )}
    </>
  )
}
