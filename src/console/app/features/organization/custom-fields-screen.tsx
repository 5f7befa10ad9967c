import { useState } from 'react'
import { useChange, useList } from '../../api/api.ts'
import { ChoiceField, LineField } from '../../ui/fields.tsx'
import { ConfirmButton, CreateButton, EditForm } from '../../ui/forms.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { OrganizationPath } from '../../api/paths.ts'

type FieldDefinition = Schemas['CustomField']
type FieldPath = `${OrganizationPath}/custom-fields/${string}`

type FieldType = FieldDefinition['type']

const typeNames = (): [type: FieldType, title: string][] => [
  ['text', t('Text')],
  ['number', t('Number')],
  ['boolean', t('Yes or no')],
  ['tags', t('Tags')],
  ['select:single', t('One of several options')],
  ['select:multi', t('Some of several options')],
]

/** The fields that every space of an organization can have. */
export function CustomFieldsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const fields = useList(`/orgs/${organizationId}/custom-fields`)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('Custom fields')}
      actions={({ permissions }) => permissions.admin && <NewField organizationId={organizationId} />}
    >
      {({ permissions }) => (
        <>
          <Rows
            list={fields}
            empty={t(
              'There is no field yet. A field is something to note about each space, such as its owner or its product.',
            )}
          >
            {(field) => (
              <FieldRow
                key={field.name}
                field={field}
                path={`/orgs/${organizationId}/custom-fields/${field.name}`}
                canChange={permissions.admin}
              />
            )}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

function FieldRow({
  field,
  path,
  canChange,
}: {
  field: FieldDefinition
  path: FieldPath
  canChange: boolean
}) {
  const remove = useChange(`DELETE ${path}`)
  const title = field.title || field.name
  return (
    <li>
      <span className="name">
        <span>{title}</span>
        <span>
          {typeNames().find(([one]) => one === field.type)?.[1]}
          {field.options && `: ${field.options.join(', ')}`}
        </span>
      </span>
      {canChange && (
        <span className="row-actions">
          <EditField field={field} path={path} />
          <ConfirmButton
            label={t('Delete')}
            name={title}
            question={t('Delete the field {name}?', { name: title })}
            text={t('The values that spaces have for it are deleted too.')}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
          />
        </span>
      )}
    </li>
  )
}

/** The options that a text with commas names. */
const optionsOf = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

function EditField({ field, path }: { field: FieldDefinition; path: FieldPath }) {
  const [title, setTitle] = useState(field.title)
  const [placeholder, setPlaceholder] = useState(field.placeholder ?? '')
  const [options, setOptions] = useState(field.options?.join(', ') ?? '')
  const change = useChange(`PATCH ${path}`)
  const name = field.title || field.name
  return (
    <DialogButton label={<Named name={name}>{t('Edit')}</Named>} title={name} kind="small quiet">
      {(close) => (
        <EditForm
          change={change}
          action={t('Save')}
          close={close}
          onSubmit={() =>
            change.mutate(
              { title, placeholder, ...(field.options ? { options: optionsOf(options) } : {}) },
              { onSuccess: close },
            )
          }
        >
          <LineField label={t('Title')} value={title} onChange={setTitle} autoFocus />
          <LineField label={t('Example in the empty field')} value={placeholder} onChange={setPlaceholder} />
          {field.options && (
            <LineField
              label={t('Options, with commas between them')}
              value={options}
              onChange={setOptions}
              isRequired
              hint={t('Spaces lose the value of an option that you remove.')}
            />
          )}
        </EditForm>
      )}
    </DialogButton>
  )
}

/** The name of a field that its title makes, as the API wants it. */
const nameFor = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50) || `field-${Date.now().toString(36)}`

function NewField({ organizationId }: { organizationId: string }) {
  const [title, setTitle] = useState('')
  const [type, setType] = useState<FieldType>('text')
  const [options, setOptions] = useState('')
  const create = useChange(`POST /orgs/${organizationId}/custom-fields`)
  const hasOptions = type.startsWith('select')
  return (
    <CreateButton
      label={t('New field')}
      kind="button main"
      create={create}
      body={{ name: nameFor(title), title, type, ...(hasOptions ? { options: optionsOf(options) } : {}) }}
      onCreated={() => {
        setTitle('')
        setOptions('')
      }}
    >
      <LineField label={t('Title')} value={title} onChange={setTitle} isRequired autoFocus />
      <ChoiceField label={t('Kind')} value={type} onChange={setType} options={typeNames()} />
      {hasOptions && (
        <LineField
          label={t('Options, with commas between them')}
          value={options}
          onChange={setOptions}
          isRequired
        />
      )}
    </CreateButton>
  )
}
