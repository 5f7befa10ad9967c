import { brotliCompressSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { type Browser, chromium, type Page } from 'playwright-core'
import { importArchive, importCorpus } from './import.ts'
import { median, quantile, type Running, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const PAGES = 10_000
const LEVEL = 100
const RUNS = 5
const KEYS = 200
const EMAIL = 'bench@example.com'
const PASSWORD = 'correct horse battery'

/** Bytes and times to open and to write pages in the console, for a large space and for the largest page of a corpus. */
export async function editing(): Promise<Result[]> {
  await using lectern = await startLectern({ LECTERN_ADMIN_EMAIL: EMAIL })
  const { space: large } = await importArchive(lectern, 'large', manyPages())
  const { space: corpus } = await importCorpus(lectern, 'elsa-docs')
  const browser = await chromium.launch({
    executablePath: process.env.LECTERN_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await signedIn(lectern, browser)
    return [...(await largeTree(lectern, page, large)), ...(await largestPage(lectern, page, corpus))]
  } finally {
    await browser.close()
  }
}

function manyPages(): Buffer {
  const files = Array.from({ length: PAGES }, (_, n) => [
    `part-${n % LEVEL}/page-${n}.md`,
    Buffer.from(`# Page ${n}\n\nSome words on page ${n}.\n`),
  ])
  return Buffer.from(zipSync(Object.fromEntries(files) as Record<string, Uint8Array>))
}

async function signedIn(lectern: Running, browser: Browser): Promise<Page> {
  const set = await fetch(`${lectern.url}/v1/account/password`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${lectern.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })
  if (!set.ok) throw new Error(`The password was refused: ${set.status} ${await set.text()}`)
  const page = await browser.newPage()
  await page.addInitScript(NOTE_PAINTS)
  await page.goto(`${lectern.url}/sign-in`)
  await page.fill('#email', EMAIL)
  await page.fill('#password', PASSWORD)
  await page.click('button.main')
  await page.waitForURL('**/app**')
  return page
}

/**
 * Milliseconds from the start of a navigation until the paint that shows something, and the largest response of the API
 * on the way. The page itself looks at its clock: from outside, the time until the browser answers would be in it.
 */
async function opening(page: Page, url: string, shown: string): Promise<{ ms: number; bytes: number }> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector(shown)
  await page.waitForLoadState('networkidle')
  const ms = (await page.evaluate(`window.paintOf(${JSON.stringify(shown)})`)) as number
  return { ms, bytes: (await page.evaluate(LARGEST)) as number }
}

/** What the scenarios wait for. */
const SHOWN = { tree: '.page-tree a[aria-current]', text: '.writing[contenteditable=true] > *' }

/** Notes when the page has painted each of them first. */
const NOTE_PAINTS = `{
  const at = {}
  const missing = new Set(${JSON.stringify(Object.values(SHOWN))})
  const observer = new MutationObserver(() => {
    for (const shown of missing) {
      if (!document.querySelector(shown)) continue
      missing.delete(shown)
      requestAnimationFrame(() => setTimeout(() => { at[shown] = performance.now() }))
    }
  })
  observer.observe(document, { childList: true, subtree: true })
  window.paintOf = (shown) => at[shown]
}`

/** The compressed bytes of the largest response of the API, as the browser counts them. */
const LARGEST = `Math.max(...performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/v1/')).map(({ encodedBodySize }) => encodedBodySize))`

async function largeTree(lectern: Running, page: Page, space: string): Promise<Result[]> {
  const address = `${lectern.url}/app/s/${space}/part-7/page-7`
  const runs: { ms: number; bytes: number }[] = []
  for (let run = 0; run <= RUNS; run++) {
    const one = await opening(page, address, SHOWN.tree)
    if (run > 0) runs.push(one)
  }
  const whole = JSON.stringify(await lectern.call('GET', `/v1/spaces/${space}/content/pages`))
  const times = runs.map(({ ms }) => ms)
  const bytes = Math.max(...runs.map((one) => one.bytes)) / 1000
  const all = brotliCompressSync(whole).length / 1000
  return [
    {
      scenario: `a space of ${PAGES} pages, until its tree is shown`,
      ours: `${median(times).toFixed(0)} ms`,
      reference: '500 ms',
      ratio: median(times) / 500,
      spread: spread(times),
      goal: '≤ 1',
    },
    {
      scenario: `largest response to open a page of ${PAGES}, kB / the whole page tree in the best compression`,
      ours: bytes.toFixed(1),
      reference: all.toFixed(1),
      ratio: bytes / all,
      spread: '',
      goal: '≤ 100 kB',
    },
  ]
}

async function largestPage(lectern: Running, page: Page, space: string): Promise<Result[]> {
  const { path, blocks } = await largestOf(lectern, space)
  const { number } = await lectern.call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Bench' })
  const address = `${lectern.url}/app/s/${space}/~/changes/${String(number)}/edit/${path}`
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const { ms } = await opening(page, address, SHOWN.text)
    if (run > 0) times.push(ms)
  }
  const paints = await keyPaints(page)
  return [
    {
      scenario: `the largest page of the Elsa documentation (${blocks} blocks), until it can be edited`,
      ours: `${median(times).toFixed(0)} ms`,
      reference: '500 ms',
      ratio: median(times) / 500,
      spread: spread(times),
      goal: '≤ 1',
    },
    {
      scenario: 'from the press of a key in it until the next paint, 95th percentile',
      ours: `${quantile(paints, 0.95).toFixed(0)} ms`,
      reference: '50 ms',
      ratio: quantile(paints, 0.95) / 50,
      spread: spread(paints),
      goal: '≤ 1',
    },
  ]
}

interface Entry {
  id: string
  path?: string
  type: string
  pages?: Entry[]
}

async function largestOf(lectern: Running, space: string): Promise<{ path: string; blocks: number }> {
  const content = `/v1/spaces/${space}/content`
  const { pages } = (await lectern.call('GET', `${content}/pages`)) as unknown as { pages: Entry[] }
  const flat = (list: Entry[]): Entry[] => list.flatMap((one) => [one, ...flat(one.pages ?? [])])
  let found = { path: '', blocks: 0 }
  for (const { id, path = '', type } of flat(pages)) {
    if (type !== 'document') continue
    const { nodes } = await lectern.call('GET', `${content}/page/${id}/document`)
    const blocks = (nodes as unknown[]).length
    if (blocks > found.blocks) found = { path, blocks }
  }
  return found
}

/** Milliseconds from each key press to the next paint, as the browser itself measures them in steps of 8 ms. */
async function keyPaints(page: Page): Promise<number[]> {
  await page.evaluate(`{
    window.paints = []
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.paints.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 })
  }`)
  await page.click('.writing > p')
  for (let key = 0; key < KEYS; key++) await page.keyboard.press('a', { delay: 20 })
  const paints = (await page.evaluate('window.paints')) as number[]
  // The browser reports no event that took less than 16 ms.
  return [...paints, ...Array.from({ length: Math.max(0, KEYS - paints.length) }, () => 8)]
}
