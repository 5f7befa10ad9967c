/** The actions of the palette on the current screen: it presses buttons, and copies requests. */
import type { QueryClient } from '@tanstack/react-query'
import { t } from '../words/words.ts'

/** Something that the palette does. */
export interface Action {
  key: string
  title: string
  kind: string
  act: () => void
}

/** The request that a program sends for the same data, for a shell. The person puts a token in place of `$TOKEN`. */
function curlOf(path: string): string {
  const address = `${location.origin}/v1${path}`.replace(/\?$/, '').replaceAll("'", '%27')
  return `curl -H "Authorization: Bearer $TOKEN" '${address}'`
}

/** The actions of the screen below the palette. Call it before the palette is shown. */
export function actionsOfScreen(client: QueryClient): Action[] {
  return [...buttonsOfScreen(), ...requestsOfScreen(client)]
}

function buttonsOfScreen(): Action[] {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('#main button.button:not([disabled])')]
  // Buttons in rows and forms are about what is beside them, so their names alone say too little.
  const own = buttons.filter((one) => one.textContent !== '' && !one.closest('form, .rows, [role=dialog]'))
  return own.map((button, at) => ({
    key: `button ${at}`,
    title: button.textContent,
    kind: t('app.on-this-screen'),
    act: () => button.click(),
  }))
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
