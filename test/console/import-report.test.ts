/** The report of an import in the console, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf } from '../importing.ts'
import {
  axeFindings,
  copiedText,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const member = `/v1/orgs/${world.organizationId}/members/${ann.id}`
assert.equal((await world.ada(`PATCH ${member}`, { role: 'admin' })).status, 200)

describe('the report of an import in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('an import into a new space is tried again with the folder that was missing', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}/app/o/${world.organizationId}`)
    await press(page, 'Import')
    const trees = {
      'en/SUMMARY.md': '# S\n\n* [A](a.md)\n',
      'en/a.md': '# A\n\n![](x.png)\n\nSee [what is gone](gone.md).\n\n<Card>*b*</Card>\n',
      'en/b.md': '# B\n',
      'de/SUMMARY.md': '# S\n',
    }
    const buffer = Buffer.from(archiveOf(trees))
    await page.getByLabel('File').setInputFiles({ name: 'monorepo.zip', mimeType: 'application/zip', buffer })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Import' }).click()
    assert.match(await dialog.getByRole('alert').innerText(), /"en".*Write the folder of one of them, or \//)
    await page.getByLabel('Folder in the archive').fill('en')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('The import is done. Pages: 1. Files: 0.').waitFor()
    await untilTrue(page, `document.activeElement?.textContent === 'Open the space'`)
    await press(page, 'Copy the report')
    const places = (await copiedText(page)).split('\n').map((line) => line.split('\t')[0])
    assert.deepEqual(places, ['en/a.md:7', 'en/a.md:3', 'en/b.md'])
    // What is wrong, and what to do about it.
    const part = (advice: RegExp) => page.getByRole('group').locator('section', { hasText: advice })
    await part(/^These pages were left out/)
      .getByText('en/b.md', { exact: true })
      .waitFor()
    await part(/^These pages show a picture or a file that is missing/)
      .getByText('x.png', { exact: true })
      .waitFor()
    await dialog.getByText('Broken links: 2.').waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await press(page, 'Done')
    // The report can be read again in the space, and leads to the links.
    await page.locator('.rows li').getByRole('link', { name: 'A', exact: true }).click()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await press(page, 'Report of the import')
    await part(/^These pages show a picture/)
      .getByText('x.png', { exact: true })
      .waitFor()
    await dialog.getByRole('link', { name: 'Show the broken links' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.rows li', { hasText: 'gone.md' }).waitFor()
    await page.getByRole('button', { name: 'Report of the import' }).waitFor()
    const { items } = (await world.ada(`GET /v1/orgs/${world.organizationId}/spaces`)).body
    const titles = items.map(({ title }: { title: string }) => title)
    assert(titles.includes('A') && !titles.includes('monorepo'), titles.join())
    // Problems are translated by their reasons.
    assert.equal((await ann(`PATCH /v1/users/${ann.id}`, { language: 'zh' })).status, 200)
    await page.reload()
    await press(page, '导入报告')
    await part(/^这些页面的部分内容/)
      .getByText('不显示组件“Card”，只显示其中的文字', { exact: true })
      .waitFor()
    await press(page, '复制报告')
    assert.match(await copiedText(page), /^en\/a\.md:7\t不显示组件“Card”，只显示其中的文字$/m)
    await ann(`PATCH /v1/users/${ann.id}`, { language: 'en' })
    await leave(page)
  })
})
