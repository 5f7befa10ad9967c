/** Finding and replacing in the page that is written, also where it hides its text. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Node } from 'prosemirror-model'
import type { Browser, Page } from 'playwright-core'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { axeFindings, DEVICES, drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { docOf, load } from './editor-steps.ts'
import { withPassword } from './pages.ts'
import { openWriting, writeFrom } from './writing.ts'

const { matchesIn, MOST_MATCHES } = (await load('editor/find/matches.ts')) as {
  matchesIn: (doc: Node, query: { text: string; isCaseSensitive: boolean }) => { from: number; to: number }[]
  MOST_MATCHES: number
}
const world = await createWorld()
const { email } = await withPassword(world, 'ann')

const PAGE = [
  '# Home',
  'The first Cat.',
  '{% tabs %}\n{% tab title="One" %}\none\n{% endtab %}\n\n{% tab title="Two" %}\na **ca**t here\n{% endtab %}\n{% endtabs %}',
  '<details>\n\n<summary>Title</summary>\n\nHidden cat\n\n</details>',
  '```js\nconst cat = 1\n```',
].join('\n\n')

test('a text is found in bold words and in code, with and without case, and not across blocks', () => {
  const doc = docOf(parseMarkdown(PAGE.replace('# Home\n\n', '')).document.nodes)
  const found = (text: string, isCaseSensitive = false) =>
    matchesIn(doc, { text, isCaseSensitive }).map(({ from, to }) => doc.textBetween(from, to))
  assert.deepEqual(found('cat'), ['Cat', 'cat', 'cat', 'cat'])
  assert.deepEqual(found('cat', true), ['cat', 'cat', 'cat'])
  assert.deepEqual(found('Cat.one'), [])
  assert.deepEqual(found('t.'), ['t.'])
  assert.deepEqual(found(''), [])
  const signs = String.raw`\^$.*+?()[]{}|/-#&~,:;<>=!"'%@_`
  const signed = docOf(parseMarkdown(`\`\`\`\n${signs}\n\`\`\``).document.nodes)
  for (const sign of [...signs, signs])
    assert.equal(matchesIn(signed, { text: sign, isCaseSensitive: false }).length, 1, sign)
  const long = docOf(parseMarkdown('a'.repeat(MOST_MATCHES + 5)).document.nodes)
  assert.equal(matchesIn(long, { text: 'a', isCaseSensitive: false }).length, MOST_MATCHES)
})

describe('the find bar', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const writing = (device = DEVICES[0]) =>
    openWriting(browser, world, email, { files: { 'README.md': PAGE }, device })
  const count = async (page: Page) => {
    await drawn(page)
    return page.locator('.find-count').textContent()
  }
  const current = (page: Page) => page.locator('.writing .match.current').allTextContents()

  test('shows every place, opens what hides it, and goes back to the text', async () => {
    const { page, complaints } = await writing()
    await writeFrom(page, 'Home')
    await page.keyboard.press('Control+f')
    await page.keyboard.type('cat')
    assert.equal(await count(page), '1 of 4')
    assert.deepEqual(await current(page), ['Cat'])
    assert.deepEqual(await axeFindings(page), [])
    for (const [number, place] of [
      [2, '.tab-panel'],
      [3, '.expandable-body'],
      [4, '.line'],
      [1, 'p'],
    ] as const) {
      await page.keyboard.press('Enter')
      assert.equal(await count(page), `${number} of 4`)
      assert.equal(await page.locator(`${place} .match.current`).first().isVisible(), true)
    }
    await page.keyboard.press('Shift+Enter')
    assert.equal(await count(page), '4 of 4')
    await page.getByRole('button', { name: 'Match case' }).click()
    assert.match((await count(page)) ?? '', /of 3$/)
    await page.getByRole('textbox', { name: 'Find' }).fill('nothing like it')
    assert.equal(await count(page), 'No matches')
    await page.getByRole('textbox', { name: 'Find' }).fill('first')
    await page.keyboard.press('Escape')
    await drawn(page)
    assert.equal(await page.locator('.match').count(), 0)
    await page.keyboard.type('1st')
    await page.locator('.writing').getByText('The 1st Cat.').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('replaces one place or all, and one undo takes all back', async () => {
    const { page, complaints, stored } = await writing()
    await writeFrom(page, 'Home')
    await page.getByRole('button', { name: 'Find in the page' }).click()
    await page.getByRole('textbox', { name: 'Find' }).waitFor()
    await page.keyboard.press('Control+h')
    await page.keyboard.type('cat')
    await page.getByRole('textbox', { name: 'Replace with' }).fill('dog')
    await page.keyboard.press('Enter')
    assert.equal(await count(page), '1 of 3')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Replace all' }).click()
    assert.equal(await count(page), 'No matches')
    await page.keyboard.press('Escape')
    await drawn(page)
    const markdown = await stored()
    for (const text of ['The first dog.', 'a **dog** here', 'Hidden dog', 'const dog = 1'])
      assert.ok(markdown.includes(text), markdown)
    await page.keyboard.press('Control+z')
    await drawn(page)
    const undone = await stored()
    for (const text of ['The first dog.', 'a **ca**t here', 'Hidden cat', 'const cat = 1'])
      assert.ok(undone.includes(text), undone)
    await page.keyboard.press('Control+z')
    assert.match(await stored(), /The first Cat\./)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
