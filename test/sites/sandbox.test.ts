/** Sites below /sites/ share the origin of the API, so their pages run in an opaque origin. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createWorld } from '../world.ts'
import { DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from './browser.ts'
import { jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const site = await siteForReaders(world, 'Sandbox', {
  'README.md':
    '# Welcome\n\n![Everyone](assets/a.png)\n\n```js\nconst a = 1\n```\n\n```mermaid\ngraph TD; A-->B\n```\n\n[The pro page](pro.md)\n',
  'pro.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro\n\n![Pro](assets/b.png)\n',
  'assets/a.png': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'assets/b.png': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBTAA7', 'base64'),
})

describe('a site on the host of the API, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('runs in an opaque origin, and everything on the page works', async () => {
    await site.set({ visibility: 'public' })
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await page.goto(world.url + site.base, { waitUntil: 'networkidle' })
    assert.equal(await page.evaluate('origin'), 'null')
    const stolen = await page.evaluate<string>(
      `fetch('/v1/user', { credentials: 'include' }).then((answer) => 'read ' + answer.status, () => 'refused')`,
    )
    assert.equal(stolen, 'refused')
    assert.equal(
      await page.evaluate(`document.fonts.check('16px Newsreader') || document.fonts.size > 0`),
      true,
    )
    assert.equal(await page.evaluate(`[...document.images].every((image) => image.naturalWidth > 0)`), true)

    await page.click('.tool.theme')
    assert.equal(await page.evaluate(`document.documentElement.dataset.theme`), 'dark')
    await page.click('.code button')
    await page.waitForFunction(
      `document.querySelector('.copied') || getSelection().toString().includes('const a')`,
    )
    await page.waitForSelector('.diagram-picture img', { timeout: 10_000 })
    const others = complaints.filter((line) => !/\/v1\/user|CORS|ERR_FAILED/.test(line))
    assert.deepEqual(others, [])
    await leave(page)
  })

  test('a reader signs in, follows links, sees the pictures and signs out', async () => {
    await site.set({ visibility: 'visitor-auth' })
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    const token = jwt(site.privateKey, { plan: 'pro', exp: Math.floor(Date.now() / 1000) + 600 })
    await page.goto(`${world.url}${site.base}?jwt_token=${token}`, { waitUntil: 'networkidle' })
    assert.equal(page.url(), world.url + site.base)
    await page.click('.prose a')
    await page.waitForURL('**/pro')
    await page.waitForLoadState('networkidle')
    assert.match(await page.textContent('h1').then(String), /Pro/)
    assert.equal(await page.evaluate(`[...document.images].every((image) => image.naturalWidth > 0)`), true)
    assert.deepEqual(complaints, [])

    const signOut = `${world.url}${site.base}~/sign-out`
    // An author cannot write a form; this is the most that a page in the sandbox could send.
    await page.evaluate(
      `{ const form = document.createElement('form'); form.method = 'post'; form.action = ${JSON.stringify(signOut)}; document.body.append(form); form.submit() }`,
    )
    await page.waitForURL('**/sign-out')
    assert.match(await page.textContent('body').then(String), /Another page sent this request/)
    complaints.length = 0
    await page.goto(signOut)
    assert.notEqual(await page.evaluate('origin'), 'null')
    await page.click('main button')
    await page.waitForSelector('h1:has-text("signed out")')
    assert.deepEqual(complaints, [])
    const again = await page.goto(`${world.url}${site.base}pro`)
    assert.equal(again?.status(), 401)
    await leave(page)
  })
})

test('a site on its own host is not in a sandbox, and files are in their own', async () => {
  await site.set({ visibility: 'public' })
  const { host } = new URL(site.address)
  const own = await fetch(`${world.url}/sandbox/`, { headers: { host } }).catch(() => undefined)
  const policy = own?.headers.get('content-security-policy') ?? ''
  assert(!policy.includes('sandbox'))
  assert.match((await site.get('')).headers.get('content-security-policy')!, /; sandbox allow-scripts [^;]*$/)
  assert.doesNotMatch((await site.get('')).headers.get('content-security-policy')!, /allow-same-origin/)
  assert.match((await site.get('nothing')).headers.get('content-security-policy')!, /sandbox/)
})
