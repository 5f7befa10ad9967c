/** What readers see drawn is drawn in the editor too, below its source. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { axeFindings, leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openWriting } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('draws a diagram below its source, again when it changes, and says what is wrong with it', async () => {
    const { page, complaints, stored } = await openWriting(browser, world, email, {
      files: {
        'README.md':
          '# Home\n\n```mermaid\ngraph TD\n  A-->B\n```\n\n{% @mermaid/diagram content="pie\\n  \\"Cats\\" : 3" %}\n',
      },
    })
    const drawn = page.locator('.code-block .diagram-below img')
    await drawn.waitFor()
    await page.locator('.source .diagram-below img').waitFor()
    const first = await drawn.getAttribute('src')
    await page.locator('.line', { hasText: 'A-->B' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type('-->C')
    await untilTrue(
      page,
      `document.querySelector('.code-block .diagram-below img')?.src.includes(encodeURIComponent('C</'))`,
    )
    assert.notEqual(await drawn.getAttribute('src'), first)
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.type(' %% -->((')
    await page.keyboard.press('Enter')
    await page.keyboard.type('A--((')
    await page.locator('.code-block .diagram-note').waitFor()
    assert.match(await stored(), /A-->B-->C %% -->\(\(\n {0,2}A--\(\(\n```/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('has the player of a video in place of the card, once somebody presses it', async () => {
    const asked: string[] = []
    const { page, complaints } = await openWriting(browser, world, email, {
      files: {
        'README.md':
          '# Home\n\n{% embed url="https://www.youtube.com/watch?v=abcdefghijk" %}\n\n{% embed url="https://example.com/video" %}\n',
      },
      async prepare(opened) {
        await opened.route('https://www.youtube-nocookie.com/**', (route) => {
          asked.push(route.request().url())
          return route.fulfill({ contentType: 'text/html', body: '<p>Playing</p>' })
        })
      },
    })
    const button = page.getByRole('button', { name: 'Watch the video (YouTube)' })
    await button.waitFor()
    assert.equal(await page.locator('.film').count(), 1)
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(asked, [])
    await button.click()
    await page.frameLocator('iframe.film').getByText('Playing').waitFor()
    assert.deepEqual(asked, ['https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1'])
    assert.deepEqual(complaints, [])
    await page.unrouteAll()
    await leave(page)
  })
})
