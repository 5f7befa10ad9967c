/** Favourites in the sidebar: a person adds places by the mouse and by the keyboard, opens them and removes them. */
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
import { complaintsOf, showSidebar, withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const organization = `/v1/orgs/${world.organizationId}`
await world.ada(`PATCH ${organization}/members/${ann.id}`, { role: 'create' })

const favourites = async () =>
  (await ann(`GET ${organization}/favourites`)).body.items.map(({ title }: { title: string }) => title)

describe('favourites', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let spaceId: string
  before(async () => {
    browser = await openBrowser()
    spaceId = (await spaceWith(world, archiveOf({ 'README.md': '# Lamps\n\nWarm.\n' }), 'Lamp manual'))
      .spaceId
    await ann(`POST ${organization}/collections`, { title: 'Product' })
    await ann(`POST ${organization}/sites`, { title: 'Docs', spaces: [spaceId] })
  })
  after(() => browser?.close())

  const star = (page: Page, name: string) => page.getByRole('button', { name: `Favourite: ${name}` }).last()
  const group = (page: Page) => page.getByRole('group', { name: 'Favourites' })

  test('the star of a place adds it, and the star beside a favourite removes it', async () => {
    const { page } = await openSignedIn(browser, world, email)
    const complaints = complaintsOf(page)
    await page.goto(`${world.url}/app`)
    await showSidebar(page)
    for (const name of ['Product', 'Lamp manual', 'Docs']) {
      await page
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .last()
        .hover()
      await star(page, name).click()
      await group(page).getByRole('link', { name }).waitFor()
    }
    assert.deepEqual(await favourites(), ['Product', 'Lamp manual', 'Docs'])
    assert.deepEqual(await axeFindings(page), [])
    await group(page).getByRole('link', { name: 'Lamp manual' }).click()
    await page.getByText('Warm.').waitFor()

    await group(page).getByRole('button', { name: 'Favourite: Product' }).click()
    await group(page).getByRole('link', { name: 'Product' }).waitFor({ state: 'detached' })
    assert.deepEqual(await favourites(), ['Lamp manual', 'Docs'])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the Tab key reaches the star of the place on the screen', async () => {
    await ann(`DELETE ${organization}/favourites/${spaceId}`)
    const { page } = await openSignedIn(browser, world, email)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await showSidebar(page)
    await page.getByRole('group', { name: 'Spaces' }).getByRole('link', { name: 'Lamp manual' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await group(page).getByRole('link', { name: 'Lamp manual' }).waitFor()
    assert.ok((await favourites()).includes('Lamp manual'))
    await page.reload()
    await group(page).getByRole('link', { name: 'Lamp manual' }).waitFor()
    await leave(page)
  })

  test('on a phone, the stars are there without a pointer', async () => {
    const device = DEVICES.find(({ name }) => name.includes('phone'))!
    const { page } = await openSignedIn(browser, world, email, device)
    await page.goto(`${world.url}/app`)
    await showSidebar(page)
    await page.getByRole('group', { name: 'Spaces' }).waitFor()
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await leave(page)
  })
})
