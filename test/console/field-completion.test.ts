/** The completion in fields: comments, reviews and descriptions. Users who are mentioned are notified. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, DEVICES, drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

// The sources of the browser have a configuration of their own, with the types of the DOM.
const { shownMentions, writtenMentions } = (await import(
  new URL('../../src/console/app/editor/completion/mention-text.ts', import.meta.url).href
)) as {
  shownMentions: (markdown: string, names: Map<string, string>) => string
  writtenMentions: (text: string, names: Map<string, string>) => string
}

test('a field shows the names of the users whom its Markdown mentions, and writes them back', () => {
  const names = new Map<string, string>()
  const markdown = String.raw`Hi [Ann](/users/1 "mention") and [Ann \[QA\]](/users/2 "mention"), [Ann](/users/3 "mention")!`
  const shown = shownMentions(markdown, names)
  assert.equal(shown, 'Hi @Ann and @Ann [QA], [Ann](/users/3 "mention")!')
  assert.equal(writtenMentions(shown, names), markdown)
  assert.equal(writtenMentions('@Anna me@Ann @An @Ann', names), '@Anna me@Ann @An [Ann](/users/1 "mention")')
  assert.equal(writtenMentions('@Ann', new Map()), '@Ann')
})

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${ann.id}`, { role: 'review' })
const bob = await world.person('Bobby', 'edit')
const MENTION = `[Bobby](/users/${bob.id} "mention")`

describe('the completion in a field', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** The screen of a change request with a changed page. */
  async function discussing(device = DEVICES[0]) {
    const opened = await openSignedIn(browser, world, email, device)
    const files = { 'README.md': '# Home\n\nHello.\n', 'setup.md': '# Setting up\n\nText.\n' }
    const { spaceId } = await spaceWith(world, archiveOf(files), 'Handbook')
    const base = `/v1/spaces/${spaceId}/change-requests/1`
    await world.ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'New ports' })
    const changes = [{ operation: 'insert_page', title: 'Added', document: { markdown: 'More.' } }]
    assert.equal((await world.ada(`POST ${base}/content`, { changes })).status, 200)
    await world.ada(`PATCH ${base}`, { status: 'open' })
    const home = `${world.url}/app/s/${spaceId}/~/changes/1`
    await opened.page.goto(home)
    return { ...opened, spaceId, base, home }
  }
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
  /** A field with the focus, whose completion is loaded. */
  const begin = async (page: Page, name: string) => {
    const field = page.getByRole('textbox', { name })
    await field.click()
    await page.locator('textarea[aria-autocomplete=list]').waitFor()
    return field
  }
  const bodiesOf = async (base: string): Promise<string[]> =>
    (await world.ada(`GET ${base}/comments?format=markdown`)).body.items.map(
      ({ body }: { body: { markdown: string } }) => body.markdown.trim(),
    )

  test('a comment mentions a person, who is notified, and links a page', async () => {
    const { page, complaints, spaceId, base } = await discussing()
    const field = await begin(page, 'Your comment')
    await page.keyboard.type('Please look, @bo')
    await option(page, /Bobby/).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Enter')
    await page.keyboard.type(', at [[setting')
    await option(page, /Setting up/).click()
    await page.keyboard.type(' :tada')
    await option(page, /:tada:/).waitFor()
    await page.keyboard.press('Tab')
    const link = `[Setting up](${world.url}/app/s/${spaceId}/setup)`
    assert.equal(await field.inputValue(), `Please look, @Bobby, at ${link} 🎉`)
    // What is begun is kept with its mention.
    await page.reload()
    assert.equal(
      await page.getByRole('textbox', { name: 'Your comment' }).inputValue(),
      `Please look, @Bobby, at ${link} 🎉`,
    )
    await page.getByRole('textbox', { name: 'Your comment' }).click()
    await page.keyboard.press('Control+Enter')
    await page.locator('.thread', { hasText: '@Bobby' }).waitFor()
    assert.deepEqual(await bodiesOf(base), [`Please look, ${MENTION}, at ${link} 🎉`])
    const { items } = (await bob('GET /v1/user/notifications')).body
    assert.deepEqual(
      items.map(({ kind }: { kind: string }) => kind),
      ['mention'],
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('Escape closes the list and not the dialog, undo takes a mention back, and code has no list', async () => {
    const { page, base, home } = await discussing()
    await page.goto(`${home}/diff`)
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const field = await begin(page, 'Comment (optional)')
    await page.keyboard.type('Fine, @bo')
    await option(page, /Bobby/).waitFor()
    const inView = (await page.getByRole('listbox').boundingBox())!
    const box = (await field.boundingBox())!
    assert(inView.x >= box.x && inView.x < box.x + box.width, 'the list is below the sign')
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    assert(await page.getByRole('dialog').isVisible())
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('@bobb')
    await option(page, /Bobby/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+z')
    assert.equal(await field.inputValue(), 'Fine, @bobb')
    await page.keyboard.press('Control+y')
    assert.equal(await field.inputValue(), 'Fine, @Bobby')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('```\n@bo :tad `')
    await drawn(page)
    await page.evaluate('new Promise((done) => setTimeout(done, 200))')
    assert.equal(await page.getByRole('listbox').count(), 0)
    await page.getByRole('button', { name: 'Send the review' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [review] = (await world.ada(`GET ${base}/reviews`)).body.items
    assert.equal(review.status, 'approved')
    assert.deepEqual(await bodiesOf(base), [`Fine, ${MENTION}\n\`\`\`\n@bo :tad \``])
    await leave(page)
  })

  test('a description has emoji and names of change requests, and no mentions, since nobody is notified of them', async () => {
    const { page } = await discussing(DEVICES[2])
    await page.getByRole('button', { name: 'Describe it' }).click()
    const field = await begin(page, 'Description')
    await page.keyboard.type('See #New')
    await option(page, /^#1 New ports/).click()
    await page.keyboard.type(' :rocket')
    await option(page, /:rocket:/).click()
    await page.keyboard.type(' @bo')
    await page.evaluate('new Promise((done) => setTimeout(done, 300))')
    assert.equal(await page.getByRole('listbox').count(), 0)
    assert.equal(await field.inputValue(), 'See #1 New ports 🚀 @bo')
    await leave(page)
  })
})
