/** The sections of a site as readers meet them: tabs, menus, addresses. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { firstOf } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
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
const { ada, organizationId } = world

async function spaceOf(title: string): Promise<string> {
  const files = {
    'README.md': `# ${title}\n\nText.\n`,
    'more.md': `# More of ${title}\n\nText.\n`,
    'SUMMARY.md': `# Table of contents\n\n* [${title}](README.md)\n* [More](more.md)\n`,
  }
  return (await spaceWith(world, archiveOf(files), title)).spaceId
}

const spaces = await Promise.all(['Guides', 'Version 1', 'API', 'Command line', 'Secrets'].map(spaceOf))
const [guides, first, api, command, secret] = spaces as [string, string, string, string, string]
const site = (
  await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Handbook', spaces: [guides, first] })
).body
const at = `/v1/orgs/${organizationId}/sites/${site.id}`
const ids: string[] = []
for (const [spaceId, title] of [
  [api, 'API'],
  [command, 'Command line'],
  [secret, 'Secrets'],
] as const)
  ids.push((await ada(`POST ${at}/sections`, { spaceId, title, description: `All about: ${title}` })).body.id)
await ada(`POST ${at}/section-groups`, { title: 'Developers', sections: ids })
await ada(`PATCH ${at}/sections/${ids[2]}`, { condition: 'visitor.claims.unsigned.staff == true' })
const { published } = (await ada(`POST ${at}/publish`)).body.urls as { published: string }
const base = `${world.url}/sites/docs${new URL(published).pathname}`
const get = async (path: string) => (await fetch(base + path)).text()

test('the tabs lead to the default space of each section, and mark the section of the page', async () => {
  const html = await get('')
  const { pathname } = new URL(base)
  assert.match(html, new RegExp(`<a href="${pathname}" aria-current="true">Handbook</a>`))
  assert.match(html, new RegExp(`<a href="${pathname}api/">API</a>`))
  assert.match(html, /All about: API/)
  assert.match(await get('command-line/more'), /<a href="[^"]*command-line\/" aria-current="true">/)
})

test('the switcher offers the variants of the section only', async () => {
  assert.match(await get('version-1/more'), /More of Version 1/)
  assert.match(await get(''), /<details class="dropdown variants">/)
  assert.doesNotMatch(await get('api/'), /dropdown variants/)
})

test('a section that the reader may not see has no tab, and its pages do not exist', async () => {
  assert.doesNotMatch(await get(''), /Secrets/)
  assert.equal((await fetch(`${base}secrets/more`)).status, 404)
  assert.doesNotMatch(await get('sitemap.xml'), /secrets/)
  assert.doesNotMatch(await get('llms.txt'), /Secrets/)
})

test('stored titles and texts with conditions, which were written before they were refused, are shown without them', async () => {
  const more = ' {% if visitor.claims.a %}HIDDEN{% endif %}'
  const settings = JSON.stringify({
    header: {
      links: [{ title: `Shop${more}`, to: { kind: 'url', url: 'https://example.com/' }, links: [] }],
    },
    footer: { copyright: `Moss${more}` },
  })
  await world.db.write(async (tx) => {
    for (const table of ['site', 'space', 'siteSection', 'siteSectionGroup'] as const)
      await tx
        .updateTable(table)
        .set((eb) => ({ title: eb('title', '||', more) }))
        .execute()
    await tx
      .updateTable('siteSection')
      .set({ description: `About${more}` })
      .execute()
    await tx
      .insertInto('siteCustomization')
      .values({ siteId: site.id, siteSpaceId: '', settings, updatedAt: new Date().toISOString() })
      .execute()
  })
  const html = await get('')
  for (const text of ['Handbook', 'Guides', 'Version 1', 'Developers', 'API', 'About', 'Shop', 'Moss'])
    assert.match(html, new RegExp(`>\\s*${text}\\s*<`), text)
  for (const path of ['', 'api/more', 'version-1/', 'llms.txt', 'llms-full.txt', 'sitemap.xml'])
    assert.doesNotMatch(await get(path), /HIDDEN|visitor\.claims/, path)
  const { apiToken } = (await world.nobody('POST /v1/urls/published', { url: published })).body
  const reader = await world.nobody(`GET ${at}/published`, undefined, { authorization: `Bearer ${apiToken}` })
  assert.equal(reader.status, 200)
  assert.match(reader.text, /"title":"Handbook"/)
  assert.doesNotMatch(reader.text, /HIDDEN/, 'with a site token')
  const { body } = await ada(`GET /v1/spaces/${guides}`)
  assert.equal(body.title, `Guides${more}`, 'members see what is stored')
})

const [laptop, , , darkPhone] = DEVICES
const READERS = [darkPhone!, { ...laptop!, name: 'no script', script: false }, laptop!]

describe('sections in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const device of firstOf(READERS, 2)) {
    test(`a group opens as a menu, and leads to its sections: ${device.name}`, async () => {
      const { page, complaints } = await visit(browser, published, device)
      if (device.script !== false) assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
      const menu = page.getByRole('button', { name: 'Developers' })
      await menu.focus()
      await page.keyboard.press('Enter')
      const entry = page.locator('.section-menu').getByRole('link', { name: 'Command line' })
      await entry.waitFor()
      if (process.env.LECTERN_TEST_PICTURES)
        await page.screenshot({ path: `${process.env.LECTERN_TEST_PICTURES}/sections-${device.name}.png` })
      if (device.script !== false) assert.deepEqual(await axeFindings(page), [])
      await entry.click()
      await page.waitForURL('**/command-line/')
      assert.equal(await page.locator('h1').first().textContent(), 'Command line')
      assert.deepEqual(complaints, [])
      await leave(page)
    })
  }
})
