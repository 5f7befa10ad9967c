/** Comments on the blocks and words of a page that one reads. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { PASSWORD, signIn, withPassword } from './pages.ts'

const TEXT = `# Lamps

A **very** good lamp[^1] with :bulb: and [a link](https://example.com) is here.

* one
* two

| Name | Price |
| --- | --- |
| Lamp | 12 |

${Array.from({ length: 20 }, (_, i) => `Paragraph ${i} of them.\n\n`).join('')}
[^1]: It is red.
`

const world = await createWorld()
const { ada } = world
const { email } = await withPassword(world, 'ann')
const files = archiveOf({
  'README.md': TEXT,
  'margin.md': `# Margin\n\n${'Some words.\n\n'.repeat(40)}`,
  'many.md': `# Many\n\n${'Some words.\n\n'.repeat(110)}`,
})
const { spaceId } = await spaceWith(world, files, 'Handbook')
const space = `/v1/spaces/${spaceId}`
const home = `${world.url}/app/s/${spaceId}`

/** Selects the text from one word to the end of another. */
const select = (page: Page, from: string, to = from) =>
  page.evaluate(`{
    const place = (word, isEnd) => {
      const walker = document.createTreeWalker(document.querySelector('.prose'), NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const at = walker.currentNode.textContent.indexOf(word)
        if (at >= 0) return [walker.currentNode, isEnd ? at + word.length : at]
      }
    }
    getSelection().setBaseAndExtent(...place(${JSON.stringify(from)}, false), ...place(${JSON.stringify(to)}, true))
  }`)

const commentsOf = async () => (await ada(`GET ${space}/comments?order=asc`)).body.items

describe('comments on a page that one reads', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const look = async (page: Page, what: string) => assert.deepEqual(await axeFindings(page), [], what)

  test('words are selected and commented on, and the mark and the comment lead to each other', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(home)
    await page.getByText('lamp', { exact: true }).first().waitFor()
    await select(page, 'very', 'link')
    await button(page, /^Comment on the selection/).click()
    await page.locator('.new-comment-place blockquote').waitFor()
    await look(page, 'a comment that is being written')
    await page.keyboard.type('Is it *really*?')
    await page.keyboard.press('Control+Enter')
    await page.locator('.thread', { hasText: 'Is it really?' }).waitFor()
    const [comment] = await commentsOf()
    assert.match(comment.target.node.preview, /^very good lamp.* with .*and a link$/)
    // The focus is on the way to write another one, beside the block.
    assert.match(await page.evaluate<string>('document.activeElement.ariaLabel'), /^Comment on “A very good/)
    const marked = page.locator('mark.commented')
    assert.match((await marked.allInnerTexts()).join(''), /^very good lamp.* and a link$/)
    await look(page, 'a page with a mark')

    // The mark, and the button beside the block, lead to the comment.
    await marked.first().click()
    const isAtThread = `document.activeElement.id === 'comment-${comment.id}'`
    await untilTrue(page, isAtThread)
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
    await button(page, /^Comments on “A very good/).click()
    await untilTrue(page, isAtThread)
    // The quote leads back, as does that on the screen of all comments.
    const isInSight = `document.querySelector('mark.commented').getBoundingClientRect().top >= 0`
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator('.thread blockquote a').click()
    await untilTrue(page, isInSight)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator('.thread blockquote a').click()
    await untilTrue(page, isInSight)
    await page.goto(`${home}/~/comments`)
    await page.locator('.thread blockquote a').click()
    await page.locator('mark.commented').first().waitFor()
    assert.match(page.url(), /#block-/)

    await button(page, 'Resolve').click()
    await marked.first().waitFor({ state: 'detached' })
    assert.equal(await page.locator('.comment-marker').count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a block is commented on by keyboard, and a cell by pointing at it', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(home)
    const tool = button(page, /^Comment on (“|a block)/)
    await tool.focus()
    await button(page, /^Comment on “A very good/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await button(page, 'Comment on “two”').waitFor()
    await look(page, 'the way to comment on a block')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Three?')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.thread', { hasText: 'Three?' }).waitFor()
    assert.equal((await commentsOf()).at(-1).target.node.preview, 'two')

    await page.locator('.prose td', { hasText: 'Lamp' }).hover()
    await button(page, 'Comment on “Lamp”').click()
    await page.getByPlaceholder('Your comment').first().fill('Which one?')
    await button(page, 'Comment').first().click()
    await page.locator('.thread', { hasText: 'Which one?' }).waitFor()
    assert.equal((await commentsOf()).at(-1).target.node.preview, 'Lamp')
    await page.locator('.comment-marker').nth(1).waitFor()
    // Words are selected by keyboard too.
    await select(page, 'Paragraph 3')
    await page.keyboard.press('Control+Alt+m')
    await page.getByText('Paragraph 3', { exact: true }).first().waitFor()
    await button(page, 'Cancel').click()
    await page.locator('.new-comment-place').waitFor({ state: 'detached' })
    // A comment is about one block, and what the reader sees is what the server stores.
    await select(page, 'Paragraph 6', 'Paragraph 8')
    await button(page, /^Comment on the words in the first block/).click()
    await page.locator('.new-comment-place', { hasText: 'is not part of it' }).waitFor()
    const quote = await page.locator('.new-comment-place blockquote').innerText()
    assert.deepEqual([quote], await page.locator('mark.written').allInnerTexts())
    await page.keyboard.type('Six?')
    await page.keyboard.press('Control+Enter')
    await page.locator('.thread', { hasText: 'Six?' }).waitFor()
    assert.equal((await commentsOf()).at(-1).target.node.preview, quote)
    assert.equal(quote, 'Paragraph 6 of them.')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a text that has changed since is said to have', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    // Otherwise, the page shows the change at once.
    await page.route('**/events', (route) => route.abort())
    await page.goto(home)
    await page.getByText('Paragraph 5').waitFor()
    await select(page, 'Paragraph 5')
    await button(page, /^Comment on the selection/).click()
    const [{ id }] = (await ada(`GET ${space}/content/pages`)).body.pages
    const markdown = TEXT.replace('Paragraph 5 of', 'Something else than')
    const changes = [{ operation: 'update_page', page: id, document: { markdown } }]
    await ada(`PATCH ${space}`, { editMode: 'live' })
    assert.equal((await ada(`POST ${space}/content`, { changes })).status, 200)
    await page.keyboard.type('Five?')
    await button(page, 'Comment').first().click()
    await page.getByText('This text has changed since you opened the page.').waitFor()
    assert.equal(await page.locator('.new-comment textarea').inputValue(), 'Five?')
    await button(page, 'Comment').first().click()
    await page.locator('.thread', { hasText: 'Five?' }).waitFor()
    assert.equal((await commentsOf()).at(-1).target.node, undefined)
    await leave(page)
  })

  test('somebody who writes a comment goes on writing while the page changes', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(home)
    await page.getByText('Paragraph 7').waitFor()
    await select(page, 'Paragraph 7')
    await button(page, /^Comment on the selection/).click()
    await page.keyboard.type('Why')
    const [{ id }] = (await ada(`GET ${space}/content/pages`)).body.pages
    // The page that it leads to is read before the new text is shown.
    const markdown = TEXT.replace('# Lamps', '# Lamps\n\nA new text, [to a page](margin.md).')
    const changes = [{ operation: 'update_page', page: id, document: { markdown } }]
    assert.equal((await ada(`POST ${space}/content`, { changes })).status, 200)
    await page.getByText('A new text').waitFor()
    await page.keyboard.type(' seven?')
    assert.equal(await page.locator('.new-comment textarea').inputValue(), 'Why seven?')
    await page.keyboard.press('Control+Enter')
    await page.locator('.thread', { hasText: 'Why seven?' }).waitFor()
    assert.equal((await commentsOf()).at(-1).target.node.preview, 'Paragraph 7')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('every comment on a page is marked, and not only the first page of the list', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    const { id } = (await ada(`GET ${space}/content/path/many`)).body
    const { nodes } = (await ada(`GET ${space}/content/page/${id}/document`)).body
    for (const { key } of nodes) {
      const answer = await ada(`POST ${space}/comments`, { page: id, node: key, body: { markdown: 'Why?' } })
      assert.equal(answer.status, 200, answer.text)
    }
    await signIn(page, world.url, email)
    await page.goto(`${home}/many`)
    await page
      .locator('.comment-marker')
      .nth(nodes.length - 1)
      .waitFor()
    assert.equal(await page.locator('.thread').count(), nodes.length)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a phone comments on a block and on words, and a reader who may only read on nothing', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[2]!)
    await signIn(page, world.url, email)
    await page.goto(home)
    await page.getByText('Paragraph 1 of them.').tap()
    await button(page, 'Comment on “Paragraph 1 of them.”').tap()
    await page.keyboard.type('On a phone.')
    await look(page, 'a comment on a phone')
    await button(page, 'Comment').first().tap()
    await page.locator('.thread', { hasText: 'On a phone.' }).waitFor()
    await select(page, 'Paragraph 2')
    await button(page, /^Comment on the selection/).tap()
    await button(page, 'Cancel').tap()
    await look(page, 'a page with marks on a phone')
    const widest = await page.evaluate('document.documentElement.scrollWidth')
    assert.equal(widest, DEVICES[2]!.width)

    // The page that is open would notice that it is signed out as soon as something changes in the space.
    await page.goto('about:blank')
    await page.context().clearCookies()
    const bob = await world.person('bob', 'read')
    assert.equal((await bob('PUT /v1/account/password', { password: PASSWORD })).status, 204)
    await signIn(page, world.url, 'bob@example.com')
    await page.goto(home)
    await page.locator('.comment-marker').first().waitFor()
    await page.locator('.prose > p', { hasText: 'Paragraph 1 of' }).tap()
    await select(page, 'Paragraph 2')
    assert.equal(await page.locator('.comment-tool, .comment-selection').count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('on a wide screen, threads are beside what they are about', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${home}/margin`)
    const width = () => page.evaluate<number>(`document.querySelector('.prose p').clientWidth`)
    await page.locator('.prose p').first().waitFor()
    const alone = await width()
    assert(alone > 700, String(alone))

    const about = (await ada(`GET ${space}/content/path/margin`)).body
    const { nodes } = (await ada(`GET ${space}/content/page/${about.id}/document`)).body
    const ids: string[] = []
    for (const at of [0, 0, 1, 12, 39]) {
      const target = { page: about.id, node: nodes[at].key, range: { start: 5, end: 10 } }
      const body = { markdown: `On ${at}.` }
      const answer = await ada(`POST ${space}/comments`, { ...target, body })
      assert.equal(answer.status, 200, answer.text)
      ids.push(answer.body.id)
    }
    await page.reload()
    await page.locator('.thread').nth(4).waitFor()
    await page.locator('.comment-marker').nth(3).waitFor()
    assert.equal(await width(), alone)

    /** The distance of a card from its mark, and whether the card is beside the text. */
    const placeOf = (id: string) =>
      page.evaluate<[distance: number, isBeside: boolean]>(`{
        const mark = document.querySelector('[data-comment="${id}"]').getBoundingClientRect()
        const card = document.querySelector('#comment-${id}').getBoundingClientRect()
        const text = document.querySelector('.prose').getBoundingClientRect()
        ;[Math.round(card.top - mark.top), card.left >= text.right || card.right <= text.left]
      }`)
    const isAt = async (id: string, name: string) => {
      const [distance, isBeside] = await placeOf(id)
      assert(isBeside && Math.abs(distance) < 3, `${name}: ${distance}`)
    }
    const areApart = async () => {
      const boxes = await page.evaluate<[number, number][]>(`Array.from(
        document.querySelectorAll('.thread'), (one) => [one.getBoundingClientRect().top, one.getBoundingClientRect().bottom])`)
      const sorted = boxes.toSorted(([a], [b]) => a - b)
      for (const [i, [, bottom]] of sorted.slice(0, -1).entries()) assert(bottom < sorted[i + 1]![0])
    }
    const [first, second, third, fourth, last] = ids as [string, string, string, string, string]
    await isAt(first, 'the first card')
    await isAt(fourth, 'a card with room')
    assert((await placeOf(second))[0] > 50)
    await areApart()

    // A mark brings its card, and a card comes to its mark.
    await page.locator('.comment-marker').nth(1).click()
    await untilTrue(page, `document.activeElement.id === 'comment-${third}'`)
    await isAt(third, 'the card of the mark')
    await areApart()
    await page.locator('mark.commented.active').waitFor()
    await page.locator(`#comment-${second}`).getByRole('button', { name: 'Reply' }).click()
    await page.getByPlaceholder('Your reply').fill('A reply.')
    await isAt(second, 'the card with the reply')
    await areApart()
    await look(page, 'threads in the margin')
    await page.getByPlaceholder('Your reply').press('Control+Enter')
    await page.locator('.replies').waitFor()
    await page.getByPlaceholder('Your reply').waitFor({ state: 'detached' })
    await isAt(second, 'the card after the reply')
    // The card is beside words that are out of sight.
    await page.locator(`#comment-${last} button`).first().focus()
    await page.keyboard.press('Shift')
    await isAt(last, 'the card with the focus')
    await untilTrue(page, `document.querySelector('mark.active').getBoundingClientRect().top > 0`)
    await page.locator('.prose p').nth(38).click()
    assert.equal(await page.locator('mark.active, [data-active]').count(), 0)

    await page.setViewportSize({ width: 1100, height: 800 })
    await untilTrue(
      page,
      `document.querySelector('.thread').getBoundingClientRect().top > document.querySelector('.prose').getBoundingClientRect().bottom`,
    )
    await areApart()
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
