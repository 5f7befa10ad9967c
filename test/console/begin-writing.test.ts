/** The caret is where a writer wants to write: where one pointed, in a new page, below the last block, and in the tree. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, drawn, leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, openWriting, untilSaved } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

const LONG = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n')
const LAST = {
  code: '```js\nconst a = 1\n```',
  tabs: '{% tabs %}\n{% tab title="One" %}\none\n{% endtab %}\n\n{% tab title="Two" %}\ntwo\n{% endtab %}\n{% endtabs %}',
  expandable: '<details>\n\n<summary>Title</summary>\n\nHidden\n\n</details>',
  table: '| A | B |\n| - | - |\n| a1 | b1 |',
}

describe('a writer', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const writing = (files: Record<string, string>) => openWriting(browser, world, email, { files })
  const inText = (page: Page) => untilTrue(page, `document.activeElement?.classList.contains('writing')`)

  test('goes on after Edit where one pointed, and there the text stays in the window', async () => {
    const { page, complaints } = await openSignedIn(browser, world, email)
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': `# Home\n\n${LONG}\n` }), 'Handbook')
    await page.goto(`${world.url}/app/s/${spaceId}`)
    const read = page.locator('.prose p', { hasText: 'Paragraph 40.' })
    await read.scrollIntoViewIfNeeded()
    const box = (await read.boundingBox())!
    await read.click({ position: { x: 2, y: 8 } })
    await page.keyboard.press('e')
    await page.waitForSelector('.writing[aria-autocomplete]')
    await inText(page)
    await drawn(page)
    const line = page.locator('.writing p', { hasText: 'Paragraph 40.' })
    const now = (await line.boundingBox())!
    assert.ok(Math.abs(now.y - box.y) < 60, `${now.y} is far from ${box.y}`)
    await page.keyboard.type('Here ')
    assert.equal(await line.textContent(), 'Here Paragraph 40.')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('writes the text of a new page after its title', async () => {
    const { page, complaints } = await writing({ 'README.md': '# Home\n\nWords.\n' })
    await page.getByRole('button', { name: '+ New page' }).click()
    await page.keyboard.type('Second')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/edit\/second/)
    await inText(page)
    await drawn(page)
    await page.keyboard.type('Begun')
    await untilSaved(page)
    assert.equal(await page.locator('.writing').textContent(), 'Begun')
    assert.equal(await page.locator('input.page-title').inputValue(), 'Second')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  for (const [name, markdown] of Object.entries(LAST))
    test(`goes below the last block with ↓: ${name}`, async () => {
      const { page, complaints, stored } = await writing({ 'README.md': `# Home\n\nOver.\n\n${markdown}\n` })
      const texts = page.locator('.writing').locator('.line, .tab-panel p, .expandable-title, td p')
      await texts.locator('visible=true').last().click()
      await drawn(page)
      await page.keyboard.press('ArrowDown')
      await drawn(page)
      await page.keyboard.type('Below')
      assert.match(await stored(), /\n\nBelow\n$/)
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  test('renames pages in the tree, with F2 and with a double click', async () => {
    const { page, complaints } = await writing({ 'README.md': '# Home\n', 'other.md': '# Other\n' })
    const row = (name: string) => page.locator('.tree-row', { hasText: name })
    const field = page.locator('.tree-row input.tree-title')
    await row('Other').locator('.tree-title').dblclick()
    await field.waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await field.fill('Another')
    await page.keyboard.press('Enter')
    await row('Another').waitFor()
    await untilTrue(page, `document.querySelector('input.page-title')?.value === 'Another'`)
    await row('Another').focus()
    await page.keyboard.press('F2')
    await field.waitFor()
    await page.keyboard.type('a b')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('F2')
    await page.keyboard.type('Third')
    await page.keyboard.press('Enter')
    await row('Third').waitFor()
    assert.equal(await row('Third').evaluate((one) => one.matches(':focus')), true)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
