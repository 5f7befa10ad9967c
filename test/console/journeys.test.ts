/** What people do in the console from beginning to end, in a browser, only by clicking and typing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { freePort, startServer, temporaryFolder } from '../process.ts'
import {
  axeFindings,
  type Device,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { chooseRole, complaintsOf, fileDialog, PASSWORD, showSidebar } from './pages.ts'
import { savedUnaided } from './writing.ts'
import { PNG } from '../picture.ts'

describe('journeys through the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: true }).first().click()
  const follow = (page: Page, name: string | RegExp) =>
    page.getByRole('link', { name, exact: true }).first().click()
  const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const look = async (page: Page, what: string) => {
    assert.deepEqual(await axeFindings(page), [], what)
    assert.equal(await sidewaysScroll(page), 0, what)
  }
  const person = async (device: Device = DEVICES[0]!) => {
    const { page } = await openPage(browser, device)
    page.setDefaultTimeout(30_000)
    return { page, complaints: complaintsOf(page) }
  }
  /** Accepts an invitation or the link of the first start. */
  const join = async (page: Page, link: string, name: string) => {
    await page.goto(link)
    await page.getByLabel('Your name').fill(name)
    await page.getByLabel('New password').fill(PASSWORD)
    await press(page, 'Set the password and sign in')
    await page.getByRole('heading', { name: `Welcome, ${name}` }).waitFor()
    await page.locator('.home').waitFor()
    await showSidebar(page)
  }

  test('from the first start to a published site: a writer, a reviewer, an administrator, a phone', async (t) => {
    const folder = temporaryFolder()
    const server = await startServer({
      LECTERN_DATA: folder.path,
      PORT: String(await freePort()),
      LECTERN_LOG: 'error',
    })
    t.after(async () => {
      await server.stop()
      folder.remove()
    })
    const link = /http\S+\/app\/welcome#\S+/.exec(server.out())?.[0]
    assert(link, server.out())

    const { page: ada, complaints } = await person()
    const { page: bob, complaints: hisComplaints } = await person()

    await t.test('Ada signs in, creates a space, and writes with an image and a table', async () => {
      await join(ada, link, 'Ada')
      await look(ada, 'home')
      await follow(ada, 'Documentation')
      await press(ada, 'New space')
      await ada.getByLabel('Title').fill('Handbook')
      await press(ada, 'Create')
      await press(ada, 'Write the first page')
      await ada.getByLabel('Title').fill('Lamps')
      await ada.keyboard.press('Enter')
      await ada.keyboard.type('The lamp is red when it is warm.')
      await ada.keyboard.press('Enter')
      await ada.keyboard.type('Do not touch it.')
      await ada.keyboard.press('Enter')
      await ada.keyboard.type('/table')
      await ada.keyboard.press('Enter')
      await ada.keyboard.type('Colour')
      await ada.keyboard.press('Tab')
      await ada.keyboard.type('Meaning')
      await ada.keyboard.press('Control+Enter')
      const dialog = await fileDialog(ada, async () => {
        await ada.keyboard.type('/image')
        await ada.keyboard.press('Enter')
      })
      await dialog.setFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PNG })
      await ada.locator('.writing figure img[src]').waitFor()
      await savedUnaided(ada)
      await look(ada, 'editor')
      await press(ada, 'Done')
      // The change has no name yet. Whoever merges it at once gets the proposed one.
      await shows(ada, 'Name this change')
      await look(ada, 'a change without a name')
      await press(ada, 'Merge')
      await shows(ada, 'The changes are in the space.')
      await ada.getByRole('heading', { name: 'Add Lamps #1' }).waitFor()
    })

    await t.test('Ada invites Bob, who joins', async () => {
      await follow(ada, 'Documentation')
      await follow(ada, 'People')
      await press(ada, 'Invite people')
      await ada.getByLabel('E-mail addresses').fill('bob@example.com')
      await chooseRole(ada, /Role$/, 'Reviewer')
      await press(ada, 'Invite')
      const invitation = await ada.locator('.passed code').innerText()
      await press(ada, 'Done')
      await join(bob, invitation, 'Bob')
    })

    await t.test('Ada asks for a review, Bob comments and suggests, Ada applies', async () => {
      await follow(ada, 'Documentation')
      await follow(ada, 'Handbook')
      await press(ada, 'Edit')
      await ada.locator('.writing p', { hasText: 'The lamp is red' }).click()
      await ada.keyboard.press('End')
      await ada.keyboard.type(' It cools down in a minute.')
      await savedUnaided(ada)
      await press(ada, 'Done')
      // The proposed name is selected, so one types another, or presses Enter.
      await untilTrue(ada, `document.activeElement.value === 'Edit Lamps'`)
      await ada.keyboard.type('How long it takes')
      await ada.keyboard.press('Enter')
      await ada.getByRole('heading', { name: /^How long it takes/ }).waitFor()
      await press(ada, 'Ready for review')
      await press(ada, 'Ask for a review')
      await press(ada, 'Ask Bob')
      await press(ada, 'Done')

      await bob.reload()
      await follow(bob, /How long it takes/)
      await follow(bob, 'Changes')
      const unit = bob.locator('.unit', { hasText: 'The lamp is red' })
      await unit.hover()
      await unit.getByRole('button', { name: /^Comment on/ }).click()
      await unit.getByPlaceholder('Your comment').fill('Are you sure?')
      await press(bob, 'Comment now')
      await shows(bob, 'Are you sure?')
      await unit.hover()
      await unit.getByRole('button', { name: /^Suggest/ }).click()
      await unit
        .getByLabel('Your text')
        .fill('The lamp is red when it is warm. It cools down in two minutes.')
      await press(bob, 'Suggest now')
      await look(bob, 'changes')

      await shows(ada, 'Are you sure?')
      await press(ada, 'Apply')
      await shows(ada, 'Ada applied this suggestion')
    })

    await t.test('Bob merges another text of the same sentence, and Ada settles the conflict', async () => {
      await follow(bob, 'Handbook')
      await press(bob, 'Edit')
      await bob.locator('.writing p', { hasText: 'The lamp is red' }).dblclick({ position: { x: 5, y: 10 } })
      await bob.keyboard.press('End')
      await bob.keyboard.type(' It is cold after an hour.')
      await savedUnaided(bob)
      await press(bob, 'Done')
      await press(bob, 'Not now')
      await press(bob, 'Merge')
      await shows(bob, 'The changes are in the space.')
      await bob.getByRole('heading', { name: /^Untitled change/ }).waitFor()

      await press(ada, 'Update from the space')
      await shows(ada, 'In this change request')
      await look(ada, 'conflict')
      await press(ada, 'Keep the text of this change request')
      await shows(ada, 'There is no open conflict.')
      await follow(ada, 'Back to the change request')
      // The question of Bob is still open.
      await press(ada, 'Merge')
      await press(ada, 'Merge anyway')
      await shows(ada, 'The changes are in the space.')
    })

    await t.test('Ada publishes it, and shares it with a team', async () => {
      await follow(ada, 'Documentation')
      await follow(ada, 'Sites')
      await press(ada, 'New site')
      await ada.getByLabel('Title').fill('Lamps')
      await ada.getByRole('checkbox', { name: 'Handbook' }).check()
      await press(ada, 'Create')
      await press(ada, 'Publish')
      const site = ada.getByRole('link', { name: /^http/ })
      const { page: reader } = await person()
      await reader.goto((await site.getAttribute('href'))!)
      await shows(reader, /It cools down in two minutes\./)
      assert.equal(await reader.locator('main table, article table').count(), 1)
      await leave(reader)

      await follow(ada, 'Documentation')
      await follow(ada, 'People')
      await follow(ada, 'Teams')
      await press(ada, 'New team')
      await ada.getByLabel('Name').fill('Writers')
      await press(ada, 'Create')
      await follow(ada, 'Documentation')
      await follow(ada, 'Handbook')
      await follow(ada, 'Share')
      await ada.getByRole('combobox', { name: 'Person or team' }).fill('writ')
      await ada.getByRole('option', { name: 'Team Writers' }).click()
      await chooseRole(ada, /Role$/, 'Reviewer')
      await press(ada, 'Give access')
      await ada.getByRole('button', { name: 'Role of Team Writers' }).waitFor()
      await ada.getByRole('listbox').waitFor({ state: 'detached' })
      await look(ada, 'sharing')
    })

    await t.test(
      'Ada sets up single sign-on and a custom field, and sees it all in the audit log',
      async () => {
        await follow(ada, 'Documentation')
        await follow(ada, 'Settings')
        await follow(ada, 'Single sign-on')
        await press(ada, /^New provider.*OpenID Connect/)
        await ada.getByLabel('Name').fill('Corporate')
        await press(ada, 'Create')
        await press(ada, /^Set up/)
        await shows(ada, 'Redirect address')
        await look(ada, 'a provider')
        await ada.keyboard.press('Escape')
        await follow(ada, 'Custom fields')
        await press(ada, 'New field')
        await ada.getByRole('dialog').getByLabel('Title').fill('Owner')
        await press(ada, 'Create')
        await shows(ada, 'Owner')
        await follow(ada, 'Audit log')
        await shows(ada, /Owner/)
        await ada.locator('.rows li', { hasText: 'added the OpenID Connect provider' }).waitFor()
        await look(ada, 'audit log')
      },
    )

    await t.test('Bob reads, comments, reviews and makes a small edit on his phone', async () => {
      const { page: phone, complaints: ofPhone } = await person(DEVICES[2])
      await phone.goto(`${server.url}/sign-in`)
      await phone.getByLabel('E-mail').fill('bob@example.com')
      await phone.getByLabel('Password').fill(PASSWORD)
      await phone.getByRole('button', { name: 'Sign in', exact: true }).tap()
      await phone.getByRole('link', { name: 'Documentation' }).tap()
      await phone.getByRole('link', { name: 'Handbook' }).tap()
      await shows(phone, /It cools down in two minutes\./)
      await look(phone, 'reading on a phone')
      await phone.getByRole('button', { name: 'Edit', exact: true }).tap()
      await phone.locator('.writing p', { hasText: 'Do not touch' }).tap()
      await phone.keyboard.press('End')
      await phone.keyboard.type(' Please.')
      await savedUnaided(phone)
      await look(phone, 'writing on a phone')
      await phone.getByRole('button', { name: 'Done' }).tap()
      await phone.getByRole('link', { name: 'Changes', exact: true }).tap()
      const unit = phone.locator('.unit', { hasText: 'Do not touch' })
      await unit.getByRole('button', { name: /^Comment on/ }).tap()
      await unit.getByPlaceholder('Your comment').fill('More polite.')
      await phone.getByRole('button', { name: 'Comment now' }).tap()
      await shows(phone, 'More polite.')
      await phone.getByRole('button', { name: 'Review', exact: true }).tap()
      await phone.getByRole('dialog').waitFor()
      assert.deepEqual(await axeFindings(phone, '[role=dialog]'), [], 'a review on a phone')
      await phone.getByRole('button', { name: 'Send the review' }).tap()
      await phone.getByRole('link', { name: 'Overview' }).tap()
      await shows(phone, 'Approved')
      await look(phone, 'a change request on a phone')
      assert.deepEqual(ofPhone, [])
      await leave(phone)
    })

    assert.deepEqual([...complaints, ...hisComplaints], [])
    await leave(ada)
    await leave(bob)
  })
})
