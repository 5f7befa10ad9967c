import { useState } from 'react'
import { go, useChange } from '../api/api.ts'
import { CreateButton } from '../ui/forms.tsx'
import { t } from '../words/words.ts'
import { LineField } from '../ui/fields.tsx'

/** A button that creates a collection. @param parent the collection around it */
export function NewCollection({ organizationId, parent }: { organizationId: string; parent?: string }) {
  const [title, setTitle] = useState('')
  const create = useChange(`POST /orgs/${organizationId}/collections`)
  return (
    <CreateButton
      label={t('place.new-collection')}
      create={create}
      body={{ title, ...(parent === undefined ? {} : { parent }) }}
      onCreated={({ id }) => go(`/c/${id}`)}
    >
      <LineField
        label={t('common.title')}
        value={title}
        onChange={setTitle}
        isRequired
        autoFocus
        hint={t('place.collection-holds-spaces-belong')}
      />
    </CreateButton>
  )
}
