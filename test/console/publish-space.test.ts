/** Publishing a space from its own screen, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const { email: guest, person: gus } = await withPassword(world, 'gus')
const member = (id: string) => `/v1/orgs/${world.organizationId}/members/${id}`
assert.equal((await world.ada(`PATCH ${member(ann.id)}`, { role: 'admin' })).status, 200)
assert.equal((await world.ada(`PATCH ${member(gus.id)}`, { role: 'read' })).status, 200)
const { hostname } = (await world.ada(`GET /v1/orgs/${world.organizationId}`)).body
const SITES = `/v1/orgs/${world.organizationId}/sites`

describe('publishing a space in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const sitesOf = async (spaceId: string) => (await world.ada(`GET ${SITES}?space=${spaceId}`)).body.items
  const look = async (page: Page, what: string) => {
    assert.deepEqual(await axeFindings(page), [], what)
    assert.equal(await sidewaysScroll(page), 0, what)
  }

  for (const device of [DEVICES[0]!, DEVICES[3]!])
    test(`two presses publish a space, and its screen then shows the site: ${device.name}`, async () => {
      const title = `Guide ${device.width}`
      const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n\nHello.\n' }), title)
      const { page } = await openSignedIn(browser, world, email, device)
      await page.goto(`${world.url}/app/s/${spaceId}`)
      await button(page, 'Publish').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Publish' }).waitFor()
      const proposed = title.toLowerCase().replace(' ', '-')
      assert.equal(await dialog.getByLabel('Name in the address').inputValue(), proposed)
      await look(page, 'the dialog')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      const shown = dialog.getByRole('link', { name: 'View site' })
      await shown.waitFor()
      await look(page, 'the address')
      const address = (await shown.getAttribute('href'))!
      await dialog.getByText(address).waitFor()
      const [site, ...others] = await sitesOf(spaceId)
      assert.deepEqual(others, [])
      assert.equal(site.urls.published, address)
      assert.equal(site.basename, proposed)
      assert.equal((await world.nobody(`GET /sites/${hostname}${new URL(address).pathname}`)).status, 200)
      // The keyboard goes on at the address.
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'View site')
      await dialog.getByRole('button', { name: 'Close' }).click()
      const link = page.getByRole('link', { name: 'View site' })
      assert.equal(await link.getAttribute('href'), address)
      await look(page, 'the space')
      await leave(page)
    })

  test('with the keyboard, a space is published on another site for fewer readers', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n\nHello.\n' }), 'Twice')
    const { id } = (await ann(`POST ${SITES}`, { title: 'First', spaces: [spaceId] })).body
    const { page } = await openSignedIn(browser, world, email)
    await page.goto(`${world.url}/app/s/${spaceId}`)

    // The site that waits is published, and no second one is made.
    await button(page, 'Publish').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Name of the site').inputValue(), 'First')
    await dialog.getByRole('button', { name: 'Publish' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('link', { name: 'View site' }).waitFor()
    assert.deepEqual(
      (await sitesOf(spaceId)).map((site: { id: string; published: boolean }) => [site.id, site.published]),
      [[id, true]],
    )
    await page.keyboard.press('Escape')

    await button(page, 'Sites of this space').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Settings of First' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Name in the address').fill('first')
    await dialog.getByLabel('Who can read this site').selectOption('share-link')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    // The address is taken: nothing is left of the attempt, and the form keeps what was chosen.
    await dialog.getByRole('alert').waitFor()
    assert.equal((await sitesOf(spaceId)).length, 1)
    await dialog.getByLabel('Name in the address').fill('partners')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('Nobody can read it until you let readers in.').waitFor()
    await look(page, 'a site for some')
    await dialog.getByRole('link', { name: 'Let readers in' }).click()
    await page.getByRole('button', { name: 'New share link' }).waitFor()
    assert.deepEqual(
      (await sitesOf(spaceId)).map(({ basename, visibility }: Record<string, string>) => [
        basename,
        visibility,
      ]),
      [
        ['first', 'public'],
        ['partners', 'share-link'],
      ],
    )
    await leave(page)
  })

  test('a member who can publish nothing has no button, and an empty space has none', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n\nHello.\n' }), 'Read only')
    const { page } = await openSignedIn(browser, world, guest)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.getByRole('button', { name: 'Actions for Start' }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await button(page, 'Publish').count(), 0)
    await leave(page)

    const { id } = (await ann(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Empty' })).body
    const { page: hers } = await openSignedIn(browser, world, email)
    await hers.goto(`${world.url}/app/s/${id}`)
    await button(hers, 'Write the first page').waitFor()
    await hers.waitForLoadState('networkidle')
    assert.equal(await button(hers, 'Publish').count(), 0)
    await leave(hers)
  })
})
