/** The fields for values of cells that are more than a number or a sign. */
import { useDeferredValue, useState } from 'react'
import { Button } from 'react-aria-components'
import type { CellValue, ContentRef, ImageCell } from '../../../../core/document/model.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { useList } from '../../api/api.ts'
import type { User } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { FileField, PickField, type PickContext, TargetField, usePeople } from './pick-fields.tsx'
import type { Column } from '../../content/schema/schema-table.ts'
import { IMAGE_FITS } from '../../content/schema/table-fields.ts'

interface CellFieldProps {
  column: Column
  value: CellValue
  onChange: (value: CellValue) => void
  context: PickContext
}

/** The field of a value. */
export function CellField({ column, value, onChange, context }: CellFieldProps) {
  const texts = Array.isArray(value) ? value : []
  switch (column.type) {
    case 'select':
      return (
        <>
          {column.options.map((one) => (
            <CheckField
              key={one.value}
              label={one.label}
              isChecked={texts.includes(one.value)}
              onChange={(isOn) =>
                onChange(isOn ? [...texts, one.value] : texts.filter((text) => text !== one.value))
              }
            />
          ))}
        </>
      )
    case 'users':
      return <People texts={texts} isSeveral={column.multiple} onChange={onChange} context={context} />
    case 'files':
      return <Files texts={texts} onChange={onChange} context={context} />
    case 'content-ref':
      return (
        <TargetField
          label={t('common.page-address')}
          value={(value as ContentRef | null) ?? undefined}
          onChange={(ref) => onChange(ref ?? null)}
          context={context}
          autoFocus
        />
      )
    case 'image':
      return <ImageValue value={value as ImageCell | null} onChange={onChange} context={context} />
    default:
      return null
  }
}

/** Things that are picked already, each with a button that takes it away. */
function Picked({
  texts,
  nameOf,
  onChange,
}: {
  texts: readonly string[]
  nameOf: (id: string) => string
  onChange: (value: string[] | null) => void
}) {
  return (
    <ul className="picked" aria-label={t('editor.chosen')}>
      {texts.map((id) => (
        <li key={id}>
          {nameOf(id)}
          <Button
            className="small quiet"
            aria-label={t('common.remove-name', { name: nameOf(id) })}
            onPress={() => onChange(texts.filter((one) => one !== id))}
          >
            ×
          </Button>
        </li>
      ))}
    </ul>
  )
}

interface Several {
  texts: string[]
  onChange: (value: string[] | null) => void
  context: PickContext
}

function People({ texts, isSeveral, onChange, context }: Several & { isSeveral: boolean }) {
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed)
  const { people, isFetching } = usePeople(context.organizationId, wanted)
  const [picked, setPicked] = useState<readonly User[]>([])
  const known = new Map([...people, ...picked].map((user) => [user.id, user]))
  return (
    <>
      <Picked
        texts={texts}
        nameOf={(id) => known.get(id)?.displayName ?? t('editor.somebody')}
        onChange={onChange}
      />
      <PickField
        key={texts.join(' ')}
        label={t('editor.person')}
        text=""
        choices={[...known.values()].map(({ id, displayName, email }) => ({
          id,
          title: displayName,
          ...(email !== undefined && { detail: email }),
        }))}
        onText={setTyped}
        onPick={(id) => {
          setPicked([...picked, ...people.filter((user) => user.id === id)])
          setTyped('')
          onChange(isSeveral ? [...new Set([...texts, id])] : [id])
        }}
        isSearching={typed !== wanted || isFetching}
        autoFocus
      />
    </>
  )
}

function Files({ texts, onChange, context }: Several) {
  const files = useList(`${context.content}/files?limit=1000`)
  const names = new Map(files.items.map(({ id, name }) => [id, name]))
  return (
    <>
      <Picked texts={texts} nameOf={(id) => names.get(id) ?? t('block.file')} onChange={onChange} />
      <FileField
        key={texts.join(' ')}
        label={t('block.file')}
        value={undefined}
        accept=""
        context={context}
        onChange={(ref) => {
          if (ref?.kind === 'file') onChange([...new Set([...texts, ref.file])])
        }}
        autoFocus
      />
    </>
  )
}

type ImageParts = Exclude<ImageCell, { kind: string }>

function ImageValue({
  value,
  onChange,
  context,
}: {
  value: ImageCell | null
  onChange: (value: CellValue) => void
  context: PickContext
}) {
  const parts: Partial<ImageParts> = value === null ? {} : 'ref' in value ? value : { ref: value }
  const set = (change: { [K in keyof ImageParts]?: ImageParts[K] | undefined }) => {
    const { ref, alt, objectFit } = { ...parts, ...change }
    if (!ref) onChange(null)
    else if (!alt && !objectFit) onChange(ref)
    else onChange({ ref, ...(objectFit ? { objectFit } : {}), ...(alt ? { alt } : {}) })
  }
  return (
    <>
      <FileField
        label={t('block.image')}
        value={parts.ref}
        accept="image/*"
        onChange={(ref) => set({ ref })}
        context={context}
        autoFocus
      />
      <LineField
        label={t('common.description-people-cannot-see')}
        value={parts.alt ?? ''}
        onChange={(alt) => set({ alt })}
      />
      <ChoiceField
        label={t('editor.how-fills-place')}
        value={parts.objectFit ?? ''}
        options={[
          ['' as const, t('common.site-shows')],
          ...IMAGE_FITS.map(([fit, label]) => [fit, t(label)] as const),
        ]}
        onChange={(fit) => set({ objectFit: fit === '' ? undefined : fit })}
      />
    </>
  )
}
