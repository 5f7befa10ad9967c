import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

import { assetUrl } from '../../src/sites/assets/assets.ts'
import { inLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'
import { fence, HOSTILE_DIAGRAMS } from './hostile-diagrams.ts'
import { axeFindings, DEVICES, leave, openBrowser, visit, WITHOUT_BROWSER } from './browser.ts'
import { markdownPage } from './markdown-page.ts'
import { servePages, type Served } from './serve.ts'

const GOOD = [
  fence('flowchart TD', '  A[Start] --> B{Is it?}', '  B -->|Yes| C[Done]'),
  fence('sequenceDiagram', '  Alice->>Bob: Hello', '  Bob-->>Alice: Hi'),
  '{% @mermaid/diagram content="graph TD\\n  A-->B" %}\n',
].join('\n')

const BROKEN = fence('flowchart TD', '  A[Start --> B')

/** One of each kind, with what colours them: groups, notes, tasks, slices. */
const KINDS = [
  fence('flowchart LR', '  subgraph One', '    A[Start] --> B{Is it?}', '  end', '  B -->|Yes| C[(Done)]'),
  fence('sequenceDiagram', '  Alice->>+Bob: Hello', '  Note over Alice,Bob: A note', '  Bob-->>-Alice: Hi'),
  fence('pie title Share', '  "One" : 40', '  "Two" : 35', '  "Three" : 25'),
  fence(
    'gantt',
    '  dateFormat YYYY-MM-DD',
    '  section A',
    '  One :done, a, 2026-01-01, 9d',
    '  Two :crit, 7d',
  ),
  fence('stateDiagram-v2', '  [*] --> Idle', '  Idle --> Busy: start', '  Busy --> [*]'),
].join('\n')

const CHOSEN = [
  fence('---', 'config:', '  theme: forest', '---', 'flowchart TD', '  A --> B'),
  fence(
    '%%{init: {"theme": "base", "themeVariables": {"primaryColor": "#123456"}}}%%',
    'flowchart TD',
    '  A --> B',
  ),
  fence('flowchart TD', '  A[the theme: dark] --> B'),
].join('\n')

const PAGES: Record<string, string> = {
  '/kinds': KINDS,
  '/chosen': CHOSEN,
  '/good': GOOD,
  '/broken': BROKEN,
  '/hostile': HOSTILE_DIAGRAMS,
}

test('the server sends the frame with a policy that removes its origin and its network access', async () => {
  const world = await createWorld()
  const { status, headers } = await world.nobody(`GET ${assetUrl('diagram-frame.html')}`)
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^sandbox allow-scripts; default-src 'none'; script-src 'self'; /)
  assert.doesNotMatch(policy, /allow-same-origin|unsafe-eval|connect-src|img-src/)
  assert.notEqual(headers.get('x-frame-options')?.toUpperCase(), 'DENY')
})

describe('diagrams, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let server: Served
  const requested: string[] = []

  before(async () => {
    server = await servePages(
      (path) => {
        requested.push(path)
        return path.startsWith('/de/')
          ? markdownPage(PAGES[path.slice(3)] ?? 'Nothing', {}, 'de')
          : markdownPage(PAGES[path] ?? 'Nothing')
      },
      () => undefined,
    )
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const pictures = (page: Page) => page.locator('.diagram-picture img')
  /** The words in a diagram. Mermaid puts each into a separate element. */
  const textOf = (svg: string) =>
    svg
      .replace(/<style>.*?<\/style>/gs, '')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
  const svgOf = async (page: Page, index: number) =>
    decodeURIComponent((await pictures(page).nth(index).getAttribute('src')) ?? '')

  async function drawn(path: string, count: number, device = DEVICES[0]!) {
    const visited = await visit(browser, server.base + path, device)
    await pictures(visited.page)
      .nth(count - 1)
      .waitFor()
    return visited
  }

  test('a flowchart, a sequence and the block of the integration are drawn, with their source on demand', async () => {
    const { page, complaints } = await drawn('/good', 3)
    assert.match(textOf(await svgOf(page, 0)), /Start.*Is it\?.*Done/)
    assert.match(textOf(await svgOf(page, 1)), /Alice.*Hello/)
    for (const picture of await pictures(page).all()) {
      const { width, height } = (await picture.boundingBox())!
      assert.ok(width > 60 && height > 60, `${width} × ${height}`)
    }
    await page.evaluate(
      `Promise.all([...document.querySelectorAll('.diagram-picture img')].map((image) => image.decode()))`,
    )
    const source = page.getByText('flowchart TD')
    assert.equal(await source.isVisible(), false)
    await page.getByRole('button', { name: 'Show source' }).first().click()
    assert.ok(await source.isVisible())
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the words beside a diagram are in the language of the site', { skip: inLongRun }, async () => {
    const { page } = await drawn('/de/good', 3)
    const alternative = await pictures(page).first().getAttribute('alt')
    assert.equal(alternative, 'Diagramm (flowchart-v2); „Quelltext anzeigen“ zeigt seinen Text')
    await page.getByRole('button', { name: 'Quelltext anzeigen' }).first().click()
    await page.getByRole('button', { name: 'Quelltext ausblenden' }).waitFor()
    await page.goto(`${server.base}/de/broken`)
    await page.getByText('Der Browser konnte dieses Diagramm nicht zeichnen: Parse error').waitFor()
    await leave(page)
  })

  test('a diagram follows the theme that the reader chooses', { skip: inLongRun }, async () => {
    const { page } = await drawn('/good', 3)
    const light = await svgOf(page, 0)
    await page.getByRole('button', { name: 'Dark theme' }).click()
    while ((await svgOf(page, 0)) === light) await sleep(50)
    const dark = await drawn('/good', 3, DEVICES[1])
    assert.equal(await svgOf(page, 0), await svgOf(dark.page, 0))
    await leave(dark.page)
    await leave(page)
  })

  const ACCENTS = { light: 'rgb(11, 102, 87)', dark: 'rgb(105, 205, 185)' }

  test('diagrams have the colours of the site, in each mode', async () => {
    for (const device of [DEVICES[0]!, DEVICES[1]!]) {
      const { page, complaints } = await drawn('/kinds', 5, device)
      for (const index of [0, 3, 4]) assert.ok((await svgOf(page, index)).includes(ACCENTS[device.theme]))
      assert.doesNotMatch(await svgOf(page, 0), /#(?:ECECFF|9370DB)/i)
      if (process.env.LECTERN_TEST_PICTURES)
        await page.screenshot({
          fullPage: true,
          path: `${process.env.LECTERN_TEST_PICTURES}/diagrams-${device.name}.png`,
        })
      assert.deepEqual(complaints, [])
      await leave(page)
    }
  })

  test('a theme that the writer of a diagram chose stays', async () => {
    const { page } = await drawn('/chosen', 3)
    for (const [index, color] of [/#cde498/i, /#123456/].entries()) {
      assert.match(await svgOf(page, index), color)
      assert.ok(!(await svgOf(page, index)).includes(ACCENTS.light))
    }
    assert.ok((await svgOf(page, 2)).includes(ACCENTS.light))
    await leave(page)
  })

  test('without JavaScript the source is shown', async () => {
    const { page } = await visit(browser, `${server.base}/good`, { ...DEVICES[0]!, script: false })
    assert.ok(await page.getByText('flowchart TD').isVisible())
    assert.equal(await page.locator('iframe').count(), 0)
    await leave(page)
  })

  test('a diagram with a fault keeps its source, with a note', async () => {
    const { page } = await visit(browser, `${server.base}/broken`, DEVICES[0]!)
    await page.getByText(/could not draw this diagram: Parse error on line \d\./).waitFor()
    assert.ok(await page.getByText('A[Start --> B').isVisible())
    assert.deepEqual(await axeFindings(page), [])
    await leave(page)
  })

  test('a hostile source neither runs code nor reaches the network', async () => {
    const { page } = await visit(browser, `${server.base}/hostile`, DEVICES[0]!)
    while ((await page.locator('.diagram:has(.diagram-picture, .diagram-note)').count()) < 3) await sleep(50)
    assert.ok((await pictures(page).count()) > 0)
    await page.waitForTimeout(300)
    for (const frame of page.frames())
      assert.equal(await frame.evaluate('typeof globalThis.hacked'), 'undefined')
    assert.deepEqual(
      requested.filter((path) => /stolen|\/x$/.test(path)),
      [],
    )
    await leave(page)
  })

  test('the frame has an opaque origin, even if it is opened by its URL', async () => {
    const { page } = await drawn('/good', 3)
    const frame = page.frames().find((one) => one.url().includes('diagram-frame'))
    assert.equal(await frame?.evaluate('self.origin'), 'null')
    await assert.rejects(frame!.evaluate('parent.document'), /SecurityError|cross-origin/)
    await page.goto(server.base + assetUrl('diagram-frame.html'))
    assert.equal(await page.evaluate('self.origin'), 'null')
    await assert.rejects(page.evaluate('localStorage.length'), /SecurityError|denied/)
    await assert.rejects(page.evaluate(`fetch('/stolen')`), /Failed to fetch/)
    await leave(page)
  })
})
