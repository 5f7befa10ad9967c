/** The completion of an editor of blocks, and its list. */
import type { EditorView } from 'prosemirror-view'
import { useEffect, useState } from 'react'
import { api } from '../../api/api.ts'
import { contentOf, type PagePlace } from '../../api/page-place.ts'
import type { PageEntry } from '../../api/types.ts'
import { addedPage, usePageChanges } from '../../content/tree/changes.ts'
import { linkedPagesAt } from '../../content/tree/links.ts'
import { readTokens } from '../../content/views/code-colors.ts'
import { t } from '../../words/words.ts'
import { finderOf } from '../find/finder.ts'
import { SelectionBar } from '../selection-bar.tsx'
import { laterPlugins } from '../later-plugins.ts'
import type { FindTokens } from '../typed-colors.ts'
import type { Completed } from './completions.ts'
import { CompletionList } from './completion-list.tsx'
import { linkingMade } from './insert-completion.ts'
import { textCompletion } from './text-completion.ts'
import type { Trigger } from './trigger.ts'

interface TextProps {
  view: EditorView
  place: PagePlace
  organizationId: string
  /** Called with a page that the text refers to. */
  onFound: (page: PageEntry) => void
  /** Asks for the target of a link. */
  onLink: () => void
  /** Begins a comment on the selected words. */
  onComment?: (() => void) | undefined
}

/** Gives an editor the features that are used later than its text: its completion, and the tools for selected words. */
export function TextCompletions({ view, place, organizationId, onFound, onLink, onComment }: TextProps) {
  const make = useNewPage(place, onFound)
  const [completion] = useState(() => {
    const { spaceId, number } = place
    const noteFound = (completed: Completed) => {
      if ('page' in completed && completed.page) onFound(completed.page)
    }
    return textCompletion(
      { organizationId, spaceId, content: contentOf(place), writtenIn: number },
      noteFound,
      make,
    )
  })
  useEffect(() => {
    const findTokens: FindTokens = (blocks, signal) => readTokens(place.spaceId, blocks, signal)
    view.setProps({
      plugins: [completion.plugin, finderOf(view).plugin, ...laterPlugins(view.state.doc, findTokens)],
    })
  }, [view, completion, place.spaceId])
  return (
    <>
      <SelectionBar view={view} onLink={onLink} onComment={onComment} />
      <CompletionList
        open={completion.open}
        field={view.dom}
        placeOf={(from) => (from <= view.state.doc.content.size ? view.coordsAtPos(from) : undefined)}
        onChoose={(chosen) => completion.choose(view, chosen)}
      />
    </>
  )
}

/** Makes a page below the one that is written, and links it in the text. */
function useNewPage(place: PagePlace, onFound: TextProps['onFound']) {
  const content = contentOf(place)
  const { mutate } = usePageChanges(content)
  return (view: EditorView, { length }: Trigger, completed: Completed) => {
    if (completed.is !== 'new-page') return
    const { title } = completed
    const at = view.state.selection.from
    const typed = { from: at - length, text: view.state.doc.textBetween(at - length, at, '\n', '\uFFFC') }
    const into = place.isReusable ? null : place.page
    mutate(
      {
        changes: [{ operation: 'insert_page', title, document: {}, into }],
        done: t('editor.page-was-added', { title }),
        undo: (done) => {
          const page = addedPage(done)
          return page === undefined ? [] : [{ operation: 'delete_page', page }]
        },
        isSave: true,
      },
      {
        async onSuccess(done) {
          const page = addedPage(done)
          if (page === undefined) return
          const { items } = await api(`GET ${linkedPagesAt(content, [page])}`)
          items.forEach(onFound)
          const tr = view.isDestroyed
            ? undefined
            : linkingMade(view.state, typed, { kind: 'page', page }, title)
          if (tr) view.dispatch(tr)
        },
      },
    )
  }
}
