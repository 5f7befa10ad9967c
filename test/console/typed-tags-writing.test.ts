/** A tag of a condition that somebody types as text: a note says that it hides nothing, and makes it a condition. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, untilSaved } from './writing.ts'

const TAG = '{% if visitor.claims.plan == "pro" %}'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('a typed tag', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function writing(text = 'Over.') {
    const { page, complaints } = await openSignedIn(browser, world, email)
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': `# Home\n\n${text}\n` }), 'Book')
    await world.ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Edits' })
    const content = `/v1/spaces/${spaceId}/change-requests/1/content`
    const [home] = (await world.ada(`GET ${content}/pages`)).body.pages
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/1/edit/`)
    await page.waitForSelector('.writing')
    // What loads the notes also loads the handle of blocks.
    await page.waitForSelector('.block-handle', { state: 'attached' })
    await page.click('.writing > p')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const stored = async (): Promise<string> => {
      await untilSaved(page)
      return (await world.ada(`GET ${content}/page/${home.id}?format=markdown`)).body.markdown
    }
    return { page, complaints, stored, note: page.locator('.typed-tag') }
  }

  const typeLines = async (page: Page, lines: readonly string[]) => {
    for (const [i, line] of lines.entries()) {
      if (i > 0) await page.keyboard.press('Enter')
      await page.keyboard.type(line)
    }
  }

  test('is text, which a note says, until the writer makes it a condition', async () => {
    const { page, complaints, stored, note } = await writing()
    await typeLines(page, [TAG, 'For pro.', '{% endif %}', 'For all.'])
    await note.getByText('it hides nothing').waitFor()
    assert.equal(await note.count(), 1)
    assert.match(await stored(), /\\\{% if visitor/)
    assert.deepEqual(await axeFindings(page), [])
    await note.getByRole('button', { name: 'Make it a condition' }).click()
    await note.waitFor({ state: 'detached' })
    assert.equal(await stored(), `# Home\n\nOver.\n\n${TAG}\nFor pro.\n{% endif %}\n\nFor all.\n`)
    await page.keyboard.press('Control+z')
    await note.waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('without an end begins an empty condition, in which the writer goes on', async () => {
    const { page, stored, note } = await writing()
    await typeLines(page, ['{% if a %}', '{% if b %}', '{% endif %}'])
    await note.first().getByRole('button', { name: 'Make it a condition' }).click()
    await page.keyboard.type('Go on.')
    assert.match(await stored(), /^\{% if a %\}\nGo on\.\n\{% endif %\}\n\n\\\{% if b %\}/m)
    await leave(page)
  })

  test('stays text if the writer wants that, or pastes it without formatting', async () => {
    const { page, note } = await writing()
    await page.keyboard.type(`In a line: ${TAG}`)
    await note.waitFor()
    assert.deepEqual(await note.getByRole('button').allTextContents(), ['Keep it as text'])
    await note.getByRole('button').click()
    await note.waitFor({ state: 'detached' })
    await page.keyboard.type(' and more.')
    await page.keyboard.press('Enter')
    assert.equal(await note.count(), 0)
    await page.evaluate(`navigator.clipboard.writeText('{% if a %}')`)
    await page.keyboard.press('Control+Shift+v')
    await note.getByRole('button', { name: 'Make it a condition' }).waitFor()
    await leave(page)
  })

  test('in the title of a tab or of the page is saved without the tag, which a note says', async () => {
    const { page, complaints, stored, note } = await writing(
      'Over.\n\n{% tabs %}\n{% tab title="One" %}\nIn.\n{% endtab %}\n{% endtabs %}',
    )
    await page.keyboard.type('More.')
    await page.fill('.node-title', '{% if a %}Two')
    await page.press('.node-title', 'Tab')
    await note.getByText('It is saved without the tag').waitFor()
    assert.match(await stored(), /More\.\n\n\{% tabs %\}\n\{% tab title="Two" %\}/)
    assert.equal(await page.inputValue('.node-title'), '{% if a %}Two')
    assert.deepEqual(await axeFindings(page), [])
    await page.fill('.node-title', 'Two')
    await page.press('.node-title', 'Tab')
    await note.waitFor({ state: 'detached' })

    await page.fill('.page-title', '{% if a %}House')
    await note.getByText('A title cannot have a condition').waitFor()
    assert.match(await stored(), /^# House$/m)
    assert.equal(await page.inputValue('.page-title'), 'House')
    assert.equal(await note.count(), 1)
    await page.fill('.page-title', 'Houses')
    await note.waitFor({ state: 'detached' })
    assert.match(await stored(), /^# Houses$/m)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('is a condition when it is pasted as Markdown', async () => {
    const { page, stored, note } = await writing()
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '${TAG}\\n\\nFor pro.\\n\\n{% endif %}')
      const options = { clipboardData, bubbles: true, cancelable: true }
      document.querySelector('.writing').dispatchEvent(new ClipboardEvent('paste', options))
    }`)
    await untilTrue(page, `document.querySelector('.writing .if') !== null`)
    assert.equal(await note.count(), 0)
    assert.match(await stored(), /^\{% if visitor.*\nFor pro\.\n\{% endif %\}/m)
    await leave(page)
  })
})
