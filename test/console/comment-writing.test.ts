/** Comments that a writer begins in the editor, and words that become another block. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { axeFindings, drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openWriting, writeFrom } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('a writer', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('comments on selected words, also new ones, and on a block', async () => {
    const { page, complaints, spaceId } = await openWriting(browser, world, email, {
      files: { 'README.md': '# Home\n\nSome words.\n\n```js\nconst a = 1\n```\n' },
    })
    await writeFrom(page, 'End')
    await page.keyboard.type(' And more')
    for (let times = 0; times < 4; times++) await page.keyboard.press('Shift+ArrowLeft')
    await drawn(page)
    const bar = page.getByRole('toolbar', { name: 'Selected words' })
    await bar.getByRole('button', { name: 'Comment', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Comment' })
    await dialog.locator('blockquote', { hasText: /^more$/ }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.type('Which ones?')
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('#discussion').waitFor()

    await page.locator('.line').click()
    await drawn(page)
    await page.keyboard.press('Control+Alt+m')
    await dialog.waitFor()
    await page.keyboard.type('Why one?')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const { items } = (await world.ada(`GET /v1/spaces/${spaceId}/change-requests/1/comments?order=asc`)).body
    assert.deepEqual(
      items.map(({ body, target }: { body: { document: object }; target: { node?: { range?: object } } }) => [
        JSON.stringify(body).includes('Which ones?'),
        target.node?.range,
      ]),
      [
        [true, { start: 16, end: 20 }],
        [false, undefined],
      ],
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('turns the block of selected words into another one, from the bar', async () => {
    const { page, complaints, stored } = await openWriting(browser, world, email, {
      files: { 'README.md': '# Home\n\nSome words.\n' },
    })
    await writeFrom(page, 'End')
    await page.keyboard.press('Shift+Home')
    await drawn(page)
    const bar = page.getByRole('toolbar', { name: 'Selected words' })
    await bar.getByRole('button', { name: 'Turn into' }).click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    assert.match(await stored(), /^> Some words\.$/m)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
