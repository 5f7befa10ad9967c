/** What the screens show while the server refuses what they read, and without a network. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, DEVICES, drawn, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { addressesOfScreens, walkOn } from './every-screen.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${ann.id}`, { role: 'admin' })

const MESSAGE = 'The cellar is under water'
const REFUSED = { error: { code: 400, message: MESSAGE } }
const REFUSAL = { status: 400, json: REFUSED }
const NESTED = {
  'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Inner](inner.md)\n',
  'README.md': '# Home\n',
  'guide.md': '# Guide\n',
  'inner.md': '# Inner\n',
}
/** A screen that says nothing in this time never will. */
const WAIT_MS = 60_000
/** The frame around the screens reads these. */
const OF_FRAME = /\/v1\/(?:user|orgs)(?:\?|$)/
/** The screens that read nothing else, by their paths. */
const OF_FRAME_ONLY = new Set(['/', '/search'])
/**
 * Refuses in the page itself what a screen reads. A route would cost much more: with one, the browser asks the test about
 * each request, and loads and compiles the console again for each screen.
 */
const REFUSE_READS = `{
  const { fetch } = globalThis
  globalThis.isRefusing = true
  globalThis.fetch = (url, options) =>
    globalThis.isRefusing && options?.method === 'GET' && !${String(OF_FRAME)}.test(url)
      ? Promise.resolve(Response.json(${JSON.stringify(REFUSED)}, { status: 400 }))
      : fetch(url, options)
}`

describe('screens that cannot read what they show', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let screens: string[]
  before(async () => {
    browser = await openBrowser()
    screens = await addressesOfScreens(world, ann)
  })
  after(() => browser?.close())

  const opened = async () => {
    const { page } = await openSignedIn(browser, world, email, DEVICES[0])
    await page.goto(`${world.url}/app`)
    // Before the console has begun, nothing is loading either.
    await page.locator('#main h1').first().waitFor({ state: 'attached' })
    await walkOn(page).settled()
    return { page }
  }

  test('every screen says why it is empty, and shows what is there once it can be read again', async () => {
    const { page } = await opened()
    const refusing = await page.addInitScript(REFUSE_READS)
    const silent: string[] = []
    const stuck: string[] = []
    for (const path of screens.filter((one) => !OF_FRAME_ONLY.has(one))) {
      await page.goto(`${world.url}/app${path}`)
      const message = page.locator('#main').getByText(MESSAGE).first()
      const isSaid = await message.waitFor({ timeout: WAIT_MS }).then(
        () => true,
        () => false,
      )
      if (!isSaid) silent.push(path)
      await page.evaluate('globalThis.isRefusing = false')
      if (!isSaid) continue
      const again = page.getByRole('button', { name: 'Try again' })
      const end = Date.now() + WAIT_MS
      // Once the screen can be read, a part of it may say that it was refused before.
      let calm = 0
      while (calm < 3 && Date.now() < end) {
        calm = (await message.count()) === 0 ? calm + 1 : 0
        // The button may go while it is being clicked, and a click that follows too soon breaks off what the last one began.
        if ((await again.count()) > 0)
          await again
            .first()
            .click({ timeout: 2000 })
            .then(() => message.waitFor({ state: 'detached', timeout: 2000 }))
            .catch(() => {})
        await drawn(page)
      }
      if (calm < 3) stuck.push(path)
    }
    assert.deepEqual({ silent, stuck }, { silent: [], stuck: [] })
    await refusing.dispose()
    await leave(page)
  })

  test('a part that fails says so alone, and is read again when somebody presses the button', async () => {
    const { spaceId } = await spaceWith(world, archiveOf(NESTED), 'Nested')
    const { revision } = (await world.ada(`GET /v1/spaces/${spaceId}`)).body
    const { page } = await opened()
    const refuse = (path: RegExp) => page.route(path, (route) => route.fulfill(REFUSAL))
    const again = async (part: Locator) => {
      await part.getByText(MESSAGE).waitFor()
      await page.unrouteAll()
      const button = part.getByRole('button', { name: 'Try again' })
      assert.equal(await button.count(), 1)
      await button.click()
    }

    // The page of an address without a path is known once the way to the first page has been read.
    for (const address of [`/s/${spaceId}`, `/s/${spaceId}/~/revisions/${revision}`]) {
      await refuse(/\/outline\?.*\bpath=/)
      await page.goto(`${world.url}/app${address}`)
      await again(page.locator('article'))
      await page.locator('article h1', { hasText: 'Home' }).waitFor()
      await walkOn(page).settled()

      const tree = page.locator('nav.page-tree')
      await refuse(/\/outline\?.*\bparent/)
      await tree.getByRole('button', { name: 'Pages below Guide' }).click()
      await again(tree)
      await tree.getByRole('link', { name: 'Inner' }).waitFor()
      assert.equal(await page.getByText(MESSAGE).count(), 0)
    }
    await leave(page)
  })

  test('without a network, a line says so until it is back', async () => {
    const { page } = await opened()
    const line = page.getByText('There is no network. The console goes on when it is back')
    assert.equal(await line.count(), 0)
    await page.context().setOffline(true)
    await line.waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.context().setOffline(false)
    await line.waitFor({ state: 'detached' })
    await leave(page)
  })
})
