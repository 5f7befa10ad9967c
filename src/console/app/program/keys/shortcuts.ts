/**
 * The keys that work on every screen. The letters are those that people know from Linear and GitHub; nothing listens to
 * them while somebody writes, and a user can switch them off in this browser.
 */
import { useEffect } from 'react'
import { go } from '../../api/api.ts'
import { store, stored } from '../../api/browser-storage.ts'
import { sharedValue } from '../../ui/shared-value.ts'
import { paletteOpen } from '../palette/palette-state.ts'
import { toggleSidebar } from '../../ui/sidebar-state.ts'

const OFF_KEY = 'lectern-letter-keys'

/** Whether single letters are keys. */
export const lettersOn = sharedValue(stored(OFF_KEY) !== 'off', (isOn) =>
  store(OFF_KEY, isOn ? undefined : 'off'),
)

/** Whether the map of keys is open. */
export const keyMapOpen = sharedValue(false)

/** The screens that `G` and a letter open. */
const GO_TO = { h: '/', i: '/inbox', d: '/drafts' } as const

/** The letters of buttons. A screen declares them by `aria-keyshortcuts`. */
const OF_BUTTONS = /^[A-Z]$/

/** After `G`, the second letter may come within this time. */
const SECOND_MS = 1500

/** The keys of a button, as people write them; undefined if it has none. */
export function keysOf(button: Element): string | undefined {
  return button.getAttribute('aria-keyshortcuts')?.split(' ')[0]?.replaceAll('+', ' ')
}

/** The buttons and links of the screen that have a letter, with the letter. */
export function lettersOfScreen(): [letter: string, button: HTMLElement][] {
  const all = [...document.querySelectorAll<HTMLElement>('#main [aria-keyshortcuts]:not([disabled])')]
  const found = new Map<string, HTMLElement>()
  for (const one of all) {
    const letter = one.getAttribute('aria-keyshortcuts') ?? ''
    if (OF_BUTTONS.test(letter) && !found.has(letter) && one.checkVisibility()) found.set(letter, one)
  }
  return [...found]
}

/** Whether a key is meant for what has the focus: a field, a list that looks for what somebody types, or a dialog. */
function isTaken(target: EventTarget | null): boolean {
  if (
    paletteOpen.get() ||
    document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
  )
    return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role=textbox], [role=tree], [role=treegrid], [role=grid]') !==
        null)
  )
}

/** Listens to the keys. @param create what `C` does on a screen whose buttons have no such key; undefined for nothing */
export function useShortcuts(create: (() => void) | undefined): void {
  useEffect(() => {
    let goesUntil = 0
    const listen = (event: KeyboardEvent) => {
      const { key, code, ctrlKey, metaKey, altKey, defaultPrevented, isComposing } = event
      if (defaultPrevented || isComposing || altKey) return
      if ((ctrlKey || metaKey) && (key === '\\' || code === 'Backslash')) {
        event.preventDefault()
        toggleSidebar()
        return
      }
      if (ctrlKey || metaKey || !lettersOn.get() || isTaken(event.target)) return
      const act = actionOf(key, event.timeStamp < goesUntil)
      goesUntil = key.toLowerCase() === 'g' ? event.timeStamp + SECOND_MS : 0
      if (!act) return
      event.preventDefault()
      act()
    }
    const actionOf = (key: string, isSecond: boolean): (() => void) | undefined => {
      if (key === '?') return () => keyMapOpen.set(true)
      if (key === '/') return () => paletteOpen.set(true)
      const letter = key.toLowerCase()
      if (isSecond) {
        const to = Object.entries(GO_TO).find(([one]) => one === letter)?.[1]
        return to && (() => go(to))
      }
      const button = lettersOfScreen().find(([one]) => one === key.toUpperCase())?.[1]
      if (button) return () => button.click()
      return letter === 'c' ? create : undefined
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [create])
}
