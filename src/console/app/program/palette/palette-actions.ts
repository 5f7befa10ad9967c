/** The actions of the palette on the current screen: it presses buttons, and copies requests. */
import type { QueryClient } from '@tanstack/react-query'
import { t } from '../../words/words.ts'
import { keyMapOpen, keysOf } from '../keys/shortcuts.ts'
import { toggleSidebar } from '../../ui/sidebar-state.ts'

/** Something that the palette does. */
export interface Action {
  key: string
  title: string
  kind: string
  /** The keys that do the same, as people write them. */
  keys?: string | undefined
  act: () => void
}

/** The request that a program sends for the same data, for a shell. The person puts a token in place of `$TOKEN`. */
function curlOf(path: string): string {
  const address = `${location.origin}/v1${path}`.replace(/\?$/, '').replaceAll("'", '%27')
  return `curl -H "Authorization: Bearer $TOKEN" '${address}'`
}

/** The actions of the screen below the palette. Call it before the palette is shown. */
export function actionsOfScreen(client: QueryClient): Action[] {
  return [...buttonsOfScreen(), ...actionsOfFrame(), ...requestsOfScreen(client)]
}

/** What the buttons of a screen, and the links that look like them, are. */
const PRESSED = '#main :is(button.button, button.small, a.button):not([disabled])'
/** The parts of a screen whose buttons are about what is beside them, so that their names alone say too little. */
const PARTS = 'form, .rows, .prose, .thread, [role=dialog], [role=toolbar]'

function buttonsOfScreen(): Action[] {
  const buttons = [...document.querySelectorAll<HTMLElement>(PRESSED)]
  const own = buttons.filter((one) => spokenName(one) !== '' && !one.closest(PARTS) && one.checkVisibility())
  return own.map((button, at) => ({
    key: `button ${at}`,
    title: spokenName(button),
    kind: t('app.on-this-screen'),
    keys: keysOf(button),
    act: () => button.click(),
  }))
}

const spokenName = (button: HTMLElement) => (button.getAttribute('aria-label') ?? button.textContent).trim()

function actionsOfFrame(): Action[] {
  return [
    {
      key: 'sidebar',
      title: t('sidebar.show-or-hide'),
      kind: t('app.everywhere'),
      keys: 'Ctrl \\',
      act: toggleSidebar,
    },
    {
      key: 'keys',
      title: t('keys.title'),
      kind: t('app.everywhere'),
      keys: '?',
      act: () => keyMapOpen.set(true),
    },
  ]
}

function requestsOfScreen(client: QueryClient): Action[] {
  const paths = client
    .getQueryCache()
    .findAll({ queryKey: ['api'], type: 'active' })
    .map(({ queryKey: [, path] }) => path)
    .filter((path) => typeof path === 'string' && path !== '/user')
  return [...new Set(paths as string[])].map((path) => ({
    key: `copy ${path}`,
    title: t('app.copy-api-call-request', { request: `GET /v1${path}` }),
    kind: t('app.api'),
    act: () => void navigator.clipboard.writeText(curlOf(path)),
  }))
}
