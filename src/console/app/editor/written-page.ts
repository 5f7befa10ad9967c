/** The state of a page that is being written: its view, its session, and what both need to know. */
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useRef, useState } from 'react'
import { changeRequestOf, contentOf, type PagePlace } from '../api/page-place.ts'
import type { PageEntry } from '../api/types.ts'
import { docOf } from '../content/schema/convert.ts'
import { showNamedBlock } from '../content/views/block-links.ts'
import { headingLevels } from '../content/views/heading-levels.ts'
import { unfoldAround } from '../content/views/parts/folds.ts'
import { openTabsAround } from '../content/views/parts/open-tabs.ts'
import type { Question } from '../content/views/questions.ts'
import { markViews, nodeViews } from '../content/views/views.ts'
import { t } from '../words/words.ts'
import { clipboardProps } from './commands/clipboard.ts'
import { dropPlugin } from './commands/drag.ts'
import { insertImages } from './commands/files.ts'
import type { SaveState } from './saving/session-machine.ts'
import type { OpenedPage } from './saving/page-work.ts'
import { WritingSession } from './saving/writing-session.ts'
import { useHere } from './together/here.tsx'
import { markBlocks, marksPlugin } from './together/marks.ts'
import { writingPlugins } from './writing.ts'

/** A page to write. */
export interface WritingProps {
  place: PagePlace
  /** The pages of the tree that have been read. */
  pages: readonly PageEntry[]
  organizationId: string
  /** Called after the title was saved. */
  onSaved: () => void
  opened: OpenedPage
  /** The pages that the page names. */
  linked: readonly PageEntry[]
}

/** A page that is being written. */
export type WrittenPage = ReturnType<typeof useWrittenPage>

/** How near to the edges of the window the caret may be, in CSS pixels: the bars lie over the upper one. */
export const EDGES = {
  get top() {
    return 8 + (document.querySelector('.editor-top')?.getBoundingClientRect().bottom ?? 0)
  },
  right: 5,
  bottom: 24,
  left: 5,
}

/** Opens a view and a session for a page, for as long as it is shown. */
export function useWrittenPage({ place, pages, organizationId, onSaved, opened, linked }: WritingProps) {
  const known = useKnownPages(linked, pages)
  const uploads = useUploads(place, organizationId)
  const element = useRef<HTMLDivElement>(null)
  const session = useRef<WritingSession>(null)
  const [view, setView] = useState<EditorView>()
  const [, setDrawn] = useState(0)
  const [title, setTitle] = useState(opened.title)
  const [state, setState] = useState<SaveState>({ is: 'saved' })
  const [question, ask] = useState<Question>()

  useEffect(() => {
    if (!element.current) return undefined
    const context = {
      content: contentOf(place),
      get pages() {
        return known.now()
      },
    }
    const made: EditorView = new EditorView(element.current, {
      state: EditorState.create({
        doc: docOf(opened.blocks),
        plugins: [dropPlugin, ...writingPlugins(place.spaceId, ask), marksPlugin, headingLevels()],
      }),
      attributes: {
        class: 'prose writing',
        dir: 'auto',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('editor.text-page'),
      },
      nodeViews: nodeViews(context, ask),
      markViews: markViews(context),
      ...clipboardProps((files) => uploads.insert(made, files)),
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
    const show = () =>
      showNamedBlock(made, writing.keys(), (pos) => {
        openTabsAround(made, pos)
        unfoldAround(made, pos)
      })
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
  const rename = (next: string) => {
    setTitle(next)
    session.current?.rename(next)
  }
  return { element, view, session, known, uploads, title, rename, state, question, ask }
}

/** The pages that links of a page can show: those that it named at first, those of the tree, and those linked since. */
function useKnownPages(linked: readonly PageEntry[], pages: readonly PageEntry[]) {
  const found = useRef<PageEntry[]>([...linked])
  const known = useRef<readonly PageEntry[]>([])
  known.current = [...found.current, ...pages]
  return {
    now: () => known.current,
    add(page: PageEntry) {
      found.current.push(page)
      known.current = [...known.current, page]
    },
  }
}

/** Inserts images of the device into a page. */
function useUploads(place: PagePlace, organizationId: string) {
  const [problem, setProblem] = useState<Error>()
  const [isUploading, setUploading] = useState(false)
  return {
    problem,
    isUploading,
    insert(view: EditorView, files: readonly File[]) {
      setProblem(undefined)
      setUploading(true)
      insertImages(view, { content: contentOf(place), organizationId, files })
        .catch((error: Error) => setProblem(error))
        .finally(() => setUploading(false))
    },
  }
}

/** The others who are on the page. Marks the blocks in which they write. */
export function useOthers({ view, session }: WrittenPage, place: PagePlace) {
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
  return others
}
