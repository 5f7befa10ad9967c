/** Every screen of the console on every device: accessible, within its budget, and usable when it is enlarged. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { bundleConsole } from '../../src/console/build/bundle.ts'
import { shareOf } from '../effort.ts'
import {
  axeFindings,
  COLOUR_RULES,
  type Device,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { addressesOfScreens, REPEATED, walkOn } from './every-screen.ts'
import { complaintsOf, showSidebar, withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

/** With the English texts and the styles of all screens. */
const FIRST_LOAD = 203_000
/** Tabs and expandable blocks are drawn with the text, so that it does not move when their parts are loaded. */
const EDITOR = 137_500
const RESPONSE = 100_000

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${ann.id}`, { role: 'admin' })

describe('the screens of the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let screens: string[]
  before(async () => {
    browser = await openBrowser()
    screens = await addressesOfScreens(world, ann)
    assert(screens.length > 20)
  })
  after(() => browser?.close())

  const open = async (device: Device) => {
    const { page } = await openSignedIn(browser, world, email, device)
    page.setDefaultTimeout(30_000)
    await page.goto(`${world.url}/app`)
    if (device.width >= 1024) await showSidebar(page)
    return { page, complaints: complaintsOf(page), walk: walkOn(page) }
  }
  const looksOf = async (page: Page, what: string, rules?: readonly string[]) => {
    const findings = await axeFindings(page, undefined, rules, REPEATED)
    return [...findings.map((one) => `${what}: ${one}`), ...(await widthOf(page, what))]
  }
  const widthOf = async (page: Page, what: string) =>
    (await sidewaysScroll(page)) === 0 ? [] : [`${what}: it scrolls sideways`]

  // The colours change while a screen is open.
  const devices = [DEVICES[0]!, DEVICES[2]!]
  for (const [index, device] of devices.entries())
    test(`${device.name}: every screen is accessible and fits, on a laptop also when everything is twice as large`, async () => {
      const { page, complaints, walk } = await open(device)
      const found: string[] = []
      const examined = new Set(shareOf(screens, index, devices.length))
      for (const path of screens) {
        await walk.show(path)
        if (examined.has(path)) {
          found.push(...(await looksOf(page, path)))
          await page.emulateMedia({ colorScheme: 'dark' })
          found.push(...(await looksOf(page, `${path}, dark`, COLOUR_RULES)))
          await page.emulateMedia({ colorScheme: device.theme })
        } else found.push(...(await widthOf(page, path)))
        if (device.width < 800) continue
        await page.setViewportSize({ width: 640, height: 400 })
        await walk.settled()
        found.push(...(await outOfReach(page, `${path}, enlarged`)))
        await page.setViewportSize({ width: device.width, height: device.height })
      }
      assert.deepEqual([...found, ...complaints], [])
      await leave(page)
    })

  test('a text from right to left is written and read from right to left', async () => {
    const { page, walk } = await open(DEVICES[0]!)
    const edit = screens.find((path) => path.endsWith('/edit/long'))!
    for (const path of [edit.replace(/long$/, 'arabic'), edit.replace(/~.*/, 'arabic')]) {
      await walk.show(path)
      await page.locator('.prose p', { hasText: 'English' }).waitFor()
      const direction = await page.evaluate(
        `getComputedStyle(document.querySelector('.prose > p')).direction`,
      )
      assert.equal(direction, 'rtl', path)
    }
    await leave(page)
  })

  test('nothing on the first screen moves while its parts load, and a phone names the screen it shows', async () => {
    const { page, complaints } = await open(DEVICES[2]!)
    const late = (pattern: string, ms: number) =>
      page.route(pattern, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        await route.continue()
      })
    const { body: space } = await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, {
      title: 'Reviews',
    })
    const requests = `/v1/spaces/${space.id}/change-requests`
    const { body: asked } = await world.ada(`POST ${requests}`, { subject: 'Asked' })
    const sent = await world.ada(`POST ${requests}/${asked.number}/requested-reviewers`, { users: [ann.id] })
    assert(sent.status < 300, sent.text)
    // Home lists what waits for a review below the notifications, unless one of them names it.
    await ann('PATCH /v1/user/notifications', { read: true })
    await late('**/v1/user/notifications*', 200)
    await late('**/change-requests?*', 500)
    await page.goto(`${world.url}/app`)
    const spaces = page.getByRole('list', { name: 'Spaces' })
    await spaces.waitFor()
    const top = async () => (await spaces.boundingBox())!.y
    const place = await top()
    await page.getByRole('heading', { name: 'Waiting for your review' }).waitFor()
    assert.equal(await top(), place)

    await page.unrouteAll()
    const title = 'Notes'
    await ann(`POST /v1/orgs/${world.organizationId}/spaces`, { title })
    await page.reload()
    await page.getByRole('list', { name: 'Spaces' }).getByRole('link', { name: title, exact: true }).click()
    const last = page.locator('.trail > :last-child', { hasText: title })
    await last.waitFor()
    assert(
      await last.evaluate((one) => one.scrollWidth <= one.clientWidth),
      'the name of the screen is whole',
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the interface is mirrored in a language that is written from right to left', async () => {
    const { page, complaints, walk } = await open(DEVICES[0]!)
    // English in Arabic script: the direction is that of the script, and the console has the words.
    await page.route('**/v1/user', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), language: 'en-Arab' } })
    })
    await page.reload()
    await page.locator('html[dir=rtl][lang=en-Arab]').waitFor()
    const boxOf = async (selector: string) => {
      const { x, width } = (await page.locator(selector).first().boundingBox())!
      return { start: x, end: x + width }
    }
    const directionOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`)
    const found: string[] = []
    // What axe finds on a screen hardly depends on the direction.
    const examined = new Set(shareOf(screens, 0, 4))
    // The page to read and the one to write are looked at more closely on a laptop.
    const [long, others] = [
      screens.filter((path) => path.endsWith('/long')),
      screens.filter((path) => !path.endsWith('/long')),
    ]
    for (const [index, device] of devices.entries()) {
      await page.setViewportSize({ width: device.width, height: device.height })
      for (const path of [...long, ...shareOf(others, index, devices.length)]) {
        await walk.show(path)
        const looks = examined.has(path) ? looksOf(page, path) : widthOf(page, path)
        found.push(...(await looks), ...(await outOfReach(page, path)))
        if (/\/sites\/\w+$/.test(path))
          assert((await boxOf('.row-grip')).start >= (await boxOf('.row-grip ~ a')).end, 'the grip is first')
        if (path.endsWith('/people'))
          assert.equal(
            await page.evaluate(
              `getComputedStyle(document.querySelector('.role-field .select'), '::after').borderRightWidth`,
            ),
            '2px',
            'the arrow of a choice points downwards',
          )
        const isRead = path.endsWith('/long') && !path.includes('~')
        if (device.width < 800 || !(isRead || path.endsWith('/edit/long'))) continue
        const text = isRead ? '.prose' : '.writing'
        assert((await boxOf('.page-tree')).start > (await boxOf(text)).end, 'the tree is on the right')
        assert.equal(await directionOf(text), 'ltr')
        if (!isRead) continue
        await page.locator('.margin-card[data-placed]').waitFor()
        assert((await boxOf('.margin-card')).end < (await boxOf(text)).start, 'the margin is on the left')
        assert.equal(await directionOf('.margin-card'), 'rtl')
        for (const part of ['.doc', 'blockquote']) assert.equal(await directionOf(`.thread ${part}`), 'ltr')
      }
    }
    assert.equal(await page.locator('html[dir=rtl][lang=en-Arab]').count(), 1)
    assert.deepEqual([...found, ...complaints], [])
    await leave(page)
  })

  test('opening a page gets no large response', async () => {
    const { page } = await open(DEVICES[0]!)
    const sizes: Promise<[path: string, size: number]>[] = []
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname
      const request = response.request()
      if (path.startsWith('/v1/') && !path.endsWith('/events'))
        sizes.push(request.sizes().then(({ responseBodySize }) => [path, responseBodySize]))
    })
    const edit = screens.find((path) => path.endsWith('/edit/long'))!
    for (const path of [edit, edit.replace(/~.*/, 'long')]) {
      await page.goto(`${world.url}/app${path}`)
      await page.locator('.prose p', { hasText: 'Paragraph 299' }).waitFor()
    }
    const all = await Promise.all(sizes)
    assert(all.length > 5)
    assert.deepEqual(
      all.filter(([, size]) => size > RESPONSE),
      [],
    )
    await leave(page)
  })
})

test('the console loads little at first, and little more to write', async () => {
  const { files, script, styles } = await bundleConsole(undefined)
  const sizeOf = (name: string) =>
    brotliCompressSync(files.get(name)!.text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length
  /** The scripts that a script needs before it runs. */
  const needed = (name: string, known = new Set<string>()): Set<string> => {
    if (known.has(name)) return known
    known.add(name)
    for (const [, other] of files.get(name)!.text.matchAll(/(?:from|import)"\.\/([^"]+)"/g))
      needed(other!, known)
    return known
  }
  const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + sizeOf(name), 0)
  // The script of the page loads the rest of the program.
  const program = [...files].find(([, { text }]) => text.includes('querySelector("#app")'))![0]
  const first = needed(program, needed(script))
  const atFirst = sum([...first, styles])
  assert(atFirst <= FIRST_LOAD, `the first load has ${atFirst} bytes`)
  const editor = [...files.keys()].find((name) => /^page-editor-.*\.js$/.test(name)) ?? editorOf(files)
  const more = sum([...needed(editor)].filter((name) => !first.has(name)))
  assert(more <= EDITOR, `the editor has ${more} bytes`)
})

/** The script that defines the editor of a page. */
function editorOf(files: ReadonlyMap<string, { text: string }>): string {
  for (const [name, { text }] of files) if (/as PageEditor\b/.test(text)) return name
  return assert.fail('there is no editor')
}

/** What one cannot get at when everything is large: by scrolling down only. */
async function outOfReach(page: Page, path: string): Promise<string[]> {
  const hidden = await page.evaluate<string[]>(UNREACHABLE)
  if ((await sidewaysScroll(page)) !== 0) hidden.push('it scrolls sideways')
  return hidden.map((one) => `${path}: ${one}`)
}

/** The buttons, links and fields that are outside of what can be scrolled to. */
const UNREACHABLE = `[...document.querySelectorAll('a[href], button, input, select, textarea')].flatMap((one) => {
  const { left, right, width } = one.getBoundingClientRect()
  if (width === 0 || one.closest('.unseen, .skip, [aria-hidden="true"]') || one.className.includes('skip')) return []
  let parent = one.parentElement
  while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowX)) parent = parent.parentElement
  return !parent && (left < -1 || right > innerWidth + 1) ? [one.outerHTML.slice(0, 120)] : []
})`
