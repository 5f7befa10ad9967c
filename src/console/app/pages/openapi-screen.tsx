import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { CheckField, ChoiceField, LineField } from '../ui/fields.tsx'
import { OrganizationFrame } from '../places/organization-frame.tsx'
import { useChange, useList } from '../api/api.ts'
import { EditForm } from '../ui/forms.tsx'
import { DialogButton, Rows } from '../ui/parts.tsx'
import { t } from '../words/words.ts'

/** An OpenAPI specification of an organization. */
export interface Specification {
  id: string
  slug: string
  sourceURL?: string
  visibility: 'private' | 'public'
  requestProxy: boolean
  processingState: 'pending' | 'progress' | 'complete'
  lastVersion?: string
  lastProcessedAt?: string
  lastProcessErrorCode?: string
  lastProcessedErrors?: { message: string; code?: string }[]
  permissions: { edit: boolean }
  urls: { published?: string }
}

/** How often a screen asks for the state while the server reads a source, in milliseconds. */
export const READING_POLL = 1500

/** How far the newest source of a specification is. */
export function stateText({ processingState, lastProcessErrorCode, lastVersion }: Specification): string {
  if (processingState !== 'complete') return t('Reading…')
  if (lastProcessErrorCode !== undefined)
    return lastVersion === undefined ? t('Could not be read') : t('The last update could not be read')
  return t('Ready')
}

/** The OpenAPI specifications of an organization. */
export function OpenApiScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const path = `/orgs/${organizationId}/openapi`
  const list = useList<Specification>(path)
  const client = useQueryClient()
  const isReading = list.items.some(({ processingState }) => processingState !== 'complete')
  useEffect(() => {
    if (!isReading) return undefined
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: ['api', path] }), READING_POLL)
    return () => clearInterval(timer)
  }, [isReading, client, path])
  return (
    <OrganizationFrame
      id={organizationId}
      title={t('OpenAPI specifications')}
      actions={({ permissions }) =>
        permissions?.createContent && (
          <DialogButton label={t('Add a specification')} title={t('Add a specification')} kind="button main">
            {(close) => <SourceForm organizationId={organizationId} close={close} />}
          </DialogButton>
        )
      }
    >
      {() => (
        <>
          <p className="hint">
            {t('A specification describes an API. Pages show its operations, and change with each version.')}
          </p>
          <Rows list={list} empty={t('There is no specification yet.')}>
            {(one) => (
              <li key={one.id}>
                <span className="name">
                  <Link href={`/o/${organizationId}/openapi/${one.slug}`}>{one.slug}</Link>
                  <span>{stateText(one)}</span>
                </span>
                {one.visibility === 'public' && <span className="tag">{t('public')}</span>}
              </li>
            )}
          </Rows>
        </>
      )}
    </OrganizationFrame>
  )
}

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
  const path: `/${string}` = `/orgs/${organizationId}/openapi`
  const [slug, setSlug] = useState(known?.slug ?? '')
  const [kind, setKind] = useState<'url' | 'file'>(known && known.sourceURL === undefined ? 'file' : 'url')
  const [url, setUrl] = useState(known?.sourceURL ?? '')
  const [isDeep, setDeep] = useState(false)
  const [file, setFile] = useState<{ name: string; text: string }>()
  const fileButton = useId()
  const save = useChange<{ slug?: string; source: SpecificationSource }>(
    known ? `PUT ${path}/${known.slug}` : `POST ${path}`,
    [path],
  )
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
