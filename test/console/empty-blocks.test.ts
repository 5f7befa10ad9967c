/** Empty blocks say what goes where, and terms are explained where they stand. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

const NAMES = ['Steps', 'Expandable', 'Columns', 'Tabs', 'Cards', 'Diagram']

describe('empty blocks in the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const hints = (page: Page, within: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.writing ${within} :is(p, h4, .expandable-title)[data-empty]')].map((one) => {
        const { content } = getComputedStyle(one, '::before')
        return content.replace(/^"|"$/g, '')
      })`,
    )

  test('say what goes where, until something is there', async () => {
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'README.md': `# Home\n\n${NAMES.join('\n\n')}\n` }),
      'Handbook',
    )
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    for (const name of NAMES) {
      await page.locator('.writing > p', { hasText: name }).click()
      await drawn(page)
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await drawn(page)
      await page.keyboard.type(`/${name}`)
      await page.waitForSelector('[role=option]')
      await page.keyboard.press('Enter')
      await drawn(page)
    }
    assert.deepEqual(await hints(page, '.stepper-step'), ['Title of the step', 'What to do in this step'])
    assert.deepEqual(await hints(page, '.expandable'), [
      'Title that readers see first',
      'Text that readers see when they open it',
    ])
    assert.deepEqual(await hints(page, '.column'), ['Text of this column', 'Text of this column'])
    assert.deepEqual(await hints(page, '.tab-panel'), ['Text of this tab', 'Text of this tab'])
    assert.deepEqual((await hints(page, '.cards')).slice(0, 2), ['Title', 'Text'])
    // A new diagram has a source, which is drawn. Without one, a hint says what to write.
    await page.locator('.code-block .diagram-below img').waitFor()
    assert.deepEqual(await axeFindings(page), [])

    await page.click('.stepper-step h4')
    await drawn(page)
    await page.keyboard.type('Open it')
    assert.deepEqual(await hints(page, '.stepper-step'), ['What to do in this step'])
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
