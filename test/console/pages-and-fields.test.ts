/** The page tree, the fields of pages and what belongs to a whole space, as people change them in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { runJobs } from '../bursts.ts'
import { isLongRun } from '../effort.ts'
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
import { PASSWORD, withPassword } from './pages.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')
const { email: second } = await withPassword(world, 'ben')
const { ada, organizationId } = world

const FILES = {
  'SUMMARY.md':
    '* [Welcome](README.md)\n* [Install](install.md)\n  * [On Linux](linux.md)\n* [Update](update.md)\n',
  'README.md': '# Welcome\n\nSee [install](install.md).\n',
  'install.md': '# Install\n\nText.\n',
  'linux.md': '# On Linux\n\nMore text. See [home](README.md).\n',
  'update.md': '# Update\n\nText.\n',
}
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

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

  async function signedIn(account = email) {
    const opened = await openPage(browser, DEVICES[0]!)
    await opened.page.goto(`${world.url}/sign-in`)
    await opened.page.fill('#email', account)
    await opened.page.fill('#password', PASSWORD)
    await opened.page.click('button.main')
    await opened.page.waitForURL('**/app**')
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
  const told = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
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
    await told(page, '“Update” was moved')
    // It is below a page that was closed, and can be seen there.
    await page.getByRole('row', { name: 'Update', exact: true, level: 2 }).waitFor()
    await undo(page)
    await untilTree(content, 'Welcome Install(On Linux) Update')
    // The server has moved it back before the screen shows it; a row that moves while it is dragged is dropped nowhere.
    await page.getByRole('row', { name: 'Update', exact: true, level: 1 }).waitFor()
    await row(page, 'Update').dragTo(row(page, 'Welcome'), { targetPosition: { x: 60, y: 1 } })
    await untilTree(content, 'Update Welcome Install(On Linux)')

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
    await row(page, 'Install').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await untilTree(content, 'Welcome(Update Install(On Linux))')
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Install'`)
    await page.keyboard.press('Alt+ArrowLeft')
    await untilTree(content, 'Welcome(Update) Install(On Linux)')
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Install'`)
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
    await told(page, '“Install” was moved')
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
    await told(page, '“Install” and the pages below it were deleted')
    await untilTree(content, 'Welcome Update')
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Welcome'`)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('pages, groups and links are added, copied, deleted and restored', async () => {
    const { page, complaints, content } = await editing()
    await choose(page, 'Install', 'Delete')
    await told(page, '“Install” and the pages below it were deleted')
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
    await told(page, '“Install” was copied')
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
    await told(page, '“Welcome” was changed')
    assert.equal((await fields()).icon, 'rocket')
    await row(page, 'Welcome').locator('svg').waitFor()

    await page.getByRole('textbox', { name: 'Description' }).fill('All about it')
    await page.keyboard.press('Enter')
    await untilTrue(page, `document.activeElement?.classList.contains('writing')`)
    await page.getByRole('button', { name: 'Add a cover' }).click()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload an image' }).click()
    await (await choosing).setFiles({ name: 'cover.png', mimeType: 'image/png', buffer: PNG })
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
    assert.deepEqual(
      [set.tags, set.variables],
      [[{ tag: 'beta' }, { tag: 'new', primary: true }], { level: 3 }],
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
      ['readme', undefined, undefined, true, undefined, undefined],
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a large space opens with little data and few elements, and its tree shows the current page', async () => {
    const [groups, most] = isLongRun() ? [10, 1000] : [3, 230]
    const files: Record<string, string> = { 'README.md': '# Home\n\nText.\n' }
    for (let g = 0; g < groups; g++)
      for (let n = 0; n < most; n++) files[`g${g}/p${g}-${n}.md`] = `# Page ${g}-${n}\n\nText.\n`
    files['g1/z/README.md'] = '# Last\n\nText.\n'
    files['g1/z/deep.md'] = '# Deep\n\nText.\n'
    const { spaceId } = await spaceWith(world, archiveOf(files), 'Large')
    const { page, complaints } = await signedIn()
    /** The compressed bytes of the largest response of the API, as the browser counts them. */
    const largest = async () => {
      const sizes = (await page.evaluate(
        `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/')).map(({ encodedBodySize }) => encodedBodySize)`,
      )) as number[]
      assert.ok(Math.max(...sizes) > 100, 'the browser counts responses')
      return Math.max(...sizes)
    }
    // Its parent comes after the first 200 pages of the level.
    await page.goto(`${world.url}/app/s/${spaceId}/g1/z/deep`)
    await page.locator('.page-tree a[aria-current]', { hasText: 'Deep' }).waitFor()
    await page.waitForSelector('.prose')
    const shown = await page.locator('.page-tree li').count()
    assert.ok(shown > 200 && shown <= 220, 'a tree shows a part of a level')
    assert.ok((await largest()) < 50_000)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    await page.locator('.tree-row[data-selected]', { hasText: 'Deep' }).waitFor()
    assert.ok((await page.locator('.tree-row').count()) <= 220)
    assert.ok((await largest()) < 50_000)
    await page.goBack()
    await page.click('.more-pages')
    await untilTrue(page, `document.querySelectorAll('.page-tree li').length > ${shown}`)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('variables, redirects and reusable contents of a space change by a change request', async () => {
    const { spaceId } = await spaceWith(world, archiveOf(FILES), 'Handbook')
    await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'locked' })
    const { page, complaints } = await signedIn()
    const content = (number: number) => `/v1/spaces/${spaceId}/change-requests/${number}/content`
    await page.goto(`${world.url}/app/s/${spaceId}/~/variables`)
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('beta')
    await page.getByRole('textbox', { name: 'Value' }).fill('true')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/~/changes/1')
    assert.deepEqual((await ada(`GET ${content(1)}?descendants=false`)).body.variables, { beta: true })

    await page.goto(`${world.url}/app/s/${spaceId}/~/redirects`)
    await page.getByRole('button', { name: 'New redirect' }).click()
    await page.getByRole('textbox', { name: 'Old address' }).fill('old/one')
    await page.getByRole('combobox', { name: 'Leads to' }).fill('upd')
    await page.getByRole('option', { name: 'Update' }).click()
    assert.deepEqual(await axeFindings(page), [])
    // A text that was written over the page is neither that page nor nothing.
    await page.getByRole('combobox', { name: 'Leads to' }).fill('example.com')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Choose a page, or write an address').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    assert.equal(await page.getByRole('dialog').count(), 1)
    await page.getByRole('combobox', { name: 'Leads to' }).fill('')
    await page.getByRole('combobox', { name: 'Leads to' }).pressSequentially('upda')
    await page.getByRole('option', { name: 'Update' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/~/changes/2')
    assert.deepEqual(Object.keys((await ada(`GET ${content(2)}?descendants=false`)).body.redirects), [
      'old/one',
    ])

    await page.goto(`${world.url}/app/s/${spaceId}/~/reusable`)
    await page.getByRole('button', { name: 'New reusable content' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Help')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForSelector('.writing')
    await page.click('.writing')
    await page.keyboard.type('Ask us.')
    await untilTrue(page, `document.querySelector('.save-state').textContent !== 'Saved'`)
    await untilTrue(page, `document.querySelector('.save-state').textContent === 'Saved'`)
    const [{ id }] = (await ada(`GET ${content(3)}/reusable-contents`)).body.items
    const { nodes } = (await ada(`GET ${content(3)}/reusable-contents/${id}/document`)).body
    assert.match(JSON.stringify(nodes), /Ask us\./)

    // Two people write it at once: the words of both stay, and show on both screens.
    const other = await signedIn(second)
    await other.page.goto(page.url())
    await other.page.locator('.writing', { hasText: 'Ask us.' }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await Promise.all([page.keyboard.type('By mail.'), other.page.keyboard.type('Or them. ')])
    const both = (shown: Page) =>
      untilTrue(
        shown,
        `/Or them/.test(document.querySelector('.writing').innerText) && /By mail/.test(document.querySelector('.writing').innerText) && document.querySelector('.save-state').textContent === 'Saved'`,
      )
    await Promise.all([both(page), both(other.page)])
    const now = await ada(`GET ${content(3)}/reusable-contents/${id}/document`)
    assert.match(now.text, /Or them.*By mail\./s)
    assert.deepEqual([...complaints, ...other.complaints], [])
    await leave(other.page)
    await leave(page)
  })

  test('an OpenAPI specification becomes a space, and translations are set up', async () => {
    const cora = await world.person('cora', 'create')
    await cora('PUT /v1/account/password', { password: PASSWORD })
    const { page, complaints } = await signedIn('cora@example.com')
    const slug = 'pets'
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': { get: { operationId: 'list', responses: { 200: { description: 'All' } } } } },
    })
    assert.equal(
      (await ada(`POST /v1/orgs/${organizationId}/openapi`, { slug, source: { text } })).status,
      201,
    )
    await ada(`POST /v1/orgs/${organizationId}/translations`, { title: 'Docs', languages: ['de'] })
    await page.goto(`${world.url}/app/o/${organizationId}/openapi`)
    await page.getByRole('button', { name: 'Add a specification' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Short name').fill('shop')
    await dialog.getByLabel('Source').selectOption('file')
    // Without a file there is nothing to add.
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    assert(await add.isDisabled())
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Choose a JSON or YAML file' }).click()
    await (
      await choosing
    ).setFiles({ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await add.click()
    // The list says by itself when the server has read it.
    const added = page.locator('.rows li', { hasText: 'shop' })
    await added.getByText('Reading…').waitFor()
    await runJobs(world)
    await added.getByText('Ready').waitFor()
    await page.click(`text=${slug}`)
    await page.waitForSelector('text=Versions')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Make a space of it' }).click()
    await page.waitForURL('**/app/s/*')
    const [, spaceId] = /\/s\/([^/?]+)/.exec(page.url()) ?? []
    const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages?computed=false`)).body
    assert.equal(pages[0].computed.dependencies.spec.ref.spec, slug)
    await page.goto(`${world.url}/app/o/${organizationId}/translations`)
    await page.waitForSelector('text=German')
    assert.deepEqual(await axeFindings(page), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
