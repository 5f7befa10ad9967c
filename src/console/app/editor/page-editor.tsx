import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useLinkedPages } from '../content/tree/linked-pages.ts'
import type { Unit } from '../content/schema/units.ts'
import { pagesNamedIn } from '../content/tree/links.ts'
import { Failure, Loading } from '../ui/parts.tsx'
import { Faces } from './together/here.tsx'
import type { PageEntry } from '../api/types.ts'
import { forPeople } from '../words/refusals.ts'
import { t } from '../words/words.ts'
import { beginInText } from './caret/begin.ts'
import type { CommentPlace } from './commands/comment-place.ts'
import type { Insert } from './commands/insert-list.ts'
import type { FindShown } from './find/matches.ts'
import { ModeSwitch, SaveLine } from './saving/mode-switch.tsx'
import { takeBeginning } from './saving/opening.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './editor.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/prose.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/blocks.css'
// oxlint-disable-next-line import/no-unassigned-import
import '../content/views/colors.css'
import { contentOf, type PagePlace } from '../api/page-place.ts'
import type { OpenedPage } from './saving/page-work.ts'
import { openPage } from './saving/writing-session.ts'
import { hasUnsavedSource } from './source/kept-source.ts'
import { SlashMenu } from './slash-menu.tsx'
import { Toolbar } from './toolbar.tsx'
import { insertChosen } from './writing.ts'
import { EDGES, useOthers, useWrittenPage, type WrittenPage } from './written-page.ts'

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
  /** Called when the writer discards the change request, after everything is saved; without it, there is no button. */
  onDiscard?: (() => void) | undefined
  /** Called with the place of a comment that the writer begins; absent for a text that has no comments. */
  onComment?: (place: CommentPlace) => void
}

/** A page that is being written. */
export function PageEditor(props: EditorProps) {
  const { place, mayEdit, onShown, onSaved, onDone, onDiscard } = props
  const [isSource, setSource] = useState(() => !place.isReusable && (!mayEdit || hasUnsavedSource(place)))
  if (!isSource) return <TextEditor editor={props} onSource={() => setSource(true)} />
  return (
    <Suspense fallback={<Loading />}>
      <Shown onShown={onShown} />
      <SourceEditor {...{ place, mayEdit, onSaved, onDone, onDiscard }} onText={() => setSource(false)} />
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

interface TextProps {
  editor: EditorProps
  opened: OpenedPage
  linked: readonly PageEntry[]
  onSource: () => void
}

function Writing({ editor, opened, linked, onSource }: TextProps) {
  const { place, pages, organizationId } = editor
  const written = useWrittenPage({ ...editor, opened, linked })
  const { element, view, session, known, uploads, question, ask } = written
  const Dialogs = useDialogs()
  const others = useOthers(written, place)
  const [find, showFind] = useState<FindShown>('nothing')
  const comment = useComment(written, editor.onComment)
  const insert = (what: Insert) => {
    if (view) insertChosen(view, what, { upload: (files) => uploads.insert(view, files), ask })
  }
  return (
    <div className="page-editor">
      {view && <Shown onShown={editor.onShown} />}
      <div className="editor-top">
        <EditingBar written={written} others={others} editor={editor} onSource={onSource} />
        {view && (
          <Toolbar
            view={view}
            onInsert={insert}
            onLink={() => ask({ kind: 'link' })}
            onFind={() => showFind('find')}
          />
        )}
        {view && Dialogs && <Dialogs.FindBar view={view} shown={find} show={showFind} />}
      </div>
      <Problems written={written} Dialogs={Dialogs} />
      {editor.head}
      <TitleField written={written} place={place} />
      {Dialogs && <Dialogs.TitleNote title={written.title} />}
      {editor.description}
      <div className="text-frame">
        <div ref={element} className="text-of-page" />
        {view && Dialogs && session.current && (
          <Dialogs.BlockHandle
            view={view}
            ask={ask}
            known={session.current}
            path={pages.find(({ id }) => id === place.page)?.path}
            onComment={comment}
          />
        )}
      </div>
      {view && <SlashMenu view={view} onInsert={insert} />}
      {view && Dialogs && (
        <Dialogs.TextCompletions
          {...{ view, place, organizationId, onFound: known.add, onLink: () => ask({ kind: 'link' }) }}
          onComment={comment && (() => comment())}
        />
      )}
      {view && question && Dialogs && (
        <Dialogs.AskDialog
          question={question}
          view={view}
          place={place}
          organizationId={organizationId}
          pages={known.now()}
          onFound={known.add}
          onClosed={() => ask(undefined)}
        />
      )}
    </div>
  )
}

/** Begins a comment on a block, or on what is selected. Reusable contents have none. */
function useComment({ view, session }: WrittenPage, onComment: EditorProps['onComment']) {
  return useMemo(() => {
    if (!view || !onComment) return undefined
    const begin = async (unit?: Unit) => {
      const known = session.current
      const placeNow = () => (unit ? { from: unit.pos, to: unit.pos } : view.state.selection)
      const { commentPlaceAt } = await dialogs
      const place = known && (await commentPlaceAt(view, known, placeNow))
      if (place) onComment(place)
    }
    return (unit?: Unit) => void begin(unit)
  }, [view, session, onComment])
}

interface PartProps {
  written: WrittenPage
}

/** The bar above the text: its form, who else is there, and how far saving is. */
function EditingBar({
  written: { session, state, uploads },
  others,
  editor: { place, onDone, onDiscard },
  onSource,
}: PartProps & { others: ReturnType<typeof useOthers>; editor: EditorProps; onSource: () => void }) {
  return (
    <div className="editing-bar">
      {!place.isReusable && (
        <ModeSwitch mode="text" state={state} save={() => session.current?.save()} onSwitch={onSource} />
      )}
      <Faces people={others} page={place.page} />
      <SaveLine state={state} isUploading={uploads.isUploading} />
      {onDiscard && (
        <Button
          className="small quiet"
          onPress={() => void session.current?.finish().then((isSaved) => isSaved && onDiscard())}
        >
          {t('editor.discard-draft')}
        </Button>
      )}
      <Button
        className="button main"
        onPress={() => void session.current?.finish().then((isSaved) => isSaved && onDone())}
      >
        {t('common.done')}
      </Button>
    </div>
  )
}

/** Why an image or the text could not be stored, and the choice between two texts of the same block. */
function Problems({
  written: { view, session, state, uploads },
  Dialogs,
}: PartProps & { Dialogs: LoadedDialogs | undefined }) {
  const problem = uploads.problem ?? (state.is === 'refused' ? state.error : undefined)
  return (
    <>
      {problem && (
        <p className="refusal" role="alert">
          {forPeople(problem)}
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
    </>
  )
}

function TitleField({ written: { view, title, rename }, place }: PartProps & { place: PagePlace }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const beginning = view && takeBeginning(place)
    if (beginning?.at === 'title') field.current?.select()
    if (beginning?.at === 'text') beginInText(view!, beginning.pointed, EDGES.top)
  }, [view, place])
  return (
    <input
      ref={field}
      className="page-title"
      dir="auto"
      aria-label={t('common.title')}
      placeholder={t('common.untitled')}
      value={title}
      maxLength={200}
      onChange={({ target }) => rename(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        view?.focus()
      }}
    />
  )
}

type LoadedDialogs = Awaited<typeof dialogs>

/** The dialogs, once they are loaded. What is `lazy` opens a moment after the key, and the text takes the next one. */
function useDialogs() {
  const [loaded, setLoaded] = useState<LoadedDialogs>()
  useEffect(() => {
    dialogs.then(setLoaded, () => undefined)
  }, [])
  return loaded
}
