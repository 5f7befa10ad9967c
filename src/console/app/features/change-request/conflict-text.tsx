/** The text by which a person resolves a conflict: written as in a page, or as Markdown. */
import { useEffect, useRef, useState } from 'react'
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { Block, Document } from '../../../../core/document/model.ts'
import { api, useChange } from '../../api/api.ts'
import type { PagePlace } from '../../api/page-place.ts'
import { PartEditor } from '../../editor/part-editor.tsx'
import { Loading, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { ConflictWriting } from './kept-conflict.ts'
import { ShownMarkdown } from '../../diff/shown/shown-markdown.tsx'

type Form = { is: 'text'; blocks: readonly Block[] } | { is: 'markdown'; hint?: string }

export function ConflictText({
  writing,
  place,
  organizationId,
  isBusy,
  onWrite,
  onSave,
  onCancel,
}: {
  /** The text with which the user begins, or goes on. */
  writing: ConflictWriting
  place: PagePlace
  organizationId: string
  isBusy: boolean
  /** Called after each change. */
  onWrite: (writing: ConflictWriting) => void
  onSave: (markdown: string) => void
  onCancel: () => void
}) {
  const { start, blocks: kept } = writing
  const [form, setForm] = useState<Form>()
  const [markdown, setMarkdown] = useState(writing.markdown ?? start)
  // The blocks that the user has written since the text was Markdown.
  const written = useRef(kept)
  const read = useChange(`POST /spaces/${place.spaceId}/content/markdown`, [])
  const print = useChange(`POST /spaces/${place.spaceId}/content/document`, [])
  /** Returns the written text as Markdown. A text that nobody has changed keeps its Markdown. */
  const printed = async (): Promise<string> => {
    if (!written.current) return markdown
    const document = documentOf(written.current)
    return (await print.mutateAsync({ document })).markdown.replace(/\n$/, '')
  }
  const showText = async (source: string) => {
    const { nodes } = await read.mutateAsync({ markdown: source })
    if (source !== start) onWrite({ start, blocks: nodes })
    setForm({ is: 'text', blocks: nodes })
  }
  const showMarkdown = async () => {
    const text = await printed()
    setMarkdown(text)
    if (text !== start) onWrite({ start, markdown: text })
    written.current = undefined
    setForm({ is: 'markdown' })
  }
  useEffect(() => {
    let isGone = false
    const open = async (): Promise<Form> => {
      const document = await api(`POST /spaces/${place.spaceId}/content/markdown`, {
        markdown: start,
      })
      const alone = await api(`POST /spaces/${place.spaceId}/content/document`, {
        document,
      })
      if (needsItsPage(start, alone.markdown))
        return {
          is: 'markdown',
          hint: t('change-request.part-belongs-others-page'),
        }
      if (writing.markdown !== undefined) return { is: 'markdown' }
      return { is: 'text', blocks: kept ?? document.nodes }
    }
    open().then(
      (opened) => isGone || setForm(opened),
      () => isGone || setForm({ is: 'markdown' }),
    )
    return () => {
      isGone = true
    }
    // It is opened once.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [])
  if (!form) return <Loading />
  const isWaiting = isBusy || read.isPending || print.isPending
  const ignore = () => undefined
  return (
    <div className="compose">
      {!(form.is === 'markdown' && form.hint !== undefined) && (
        <ToggleButtonGroup
          className="mode-switch"
          aria-label={t('change-request.form-text')}
          disallowEmptySelection
          isDisabled={isWaiting}
          selectedKeys={[form.is]}
          onSelectionChange={(keys) => {
            if (keys.has(form.is)) return
            // The reason of a refusal is shown below.
            if (form.is === 'text') showMarkdown().catch(ignore)
            else showText(markdown).catch(ignore)
          }}
        >
          <ToggleButton id="text" className="tool">
            {t('block.text')}
          </ToggleButton>
          <ToggleButton id="markdown" className="tool">
            {t('change-request.markdown')}
          </ToggleButton>
        </ToggleButtonGroup>
      )}
      {form.is === 'text' ? (
        <PartEditor
          label={t('change-request.new-text')}
          blocks={form.blocks}
          place={place}
          organizationId={organizationId}
          onChange={(blocks) => {
            written.current = blocks
            onWrite({ start, blocks })
          }}
        />
      ) : (
        <>
          {form.hint !== undefined && <p className="hint">{form.hint}</p>}
          <label>
            {t('change-request.new-text')}
            <textarea
              rows={6}
              value={markdown}
              autoFocus
              onChange={({ target: { value } }) => {
                setMarkdown(value)
                onWrite({ start, markdown: value })
              }}
            />
          </label>
          {markdown !== '' && (
            <>
              <p className="doc-kind">{t('common.preview')}</p>
              <ShownMarkdown spaceId={place.spaceId} markdown={markdown} />
            </>
          )}
        </>
      )}
      <Refusal error={read.error ?? print.error} />
      <div className="actions">
        <Button
          className="button main"
          isDisabled={isWaiting}
          onPress={() => void printed().then(onSave, ignore)}
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
