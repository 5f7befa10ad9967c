import { CancelButton } from '../../ui/forms.tsx'
import type { EditorView } from 'prosemirror-view'
import { useDeferredValue, useState } from 'react'
import { Button, Form, Input, Label, TextField } from 'react-aria-components'
import type { ContentRef } from '../../../../core/document/model.ts'
import { useFoundPages } from '../../content/tree/page-tree.ts'
import type { PageEntry } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { focusAfterDialog } from './focus-after-dialog.ts'
import { insertAny } from '../commands/inserts.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'
import { contentOf, type PagePlace } from '../../api/page-place.ts'
import type { PickContext } from './pick-fields.tsx'
import type { Question } from '../../content/views/questions.ts'
import { linkAt, setLink } from '../commands/set-link.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { TemplateDialog } from '../templates/template-dialog.tsx'
import { CellDialog, ColumnDialog, TableDialog } from './table-dialogs.tsx'

// They are used later than the text, so they come with the dialogs.
export { BlockHandle } from '../block-handle.tsx'
export { commentPlaceAt } from '../commands/comment-place.ts'
export { FindBar } from '../find/find-bar.tsx'
export { TextCompletions } from '../completion/text-completions.tsx'
export { ConflictNotice } from '../saving/conflict-notice.tsx'
export { TitleNote } from '../saving/title-note.tsx'

/** Asks the writer what the editor needs to know. */
export function AskDialog({
  question,
  view,
  place,
  organizationId,
  pages,
  onFound,
  onClosed,
}: {
  question: Question
  view: EditorView
  place: PagePlace
  organizationId: string
  /** The pages that are known already. */
  pages: readonly PageEntry[]
  /** Called with a page that the text refers to. */
  onFound: (page: PageEntry) => void
  onClosed: () => void
}) {
  const onClose = () => {
    onClosed()
    focusAfterDialog(view)
  }
  const shared = { view, onClose }
  const context: PickContext = { content: contentOf(place), organizationId, pages, onFound }
  switch (question.kind) {
    case 'link':
      return <LinkDialog context={context} {...shared} />
    case 'template':
      return <TemplateDialog spaceId={place.spaceId} organizationId={organizationId} {...shared} />
    case 'column':
      return <ColumnDialog {...question} {...shared} />
    case 'cell':
      return <CellDialog {...question} {...shared} context={context} />
    case 'table':
      return <TableDialog {...question} {...shared} />
    default:
      return (
        <SettingsDialog
          node={question.node}
          pos={question.pos}
          focused={question.field}
          {...shared}
          context={context}
          onInsert={(node) => insertAny(node)(view.state, view.dispatch, view)}
        />
      )
  }
}

function LinkDialog({
  view,
  context: { content, pages, onFound },
  onClose,
}: {
  view: EditorView
  context: PickContext
  onClose: () => void
}) {
  const [wanted, setWanted] = useState('')
  const known = linkAt(view)
  const choose = (ref: ContentRef | undefined, text: string) => {
    setLink(view, ref, text)
    onClose()
  }
  const choosePage = (page: PageEntry) => {
    onFound(page)
    choose({ kind: 'page', page: page.id }, page.title)
  }
  const address = /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(wanted.trim())
    ? wanted.trim()
    : /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(wanted.trim())
      ? `https://${wanted.trim()}`
      : undefined
  const asked = useFoundPages(content, useDeferredValue(wanted))
  const text = wanted.trim().toLowerCase()
  const fitting = [...pages, ...(asked.data?.items ?? [])].filter(
    ({ type, title, path }) => type === 'document' && `${title} ${path ?? ''}`.toLowerCase().includes(text),
  )
  const found = [...new Map(fitting.map((page) => [page.id, page])).values()].slice(0, 8)
  return (
    <OpenDialog title={t('block.link')} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          if (address) choose({ kind: 'url', url: address }, wanted.trim())
          else if (first) choosePage(first)
        }}
      >
        <TextField value={wanted} onChange={setWanted} autoFocus>
          <Label>{t('common.page-address')}</Label>
          <Input />
        </TextField>
        <ul className="choices" aria-label={t('common.pages')}>
          {found.map((page) => (
            <li key={page.id}>
              <Button className="choice" onPress={() => choosePage(page)}>
                {page.title}
              </Button>
            </li>
          ))}
        </ul>
        <div className="actions">
          <Button type="submit" className="button main" isDisabled={!address && found.length === 0}>
            {t('block.link')}
          </Button>
          {known && (
            <Button className="button" onPress={() => choose(undefined, '')}>
              {t('editor.remove-the-link')}
            </Button>
          )}
          <CancelButton close={onClose} />
        </div>
      </Form>
    </OpenDialog>
  )
}
