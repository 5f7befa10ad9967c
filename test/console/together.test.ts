/** Several people, programs and disturbances at one page: no word is lost. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { type CrashingServer, startCrashingServer } from '../crashing.ts'
import { inLongRun, timesOf } from '../effort.ts'
import { axeFindings, DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { PASSWORD, signIn, withPassword } from './pages.ts'

/** For so long people write in each test. */
const WRITING_MS = timesOf(60, 2) * 1000
const START = 'The first line has some words to write between.'
const MORE = 'And so has the second line, of which there is one more than of the first.'

/** Changes a caret’s place: to the beginning of a random word of a random paragraph, or of one paragraph. */
const PLACE_CARET = (inOne: boolean) => `(() => {
  const writing = document.querySelector('.writing')
  const walker = document.createTreeWalker(${inOne ? "writing.querySelector('p')" : 'writing'}, NodeFilter.SHOW_TEXT)
  const places = []
  while (walker.nextNode())
    for (const { index } of walker.currentNode.data.matchAll(/(?<= )\\S/g)) places.push([walker.currentNode, index])
  const place = places[Math.floor(Math.random() * places.length)]
  if (!place) return false
  writing.focus()
  getSelection().collapse(...place)
  return true
})()`

const STATE = `document.querySelector('.save-state')?.textContent`
const TEXT = `[...document.querySelectorAll('.writing > p')].map((one) => one.innerText.trim()).filter(Boolean).join('\\n')`

describe('writing together', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  async function signedIn(server: CrashingServer) {
    const { page } = await openPage(browser, DEVICES[0]!)
    const { email } = await server.call<{ email: string }>('GET', '/user')
    await signIn(page, `http://localhost:${server.env.PORT}`, email)
    return page
  }

  /** A page of a change request, open in these browsers. */
  async function opened(server: CrashingServer, writers: Page[]) {
    const { items } = await server.call<{ items: { id: string }[] }>('GET', '/orgs')
    const space = await server.call<{ id: string }>('POST', `/orgs/${items[0]!.id}/spaces`, { title: 'Here' })
    const change = `/spaces/${space.id}/change-requests`
    await server.call('POST', change, { subject: 'Together' })
    const content = `${change}/1/content`
    const document = { markdown: `# Home\n\n${START}\n\n${MORE}\n` }
    await server.call('POST', content, { changes: [{ operation: 'insert_page', document }] })
    const { pages } = await server.call<{ pages: { id: string; path: string }[] }>('GET', `${content}/pages`)
    for (const writer of writers) {
      await writer.goto(
        `http://localhost:${server.env.PORT}/app/s/${space.id}/~/changes/1/edit/${pages[0]!.path}`,
      )
      await writer.waitForSelector('.writing')
    }
    return { writers, content, change: `${change}/1`, page: pages[0]!.id }
  }

  type Opened = Awaited<ReturnType<typeof opened>>

  /** Types words until the time is over, and settles conflicts as they come. @returns the words */
  async function write(page: Page, name: string, until: number, inOne: boolean): Promise<string[]> {
    const words: string[] = []
    while (Date.now() < until || words.length < 3) {
      await settle(page)
      if (!(await page.evaluate(PLACE_CARET(inOne)))) continue
      const word = `${name}${words.length}`
      await page.keyboard.type(`${word} `)
      words.push(word)
      if (!inOne && words.length % 7 === 0) await page.keyboard.press('Enter')
      // A person thinks now and then, and the page is saved.
      if (words.length % 5 === 0) await wait(300 * Math.random())
    }
    return words
  }

  async function settle(page: Page): Promise<void> {
    const both = page.getByRole('button', { name: 'Keep both' })
    if (await both.isEnabled({ timeout: 100 }).catch(() => false)) await both.click()
  }

  /** Writes with the API, on what it has read last. */
  async function writeByApi(server: CrashingServer, { content, change, page }: Opened, until: number) {
    const words: string[] = []
    while (Date.now() < until) {
      const { revision } = await server.call<{ revision: string }>('GET', change)
      const { markdown } = await server.call<{ markdown: string }>(
        'GET',
        `/spaces/${change.split('/')[2]}/revisions/${revision}/page/${page}?format=markdown`,
      )
      await wait(200)
      const word = `api${words.length}`
      const changed = markdown.replace(/ (?=\S+$)/m, ` ${word} `)
      const sent = server.call('POST', content, {
        revision,
        changes: [{ operation: 'update_page', page, document: { markdown: changed } }],
      })
      if (await sent.then(Boolean, () => false)) words.push(word)
    }
    return words
  }

  /** Everything is saved and shown to everybody, and has all words. */
  async function holdsAll(server: CrashingServer, { writers, content, page }: Opened, words: string[]) {
    const end = Date.now() + 60_000
    for (;;) {
      for (const writer of writers) await settle(writer)
      const states = await Promise.all(writers.map((writer) => writer.evaluate(STATE)))
      const texts = await Promise.all(writers.map((writer) => writer.evaluate<string>(TEXT)))
      if (states.every((one) => one === 'Saved') && texts[0] === texts[1]) break
      if (Date.now() > end) assert.fail(`${states.join(', ')}\n${texts.join('\n\n')}`)
      await wait(100)
    }
    const { markdown } = await server.call<{ markdown: string }>(
      'GET',
      `${content}/page/${page}?format=markdown`,
    )
    const found = new Set(markdown.match(/\w+/g))
    const written = new Set([...words, ...`# Home ${START} ${MORE}`.match(/\w+/g)!])
    const lost = written.difference(found)
    // What is there but was not written: parts of a word whose letters went to two places.
    const parts = found.difference(written)
    assert(lost.size === 0, `lost: ${[...lost].join()}; not written: ${[...parts].join()}\n${markdown}`)
  }

  test('loses no word', { timeout: 600_000 }, async (t) => {
    const server = await startCrashingServer(t, { LECTERN_RATE_LIMIT: '1000000' })
    await server.call('PUT', '/account/password', { password: PASSWORD })
    const writers = [await signedIn(server), await signedIn(server)]

    async function run(inOne: boolean, disturb: (here: Opened, until: number) => Promise<string[]>) {
      const here = await opened(server, writers)
      const until = Date.now() + WRITING_MS
      const words = await Promise.all([
        write(writers[0]!, 'one', until, inOne),
        write(writers[1]!, 'two', until, inOne),
        disturb(here, until),
      ])
      await holdsAll(server, here, words.flat())
    }

    await t.test('of two people in one page, and of a program', () =>
      run(false, (here, until) => writeByApi(server, here, until)),
    )

    await t.test('of two people in one paragraph', { skip: inLongRun }, () => run(true, async () => []))

    await t.test('while the server is killed, and one of them is without a network', () =>
      run(false, async (_here, until) => {
        do {
          await wait(WRITING_MS / 8)
          await writers[0]!.context().setOffline(true)
          await wait(WRITING_MS / 8)
          await server.kill()
          await server.restart()
          await writers[0]!.context().setOffline(false)
        } while (Date.now() < until - WRITING_MS / 4)
        return []
      }),
    )
    for (const writer of writers) await leave(writer)
  })
})

describe('who else is here', { skip: WITHOUT_BROWSER }, () => {
  test('people see each other, and the block on which the other works', async () => {
    const world = await createWorld()
    const browser = await openBrowser()
    await Promise.all(['ann', 'bob'].map((name) => withPassword(world, name)))
    const files = { 'README.md': '# Home\n\nFirst.\n\nSecond.\n' }
    const { spaceId } = await spaceWith(world, archiveOf(files), 'Handbook')
    const [ann, bob] = (await Promise.all(
      ['ann', 'bob'].map(async (name) => {
        const { page } = await openPage(browser, DEVICES[0]!)
        await signIn(page, world.url, `${name}@example.com`)
        return page
      }),
    )) as [Page, Page]
    const home = `${world.url}/app/s/${spaceId}`
    await ann.goto(home)
    await ann.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(await ann.locator('.faces').count(), 0)
    await bob.goto(home)
    await ann.getByText('bob: is reading').waitFor({ state: 'attached' })
    await bob.getByRole('button', { name: 'Edit', exact: true }).click()
    await bob.locator('.writing').waitFor()
    await ann.getByText('bob: is writing').waitFor({ state: 'attached' })
    await ann.goto(bob.url())
    await bob.getByText('ann: is writing').waitFor({ state: 'attached' })
    await bob.locator('.writing > p').last().click()
    await ann.locator('.writing > p.worked-on[data-who=bob]', { hasText: 'Second.' }).waitFor()
    assert.deepEqual(await axeFindings(ann), [])
    await bob.keyboard.press('End')
    await bob.keyboard.type(' And more.')
    // The mark stays when the block changes.
    await ann.locator('.writing > p.worked-on', { hasText: 'Second. And more.' }).waitFor()
    await leave(bob)
    await ann.locator('.faces').waitFor({ state: 'detached' })
    assert.equal(await ann.locator('.worked-on').count(), 0)
    await leave(ann)
    await browser.close()
  })
})
