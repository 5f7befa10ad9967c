/** A site with more sections than the row has room for. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { firstOf } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import {
  axeFindings,
  DEVICES,
  type Device,
  leave,
  openBrowser,
  sidewaysScroll,
  untilTrue,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'

const NAMES = [
  'Handbook',
  'Administration',
  'Interfaces',
  'Command line',
  'Integrations',
  'Settings',
  'Security',
  'Billing',
  'Migration',
  'Release notes',
  'Questions',
  'Glossary',
]

const world = await createWorld()
const { ada, organizationId } = world
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Handbook\n\nText.\n' }), NAMES[0])
const { body: site } = await ada(`POST /v1/orgs/${organizationId}/sites`, {
  title: NAMES[0],
  spaces: [spaceId],
})
const at = `/v1/orgs/${organizationId}/sites/${site.id}`
for (const title of NAMES.slice(1)) {
  const section = await spaceWith(world, archiveOf({ 'README.md': `# About: ${title}\n\nText.\n` }), title)
  assert.equal((await ada(`POST ${at}/sections`, { spaceId: section.spaceId, title })).status, 201)
}
const { published } = (await ada(`POST ${at}/publish`)).body.urls as { published: string }

const CURRENT = 'document.querySelector(".section-tabs [aria-current]").getBoundingClientRect()'
const ROW = 'document.querySelector(".section-tabs").getBoundingClientRect()'
const IN_VIEW = `${CURRENT}.left >= ${ROW}.left - 1 && ${CURRENT}.right <= ${ROW}.right + 1`

const [laptop, , phone, darkPhone] = DEVICES as [Device, Device, Device, Device]
const READERS = [
  darkPhone,
  { ...phone, name: 'phone without script', script: false },
  { ...laptop, width: 1000 },
  { ...laptop, width: 1000, name: 'laptop without script', script: false },
]

describe('a site with many sections, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const button = (page: Page) => page.getByRole('button', { name: 'All sections' })

  for (const device of firstOf(READERS, 2)) {
    test(`the tab of the section is in view, and a menu has all sections: ${device.name}`, async () => {
      const { page, complaints } = await visit(browser, `${published}release-notes/`, device)
      const scripted = device.script !== false
      if (scripted) await untilTrue(page, IN_VIEW)
      else assert.ok(await page.evaluate(IN_VIEW))
      if (process.env.LECTERN_TEST_PICTURES)
        await page.screenshot({ path: `${process.env.LECTERN_TEST_PICTURES}/many-${device.name}.png` })
      assert.equal(await sidewaysScroll(page), 0)
      if (scripted) assert.deepEqual(await axeFindings(page), [])

      await button(page).focus()
      await page.keyboard.press('Enter')
      const menu = page.locator('.section-menu:popover-open')
      assert.deepEqual(await menu.getByRole('link').allTextContents(), NAMES)
      if (process.env.LECTERN_TEST_PICTURES)
        await page.screenshot({ path: `${process.env.LECTERN_TEST_PICTURES}/many-menu-${device.name}.png` })
      if (scripted) assert.deepEqual(await axeFindings(page), [])
      // The keys lead from the button into the menu.
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.textContent'), NAMES[0])
      await menu.getByRole('link', { name: 'Glossary' }).click()
      await page.waitForURL('**/glossary/')
      assert.deepEqual(complaints, [])
      await leave(page)
    })
  }

  test('the menu is hidden while the row has room for all tabs', async () => {
    const { page } = await visit(browser, published, { ...laptop, width: 1600 })
    await button(page).waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 900, height: 800 })
    await button(page).waitFor()
    await leave(page)
  })
})
