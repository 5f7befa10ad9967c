/** The dialog of the sidebar that creates a space, a collection or an organization. */
import { useState } from 'react'
import { go, useChange } from '../../api/api.ts'
import { LineField } from '../../ui/fields.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { t } from '../../words/words.ts'
import { newSpaceBody } from '../../places/new-space.tsx'
import { type TemplateChoice, TemplateField } from '../../places/template-field.tsx'
import { type Creating, creating } from './creating.ts'

const close = () => creating.set(undefined)

/** @param what is not changed while the dialog is open */
export function CreateDialog({ what: { kind, organizationId, parent } }: { what: Creating }) {
  const [title, setTitle] = useState('')
  const [template, setTemplate] = useState<TemplateChoice>('')
  const space = useChange(`POST /orgs/${organizationId}/spaces`)
  const collection = useChange(`POST /orgs/${organizationId}/collections`)
  const organization = useChange('POST /orgs')
  const body = { title, ...(parent === undefined ? {} : { parent }) }
  const show = (to: string) => {
    close()
    go(to)
  }
  const send = () => {
    if (kind === 'space')
      space.mutate(newSpaceBody({ title, template, parent }), { onSuccess: ({ id }) => show(`/s/${id}`) })
    else if (kind === 'collection') collection.mutate(body, { onSuccess: ({ id }) => show(`/c/${id}`) })
    else organization.mutate({ title }, { onSuccess: ({ id }) => show(`/o/${id}/start`) })
  }
  const [name, change] = {
    space: [t('place.new-space'), space] as const,
    collection: [t('place.new-collection'), collection] as const,
    organization: [t('home.new-organization'), organization] as const,
  }[kind]
  return (
    <OpenDialog title={name} onClose={close}>
      <EditForm change={change} action={t('common.create')} close={close} onSubmit={send}>
        <LineField
          label={kind === 'organization' ? t('common.name') : t('common.title')}
          value={title}
          onChange={setTitle}
          isRequired
          autoFocus
          {...(kind === 'collection' && { hint: t('place.collection-holds-spaces-belong') })}
        />
        {kind === 'space' && (
          <TemplateField organizationId={organizationId} value={template} onChange={setTemplate} />
        )}
      </EditForm>
    </OpenDialog>
  )
}
