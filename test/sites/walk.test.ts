/** A reader visits an imported site on the real server, from page to page, in a real browser. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { corpusArchive, withoutCorpora } from '../corpus.ts'
import { firstOf, inLongRun, isLongRun } from '../effort.ts'
import { publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'

/** How often the reader goes to the next page. */
const STEPS = isLongRun() ? 8 : 3

/** A page of the corpus with tabs, hints, images and code. */
const RICH = 'guides/http-workflows/designer'

describe('a walk through a site', { skip: WITHOUT_BROWSER || withoutCorpora }, async () => {
  if (WITHOUT_BROWSER || withoutCorpora) return
  const world = await createWorld()
  const { spaceId } = await spaceWith(world, corpusArchive('elsa-docs'), 'Elsa')
  const { address } = await publish(world, spaceId, 'Elsa Workflows')
  const browser = await openBrowser()
  after(() => browser.close())

  for (const screen of firstOf(['laptop', 'phone'], 1)) {
    test(`a page with tabs, hints, images and code is whole: ${screen}`, async () => {
      const devices = DEVICES.filter(({ name }) => name.startsWith(screen))
      const { page, complaints } = await visit(browser, address + RICH, devices[0]!)
      for (const part of ['.tabs', '.hint', '.prose img', '.prose pre', 'h1']) {
        assert((await page.locator(part).count()) > 0, part)
      }
      assert.deepEqual(await brokenImages(page), [])
      // On a busy machine, the page does not wait for its colours, and has them the next time.
      const isColoured = async () => (await page.locator('.prose pre span[class]').count()) > 10
      for (let tries = 0; !(await isColoured()) && tries < 10; tries++) await page.reload()
      assert(await isColoured(), 'the code is highlighted')
      for (const { name, theme } of firstOf(devices, 1)) {
        await page.emulateMedia({ colorScheme: theme })
        assert.deepEqual(await axeFindings(page), [], name)
        assert.equal(await sidewaysScroll(page), 0, name)
      }
      assert.deepEqual(complaints, [])
      await leave(page)
    })
  }

  test('the tree, a link in the text and "Next" navigate from page to page', async () => {
    const [laptop] = DEVICES
    assert(laptop)
    const { page, complaints } = await visit(browser, address, laptop)
    await page.locator('.sidebar').getByRole('link', { name: 'Containers', exact: true }).click()
    await page.waitForURL('**/getting-started/containers')
    assert.equal(await page.locator('.sidebar [aria-current="page"]').innerText(), 'Containers')
    await page.locator('.sidebar').getByRole('link', { name: 'Docker Compose', exact: true }).click()
    await page.locator('.sidebar').getByRole('link', { name: 'Docker Quickstart', exact: true }).click()
    await page.waitForURL('**/docker-quickstart')
    assert.equal(await page.locator('h1').innerText(), 'Docker Quickstart')

    const inside = page.locator(`.prose a[href^="/elsa-workflows/"]`).first()
    const target = await inside.getAttribute('href')
    await inside.click()
    await page.waitForURL(`**${target?.split('#')[0]}*`)
    assert.equal((await page.locator('h1').count()) > 0, true)

    const seen = new Set<string>()
    for (let step = 0; step < STEPS; step++) {
      const next = page.locator('.pagination .next')
      if ((await next.count()) === 0) break
      await next.click()
      await page.waitForLoadState()
      assert(!seen.has(page.url()), 'no page comes twice')
      seen.add(page.url())
    }
    assert(seen.size >= 3)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('on a phone a button opens the tree', { skip: inLongRun }, async () => {
    const phone = DEVICES.find(({ name }) => name === 'phone')
    assert(phone)
    const { page } = await visit(browser, address, phone)
    assert.equal(await page.locator('.sidebar').isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('.sidebar').getByRole('link', { name: 'Hello World', exact: true }).click()
    await page.waitForURL('**/getting-started/hello-world')
    await leave(page)
  })

  test('without JavaScript all content is readable and reachable', { skip: inLongRun }, async () => {
    const { page } = await visit(browser, address + RICH, {
      name: 'plain',
      width: 1280,
      height: 900,
      theme: 'light',
      script: false,
    })
    const panels = await page.locator('.tabs > *').all()
    assert(panels.length > 5)
    for (const panel of panels) assert.notEqual((await panel.innerText()).trim(), '')
    await page.locator('.pagination .next').click()
    assert.notEqual(page.url(), address + RICH)
    await leave(page)
  })

  test('an unknown path shows a page of the site with its tree', async () => {
    const [laptop] = DEVICES
    assert(laptop)
    const { page } = await visit(browser, `${address}nothing/here`, laptop)
    assert.match(await page.locator('h1').innerText(), /not found/i)
    assert((await page.locator('.sidebar a').count()) > 20)
    await leave(page)
  })

  test('every page of the site answers, and none is heavier than 100 kB compressed', async () => {
    const { port } = new URL(address)
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${port}/sites/docs${path}`, { headers: { 'accept-encoding': 'gzip' } })
    const map = await (await get('/elsa-workflows/sitemap-pages.xml')).text()
    const paths = [...map.matchAll(/<loc>[^<]*?(\/elsa-workflows\/[^<]*)<\/loc>/g)].map(
      ([, path = '']) => path,
    )
    assert(paths.length > 150)
    for (const path of firstOf(paths, 15)) {
      const answer = await get(path)
      assert.equal(answer.status, 200, path)
      const size = Number(answer.headers.get('content-length'))
      assert(size > 0 && size < 100_000 - 50_000, `${path}: ${size} bytes beside the style, script and fonts`)
      await answer.body?.cancel()
    }
  })
})

/** The URLs of images that did not load. Scrolls to lazy images first. */
interface Image {
  complete: boolean
  naturalWidth: number
  src: string
}

async function brokenImages(page: Page): Promise<string[]> {
  for (const image of await page.locator('.prose img').all()) await image.scrollIntoViewIfNeeded()
  // Pictures are loaded when they come into view, after the page itself has been.
  await page.waitForFunction(() => {
    const { document } = globalThis as unknown as { document: { images: Iterable<Image> } }
    return [...document.images].every(({ complete }) => complete)
  })
  return page.evaluate(() => {
    const { document } = globalThis as unknown as { document: { images: Iterable<Image> } }
    return [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src)
  })
}
