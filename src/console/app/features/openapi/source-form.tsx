import { useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import { useChange } from '../../api/api.ts'
import { EditForm } from '../../ui/forms.tsx'
import { t } from '../../words/words.ts'
import type { Specification } from './specification.ts'

type SpecificationSource = { url: string; externalReferences?: boolean } | { text: string }

/** Where a specification comes from. @param known the specification to update; a new one for none */
export function SourceForm({
  organizationId,
  known,
  close,
}: {
  organizationId: string
  known?: Specification
  close: () => void
}) {
  const path = `/orgs/${organizationId}/openapi` as const
  const [slug, setSlug] = useState(known?.slug ?? '')
  const [kind, setKind] = useState<'url' | 'file'>(known && known.sourceURL === undefined ? 'file' : 'url')
  const [url, setUrl] = useState(known?.sourceURL ?? '')
  const [isDeep, setDeep] = useState(false)
  const [file, setFile] = useState<{ name: string; text: string }>()
  const fileButton = useId()
  const save = useChange(known ? `PUT ${path}/${known.slug}` : `POST ${path}`, [path])
  const source: SpecificationSource | undefined =
    kind === 'file' ? file && { text: file.text } : { url, externalReferences: isDeep }
  return (
    <EditForm
      change={save}
      action={known ? t('Update') : t('Add')}
      onSubmit={() => {
        if (source) save.mutate({ ...(known ? {} : { slug }), source }, { onSuccess: close })
      }}
      close={close}
      unable={source ? undefined : fileButton}
    >
      {!known && (
        <LineField
          label={t('Short name')}
          value={slug}
          onChange={(next) => setSlug(next.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-'))}
          hint={t('Small letters, digits and dashes, such as orders-api. It cannot change later.')}
          isRequired
          autoFocus
        />
      )}
      <ChoiceField
        label={t('Source')}
        value={kind}
        onChange={setKind}
        options={[
          ['url', t('An address')],
          ['file', t('A file')],
        ]}
      />
      {kind === 'url' ? (
        <>
          <LineField label={t('Address')} type="url" value={url} onChange={setUrl} isRequired />
          <CheckField
            label={t('Also fetch the files that it refers to')}
            isChecked={isDeep}
            onChange={setDeep}
          />
        </>
      ) : (
        <Button id={fileButton} className="button" onPress={() => chooseText(setFile)}>
          {file?.name ?? t('Choose a JSON or YAML file')}
        </Button>
      )}
    </EditForm>
  )
}

/** Reads a text file of the device. */
function chooseText(take: (file: { name: string; text: string }) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.json,.yaml,.yml'
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) void file.text().then((text) => take({ name: file.name, text }))
  })
  input.click()
}
