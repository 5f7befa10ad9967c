/** Every role walks through every screen by its links, and opens every dialog and menu: nothing is refused or missing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { isLongRun, triesOnce } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { leave, openBrowser, openPage, DEVICES, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { openerKind, type Walk, walkOn } from './every-screen.ts'
import { PASSWORD, withPassword } from './pages.ts'

/** Each may do what those before it may, and more. */
const ROLES = ['none', 'guest', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const
type Walker = (typeof ROLES)[number]

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const people = new Map<Walker, string>()
for (const role of ROLES) {
  const { person, email } = await withPassword(world, `walker-${role}`)
  people.set(role, email)
  const inRole = role === 'guest' || role === 'none' ? null : role
  assert.equal((await ada(`PATCH ${org}/members/${person.id}`, { role: inRole })).status, 200)
}

// A small organization: a space of the top level, one in a collection, a proposal, a site, a team, a field.
const ARCHIVE = archiveOf({
  'README.md': '# Start\n\nRead [more](more.md) and [nothing](missing.md).\n\n![](a.svg)\n',
  'more.md': '# More\n\nText.\n',
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
})
const { spaceId } = await spaceWith(world, ARCHIVE, 'Walked')
const collection = (await ada(`POST ${org}/collections`, { title: 'Shelf' })).body
await ada(`POST ${org}/spaces`, { title: 'Inside', parent: collection.id })
await publish(world, spaceId, 'Walks')
await ada(`PUT ${org}/teams`, { title: 'Walkers' })
await ada(`POST ${org}/custom-fields`, { name: 'owner', title: 'Owner', type: 'text' })
const { number } = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Steps' })).body
await ada(`PATCH /v1/spaces/${spaceId}/change-requests/${number}`, { status: 'open' })
await ada(`POST /v1/spaces/${spaceId}/change-requests/${number}/comments`, { body: { markdown: 'Hm.' } })
const guest = people.get('guest')
const { items: members } = (await ada(`GET ${org}/members?limit=100`)).body
const guestId = members.find((one: { user: { email: string; id: string } }) => one.user.email === guest).user
  .id
await ada(`POST /v1/spaces/${spaceId}/permissions`, { users: [guestId], role: 'comment' })

/** The walk of a person, and what went wrong on it. */
interface WalkInRole {
  page: Page
  walk: Walk
  faults: string[]
}

/** One screen of each kind is enough: the address without ids. */
const kindOf = (path: string) =>
  path.replace(/[?#].*/, '').replaceAll(/(?<=\/)([0-9a-z]{20,26}|\d+)(?=\/|$)/g, '*')

describe('every role walks through the console', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** The kinds of buttons that a role has opened, by the kind of their screen. */
  const openedByOthers = new Map<string, Set<string>>()
  const openedOn = (kind: string) => {
    // What a role may open, a role with more permissions may too, so CI opens it in the first that has the button.
    const known = (triesOnce() && openedByOthers.get(kind)) || new Set<string>()
    openedByOthers.set(kind, known)
    return known
  }

  for (const role of isLongRun() ? ROLES : (['edit'] as const))
    test(role, async () => {
      const { page, complaints } = await openPage(browser, DEVICES[0]!)
      const faults: string[] = []
      const walk = walkOn(page)
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        const [status, request] = [response.status(), response.request()]
        // What does not exist yet is a state of a screen: no draft of a review, no schema, no source.
        if (status >= 400 && status !== 404)
          faults.push(`${status} ${request.method()} ${pathname} on ${new URL(page.url()).pathname}`)
      })
      await page.goto(`${world.url}/sign-in`)
      await page.fill('#email', people.get(role)!)
      await page.fill('#password', PASSWORD)
      await page.click('button.main')
      await page.waitForURL('**/app**')
      await page.getByRole('heading', { level: 1 }).waitFor()

      const seen = new Set<string>()
      await openEach({ page, walk, faults }, 'header', '/app')
      const ahead = ['/app']
      for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
        if (seen.has(kindOf(path))) continue
        seen.add(kindOf(path))
        await show(page, walk, path)
        const failed = await page.locator('.failure').allInnerTexts()
        if (failed.length > 0) faults.push(`${path}: ${failed.join(' ')}`)
        ahead.push(...(await linksOf(page)))
        await openEach({ page, walk, faults }, '#main', path)
      }
      faults.push(...complaints.filter((text) => !text.includes('status of 404')))
      assert.deepEqual(faults, [])
      assert(seen.size >= (role === 'none' ? 3 : 8), [...seen].join('\n'))
      await leave(page)
    })

  /** Opens a screen, and waits until it has everything. It may show a failure, which is then a fault. */
  async function show(page: Page, walk: Walk, path: string) {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await walk.settled()
  }

  async function linksOf(page: Page): Promise<string[]> {
    const links = await page
      .locator('a[href^="/app"]')
      .evaluateAll((all) =>
        all.map((one) => (one as unknown as { getAttribute(name: string): string }).getAttribute('href')),
      )
    return links.filter((link) => !link.startsWith('/app/me'))
  }

  /** Opens a dialog or menu of each kind within a part of the screen, and closes it again. */
  async function openEach({ page, walk, faults }: WalkInRole, within: string, path: string) {
    const buttons = page
      .locator(within)
      .locator(
        'button[aria-haspopup]:visible:enabled, button[aria-expanded="false"]:visible:enabled, summary:visible',
      )
    const count = Math.min(await buttons.count(), 40)
    const opened = openedOn(`${within} ${kindOf(path)}`)
    for (let at = 0; at < count; at++) {
      const button = buttons.nth(at)
      if (!(await button.isVisible())) continue
      const kind = await button.evaluate(openerKind)
      if (opened.has(kind)) continue
      opened.add(kind)
      await button.click()
      await walk.settled()
      const failed = await page.locator('.failure, .refusal').allInnerTexts()
      if (failed.length > 0) faults.push(`${path}, button ${at}: ${failed.join(' ')}`)
      if (await page.getByRole('dialog').or(page.getByRole('menu')).first().isVisible())
        await page.keyboard.press('Escape')
    }
  }
})
