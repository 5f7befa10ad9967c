import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useLinkedPages } from '../content/tree/linked-pages.ts'
import { pagesNamedIn } from '../content/tree/links.ts'
import { Failure, Loading } from '../ui/parts.tsx'
import { Faces, useHere } from './together/here.tsx'
import { markBlocks, marksPlugin } from './together/marks.ts'
import type { PageEntry } from '../api/types.ts'
import { forPeople } from '../words/refusals.ts'
import { t } from '../words/words.ts'
import { clipboardProps } from './commands/clipboard.ts'
import { docOf } from '../content/schema/convert.ts'
import { showNamedBlock } from '../content/views/block-links.ts'
import { dropPlugin } from './commands/drag.ts'
import type { Question } from '../content/views/questions.ts'
import { insertImages } from './commands/files.ts'
import type { Insert } from './commands/insert-list.ts'
import { headingLevels } from '../content/views/heading-levels.ts'
import { ModeSwitch, SaveLine } from './saving/mode-switch.tsx'
import { takeBeginAtTitle } from './saving/opening.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './editor.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/prose.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/blocks.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/colors.css'
import { changeRequestOf, contentOf, type PagePlace } from '../api/page-place.ts'
import type { SaveState } from './saving/save-schedule.ts'
import { openPage, type OpenedPage, WritingSession } from './saving/writing-session.ts'
import { hasUnsavedSource } from './source/kept-source.ts'
import { SlashMenu } from './slash-menu.tsx'
import { Toolbar } from './toolbar.tsx'
import { markViews, nodeViews } from '../content/views/views.ts'
import { insertChosen, writingPlugins } from './writing.ts'

/** The browser loads the dialogs while the writer begins, so that they open without a network too. */
const dialogs = import('./dialogs/dialogs.tsx')
const SourceEditor = lazy(async () => ({
  default: (await import('./source/source-editor.tsx')).SourceEditor,
}))

interface EditorProps {
  place: PagePlace
  /** The pages of the tree that have been read. */
  pages: readonly PageEntry[]
  organizationId: string
  /** False if the caller may only read the page. They see its source. */
  mayEdit: boolean
  /** The elements above and below the title. */
  head: ReactNode
  description: ReactNode
  /** Called once the text is shown, or cannot be. */
  onShown?: () => void
  /** Called after the title was saved. */
  onSaved: () => void
  /** Called when the writer has finished. */
  onDone: () => void
}

/** How near to the edges of the window the caret may be, in CSS pixels: the bars lie over the upper one. */
const EDGES = {
  get top() {
    return 8 + (document.querySelector('.editor-top')?.getBoundingClientRect().bottom ?? 0)
  },
  right: 5,
  bottom: 24,
  left: 5,
}

/** A page that is being written. */
export function PageEditor(props: EditorProps) {
  const { place, mayEdit, onShown, onSaved, onDone } = props
  const [isSource, setSource] = useState(() => !place.isReusable && (!mayEdit || hasUnsavedSource(place)))
  if (!isSource) return <TextEditor editor={props} onSource={() => setSource(true)} />
  return (
    <Suspense fallback={<Loading />}>
      <Shown onShown={onShown} />
      <SourceEditor {...{ place, mayEdit, onSaved, onDone }} onText={() => setSource(false)} />
    </Suspense>
  )
}

/** Reports once that what is beside it has been painted. A hidden tab paints nothing, so it does not wait. */
function Shown({ onShown }: Pick<EditorProps, 'onShown'>) {
  useEffect(() => {
    if (!onShown) return undefined
    if (document.hidden) {
      onShown()
      return undefined
    }
    const frame = requestAnimationFrame(() => setTimeout(onShown))
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [])
  return null
}

function TextEditor({ editor, onSource }: { editor: EditorProps; onSource: () => void }) {
  const { place } = editor
  const [opened, setOpened] = useState<OpenedPage>()
  const [error, setError] = useState<Error>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isGone = false
    setError(undefined)
    openPage(place).then((page) => (isGone ? page.kept.leave() : setOpened(page)), setError)
    return () => {
      isGone = true
    }
    // The page is read once: from then on, the session knows the newest revision.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [tries])
  const named = useMemo(() => [...pagesNamedIn(opened?.blocks)], [opened])
  const linked = useLinkedPages(opened && contentOf(place), named)
  if (error)
    return (
      <>
        <Shown onShown={editor.onShown} />
        <Failure
          title={t('editor.page-cannot-edited')}
          error={error}
          retry={() => setTries((count) => count + 1)}
        />
      </>
    )
  if (!opened || linked.isPending) return <Loading />
  return <Writing editor={editor} opened={opened} linked={linked.data ?? []} onSource={onSource} />
}

interface WritingProps {
  editor: EditorProps
  opened: OpenedPage
  /** The pages that the page names. */
  linked: readonly PageEntry[]
  onSource: () => void
}

function Writing({ editor, opened, linked, onSource }: WritingProps) {
  const { place, pages, organizationId, onSaved, onDone } = editor
  // The pages that links of this page can show: those that it named at first, those of the tree, and those linked since.
  const found = useRef<PageEntry[]>([...linked])
  const known = useRef<readonly PageEntry[]>([])
  known.current = [...found.current, ...pages]
  const element = useRef<HTMLDivElement>(null)
  const titleField = useRef<HTMLInputElement>(null)
  const session = useRef<WritingSession>(null)
  const [view, setView] = useState<EditorView>()
  const [, setDrawn] = useState(0)
  const [title, setTitle] = useState(opened.title)
  const [state, setState] = useState<SaveState>({ is: 'saved' })
  const [question, setQuestion] = useState<Question>()
  const Dialogs = useDialogs()
  const [problem, setProblem] = useState<Error>()
  const [isUploading, setUploading] = useState(false)

  const upload = (made: EditorView, files: readonly File[]) => {
    setProblem(undefined)
    setUploading(true)
    insertImages(made, { content: contentOf(place), organizationId, files })
      .catch((error: Error) => setProblem(error))
      .finally(() => setUploading(false))
  }

  useEffect(() => {
    if (takeBeginAtTitle(place.page)) titleField.current?.select()
  }, [place.page])
  useEffect(() => {
    if (!element.current) return undefined
    const context = {
      content: contentOf(place),
      get pages() {
        return known.current
      },
    }
    const made: EditorView = new EditorView(element.current, {
      state: EditorState.create({
        doc: docOf(opened.blocks),
        plugins: [dropPlugin, ...writingPlugins(place.spaceId, setQuestion), marksPlugin, headingLevels()],
      }),
      attributes: {
        class: 'prose writing',
        dir: 'auto',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('editor.text-page'),
      },
      nodeViews: nodeViews(context, setQuestion),
      markViews: markViews(context),
      ...clipboardProps((files) => upload(made, files)),
      scrollThreshold: EDGES,
      scrollMargin: EDGES,
      dispatchTransaction(tr) {
        const { state: next, transactions } = made.state.applyTransaction(tr)
        made.updateState(next)
        for (const one of transactions) if (one.docChanged) session.current?.changed(one)
        setDrawn((count) => count + 1)
      },
    })
    const writing = new WritingSession(place, made, opened, (now, currentTitle) => {
      setState(now)
      setTitle(currentTitle)
      if (now.is === 'saved') onSaved()
    })
    session.current = writing
    setView(made)
    const show = () => showNamedBlock(made, writing.keys())
    show()
    addEventListener('hashchange', show)
    return () => {
      removeEventListener('hashchange', show)
      writing.close()
      made.destroy()
    }
    // One view for as long as the page is open.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [opened])

  useEffect(() => {
    if (view && Dialogs) view.setProps({ plugins: [Dialogs.typedTags(view.state.doc)] })
  }, [view, Dialogs])

  const keys = view && session.current ? session.current.keys() : []
  const caret = view ? view.state.selection.$from.index(0) : 0
  // Presence knows pages, not reusable contents.
  const others = useHere(changeRequestOf(place), {
    state: 'editing',
    ...(!place.isReusable && {
      page: place.page,
      ...(keys[caret] !== undefined && { block: keys[caret] }),
    }),
  })
  // Blocks get other keys whenever they are saved.
  const marks = JSON.stringify([keys, others])
  useEffect(() => {
    if (view) markBlocks(view, keys, others, place.page)
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [view, marks])

  const insert = (what: Insert) => {
    if (view) insertChosen(view, what, { upload: (files) => upload(view, files), ask: setQuestion })
  }

  return (
    <div className="page-editor">
      {view && <Shown onShown={editor.onShown} />}
      <div className="editor-top">
        <div className="editing-bar">
          {!place.isReusable && (
            <ModeSwitch mode="text" state={state} save={() => session.current?.save()} onSwitch={onSource} />
          )}
          <Faces people={others} page={place.page} />
          <SaveLine state={state} isUploading={isUploading} />
          <Button
            className="button main"
            onPress={() => void session.current?.finish().then((isSaved) => isSaved && onDone())}
          >
            {t('common.done')}
          </Button>
        </div>
        {view && <Toolbar view={view} onInsert={insert} onLink={() => setQuestion({ kind: 'link' })} />}
      </div>
      {(problem ?? (state.is === 'refused' ? state.error : undefined)) && (
        <p className="refusal" role="alert">
          {forPeople((problem ?? state.error)?.message ?? '')}
        </p>
      )}
      {state.is === 'conflict' && Dialogs && (
        <Dialogs.ConflictNotice
          conflicts={state.conflicts ?? []}
          onChoose={async (choice) => {
            await session.current?.settle(choice)
            view?.focus()
          }}
        />
      )}
      {editor.head}
      <input
        ref={titleField}
        className="page-title"
        dir="auto"
        aria-label={t('common.title')}
        placeholder={t('common.untitled')}
        value={title}
        maxLength={200}
        onChange={({ target }) => {
          setTitle(target.value)
          session.current?.rename(target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          view?.focus()
        }}
      />
      {Dialogs && <Dialogs.TitleNote title={title} />}
      {editor.description}
      <div className="text-frame">
        <div ref={element} className="text-of-page" />
        {view && Dialogs && session.current && (
          <Dialogs.BlockHandle
            view={view}
            ask={setQuestion}
            known={session.current}
            path={pages.find(({ id }) => id === place.page)?.path}
          />
        )}
      </div>
      {view && <SlashMenu view={view} onInsert={insert} />}
      {view && question && Dialogs && (
        <Dialogs.AskDialog
          question={question}
          view={view}
          place={place}
          organizationId={organizationId}
          pages={known.current}
          onFound={(page) => {
            found.current.push(page)
            known.current = [...known.current, page]
          }}
          onClosed={() => setQuestion(undefined)}
        />
      )}
    </div>
  )
}

/** The dialogs, once they are loaded. What is `lazy` opens a moment after the key, and the text takes the next one. */
function useDialogs() {
  const [loaded, setLoaded] = useState<Awaited<typeof dialogs>>()
  useEffect(() => {
    dialogs.then(setLoaded, () => undefined)
  }, [])
  return loaded
}
