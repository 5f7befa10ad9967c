/** A large space, and what belongs to a whole space, as people change it in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { runDueJobs } from '../due-jobs.ts'
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
import { fileDialog, PASSWORD, signIn, withPassword } from './pages.ts'

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
describe('what belongs to a space', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function signedIn(account = email) {
    const opened = await openPage(browser, DEVICES[0]!)
    await signIn(opened.page, world.url, account)
    return opened
  }

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

  test('a space goes to the trash and comes back', async () => {
    const dana = await world.person('dana', 'admin')
    await dana('PUT /v1/account/password', { password: PASSWORD })
    const { spaceId } = await spaceWith(world, archiveOf(FILES), 'Drafts')
    const { page } = await signedIn('dana@example.com')
    await page.goto(`${world.url}/app/s/${spaceId}/~/settings`)
    await page.getByRole('button', { name: 'Move to the trash' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click()
    await page.waitForURL(`**/app/o/${organizationId}/trash`)
    const trash = `/v1/orgs/${organizationId}/spaces?deleted=true`
    assert.deepEqual(
      (await ada(`GET ${trash}`)).body.items.map(({ id }: { id: string }) => id),
      [spaceId],
    )
    await page.getByRole('button', { name: 'Restore Drafts' }).click()
    await page.getByText('The trash is empty.').waitFor()
    await page.getByText('“Drafts” is back in its place').waitFor()
    await untilTrue(page, `document.activeElement?.matches('#main div')`)
    assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).status, 200)
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
    const choose = dialog.getByRole('button', { name: 'Choose a JSON or YAML file' })
    const files = await fileDialog(page, () => choose.click())
    await files.setFiles({ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await add.click()
    // The list says by itself when the server has read it.
    const added = page.locator('.rows li', { hasText: 'shop' })
    await added.getByText('Reading…').waitFor()
    await runDueJobs(world)
    await added.getByText('Ready').waitFor()
    await page.click(`text=${slug}`)
    await page.waitForSelector('text=Versions')
    assert.deepEqual(await axeFindings(page), [])
    // One that cannot be read would make a space without pages.
    const making = page.getByRole('button', { name: 'Make a space of it' })
    const broken = { slug: 'broken', source: { text: 'openapi: [' } }
    assert.equal((await ada(`POST /v1/orgs/${organizationId}/openapi`, broken)).status, 201)
    await runDueJobs(world)
    const shown = page.url()
    await page.goto(`${world.url}/app/o/${organizationId}/openapi/broken`)
    await page.getByText('The specification must be read without errors first.').waitFor()
    assert(await making.isDisabled())
    await page.goto(shown)
    // A new version comes from where the last one came from.
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await dialog.getByRole('button', { name: 'Choose a JSON or YAML file' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await making.click()
    await page.waitForURL('**/app/s/*')
    const [, spaceId] = /\/s\/([^/?]+)/.exec(page.url()) ?? []
    const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages?computed=false`)).body
    assert.equal(pages[0].computed.dependencies.spec.ref.spec, slug)
    await page.goto(`${world.url}/app/o/${organizationId}/translations`)
    await page.waitForSelector('text=German')
    assert.deepEqual(await axeFindings(page), [])
    await page.getByText('Lectern does not translate').waitFor()
    await page.getByRole('link', { name: 'Go to the spaces' }).waitFor()
    await page.getByRole('link', { name: 'Go to the sites' }).click()
    await page.waitForURL('**/sites')
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
