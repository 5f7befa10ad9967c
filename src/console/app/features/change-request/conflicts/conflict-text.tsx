/** The text by which a person resolves a conflict: written as in a page, or as Markdown. */
import { useEffect, useRef, useState } from 'react'
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { Block, Document } from '../../../../../core/document/model.ts'
import { api, useChange } from '../../../api/api.ts'
import type { PagePlace } from '../../../api/page-place.ts'
import { PartEditor } from '../../../editor/part-editor.tsx'
import { Loading, Refusal } from '../../../ui/parts.tsx'
import { t } from '../../../words/words.ts'
import type { ConflictWriting } from './kept-conflict.ts'
import { ShownMarkdown } from '../../../diff/shown/shown-markdown.tsx'

type Form = { is: 'text'; blocks: readonly Block[] } | { is: 'markdown'; hint?: string }

interface TextProps {
  /** The text with which the user begins, or goes on. */
  writing: ConflictWriting
  place: PagePlace
  organizationId: string
  isBusy: boolean
  /** Called after each change. */
  onWrite: (writing: ConflictWriting) => void
  onSave: (markdown: string) => void
  onCancel: () => void
}

/** A text in the one or the other form. */
type TwoForms = ReturnType<typeof useTwoForms>

/** The text, which the server converts from one form to the other. */
function useTwoForms({ writing, place, onWrite }: Pick<TextProps, 'writing' | 'place' | 'onWrite'>) {
  const { start, blocks: kept } = writing
  const [form, setForm] = useState<Form>()
  const [markdown, setMarkdown] = useState(writing.markdown ?? start)
  // The blocks that the user has written since the text was Markdown.
  const written = useRef(kept)
  const read = useChange(`POST /spaces/${place.spaceId}/content/markdown`, [])
  const print = useChange(`POST /spaces/${place.spaceId}/content/document`, [])
  useEffect(() => {
    let isGone = false
    openingForm(writing, place.spaceId).then(
      (opened) => isGone || setForm(opened),
      () => isGone || setForm({ is: 'markdown' }),
    )
    return () => {
      isGone = true
    }
    // It is opened once.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [])
  /** Returns the written text as Markdown. A text that nobody has changed keeps its Markdown. */
  const printed = async (): Promise<string> => {
    if (!written.current) return markdown
    const document = documentOf(written.current)
    return (await print.mutateAsync({ document })).markdown.replace(/\n$/, '')
  }
  return {
    form,
    markdown,
    printed,
    isPending: read.isPending || print.isPending,
    error: read.error ?? print.error,
    async showText() {
      const { nodes } = await read.mutateAsync({ markdown })
      if (markdown !== start) onWrite({ start, blocks: nodes })
      setForm({ is: 'text', blocks: nodes })
    },
    async showMarkdown() {
      const text = await printed()
      setMarkdown(text)
      if (text !== start) onWrite({ start, markdown: text })
      written.current = undefined
      setForm({ is: 'markdown' })
    },
    writeBlocks(blocks: readonly Block[]) {
      written.current = blocks
      onWrite({ start, blocks })
    },
    writeMarkdown(text: string) {
      setMarkdown(text)
      onWrite({ start, markdown: text })
    },
  }
}

/** The form in which a text is opened: as it was kept, or in that of pages if it means the same without its page. */
async function openingForm({ start, markdown, blocks }: ConflictWriting, spaceId: string): Promise<Form> {
  const document = await api(`POST /spaces/${spaceId}/content/markdown`, { markdown: start })
  const alone = await api(`POST /spaces/${spaceId}/content/document`, { document })
  if (needsItsPage(start, alone.markdown))
    return { is: 'markdown', hint: t('change-request.part-belongs-others-page') }
  return markdown === undefined ? { is: 'text', blocks: blocks ?? document.nodes } : { is: 'markdown' }
}

const ignore = () => undefined

export function ConflictText({
  writing,
  place,
  organizationId,
  isBusy,
  onWrite,
  onSave,
  onCancel,
}: TextProps) {
  const text = useTwoForms({ writing, place, onWrite })
  const { form } = text
  if (!form) return <Loading />
  const isWaiting = isBusy || text.isPending
  return (
    <div className="compose">
      {!(form.is === 'markdown' && form.hint !== undefined) && (
        <FormSwitch text={text} form={form} isWaiting={isWaiting} />
      )}
      {form.is === 'text' ? (
        <PartEditor
          label={t('change-request.new-text')}
          blocks={form.blocks}
          place={place}
          organizationId={organizationId}
          onChange={text.writeBlocks}
        />
      ) : (
        <MarkdownField text={text} hint={form.hint} spaceId={place.spaceId} />
      )}
      <Refusal error={text.error} />
      <div className="actions">
        <Button
          className="button main"
          isDisabled={isWaiting}
          onPress={() => void text.printed().then(onSave, ignore)}
        >
          {t('common.save')}
        </Button>
        <Button className="button" onPress={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}

function FormSwitch({
  text: { showText, showMarkdown },
  form,
  isWaiting,
}: {
  text: TwoForms
  form: Form
  isWaiting: boolean
}) {
  return (
    <ToggleButtonGroup
      className="mode-switch"
      aria-label={t('change-request.form-text')}
      disallowEmptySelection
      isDisabled={isWaiting}
      selectedKeys={[form.is]}
      onSelectionChange={(keys) => {
        if (keys.has(form.is)) return
        // The reason of a refusal is shown below.
        const show = form.is === 'text' ? showMarkdown : showText
        show().catch(ignore)
      }}
    >
      <ToggleButton id="text" className="tool">
        {t('block.text')}
      </ToggleButton>
      <ToggleButton id="markdown" className="tool">
        {t('change-request.markdown')}
      </ToggleButton>
    </ToggleButtonGroup>
  )
}

/** The text as Markdown, with a preview. @param hint why it has no other form */
function MarkdownField({
  text: { markdown, writeMarkdown },
  hint,
  spaceId,
}: {
  text: TwoForms
  hint: string | undefined
  spaceId: string
}) {
  return (
    <>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <label>
        {t('change-request.new-text')}
        <textarea
          rows={6}
          value={markdown}
          autoFocus
          onChange={({ target }) => writeMarkdown(target.value)}
        />
      </label>
      {markdown !== '' && (
        <>
          <p className="doc-kind">{t('common.preview')}</p>
          <ShownMarkdown spaceId={spaceId} markdown={markdown} />
        </>
      )}
    </>
  )
}

const documentOf = (nodes: readonly Block[]): Document => ({
  object: 'document',
  data: {},
  nodes: [...nodes],
})

/**
 * Whether a part of a page means something only with the rest: `[^1]` and `[guide][1]` are signs of the text without it,
 * which printing escapes, and the title is a heading like any other.
 */
function needsItsPage(source: string, alone: string): boolean {
  const escaped = (text: string) => text.split('\\[').length
  return escaped(alone) > escaped(source) || (alone.startsWith('## ') && !source.startsWith('## '))
}
