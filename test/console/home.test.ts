/** The first screen, and the fields and signs that many screens have, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { proposalsIn } from '../proposing.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${ann.id}`, { role: 'admin' })

/** Whether a click in the middle of the first choice of a list meets it. */
const FIRST_CHOICE_SHOWN = `(() => {
  const choice = document.querySelector('[role=listbox] [role=option]')
  const { x, y, width, height } = choice.getBoundingClientRect()
  return choice.contains(document.elementFromPoint(x + width / 2, y + height / 2))
})()`

describe('home, and what many screens have', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a change request that somebody is asked to review is there once, also after its notification was read', async () => {
    const { liveSpace, propose } = proposalsIn(world)
    const space = await liveSpace({ 'README.md': '# Boats\n' })
    const change = await propose(space, { 'README.md': '# Ships\n' }, 'Ships instead of boats')
    await world.ada(`PATCH ${change}`, { status: 'open' })
    const asked = await world.ada(`POST ${change}/requested-reviewers`, { users: [ann.id] })
    assert.equal(asked.status, 200, asked.text)
    const { page } = await openSignedIn(browser, world, email)
    for (const screen of ['', '/inbox']) {
      await page.goto(`${world.url}/app${screen}`)
      const shown = page.getByRole('main').getByText('Ships instead of boats')
      await shown.first().waitFor()
      assert.equal(await shown.count(), 1, screen)
    }
    await page.getByRole('button', { name: 'Mark as read' }).click()
    await page.getByRole('heading', { name: 'Waiting for your review' }).waitFor()
    await page.getByRole('link', { name: 'Ships instead of boats', exact: true }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await leave(page)
  })

  for (const device of [DEVICES[0]!, DEVICES[3]!])
    test(`a language is found by each of its names, with the mouse and the keyboard: ${device.name}`, async () => {
      const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# A\n' }), 'Guide')
      const { page, complaints } = await openSignedIn(browser, world, email, device)
      await page.goto(`${world.url}/app/s/${spaceId}/~/settings`)
      const field = page.getByRole('combobox', { name: 'Language' })
      await field.click()
      await page.keyboard.type('german')
      const found = page.getByRole('listbox').getByRole('option')
      assert.equal(await found.first().innerText(), 'Deutsch German')
      // The list is placed a moment after it is there, and closes if the page scrolls.
      await untilTrue(page, FIRST_CHOICE_SHOWN)
      await found.first().click()
      assert.equal(await field.inputValue(), 'Deutsch')
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
      await page.getByRole('button', { name: 'Save', exact: true }).first().click()
      await page.getByText('Saved').first().waitFor()
      const language = async () => (await world.ada(`GET /v1/spaces/${spaceId}`)).body.language
      assert.equal(await language(), 'de')

      // By the keyboard: what was chosen is replaced, a text without accents is enough, and Escape keeps the choice.
      await field.focus()
      await page.keyboard.type('espanol')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      assert.equal(await field.inputValue(), 'Español')
      await page.keyboard.type('qxx')
      await page.getByText('No language has this name.').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      assert.equal(await field.inputValue(), 'Español')
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  test('the words beside the icon of a page do not move when its drawing arrives', async () => {
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'README.md': '---\nicon: anchor\n---\n\n# Harbours\n' }),
      'Icons',
    )
    const { page } = await openSignedIn(browser, world, email)
    const { promise: mayArrive, resolve: arrive } = Promise.withResolvers<void>()
    await page.route('**/app/files/part-*.js', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      if (text.length > 500_000 && text.includes('FONT_AWESOME')) await mayArrive
      await route.fulfill({ response })
    })
    await page.goto(`${world.url}/app/s/${spaceId}`)
    const sign = page.locator('h1 .icon-drawing')
    await sign.waitFor()
    const place = await sign.boundingBox()
    assert.equal(await sign.locator('path').getAttribute('d'), '', 'it has no drawing yet')
    arrive()
    await page.locator('h1 .icon-drawing path:not([d=""])').waitFor({ state: 'attached' })
    assert.deepEqual(await sign.boundingBox(), place)
    await page.unroute('**/app/files/part-*.js')
    await leave(page)
  })
})
