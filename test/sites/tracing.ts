/** Notices script that runs in a browser, markup that could run, and what a policy has to stop. */
import type { Browser, Page } from 'playwright-core'
import { DEVICES, openPage } from './browser.ts'

/** Before the scripts of each frame: whatever a payload calls, and what a policy stops, leaves a trace in the console. */
const TRACE = `for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'msgbox'])
  globalThis[name] = (...values) => console.error('RAN ' + name + ' ' + values.join(' '))
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('STOPPED ' + violatedDirective + ' ' + blockedURI + ' in ' + location.pathname))`

/** Markup that runs something: what the frame itself has is external scripts and data. */
export const DANGERS = `[...document.querySelectorAll('*')].flatMap((element) => {
  const name = element.localName
  const found = [...element.attributes]
    .filter(({ name, value }) => /^on/i.test(name) || name === 'srcdoc' || name === 'ping' || name === 'formaction' ||
      (/^(?:xlink:)?(?:href|src|action|data|poster|background)$/i.test(name) &&
        /^(?:javascript|vbscript|data:(?!image)|blob|file|filesystem|view-source|intent)/i.test(value.replace(/[\\u0000-\\u0020\\u200b]/g, ''))) ||
      (/^(?:href|data|action)$/i.test(name) && /^data:/i.test(value)))
    .map(({ name: attribute }) => name + ' ' + attribute + '=' + element.getAttribute(attribute))
  const isOwn = name !== 'script' || /^application\\/(ld\\+)?json$/.test(element.type) ||
    (element.src !== '' && new URL(element.src).host === location.host)
  if (!isOwn) found.push('script ' + element.outerHTML.slice(0, 80))
  if (/^(?:object|embed|applet|base|portal|frame|frameset|animate|set)$/.test(name)) found.push(name)
  if (name === 'meta' && /refresh/i.test(element.httpEquiv)) found.push('meta refresh')
  return found
})`

/**
 * Whether a line of the console says what ran, or what the policy of a page had to stop. Diagrams are drawn in a frame
 * whose stricter policy is there to stop what they contain.
 */
export function isTrace(line: string): boolean {
  return (
    line.startsWith('RAN ') || (line.startsWith('STOPPED ') && !/ in \/_lectern\/diagram-frame\./.test(line))
  )
}

/** Sends the events that a payload may wait for. */
export const POINT = `for (const element of document.querySelectorAll('body *'))
  for (const type of ['mouseover', 'pointerenter', 'focus', 'toggle', 'begin', 'play', 'animationstart'])
    element.dispatchEvent(new Event(type))`

/** An empty page that traces what runs, and what it has logged. */
export async function tracedPage(browser: Browser): Promise<{ page: Page; logged: string[] }> {
  const { page } = await openPage(browser, DEVICES[0]!)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  page.on('pageerror', (error) => logged.push(String(error)))
  await page.addInitScript(TRACE)
  // Other hosts are not asked: a picture of one is not a fault.
  await page.context().route(/\.example\b/, (route) => route.abort())
  return { page, logged }
}
