/** The name of a space in a list, and a button that creates one. */
import { useState } from 'react'
import { Link } from 'wouter'
import { go, useChange } from '../api/api.ts'
import { CreateButton } from '../ui/forms.tsx'
import type { Space } from '../api/types.ts'
import { t } from '../words/words.ts'
import { emojiText } from '../ui/emoji-code.ts'
import { LineField } from '../ui/fields.tsx'

/** A link to a space. */
export function SpaceName({ space }: { space: Space }) {
  return (
    <Link href={`/s/${space.id}`}>
      {space.emoji && <span aria-hidden="true">{emojiText(space.emoji)} </span>}
      {space.title || t('common.untitled')}
    </Link>
  )
}

/** A button that creates a space. @param parent the collection that it is in */
export function NewSpace({ organizationId, parent }: { organizationId: string; parent?: string }) {
  const [title, setTitle] = useState('')
  const create = useChange(`POST /orgs/${organizationId}/spaces`)
  return (
    <CreateButton
      label={t('place.new-space')}
      kind="button main"
      letter="C"
      create={create}
      body={{ title, ...(parent === undefined ? {} : { parent }) }}
      onCreated={({ id }) => go(`/s/${id}`)}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
    </CreateButton>
  )
}
