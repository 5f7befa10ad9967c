import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.LECTERN_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** The reason why browser tests are skipped; false if there is a browser. */
export const WITHOUT_BROWSER = existsSync(CHROMIUM) ? false : `there is no browser at ${CHROMIUM}`

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

const LAUNCH = { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] }

/** A headless browser: the shared one of the test run, or a separate one if the file runs alone. Close it. */
export function openBrowser(): Promise<Browser> {
  const address = process.env.LECTERN_TEST_BROWSER
  return address ? chromium.connect(address) : chromium.launch(LAUNCH)
}

/** Starts the browser that all files of a test run connect to; undefined if there is none. */
export async function launchBrowserServer(): Promise<BrowserServer | undefined> {
  return WITHOUT_BROWSER ? undefined : chromium.launchServer(LAUNCH)
}

/** A page in a browser, and the browser’s complaints so far: errors, refused resources, policy violations. */
export interface Visit {
  page: Page
  complaints: string[]
}

/** Opens a page on a device. Close its context. */
export async function visit(browser: Browser, url: string, device: Device): Promise<Visit> {
  const visited = await openPage(browser, device)
  await visited.page.goto(url, { waitUntil: 'load' })
  return visited
}

/** An empty page on a device. To go from page to page in it is faster than to open one for each. */
export async function openPage(browser: Browser, device: Device): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: device.width, height: device.height },
    colorScheme: device.theme,
    javaScriptEnabled: device.script ?? true,
    hasTouch: device.width < 800,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The findings of axe on the current page, one line for each element; best practices included. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    interface Axe {
      run(
        options: object,
      ): Promise<{ violations: { id: string; help: string; nodes: { target: unknown; html: string }[] }[] }>
    }
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${help}: ${String(target)}: ${html.slice(0, 160)}`),
    )
  })
}

/** The number of CSS pixels that the page scrolls sideways; should be 0. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}
