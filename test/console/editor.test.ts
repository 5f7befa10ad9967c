/** Writing pages as people do it, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { firstOf, onlyLong } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, drawn, leave, openBrowser, untilTrue, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, untilSaved } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

const BLOCKS = [
  'task',
  'tabs',
  'table',
  'bulleted',
  'hint',
  'quote',
  'code',
  'expandable',
  'steps',
  'columns',
  'divider',
]
const SAVED = `document.querySelector('.save-state')?.textContent === 'Saved'`

describe('writing a page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signedIn = () => openSignedIn(browser, world, email)

  const spaceOf = (files: Record<string, string>) => spaceWith(world, archiveOf(files), 'Handbook')
  const atEnd = async (page: Page) => {
    await page.click('.writing > :last-child')
    // The editor takes a moment after it gets the focus to know where the caret is; people are slower than that.
    await drawn(page)
    await page.keyboard.press('Control+End')
    await drawn(page)
  }

  test('a person types, inserts from the slash menu, and finds it after a reload', onlyLong, async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nHello.\n' })
    const { page, complaints } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    await atEnd(page)
    await page.keyboard.press('Enter')
    await page.keyboard.type('A new paragraph.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/head')
    assert.match((await page.locator('[role=option]').first().textContent())!, /^Heading 1 /)
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Parts')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/bul')
    await page.keyboard.press('Enter')
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await page.keyboard.type('**two** ')
    // Without any help.
    await untilTrue(page, SAVED)
    await page.reload()
    await page.waitForSelector('.writing')
    const text = await page.locator('.writing').innerHTML()
    assert.match(text, /Hello\./)
    assert.match(text, /<p[^>]*>A new paragraph\.<\/p>/)
    assert.match(text, /<h3[^>]*>Parts<\/h3>/)
    assert.match(text, /<li><p[^>]*>one<\/p><\/li><li><p[^>]*><strong>two<\/strong>/)
    assert.deepEqual(complaints, [])
    await page.click('text=Done')
    await page.waitForURL('**/~/changes/*')
    await leave(page)
  })

  test('two people in one page keep both texts, and each sees that of the other', async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nFirst.\n\nSecond.\n' })
    const one = (await signedIn()).page
    await one.goto(`${world.url}/app/s/${spaceId}`)
    await one.click('text=Edit')
    await one.waitForSelector('.writing')
    const two = (await signedIn()).page
    await two.goto(one.url())
    await two.waitForSelector('.writing')
    await one.click('.writing > p:first-child')
    await one.keyboard.press('End')
    await one.keyboard.type(' By one.')
    await untilSaved(one)
    await two.click('.writing > p:last-child')
    await two.keyboard.press('End')
    await two.keyboard.type(' By two.')
    await untilSaved(two)
    assert.equal(await two.locator('.writing').innerText(), 'First. By one.\n\nSecond. By two.')
    assert.equal(await two.evaluate('getSelection().focusOffset'), 'Second. By two.'.length)
    await two.keyboard.press('Control+z')
    assert.equal(await two.locator('.writing').innerText(), 'First. By one.\n\nSecond.')
    await two.keyboard.press('Control+y')
    await one.keyboard.type(' Again.')
    await untilSaved(one)
    assert.equal(await one.locator('.writing').innerText(), 'First. By one. Again.\n\nSecond. By two.')
    // The other one sees it without doing anything.
    await untilTrue(two, `document.querySelector('.writing').innerText.startsWith('First. By one. Again.')`)
    await leave(one)
    await leave(two)
  })

  const choices = [
    ['Keep both', 'The red house.\n\nThe blue house.'],
    ['Keep yours', 'The blue house.'],
    ['Take theirs', 'The red house.'],
  ] as const
  for (const [button, text] of firstOf(choices, 1))
    test(`a person who changed the same words as another chooses: ${button}`, async () => {
      const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nThe old house.\n' })
      const { page } = await signedIn()
      await page.goto(`${world.url}/app/s/${spaceId}`)
      await page.click('text=Edit')
      await page.waitForSelector('.writing')
      const base = `/v1/spaces/${spaceId}/change-requests/1/content`
      const [home] = (await world.ada(`GET ${base}/pages`)).body.pages
      await page.dblclick('.writing > p', { position: { x: 40, y: 10 } })
      await page.keyboard.type('blue')
      // Within the two seconds before the text is saved.
      const other = await world.ada(`POST ${base}`, {
        changes: [
          { operation: 'update_page', page: home.id, document: { markdown: '# Home\n\nThe red house.\n' } },
        ],
      })
      assert.equal(other.status, 200)
      await page.evaluate(`dispatchEvent(new Event('online'))`)
      await page.click(`text=${button}`)
      await untilSaved(page)
      assert.equal(await page.locator('.writing').innerText(), text)
      await page.reload()
      await page.waitForSelector('.writing')
      assert.equal(await page.locator('.writing').innerText(), text)
      await leave(page)
    })

  test('what could not be saved is there when the network returns, and after a reload', async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nHello.\n' })
    const { page } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    await page.route('**/content?compat=false', (route) => route.abort())
    await atEnd(page)
    await page.keyboard.type(' On a train.')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await untilTrue(page, `document.querySelector('.save-state').textContent.startsWith('Offline')`)
    await page.unrouteAll()
    await page.reload()
    await page.waitForSelector('.writing')
    assert.equal(await page.locator('.writing').innerText(), 'Hello. On a train.')
    await untilSaved(page)
    await page.reload()
    await page.waitForSelector('.writing')
    assert.equal(await page.locator('.writing').innerText(), 'Hello. On a train.')
    assert.equal(
      await page.evaluate(`Object.keys(localStorage).filter((one) => one.startsWith('unsaved')).length`),
      0,
    )
    await leave(page)
  })

  test('a title that somebody else changes while one writes the text stays theirs', async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nHello.\n' })
    const { page } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    const base = `/v1/spaces/${spaceId}/change-requests/1/content`
    const read = async () =>
      (await world.ada(`GET ${base}/pages`)).body.pages[0] as { id: string; title: string }
    const { id } = await read()
    await atEnd(page)
    await page.keyboard.type(' One.')
    // The browser has text that is not saved, so it does not take the title over.
    const renamed = { operation: 'update_page', page: id, title: 'Renamed' }
    assert.equal((await world.ada(`POST ${base}`, { changes: [renamed] })).status, 200)
    await untilSaved(page)
    await page.waitForSelector('.page-title[value="Renamed"]')
    await page.keyboard.type(' Two.')
    await untilSaved(page)
    assert.equal((await read()).title, 'Renamed')
    const { markdown } = (await world.ada(`GET ${base}/page/${id}?format=markdown`)).body
    assert.equal(markdown, '# Renamed\n\nHello. One. Two.\n')
    await leave(page)
  })

  test('text that a closed tab could not save is sent by itself, or shown with the reason', async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nHello.\n' })
    const { page } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    const editing = page.url()
    const left = page.getByRole('region', { name: 'Text that is not saved' })
    const base = `/v1/spaces/${spaceId}/change-requests/1/content`
    const stored = async (): Promise<{ id: string; markdown: string }> => {
      const [{ id }] = (await world.ada(`GET ${base}/pages`)).body.pages
      const { markdown } = (await world.ada(`GET ${base}/page/${id}?format=markdown`)).body
      return { id, markdown }
    }
    const online = () => page.evaluate(`dispatchEvent(new Event('online'))`)
    const writeOffline = async (text: string) => {
      await page.goto(editing)
      await page.waitForSelector('.writing')
      await page.route('**/content?compat=false', (route) => route.abort())
      await atEnd(page)
      await page.keyboard.type(text)
      await page.locator('.writing', { hasText: text }).waitFor()
      await online()
      await untilTrue(page, `document.querySelector('.save-state').textContent.startsWith('Offline')`)
      await page.goto(`${world.url}/app`)
      await left.waitFor()
    }

    await writeOffline(' On a train.')
    assert.match(await left.innerText(), /“Home” has text that is not saved yet\./)
    assert.deepEqual(await axeFindings(page), [])
    await left.getByRole('button', { name: 'Show Home' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Hello. On a train.').waitFor()
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.unrouteAll()
    await online()
    await left.waitFor({ state: 'detached' })
    assert.equal((await stored()).markdown, '# Home\n\nHello. On a train.\n')

    await writeOffline(' Twice.')
    const { id } = await stored()
    const theirs = {
      operation: 'update_page',
      page: id,
      document: { markdown: '# Home\n\nHello. On a train. Thrice.\n' },
    }
    assert.equal((await world.ada(`POST ${base}`, { changes: [theirs] })).status, 200)
    await page.unrouteAll()
    await online()
    await left.getByText('because others have changed the same words').waitFor()
    await left.getByRole('link', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Keep both' }).waitFor()
    assert.equal(await left.count(), 0, 'the page itself offers nothing')
    await page.goto(`${world.url}/app`)
    await left.getByRole('button', { name: 'Show Home' }).click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await left.waitFor({ state: 'detached' })
    assert.equal((await stored()).markdown, '# Home\n\nHello. On a train. Thrice.\n')
    await leave(page)
  })

  test('who leaves right after the last letter finds everything saved, and once', async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nHello.\n' })
    const { page } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    await atEnd(page)
    await page.keyboard.type(' Going.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Gone.')
    await page.goto(`${world.url}/app`)
    await page.getByRole('heading').first().waitFor()
    await untilTrue(page, `!Object.keys(localStorage).some((one) => one.startsWith('unsaved'))`)
    const base = `/v1/spaces/${spaceId}/change-requests/1/content`
    const [{ id }] = (await world.ada(`GET ${base}/pages`)).body.pages
    const { markdown } = (await world.ada(`GET ${base}/page/${id}?format=markdown`)).body
    assert.equal(markdown, '# Home\n\nHello. Going.\n\nGone.\n')
    assert.equal(await page.getByRole('region', { name: 'Text that is not saved' }).count(), 0)
    await leave(page)
  })

  test('a block of the slash menu can be saved, empty and with a text', async () => {
    const { spaceId } = await spaceOf({ 'README.md': '# Home\n\nHello.\n' })
    const { page, complaints } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    for (const name of firstOf(BLOCKS, 2)) {
      await page.click('.writing')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await page.keyboard.type(`/${name}`)
      await page.keyboard.press('Enter')
      await untilTrue(page, `document.querySelector('.save-state').textContent !== 'Saved'`)
      await page.evaluate(`dispatchEvent(new Event('online'))`)
      await untilTrue(
        page,
        `['Saved', 'Not saved'].includes(document.querySelector('.save-state').textContent)`,
      )
      assert.equal(await page.textContent('.save-state'), 'Saved', name)
      await page.keyboard.type('Text')
      await untilSaved(page)
      assert.match(await page.locator('.writing').innerText(), /Text/, name)
    }
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the first page of a space: its title, Markdown, a table, a link and an image', onlyLong, async () => {
    const space = (await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Empty' })).body
    const { page, complaints } = await signedIn()
    await page.goto(`${world.url}/app/s/${space.id}`)
    await page.click('text=Write the first page')
    // One press leads into the title.
    await untilTrue(page, `document.activeElement?.className === 'page-title'`)
    await page.keyboard.type('Begin here')
    await page.keyboard.press('Enter')
    await page.keyboard.type('## Parts')
    await page.keyboard.press('Enter')
    await page.keyboard.type('[] buy milk')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('```js')
    await page.keyboard.press('Enter')
    await page.keyboard.type('const a = 1')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/table')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Name')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Price')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Milk')
    // Tab in the last cell begins a new row.
    for (const text of ['Eggs', 'Tea']) {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('See ')
    await untilSaved(page)
    await untilTrue(page, `document.querySelector('.page-tree').textContent === 'Begin here'`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('begin')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.evaluate(PASTE_IMAGE)
    await page.waitForSelector('.writing figure img[src]')
    await page.click('.describe-image')
    await page.locator('.dialog input:focus').waitFor()
    await page.keyboard.type('A square')
    await page.keyboard.press('Enter')
    await untilTrue(page, `document.activeElement?.classList.contains('writing')`)
    assert.equal(await page.locator('.describe-image').count(), 0)
    // The writer goes on below the image, not in its caption.
    await page.keyboard.type('Below.')
    await untilSaved(page)
    assert.deepEqual(await axeFindings(page), [])
    const base = `/v1/spaces/${space.id}/change-requests/1/content`
    const [{ id, title }] = (await world.ada(`GET ${base}/pages`)).body.pages
    assert.equal(title, 'Begin here')
    const { markdown } = (await world.ada(`GET ${base}/page/${id}?format=markdown`)).body
    assert.equal(
      markdown.replace(/\/files\/\w+/, '/files/x').replaceAll(id, 'id'),
      [
        '# Begin here',
        '## Parts',
        '* [ ] buy milk',
        '```js\nconst a = 1\n```',
        '| Name | Price |\n| --- | --- |\n| Milk |  |\n| Eggs |  |\n| Tea |  |',
        'See [Begin here](/pages/id)',
        '<figure><img src="/files/x" alt="A square"><figcaption></figcaption></figure>',
        'Below.\n',
      ].join('\n\n'),
    )
    // The space has no page yet, but leads back to what was written.
    await page.goto(`${world.url}/app/s/${space.id}`)
    await page.click('text=Continue your draft')
    await page.waitForSelector('.writing >> text=Below.')
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})

/** Pastes a picture as a browser does it. */
const PASTE_IMAGE = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 20, height: 20 })
  const blob = await new Promise((done) => canvas.toBlob(done))
  const data = new DataTransfer()
  data.items.add(new File([blob], 'image.png', { type: 'image/png' }))
  document.querySelector('.writing').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
})()`
