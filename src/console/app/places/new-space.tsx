/** The name of a space in a list, and a button that creates one. */
import { useState } from 'react'
import { Link } from 'wouter'
import { go, useChange } from '../api/api.ts'
import { CreateButton } from '../ui/forms.tsx'
import type { Space } from '../api/types.ts'
import { t } from '../words/words.ts'
import { emojiText } from '../ui/emoji-code.ts'
import { LineField } from '../ui/fields.tsx'
import { type TemplateChoice, TemplateField } from './template-field.tsx'

/** A link to a space. */
export function SpaceName({ space }: { space: Space }) {
  return (
    <Link href={`/s/${space.id}`}>
      {space.emoji && <span aria-hidden="true">{emojiText(space.emoji)} </span>}
      {space.title || t('common.untitled')}
    </Link>
  )
}

/** The body of the request that creates a space. */
export const newSpaceBody = ({
  title,
  template,
  parent,
}: {
  title: string
  template: TemplateChoice
  parent?: string | undefined
}) => ({
  title,
  ...(template !== '' && { template }),
  ...(parent !== undefined && { parent }),
})

/** A button that creates a space. @param parent the collection that it is in */
export function NewSpace({ organizationId, parent }: { organizationId: string; parent?: string }) {
  const [title, setTitle] = useState('')
  const [template, setTemplate] = useState<TemplateChoice>('')
  const create = useChange(`POST /orgs/${organizationId}/spaces`)
  return (
    <CreateButton
      label={t('place.new-space')}
      kind="button main"
      letter="C"
      create={create}
      body={newSpaceBody({ title, template, parent })}
      onCreated={({ id }) => go(`/s/${id}`)}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <TemplateField organizationId={organizationId} value={template} onChange={setTemplate} />
    </CreateButton>
  )
}
