/** The script of a page with invalid anchors and images that do not load. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'

import { axeFindings, DEVICES, leave, openBrowser, visit, WITHOUT_BROWSER } from './browser.ts'
import { markdownPage } from './markdown-page.ts'
import { servePages, type Served } from './serve.ts'

const CARDS = `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody>
<tr><td><h3><i class="fa-rocket">:rocket:</i></h3></td><td><strong>Launch</strong></td><td data-object-fit="cover"><a href="there.svg">there.svg</a></td></tr>
<tr><td><h3><i class="fa-no-such-icon">:no-such-icon:</i></h3></td><td><strong>Land</strong></td><td><a href="gone.svg">gone.svg</a></td></tr>
</tbody></table>
`
const SOURCE = `## First\n\nText\n\n## Content\n\nText\n\n## 100%\n\n${CARDS}`
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="450"></svg>'

describe('the script of a page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let server: Served

  before(async () => {
    server = await servePages(
      () => markdownPage(SOURCE),
      (name) => (name === 'there.svg' ? PICTURE : undefined),
    )
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test('accepts an anchor that is not percent-encoded', async () => {
    const { page, complaints } = await visit(browser, `${server.base}/#100%`, DEVICES[0]!)
    assert.deepEqual(complaints, [])
    await page.goto(`${server.base}/#%E0%A4%A`)
    assert.deepEqual(complaints, [])
    assert.ok(await page.locator('html.js').isVisible())
    await leave(page)
  })

  test('scrolls to a heading that has the name of a part of the frame', async () => {
    const { page } = await visit(browser, `${server.base}/#content`, DEVICES[0]!)
    assert.equal(await page.evaluate(`document.querySelector(':target').tagName`), 'H2')
    await page.getByRole('link', { name: 'Skip to the content' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
    await leave(page)
  })

  test('leaves no box for a cover that cannot be loaded, and no empty line or label for a heading of an icon', async () => {
    const { page } = await visit(browser, server.base, DEVICES[0]!)
    await page.locator('.card').nth(1).scrollIntoViewIfNeeded()
    await page.locator('.card').nth(1).locator('.card-cover').waitFor({ state: 'detached' })
    assert.ok(await page.locator('.card').nth(0).locator('.card-cover').isVisible())
    assert.equal(await page.locator('.card :is(h2, h3, h4), .card .anchor').count(), 0)
    assert.equal(await page.locator('.card svg.icon').count(), 2)
    assert.deepEqual(await axeFindings(page), [])
    await leave(page)
  })
})
