/** The menu of a site with fifty versions. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { raw } from '../../src/core/text/html.ts'
import { DEFAULT_LAYOUT } from '../../src/core/content/revision.ts'
import { renderPage } from '../../src/sites/render/page.ts'
import { firstOf } from '../effort.ts'
import {
  axeFindings,
  DEVICES,
  type Device,
  leave,
  openBrowser,
  sidewaysScroll,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'
import { servePages, type Served } from './serve.ts'

const page = (count: number) =>
  renderPage({
    language: 'en',
    title: 'Docs',
    home: '/',
    tree: [{ kind: 'document', title: 'Start', href: '/', current: true }],
    variants: Array.from({ length: count }, (_, i) => ({
      title: `Version ${count - i}.0`,
      href: `/v${count - i}`,
      current: i === count - 5,
    })),
    page: { title: 'Start', body: raw('<p>Text.</p>'), outline: [] },
    layout: { ...DEFAULT_LAYOUT },
    breadcrumbs: [],
    head: { title: 'Start – Docs' },
  })

test('a short menu has no field', () => {
  assert.doesNotMatch(page(5), /menu-filter/)
  assert.match(page(50), /menu-filter needs-script/)
})

const [laptop, , , darkPhone] = DEVICES as [Device, Device, Device, Device]

describe('a menu of fifty versions, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let server: Served
  before(async () => {
    server = await servePages(
      () => page(50),
      () => undefined,
    )
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  for (const device of firstOf([darkPhone, laptop], 2)) {
    test(`is filtered by what the reader types: ${device.name}`, async () => {
      const { page: shown, complaints } = await visit(browser, `${server.base}/`, device)
      const isPhone = device.width < 800
      if (isPhone) await shown.getByRole('button', { name: 'Menu' }).click()
      const menu = shown.locator(isPhone ? '.drawer-links details' : '.dropdown.variants')
      await menu.locator('summary').click()
      const filter = menu.getByRole('searchbox', { name: 'Filter the list' })
      await filter.waitFor()
      const links = menu.getByRole('link')
      assert.equal(await links.count(), 50)
      if (!isPhone) assert.ok(await menu.getByRole('link', { name: 'Version 5.0', exact: true }).isVisible())
      if (isPhone) await filter.focus()
      await shown.keyboard.type('4 VERS')
      assert.equal(await links.count(), 14)
      await shown.keyboard.type('ion 49')
      assert.deepEqual(await links.allTextContents(), ['Version 49.0'])
      if (process.env.LECTERN_TEST_PICTURES)
        await shown.screenshot({ path: `${process.env.LECTERN_TEST_PICTURES}/menu-${device.name}.png` })
      assert.deepEqual(await axeFindings(shown), [])
      assert.equal(await sidewaysScroll(shown), 0)
      await shown.keyboard.press('Enter')
      await shown.waitForURL('**/v49')
      assert.deepEqual(complaints, [])
      await leave(shown)
    })
  }

  test('opens and leads on without JavaScript', async () => {
    const { page: shown } = await visit(browser, `${server.base}/`, { ...laptop, script: false })
    await shown.locator('.variants summary').click()
    assert.equal(await shown.locator('.variants .menu-filter').isVisible(), false)
    await shown.locator('.variants').getByRole('link', { name: 'Version 1.0', exact: true }).click()
    await shown.waitForURL('**/v1')
    await leave(shown)
  })
})
