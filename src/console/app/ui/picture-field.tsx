import { useEffect, useId, useRef } from 'react'
import { Button } from 'react-aria-components'
import { useChange } from '../api/api.ts'
import { Named, Refusal } from './parts.tsx'
import { t } from '../words/words.ts'
import { LineField } from './fields.tsx'
import type { SitePath } from '../api/paths.ts'

/** The bytes of a file as the API takes those of pictures. */
export async function base64Of(file: File): Promise<{ base64: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { base64: btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')) }
}

interface PictureProps {
  label: string
  url: string
  /** Why no file can be kept now. */
  unable?: string | undefined
  onChange: (url: string) => void
}

/** A picture in the look of a site: a file of the device, or an address. @param site its path below `/v1` */
export function PictureField({ site, ...shown }: PictureProps & { site: SitePath }) {
  const upload = useChange(`POST ${site}/pictures`, [])
  // While a picture is sent, other values of the form change: the newest handler knows them.
  const change = useRef(shown.onChange)
  useEffect(() => {
    change.current = shown.onChange
  })
  return (
    <UploadedPicture
      {...shown}
      isSending={upload.isPending}
      error={upload.error}
      onFile={(sent) => upload.mutate(sent, { onSuccess: ({ url }) => change.current(url) })}
    />
  )
}

/** A picture that is a file of the device or has an address. @param preview of a file that is not sent yet */
export function UploadedPicture({
  label,
  url,
  unable,
  preview,
  onChange,
  isSending = false,
  error = null,
  onFile,
}: PictureProps & {
  preview?: string | undefined
  isSending?: boolean
  error?: Error | null
  onFile: (sent: { base64: string }, file: File) => void
}) {
  const id = useId()
  const shown = preview ?? url
  return (
    <fieldset className="picture-field">
      <legend>{label}</legend>
      {shown !== '' && (
        <div className="picture-shown">
          <img src={shown} alt={label} />
          <Button className="small quiet" onPress={() => onChange('')}>
            <Named name={label}>{t('common.remove')}</Named>
          </Button>
        </div>
      )}
      <div className="field">
        <label htmlFor={id}>{t('common.upload-a-picture')}</label>
        <input
          id={id}
          type="file"
          accept="image/svg+xml,image/png,image/jpeg,image/gif,image/webp"
          disabled={isSending || unable !== undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void base64Of(file).then((sent) => onFile(sent, file))
          }}
        />
        <span id={`${id}-hint`} className="hint">
          {unable ?? t('common.svg-png-jpeg-gif')}
        </span>
      </div>
      <LineField label={t('common.or-its-address')} type="url" value={url} onChange={onChange} />
      <Refusal error={error} />
    </fieldset>
  )
}
