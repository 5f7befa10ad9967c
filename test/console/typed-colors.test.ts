/** Code has its colours while it is written, and they change nothing but how it looks. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openWriting } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('the colours of code that is written', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function writing(markdown: string) {
    const asked: string[][] = []
    const opened = await openWriting(browser, world, email, {
      files: { 'README.md': markdown },
      prepare(page) {
        page.on('request', (request) => {
          if (request.url().endsWith('/content/highlight'))
            asked.push(request.postDataJSON().blocks.map(({ code }: { code: string }) => code))
        })
      },
    })
    return { ...opened, asked }
  }
  /** A word in a colour, by the class that published pages use. */
  const colored = (page: Page, kind: string, text: string) =>
    page.locator(`.writing code .${kind}`).getByText(text, { exact: true }).first()

  test('are there at first, follow each word that is typed, and are those of the changed block alone', async () => {
    const start = '# Home\n\n```js\nconst a = 1 // one\n```\n\n```js\nreturn a\n```\n'
    const { page, complaints, asked, stored } = await writing(start)
    await colored(page, 'tk', 'const').waitFor()
    await colored(page, 'tk', 'return').waitFor()
    // The server may have had no time for them at first.
    for (const codes of asked) assert.deepEqual(codes, ['const a = 1 // one', 'return a'])
    await page.locator('.writing code').first().click()
    await drawn(page)
    for (const key of ['Home', 'Enter', 'ArrowUp']) {
      await page.keyboard.press(key)
      await drawn(page)
    }
    await page.keyboard.type('let b')
    await colored(page, 'tk', 'let').waitFor()
    assert.deepEqual(asked.at(-1), ['let b\nconst a = 1 // one'], 'the other block is not asked about again')
    // The colour goes with the word, and a word that is none any more loses it.
    await page.keyboard.press('Home')
    await drawn(page)
    await page.keyboard.type('x')
    await page.locator('.writing code .tk', { hasText: 'let' }).waitFor({ state: 'detached' })
    await colored(page, 'tk', 'const').waitFor()
    await page.keyboard.press('Backspace')
    await colored(page, 'tk', 'let').waitFor()
    assert.equal(await stored(), start.replace('const', 'let b\nconst'))
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('wait while an input method composes, and go with the language of the code', async () => {
    const { page, asked } = await writing('# Home\n\n```js\nlet b // a\n```\n')
    await colored(page, 'tk', 'let').waitFor()
    await page.locator('.writing code').first().click()
    await drawn(page)
    await page.keyboard.press('End')
    await drawn(page)
    const devtools = await page.context().newCDPSession(page)
    for (const text of ['に', 'にほん'])
      await devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await page.evaluate('new Promise((done) => setTimeout(done, 400))')
    for (const codes of asked) assert.deepEqual(codes, ['let b // a'])
    await devtools.send('Input.insertText', { text: '日本' })
    await devtools.detach()
    await page.locator('.writing code .tc', { hasText: '// a日本' }).waitFor()
    await page.getByRole('button', { name: /Settings: Code/ }).click()
    await page.getByRole('combobox', { name: 'Language' }).fill('')
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Save|Done|OK/ })
      .click()
    await page.locator('.writing code .tc').waitFor({ state: 'detached' })
    await leave(page)
  })
})
