/** Tabs and expandable blocks in the editor: one tab is shown, texts open and close, and each part can be reached. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { axeFindings, drawn, leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openWriting, writeFrom } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

const TABS =
  '{% tabs %}\n{% tab title="One" %}\none\n{% endtab %}\n\n{% tab title="Two" %}\ntwo\n{% endtab %}\n{% endtabs %}'
const FOLD = '<details>\n\n<summary>Title</summary>\n\nHidden\n\n</details>'
const OPEN = '<details open>\n\n<summary>Open</summary>\n\nShown\n\n</details>'

describe('the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const writing = (text: string) =>
    openWriting(browser, world, email, { files: { 'README.md': `# Home\n\nOver.\n\n${text}\n\nUnder.\n` } })
  const isShown = (page: Page, text: string) =>
    page.locator('.writing').getByText(text, { exact: true }).isVisible()
  const isFocused = async (place: Locator) => (await place.and(place.page().locator(':focus')).count()) === 1
  const title = (page: Page) => page.locator('.tab-list input:visible')

  test('shows one tab, opens another by a click, and names tabs in the strip', async () => {
    const { page, complaints, stored } = await writing(TABS)
    assert.deepEqual([await isShown(page, 'one'), await isShown(page, 'two')], [true, false])
    assert.equal(await title(page).inputValue(), 'One')
    await page.getByRole('button', { name: 'Two', exact: true }).click()
    await untilTrue(page, `document.activeElement?.classList.contains('writing')`)
    assert.deepEqual([await isShown(page, 'one'), await isShown(page, 'two')], [false, true])
    await page.keyboard.type('First ')
    await title(page).fill('Second')
    await page.keyboard.press('Enter')
    await drawn(page)
    await page.keyboard.type('And ')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '+ Add a tab' }).click()
    await drawn(page)
    await page.keyboard.type('three')
    assert.equal(await title(page).getAttribute('placeholder'), 'Tab 3')
    const markdown = await stored()
    assert.match(markdown, /title="Second" %\}\nAnd First two\n/)
    assert.match(markdown, /\{% tab %\}\nthree\n/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('moves between tabs by the keyboard, and undoes in the tab that changed', async () => {
    const { page, complaints } = await writing(TABS)
    await writeFrom(page, 'End')
    await page.keyboard.press('ArrowDown')
    await drawn(page)
    await page.keyboard.type('x')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await isFocused(title(page)), true)
    await page.keyboard.press('ArrowRight')
    assert.equal(await title(page).inputValue(), 'Two')
    await page.keyboard.press('Enter')
    await drawn(page)
    await page.keyboard.type('y')
    assert.equal(await isShown(page, 'ytwo'), true)
    for (const text of ['two', 'one']) {
      await page.keyboard.press('Control+z')
      await drawn(page)
      assert.equal(await isShown(page, text), true)
    }
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('opens and closes expandable blocks, which begin as readers see them', async () => {
    const { page, complaints, stored } = await writing(`${FOLD}\n\n${OPEN}`)
    assert.deepEqual([await isShown(page, 'Hidden'), await isShown(page, 'Shown')], [false, true])
    const button = page.getByRole('button', { name: 'Expandable', exact: true }).first()
    await button.click()
    assert.deepEqual(
      [await isShown(page, 'Hidden'), await button.getAttribute('aria-expanded')],
      [true, 'true'],
    )
    await page.getByText('Hidden', { exact: true }).click()
    await drawn(page)
    await button.click()
    assert.equal(await isShown(page, 'Hidden'), false)

    // The caret went to the title, from where Enter leads into the text.
    await page.locator('.writing').focus()
    await page.keyboard.press('Shift+Tab')
    assert.equal(await isFocused(button), true)
    await page.keyboard.press('Space')
    await page.keyboard.press('Space')
    await page.locator('.writing').focus()
    await page.keyboard.type('!')
    assert.equal(await isShown(page, 'Title!'), true)
    await page.keyboard.press('Enter')
    await drawn(page)
    await page.keyboard.type('Not ')
    assert.equal(await isShown(page, 'Not Hidden'), true)
    assert.deepEqual(await axeFindings(page), [])
    assert.match(await stored(), /<summary>Title!<\/summary>\n\nNot Hidden/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
