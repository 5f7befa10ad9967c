/** The first minutes in a new organization, in a browser: every way to begin ends on a page that can be read. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf } from '../importing.ts'
import {
  axeFindings,
  type Device,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { fileDialog, withPassword } from './pages.ts'
import { openSignedIn, untilSaved } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const member = `/v1/orgs/${world.organizationId}/members/${ann.id}`
assert.equal((await world.ada(`PATCH ${member}`, { role: 'admin' })).status, 200)
const start = `${world.url}/app/o/${world.organizationId}/start`

describe('the first minutes in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const look = async (page: Page, what: string) => {
    assert.deepEqual(await axeFindings(page), [], what)
    assert.equal(await sidewaysScroll(page), 0, what)
  }
  const open = async (device?: Device) => {
    const { page } = await openSignedIn(browser, world, email, device)
    return page
  }

  test('home asks what to do first, and a template ends on a page with Publish beside it', async () => {
    const page = await open()
    await page.goto(`${world.url}/app`)
    await page.getByRole('heading', { name: 'What do you want to do first?' }).waitFor()
    await button(page, /^Runbook/).waitFor()
    await look(page, 'home')
    await page.getByLabel('Name of the organization').fill('Tidewater')
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Tidewater' }).first().waitFor()
    await button(page, /^Product documentation/).click()
    await button(page, 'Publish').waitFor()
    await page.getByText('Atlas keeps the stock').waitFor()
    await look(page, 'the space')
    await leave(page)
  })

  test('by the keyboard, an empty page is written, and Done shows it', async () => {
    const page = await open()
    await page.goto(start)
    await button(page, 'Write an empty page').focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.writing[aria-autocomplete]')
    await page.keyboard.type('First steps')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Hello, everybody.')
    await untilSaved(page)
    await button(page, 'Done').click()
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor()
    await page.getByText('Hello, everybody.').waitFor()
    await button(page, 'Publish').waitFor()
    await leave(page)
  })

  test('on a phone, files are uploaded from a tool that is chosen by its name', async () => {
    const page = await open(DEVICES[3])
    await page.goto(start)
    await button(page, /^Help centre/).waitFor()
    await look(page, 'the start screen')
    await button(page, 'MkDocs').click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('What do you import?').inputValue(), 'mkdocs')
    await look(page, 'the import')
    const chooser = await fileDialog(page, () => dialog.getByLabel('File').click())
    const files = {
      'mkdocs.yml': 'site_name: Boats\nnav:\n  - Home: index.md\n',
      'docs/index.md': '# Boats\n\nOf every kind.\n',
    }
    await chooser.setFiles({
      name: 'boats.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(archiveOf(files)),
    })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByRole('button', { name: 'Open the space' }).click()
    await page.getByText('Of every kind.').waitFor()
    await button(page, 'Publish').waitFor()
    await leave(page)
  })

  test('a new space begins with a template', async () => {
    const page = await open()
    await page.goto(`${world.url}/app/o/${world.organizationId}`)
    await button(page, 'New space').click()
    await page.getByLabel('Title').fill('What is new')
    await page.getByLabel('Begin with').selectOption('Changelog')
    await look(page, 'the dialog')
    await button(page, 'Create').click()
    await page.getByRole('heading', { name: 'What is new', level: 1 }).waitFor()
    await page.getByText('counts without a scanner').first().waitFor()
    await leave(page)
  })

  for (const device of [DEVICES[1], DEVICES[2]])
    test(`the first steps follow from what exists, and can be closed: ${device?.name}`, async () => {
      const { email: hers, person } = await withPassword(world, `una${device?.width}`)
      const path = `/v1/orgs/${world.organizationId}/members/${person.id}`
      assert.equal((await world.ada(`PATCH ${path}`, { role: 'admin' })).status, 200)
      const { page } = await openSignedIn(browser, world, hers, device)
      await page.goto(`${world.url}/app`)
      const steps = page.getByRole('region', { name: 'First steps' })
      await steps.getByText('of 5 done').waitFor()
      await look(page, 'the first steps')
      // There are spaces and members, but no site.
      assert.equal((await steps.getByText('(done)').count()) >= 2, true)
      assert.equal(await steps.getByRole('link', { name: 'Invite somebody' }).count(), 0)
      await steps.getByRole('link', { name: 'Publish a space' }).waitFor()
      await steps.getByRole('button', { name: 'Close the first steps' }).click()
      await steps.waitFor({ state: 'detached' })
      assert.equal((await person('GET /v1/user')).body.firstSteps, 'closed')
      await page.reload()
      await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
      assert.equal(await steps.count(), 0)
      await leave(page)
    })

  test('a reader of the organization sees which role creates content', async () => {
    const { email: hers, person } = await withPassword(world, 'rea')
    const path = `/v1/orgs/${world.organizationId}/members/${person.id}`
    assert.equal((await world.ada(`PATCH ${path}`, { role: 'read' })).status, 200)
    const { page } = await openSignedIn(browser, world, hers)
    await page.goto(start)
    await page.getByText('requires the role “Creator” in the organization').waitFor()
    assert.equal(await button(page, 'Write an empty page').count(), 0)
    await leave(page)
  })
})
