/** What a browser requests to open a page, and the page tree on a narrow screen. */
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
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')
const { ada } = world

const GROUPS = ['Begin', 'Guides', 'Reference', 'More']
const FILES = {
  'SUMMARY.md': `* [Welcome](README.md)\n${GROUPS.map(
    (title, n) => `\n## ${title}\n\n* [Page ${n}](${n}/page.md)\n  * [Below ${n}](${n}/below.md)\n`,
  ).join('')}`,
  'README.md': '# Welcome\n\nSee [page 2](2/page.md).\n',
  ...Object.fromEntries(
    GROUPS.flatMap((_title, n) => [
      [`${n}/page.md`, `# Page ${n}\n\nSee [the beginning](../README.md).\n`],
      [`${n}/below.md`, `# Below ${n}\n\nText.\n`],
    ]),
  ),
}
const focused = `document.activeElement?.textContent`

describe('opening a page', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function signedIn(device = DEVICES[0]!) {
    const opened = await openPage(browser, device)
    await signIn(opened.page, world.url, email)
    return opened
  }

  /** A space with a change request, and the addresses of a page in both. */
  async function places() {
    const { spaceId } = await spaceWith(world, archiveOf(FILES), 'Handbook')
    const { body } = await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'New' })
    const { items } = (await ada(`GET /v1/spaces/${spaceId}/content/outline?query=Below%202`)).body
    const reading = `${world.url}/app/s/${spaceId}`
    const { path } = items[0] as { path: string }
    return { reading, writing: `${reading}/~/changes/${body.number}/edit`, path }
  }

  /** Opens an address, and returns what the API was asked for until a row of the tree is there. */
  async function requestsOf(page: Page, address: string, row: string): Promise<string[]> {
    const paths: string[] = []
    const note = (request: { url(): string; method(): string }) => {
      const { pathname, search } = new URL(request.url())
      if (request.method() === 'GET' && pathname.startsWith('/v1/') && !pathname.endsWith('/events'))
        paths.push(pathname + search)
    }
    page.on('request', note)
    await page.goto(address)
    await page.locator(row, { hasText: 'Below 2' }).waitFor()
    await page.locator(row, { hasText: 'Page 3' }).waitFor()
    await page.locator('.prose').first().waitFor()
    page.off('request', note)
    return paths
  }

  test('reads the open levels of the tree together, and nothing twice', async () => {
    const { page, complaints } = await signedIn()
    const { reading, writing, path } = await places()
    for (const [address, row] of [
      [`${reading}/${path}`, '.page-tree a'],
      [`${writing}/${path}`, '.tree-row'],
    ] as const) {
      const paths = await requestsOf(page, address, row)
      const levels = paths.filter((one) => /outline\?(?!path|ids|.*&ids)/.test(one))
      // The top level, and at most the groups and the pages below one of them.
      assert(levels.length <= 3, levels.join('\n'))
      assert.deepEqual(paths, [...new Set(paths)], 'each path is requested once')
    }
    // The links of the text know their pages at once.
    await page.goto(`${writing}/`)
    await page.locator('.writing a', { hasText: 'page 2' }).waitFor()
    assert.match((await page.locator('.writing a').getAttribute('href')) ?? '', /\/2\/page$/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a narrow screen shows the tree when it is asked for, until a page is chosen', async () => {
    const { page, complaints } = await signedIn(DEVICES[2])
    const { reading, writing, path } = await places()
    for (const [address, text] of [
      [`${reading}/${path}`, '.prose'],
      [`${writing}/${path}`, '.writing'],
    ] as const) {
      await page.goto(address)
      await page.waitForSelector(text)
      const button = page.getByRole('button', { name: 'Pages', exact: true })
      assert.equal(await button.getAttribute('aria-expanded'), 'false')
      assert.equal(await page.locator('.page-tree').count(), 0)
      assert.deepEqual(await axeFindings(page), [])

      await button.focus()
      await page.keyboard.press('Enter')
      const chosen = text === '.prose' ? '.page-tree a' : '.tree-row'
      await page.locator(chosen, { hasText: 'Below 2' }).waitFor()
      assert.equal(await button.getAttribute('aria-expanded'), 'true')
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)

      await page.locator(chosen, { hasText: 'Below 2' }).focus()
      await page.keyboard.press('Escape')
      await page.locator('.page-tree').waitFor({ state: 'detached' })
      await untilTrue(page, `${focused} === 'Pages'`)

      await button.tap()
      await page.locator(chosen, { hasText: 'Page 3' }).focus()
      await page.keyboard.press('Enter')
      await page.locator(text, { hasText: 'See the beginning' }).waitFor()
      await page.locator('.page-tree').waitFor({ state: 'detached' })
      await untilTrue(page, `${focused} === 'Pages'`)
    }
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
