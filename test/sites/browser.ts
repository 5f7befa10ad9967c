import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'

import { type Browser, chromium, type Page } from 'playwright-core'
import { atEndOfGroup, isSharing } from '../shared.ts'

/** The headless shell is Chromium without its windows: it takes half of the CPU time for the same pages. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const CHROMIUM =
  process.env.LECTERN_TEST_CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

/** What a browser shows does not depend on the database, so the default run opens one on SQLite only. */
const ELSEWHERE =
  process.env.LECTERN_TEST_POSTGRES && !process.env.LECTERN_TEST_EFFORT
    ? 'on PostgreSQL, tests in a browser are in the long run (LECTERN_TEST_EFFORT=long)'
    : false

/** The reason why browser tests are skipped; false if there is a browser. */
export const WITHOUT_BROWSER =
  ELSEWHERE || (existsSync(CHROMIUM) ? false : `there is no browser at ${CHROMIUM}`)

/** The device of a reader. */
export interface Device {
  name: string
  width: number
  height: number
  theme: 'light' | 'dark'
  /** False for a reader without JavaScript. */
  script?: boolean
}

/** A laptop and a phone, in light and dark themes. */
export const DEVICES: readonly Device[] = [
  { name: 'laptop', width: 1440, height: 900, theme: 'light' },
  { name: 'laptop, dark', width: 1440, height: 900, theme: 'dark' },
  { name: 'phone', width: 390, height: 844, theme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, theme: 'dark' },
]

const [LAPTOP, DARK_LAPTOP, PHONE, DARK_PHONE] = DEVICES as [Device, Device, Device, Device]
/** The devices in the order in which they stand for the others: the first two have both screens and both themes. */
export const DEVICES_BY_RANK: readonly Device[] = [DARK_PHONE, LAPTOP, DARK_LAPTOP, PHONE]

const LAUNCH = { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'] }

let sharedBrowser: Promise<Browser> | undefined

/**
 * A headless browser, which a file closes at its end. The files of a group have one together: to start a browser takes
 * as long as to load four pages, and the pages that a file has left serve the next.
 */
export function openBrowser(): Promise<Browser> {
  return isSharing() ? (sharedBrowser ??= launchShared()) : chromium.launch(LAUNCH)
}

async function launchShared(): Promise<Browser> {
  const browser = await chromium.launch(LAUNCH)
  atEndOfGroup(browser.close.bind(browser))
  return Object.assign(browser, { close: () => closeStrays(browser) })
}

/** Closes what no test has left to the next one. */
async function closeStrays(browser: Browser): Promise<void> {
  const free = new Set((left.get(browser) ?? []).map(({ page }) => page.context()))
  const strays = browser.contexts().filter((context) => !free.has(context))
  await Promise.all(strays.map((context) => context.close()))
}

/** A page in a browser, and the browser’s complaints so far: errors, refused resources, policy violations. */
export interface Visit {
  page: Page
  complaints: string[]
}

/** Opens a page on a device. Leave it with `leave`, or close its context. */
export async function visit(browser: Browser, url: string, device: Device): Promise<Visit> {
  const visited = await openPage(browser, device)
  await visited.page.goto(url, { waitUntil: 'load' })
  return visited
}

/** The pages that tests have left, of each browser. To open a context costs a second of CPU time, four times a page. */
const left = new WeakMap<Browser, Opened[]>()
const opened = new WeakMap<Page, Opened>()

interface Opened extends Visit {
  browser: Browser
  /** What cannot change once a context is open. */
  kind: string
}

/** An empty page on a device. To go from page to page in it is faster than to open one for each. */
export async function openPage(browser: Browser, device: Device): Promise<Visit> {
  const kind = `${device.script !== false} ${device.width < 800}`
  const free = left.get(browser) ?? []
  const index = free.findIndex((one) => one.kind === kind)
  const [known] = index < 0 ? [] : free.splice(index, 1)
  const { page, complaints } = known ?? (await openContext(browser, device, kind))
  if (known) {
    await page.setViewportSize({ width: device.width, height: device.height })
    await page.emulateMedia({ colorScheme: device.theme, media: null })
  }
  return { page, complaints }
}

/** The pages of a browser share its clipboard: each page notes what it copies itself. */
const NOTE_COPIED = `if (navigator.clipboard) {
  const writeText = navigator.clipboard.writeText.bind(navigator.clipboard)
  navigator.clipboard.writeText = async (text) => {
    await writeText(text)
    globalThis.copiedText = text
  }
}`

/**
 * The console begins without its sidebar, whose links have the names of those on the screens. Tests of the sidebar, and those
 * that look at every screen, show it by `showSidebar`.
 */
const WITHOUT_SIDEBAR = `if (location.pathname.startsWith('/app')) localStorage['lectern-sidebar'] ??= 'closed'`

/** What a page has copied since it was opened or asked the last time. Waits until it copies something. */
export async function copiedText(page: Page): Promise<string> {
  await untilTrue(page, 'globalThis.copiedText !== undefined')
  return page.evaluate<string>(
    '(() => { const text = globalThis.copiedText; globalThis.copiedText = undefined; return text })()',
  )
}

async function openContext(browser: Browser, device: Device, kind: string): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: device.width, height: device.height },
    colorScheme: device.theme,
    javaScriptEnabled: device.script ?? true,
    hasTouch: device.width < 800,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await context.addInitScript(NOTE_COPIED)
  await context.addInitScript(WITHOUT_SIDEBAR)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  opened.set(page, { page, complaints, browser, kind })
  return { page, complaints }
}

/** Leaves a page to the next test that opens one on such a device, without what the reader stored at its site. */
export async function leave(page: Page): Promise<void> {
  const one = opened.get(page)
  if (!one) throw new Error('openPage() did not open this page')
  await page.unrouteAll()
  // A page in a sandbox has no storage.
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => undefined)
  const empty = emptyPageOf(page.url())
  await page.goto(empty).catch(() => page.goto('about:blank'))
  await page.context().clearCookies()
  one.complaints.length = 0
  left.set(one.browser, [...(left.get(one.browser) ?? []), one])
}

/**
 * A page of the same server that shows nothing. For it, the browser keeps the process of the page and the scripts that it
 * has compiled. For `about:blank` it would start another process, which takes as long as to load two screens. A host with
 * a name may be one that only the test serves, which ends with the test.
 */
function emptyPageOf(address: string): string {
  const { hostname, origin } = new URL(address)
  return hostname === '127.0.0.1' ? `${origin}/livez` : 'about:blank'
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose results depend on the colours of a page. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const

/**
 * The findings of axe on the current page, one line for each element; best practices included.
 * @param within a selector, such as that of a modal dialog, which hides the landmarks of the page
 * @param rules those to check; by default, all of them
 * @param except the selector of elements that are like others on the page: axe takes a tenth of a second for a few of them
 */
export async function axeFindings(
  page: Page,
  within?: string,
  rules?: readonly string[],
  except?: string,
): Promise<string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(AXE)
  // A screen that still loads has no heading yet. One that never has a heading is a finding, except below a dialog.
  if (within === undefined)
    await page
      .waitForSelector('h1, [role=dialog]', { state: 'attached', timeout: 10_000 })
      .catch(() => undefined)
  // What is about to appear has too little contrast.
  await page.evaluate(`{
    for (const one of document.getAnimations())
      if (one.effect.getComputedTiming().endTime !== Infinity) one.finish()
  }`)
  return page.evaluate(
    async ([selector, only, repeated]) => {
      interface Axe {
        run(
          context: object,
          options: object,
        ): Promise<{ violations: { id: string; help: string; nodes: { target: unknown; html: string }[] }[] }>
      }
      const { axe } = globalThis as unknown as { axe: Axe }
      const context = {
        include: [[selector ?? 'html']],
        exclude: repeated === undefined ? [] : [[repeated]],
      }
      const { violations } = await axe.run(context, {
        resultTypes: ['violations'],
        // axe would send messages to frames that it is not in.
        iframes: false,
        ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
      })
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, html }) => `${id}: ${help}: ${String(target)}: ${html.slice(0, 160)}`),
      )
    },
    [within, rules, except] as const,
  )
}

/**
 * Waits until an expression is true on a page. `page.waitForFunction` cannot: from its second try on, the page evaluates
 * the text itself, which the content security policy forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await page.evaluate(expression))) {
    if (Date.now() > end) throw new Error(`It never became true: ${expression}`)
    await wait(50)
  }
}

/** Waits until a page shows what the last key or click has changed. The browser draws it a moment later. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
}

/** The number of CSS pixels that the page scrolls sideways; should be 0. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}
