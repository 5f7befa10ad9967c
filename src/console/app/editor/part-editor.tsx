/** A text that is written in the editor of pages, but is no page: it is sent when the writer has finished. */
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useRef, useState } from 'react'
import type { Block } from '../../../core/document/model.ts'
import { Refusal } from '../ui/parts.tsx'
import type { PageEntry } from '../api/types.ts'
import { clipboardProps } from './commands/clipboard.ts'
import { blockOf, docOf } from '../content/schema/convert.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './editor.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/prose.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/blocks.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/colors.css'
import { AskDialog } from './dialogs/dialogs.tsx'
import { insertImages } from './commands/files.ts'
import type { Insert } from './commands/insert-list.ts'
import { contentOf, type PagePlace } from '../api/page-place.ts'
import type { Question } from '../content/views/questions.ts'
import { SlashMenu } from './slash-menu.tsx'
import { Toolbar } from './toolbar.tsx'
import { TextCompletions } from './completion/text-completions.tsx'
import { withoutValueTags } from './saving/value-tags.ts'
import { markViews, nodeViews } from '../content/views/views.ts'
import { insertChosen, writingPlugins } from './writing.ts'

export function PartEditor({
  label,
  blocks,
  place,
  organizationId,
  onChange,
}: {
  label: string
  /** The text at first. */
  blocks: readonly Block[]
  /** The page that the text is a part of. */
  place: PagePlace
  organizationId: string
  /** Called with the text after each change. */
  onChange: (blocks: Block[]) => void
}) {
  const element = useRef<HTMLDivElement>(null)
  // The pages that links of this text can show: those that the writer has linked.
  const found = useRef<PageEntry[]>([])
  const [view, setView] = useState<EditorView>()
  const [, setDrawn] = useState(0)
  const [question, setQuestion] = useState<Question>()
  const [problem, setProblem] = useState<Error | null>(null)
  const content = contentOf(place)
  const upload = (made: EditorView, files: readonly File[]) => {
    setProblem(null)
    insertImages(made, { content, organizationId, files }).catch(setProblem)
  }
  useEffect(() => {
    if (!element.current) return undefined
    const context = { content, pages: found.current }
    const made: EditorView = new EditorView(element.current, {
      state: EditorState.create({ doc: docOf(blocks), plugins: writingPlugins(place.spaceId, setQuestion) }),
      attributes: {
        class: 'prose rich-text',
        dir: 'auto',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
      },
      nodeViews: nodeViews(context, setQuestion),
      markViews: markViews(context),
      ...clipboardProps((files) => upload(made, files)),
      dispatchTransaction(tr) {
        const { state: next, transactions } = made.state.applyTransaction(tr)
        made.updateState(next)
        setDrawn((count) => count + 1)
        if (transactions.some(({ docChanged }) => docChanged))
          onChange(next.doc.children.map((node) => withoutValueTags(blockOf(node))))
      },
    })
    setView(made)
    made.focus()
    return () => made.destroy()
    // One view for as long as the text is written.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [])

  const insert = (what: Insert) => {
    if (view) insertChosen(view, what, { upload: (files) => upload(view, files), ask: setQuestion })
  }
  return (
    <div className="rich-field part-editor">
      {view && <Toolbar view={view} onInsert={insert} onLink={() => setQuestion({ kind: 'link' })} />}
      <Refusal error={problem} />
      <div ref={element} />
      {view && <SlashMenu view={view} onInsert={insert} />}
      {view && (
        <TextCompletions
          {...{
            view,
            place,
            organizationId,
            onFound: (page) => found.current.push(page),
            onLink: () => setQuestion({ kind: 'link' }),
          }}
        />
      )}
      {view && question && (
        <AskDialog
          question={question}
          view={view}
          place={place}
          organizationId={organizationId}
          pages={found.current}
          onFound={(page) => found.current.push(page)}
          onClosed={() => setQuestion(undefined)}
        />
      )}
    </div>
  )
}
