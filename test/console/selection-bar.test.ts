/** The tools beside selected words, and addresses that are pasted over them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { axeFindings, DEVICES, drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openWriting, writeFrom } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('the tools beside selected words', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** A page that is being written, with the caret at the end of its first line. */
  async function writing(device = DEVICES[0]) {
    const files = { 'README.md': '# Home\n\nAll the words.\n\nMore `code` here.\n' }
    const opened = await openWriting(browser, world, email, { files, device })
    await writeFrom(opened.page, 'End')
    return opened
  }
  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected words' })
  /** Selects the word before the last character of the line. */
  const selectWord = async (page: Page) => {
    await page.keyboard.press('ArrowLeft')
    await drawn(page)
    for (let count = 0; count < 'words'.length; count++) await page.keyboard.press('Shift+ArrowLeft')
    await bar(page).waitFor()
  }

  test('come with a selection by keys, do what they say, and go with the selection', async () => {
    const { page, complaints, stored } = await writing()
    assert.equal(await bar(page).count(), 0)
    await selectWord(page)
    assert.deepEqual(await axeFindings(page), [])
    const words = (await page.locator('.writing > p:first-child').boundingBox())!
    const tools = (await bar(page).boundingBox())!
    assert(tools.y + tools.height <= words.y + words.height, 'they lie above the words')
    // By keys alone: Alt+F10 leads to the tools, and Escape back to the words.
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    assert.equal(await bar(page).getByRole('button', { name: 'Italic' }).getAttribute('aria-pressed'), 'true')
    await bar(page).getByRole('button', { name: 'Highlight' }).click()
    await bar(page).getByRole('button', { name: 'Heading 2' }).click()
    await page.keyboard.press('ArrowRight')
    await bar(page).waitFor({ state: 'detached' })
    assert.equal(
      await stored(),
      '# Home\n\n### All the <mark style="background-color:yellow;">_words_</mark>.\n\nMore `code` here.\n',
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('wait for the end of a selection by mouse, and are not over a phone’s own tools', async () => {
    const { page } = await writing()
    const box = (await page.locator('.writing > p:first-child').boundingBox())!
    await page.mouse.move(box.x + 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + box.height / 2)
    await drawn(page)
    assert.equal(await bar(page).count(), 0)
    await page.mouse.up()
    await bar(page).waitFor()
    await bar(page).getByRole('button', { name: 'Bold' }).click()
    await page.locator('.writing strong').waitFor()
    await leave(page)

    const phone = (await writing(DEVICES[2])).page
    await phone.keyboard.press('Shift+Home')
    await drawn(phone)
    assert.equal(await phone.getByRole('toolbar', { name: 'Selected words' }).count(), 0)
    await leave(phone)
  })

  test('an address that is pasted over words links them, and one undo takes the link away', async () => {
    const { page, stored } = await writing()
    const paste = async (text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await page.keyboard.press('Control+v')
      await drawn(page)
    }
    await selectWord(page)
    await paste('https://e.example/a?b=1')
    await page.keyboard.type(' too')
    assert.equal(
      await stored(),
      '# Home\n\nAll the [words](https://e.example/a?b=1) too.\n\nMore `code` here.\n',
    )
    for (let count = 0; count < 2; count++) await page.keyboard.press('Control+z')
    await drawn(page)
    assert.equal(await page.locator('.writing a').count(), 0)
    assert.equal(await page.locator('.writing > p:first-child').innerText(), 'All the words.')
    // Without a selection, and with more than an address, the text is pasted as it is.
    await page.keyboard.press('End')
    await paste('see https://e.example')
    assert.equal(
      await page.locator('.writing > p:first-child').innerText(),
      'All the words.see https://e.example',
    )
    await leave(page)
  })
})
