/** Choosing, moving and removing the cover of a page. */
import { useState } from 'react'
import { Button, Label, Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import type { ContentRef } from '../../../../core/document/model.ts'
import { LineField } from '../../ui/fields.tsx'
import { useList } from '../../api/api.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { chooseFiles, storeFiles } from '../../editor/commands/files.ts'
import { CancelButton } from '../../ui/forms.tsx'
import { EmptyHint, More, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { PageCover } from '../../content/tree/page-fields.ts'
import { CoverImage } from '../../pages/cover-image.tsx'
import type { ContentPath, WritablePath } from '../../api/paths.ts'

/** The cover above a page that is edited, with what can be done to it. */
export function EditedCover({
  content,
  cover,
  onChange,
  onChoose,
}: {
  content: ContentPath
  cover: PageCover
  onChange: (cover: PageCover | null) => void
  onChoose: (variant: 'ref' | 'refDark') => void
}) {
  const [position, setPosition] = useState<number>()
  return (
    <div className="edited-cover">
      <CoverImage content={content} cover={cover} {...(position === undefined ? {} : { position })} />
      <div className="cover-tools">
        <Button className="button small" onPress={() => onChoose('ref')}>
          {t('editing.change-the-cover')}
        </Button>
        <Button className="button small" onPress={() => onChoose('refDark')}>
          {cover.refDark ? t('editing.change-dark-cover') : t('editing.add-dark-cover')}
        </Button>
        <Slider
          className="cover-slider"
          minValue={-500}
          maxValue={500}
          step={10}
          value={position ?? cover.yPos}
          onChange={setPosition}
          onChangeEnd={(yPos) => {
            if (yPos !== cover.yPos) onChange({ ...cover, yPos })
            setPosition(undefined)
          }}
        >
          <Label>{t('common.position')}</Label>
          <SliderTrack className="slider-track">
            <SliderThumb className="slider-thumb" />
          </SliderTrack>
        </Slider>
        <Button className="button small" onPress={() => onChange(null)}>
          {t('editing.remove-the-cover')}
        </Button>
      </div>
    </div>
  )
}

/** Lets a writer choose an image: a new one, one of the space, or one at an address. */
export function ImageDialog({
  title,
  content,
  organizationId,
  onChoose,
  onClose,
}: {
  title: string
  content: WritablePath
  organizationId: string
  onChoose: (ref: ContentRef) => void
  onClose: () => void
}) {
  const files = useList(`${content}/files`)
  const [url, setUrl] = useState('')
  const [problem, setProblem] = useState<Error | null>(null)
  const images = files.items.filter(({ contentType }) => contentType.startsWith('image/'))
  const upload = () =>
    chooseFiles('image/*', (chosen) => {
      storeFiles({ content, organizationId }, chosen.slice(0, 1)).then(
        ([file]) => file && onChoose({ kind: 'file', file: file.id }),
        setProblem,
      )
    })
  return (
    <OpenDialog title={title} onClose={onClose}>
      <Button className="button main" onPress={upload}>
        {t('editing.upload-an-image')}
      </Button>
      <Refusal error={problem} />
      <EmptyHint list={{ isSuccess: files.isSuccess && !files.hasNextPage, items: images }}>
        {t('editing.space-no-image-yet')}
      </EmptyHint>
      <ul className="image-choices" aria-label={t('editing.images-space')}>
        {images.map(({ id, name, downloadURL }) => (
          <li key={id}>
            <Button className="image-choice" onPress={() => onChoose({ kind: 'file', file: id })}>
              <img src={downloadURL} alt={name} loading="lazy" />
            </Button>
          </li>
        ))}
      </ul>
      <More list={files} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onChoose({ kind: 'url', url: url.trim() })
        }}
      >
        <LineField label={t('editing.address-image')} type="url" value={url} onChange={setUrl} />
        <div className="actions">
          <Button type="submit" className="button" isDisabled={!/^https?:\/\/\S+$/i.test(url.trim())}>
            {t('editing.use-this-address')}
          </Button>
          <CancelButton close={onClose} />
        </div>
      </form>
    </OpenDialog>
  )
}
