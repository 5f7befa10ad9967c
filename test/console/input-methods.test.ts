/** Writing Chinese and Japanese: what an input method composes arrives once, also while the page is saved. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, savedUnaided, untilSaved } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('an input method', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function writing() {
    const { page, complaints } = await openSignedIn(browser, world, email)
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'README.md': '# Home\n\n你好\n\nSecond.\n' }),
      'Book',
    )
    await world.ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Edits' })
    const content = `/v1/spaces/${spaceId}/change-requests/1/content`
    const [home] = (await world.ada(`GET ${content}/pages`)).body.pages
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/1/edit/`)
    await page.waitForSelector('.writing')
    const devtools = await page.context().newCDPSession(page)
    return {
      page,
      complaints,
      devtools,
      stored: async (): Promise<string> =>
        (await world.ada(`GET ${content}/page/${home.id}?format=markdown`)).body.markdown,
      write: (markdown: string) =>
        world.ada(`POST ${content}`, {
          changes: [{ operation: 'update_page', page: home.id, document: { markdown } }],
        }),
    }
  }

  const compose = (devtools: CDPSession, text: string) =>
    devtools.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  const commit = (devtools: CDPSession, text: string) => devtools.send('Input.insertText', { text })
  const says = (page: Page, text: string) =>
    untilTrue(page, `document.querySelector('.writing').innerText === ${JSON.stringify(text)}`)

  test('writes each word once, in Japanese and in Chinese', async () => {
    const { page, complaints, devtools, stored } = await writing()
    await page.click('.writing > p:first-child')
    await page.keyboard.press('End')
    for (const part of ['に', 'にh', 'にほ', 'にほん', '日本']) await compose(devtools, part)
    await commit(devtools, '日本')
    for (const part of ['n', 'ni', 'ni h', 'ni hao']) await compose(devtools, part)
    await commit(devtools, '你好')
    // A composition that is given up leaves nothing.
    await compose(devtools, 'ま')
    await compose(devtools, '')
    await page.keyboard.press('Enter')
    for (const part of ['か', 'かん']) await compose(devtools, part)
    await commit(devtools, '漢')
    await says(page, '你好日本你好\n\n漢\n\nSecond.')
    await untilSaved(page)
    assert.equal(await stored(), '# Home\n\n你好日本你好\n\n漢\n\nSecond.\n')
    assert.deepEqual(complaints, [])
    await devtools.detach()
    await leave(page)
  })

  test('goes on while the page is saved and while another person writes in the same paragraph', async () => {
    const { page, devtools, stored, write } = await writing()
    await page.click('.writing > p:first-child')
    await page.keyboard.press('End')
    await compose(devtools, 'に')
    await compose(devtools, 'にほん')
    await savedUnaided(page)
    const other = await write((await stored()).replace('你好', '大家你好').replace('Second', 'Their second'))
    assert.equal(other.status, 200, other.text)
    await untilTrue(page, `document.querySelector('.writing').innerText.endsWith('Their second.')`)
    await compose(devtools, 'にほんご')
    await commit(devtools, '日本語')
    await says(page, '大家你好日本語\n\nTheir second.')
    await untilSaved(page)
    assert.equal(await stored(), '# Home\n\n大家你好日本語\n\nTheir second.\n')
    await devtools.detach()
    await leave(page)
  })
})
