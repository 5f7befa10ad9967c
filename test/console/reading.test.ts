/** What members do with a page besides writing it: comment on it, read its history and links, and take it with them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  copiedText,
  axeFindings,
  DEVICES,
  drawn,
  leave,
  openBrowser,
  openPage,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

const lines = (word: string) => Array.from({ length: 40 }, (_, i) => `${word}, paragraph ${i}.\n\n`).join('')

const START = `# Start

Read [more](more.md) and [nothing](missing.md), by a lamp[^1], <mark style="color:$red;">now</mark>.

## Part

{% stepper %}
{% step %}
#### First

{% hint style="warning" %}
Hot.
{% endhint %}
{% endstep %}
{% endstepper %}

<details open>

<summary>Why</summary>

Because.

</details>

[^1]: It is **red**.
`

const world = await createWorld()
const { ada } = world
const { email } = await withPassword(world, 'ann')
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'SUMMARY.md': '# Contents\n\n* [Start](README.md)\n* [More](more.md)\n* [Long](long.md)\n',
    'README.md': START,
    'more.md': '# More\n\nThe first text.\n',
    'long.md': `# Long\n\n${lines('Before')}## The middle & more\n\n${lines('Between')}* one\n* two\n\n${lines('After')}`,
  }),
  'Handbook',
)
const space = `/v1/spaces/${spaceId}`
const pages = (await ada(`GET ${space}/content/pages`)).body.pages as { id: string; title: string }[]
const idOf = (title: string) => pages.find((page) => page.title === title)!.id
const { number } = (await ada(`POST ${space}/change-requests`, { subject: 'Another text' })).body
const changeRequest = `${space}/change-requests/${number}`
const batch = {
  changes: [
    { operation: 'update_page', page: idOf('More'), document: { markdown: '# More\n\nThe second text.\n' } },
  ],
}
assert.equal((await ada(`POST ${changeRequest}/content`, batch)).status, 200)
const home = `${world.url}/app/s/${spaceId}`

describe('what is about a page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const choose = async (page: Page, name: string) => {
    await press(page, 'Actions for More')
    await page.getByRole('menuitem', { name }).click()
  }
  const look = async (page: Page, what: string) => assert.deepEqual(await axeFindings(page), [], what)

  test('the links of a space are one line on a phone, which scrolls to the one with the focus', async () => {
    const { page } = await openPage(browser, DEVICES[2]!)
    await signIn(page, world.url, email)
    await page.goto(home)
    const row = page.getByRole('navigation', { name: 'Space', exact: true })
    const last = row.getByRole('link', { name: 'History' })
    await last.waitFor()
    const { width } = DEVICES[2]!
    const rightEnd = async (link: Locator) => ((box) => box!.x + box!.width)(await link.boundingBox())
    assert((await row.boundingBox())!.height < 48)
    assert((await rightEnd(last)) > width)
    await row.getByRole('link').first().focus()
    for (let at = 1; at < (await row.getByRole('link').count()); at++) await page.keyboard.press('Tab')
    await untilTrue(page, `document.activeElement?.textContent === 'History'`)
    assert((await rightEnd(last)) <= width)
    await look(page, 'the links of a space')

    // The screen itself has the same links. That of the screen is in sight.
    await page.goto(`${home}/~/links`)
    await page.getByRole('heading', { name: 'Links' }).waitFor()
    const current = row.getByRole('link', { name: 'Links' })
    await current.and(page.locator('[aria-current]')).waitFor()
    assert((await row.boundingBox())!.height < 48)
    assert((await rightEnd(current)) <= width)
    await page.goto(`${home}/~/history`)
    await row.getByRole('link', { name: 'History' }).and(page.locator('[aria-current]')).waitFor()
    await look(page, 'the history of a space')
    await leave(page)
  })

  test('comments on a page, which others find in the space', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${home}/more`)
    await page.getByText('The first text.').waitFor()
    await page.getByLabel('Your comment').fill('Is this *still* true?')
    await press(page, 'Comment')
    await page.locator('.thread', { hasText: 'Is this still true?' }).waitFor()
    await look(page, 'a page with a comment')
    const [comment] = (await ada(`GET ${space}/comments`)).body.items
    assert.equal(comment.target.page.id, idOf('More'))
    // The address in the notification of an answer shows the comment.
    await ada(`POST ${space}/comments/${comment.id}/replies`, { body: { markdown: 'It is.' } })
    await page.goto(`${world.url}/app/`)
    await page.getByRole('link', { name: 'New reply in' }).click()
    await page.waitForURL(`**/~/comments#comment-${comment.id}`)
    await page.getByText('It is.').waitFor()
    await press(page, 'Resolve')
    await page.getByText('Resolved', { exact: true }).waitFor()
    await look(page, 'the comments of a space')
    await page.goto(`${home}/more`)
    await page.getByText('There are no open comments.').waitFor()
    // What others say and change appears by itself.
    await ada(`POST ${space}/comments`, { body: { markdown: 'News.' }, page: idOf('More') })
    await page.locator('.thread', { hasText: 'News.' }).waitFor()
    const change = `${space}/change-requests/${(await ada(`POST ${space}/change-requests`, {})).body.number}`
    const document = { markdown: '# More\n\nThe first text.\n\nAnd news.\n' }
    const changes = [{ operation: 'update_page', page: idOf('More'), document }]
    assert.equal((await ada(`POST ${change}/content`, { changes })).status, 200)
    assert.equal((await ada(`POST ${change}/merge`)).status, 200)
    await page.locator('.prose').getByText('And news.').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the history and the links of a page, in a space and in a change request', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${home}/more`)
    await choose(page, 'Links of this page')
    await page.getByRole('link', { name: 'Start' }).waitFor()
    await look(page, 'the links of a page')
    await page.goto(`${home}/~/changes/${number}/pages/${idOf('More')}/history`)
    await page.getByRole('button', { name: 'Show the changes' }).first().click()
    await page.locator('.page-diff ins', { hasText: 'second' }).first().waitFor()
    await look(page, 'the history of a page')
    assert.equal(await page.locator('.page-diff').count(), 1, 'only this page')
    await page.getByRole('link', { name: 'The page at that time' }).click()
    await page.getByText('The second text.').waitFor()
    await page.goto(`${home}/~/changes/${number}/links`)
    await page.getByText('does not exist, or you cannot see it').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('what is read is what published pages show: notes, levels of headings, hints, open details', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[2]!)
    await signIn(page, world.url, email)
    await page.goto(home)
    const button = page.getByRole('button', { name: 'Note on “lamp”' })
    const note = page.locator('.note:popover-open strong', { hasText: 'red' })
    await button.focus()
    await page.keyboard.press('Enter')
    await note.waitFor()
    await look(page, 'a note')
    await page.keyboard.press('Escape')
    await note.waitFor({ state: 'hidden' })
    await page.click('.annotation')
    await note.waitFor()
    const { x, width } = (await page.locator('.note').boundingBox())!
    assert(x >= 0 && x + width <= 390, 'the note is within the page')
    await page.keyboard.press('Escape')
    assert(!(await page.locator('.prose').first().innerText()).includes('[^1]'), 'notes are at their words')
    assert.equal(await page.locator('.stepper-step h4').getAttribute('aria-level'), '3')
    await page.getByRole('note', { name: 'Warning' }).waitFor()
    await page.getByText('Because.').waitFor()
    assert.equal(await page.locator('.ink-red').innerText(), 'now')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a page is downloaded, and pages are imported below it', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${home}/more`)
    await choose(page, 'Download…')
    await page.getByLabel('What').selectOption('All pages')
    await page.getByLabel('Format').selectOption('Markdown files in a .zip archive')
    await look(page, 'what is downloaded')
    const coming = page.waitForEvent('download')
    await press(page, 'Download')
    assert.equal((await coming).suggestedFilename(), 'Handbook.zip')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The space is locked, so that the import proposes the pages.
    await ada(`PATCH ${space}`, { editMode: 'locked' })
    await page.reload()
    await choose(page, 'Import below this page…')
    await page
      .getByLabel('What do you import?')
      .selectOption('Markdown as it is: a file, or several in a .zip archive')
    const buffer = Buffer.from('# Deeper\n\nImported.\n')
    await page.getByLabel('File').setInputFiles({ name: 'deeper.md', mimeType: 'text/markdown', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await press(page, 'Open the change request')
    await page.getByRole('heading', { name: 'Import of deeper' }).waitFor()
    await page.getByText('Deeper').first().waitFor()
    await look(page, 'a change request with an import')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('an empty space shows its first page as soon as somebody writes it', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const { id } = (await ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Empty' })).body
    await ada(`PATCH /v1/spaces/${id}`, { editMode: 'live' })
    await page.goto(`${world.url}/app/s/${id}`)
    await page.getByText('This space has no pages yet.').waitFor()
    const changes = [{ operation: 'insert_page', document: { markdown: '# First\n\nIt is here.\n' } }]
    assert.equal((await ada(`POST /v1/spaces/${id}/content`, { changes })).status, 200)
    await page.locator('.prose').getByText('It is here.').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a revision shows the place that an address names, in each page that one opens', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const { revision } = (await ada(`GET ${space}`)).body
    const old = `${home}/~/revisions/${revision}`
    await page.goto(`${old}/#part`)
    await page.getByRole('heading', { name: 'Part' }).waitFor()
    // As a link within the console does, without loading it again.
    await page.evaluate(`history.pushState(null, '', '${old.replace(world.url, '')}/long#the-middle-more')`)
    await untilTrue(
      page,
      `(() => {
        const heading = [...document.querySelectorAll('.prose h2')].find((one) => one.innerText.startsWith('The middle'))
        const top = heading?.getBoundingClientRect().top
        return top !== undefined && top >= 0 && top < innerHeight / 2
      })()`,
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a heading and every block have a link, which opens the page there', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const isAtTop = (text: string) =>
      untilTrue(
        page,
        `[...document.querySelectorAll('.prose > *')].some((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return one.innerText.startsWith(${JSON.stringify(text)}) && bottom > 0 && top < innerHeight / 2
        })`,
      )
    await page.goto(`${home}/long`)
    await page.hover('.prose h2')
    await page.getByRole('button', { name: 'Copy the link to “The middle & more”' }).click()
    await page.getByText('The link was copied.').waitFor()
    await look(page, 'a page with a link to a heading')
    const toHeading = await copiedText(page)
    assert.equal(toHeading, `${home}/long#the-middle-more`)
    await page.goto('about:blank')
    await page.goto(toHeading)
    await isAtTop('The middle')

    await press(page, 'Edit')
    await page.waitForSelector('.writing')
    await isAtTop('The middle')
    // What one always needs stays in sight, and does not cover where one writes.
    const bar = (await page.locator('.editor-top').boundingBox())!
    for (const name of ['Done', '+ Insert'])
      await page.locator('.editor-top').getByRole('button', { name }).click({ trial: true })
    assert((await page.locator('.writing h2').boundingBox())!.y >= bar.y + bar.height)
    await page.locator('.writing > p', { hasText: 'Between, paragraph 5.' }).click()
    await drawn(page)
    await page.evaluate(
      `scrollBy(0, document.getSelection().getRangeAt(0).getBoundingClientRect().top - 100)`,
    )
    await page.keyboard.type('!')
    await untilTrue(
      page,
      `document.getSelection().getRangeAt(0).getBoundingClientRect().top >=
        document.querySelector('.editor-top').getBoundingClientRect().bottom`,
    )
    await page.hover('.writing li:nth-child(2)')
    await page.click('.block-handle')
    await page.click('[role=menuitem]:has-text("Copy link")')
    await page.getByText('The link was copied.').waitFor()
    const toItem = await copiedText(page)
    assert.match(toItem, /\/edit\/long#block-\w+$/)
    await page.goto('about:blank')
    await page.goto(toItem)
    await isAtTop('one')
    // A block that is not saved yet is saved first.
    await page.locator('.writing > p', { hasText: 'After, paragraph 1.' }).click()
    await page.waitForTimeout(100)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Quite new.')
    await page.keyboard.press('Control+/')
    await page.click('[role=menuitem]:has-text("Copy link")')
    const toNew = await copiedText(page)
    await page.goto('about:blank')
    await page.goto(toNew)
    await isAtTop('Quite new.')
    // The address of the editor need not name the first page, but a link to a block of it does.
    await page.goto(toNew.replace(/\/edit\/.*$/, '/edit/'))
    await page.waitForSelector('.writing')
    await page.hover('.writing > :first-child')
    await page.click('.block-handle')
    await page.click('[role=menuitem]:has-text("Copy link")')
    await page.getByText('The link was copied.').waitFor()
    assert.match(await copiedText(page), /\/edit\/[\w-]+#[\w-]+$/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
