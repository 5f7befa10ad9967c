import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, ApiFault, useChange, useList } from '../../api/api.ts'
import { sendUpload } from '../../api/uploads.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { CheckField, LineField } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

type CustomFont = Schemas['CustomFont']

/** The weight that each font has. */
const REGULAR = 400
/** The weights that pages show, which the form offers. A font can have others by the API. */
const OFFERED = [REGULAR, 500, 600, 700]

/** The file of each weight that changes; null removes the weight. */
type Files = Readonly<Record<number, File | null | undefined>>

const weightName = (weight: number) =>
  ({
    400: t('organization.font-regular'),
    500: t('organization.font-medium'),
    600: t('organization.font-semi-bold'),
    700: t('common.bold'),
  })[weight] ?? String(weight)

const weightsOf = ({ fontFaces }: CustomFont) => fontFaces.map(({ weight }) => weight)

/** The fonts that the sites of an organization can have besides those that Lectern brings. */
export function FontsScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const fonts = useList(`/orgs/${organizationId}/fonts`)
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('common.fonts')}
      actions={({ permissions }) =>
        permissions.createContent && (
          <DialogButton
            label={t('organization.new-font')}
            title={t('organization.new-font')}
            kind="button main"
          >
            {(close) => <FontForm organizationId={organizationId} close={close} />}
          </DialogButton>
        )
      }
    >
      {() => (
        <>
          <p className="hint">{t('organization.fonts-of-sites')}</p>
          <Rows list={fonts} empty={t('organization.no-font-yet')}>
            {(font) => <FontRow key={font.id} font={font} organizationId={organizationId} />}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

function FontRow({ font, organizationId }: { font: CustomFont; organizationId: string }) {
  const remove = useChange(`DELETE /orgs/${organizationId}/fonts/${font.id}`, [
    `/orgs/${organizationId}/fonts`,
  ])
  const name = font.fontFamily
  return (
    <li>
      <span className="name">
        <span>{name}</span>
        <span>{weightsOf(font).map(weightName).join(', ')}</span>
      </span>
      {font.permissions.edit && (
        <span className="row-actions">
          <DialogButton label={<Named name={name}>{t('common.edit')}</Named>} title={name} kind="small quiet">
            {(close) => <FontForm organizationId={organizationId} font={font} close={close} />}
          </DialogButton>
          <ConfirmButton
            label={t('common.delete')}
            name={name}
            question={t('common.delete-title', { title: name })}
            text={t('organization.font-files-deleted')}
            change={remove}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
          />
        </span>
      )}
    </li>
  )
}

function FontForm({
  organizationId,
  font,
  close,
}: {
  organizationId: string
  font?: CustomFont
  close: () => void
}) {
  const [fontFamily, setFontFamily] = useState(font?.fontFamily ?? '')
  const [files, setFiles] = useState<Files>({})
  const save = useSaving(organizationId, font)
  const known = font ? weightsOf(font) : []
  const weights = [...new Set([...OFFERED, ...known])].toSorted((a, b) => a - b)
  return (
    <EditForm
      change={save}
      action={font ? t('common.save') : t('common.create')}
      close={close}
      onSubmit={() => save.mutate({ fontFamily, files }, { onSuccess: close })}
    >
      <LineField label={t('common.name')} value={fontFamily} onChange={setFontFamily} isRequired autoFocus />
      <p className="hint">{t('organization.font-formats')}</p>
      {weights.map((weight) => (
        <WeightField
          key={weight}
          weight={weight}
          isKnown={known.includes(weight)}
          file={files[weight]}
          onChange={(file) => setFiles((chosen) => ({ ...chosen, [weight]: file }))}
        />
      ))}
    </EditForm>
  )
}

/** The file of a weight, and whether a known weight goes. */
function WeightField({
  weight,
  isKnown,
  file,
  onChange,
}: {
  weight: number
  isKnown: boolean
  file: File | null | undefined
  onChange: (file: File | null | undefined) => void
}) {
  const id = useId()
  const name = weightName(weight)
  return (
    <div className="field">
      <label htmlFor={id}>{isKnown ? t('organization.other-font-file', { name }) : name}</label>
      <input
        id={id}
        type="file"
        accept=".woff2,.woff"
        required={weight === REGULAR && !isKnown}
        disabled={file === null}
        onChange={({ target }) => onChange(target.files?.[0])}
      />
      {isKnown && weight !== REGULAR && (
        <CheckField
          label={t('organization.remove-font-weight', { name })}
          isChecked={file === null}
          onChange={(isRemoved) => onChange(isRemoved ? null : undefined)}
        />
      )}
    </div>
  )
}

/** Sends the files of a font, and then creates or changes it. */
function useSaving(organizationId: string, font: CustomFont | undefined) {
  const client = useQueryClient()
  return useMutation<unknown, ApiFault, { fontFamily: string; files: Files }>({
    mutationFn: async ({ fontFamily, files }) => {
      const fontFaces: { weight: number; storageKey: string | null }[] = []
      for (const [weight, file] of Object.entries(files))
        if (file !== undefined)
          fontFaces.push({
            weight: Number(weight),
            storageKey: file && (await sendFile(organizationId, file)),
          })
      if (font) return api(`POST /orgs/${organizationId}/fonts/${font.id}`, { fontFamily, fontFaces })
      const sent = fontFaces.flatMap(({ weight, storageKey }) => (storageKey ? [{ weight, storageKey }] : []))
      return api(`PUT /orgs/${organizationId}/fonts`, { fontFamily, fontFaces: sent })
    },
    onSuccess: () => client.invalidateQueries(),
  })
}

/** Uploads a file. @returns the key of the upload @throws ApiFault, also for a file that begins as no font does */
async function sendFile(organizationId: string, file: File): Promise<string> {
  if (!/^wOF[2F]$/.test(await file.slice(0, 4).text()))
    throw new ApiFault(400, { message: t('organization.no-font-file', { name: file.name }) })
  const refused = t('editor.name-could-not-uploaded', { name: file.name })
  return (await sendUpload(organizationId, file, { kind: 'customization_font', refused })).key
}
