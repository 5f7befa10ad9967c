/** The source of a page in the console: its bytes, saving, and other writers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, untilSaved } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')
const reader = await withPassword(world, 'ron')
const member = `/v1/orgs/${world.organizationId}/members/${reader.person.id}`
assert.equal((await world.ada(`PATCH ${member}`, { role: 'read' })).status, 200)

/** A page with what the editor would write otherwise: line breaks of another system, spaces, unknown tags. */
const SOURCE =
  '---\ndescription:   Spaced\n---\n\n# Home\r\n\r\nFirst  \nline *and* _more_.\n\n\n+ one\n+ two\n\n{% unknown %}\n\nLast.'

describe('the source of a page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signedIn = (address = email) => openSignedIn(browser, world, address)

  async function proposal() {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': SOURCE }), 'Handbook')
    const { status } = await world.ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Edits' })
    assert.equal(status, 201)
    const content = `/v1/spaces/${spaceId}/change-requests/1/content`
    const [home] = (await world.ada(`GET ${content}/pages`)).body.pages
    return {
      address: `${world.url}/app/s/${spaceId}/~/changes/1/edit/`,
      stored: async (): Promise<string> =>
        (await world.ada(`GET ${content}/page/${home.id}?format=markdown`)).body.markdown,
      write: (markdown: string) =>
        world.ada(`POST ${content}`, {
          changes: [{ operation: 'update_page', page: home.id, document: { markdown } }],
        }),
    }
  }

  const openIn = async (page: Page) => {
    await page.click('text=Source')
    await page.waitForSelector('.cm-content')
  }
  const shown = (page: Page) =>
    page.evaluate<string>(
      `[...document.querySelectorAll('.cm-line')].map((one) => one.textContent).join('\\n')`,
    )

  test('keeps its bytes, shows what the text has, and the text shows what it has', async () => {
    const { address, stored } = await proposal()
    const { page, complaints } = await signedIn()
    await page.goto(address)
    await openIn(page)
    assert.equal(await shown(page), SOURCE)
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' And more.')
    await untilSaved(page)
    assert.equal(await stored(), `${SOURCE} And more.`)
    await page.click('text=Text')
    await page.waitForSelector('.writing')
    assert.match(await page.locator('.writing').innerText(), /Last\. And more\.$/)
    await page.click('.writing > :last-child')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Again.')
    // It is saved before the source is read.
    await openIn(page)
    assert.equal(await shown(page), `${SOURCE} And more. Again.`)
    assert.equal(await page.locator('.source-problems').count(), 0)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n\n{%- if a -%} Nobody.')
    await untilSaved(page)
    const problems = page.locator('[role=status] .source-problems')
    await problems.waitFor()
    assert.match(await problems.innerText(), /Line 18\s+"\{%- if a -%\}" is no condition, .* from everybody/)
    assert.deepEqual(await axeFindings(page), [])
    await page.reload()
    await openIn(page)
    await page.click('text=Line 18')
    await page.keyboard.type('\\')
    await untilSaved(page)
    await problems.waitFor({ state: 'detached' })
    assert.match(await stored(), /\n\\\{%- if a -%\} Nobody\.$/)
    await page.keyboard.press('Control+f')
    await page.waitForSelector('.cm-search')
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('shows what others write, keeps both texts, and lets the writer choose between words', async () => {
    const { address, stored, write } = await proposal()
    const { page } = await signedIn()
    await page.goto(address)
    await openIn(page)
    await page.keyboard.press('Control+End')
    const theirs = SOURCE.replace('+ one', '+ uno')
    assert.equal((await write(theirs)).status, 200)
    await untilTrue(page, `document.querySelector('.cm-content').textContent.includes('uno')`)
    await page.keyboard.type(' Mine.')
    await write(theirs.replace('First', 'Their first'))
    await untilSaved(page)
    const both = `${theirs.replace('First', 'Their first')} Mine.`
    assert.equal(await stored(), both)
    assert.equal(await shown(page), both)

    await page.keyboard.type(' Blue.')
    await write(`${both} Red.`)
    await page.click('text=Keep both')
    await untilSaved(page)
    assert.match(await stored(), /Red\.\n[^\n]*Blue\.$/)
    assert.equal(await shown(page), await stored())
    await leave(page)
  })

  test('what could not be saved is there after a reload', async () => {
    const { address, stored } = await proposal()
    const { page } = await signedIn()
    await page.goto(address)
    await openIn(page)
    await page.route('**/content?compat=false', (route) => route.abort())
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' On a train.')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await untilTrue(page, `document.querySelector('.save-state').textContent.startsWith('Offline')`)
    // The text would not have it.
    await page.click('text=Text')
    await untilTrue(page, `document.querySelector('.save-state').textContent.startsWith('Offline')`)
    assert.ok(await page.isVisible('.cm-content'))
    await page.unrouteAll()
    await page.reload()
    await page.waitForSelector('.cm-content')
    await untilSaved(page)
    assert.equal(await stored(), `${SOURCE} On a train.`)
    await leave(page)
  })

  test('those who may only read see it, and cannot change it', async () => {
    const { address, stored } = await proposal()
    const { page, complaints } = await signedIn(reader.email)
    await page.goto(address)
    await page.waitForSelector('.cm-content')
    await page.click('.cm-content')
    await page.keyboard.type('x')
    assert.equal(await shown(page), SOURCE)
    assert.match(await page.locator('.editing-bar').innerText(), /may read this page/)
    const writer = (await signedIn()).page
    await writer.goto(address)
    await openIn(writer)
    await page.waitForSelector('.face[title$="is writing"]')
    await leave(writer)
    assert.equal(await stored(), SOURCE)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
