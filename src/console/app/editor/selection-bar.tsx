/** The tools beside the words that somebody has selected. */
import { setBlockType, toggleMark } from 'prosemirror-commands'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Toolbar as Tools } from 'react-aria-components'
import { t } from '../words/words.ts'
import { schema } from '../content/schema/schema.ts'
import { type } from './commands/keys.ts'
import { type Form, FORM_ITEMS, turnInto } from './commands/turn-into.ts'
import { ToolMenu, KINDS, MarkTools, Tool } from './toolbar.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './selection-bar.css'

/** In CSS pixels, between the words and the tools. */
const GAP = 6
/** What the buttons of the kinds of blocks show, in their order. */
const SIGNS = ['¶', 'H1', 'H2', 'H3']

/** The colour of highlighted words, one of those that sites have. */
const HIGHLIGHT = { data: { background: 'yellow' } }

/** Whether words are selected that can have marks. */
function hasWords({ selection }: EditorState): boolean {
  const { $from, $to, empty } = selection
  if (empty || !(selection instanceof TextSelection)) return false
  return [$from, $to].every(({ parent }) => parent.inlineContent && parent.type.spec.code !== true)
}

/** The tools for the selected words: above them, or below where there is no room. Alt+F10 leads there, Escape back. */
export function SelectionBar({
  view,
  onLink,
  onComment,
}: {
  view: EditorView
  onLink: () => void
  /** Begins a comment on the words; absent for a text that has no comments. */
  onComment?: (() => void) | undefined
}) {
  const bar = useRef<HTMLDivElement>(null)
  const isWithin = useIsWithin(view, bar)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const isShown = (isWithin || isMenuOpen) && view.editable && hasWords(view.state)
  useLayoutEffect(() => {
    if (!isShown) return undefined
    const place = () => bar.current && placeBar(view, bar.current)
    place()
    addEventListener('scroll', place, { passive: true, capture: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  })
  useEffect(() => {
    const toBar = (event: KeyboardEvent) => {
      if (event.key !== 'F10' || !event.altKey || !bar.current) return
      event.preventDefault()
      bar.current.querySelector('button')?.focus()
    }
    view.dom.addEventListener('keydown', toBar)
    return () => view.dom.removeEventListener('keydown', toBar)
  }, [view])
  if (!isShown) return null
  const { doc, selection } = view.state
  const color = schema.marks.color!
  const isHighlighted = doc.rangeHasMark(selection.from, selection.to, color.create(HIGHLIGHT))
  const run = (command: Command) => {
    command(view.state, view.dispatch, view)
    view.focus()
  }
  return (
    <div
      ref={bar}
      className="selection-bar"
      onKeyDown={(event) => event.key === 'Escape' && view.focus()}
      // A press between the tools leaves the focus in the text.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Tools aria-label={t('editor.selected-words')} className="tools">
        <MarkTools view={view} onLink={onLink} />
        <Tool
          label={t('editor.highlight')}
          isPressed={isHighlighted}
          onPress={() => run(toggleMark(color, HIGHLIGHT))}
        >
          <span className="highlight-sign">A</span>
        </Tool>
        {KINDS.map(([name, label], index) => (
          <Tool
            key={name}
            label={t(label)}
            isPressed={selection.$from.parent.type.name === name}
            onPress={() => run(setBlockType(type(name)))}
          >
            <span className="block-sign" data-sign={SIGNS[index]} />
          </Tool>
        ))}
        <ToolMenu
          label={t('editor.turn-into')}
          items={FORM_ITEMS}
          onChoose={(form) => run(turnInto(form as Form))}
          onOpenChange={setMenuOpen}
        />
        {onComment && (
          <Tool label={t('common.comment')} onPress={onComment}>
            <svg viewBox="0 0 24 24" className="sign">
              <path d="M4 5h16v11H11l-4 4v-4H4z" />
            </svg>
          </Tool>
        )}
      </Tools>
    </div>
  )
}

/** Phones show their own tools beside a selection. Those above the text are always there. */
const hasOwnTools = () => matchMedia('(pointer: coarse)').matches

/** Whether the text or its tools have the focus, and no button of the mouse is held: the selection may still grow. */
function useIsWithin(view: EditorView, bar: React.RefObject<HTMLElement | null>): boolean {
  const [isWithin, setWithin] = useState(() => view.hasFocus() && !hasOwnTools())
  useEffect(() => {
    if (hasOwnTools()) return undefined
    const look = () => setWithin(view.hasFocus() || (bar.current?.contains(document.activeElement) ?? false))
    const lookSoon = () => setTimeout(look)
    const hide = () => setWithin(false)
    const { dom } = view
    dom.addEventListener('mousedown', hide)
    addEventListener('mouseup', lookSoon)
    document.addEventListener('focusin', look)
    document.addEventListener('focusout', lookSoon)
    return () => {
      dom.removeEventListener('mousedown', hide)
      removeEventListener('mouseup', lookSoon)
      document.removeEventListener('focusin', look)
      document.removeEventListener('focusout', lookSoon)
    }
  }, [view, bar])
  return isWithin
}

function placeBar(view: EditorView, bar: HTMLElement): void {
  const { from, to } = view.state.selection
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)]
  const { width, height } = bar.getBoundingClientRect()
  // The bars above the text lie over it.
  const edge = document.querySelector('.editor-top')?.getBoundingClientRect().bottom ?? 0
  const above = start.top - GAP - height
  const top = above >= edge ? above : end.bottom + GAP
  // A selection of several lines reaches over the whole line.
  const middle = start.top === end.top ? (start.left + end.left) / 2 : start.left + width / 2
  const left = Math.max(8, Math.min(middle - width / 2, innerWidth - width - 8))
  bar.style.top = `${top}px`
  bar.style.left = `${left}px`
  bar.hidden = top + height < edge || top > innerHeight
}
