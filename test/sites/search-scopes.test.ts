/** Where the search of a site searches: in all of its spaces, and for readers who sign in below `/sites/`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { axeFindings, DEVICES, openBrowser, openPage, WITHOUT_BROWSER } from './browser.ts'
import { cookiesOf, jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const { ada, organizationId, nobody } = world

const site = await siteForReaders(world, 'Signed', {
  'README.md': '# Welcome\n\nRead on.\n',
  'zebra.md': '# Zebra guide\n\nAll about zebras.\n',
  'pro.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro zebra\n\nOnly for pros.\n',
})
await site.set({ visibility: 'visitor-auth' })

async function siteWithVersions() {
  const spaces: string[] = []
  for (const version of ['Three', 'Two', 'One']) {
    const files = { 'README.md': `# Version ${version}\n\nA gnu.\n` }
    spaces.push((await spaceWith(world, archiveOf(files), `Version ${version}`)).spaceId)
  }
  const { body } = await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Versions', spaces })
  const published = await ada(`POST /v1/orgs/${organizationId}/sites/${body.id}/publish`)
  return `/sites/docs${new URL(published.body.urls.published as string).pathname}`
}
const versions = await siteWithVersions()
await indexed(world)

/** The address of the list of the search box, as the page of a reader names it. */
async function listOf(token: string): Promise<string> {
  const { status, text } = await site.get('', { authorization: `Bearer ${token}` })
  assert.equal(status, 200, text)
  const [, address = ''] = /data-list="([^"]*)"/.exec(text) ?? []
  return address.replaceAll('&amp;', '&')
}

const found = (text: string) =>
  [...text.matchAll(/class="page"[^>]*>.*?found-title">([^<]*)/gs)].map(([, title]) => title).toSorted()

test('the page of results of a site with several versions offers to search all spaces', async () => {
  const { text } = await nobody(`GET ${versions}~/search?q=gnu`)
  assert.deepEqual(found(text), ['Version Three'])
  const [, all = ''] = /<a href="([^"]*)">Search all spaces</.exec(text) ?? []
  assert.equal(all, `${versions}~/search?q=gnu&amp;all=`)
  const everywhere = await nobody(`GET ${all.replaceAll('&amp;', '&')}`)
  assert.deepEqual(found(everywhere.text), ['Version One', 'Version Three', 'Version Two'])
  assert.match(everywhere.text, /found-trail">Version One</)
  assert.match(everywhere.text, /<input type="hidden" name="all" value="" \/>/)
  assert.match(everywhere.text, new RegExp(`<a href="${versions}~/search\\?q=gnu">Search fewer spaces<`))
  assert.match((await nobody(`GET ${versions}~/search`)).text, />Search all spaces</)
  const alone = await site.get('~/search?q=zebra', { authorization: `Bearer ${jwt(site.privateKey, {})}` })
  assert.doesNotMatch(alone.text, /Search all spaces/)
})

test('a signed address lists what its reader may see, without a cookie and for a page without an origin', async () => {
  const pro = await listOf(jwt(site.privateKey, { plan: 'pro' }))
  const { status, text, headers } = await nobody(`GET ${pro}q=zebra&list`, undefined, { origin: 'null' })
  assert.equal(status, 200)
  assert.deepEqual(found(text), ['Pro zebra', 'Zebra guide'])
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.match(headers.get('cache-control') ?? '', /no-store/)
  const free = await listOf(jwt(site.privateKey, { plan: 'free' }))
  assert.deepEqual(found((await nobody(`GET ${free}q=zebra&list`)).text), ['Zebra guide'])
})

test('a signed address opens nothing else, and not for long', async () => {
  const address = await listOf(jwt(site.privateKey, { plan: 'pro' }))
  const [path = '', query = ''] = address.split('?')
  const refused = async (url: string, name: string) => {
    const { status, text } = await nobody(`GET ${url}`)
    assert.ok([401, 404].includes(status), `${name}: ${status}`)
    assert.doesNotMatch(text, /zebra/i, name)
  }
  await refused(`${path}?q=zebra&list`, 'no signature')
  await refused(`${address}q=zebra`, 'the page of results')
  await refused(`${site.base}zebra?${query}list`, 'a page')
  await refused(`${site.base}zebra.md?${query}list`, 'the Markdown of a page')
  await refused(`${site.base}llms-full.txt?${query}list`, 'all pages')
  await refused(`${address.replace(/signature=../, 'signature=xx')}q=zebra&list`, 'another signature')
  const { privateKey: _, ...other } = await siteForReaders(world, 'Other', { 'README.md': '# Zebra\n' })
  await other.set({ visibility: 'visitor-auth' })
  await refused(`${other.base}~/search?${query}q=zebra&list`, 'another site')
  world.clock.now = new Date(Date.now() + 3 * 3600_000)
  await refused(`${address}q=zebra&list`, 'three hours later')
  world.clock.now = undefined
})

test('pages whose readers send cookies have no signed address', async () => {
  assert.doesNotMatch((await nobody(`GET ${versions}`)).text, /data-list/)
})

describe('the search box below /sites/', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('finds pages for a reader who signed in', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    const token = jwt(site.privateKey, { plan: 'pro' })
    await page.goto(`${world.url}${site.base}?jwt_token=${token}`, { waitUntil: 'networkidle' })
    await page.keyboard.press('/')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('pro zebra')
    await page.getByRole('option').first().waitFor()
    assert.match(String(await page.getByRole('option').first().textContent()), /Pro zebra/)
    assert.deepEqual(complaints, [])
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pro')
    await page.context().close()
  })
})

test('the page of a reader with a cookie has the same list as that of one with a header', async () => {
  const token = jwt(site.privateKey, { plan: 'pro' })
  const signedIn = await site.get(`?jwt_token=${token}`)
  const { text } = await site.get('', { cookie: cookiesOf(signedIn) })
  assert.match(text, /data-list="[^"]*~\/search\?reader=/)
})
