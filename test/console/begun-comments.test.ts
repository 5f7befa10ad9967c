/** What somebody has begun to write in a discussion is not lost, and not left behind by a review. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { PASSWORD, signIn } from './pages.ts'

const world = await createWorld()
const { ada } = world
const bob = await world.person('bob', 'review')
assert.equal((await bob('PUT /v1/account/password', { password: PASSWORD })).status, 204)

const GUIDE = '# Guide\n\nFirst, open the lid.\n\nThen press the button.\n'
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': GUIDE }))
const requests = `/v1/spaces/${spaceId}/change-requests`
const { number } = (await ada(`POST ${requests}`, { subject: 'Other words' })).body
const [{ id }] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
const markdown = GUIDE.replace('open', 'lift').replace('press', 'push')
const changes = [{ operation: 'update_page', page: id, document: { markdown } }]
assert.equal((await ada(`POST ${requests}/${number}/content`, { changes })).status, 200)
await ada(`PATCH ${requests}/${number}`, { status: 'open' })
const home = `${world.url}/app/s/${spaceId}/~/changes/${number}`

test('a browser that refuses to store anything keeps what is begun in its tab', async () => {
  const known = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')!
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError')
    },
  })
  try {
    const { begunAt, begunComments, keepBegun, nameOfNewComment } = await import(
      new URL('../../src/console/app/discussion/begun.ts', import.meta.url).href
    )
    const writing = { base: '/spaces/a/change-requests/1', me: { id: 'b' } }
    const name = nameOfNewComment(writing, 'page', undefined)
    assert.deepEqual([begunAt(name), begunComments(writing)], [undefined, []])
    const comment = { body: { markdown: 'Hm.' } }
    keepBegun(name, { markdown: 'Hm.', remark: comment })
    assert.deepEqual(begunComments(writing), [{ name, comment }])
  } finally {
    Object.defineProperty(globalThis, 'localStorage', known)
  }
})

describe('comments that are begun', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

  test('a browser whose storage is full shows what one chooses, for as long as the page is open', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, 'bob@example.com')
    await page.addInitScript(`Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }`)
    await page.goto(`${world.url}/app/profile`)
    await page.getByLabel('Colours in this browser').selectOption('dark')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.goto(`${home}/diff`)
    await page.getByLabel('Show').selectOption('split')
    await page.locator('.unit-text ins').first().waitFor()
    assert.equal(await page.getByLabel('Show').inputValue(), 'split')
    await page
      .getByLabel(/^I have viewed/)
      .first()
      .check()
    await page.getByText('1 of 1 page viewed').waitFor()
    assert.deepEqual(complaints, [])
    // Its storage stays full, so it is no page for the next test.
    await page.context().close()
  })

  test('a review takes with it what is still being written, unless its author unticks it', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, 'bob@example.com')
    await page.goto(`${home}/diff`)
    await press(page, 'Comment on “First, lift the lid.”')
    await page.keyboard.type('Why lift?')
    await press(page, 'Suggest another text for “Then push the button.”')
    await page.getByLabel('Your text').fill('Then push the red button.')
    await press(page, 'Comment on “the page”')
    await page.keyboard.type('Not yet.')

    // Nothing is lost by leaving the screen, and the others of the change request say that it is not sent.
    await follow(page, 'Overview')
    await page.getByText('You have begun a comment that is not sent:').nth(2).waitFor()
    await page.locator('q', { hasText: 'Why lift?' }).waitFor()
    await page.reload()
    await page.locator('q', { hasText: 'Why lift?' }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('link', { name: 'Go on writing' }).first().click()
    await page.getByText('Then push the red button.').waitFor()
    assert.equal(await page.getByLabel('Your text').inputValue(), 'Then push the red button.')

    await press(page, 'Review')
    const dialog = page.getByRole('dialog')
    const taken = dialog.getByLabel('You are still writing this. Send it with the review')
    assert.equal(await taken.count(), 3)
    await dialog.locator('div:has(> article)', { hasText: 'Not yet.' }).getByRole('checkbox').uncheck()
    await dialog.getByLabel('Comment (optional)').fill('Well done.')
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    await press(page, 'Send the review')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.thread', { hasText: 'Why lift?' }).waitFor()
    const sent = (await bob(`GET ${requests}/${number}/comments?format=markdown`)).body.items
    assert.deepEqual(
      sent
        .map(({ body, suggestion }: { body: { markdown?: string }; suggestion?: { text?: string } }) => [
          body.markdown?.trim() ?? '',
          suggestion?.text ?? '',
        ])
        .toSorted(),
      [
        ['', 'the red button'],
        ['Well done.', ''],
        ['Why lift?', ''],
      ].toSorted(),
    )
    // Only what was unticked is still being written.
    assert.equal(await page.locator('.new-comment').count(), 1)
    await press(page, 'Cancel')
    await page.reload()
    await page.locator('.thread').first().waitFor()
    assert.equal(await page.locator('.new-comment').count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a reply, a change of a comment and a comment on a page are there again', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, 'bob@example.com')
    const space = `${world.url}/app/s/${spaceId}`
    await bob(`POST /v1/spaces/${spaceId}/comments`, { body: { markdown: 'Is it so?' }, page: id })
    await page.goto(space)
    await page.getByLabel('Your comment').fill('On the page')
    await press(page, 'Reply')
    await page.getByLabel('Your reply').fill('It is')
    await press(page, 'Change')
    await page.locator('.thread').getByLabel('Your comment').fill('Is it really so?')
    await page.locator('.prose > p').first().hover()
    await press(page, 'Comment on “First, open the lid.”')
    await page.keyboard.type('On a block')
    await page.goto(space)
    await page.getByLabel('Your reply').waitFor()
    assert.equal(await page.getByLabel('Your reply').inputValue(), 'It is')
    await page.locator('.new-comment').waitFor()
    const fields = await page.getByLabel('Your comment').all()
    const texts = await Promise.all(fields.map((field) => field.inputValue()))
    assert.deepEqual(texts.toSorted(), ['Is it really so?', 'On a block', 'On the page'])
    await press(page, 'Send')
    await page.locator('.reply', { hasText: 'It is' }).waitFor()
    assert.equal(await page.getByLabel('Your reply').count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
