/** The elements around the title of a page in the editor: cover, icon, description, and the button for all fields. */
import { type ReactNode, useRef, useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { emojiCode, emojiText } from '../../ui/emoji-code.ts'
import { Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { EditedCover, ImageDialog } from './cover.tsx'
import { IconPicker } from '../../ui/icon-picker.tsx'
import { PageIcon } from '../../ui/icons.tsx'
import { type FullPage, useFieldChanges, usePageFields } from '../../content/tree/page-fields.ts'
import type { WritablePath } from '../../api/paths.ts'

interface PageHeadProps {
  content: WritablePath
  organizationId: string
  /** The id of the page. */
  page: string
  /** Shows all fields of the page. */
  onOptions: () => void
  /** More buttons beside these. */
  children?: ReactNode
}

/** The cover and the icon of a page, and the buttons that add them. */
export function PageHead({ content, organizationId, page: id, onOptions, children }: PageHeadProps) {
  const { data: page } = usePageFields(content, id)
  const fields = useFieldChanges(content)
  const [variant, setVariant] = useState<'ref' | 'refDark'>()
  if (!page) return null
  const { cover } = page
  return (
    <div className="page-head">
      {cover && (
        <EditedCover
          content={content}
          cover={cover}
          onChange={(next) => fields.set(page, { cover: next })}
          onChoose={setVariant}
        />
      )}
      <div className="head-tools">
        <IconButton page={page} onChange={(values) => fields.set(page, values)} />
        {!cover && (
          <Button className="small quiet" onPress={() => setVariant('ref')}>
            {t('editing.add-a-cover')}
          </Button>
        )}
        <Button className="small quiet" onPress={onOptions}>
          {t('editing.page-options')}
        </Button>
        {children}
      </div>
      <Refusal error={fields.error} />
      {variant && (
        <ImageDialog
          title={variant === 'ref' ? t('common.cover') : t('editing.cover-dark-mode')}
          content={content}
          organizationId={organizationId}
          onChoose={(ref) => {
            fields.set(page, { cover: { yPos: 0, ...cover, [variant]: ref } })
            setVariant(undefined)
          }}
          onClose={() => setVariant(undefined)}
        />
      )}
    </div>
  )
}

function IconButton({
  page,
  onChange,
}: {
  page: FullPage
  onChange: (values: { emoji?: string | null; icon?: string | null }) => void
}) {
  const { emoji, icon } = page
  return (
    <DialogTrigger>
      {emoji === undefined ? (
        <Button className="small quiet">
          {icon === undefined ? (
            t('editing.add-an-icon')
          ) : (
            <>
              <PageIcon name={icon} /> {t('editing.icon-name', { name: icon })}
            </>
          )}
        </Button>
      ) : (
        <Button className="quiet page-emoji" aria-label={t('editing.change-the-icon')}>
          {emojiText(emoji)}
        </Button>
      )}
      <Popover placement="bottom start">
        <Dialog className="icon-dialog" aria-label={t('block.icon')}>
          {({ close }) => (
            <IconPicker
              hasIcon={emoji !== undefined || icon !== undefined}
              onChoose={(choice) => {
                onChange(
                  choice === undefined
                    ? { emoji: null, icon: null }
                    : choice.kind === 'emoji'
                      ? { emoji: emojiCode(choice.text), icon: null }
                      : { emoji: null, icon: choice.text },
                )
                close()
              }}
            />
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** The description of a page, which is saved when the writer leaves it. */
export function PageDescription({ content, page: id }: Pick<PageHeadProps, 'content' | 'page'>) {
  const { data: page } = usePageFields(content, id)
  const fields = useFieldChanges(content)
  const field = useRef<HTMLTextAreaElement>(null)
  const [written, setWritten] = useState<string>()
  if (!page) return null
  const saved = page.description ?? ''
  const save = () => {
    if (written !== undefined && written.trim() !== saved)
      fields.set(page, { description: written.trim() || null }, () => setWritten(undefined))
  }
  return (
    <textarea
      ref={field}
      className="page-description"
      aria-label={t('common.description')}
      placeholder={t('editing.add-a-description')}
      rows={1}
      maxLength={10_000}
      value={written ?? saved}
      onChange={({ target }) => setWritten(target.value.replaceAll(/\s*\n\s*/g, ' '))}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setWritten(undefined)
        if (event.key !== 'Enter') return
        event.preventDefault()
        save()
        document.querySelector<HTMLElement>('.writing')?.focus()
      }}
    />
  )
}
