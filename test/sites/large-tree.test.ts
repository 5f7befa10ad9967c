/** The page tree of a site with more pages than a tree can show: its levels load on demand. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'

const world = await createWorld()
const files: Record<string, string> = {}
let summary = '# Contents\n\n'

function add(depth: number, title: string, file: string, matter = '') {
  files[file] = `${matter === '' ? '' : `---\n${matter}\n---\n\n`}# ${title}\n\nText of ${title}\n`
  summary += `${'  '.repeat(depth)}* [${title}](${file})\n`
}

add(0, 'Start', 'README.md')
for (let chapter = 1; chapter <= 3; chapter++) {
  add(0, `Chapter ${chapter}`, `c${chapter}/README.md`)
  for (let section = 1; section <= 3; section++) {
    add(1, `Section ${chapter}.${section}`, `c${chapter}/s${section}/README.md`)
    for (let page = 1; page <= 3; page++)
      add(2, `Page ${chapter}.${section}.${page}`, `c${chapter}/s${section}/p${page}.md`)
  }
}
add(1, 'A hidden page', 'c3/hidden/README.md', 'hidden: true')
add(2, 'Below a hidden page', 'c3/hidden/below.md')
add(1, 'A page for members', 'c3/members/README.md', 'if: visitor.claims.member == true')
add(2, 'Below a page for members', 'c3/members/below.md')
add(0, 'Changes', 'changes/README.md')
for (let version = 1; version <= 250; version++) add(1, `Version ${version}`, `changes/v${version}.md`)
for (const group of ['North', 'South']) {
  summary += `\n## ${group}\n\n`
  for (let town = 1; town <= 310; town++) add(0, `${group} ${town}`, `${group.toLowerCase()}/t${town}.md`)
}

const { spaceId } = await spaceWith(world, archiveOf({ ...files, 'SUMMARY.md': summary }), 'Big')
const { address } = await publish(world, spaceId, 'Big')
const base = `/sites/docs${new URL(address).pathname}`
const get = (path: string, headers = {}) => world.nobody(`GET ${path}`, undefined, headers)

/** The tree of a page, without the rest of the page. */
async function treeOf(path: string): Promise<string> {
  const { status, text } = await get(base + path)
  assert.equal(status, 200, path)
  return /<nav class="sidebar".*?<\/nav>/s.exec(text)![0]
}

const titlesIn = (html: string) => [...html.matchAll(/<span>([^<]+)<\/span><\/a>/g)].map(([, title]) => title)
const levelsIn = (html: string) => [...html.matchAll(/data-level="([^"]+)"/g)].map(([, level]) => level!)

/** The address of the pages below one. */
async function levelBelow(title: string): Promise<string> {
  const [, level] =
    new RegExp(`Pages under ${title}".*?data-level="([^"]+)"`, 's').exec(await treeOf('')) ?? []
  return level ?? assert.fail(title)
}

test('a page has the top level, the way to the page, its siblings and its children', async () => {
  const titles = titlesIn(await treeOf('c2/s2'))
  const chapters = [
    'Chapter 1',
    'Chapter 2',
    'Section 2.1',
    'Section 2.2',
    'Page 2.2.1',
    'Page 2.2.2',
    'Page 2.2.3',
  ]
  const rest = ['Section 2.3', 'Chapter 3', 'Changes', 'North', 'South']
  assert.deepEqual(titles, ['Start', ...chapters, ...rest])
})

test('a long level has the part around the page', async () => {
  const titles = titlesIn(await treeOf('changes/v150'))
  const versions = titles.filter((title) => title?.startsWith('Version'))
  assert.deepEqual([versions.length, versions[0], versions.at(-1)], [100, 'Version 101', 'Version 200'])
})

test('the levels that pages leave out contain every page of the site map, and no other', async () => {
  const found = new Set<string>()
  const waiting = [await treeOf('')]
  const visited = new Set<string>()
  for (let html = waiting.pop(); html !== undefined; html = waiting.pop()) {
    for (const [, href] of html.matchAll(/<a href="([^"]+)"/g)) found.add(href!)
    for (const level of levelsIn(html)) {
      if (visited.has(level)) continue
      visited.add(level)
      assert(level.startsWith(`${base}~/pages/`), level)
      waiting.push((await get(level)).text)
    }
  }
  const { text } = await get(`${base}sitemap-pages.xml`)
  const listed = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, url]) => `/sites/docs${new URL(url!).pathname}`,
  )
  assert.deepEqual([...found].toSorted(), listed.toSorted())
  assert(listed.length > 900)
})

test('a level is cached like a page, and search engines do not index it', async () => {
  const level = await levelBelow('Chapter 1')
  const { status, headers, text } = await get(level)
  assert.equal(status, 200)
  assert.deepEqual(titlesIn(text), ['Section 1.1', 'Section 1.2', 'Section 1.3'])
  const page = await get(base)
  for (const name of ['content-type', 'cache-control', 'content-security-policy'])
    assert.equal(headers.get(name), page.headers.get(name), name)
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  assert.equal((await get(level, { 'if-none-match': headers.get('etag') ?? '' })).status, 304)
})

test('a level reveals no page that the visitor cannot see, and none that is hidden', async () => {
  const idAt = async (path: string) =>
    (await world.ada(`GET /v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}`)).body.id as string
  assert.deepEqual(titlesIn((await get(await levelBelow('Chapter 3'))).text), [
    'Section 3.1',
    'Section 3.2',
    'Section 3.3',
  ])
  for (const path of ['c3/hidden', 'c3/members', 'c3/members/below', 'c1/s1/p1'])
    assert.equal((await get(`${base}~/pages/${await idAt(path)}/0`)).status, 404, path)
})

test('each part of a level has one address', async () => {
  const level = await levelBelow('Changes')
  const at = (from: string) => level.replace(/0$/, from)
  const statuses = ['0', '100', '200', '300', '50', '00', '0100', '-100', '1e2', ''].map(
    async (from) => (await get(at(from))).status,
  )
  assert.deepEqual(await Promise.all(statuses), [200, 200, 200, ...Array.from({ length: 7 }, () => 404)])
})

test('levels are closed with the site', async () => {
  const level = await levelBelow('Chapter 1')
  const { siteId, address: other } = await publish(world, spaceId, 'Other')
  const path = level.replace(base, `/sites/docs${new URL(other).pathname}`)
  assert.equal((await get(path)).status, 200)
  await world.ada(`POST /v1/orgs/${world.organizationId}/sites/${siteId}/unpublish`)
  assert.equal((await get(path)).status, 404)
})

describe('in a browser', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const browser = await openBrowser()
  after(() => browser.close())
  const site = address
  const sidebar = '.sidebar'

  for (const device of firstOf([DEVICES[3]!, DEVICES[0]!], 1)) {
    test(`a reader opens folded chapters with the keyboard: ${device.name}`, async () => {
      const { page, complaints } = await visit(browser, `${site}c2/s2`, device)
      const menu = page.getByRole('button', { name: 'Menu' })
      if (await menu.isVisible()) await menu.click()
      const chapter = page.getByRole('button', { name: 'Pages under Chapter 1' })
      assert.equal(await chapter.getAttribute('aria-expanded'), 'false')
      await chapter.press('Enter')
      await page.getByRole('button', { name: 'Pages under Section 1.2' }).press('Enter')
      await page.getByRole('link', { name: 'Page 1.2.3' }).waitFor()
      assert.equal(await chapter.getAttribute('aria-expanded'), 'true')
      await page.getByRole('button', { name: 'Pages under South' }).press('Space')
      await page.getByRole('link', { name: 'South 100', exact: true }).waitFor()

      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
      await chapter.press('Enter')
      assert.equal(await page.getByRole('link', { name: 'Section 1.1' }).isVisible(), false)
      await page.getByRole('link', { name: 'South 7', exact: true }).click()
      await page.waitForURL('**/south/t7')
      assert.deepEqual(complaints, [])
      await leave(page)
    })
  }

  test('links at the ends of a long level add the pages before and after', async () => {
    const { page } = await visit(browser, `${site}changes/v150`, DEVICES[0]!)
    const versions = () =>
      page
        .locator(sidebar)
        .getByRole('link', { name: /^Version/ })
        .allInnerTexts()
    await page.getByRole('link', { name: 'More pages' }).first().press('Enter')
    await page.getByRole('link', { name: 'Version 201', exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Version 201')
    await page.getByRole('link', { name: 'Earlier pages' }).press('Enter')
    await page.getByRole('link', { name: 'Version 100', exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Version 100')
    assert.deepEqual(
      await versions(),
      Array.from({ length: 250 }, (_, index) => `Version ${index + 1}`),
    )
    assert.equal(await page.locator(`${sidebar} .rest`).count(), 0)
    await leave(page)
  })

  test('without JavaScript a chapter leads to its page, whose tree lists the pages below', async () => {
    const { page } = await visit(browser, `${site}c2/s2`, { ...DEVICES[0]!, script: false })
    const tree = page.locator(sidebar)
    assert.equal(await page.getByRole('button', { name: 'Pages under Chapter 1' }).isVisible(), false)
    await tree.getByRole('link', { name: 'Chapter 1' }).click()
    assert(await tree.getByRole('link', { name: 'Section 1.3' }).isVisible())
    await tree.getByRole('link', { name: 'South' }).click()
    assert.equal(await page.locator('h1').innerText(), 'South 1')
    await tree.getByRole('link', { name: 'More pages' }).click()
    assert.equal(await page.locator('h1').innerText(), 'South 101')
    await tree.getByRole('link', { name: 'Earlier pages' }).click()
    assert.equal(await page.locator('h1').innerText(), 'South 100')
    await leave(page)
  })

  test('a level that cannot be loaded leads to the page of the chapter', async () => {
    const { page } = await visit(browser, site, DEVICES[0]!)
    await page.route('**/~/pages/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Pages under Chapter 1' }).click()
    await page.waitForURL('**/c1')
    await leave(page)
  })
})
