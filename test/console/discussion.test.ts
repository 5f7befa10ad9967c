/** Looking at changes and talking about them in a browser, and changing one's mind. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { complaintsOf, signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const GUIDE = '# Guide\n\nFirst, open the lid.\n\nThen press the button.\n\nWait a minute.\n'

describe('changes in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a person reacts, edits a reply, undoes a deletion, and takes one change back', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': GUIDE }))
    const requests = `/v1/spaces/${spaceId}/change-requests`
    const { number } = (await ann(`POST ${requests}`, { subject: 'Two changes' })).body
    const base = `${requests}/${number}`
    const guide = (await ann(`GET ${base}/content/pages`)).body.pages[0].id as string
    const markdown = GUIDE.replace('the button', 'the green button').replace('a minute', 'an hour')
    const changes = [{ operation: 'update_page', page: guide, document: { markdown } }]
    await ann(`POST ${base}/content`, { changes })
    const { id } = (await ann(`POST ${base}/comments`, { body: { markdown: 'Look.' } })).body
    await ann(`POST ${base}/comments/${id}/replies`, { body: { markdown: 'Here.' } })
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const complaints = complaintsOf(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/${number}`)
    const thread = page.locator('.thread', { hasText: 'Look.' })
    await thread.getByRole('button', { name: 'React' }).last().click()
    await page.getByRole('menuitem', { name: 'Heart' }).click()
    const heart = thread.getByRole('button', { name: /❤.*1/ })
    await heart.waitFor()
    assert.equal(await heart.getAttribute('aria-pressed'), 'true')
    await heart.click()
    await heart.waitFor({ state: 'detached' })
    const reply = thread.locator('.reply')
    await reply.getByRole('button', { name: 'Change' }).click()
    await reply.locator('textarea').fill('There.')
    await reply.locator('textarea').press('Control+Enter')
    await reply.getByText('There.').waitFor()
    await reply.getByRole('button', { name: 'Delete' }).click()
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await reply.getByText('There.').waitFor()
    await reply.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The reply is deleted.').waitFor()
    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    const row = page.locator('.diff-row', { hasText: 'Then press the' })
    await row.getByRole('button', { name: /^Put back/ }).click()
    await page.locator('.unit.changed', { hasText: 'Then press' }).waitFor({ state: 'detached' })
    const written = (await ann(`GET ${base}/content/page/${guide}?format=markdown`)).body
    assert.equal(written.markdown, GUIDE.replace('a minute', 'an hour'))
    assert.equal((await ann(`GET ${base}/comments/${id}/replies`)).body.items.length, 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a suggestion that nobody applied says so after the merge, and shows what it was', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': `${GUIDE}\n* one\n\n***\n` }))
    const requests = `/v1/spaces/${spaceId}/change-requests`
    const { number } = (await ann(`POST ${requests}`, { subject: 'The green one' })).body
    const base = `${requests}/${number}`
    const guide = (await ann(`GET ${base}/content/pages`)).body.pages[0].id as string
    const { nodes } = (await ann(`GET ${base}/content/page/${guide}/document`)).body
    const keyOf = (type: string) => nodes.find((one: { type: string }) => one.type === type).key as string
    const suggest = async (node: string, suggestion: object, range?: object) => {
      const sent = { body: {}, page: guide, node, suggestion, ...(range && { range }) }
      assert.equal((await ann(`POST ${base}/comments`, sent)).status, 200)
    }
    await suggest(keyOf('paragraph'), { text: 'Second' }, { start: 0, end: 5 })
    await suggest(keyOf('list-unordered'), { markdown: '* **two**' })
    await suggest(keyOf('divider'), {})
    const markdown = GUIDE.replace('the button', 'the green button').replace('First, ', 'Now, ')
    const changes = [{ operation: 'update_page', page: guide, document: { markdown } }]
    await ann(`POST ${base}/content`, { changes })
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const complaints = complaintsOf(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/${number}`)
    await page.locator('.suggestion').getByRole('button', { name: 'Apply' }).first().waitFor()
    assert.equal((await world.ada(`POST ${base}/merge`)).status, 200)
    const ended = page.locator('.suggestion', {
      hasText: 'The change request is merged, so nobody can apply',
    })
    await ended.nth(2).waitFor()
    assert.equal(await page.locator('.suggestion').getByRole('button').count(), 0)
    await ended.filter({ has: page.locator('ins', { hasText: 'Second' }) }).waitFor()
    await ended.locator('ins li b', { hasText: 'two' }).waitFor()
    await ended.filter({ hasText: 'Delete this block' }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('who writes sees the open comments on the page, answers them and applies what is suggested', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': GUIDE }))
    const requests = `/v1/spaces/${spaceId}/change-requests`
    const { number } = (await ann(`POST ${requests}`, { subject: 'With comments' })).body
    const base = `${requests}/${number}`
    const guide = (await ann(`GET ${base}/content/pages`)).body.pages[0].id as string
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const complaints = complaintsOf(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/${number}/edit`)
    const text = page.getByRole('textbox', { name: 'Text of the page' })
    await text.getByText('Wait a minute.').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Discussion' }).count(), 0)
    const { nodes } = (await ann(`GET ${base}/content/page/${guide}/document`)).body
    const node = nodes.at(-1).key as string
    const suggestion = { text: 'an hour' }
    const sent = {
      body: { markdown: 'Too short.' },
      page: guide,
      node,
      suggestion,
      range: { start: 5, end: 13 },
    }
    assert.equal((await world.ada(`POST ${base}/comments`, sent)).status, 200)
    const thread = page.locator('.thread', { hasText: 'Too short.' })
    await page.getByRole('button', { name: 'Open comments: 1' }).click()
    await untilTrue(page, `document.activeElement?.textContent === 'Discussion'`)
    await thread.getByRole('button', { name: 'Reply' }).click()
    await page.getByLabel('Your reply').fill('Right.')
    await thread.getByRole('button', { name: 'Send' }).click()
    await thread.locator('.reply', { hasText: 'Right.' }).waitFor()
    await thread.getByRole('link', { name: 'Show the place on the page' }).click()
    await page.waitForURL(`**/edit/**#block-${node}`)
    await text.getByText('Wait a minute.').waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await thread.getByRole('button', { name: 'Apply' }).click()
    await text.getByText('Wait an hour.').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the differences show pictures, cards, and formulas as readers see them', async () => {
    const picture = '![A lamp](.gitbook/assets/lamp.png)\n'
    const cards =
      '<table data-view="cards"><thead><tr><th>Name</th><th data-hidden data-card-cover data-type="files">Cover</th></tr></thead><tbody><tr><td>First</td><td><a href=".gitbook/assets/lamp.png">lamp</a></td></tr></tbody></table>\n'
    const formulas = 'It is $$a^2$$ long.\n\n$$\n\\frac{a}{b}\n$$\n'
    const text = `# Home\n\n${formulas}\nHello.\n`
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'README.md': `${text}\n${picture}`, '.gitbook/assets/lamp.png': PNG }),
    )
    const requests = `/v1/spaces/${spaceId}/change-requests`
    const { number } = (await ann(`POST ${requests}`, { subject: 'No lamp' })).body
    const [home] = (await ann(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
    const changed = text.replace('a^2', '\\sqrt{a}').replace('long', 'very long').replace('{b}', '{b_1}')
    const document = { markdown: `${changed}\n${cards}` }
    const changes = [{ operation: 'update_page', page: home.id, document }]
    const written = await ann(`POST ${requests}/${number}/content`, { changes })
    assert(written.status < 300, written.text)
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const complaints = complaintsOf(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/${number}/diff`)
    await page.locator('.unit.deleted img.doc-picture[alt="A lamp"]').waitFor()
    await untilTrue(page, `document.querySelector('.doc-picture').naturalWidth > 0`)
    await page.locator('.unit.inserted .doc-cards > li:has(img)', { hasText: 'First' }).waitFor()
    assert.equal(await page.locator('.doc-cards').getByText('Cover').count(), 0)
    for (const drawn of [
      '.unit.changed p del math msup',
      '.unit.changed p ins math msqrt',
      '.unit.deleted .math mfrac',
      '.unit.inserted .math mfrac msub',
    ])
      await page.locator(drawn).first().waitFor({ state: 'attached' })
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
