import { useState } from 'react'
import { go, useApi, useChange } from '../../api/api.ts'
import { emojiCode, emojiText } from '../../ui/emoji-code.ts'
import { CheckField, ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { ImportButton } from '../../import-export/import-dialog.tsx'
import { ReportButton } from '../../import-export/kept-report.tsx'
import { LanguageField } from '../../ui/language-field.tsx'
import { isLanguageCode } from '../../words/languages.ts'
import { MovePart, TransferPart } from '../../places/move.tsx'
import { DuplicateSpace, SpaceMerging, SyncedFrom } from './space-settings-parts.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { DownloadButton } from '../../import-export/download.tsx'
import { t } from '../../words/words.ts'

/** The settings of a space. */
export function SpaceSettingsScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('common.settings')}>
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
            <TransferPart placed={placed} name={space.title || t('common.untitled')} to={`/s/${space.id}`} />
            <DeleteSpace space={space} />
          </>
        ) : (
          <p className="hint">{t('space.changing-these-settings-requires')}</p>
        )
      }}
    </SpaceFrame>
  )
}

function SpaceName({ space }: { space: Space }) {
  const [title, setTitle] = useState(space.title)
  const [emoji, setEmoji] = useState(emojiText(space.emoji ?? ''))
  const [editMode, setEditMode] = useState(space.editMode)
  const spoken = space.languageTag ?? space.language ?? ''
  const [written, setWritten] = useState(spoken)
  const change = useChange(`PATCH /spaces/${space.id}`)
  const code = emojiCode(emoji)
  return (
    <Part title={t('common.general')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() =>
          change.mutate({
            ...(title === space.title ? {} : { title }),
            ...(code === (space.emoji ?? '') ? {} : { emoji: code === '' ? null : code }),
            ...(editMode === space.editMode ? {} : { editMode }),
            ...(written === spoken ? {} : languageFields(written)),
          })
        }
      >
        <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired />
        <LineField label={t('block.emoji')} value={emoji} onChange={setEmoji} />
        <LanguageField
          label={t('common.language')}
          value={written}
          onChange={setWritten}
          none={t('space.not-set')}
        />
        <ChoiceField
          label={t('common.how-pages-changed')}
          value={editMode}
          onChange={setEditMode}
          options={[
            ['locked', t('space.change-requests-others-can')],
            ['live', t('space.change-requests-directly')],
          ]}
        />
      </EditForm>
    </Part>
  )
}

/** The fields of a request that set a language, which is a code or a tag; empty for none. */
function languageFields(written: string) {
  if (written === '') return { language: null }
  return isLanguageCode(written) ? { language: written } : { languageTag: written }
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
    <Part title={t('common.custom-fields')}>
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
      action={t('common.save')}
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
        options={[['', t('space.no-value')], ...options.map((one) => [one, one] as const)]}
      />
    )
  if (type === 'tags' || type === 'select:multi')
    return (
      <LineField
        label={label}
        value={Array.isArray(value) ? value.join(', ') : ''}
        onChange={(text) => onChange(text === '' ? undefined : text.split(/,\s?/))}
        hint={
          options.length > 0
            ? t('space.some-of-names', { names: options.join(', ') })
            : t('space.with-commas')
        }
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
    <Part title={t('space.content')}>
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
    <Part title={t('space.delete-this-space')}>
      <Loaded query={sites} title={t('space.sites-space-cannot-shown')}>
        {({ items }) => (
          <p className="hint">
            {items.length > 0
              ? t('space.leaves-these-sites-names', {
                  names: items.map((site) => site.title).join(', '),
                })
              : t('space.can-restore-seven-days')}
          </p>
        )}
      </Loaded>
      <p>
        <ConfirmButton
          label={t('space.move-trash')}
          question={t('space.move-name-trash', { name: title || t('common.untitled') })}
          text={t('space.readers-members-no-longer')}
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => go(`/o/${organization}/trash`) })}
        />
      </p>
    </Part>
  )
}
