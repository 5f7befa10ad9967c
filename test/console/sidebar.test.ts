/** The sidebar of the console: by keyboard and by mouse, beside the screens and as a sheet on a phone. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import {
  axeFindings,
  COLOUR_RULES,
  type Device,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { complaintsOf, showSidebar, withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const PAGES = {
  'SUMMARY.md': '# Contents\n\n* [Lamps](README.md)\n* [Colours](colours.md)\n',
  'README.md': '# Lamps\n\nA lamp is warm.\n',
  'colours.md': '# Colours\n\nRed means warm.\n',
}

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const organization = `/v1/orgs/${world.organizationId}`
await world.ada(`PATCH ${organization}/members/${ann.id}`, { role: 'admin' })

describe('the sidebar', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let spaceId: string
  before(async () => {
    browser = await openBrowser()
    spaceId = (await spaceWith(world, archiveOf(PAGES), 'Lamp manual')).spaceId
    const { body: collection } = await ann(`POST ${organization}/collections`, { title: 'Product' })
    await ann(`POST ${organization}/spaces`, { title: 'Changelog', parent: collection.id })
    const { body: site } = await ann(`POST ${organization}/sites`, { title: 'Docs', spaces: [spaceId] })
    assert((await ann(`POST ${organization}/sites/${site.id}/publish`)).status < 300)
    await ann(`POST ${organization}/sites`, { title: 'Partners', spaces: 'empty' })
    const requests = `/v1/spaces/${spaceId}/change-requests`
    const { body: asked } = await world.ada(`POST ${requests}`, { subject: 'Brighter' })
    const sent = await world.ada(`POST ${requests}/${asked.number}/requested-reviewers`, { users: [ann.id] })
    assert(sent.status < 300, sent.text)
  })
  after(() => browser?.close())

  const open = async (device: Device, path = '') => {
    const { page } = await openSignedIn(browser, world, email, device)
    page.setDefaultTimeout(30_000)
    await page.goto(`${world.url}/app${path}`)
    return { page, complaints: complaintsOf(page), sidebar: sidebarOf(page) }
  }

  test('a mouse opens every place, which is then the current one', async () => {
    const { page, sidebar, complaints } = await open(DEVICES[0]!)
    await showSidebar(page)
    await sidebar.getByText('1 unread notification').waitFor({ state: 'attached' })
    for (const name of ['Inbox', 'My drafts', 'Change requests', 'People', 'OpenAPI', 'Settings', 'Home']) {
      const link = sidebar.getByRole('link', { name: new RegExp(`^${name}`) }).first()
      await link.click()
      await isCurrent(link)
      await page.locator('#main h1').first().waitFor()
    }
    const space = sidebar.getByRole('link', { name: 'Lamp manual', exact: true })
    await space.click()
    await isCurrent(space)
    await page.getByText('A lamp is warm.').waitFor()
    // The screens of the space are below it, and not above its pages too.
    assert.equal(
      await page.locator('#main').getByRole('navigation', { name: 'Space', exact: true }).count(),
      0,
    )
    const files = sidebar.getByRole('link', { name: 'Files' })
    await files.click()
    await isCurrent(files)
    assert.equal(await space.getAttribute('aria-current'), 'true', 'the space is around the screen')
    // The page that was read is among the recent ones.
    const recent = sidebar.getByRole('group', { name: 'Recent' }).getByRole('link', { name: 'Lamps' })
    await recent.click()
    await page.getByText('A lamp is warm.').waitFor()

    const sites = sidebar.getByRole('group', { name: 'Sites' })
    const published = sites.getByRole('link', { name: /^Docs/ })
    assert.match((await published.textContent())!, /Published$/)
    assert.match((await sites.getByRole('link', { name: /^Partners/ }).textContent())!, /Not published$/)
    await published.click()
    await isCurrent(published)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a space is created in a collection, and the number of the inbox follows what is read', async () => {
    const { page, sidebar } = await open(DEVICES[0]!, '/inbox')
    await showSidebar(page)
    await sidebar.getByRole('button', { name: 'New space or collection in Product' }).click()
    await page.getByRole('menuitem', { name: 'New space' }).click()
    await page.getByRole('dialog', { name: 'New space' }).getByLabel('Title').fill('Roadmap')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/s/*')
    await isCurrent(sidebar.getByRole('link', { name: 'Roadmap', exact: true }))
    const spaces = (await ann(`GET ${organization}/spaces`)).body.items as {
      title: string
      parent?: string
    }[]
    assert(spaces.find(({ title }) => title === 'Roadmap')?.parent, 'it is in the collection')

    const contents = sidebar.getByRole('button', { name: 'Contents of Product' })
    await contents.click()
    await sidebar.getByRole('link', { name: 'Roadmap' }).waitFor({ state: 'detached' })
    await page.reload()
    await contents.waitFor()
    assert.equal(await contents.getAttribute('aria-expanded'), 'false', 'it stays closed')

    await sidebar.getByRole('link', { name: /^Inbox/ }).click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await sidebar.getByText('1 unread notification').waitFor({ state: 'detached' })
    await leave(page)
  })

  test('the keyboard shows, hides and resizes it, and goes through its rows', async () => {
    const { page, sidebar, complaints } = await open(DEVICES[0]!, `/s/${spaceId}`)
    await page.getByText('A lamp is warm.').waitFor()
    await page.keyboard.press('Control+\\')
    await sidebar.getByRole('button', { name: 'Hide the sidebar' }).focus()
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Sidebar', exact: true })
    await button.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await sidebar.getByRole('button', { name: 'Hide the sidebar' }).and(page.locator(':focus')).waitFor()
    const edge = sidebar.getByRole('separator', { name: 'Width of the sidebar' })
    await edge.focus()
    const widthOf = async () => (await sidebar.boundingBox())!.width
    const width = await widthOf()
    await page.keyboard.press('ArrowRight')
    await untilTrue(page, `document.querySelector('.sidebar').offsetWidth === ${width + 20}`)
    await page.reload()
    await sidebar.waitFor()
    assert.equal(await widthOf(), width + 20, 'it keeps its width')
    const { x, y, height } = (await edge.boundingBox())!
    await page.mouse.move(x + 4, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 4 + 40, y + height / 2, { steps: 4 })
    await page.mouse.up()
    const dragged = await widthOf()
    assert(Math.abs(dragged - width - 60) < 8, `${dragged}`)
    await page.keyboard.press('Enter')
    await untilTrue(page, `document.querySelector('.sidebar').offsetWidth === ${width}`)

    const focused = () => page.evaluate<string>(`document.activeElement.textContent`)
    await sidebar.getByRole('link', { name: 'Home' }).focus()
    await page.keyboard.press('ArrowDown')
    assert.match(await focused(), /^Inbox/)
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'My drafts')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My drafts' }).waitFor()
    const collection = sidebar.getByRole('link', { name: 'Product', exact: true })
    await collection.focus()
    await page.keyboard.press('ArrowLeft')
    await sidebar.getByRole('link', { name: 'Changelog' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await sidebar.getByRole('link', { name: 'Changelog' }).waitFor()

    await page.keyboard.press('Control+\\')
    await sidebar.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Sidebar', exact: true }).waitFor()
    assert.equal(await sidebar.count(), 0, 'it stays hidden')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('letters open screens and press buttons, unless somebody writes or does not want them', async () => {
    const { page, complaints } = await open(DEVICES[0]!, `/s/${spaceId}`)
    await page.getByText('A lamp is warm.').waitFor()
    await page.keyboard.press('?')
    const map = page.getByRole('dialog', { name: 'Keys' })
    await map.getByRole('row', { name: /^Edit/ }).waitFor()
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    await page.keyboard.press('Escape')
    await map.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    await page.getByRole('button', { name: 'New space' }).waitFor()
    await page.keyboard.press('c')
    const title = page.getByRole('dialog', { name: 'New space' }).getByLabel('Title')
    await title.pressSequentially('Ce?g')
    assert.equal(await title.inputValue(), 'Ce?g')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.keyboard.press('?')
    await page.getByLabel('Use single letters as keys').uncheck()
    await page.keyboard.press('Escape')
    await map.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search pages, spaces and screens' }).fill('keys')
    assert.equal(await page.getByRole('dialog', { name: 'New space' }).count(), 0)
    await page.getByRole('option', { name: /^Keys/ }).click()
    await page.getByLabel('Use single letters as keys').check()
    await page.keyboard.press('Escape')
    await map.waitFor({ state: 'detached' })

    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await page.keyboard.press('e')
    await page.waitForURL('**/edit/**')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('on a phone it is a sheet that keeps the focus, and goes when a place is chosen', async () => {
    const { page, sidebar, complaints } = await open(DEVICES[2]!, `/s/${spaceId}/colours`)
    await page.getByText('Red means warm.').waitFor()
    assert.equal(await sidebar.count(), 0)
    const button = page.getByRole('button', { name: 'Sidebar', exact: true })
    await button.click()
    await sidebar.getByRole('link', { name: 'People' }).waitFor()
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    const isInside = () =>
      page.evaluate<boolean>(`document.querySelector('.side-sheet').contains(document.activeElement)`)
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab')
      assert(await isInside(), 'the focus stays in the sheet')
    }
    await page.keyboard.press('Escape')
    await sidebar.waitFor({ state: 'detached' })
    await button.and(page.locator(':focus')).waitFor()

    await button.click()
    await sidebar.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await sidebar.waitFor({ state: 'detached' })
    await page.locator('#main:focus').waitFor()
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('it is accessible in both themes, and mirrored in a language that is written from right to left', async () => {
    const { page, sidebar, complaints } = await open(DEVICES[1]!)
    await showSidebar(page)
    await sidebar.getByRole('link', { name: 'Lamp manual', exact: true }).click()
    await page.getByText('A lamp is warm.').waitFor()
    assert.deepEqual(await axeFindings(page), [], 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(await axeFindings(page, undefined, COLOUR_RULES), [], 'light')
    await page.route('**/v1/user', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), language: 'en-Arab' } })
    })
    await page.reload()
    await page.locator('html[dir=rtl]').waitFor()
    await sidebar.waitFor()
    const { x, width } = (await sidebar.boundingBox())!
    assert.equal(Math.round(x + width), DEVICES[1]!.width, 'it is on the right')
    await sidebar.getByRole('separator', { name: 'Width of the sidebar' }).focus()
    await page.keyboard.press('ArrowLeft')
    await untilTrue(page, `document.querySelector('.sidebar').offsetWidth === ${width + 20}`)
    assert.deepEqual(await axeFindings(page), [], 'mirrored')
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})

const sidebarOf = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })

/** Waits until a link is that of the current screen. */
async function isCurrent(link: Locator): Promise<void> {
  await link.and(link.page().locator('[aria-current=page]')).waitFor()
}
