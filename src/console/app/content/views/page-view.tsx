import { EditorState, type Plugin } from 'prosemirror-state'
import { EditorView, type NodeViewConstructor } from 'prosemirror-view'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Document } from '../../../../core/document/model.ts'
import { isFootnote } from '../../../../core/document/normal-form.ts'
import { go } from '../../api/api.ts'
import { useLinkedPages } from '../tree/linked-pages.ts'
import { pagesNamedIn } from '../tree/links.ts'
import { Toasts } from '../../ui/toasts.tsx'
import { codeColors } from './code-color-state.ts'
import { beginColors, type ComingColors } from './code-colors.ts'
import { readCodeView, readIntegrationView } from './code.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './reading.css'
import { openTabs, openTabsAround } from './parts/open-tabs.ts'
import { notePointer } from './parts/pointed.ts'
import { tabPanelView, tabsView } from './parts/tabs.ts'
import { t } from '../../words/words.ts'
import { annotationView } from './annotation-view.ts'
import { showNamedBlock } from './block-links.ts'
import { docOf } from '../schema/convert.ts'
import { copyLink, fragmentOf } from './copy-link.ts'
import { element } from '../../ui/element.ts'
import { headingLevels } from './heading-levels.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './prose.css'
// oxlint-disable-next-line import/no-unassigned-import
import './blocks.css'
// oxlint-disable-next-line import/no-unassigned-import
import './colors.css'
import { markViews, nodeViews } from './views.ts'
import type { ContentPath } from '../../api/paths.ts'

/**
 * A document as readers see it.
 * @param content the path of its content below `/v1`, where its files and pages are
 * @param onView is called with the view, and without one when that is gone
 */
export function PageView({
  document: { nodes: read },
  content,
  plugins = NO_PLUGINS,
  onView,
}: {
  document: Document
  content?: ContentPath
  plugins?: readonly Plugin[]
  onView?: (view: EditorView | undefined) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const shownPlace = useRef<string>(undefined)
  const named = useMemo(() => [...pagesNamedIn(read)], [read])
  const { data: pages, isLoading } = useLinkedPages(content, named)
  // The notes themselves are at their words.
  const doc = useMemo(() => docOf(read.filter((block) => !isFootnote(block))), [read])
  // The colours of code are requested at once, so that most texts are shown with them.
  const colors = useRef<ComingColors>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    colors.current = content === undefined ? undefined : beginColors(doc, content, leaving.signal)
    return () => leaving.abort()
  }, [doc, content])
  // A text that has changed is shown once its links are known; until then, the text of before stays.
  const [shown, setShown] = useState<{ doc: typeof doc; pages: typeof pages }>()
  if (!isLoading && (shown?.doc !== doc || shown.pages !== pages)) setShown({ doc, pages })
  useEffect(() => {
    if (!place.current || !shown) return undefined
    const context = { content, pages: shown.pages ?? [] }
    const coming = colors.current?.doc === shown.doc ? colors.current : undefined
    const view = new EditorView(place.current, {
      state: EditorState.create({
        doc: shown.doc,
        plugins: [headingLevels(), openTabs(), codeColors(coming?.known), ...plugins],
      }),
      editable: () => false,
      nodeViews: { ...nodeViews(context), ...READ, annotation: annotationView(context) },
      markViews: markViews(context),
      attributes: { class: 'prose', dir: 'auto' },
    })
    const show = () => showNamedBlock(view, [], (pos) => openTabsAround(view, pos))
    // The place that the address names is shown once, and not again when somebody changes the page.
    if (shownPlace.current !== location.href) show()
    shownPlace.current = location.href
    addEventListener('hashchange', show)
    if (coming) coming.view = view
    onView?.(view)
    const stopNoting = notePointer(view)
    return () => {
      stopNoting()
      onView?.(undefined)
      if (coming) coming.view = undefined
      removeEventListener('hashchange', show)
      view.destroy()
    }
  }, [shown, content, plugins, onView])
  return (
    <>
      <div ref={place} onClick={stayInConsole} />
      <Toasts />
    </>
  )
}

const NO_PLUGINS: readonly Plugin[] = []

/** A heading that is read, with a link to it. The link appears while the heading is pointed at. */
function headingView(tag: 'h2' | 'h3' | 'h4'): NodeViewConstructor {
  return (node, view, getPos) => {
    const { align } = node.attrs.data as { align?: string }
    const content = element('span')
    const label = t('editor.copy-link-title', { title: node.textContent })
    const button = element('button', { type: 'button', class: 'heading-link', 'aria-label': label }, '#')
    button.addEventListener('click', () => {
      const pos = getPos()
      const fragment = pos === undefined ? undefined : fragmentOf(view.state.doc, pos, [])
      if (fragment === undefined) return
      history.replaceState(history.state, '', `#${fragment}`)
      copyLink(fragment)
    })
    const dom = element(tag, align ? { class: `align-${align}` } : {}, content, button)
    return { dom, contentDOM: content, ignoreMutation: () => true, stopEvent: () => true }
  }
}

/** The elements of nodes that look different while they are written. */
const READ = {
  heading_1: headingView('h2'),
  heading_2: headingView('h3'),
  heading_3: headingView('h4'),
  tabs: tabsView,
  tabs_item: tabPanelView,
  code_block: readCodeView,
  integration: readIntegrationView,
}

/** Shows a screen of the console that a link leads to without loading the console again. */
function stayInConsole(event: React.MouseEvent): void {
  const link = (event.target as Element).closest('a')
  const path = link?.getAttribute('href') ?? ''
  // The browser reports only a hash that differs, but the tab of this place may have been closed since.
  if (path !== '' && path === location.hash) dispatchEvent(new HashChangeEvent('hashchange'))
  if (!path.startsWith('/app/') || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  go(path.slice('/app'.length))
}
