/** The page tree and the fields of pages, as people change them in a browser. */
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
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { fileDialog, signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')
const { ada } = world

const FILES = {
  'SUMMARY.md':
    '* [Welcome](README.md)\n* [Install](install.md)\n  * [On Linux](linux.md)\n* [Update](update.md)\n',
  'README.md': '# Welcome\n\nSee [install](install.md).\n',
  'install.md': '# Install\n\nText.\n',
  'linux.md': '# On Linux\n\nMore text. See [home](README.md).\n',
  'update.md': '# Update\n\nText.\n',
}

interface Entry {
  id: string
  title: string
  type: string
  pages?: Entry[]
}

describe('pages and their fields', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function signedIn() {
    const opened = await openPage(browser, DEVICES[0]!)
    await signIn(opened.page, world.url, email)
    return opened
  }

  /** Opens the first page of a new space in the editor. */
  async function editing(files: Record<string, string | Uint8Array> = FILES) {
    const { spaceId } = await spaceWith(world, archiveOf(files), 'Handbook')
    const { page, complaints } = await signedIn()
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    await page.waitForSelector('.tree-row')
    return { page, complaints, content: `/v1/spaces/${spaceId}/change-requests/1/content` }
  }

  const treeOf = async (content: string): Promise<string> => {
    const text = (pages: Entry[]): string =>
      pages
        .map(({ title, pages: below = [] }) => title + (below.length > 0 ? `(${text(below)})` : ''))
        .join(' ')
    return text((await ada(`GET ${content}/pages`)).body.pages)
  }
  const row = (page: Page, title: string) => page.getByRole('row', { name: title, exact: true })
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
  const undo = (page: Page) => page.locator('.toast').getByRole('button', { name: 'Undo' }).first().click()
  /** Waits until the server has a page tree. */
  async function untilTree(content: string, tree: string): Promise<void> {
    const end = Date.now() + 30_000
    while ((await treeOf(content)) !== tree) {
      if (Date.now() > end) assert.equal(await treeOf(content), tree)
    }
  }
  const choose = async (page: Page, title: string, action: string) => {
    await row(page, title)
      .getByRole('button', { name: `Actions for ${title}` })
      .click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  test('pages are moved by dragging, by keys and by the menu, and moved back', async () => {
    const { page, complaints, content } = await editing()
    await row(page, 'Update').dragTo(row(page, 'Welcome'), { targetPosition: { x: 60, y: 16 } })
    await untilTree(content, 'Welcome(Update) Install(On Linux)')
    await toast(page, '“Update” was moved')
    // It is below a page that was closed, and can be seen there.
    await page.getByRole('row', { name: 'Update', exact: true, level: 2 }).waitFor()
    await undo(page)
    await untilTree(content, 'Welcome Install(On Linux) Update')
    // The server has moved it back before the screen shows it; a row that moves while it is dragged is dropped nowhere.
    await page.getByRole('row', { name: 'Update', exact: true, level: 1 }).waitFor()
    await row(page, 'Update').dragTo(row(page, 'Welcome'), { targetPosition: { x: 60, y: 1 } })
    await untilTree(content, 'Update Welcome Install(On Linux)')

    // A drop is drawn, and may take the focus, after the server has it.
    await untilTrue(page, `document.querySelector('[role=row]').getAttribute('aria-label') === 'Update'`)
    await row(page, 'Welcome').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await untilTree(content, 'Welcome Update Install(On Linux)')
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Welcome'`)
    // Two keys at once are two steps.
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await untilTree(content, 'Update Install(On Linux) Welcome')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await untilTree(content, 'Welcome Update Install(On Linux)')
    await choose(page, 'Update', 'Move into the page above')
    await untilTree(content, 'Welcome(Update) Install(On Linux)')
    // The focus goes with a page into a page that was closed, so that the keys go on.
    const install = (level: number) =>
      untilTrue(page, `document.activeElement?.matches('[aria-label=Install][aria-level="${level}"]')`)
    await row(page, 'Install').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await untilTree(content, 'Welcome(Update Install(On Linux))')
    await install(2)
    await page.keyboard.press('Alt+ArrowLeft')
    await untilTree(content, 'Welcome(Update) Install(On Linux)')
    await install(1)
    assert.deepEqual(await axeFindings(page), [])

    // React Aria's own way: Enter on the handle takes the page, the arrows choose its place, Enter puts it there.
    await row(page, 'Install').getByRole('button', { name: 'Move Install' }).focus()
    await page.keyboard.press('Enter')
    const target = () => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)
    await untilTrue(page, `/^(?:Insert|Drop)/.test(document.activeElement?.getAttribute('aria-label'))`)
    for (let steps = 0; steps < 10 && (await target()) !== 'Insert before Welcome'; steps++) {
      const last = JSON.stringify(await target())
      await page.keyboard.press('ArrowUp')
      await untilTrue(page, `document.activeElement?.getAttribute('aria-label') !== ${last}`)
    }
    await page.keyboard.press('Enter')
    await untilTree(content, 'Install(On Linux) Welcome(Update)')
    await toast(page, '“Install” was moved')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the page in the editor stays there while others take its place, and the focus stays in the tree', async () => {
    const { page, complaints, content } = await editing()
    await untilTrue(page, `location.pathname.endsWith('/edit/readme')`)
    await row(page, 'Welcome').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await untilTree(content, 'Install(On Linux) Welcome Update')
    await untilTrue(page, `document.querySelector('[role=row]').getAttribute('aria-label') === 'Install'`)
    assert.equal(await page.locator('.page-title').inputValue(), 'Welcome')
    await row(page, 'Install').click()
    await untilTrue(page, `location.pathname.endsWith('/edit/install')`)
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Install'`)
    await row(page, 'Welcome').click()
    await untilTrue(page, `document.querySelector('.ProseMirror')?.textContent.startsWith('See')`)
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Welcome'`)
    await row(page, 'Install').focus()
    await page.keyboard.press('Delete')
    await toast(page, '“Install” and the pages below it were deleted')
    await untilTree(content, 'Welcome Update')
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Welcome'`)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('pages, groups and links are added, copied, deleted and restored', async () => {
    const { page, complaints, content } = await editing()
    await choose(page, 'Install', 'Delete')
    await toast(page, '“Install” and the pages below it were deleted')
    assert.equal(await treeOf(content), 'Welcome Update')
    await undo(page)
    await untilTree(content, 'Welcome Install(On Linux) Update')
    await choose(page, 'Install', 'Duplicate')
    await untilTree(content, 'Welcome Install(On Linux) Copy of Install(On Linux) Update')
    const copied = (await ada(`GET ${content}/pages`)).body.pages[2].pages[0]
    // The link still leads to the page, although the copy is in another folder.
    const { document } = (await ada(`GET ${content}/page/${copied.id}`)).body
    const [welcome] = (await ada(`GET ${content}/pages`)).body.pages
    assert.match(JSON.stringify(document), new RegExp(`"kind":"page","page":"${welcome.id}"`))
    // The server has the copy before the screen shows it.
    await toast(page, '“Install” was copied')
    await undo(page)
    await untilTree(content, 'Welcome Install(On Linux) Update')
    await choose(page, 'Update', 'Duplicate')
    await untilTree(content, 'Welcome Install(On Linux) Update Copy of Update')
    await row(page, 'Copy of Update').waitFor()

    await choose(page, 'Update', 'New page below')
    await page.getByRole('textbox', { name: 'Title' }).last().fill('Details')
    // Enter pressed twice at once creates one page.
    await page.evaluate(
      `for (const _ of [1, 2]) document.querySelector('[role=dialog] form').requestSubmit()`,
    )
    await untilTree(content, 'Welcome Install(On Linux) Update(Details) Copy of Update')
    await page.waitForURL('**/edit/update/details')

    // The person types faster than the server finds pages: the list opens when they arrive.
    await page.route('**/outline?query=*', (route) => setTimeout(() => void route.continue(), 400))
    await page.getByRole('button', { name: 'Add something else' }).click()
    await page.getByRole('menuitem', { name: 'New link' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Elsewhere')
    await page.getByRole('combobox', { name: 'Leads to' }).fill('linu')
    await page.getByRole('option', { name: 'On Linux' }).click()
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Create' }).click()
    await row(page, 'Elsewhere').waitFor()
    const { pages } = (await ada(`GET ${content}/pages`)).body as { pages: (Entry & { target?: object })[] }
    const linux = pages.find(({ title }) => title === 'Install')?.pages?.[0]
    assert.deepEqual(pages.at(-1)?.target, { kind: 'page', page: linux?.id })

    await page.getByRole('button', { name: 'Add something else' }).click()
    await page.getByRole('menuitem', { name: 'New group' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Parts')
    await page.keyboard.press('Enter')
    await row(page, 'Parts').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a page gets an icon, a cover, a description and options, and any of them is taken back', async () => {
    const { page, complaints, content } = await editing()
    const [{ id }] = (await ada(`GET ${content}/pages`)).body.pages
    const fields = async () => (await ada(`GET ${content}/page/${id}?format=none`)).body
    await page.getByRole('button', { name: 'Add an icon' }).click()
    await page.getByRole('button', { name: 'Icons' }).click()
    await page.getByRole('searchbox', { name: 'Search icons' }).fill('rocket')
    await page.getByRole('option', { name: 'rocket' }).first().click()
    await toast(page, '“Welcome” was changed')
    assert.equal((await fields()).icon, 'rocket')
    await row(page, 'Welcome').locator('svg').waitFor()

    await page.getByRole('textbox', { name: 'Description' }).fill('All about it')
    await page.keyboard.press('Enter')
    await untilTrue(page, `document.activeElement?.classList.contains('writing')`)
    await page.getByRole('button', { name: 'Add a cover' }).click()
    const upload = page.getByRole('button', { name: 'Upload an image' })
    const dialog = await fileDialog(page, () => upload.click())
    await dialog.setFiles({ name: 'cover.png', mimeType: 'image/png', buffer: PNG })
    await page.waitForSelector('.cover img')
    await page.locator('.toast').nth(1).waitFor()
    await page.getByRole('slider', { name: 'Position' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    assert.deepEqual(await axeFindings(page), [])

    await page.getByRole('button', { name: 'Page options' }).click()
    // A name that is refused is refused in the form, and the focus stays there.
    await page.getByRole('textbox', { name: 'Name in the address' }).fill('Start here!')
    await page.getByRole('button', { name: 'Save' }).click()
    const refusal = page.getByRole('dialog').locator('.refusal')
    assert.match(await refusal.innerText(), /^“Name in the address”: can hold .*use "start-here"$/)
    assert.equal(await page.locator('.toast', { hasText: 'can hold' }).count(), 0)
    assert.equal(await page.evaluate(`document.activeElement?.textContent`), 'Save')
    assert.match(complaints.splice(0).join(), /status of 400/)
    await page.getByRole('textbox', { name: 'Name in the address' }).fill('start')
    await page.getByRole('checkbox', { name: 'Hide it in the navigation' }).check()
    await page.getByLabel('Who sees this page').selectOption('claim')
    await page.getByRole('textbox', { name: 'Claim' }).fill('plan')
    await page.getByRole('textbox', { name: 'Is', exact: true }).fill('pro')
    await page.getByRole('checkbox', { name: 'Show: Contents of the page' }).uncheck()
    await page.getByRole('textbox', { name: 'Tags' }).fill('beta, new')
    await page.getByLabel('Main tag').selectOption('new')
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('level')
    await page.getByRole('textbox', { name: 'Value' }).fill('3')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/edit/start')
    const set = await fields()
    assert.equal(set.description, 'All about it')
    assert.equal(set.cover.yPos, 10)
    assert.equal(set.cover.ref.kind, 'file')
    assert.deepEqual(
      [set.slug, set.hidden, set.condition, set.layout.outline, set.layout.pagination],
      ['start', true, 'visitor.claims.plan == "pro"', false, true],
    )
    const tagRef = (tag: string) => ({ kind: 'tag', tag })
    assert.deepEqual(
      [set.tags, set.variables],
      [[{ tag: tagRef('beta') }, { tag: tagRef('new'), primary: true }], { level: 3 }],
    )
    // The fields are one revision of the history, beside that of the uploaded file.
    const { items } = (await ada(`GET ${content.replace(/content$/, 'revisions')}`)).body
    assert.ok(items.length <= 4, `${items.length} revisions`)
    // The editor stays as it is, and the focus returns to the button.
    assert.equal(await page.locator('.writing').innerText(), 'See install.')

    await undo(page)
    await page.waitForSelector('.page-note', { state: 'detached' })
    const undone = await fields()
    assert.deepEqual(
      [undone.slug, undone.hidden, undone.condition, undone.layout.outline, undone.tags, undone.variables],
      ['readme', undefined, undefined, true, [], undefined],
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
