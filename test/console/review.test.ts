/** Proposing and reviewing in a browser: comments, suggestions, reviews, conflicts, merging and the history. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { walkOn } from './every-screen.ts'
import { createProposers, GUIDE, write } from './proposing.ts'

const world = await createWorld()
const { ann, bob, proposed, signedIn: signedInOn } = await createProposers(world)

describe('proposing and reviewing in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signedIn = (name: string, device = DEVICES[0]!) => signedInOn(browser, name, device)
  const look = async (page: Page, what: string) => {
    assert.deepEqual(await axeFindings(page), [], what)
    assert.equal(await sidewaysScroll(page), 0, what)
  }
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

  test('ann proposes, bob suggests and asks for changes, ann applies, bob approves, ann merges', async () => {
    const { spaceId, home } = await proposed()
    const atBob = await signedIn('bob')
    const atAnn = await signedIn('ann')
    const [his, hers] = [atBob.page, atAnn.page]

    await hers.goto(home)
    await shows(hers, 'Not ready to merge')
    await press(hers, 'Rename')
    await hers.getByLabel('Subject').fill('Name the colour of the button')
    await press(hers, 'Save')
    await hers.getByRole('heading', { name: /Name the colour of the button/ }).waitFor()
    await press(hers, 'Describe it')
    await hers
      .getByRole('textbox', { name: 'Description' })
      .fill('There are two buttons now.\n\nOne is green.')
    await press(hers, 'Save')
    await hers.locator('.doc p', { hasText: /^One is green\.$/ }).waitFor()
    await press(hers, 'Ask for a review')
    // The author is not offered, and Enter asks the only person who fits what was typed.
    await hers.getByRole('button', { name: 'Ask bob' }).waitFor()
    assert.equal(await hers.getByRole('button', { name: 'Ask ann' }).count(), 0)
    await hers.keyboard.type('o')
    await hers.keyboard.press('Enter')
    await shows(hers, 'Several people fit this name.')
    const requestedBadge = hers.getByRole('dialog').getByText('Was asked')
    assert.equal(await requestedBadge.count(), 0)
    await hers.getByRole('searchbox').fill('bob')
    await hers.keyboard.press('Enter')
    await requestedBadge.waitFor()
    await look(hers, 'asking')
    await press(hers, 'Done')
    await shows(hers, 'was asked by ann')
    await look(hers, 'change request')

    await his.goto(`${world.url}/app`)
    const asked = his.getByRole('link', { name: /Your review is asked for/ })
    await asked.waitFor()
    await look(his, 'inbox')
    await asked.click()
    await his.getByRole('link', { name: 'Changes', exact: true }).click()
    await his.locator('ins', { hasText: 'green' }).waitFor()
    assert.match((await his.locator('del').allTextContents()).join('|'), /a minute/)
    await shows(his, 'All of it is new.')
    await look(his, 'differences')

    const unit = his.locator('.unit', { hasText: 'Then press' })
    await unit.hover()
    await unit.getByRole('button', { name: /^Comment on/ }).click()
    await unit.getByPlaceholder('Your comment').fill('Is it always green?')
    await press(his, 'Add to my review')
    await shows(his, 'Not sent yet')
    await unit.hover()
    await unit.getByRole('button', { name: /^Suggest/ }).click()
    await unit.getByLabel('Your text').waitFor()
    await his.keyboard.type(' Now.')
    await unit.locator('.suggestion ins', { hasText: 'Now.' }).waitFor()
    assert.match(await unit.getByLabel('Your text').inputValue(), /^Then press .* Now\.$/)
    await unit.getByLabel('Your text').fill('Then press the large green button.')
    await look(his, 'a suggestion')
    await unit.getByLabel('Your text').press('Control+Enter')
    await his.locator('.drafted p', { hasText: /^Then press .*the large green button\.$/ }).waitFor()

    // What is added to a review that could not be read would replace it.
    await his.route('**/reviews/draft?*', (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'The cellar is under water' } } }),
    )
    const walk = walkOn(his)
    await his.reload()
    await walk.settled()
    await unit.hover()
    await unit.getByRole('button', { name: /^Comment on/ }).click()
    await unit.getByPlaceholder('Your comment').fill('Is it?')
    await unit.getByText('The cellar is under water').waitFor()
    assert(await unit.getByRole('button', { name: 'Add to my review' }).isDisabled())
    await his.unrouteAll()
    await unit.getByRole('button', { name: 'Try again' }).click()
    await unit.getByText('Not sent yet').first().waitFor()
    assert.equal(await unit.getByText('Not sent yet').count(), 2)
    await press(his, 'Cancel')
    assert.deepEqual(
      atBob.complaints.splice(0).filter((one) => !one.includes('400')),
      [],
    )

    await press(his, 'Review (2)')
    await his.getByLabel(/Ask for changes/).check()
    await his.getByLabel('Comment (optional)').fill('Almost.')
    await look(his, 'the review')
    await press(his, 'Send the review')
    await his
      .locator('.thread', { hasText: 'Is it always green?' })
      .getByRole('button', { name: 'Reply' })
      .waitFor()
    await his.getByLabel('I have viewed News').check()
    await shows(his, '1 of 2 pages viewed')

    // The page of ann follows by itself.
    await shows(hers, 'Changes requested')
    await shows(hers, 'Almost.')
    await shows(hers, 'Is it always green?')
    const toKnow = hers.locator('.merge-box .info')
    await toKnow.getByText('bob asked for changes.').waitFor()
    await toKnow.getByText('Open suggestions: 1').waitFor()
    // The suggestion stands within the sentence that it changes.
    await hers.locator('.suggestion p', { hasText: /^Then press .*the large green button\.$/ }).waitFor()
    const question = hers.locator('.thread', { hasText: 'Is it always green?' })
    await question.getByRole('button', { name: 'Reply' }).click()
    await question.getByPlaceholder('Your reply').fill('It is *always* green.')
    await question.getByRole('button', { name: 'Send' }).click()
    await hers.locator('.reply i', { hasText: 'always' }).waitFor()
    await hers.getByPlaceholder('Your comment').fill('Thank you.')
    await press(hers, 'Comment')
    const thanks = hers.locator('.thread', { hasText: 'Thank you.' })
    await thanks.getByRole('button', { name: 'Change' }).click()
    await hers.locator('.thread textarea').fill('Thank you, bob.')
    await press(hers, 'Save')
    await shows(hers, 'Thank you, bob.')
    await press(hers, 'Apply')
    await shows(hers, 'ann applied this suggestion')
    await shows(hers, 'Of an earlier version')
    await toKnow.getByText('bob asked for changes to an earlier version.').waitFor()
    await toKnow.getByText(/^Open suggestions/).waitFor({ state: 'detached' })

    await his.getByLabel('Show').selectOption('split')
    await his.locator('.unit-text ins', { hasText: 'large green' }).waitFor()
    await look(his, 'side by side')
    await press(his, 'Review')
    await press(his, 'Send the review')
    // bob has approved, and what they wrote is still open.
    await hers.getByRole('heading', { name: '3 comments are open', exact: true }).waitFor()
    await press(hers, 'Merge')
    await look(hers, 'the question before the merge')
    await press(hers, 'Merge anyway')
    await untilTrue(hers, `document.activeElement?.innerText === 'Merged'`)
    await shows(hers, 'The changes are in the space.')
    await look(hers, 'merged')
    const pages = (await ann(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages as { path: string }[]
    assert.equal(pages.length, 3)
    await hers.goto(`${world.url}/app/s/${spaceId}/guide`)
    await shows(hers, /large green button/)

    await hers.goto(`${world.url}/app/s/${spaceId}/~/history`)
    await shows(hers, 'Name the colour of the button')
    await hers.getByRole('button', { name: 'Show the changes' }).first().click()
    await hers.locator('ins', { hasText: 'large green' }).waitFor()
    await look(hers, 'history')
    // While merge rules apply, only administrators restore.
    assert.equal(await hers.getByRole('button', { name: 'Restore', exact: true }).count(), 0)
    await world.ada(`PATCH /v1/spaces/${spaceId}`, { mergeRules: { type: 'none' } })
    await hers.reload()
    await hers.getByRole('button', { name: 'Restore', exact: true }).first().click()
    await look(hers, 'restoring')
    const dialog = hers.getByRole('dialog')
    await dialog.locator('b', { hasText: /\w/ }).waitFor()
    const version = await dialog.locator('b').innerText()
    await hers.getByLabel(/^Why/).fill('Not yet')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    const now = hers.locator('li', { hasText: 'Not yet' })
    await now.getByText('Now', { exact: true }).waitFor()
    assert.equal(await now.locator('b').first().innerText(), `Restored “${version}”: Not yet`)
    // The page that this has deleted is shown as it was before, and not where it is missing.
    await now.getByRole('button', { name: 'Show the changes' }).click()
    const added = now.locator('.page-diff', { hasText: 'News' })
    await added.getByRole('link', { name: 'The page before' }).click()
    await hers.locator('article.page').getByText('All of it is new.').waitFor()
    // It says when it was made, and by whom, and can be restored from here too.
    const was = hers.locator('.message.note')
    await was.getByText('This is how the space was at an earlier revision.').waitFor()
    await was.getByText('ann', { exact: true }).waitFor()
    await was.locator('time').waitFor()
    await look(hers, 'an earlier revision')
    const pagesNow = async () => (await ann(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages.length
    assert.equal(await pagesNow(), 2)
    await was.getByRole('button', { name: 'Restore' }).click()
    await hers.getByLabel(/^Why/).fill('After all')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await hers.waitForURL('**/~/history')
    await hers.locator('li', { hasText: 'After all' }).getByText('Now', { exact: true }).waitFor()
    assert.equal(await pagesNow(), 3)
    assert.deepEqual([...atAnn.complaints, ...atBob.complaints], [])
    await leave(hers)
    await leave(his)
  })

  test('a person settles a conflict by writing, and by a side', async () => {
    const { spaceId, guide, base, home } = await proposed()
    const other = `/v1/spaces/${spaceId}/change-requests/${
      (await bob(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Other' })).body.number
    }`
    await write(
      bob,
      other,
      guide,
      GUIDE.replace('the button', 'the button twice').replace('Wait a minute.', 'Wait an hour.'),
    )
    await ann(`POST ${other}/reviews`, { status: 'approved' })
    assert.equal((await bob(`POST ${other}/merge`)).body.result, 'merge')

    const { page, complaints } = await signedIn('ann')
    await page.goto(home)
    await shows(page, 'Conflicts with what changed in the space: 2.')
    // The list of conflicts knows as much before an update as the box of the merge.
    await page.getByRole('link', { name: 'Conflicts', exact: true }).click()
    await shows(page, 'Conflicts with what changed in the space: 2.')
    await shows(page, 'An update from the space opens them, so that you can settle them.')
    assert.equal(await page.getByText('There is no open conflict.').count(), 0)
    await look(page, 'conflicts before an update')
    await page.getByRole('button', { name: 'Update from the space' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await shows(page, 'Not ready to merge')
    await press(page, 'Update from the space')
    await page.waitForURL('**/conflicts')
    await page.locator('.conflict').nth(1).waitFor()
    const button = page.locator('.conflict', { hasText: 'button' })
    // Both sides show the words in which they differ from what was there before.
    await button.locator('ins', { hasText: 'twice' }).waitFor()
    await button.locator('ins', { hasText: 'green' }).waitFor()
    assert.equal(await button.locator('.versions :is(ins, del)').count(), 2)
    await page.locator('.conflict del', { hasText: 'a minute' }).waitFor()
    await look(page, 'conflicts')
    // The text is written as in a page, and not as Markdown.
    await button.getByRole('button', { name: 'Edit this version In the space' }).click()
    const text = button.getByRole('textbox', { name: 'New text' })
    await text.locator('p', { hasText: 'Then press the button twice.' }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Then ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('wait')
    await look(page, 'writing a conflict')
    // What somebody leaves to look elsewhere is there when they come back.
    await page.getByRole('link', { name: 'Overview' }).click()
    await shows(page, 'Not ready to merge')
    await page.goBack()
    await text.locator('strong', { hasText: 'wait' }).waitFor()
    // The focus returns to the button that began the writing.
    await button.getByRole('button', { name: 'Cancel' }).click()
    await untilTrue(page, `document.activeElement?.textContent === 'Edit this version In the space'`)
    await page.keyboard.press('Enter')
    await text.locator('p', { hasText: /^Then press the button twice\.$/ }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Then ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('wait')
    await button.getByRole('radio', { name: 'Markdown' }).click()
    await text.and(page.locator('textarea')).waitFor()
    assert.equal(await text.inputValue(), 'Then press the button twice. Then **wait**')
    await text.fill('Then press the *green* button twice. Then **wait**')
    await look(page, 'writing a conflict as Markdown')
    await button.getByRole('radio', { name: 'Text' }).click()
    await text.locator('em', { hasText: 'green' }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('.')
    await button.getByRole('button', { name: 'Save' }).click()
    await button.waitFor({ state: 'detached' })
    await untilTrue(page, `document.activeElement?.tagName === 'H1'`)
    await press(page, 'Use the text of the space')
    await shows(page, 'There is no open conflict.')
    // A choice can be taken back, and made again.
    await shows(page, 'Ann used the version of the space')
    await look(page, 'settled conflicts')
    await page.getByRole('listitem').filter({ hasText: 'used the version' }).getByRole('button').click()
    await page.locator('.conflict', { hasText: 'a minute' }).waitFor()
    await untilTrue(page, `document.activeElement?.tagName === 'H1'`)
    await page.getByRole('link', { name: 'Overview' }).click()
    await shows(page, 'Conflicts with what changed in the space: 1.')
    await page.getByRole('link', { name: 'Settle the conflicts' }).click()
    await press(page, 'Use the text of the space')
    await shows(page, 'There is no open conflict.')
    const { changes } = (await ann(`GET ${base}/changes?blocks=true&limit=50&pageId=${guide}`)).body
    assert.match(JSON.stringify(changes), /"words"/)
    const markdown = await ann(`GET ${base}/content/page/${guide}?format=markdown`)
    assert.match(markdown.text, /Then press the _green_ button twice\. Then \*\*wait\.\*\*/)
    assert.match(markdown.text, /Wait an hour/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
