/** The completion in texts: `@`, `[[`, `:`, `#` and `{{`, by keys and by mouse. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { indexed } from '../search/indexing.ts'
import {
  axeFindings,
  DEVICES,
  drawn,
  leave,
  openBrowser,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openWriting, writeFrom } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')
const bob = await world.person('Bobby', 'edit')
const BOBBY = `[${bob.id}](/users/${bob.id} "mention")`
const FILES = {
  'README.md': '# Home\n\nHello.\n',
  'setup.md': '# Setting up\n\n## Ports and addresses\n\nText.\n',
  'SUMMARY.md': '* [Home](README.md)\n* [Setting up](setup.md)\n',
}

// The sources of the browser have a configuration of their own, with the types of the DOM.
const { triggerAtEnd } = (await import(
  new URL('../../src/console/app/editor/completion/trigger.ts', import.meta.url).href
)) as { triggerAtEnd: (text: string) => { kind: string; length: number; query: string } | undefined }

test('a sign begins a completion at the start of a word only, the last one counts, and there is none in code', () => {
  const found = (text: string) => {
    const { kind, length, query } = triggerAtEnd(text) ?? {}
    return kind && `${kind} ${length} ${query}`
  }
  for (const [text, expected] of [
    ['@', 'mention 1 '],
    ['See (@Ann-Marie O’N', 'mention 14 Ann-Marie O’N'],
    ['请看＠王', 'mention 2 王'],
    ['ann@example', undefined],
    ['@ ann', undefined],
    ['[[', 'page 2 '],
    ['a[[Setting up: ', 'page 14 Setting up:'],
    ['【【设置', 'page 4 设置'],
    ['[[a]] b', undefined],
    ['[[a :smi', 'emoji 4 smi'],
    [':s', undefined],
    [':+1', 'emoji 3 +1'],
    ['at 10:30', undefined],
    ['#', undefined],
    ['see #12', 'proposal 3 12'],
    ['C#12', undefined],
    ['{{', 'variable 2 '],
    ['{{ space.v', 'variable 10 space.v'],
    ['`{{ver', undefined],
    ['`a` {{ver', 'variable 5 ver'],
    [`@${'a'.repeat(90)}`, undefined],
  ] as const)
    assert.equal(found(text), expected, text)
})

describe('the completion in the text of a page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** A page that is being written, with the caret after `Hello.` */
  async function writing(device = DEVICES[0]) {
    const opened = await openWriting(browser, world, email, {
      files: FILES,
      subject: 'New ports',
      device,
      async prepare(_page, content) {
        const set = { changes: [{ operation: 'update_variables', variables: { version: '2.1' } }] }
        assert.equal((await world.ada(`POST ${content}`, set)).status, 200)
      },
    })
    await writeFrom(opened.page, 'Control+End')
    const [home, setup] = opened.pages
    return { ...opened, home, setup }
  }
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
  const closed = (page: Page) => page.getByRole('listbox').waitFor({ state: 'detached' })

  test('names people, pages and days with @, by keys alone', async () => {
    const { page, complaints, setup, stored } = await writing()
    await page.keyboard.type(' See @bo')
    await option(page, /^Bobby/).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    const current = await page.locator('.writing').getAttribute('aria-activedescendant')
    assert.match((await page.locator(`[id="${current}"]`).textContent())!, /Bobby/)
    await page.keyboard.press('Enter')
    await closed(page)
    await page.keyboard.type(', @setting')
    await option(page, /^Setting up/).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(', @2026-12-24')
    await option(page, /December 24, 2026/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('!')
    assert.equal(
      await stored(),
      `# Home\n\nHello. See ${BOBBY}, [${setup}](/pages/${setup} "mention"), December 24, 2026!\n`,
    )
    // Undo gives the text back that was typed, and the list stays closed.
    await page.keyboard.press('Control+z')
    await drawn(page)
    assert.equal(await page.getByRole('listbox').count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the arrows choose, Escape leaves the sign as text, and the list is another one for another text', async () => {
    const { page, stored } = await writing()
    await page.keyboard.type(' @b')
    await option(page, /^Bobby/).waitFor()
    const chosen = () => page.locator('[role=option][aria-selected=true]').textContent()
    const first = await chosen()
    await page.keyboard.press('ArrowUp')
    const last = await chosen()
    assert.notEqual(last, first)
    await page.keyboard.press('ArrowDown')
    assert.equal(await chosen(), first)
    await page.keyboard.press('Escape')
    await closed(page)
    await page.keyboard.type('o')
    await drawn(page)
    assert.equal(await page.getByRole('listbox').count(), 0)
    // Enter is for the text again, and the list for another sign.
    await page.keyboard.press('Enter')
    await page.keyboard.type('@bo')
    await option(page, /^Bobby/).click()
    await page.keyboard.type('.')
    assert.equal(await stored(), `# Home\n\nHello. @bo\n\n${BOBBY}.\n`)
    await leave(page)
  })

  test('links pages, headings and spaces with [[, and makes a page that is not there', async () => {
    const { page, content, home, setup, stored } = await writing()
    await indexed(world)
    await page.keyboard.type(' [[setting')
    await option(page, /^Setting up/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(' and [[ports')
    await option(page, /^Ports and addresses/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(' and [[Troubles')
    await option(page, /^Troubles/).click()
    await page.locator('.writing a', { hasText: 'Troubles' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('.')
    const made = (await world.ada(`GET ${content}/outline?query=Troubles`)).body.items
    assert.equal(made.length, 1)
    assert.equal(
      await stored(),
      `# Home\n\nHello. [Setting up](/pages/${setup}) and [Ports and addresses](/pages/${setup}#ports-and-addresses) and [Troubles](/pages/${made[0].id}).\n`,
    )
    assert.equal(made[0].parent, home)
    await leave(page)
  })

  test('finds emoji and icons with :, change requests with # and variables with {{', async () => {
    const { page, spaceId, stored } = await writing()
    await page.keyboard.type(' :rocket')
    await option(page, /:rocket:/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(' #New po')
    await option(page, /^#1 New ports/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(' {{ver')
    await option(page, /space\.vars\.version/).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(' 10:30 # 1')
    const text = await stored()
    assert.match(text, /^# Home\n\nHello\. :rocket: \[#1 New ports\]/)
    assert(text.includes(`/app/s/${spaceId}/~/changes/1)`), text)
    assert.match(text, /<code class="expression">space\.vars\.version<\/code> 10:30 # 1\n$/)
    await leave(page)
  })

  test('never opens in code, within a word, or where somebody only puts the caret', async () => {
    const { page } = await writing()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.keyboard.type(' me@bo')
    await page.keyboard.press('Enter')
    await page.keyboard.type('`@bob` ```')
    await page.keyboard.press('Enter')
    await page.keyboard.type('```')
    await page.keyboard.press('Enter')
    await page.keyboard.type('@bo [[set {{ver :rocket')
    await drawn(page)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await drawn(page)
    await page.evaluate('new Promise((done) => setTimeout(done, 200))')
    assert.equal(await page.getByRole('listbox').count(), 0)
    assert.deepEqual(
      requests.filter((url) => /members|outline\?query|search/.test(url)),
      [],
    )
    await leave(page)
  })

  test('an input method keeps its keys while it composes, and full-width signs work', async () => {
    const { page, stored } = await writing()
    await page.keyboard.insertText(' ＠')
    await page.keyboard.type('bo')
    await option(page, /^Bobby/).waitFor()
    const devtools = await page.context().newCDPSession(page)
    for (const text of ['b', 'ば'])
      await devtools.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 })
    // The input method takes Enter while it composes: nothing is chosen.
    await page.evaluate(
      `document.querySelector('.writing').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true, cancelable: true }))`,
    )
    await devtools.send('Input.insertText', { text: 'ば' })
    await devtools.detach()
    await untilTrue(page, `document.querySelector('.writing').innerText.includes('＠boば')`)
    await page.keyboard.press('Backspace')
    await option(page, /^Bobby/).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await stored(), `# Home\n\nHello. ${BOBBY}\n`)
    await leave(page)
  })

  test('fits on a phone, in dark colours', async () => {
    const { page } = await writing(DEVICES[3])
    await page.keyboard.type(' @')
    await option(page, /^Bobby/).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    const box = (await page.getByRole('listbox').boundingBox())!
    assert(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
    await option(page, /^Bobby/).click()
    await page.locator('.writing .mention', { hasText: 'Bobby' }).waitFor()
    await leave(page)
  })
})
