/** Every dialog and menu of the console, opened by keyboard: accessible, no wider than the screen, and left with the focus where it was. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, ElementHandle, Locator, Page } from 'playwright-core'
import { firstOf, isLongRun, shareOf } from '../effort.ts'
import {
  axeFindings,
  COLOUR_RULES,
  DEVICES,
  drawn,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { addressesOfScreens, openerKind, REPEATED, type Walk, walkOn } from './every-screen.ts'
import { complaintsOf, withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${ann.id}`, { role: 'admin' })

const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu]'
/** The items of menus that ask something. Others act, or lead to another screen. */
const ASKS = /…$|^New |^Options$|^Edit the link$/
/** The buttons that open a dialog without saying so to the browser. */
const OPENERS = /^(?:\+ New page|Page options|Link|Options)$/

/** What the functions below need of an element; the tests are compiled without the types of the DOM. */
interface Shown {
  textContent: string
  innerText: string
  ownerDocument: { activeElement: Shown | null; getElementById(id: string): Shown | null }
  closest(selector: string): Shown | null
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): { length: number }
}

/** The name that an overlay has for users of screen readers, and how much is in it. */
function nameOf(element: unknown): { name: string; size: number } {
  const one = element as Shown
  const ids = one.getAttribute('aria-labelledby')?.split(' ') ?? []
  const texts = ids.map((id) => one.ownerDocument.getElementById(id)?.textContent)
  return { name: one.getAttribute('aria-label') ?? texts.join(' '), size: one.querySelectorAll('*').length }
}

/** Whether a button says that it opens something, and its name. It runs in the browser. */
function openerOf(element: unknown): { opens: boolean; name: string } {
  const button = element as Shown
  const name = button.getAttribute('aria-label') ?? button.innerText.trim()
  return { opens: button.getAttribute('aria-expanded') === 'false', name }
}

function hasFocus(element: unknown): boolean {
  const one = element as Shown
  const { activeElement } = one.ownerDocument
  return activeElement === one || (activeElement !== null && activeElement === one.closest('[role=row]'))
}

/** What a test has opened, and what is wrong with it. */
interface Looked {
  page: Page
  walk: Walk
  faults: string[]
  names: Set<string>
}

/**
 * Closes the list of a field that offers some, which hides everything else from screen readers. Only after somebody has
 * typed, Escape closes the list alone.
 */
async function closeList({ page, walk }: Pick<Looked, 'page' | 'walk'>): Promise<void> {
  const list = page.locator('[role=combobox][aria-expanded=true]')
  if ((await list.count()) === 0) return
  await page.keyboard.type('z')
  // A list that waits for the server closes by itself if nothing is found.
  await walk.settled()
  await drawn(page)
  if ((await list.count()) > 0) await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
}

/** Looks at the overlay that is open, unless it has been seen before. */
async function look({ page, walk, faults, names }: Looked, from: string): Promise<void> {
  await walk.settled()
  await closeList({ page, walk })
  const overlay = page.locator(OVERLAY).last()
  const role = await overlay.getAttribute('role')
  const { name, size } = await overlay.evaluate(nameOf)
  const what = `${from} → ${role} “${name}”`
  const key = `${role} ${name} ${size}`
  if (names.has(key)) return
  names.add(key)
  const findings = await axeFindings(page, `[role=${role}]`)
  if ((await sidewaysScroll(page)) !== 0) findings.push('the page scrolls sideways')
  const box = (await overlay.boundingBox())!
  const { width } = page.viewportSize()!
  if (box.x < 0 || box.x + box.width > width) findings.push(`it is at ${box.x} to ${box.x + box.width}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  findings.push(...(await axeFindings(page, `[role=${role}]`, COLOUR_RULES)).map((one) => `dark: ${one}`))
  await page.emulateMedia({ colorScheme: 'light' })
  faults.push(...findings.map((one) => `${what}: ${one}`))
}

/** Leaves the overlay that is open. The focus must be on this element then; in a tree, the rows have the focus. */
async function escape({ page, faults }: Looked, from: string, back: ElementHandle): Promise<void> {
  const count = await page.locator(OVERLAY).count()
  await page.keyboard.press('Escape')
  await page
    .locator(OVERLAY)
    .nth(count - 1)
    .waitFor({ state: 'detached' })
  const end = Date.now() + 10_000
  while (!(await back.evaluate(hasFocus))) {
    await drawn(page)
    if (Date.now() < end) continue
    const where = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 160)')
    faults.push(`${from}: the focus does not return, but is at ${where}`)
    return
  }
}

async function press(page: Page, button: Locator): Promise<void> {
  // A tree gives the focus that comes from outside to the row that had it last. From there, a person goes to another.
  const row = button.locator('xpath=ancestor::*[@role="row"]')
  for (let i = 0; i < 2; i++) if ((await row.count()) > 0) await row.focus()
  await button.focus()
  await page.keyboard.press('Enter')
}

/** Opens what a button of a screen opens, and the dialogs of a menu. */
async function openOne(looked: Looked, button: Locator, from: string): Promise<void> {
  const { page, walk, faults } = looked
  const handle = await button.elementHandle()
  await press(page, button)
  await walk.settled()
  const overlay = page.locator(OVERLAY).last()
  const list = page.locator('[role=combobox][aria-expanded=true]')
  if ((await overlay.count()) === 0 && (await list.count()) > 0) {
    // The list of a field, which hides everything else from screen readers.
    const findings = await axeFindings(page, '[role=listbox]')
    faults.push(...findings.map((one) => `${from}: ${one}`))
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    return
  }
  if ((await overlay.count()) === 0) {
    // It shows more of the screen itself.
    const findings = await axeFindings(page, undefined, undefined, REPEATED)
    faults.push(...findings.map((one) => `${from}: ${one}`))
    await handle.press('Enter')
    await walk.settled()
    return
  }
  await look(looked, from)
  const isMenu = (await overlay.getAttribute('role')) === 'menu'
  const items = isMenu ? await overlay.locator('[role=menuitem]').allInnerTexts() : []
  await escape(looked, from, handle)
  for (const item of items.filter((one) => ASKS.test(one))) {
    await press(page, button)
    await overlay.waitFor()
    await page.getByRole('menuitem', { name: item, exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=dialog]').waitFor()
    await page.locator('[role=menu]').waitFor({ state: 'detached' })
    await look(looked, `${from} → ${item}`)
    await escape(looked, `${from} → ${item}`, handle)
  }
}

/** Opens each dialog and menu of a screen. */
async function openEach(looked: Looked, within: string, path: string): Promise<void> {
  const { page } = looked
  const buttons = page.locator(`${within} button:visible:enabled`)
  const seen = new Set<string>()
  for (let i = 0; i < (await buttons.count()); i++) {
    const button = buttons.nth(i)
    const { opens, name } = await button.evaluate(openerOf)
    const kind = await button.evaluate(openerKind)
    if ((!opens && !OPENERS.test(name)) || seen.has(kind)) continue
    seen.add(kind)
    await openOne(looked, button, `${path}: ${name}`)
  }
}

describe('the dialogs and menus of the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let screens: string[]
  before(async () => {
    browser = await openBrowser()
    screens = await addressesOfScreens(world, ann)
  })
  after(() => browser?.close())

  const devices = firstOf([DEVICES[0]!, DEVICES[2]!], 1)
  for (const [index, device] of devices.entries()) {
    const open = async () => {
      const { page } = await openSignedIn(browser, world, email, device)
      page.setDefaultTimeout(30_000)
      await page.goto(`${world.url}/app`)
      const complaints = complaintsOf(page)
      const looked: Looked = { page, walk: walkOn(page), faults: [], names: new Set() }
      return { page, looked, complaints }
    }

    test(`${device.name}: of every screen`, async () => {
      const { page, looked, complaints } = await open()
      await looked.walk.show('/')
      await openEach(looked, 'header', 'everywhere')
      const some = isLongRun() ? screens : screens.filter((_path, i) => i % 20 === 3)
      const shown = shareOf(some, index, devices.length)
      for (const path of shown) {
        await looked.walk.show(path)
        await openEach(looked, '#main', path)
      }
      assert.deepEqual([...looked.faults, ...complaints], [])
      const least = isLongRun() ? Math.floor((40 * shown.length) / some.length) : 2
      assert(looked.names.size > least, [...looked.names].join('\n'))
      await leave(page)
    })

    test(`${device.name}: of the editor`, async () => {
      const { page, looked, complaints } = await open()
      const edit = screens.find((path) => path.endsWith('/edit/long'))!
      // What has settings asks for them when it is inserted.
      await looked.walk.show(edit.replace(/long$/, ''))
      await page.locator('.writing > p').first().click()
      const insert = page.getByRole('button', { name: /^\+ Insert/ })
      for (const title of shareOf(firstOf(ASKED, 2), index, devices.length)) {
        await press(page, insert)
        const item = page.getByRole('menuitem').filter({ has: page.getByText(title, { exact: true }) })
        await item.focus()
        await page.keyboard.press('Enter')
        await page.locator('[role=dialog]').waitFor()
        await page.locator('[role=menu]').waitFor({ state: 'detached' })
        await look(looked, title)
        await escape(looked, title, await insert.elementHandle())
      }

      // Blocks have settings in their menus.
      await looked.walk.show(edit.replace(/long$/, 'everything'))
      const handle = page.locator('.block-handle')
      const blocks = page.locator('.writing > *')
      const known = new Set<string>()
      for (let i = 0; i < (isLongRun() ? await blocks.count() : 3); i++) {
        const block = blocks.nth(i)
        if ((await block.boundingBox()) === null) continue
        await block.hover({ position: { x: 4, y: 4 } })
        await looked.walk.settled()
        if (!(await handle.isVisible())) continue
        const name = (await handle.getAttribute('aria-label'))!
        if (known.has(name)) continue
        known.add(name)
        if (shareOf([...known], index, devices.length).at(-1) === name) await openOne(looked, handle, name)
      }
      assert(known.size > (isLongRun() ? 15 : 1), [...known].join('\n'))
      // The blocks name files, people and specifications that nobody has.
      const unknown = complaints.filter((one) => !one.includes('status of 404'))
      assert.deepEqual([...looked.faults, ...unknown], [])
      await leave(page)
    })
  }
})

/** The titles of the menu “Insert” that open a dialog. */
const ASKED = [
  'Formula',
  'Image of the space or an address',
  'Embed',
  'File',
  'Page link',
  'Reusable content',
  'API operation',
  'API schemas',
  'API webhook',
  'Condition',
  'Prompt',
  'HTML',
  'Integration',
  'Mention',
  'Emoji',
  'Icon',
  'Formula in the line',
  'Image in the line',
  'Expression',
  'Button',
  'Annotation',
]
