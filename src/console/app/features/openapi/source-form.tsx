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
      action={known ? t('block.update') : t('common.add')}
      onSubmit={() => {
        if (source) save.mutate({ ...(known ? {} : { slug }), source }, { onSuccess: close })
      }}
      close={close}
      unable={source ? undefined : fileButton}
    >
      {!known && (
        <LineField
          label={t('openapi.short-name')}
          value={slug}
          onChange={(next) => setSlug(next.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-'))}
          hint={t('openapi.small-letters-digits-dashes')}
          isRequired
          autoFocus
        />
      )}
      <ChoiceField
        label={t('common.source')}
        value={kind}
        onChange={setKind}
        options={[
          ['url', t('openapi.an-address')],
          ['file', t('openapi.a-file')],
        ]}
      />
      {kind === 'url' ? (
        <>
          <LineField label={t('common.address')} type="url" value={url} onChange={setUrl} isRequired />
          <CheckField label={t('openapi.also-fetch-files-refers')} isChecked={isDeep} onChange={setDeep} />
        </>
      ) : (
        <Button id={fileButton} className="button" onPress={() => chooseText(setFile)}>
          {file?.name ?? t('openapi.choose-json-yaml-file')}
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
