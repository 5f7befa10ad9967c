/** The journeys through the console without a pointer: Tab reaches every control, and the focus returns to where it was. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { DEVICES, leave, openBrowser, openPage, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { complaintsOf, fileDialog, PASSWORD, withPassword } from './pages.ts'
import { untilSaved } from './writing.ts'

/** More presses of Tab than any screen of these journeys needs. */
const MOST_TABS = 200

/** Whether one of these elements has the focus, and the name of the element that has it. It runs in the browser. */
function focusAmong(elements: unknown[]): { isThere: boolean; name: string } {
  const { activeElement: one } = (globalThis as unknown as { document: { activeElement: Focused } }).document
  return {
    isThere: elements.includes(one),
    name: one.getAttribute('aria-label') ?? one.textContent.slice(0, 30),
  }
}

interface Focused {
  textContent: string
  getAttribute(name: string): string | null
}

type Names = string | RegExp

/** A person who has only a keyboard. */
class Typist {
  readonly page: Page
  readonly complaints: string[]

  constructor(page: Page) {
    this.page = page
    this.complaints = complaintsOf(page)
    page.setDefaultTimeout(30_000)
  }

  /** Presses Tab until a control has the focus. */
  async reach(control: Locator): Promise<void> {
    const one = control.first()
    await one.waitFor()
    // Tab passes what cannot be pressed yet.
    const end = Date.now() + 30_000
    while (!(await one.isEnabled())) {
      assert(Date.now() < end, `${String(control)} stays disabled`)
      await this.page.evaluate('new Promise(requestAnimationFrame)')
    }
    const passed: string[] = []
    for (let i = 0; i < MOST_TABS; i++) {
      const { isThere, name } = await control.evaluateAll(focusAmong)
      if (isThere) return
      passed.push(name)
      await this.keys('Tab')
    }
    assert.fail(`Tab does not reach ${String(control)}, but only ${passed.join(' | ')}`)
  }

  async keys(...names: string[]): Promise<void> {
    for (const name of names) await this.page.keyboard.press(name)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  async press(name: Names, within: Page | Locator = this.page): Promise<void> {
    await this.reach(within.getByRole('button', { name, exact: true }))
    await this.keys('Enter')
  }

  async follow(name: Names, within: Page | Locator = this.page): Promise<void> {
    await this.reach(within.getByRole('link', { name, exact: true }))
    await this.keys('Enter')
  }

  /** Writes a field anew. */
  async fill(label: Names, text: string, within: Page | Locator = this.page): Promise<void> {
    const field = within.getByLabel(label)
    await this.reach(field)
    await this.keys('Control+a')
    await this.type(text)
    assert.equal(await field.first().inputValue(), text)
  }

  async check(label: string): Promise<void> {
    const box = this.page.getByLabel(label, { exact: true })
    await this.reach(box)
    await this.keys('Space')
    assert.equal(await box.isChecked(), true)
  }

  shows(text: Names): Promise<void> {
    return this.page.getByText(text).first().waitFor()
  }

  /** The dialog is closed, and the focus is where it was. */
  async isBackAt(name: Names): Promise<void> {
    await this.page.getByRole('dialog').waitFor({ state: 'detached' })
    await this.hasFocus(this.page.getByRole('button', { name, exact: true }))
  }

  hasFocus(control: Locator): Promise<void> {
    return control.and(this.page.locator(':focus')).first().waitFor()
  }

  /** Goes to the end of the text of the page from its title. */
  async enterText(): Promise<void> {
    await this.page.locator('.writing').waitFor()
    await this.reach(this.page.getByLabel('Title', { exact: true }))
    await this.keys('Enter')
    await this.hasFocus(this.page.locator('.writing'))
    await this.keys('Control+End')
  }
}

describe('by the keyboard alone', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function signedIn(url: string, name: string): Promise<Typist> {
    const { page } = await openPage(browser, DEVICES[0]!)
    const typist = new Typist(page)
    await page.goto(`${url}/sign-in`)
    await typist.fill('E-mail', `${name}@example.com`)
    await typist.fill('Password', PASSWORD)
    await typist.keys('Enter')
    await page.waitForURL('**/app**')
    await typist.press('Sidebar')
    return typist
  }

  /** From the first screen to the only organization. */
  const toOrganization = async (one: Typist) => {
    await one.follow('Spaces', one.page.getByRole('navigation', { name: 'Main navigation' }))
    await one.page.getByRole('heading', { name: 'Spaces' }).waitFor()
  }

  test('two people write, ask, comment, suggest, settle a conflict, merge, publish and share', async () => {
    const world = await createWorld()
    for (const name of ['ann', 'bob']) {
      const { person } = await withPassword(world, name)
      await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${person.id}`, { role: 'admin' })
    }
    const ann = await signedIn(world.url, 'ann')
    const { page } = ann
    await toOrganization(ann)
    const organization = page.url()

    // A space, and its first page with a table and an image.
    await ann.press('New space')
    await ann.fill('Title', 'Handbook')
    await ann.press('Create')
    await page.waitForURL('**/app/s/*')
    const space = page.url()
    await menusGiveTheFocusBack(ann)
    await ann.press('Write the first page')
    await ann.enterText()
    await ann.type('The lamp is red.')
    await ann.keys('Enter')
    await ann.type('/table')
    await ann.keys('Enter')
    await ann.type('Colour')
    await ann.keys('Tab')
    await ann.type('Meaning')
    await ann.keys('Control+Enter')
    const dialog = await fileDialog(page, async () => {
      await ann.type('/image')
      await ann.keys('Enter')
    })
    await dialog.setFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PNG })
    await page.locator('.writing figure img[src]').waitFor()
    await untilSaved(page)
    // Tab leaves the text.
    await ann.press('Done')
    await ann.press('Merge')
    await ann.shows('The changes are in the space.')

    // A review is asked for.
    await ann.follow('To the space')
    await ann.press('Edit')
    await changeSentence(ann, ' It is warm.')
    await ann.press('Done')
    await ann.hasFocus(page.getByLabel('Name this change'))
    await ann.keys('Enter')
    await ann.hasFocus(page.getByRole('button', { name: 'Rename' }))
    await ann.keys('Enter')
    await ann.hasFocus(page.getByLabel('Subject'))
    await ann.keys('Control+a')
    await ann.type('Warm lamps')
    await ann.keys('Enter')
    await ann.hasFocus(page.getByRole('button', { name: 'Rename' }))
    await ann.press('Ready for review')
    await ann.press('Ask for a review')
    await ann.hasFocus(page.getByRole('dialog').getByRole('searchbox'))
    await ann.type('bob')
    await ann.keys('Enter')
    await page.getByRole('dialog').getByText('Was asked').waitFor()
    await ann.press('Done', page.getByRole('dialog'))
    await ann.isBackAt('Ask for a review')

    // Another person comments and suggests.
    const bob = await signedIn(world.url, 'bob')
    await bob.follow(/Warm lamps/)
    await bob.page.waitForURL('**/~/changes/*')
    await bob.follow('Changes')
    await bob.page.waitForURL('**/diff')
    const unit = bob.page.locator('.unit', { hasText: 'It is warm.' })
    await bob.press(/^Comment on/, unit)
    await bob.fill('Your comment', 'How warm?')
    await bob.press('Comment now')
    await bob.shows('How warm?')
    await bob.press(/^Suggest/, unit)
    await bob.fill('Your text', 'The lamp is red. It is very warm.')
    await bob.press('Suggest now')
    await ann.shows('How warm?')
    await ann.press('Apply')
    await ann.shows('ann applied this suggestion')

    // He merges another text of the sentence, and she settles the conflict.
    await bob.page.goto(space)
    await bob.press('Edit')
    await changeSentence(bob, ' It is cold.')
    await bob.press('Done')
    await bob.press('Merge')
    await bob.shows('The changes are in the space.')
    await ann.press('Update from the space')
    await ann.shows('In this change request')
    await ann.press('Edit this version In this change request')
    await ann.hasFocus(page.getByRole('textbox', { name: 'New text' }))
    await ann.keys('Control+a')
    await ann.type('The lamp is red. It is very warm, and then cold.')
    await ann.press('Save')
    await ann.shows('There is no open conflict.')
    await ann.follow('Back to the change request')
    // The question of Bob is still open.
    await ann.press('Merge')
    await ann.press('Merge anyway', page.getByRole('dialog'))
    await ann.shows('The changes are in the space.')

    // A site.
    await page.goto(organization)
    await ann.follow('Sites')
    await ann.press('New site')
    await ann.fill('Title', 'Lamps')
    await ann.check('Handbook')
    await ann.press('Create')
    await page.waitForURL('**/sites/*')
    await ann.press('Publish')
    const address = page.getByRole('link', { name: /^http/ })
    await ann.reach(address)
    await bob.page.goto((await address.getAttribute('href'))!)
    await bob.shows('It is very warm, and then cold.')

    // A team.
    await page.goto(organization)
    await ann.follow('People')
    await ann.follow('Teams')
    await ann.press('New team')
    await ann.fill('Name', 'Writers')
    await ann.press('Create')
    await ann.isBackAt('New team')
    await ann.shows('Writers')
    await page.goto(space)
    await ann.follow('Share')
    await ann.reach(page.getByRole('combobox', { name: 'Person or team' }))
    await ann.type('writ')
    await page.getByRole('option', { name: 'Team Writers' }).waitFor()
    await ann.keys('ArrowDown', 'Enter')
    await ann.reach(page.getByRole('button', { name: /Role$/ }))
    await ann.type('Reviewer')
    await page.getByRole('button', { name: 'Reviewer Role', exact: true }).waitFor()
    await ann.press('Give access')
    await page.getByRole('button', { name: 'Reviewer Role of Team Writers' }).waitFor()
    await ann.hasFocus(page.getByRole('combobox', { name: 'Person or team' }))

    assert.deepEqual([...ann.complaints, ...bob.complaints], [])
    await leave(page)
    await leave(bob.page)
  })

  /** Writes at the end of the first paragraph, and waits until the server has it. */
  async function changeSentence(one: Typist, text: string): Promise<void> {
    await one.enterText()
    await one.keys('Control+Home', 'End')
    await one.type(text)
    await one.page.locator('.writing p', { hasText: text.trim() }).waitFor()
    await untilSaved(one.page)
  }

  async function menusGiveTheFocusBack(one: Typist): Promise<void> {
    const account = one.page.getByRole('button', { name: /Your account$/ })
    await one.reach(account)
    await one.keys('Enter')
    await one.page.getByRole('menu').waitFor()
    await one.keys('ArrowDown', 'Escape')
    await one.hasFocus(account)
    await one.keys('Control+k')
    await one.hasFocus(one.page.getByRole('searchbox'))
    await one.keys('Escape')
    await one.hasFocus(account)
  }

  test('an administrator invites, sets up single sign-on and a field, and reads the audit log', async () => {
    const world = await createWorld()
    const { person } = await withPassword(world, 'ann')
    await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${person.id}`, { role: 'admin' })
    const ann = await signedIn(world.url, 'ann')
    const { page } = ann
    await toOrganization(ann)
    const organization = page.url()

    await ann.follow('People')
    await ann.press('Invite people')
    await ann.fill('E-mail addresses', 'cleo@example.com')
    const dialog = page.getByRole('dialog')
    await ann.press('Invite', dialog)
    await ann.shows('One person is invited.')
    await ann.press('Done', dialog)
    await ann.isBackAt('Invite people')
    await page.locator('.rows li', { hasText: 'cleo@example.com' }).waitFor()

    await page.goto(organization)
    await ann.follow('Settings')
    await ann.follow('Single sign-on')
    await ann.press(/^New provider.*OpenID Connect/)
    await ann.fill('Name', 'Corporate', dialog)
    await ann.press('Create', dialog)
    await ann.isBackAt(/^New provider.*OpenID Connect/)
    await ann.press(/^Set up/)
    await ann.shows('Redirect address')
    await ann.keys('Escape')
    await ann.isBackAt(/^Set up/)

    await ann.follow('Custom fields')
    await ann.press('New field')
    await ann.fill('Title', 'Owner', dialog)
    await ann.press('Create', dialog)
    await ann.isBackAt('New field')
    await ann.shows('Owner')

    await ann.follow('Audit log')
    const made = page.locator('.rows li', { hasText: 'added the OpenID Connect provider' })
    await ann.press(/^Details/, made)
    await made.getByRole('row', { name: 'Corporate' }).first().waitFor()
    assert.deepEqual(ann.complaints, [])
    await leave(page)
  })

  test('a new screen has the focus if the one before took it away', async () => {
    const world = await createWorld()
    const { person } = await withPassword(world, 'ann')
    await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${person.id}`, { role: 'admin' })
    const ann = await signedIn(world.url, 'ann')
    const { page } = ann
    const organization = `/v1/orgs/${world.organizationId}`
    const { id } = (await world.ada(`POST ${organization}/spaces`, { title: 'Not needed' })).body
    const hasFocus = () => untilTrue(page, `document.activeElement?.id === 'main'`)
    await page.goto(`${world.url}/app/s/${id}`)
    // The sidebar stays when there is another screen, and keeps the focus.
    await ann.press('Hide the sidebar')
    await ann.follow('Change requests')
    await hasFocus()
    await page.getByRole('heading', { name: 'Change requests' }).waitFor()
    // Tab goes on in the screen, and not at the top of the window.
    await ann.keys('Tab')
    assert(await page.evaluate(`document.activeElement.matches('#main *')`))
    await page.goto(`${world.url}/app/s/${id}/~/settings`)
    await ann.press('Move to the trash')
    await ann.press('Move to the trash', page.getByRole('dialog'))
    await page.waitForURL('**/trash')
    await hasFocus()
    assert.deepEqual(ann.complaints, [])
    await leave(page)
  })
})
