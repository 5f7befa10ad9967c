import { useState } from 'react'
import { go, useApi, useChange } from '../../api/api.ts'
import { emojiCode, emojiText } from '../../ui/emoji-code.ts'
import { CheckField, ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { ImportButton } from '../../import-export/import-dialog.tsx'
import { ReportButton } from '../../import-export/kept-report.tsx'
import { type Language, languageOptions } from '../../words/languages.ts'
import { MovePart, TransferPart } from '../../places/move.tsx'
import { DuplicateSpace, SpaceMerging, SyncedFrom } from './space-settings-parts.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { DownloadButton } from '../../import-export/download.tsx'
import { t } from '../../words/words.ts'

/** The settings of a space. */
export function SpaceSettingsScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('Settings')}>
      {(space) => {
        const placed = { ...space, path: `/spaces/${space.id}` as const }
        return space.permissions.admin ? (
          <>
            <SpaceName space={space} />
            <SpaceValues id={space.id} />
            <SpaceMerging space={space} />
            <SpaceContent space={space} />
            <SyncedFrom space={space} />
            <MovePart placed={placed} />
            <DuplicateSpace space={space} />
            <TransferPart placed={placed} name={space.title || t('Untitled')} to={`/s/${space.id}`} />
            <DeleteSpace space={space} />
          </>
        ) : (
          <p className="hint">{t('Changing these settings requires the role “Creator” on the space.')}</p>
        )
      }}
    </SpaceFrame>
  )
}

function SpaceName({ space }: { space: Space }) {
  const [title, setTitle] = useState(space.title)
  const [emoji, setEmoji] = useState(emojiText(space.emoji ?? ''))
  const [editMode, setEditMode] = useState(space.editMode)
  const [written, setWritten] = useState<Language | ''>(space.language ?? '')
  const change = useChange(`PATCH /spaces/${space.id}`)
  const code = emojiCode(emoji)
  return (
    <Part title={t('General')}>
      <EditForm
        change={change}
        action={t('Save')}
        onSubmit={() =>
          change.mutate({
            ...(title === space.title ? {} : { title }),
            ...(code === (space.emoji ?? '') ? {} : { emoji: code === '' ? null : code }),
            ...(editMode === space.editMode ? {} : { editMode }),
            ...(written === (space.language ?? '') ? {} : { language: written === '' ? null : written }),
          })
        }
      >
        <LineField label={t('Title')} value={title} onChange={setTitle} isRequired />
        <LineField label={t('Emoji')} value={emoji} onChange={setEmoji} />
        <ChoiceField
          label={t('Language')}
          value={written}
          onChange={setWritten}
          options={[['', t('Not set')], ...languageOptions()]}
        />
        <ChoiceField
          label={t('How pages are changed')}
          value={editMode}
          onChange={setEditMode}
          options={[
            ['locked', t('by change requests, which others can review')],
            ['live', t('by change requests, and directly')],
          ]}
        />
      </EditForm>
    </Part>
  )
}

interface SpaceValue {
  customField: { name: string; title: string; type: string; placeholder: string; options?: string[] }
  value?: string | number | boolean | string[]
}

/** The values that the space has for the fields of the organization. */
function SpaceValues({ id }: { id: string }) {
  const query = useApi(`/spaces/${id}/custom-fields`)
  if (!query.data || query.data.length === 0) return null
  return (
    <Part title={t('Custom fields')}>
      <ValuesForm fields={query.data} id={id} />
    </Part>
  )
}

function ValuesForm({ fields, id }: { fields: SpaceValue[]; id: string }) {
  const [values, setValues] = useState<Record<string, SpaceValue['value']>>({})
  const change = useChange(`PATCH /spaces/${id}/custom-fields`)
  return (
    <EditForm
      change={change}
      action={t('Save')}
      onSubmit={() =>
        change.mutate({
          values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
        })
      }
    >
      {fields.map((field) => {
        const { name } = field.customField
        return (
          <ValueField
            key={name}
            field={field}
            value={name in values ? values[name] : field.value}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        )
      })}
    </EditForm>
  )
}

function ValueField({
  field: { customField },
  value,
  onChange,
}: {
  field: SpaceValue
  value: SpaceValue['value']
  onChange: (value: SpaceValue['value']) => void
}) {
  const { type, options = [] } = customField
  const label = customField.title || customField.name
  if (type === 'boolean') return <CheckField label={label} isChecked={value === true} onChange={onChange} />
  if (type === 'select:single')
    return (
      <ChoiceField
        label={label}
        value={String(value ?? '')}
        onChange={(option) => onChange(option === '' ? undefined : option)}
        options={[['', t('No value')], ...options.map((one) => [one, one] as const)]}
      />
    )
  if (type === 'tags' || type === 'select:multi')
    return (
      <LineField
        label={label}
        value={Array.isArray(value) ? value.join(', ') : ''}
        onChange={(text) => onChange(text === '' ? undefined : text.split(/,\s?/))}
        hint={options.length > 0 ? t('Some of: {names}', { names: options.join(', ') }) : t('With commas')}
      />
    )
  return (
    <LineField
      label={label}
      value={value === undefined ? '' : String(value)}
      onChange={(text) => onChange(text === '' ? undefined : type === 'number' ? Number(text) : text)}
    />
  )
}

/** Downloads of the content, and imports into it. */
function SpaceContent({ space: { id, organization, editMode } }: { space: Space }) {
  const first = useApi(`/spaces/${id}/content/outline?limit=1`)
  // A locked space takes an import directly only while it is empty.
  const isProposed = editMode === 'locked' && first.data?.count !== 0
  return (
    <Part title={t('Content')}>
      <div className="actions">
        <DownloadButton of={{ base: `/spaces/${id}`, archive: `/spaces/${id}/content/export` }} />
        <ImportButton organizationId={organization} into={{ spaceId: id, isProposed }} />
        <ReportButton place={{ spaceId: id }} />
      </div>
    </Part>
  )
}

function DeleteSpace({ space: { id, title, organization } }: { space: Space }) {
  const remove = useChange(`DELETE /spaces/${id}`, [`/orgs/${organization}`])
  const sites = useApi(`/orgs/${organization}/sites?space=${id}`)
  return (
    <Part title={t('Delete this space')}>
      <Loaded query={sites} title={t('The sites of this space cannot be shown')}>
        {({ items }) => (
          <p className="hint">
            {items.length > 0
              ? t('It leaves these sites: {names}. You can restore it for seven days.', {
                  names: items.map((site) => site.title).join(', '),
                })
              : t('You can restore it for seven days.')}
          </p>
        )}
      </Loaded>
      <p>
        <ConfirmButton
          label={t('Move to the trash')}
          question={t('Move {name} to the trash?', { name: title || t('Untitled') })}
          text={t('Readers and members no longer see it.')}
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => go(`/o/${organization}/trash`) })}
        />
      </p>
    </Part>
  )
}
