import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useRef } from 'react'
import { spellingsOf, t } from '../words/words.ts'
import type { Insert } from './commands/insert-list.ts'
import { InsertLook } from './commands/insert-look.tsx'
import { insertsFor } from './commands/insert-search.ts'
import { slashAt } from './commands/inserts.ts'
import { placeOfMenu } from './menu-place.ts'

/** The keys that the menu takes while it is open. */
const MENU_KEYS = ['ArrowUp', 'ArrowDown', 'Enter', 'Tab', 'Escape']

interface SlashState {
  /** The place of a slash that stays one; -1 if there is none. */
  dismissed: number
  /** The index of the item that Enter takes. */
  chosen: number
}

/** Inserts what a person chose, for each view that has a menu. */
const inserts = new WeakMap<EditorView, (what: Insert) => void>()
const key = new PluginKey<SlashState>('slash')

/** Gives the keys to the menu while it is open. A slash that was dismissed stays a slash. */
export const slashPlugin = new Plugin<SlashState>({
  key,
  state: {
    init: () => ({ dismissed: -1, chosen: 0 }),
    apply(tr, { dismissed, chosen }, _before, state) {
      const set = tr.getMeta(key) as Partial<SlashState> | undefined
      return {
        dismissed: set?.dismissed ?? tr.mapping.map(dismissed),
        // Another text finds others, of which the first fits best.
        chosen: set?.chosen ?? (slashAt(state) && !tr.docChanged ? chosen : 0),
      }
    },
  },
  props: {
    // The menu is drawn a moment after a letter, and a key can come before it: so the text decides, and not the screen.
    handleKeyDown(view, event) {
      if (!MENU_KEYS.includes(event.key) || event.metaKey || event.ctrlKey || event.isComposing) return false
      const menu = inserts.has(view) ? menuOf(view) : undefined
      if (!menu) return false
      const { slash, found, at } = menu
      const set = (change: Partial<SlashState>) => view.dispatch(view.state.tr.setMeta(key, change))
      if (event.key === 'Escape') set({ dismissed: slash.from })
      else if (event.key === 'ArrowDown') set({ chosen: (at + 1) % found.length })
      else if (event.key === 'ArrowUp') set({ chosen: (at + found.length - 1) % found.length })
      else choose(view, found[at]!)
      return true
    },
  },
})

/** The slash before the caret, what can be inserted for it, and the index of the item that Enter takes. */
function menuOf({ state, editable }: EditorView) {
  const slash = editable ? slashAt(state) : undefined
  const { dismissed, chosen } = key.getState(state)!
  if (!slash || dismissed === slash.from) return undefined
  const groups = insertsFor(slash.query, spellingsOf, state)
  const found = groups.flatMap(({ inserts: ofGroup }) => ofGroup)
  return found.length === 0 ? undefined : { slash, groups, found, at: Math.min(chosen, found.length - 1) }
}

function choose(view: EditorView, what: Insert): void {
  const { state } = view
  const slash = slashAt(state)
  if (!slash) return
  view.dispatch(state.tr.delete(slash.from, state.selection.from))
  inserts.get(view)?.(what)
}

/** The list of blocks after a slash. */
export function SlashMenu({ view, onInsert }: { view: EditorView; onInsert: (what: Insert) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const menu = menuOf(view)
  const isOpen = menu !== undefined
  const at = menu?.at ?? 0

  useEffect(() => {
    inserts.set(view, onInsert)
    return () => void inserts.delete(view)
  }, [view, onInsert])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    const { dom } = view
    if (isOpen) dom.setAttribute('aria-activedescendant', `slash-${at}`)
    else dom.removeAttribute('aria-activedescendant')
  }, [view, isOpen, at])

  if (!menu) return null
  const { slash, groups, found } = menu
  return (
    <div
      ref={list}
      className="menu slash-menu"
      role="listbox"
      aria-label={t('editor.insert')}
      // The list scrolls, so it can receive the focus, but a press leaves the focus in the text.
      tabIndex={0}
      onMouseDown={(event) => event.preventDefault()}
      style={placeOfMenu(view.coordsAtPos(slash.from))}
    >
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={t(group.name)}>
          <div className="menu-heading" aria-hidden="true">
            {t(group.name)}
          </div>
          {group.inserts.map((what) => {
            const i = found.indexOf(what)
            return (
              <div
                key={what.title}
                id={`slash-${i}`}
                role="option"
                aria-selected={i === at}
                className="menu-item insert-item"
                onMouseDown={() => choose(view, what)}
              >
                <InsertLook what={what} />
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
