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
  ['text', t('block.text')],
  ['number', t('common.number')],
  ['boolean', t('organization.yes-or-no')],
  ['tags', t('common.tags')],
  ['select:single', t('organization.one-several-options')],
  ['select:multi', t('organization.some-several-options')],
]

/** The fields that every space of an organization can have. */
export function CustomFieldsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const fields = useList(`/orgs/${organizationId}/custom-fields`)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.custom-fields')}
      actions={({ permissions }) => permissions.admin && <NewField organizationId={organizationId} />}
    >
      {({ permissions }) => (
        <>
          <Rows list={fields} empty={t('organization.there-no-field-yet')}>
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
            label={t('common.delete')}
            name={title}
            question={t('organization.delete-field-name', { name: title })}
            text={t('organization.values-spaces-deleted-too')}
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
    <DialogButton label={<Named name={name}>{t('common.edit')}</Named>} title={name} kind="small quiet">
      {(close) => (
        <EditForm
          change={change}
          action={t('common.save')}
          close={close}
          onSubmit={() =>
            change.mutate(
              { title, placeholder, ...(field.options ? { options: optionsOf(options) } : {}) },
              { onSuccess: close },
            )
          }
        >
          <LineField label={t('common.title')} value={title} onChange={setTitle} autoFocus />
          <LineField
            label={t('organization.example-empty-field')}
            value={placeholder}
            onChange={setPlaceholder}
          />
          {field.options && (
            <LineField
              label={t('organization.options-commas-between-them')}
              value={options}
              onChange={setOptions}
              isRequired
              hint={t('organization.spaces-lose-value-option')}
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
      label={t('organization.new-field')}
      kind="button main"
      create={create}
      body={{ name: nameFor(title), title, type, ...(hasOptions ? { options: optionsOf(options) } : {}) }}
      onCreated={() => {
        setTitle('')
        setOptions('')
      }}
    >
      <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
      <ChoiceField label={t('organization.kind')} value={type} onChange={setType} options={typeNames()} />
      {hasOptions && (
        <LineField
          label={t('organization.options-commas-between-them')}
          value={options}
          onChange={setOptions}
          isRequired
        />
      )}
    </CreateButton>
  )
}
