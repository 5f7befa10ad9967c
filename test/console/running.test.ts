/** What keeps an organization running, in a browser: collections, sites with redirects and numbers, tokens, a profile. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import {
  copiedText,
  axeFindings,
  DEVICES,
  drawn,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { chooseRole, PASSWORD, withPassword } from './pages.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const { email, person: ann } = await withPassword(world, 'ann')
assert.equal((await ada(`PATCH ${org}/members/${ann.id}`, { role: 'admin' })).status, 200)
const { spaceId } = await spaceWith(
  world,
  archiveOf({ 'README.md': '# Start\n\nText.\n', 'install.md': '# Install\n\nText.\n' }),
  'Handbook',
)
const { siteId } = await publish(world, spaceId, 'Guide')
const site = `${org}/sites/${siteId}`
const second = (await ada(`POST ${org}/spaces`, { title: 'Runbooks' })).body

describe('running an organization in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signIn = async (page: Page, path: string) => {
    await page.goto(`${world.url}/sign-in?next=${encodeURIComponent(path)}`)
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.waitForURL(`**${path}`)
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const look = async (page: Page, what: string) => {
    assert.deepEqual(await axeFindings(page), [], what)
    assert.equal(await sidewaysScroll(page), 0, what)
  }

  const untilAsync = async (isTrue: () => Promise<boolean>, what: string) => {
    for (let tries = 0; tries < 100; tries++) {
      if (await isTrue()) return
      await setTimeout(50)
    }
    assert.fail(what)
  }

  test('collections hold spaces and each other, and can be shared and deleted', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, `/app/o/${organizationId}`)
    await press(page, 'New collection')
    await page.getByLabel('Title').fill('Engineering')
    await press(page, 'Create')
    await page.waitForURL('**/app/c/*')
    const id = page.url().split('/').at(-1)!
    await press(page, 'New collection')
    await page.getByLabel('Title').fill('Backend')
    await press(page, 'Create')
    await page.getByRole('heading', { name: 'Backend', level: 1 }).waitFor()

    // A space moves into the collection.
    await page.goto(`${world.url}/app/s/${second.id}/~/settings`)
    await page.getByLabel('Collection').selectOption({ label: 'Engineering / Backend' })
    await press(page, 'Move')
    await page.getByText('Saved').waitFor()
    await page.goto(`${world.url}/app/o/${organizationId}`)
    await page.locator('.rows .rows .rows').getByRole('link', { name: 'Runbooks' }).waitFor()
    await look(page, 'collections')

    // It is dragged out of the collection, and back; the toast takes that back, and a dialog does the same.
    const placeOfRunbooks = async () => (await ada(`GET /v1/spaces/${second.id}`)).body.parent as string
    const backend = await placeOfRunbooks()
    const row = (name: string) => page.locator('.dragged-row', { hasText: name })
    const within = (parent: string | undefined) =>
      untilAsync(async () => (await placeOfRunbooks()) === parent, `Runbooks are in ${parent}`)
    await row('Runbooks').dragTo(row('Handbook'))
    await within(undefined)
    await page.locator('.screen > section > .rows > li > div', { hasText: 'Runbooks' }).waitFor()
    await row('Runbooks').dragTo(row('Backend'))
    await within(backend)
    await page.getByText('“Runbooks” was moved').last().waitFor()
    // The row of before stays until the page has read the places again.
    await page.locator('.rows .rows .rows').getByRole('link', { name: 'Runbooks' }).waitFor()
    await look(page, 'a moved space')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await within(undefined)
    // Its row is another one there, and a dialog of the row that goes would go with it.
    await page.locator('.screen > section > .rows > li > div', { hasText: 'Runbooks' }).waitFor()
    await press(page, 'Move… Runbooks')
    await page.getByLabel('Collection').selectOption({ label: 'Engineering / Backend' })
    await inDialog(page, 'Move')
    await within(backend)
    // A collection does not go into one that it holds.
    await row('Engineering').dragTo(row('Backend'))
    assert.equal((await ada(`GET /v1/collections/${id}`)).body.parent, undefined)

    // The order in a collection: by dragging, by buttons that keep the focus, and by keys.
    for (const title of ['Alpha', 'Beta', 'Gamma'])
      await ada(`POST ${org}/spaces`, { title, parent: backend })
    await page.goto(`${world.url}/app/c/${backend}`)
    const order = (titles: string) =>
      untilAsync(async () => {
        const { items } = (await ada(`GET /v1/collections/${backend}/spaces`)).body
        return items.map((one: { title: string }) => one.title[0]).join('') === titles
      }, titles)
    await row('Gamma').dragTo(row('Runbooks'), { targetPosition: { x: 90, y: 2 } })
    await order('GRAB')
    await untilTrue(page, `document.querySelector('.dragged-row').textContent.includes('Gamma')`)
    await page.getByRole('button', { name: 'Move Gamma down' }).focus()
    await page.keyboard.press('Enter')
    await order('RGAB')
    await untilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Move Gamma down'`)
    await page.keyboard.press('Alt+ArrowDown')
    await order('RAGB')
    await look(page, 'a collection in order')

    // The way back leads to the place among the others, also from a screen that does not show their order.
    await page.goto(`${world.url}/app/o/${organizationId}`)
    const isInside = (name: string) => page.locator('.rows .rows .rows').getByRole('link', { name }).waitFor()
    const isOutside = (name: string) =>
      page.locator('.screen > section > .rows > li > div', { hasText: name }).waitFor()
    const undo = (name: string) =>
      page.locator('.toast', { hasText: name }).getByRole('button', { name: 'Undo' }).click()
    await isInside('Alpha')
    await row('Alpha').dragTo(row('Handbook'))
    await order('RGB')
    await isOutside('Alpha')
    // The one that came next goes away, too.
    await row('Gamma').dragTo(row('Handbook'))
    await order('RB')
    await isOutside('Gamma')
    await undo('Alpha')
    await order('RAB')
    await undo('Gamma')
    await order('RAGB')

    await page.goto(`${world.url}/app/c/${id}/share`)
    await chooseRole(page, 'All other members', 'Reader')
    await page.getByText('Everyone who can see this collection').waitFor()
    await look(page, 'sharing a collection')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Description').fill('Everything that runs')
    await press(page, 'Save')
    await page.getByText('Saved').waitFor()
    const collection = (await ada(`GET /v1/collections/${id}`)).body
    assert.deepEqual([collection.defaultLevel, collection.description], ['read', 'Everything that runs'])
    await press(page, 'Delete Engineering')
    await inDialog(page, 'Delete')
    await page.waitForURL(`**/app/o/${organizationId}`)
    assert.equal((await ada(`GET /v1/collections/${id}`)).status, 404)
    assert.deepEqual(complaints, [])
    await leave(page)
    assert.equal((await ada(`POST /v1/spaces/${second.id}/restore`)).status, 200)
  })

  test('a site gets sections, groups, redirects and an announcement', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, `/app/o/${organizationId}/sites/${siteId}`)
    await press(page, 'Add')
    await page.getByRole('alert').filter({ hasText: 'Choose a space.' }).waitFor()
    await page.getByLabel('Add a space').selectOption({ label: 'Runbooks' })
    await page.getByLabel('Place').selectOption('new')
    await page.getByLabel('Title of the section').fill('Operations')
    await press(page, 'Add')
    await page.locator('.dragged-row', { hasText: 'Operations' }).waitFor()
    await press(page, 'New group')
    await page.getByRole('dialog').getByLabel('Title').fill('More')
    await press(page, 'Create')
    await press(page, 'Settings Operations')
    await page.getByLabel('Group').selectOption({ label: 'More' })
    await page.getByRole('dialog').getByLabel('Path').fill('ops')
    await look(page, 'the settings of a section')
    await inDialog(page, 'Save')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { structure } = (await ada(`GET ${site}/structure`)).body
    assert.deepEqual([structure[1].title, structure[1].children[0].path], ['More', 'ops'])

    const rows = page.locator('.dragged-row')
    const first = async () => (await ada(`GET ${site}/structure`)).body.structure[0].title
    // A section is dragged out of its group, and into it. A message takes it back.
    const operations = rows.filter({ hasText: 'Operations' })
    const group = rows.filter({ hasText: 'More' })
    const titles = async () => {
      const { body } = await ada(`GET ${site}/structure`)
      return body.structure.map(({ title, children }: { title: string; children?: { title: string }[] }) =>
        children ? [title, ...children.map((child) => child.title)].join(': ') : title,
      )
    }
    const order = await titles()
    await operations.dragTo(rows.first(), { targetPosition: { x: 80, y: 4 } })
    await rows.first().locator('b', { hasText: 'Operations' }).waitFor()
    assert.deepEqual(await titles(), ['Operations', order[0], 'More'])
    await operations.dragTo(group)
    await rows.last().locator('a', { hasText: 'Runbooks' }).waitFor()
    await group.locator('..').locator('.dragged-row', { hasText: 'Operations' }).waitFor()
    assert.deepEqual(await titles(), order)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await rows.first().locator('b', { hasText: 'Operations' }).waitFor()
    await operations.dragTo(group)
    await group.locator('..').locator('.dragged-row', { hasText: 'Operations' }).waitFor()

    await group.dragTo(rows.first(), { targetPosition: { x: 80, y: 4 } })
    await rows.first().locator('b', { hasText: 'More' }).waitFor()
    assert.equal(await first(), 'More')
    await look(page, 'the structure of a site')
    // What a button takes from readers, it says first.
    await press(page, 'Remove More')
    await page.getByText('Its sections stay on the site, and take its place.').waitFor()
    await inDialog(page, 'Cancel')
    assert.equal(await first(), 'More')
    await press(page, 'Move More down')
    await rows.first().locator('b', { hasText: 'More' }).waitFor({ state: 'detached' })
    assert.equal(await first(), structure[0].title)

    await page.getByRole('link', { name: 'Redirects' }).click()
    await press(page, 'New redirect')
    await page.getByLabel('Old path', { exact: true }).fill('/setup')
    await page.getByLabel('It leads to').selectOption({ label: 'Space Handbook' })
    await page.getByLabel('Page', { exact: true }).selectOption({ label: 'Install' })
    await inDialog(page, 'Save')
    await page.getByText('→ Handbook / Install').waitFor()
    await page.getByLabel('One per line').fill('/a\thttps://example.com/a\n/setup\t\n/b\t/install')
    await press(page, 'Save 3 redirects')
    await page.getByText('Created: 2. Changed: 0. Deleted: 1. Refused: 0.').waitFor()
    await page.getByLabel('Path', { exact: true }).fill('/b')
    await press(page, 'Find')
    await page
      .getByRole('status')
      .getByRole('link', { name: /\/install$/ })
      .waitFor()
    await look(page, 'redirects')

    await page.getByRole('link', { name: 'Options' }).click()
    await page.getByLabel('Show an announcement').check()
    await page.getByLabel('Text', { exact: true }).fill('Version 2 is here')
    await page.getByLabel('Readers can rate pages').check()
    await press(page, 'Save')
    await page.getByText('Saved').waitFor()
    const answer = await fetch(`${world.url}/sites/docs/guide/`)
    assert.match(await answer.text(), /Version 2 is here/)

    await page.getByRole('link', { name: 'Visitors' }).click()
    await page.getByLabel('Conditions can read').check()
    await press(page, 'Add a claim')
    await page.keyboard.type('plan')
    await page.getByLabel('Type', { exact: true }).selectOption('choice')
    await press(page, 'Save')
    await page.getByText('Write at least one value').waitFor()
    await page.getByLabel('Values, one per line').fill('free\npro')
    await press(page, 'Add a claim')
    await page.keyboard.type('beta')
    await page.getByRole('group', { name: 'beta' }).getByLabel('Visitors can set it').check()
    await page.getByRole('group', { name: 'beta' }).getByLabel('Type').selectOption('boolean')
    await press(page, 'Save')
    await page.getByText('visitor.claims.plan == "pro"').waitFor()
    await page.getByText('visitor.claims.unsigned.beta == true').waitFor()
    await look(page, 'visitors')
    await press(page, 'Edit as JSON')
    const json = page.getByLabel('Claims, as a JSON schema')
    await json.fill((await json.inputValue()).replace('"pro"', '"team"'))
    await press(page, 'Edit as a form')
    assert.equal(await page.getByLabel('Values, one per line').inputValue(), 'free\nteam')
    await press(page, 'Save')
    await page.getByText('visitor.claims.plan == "team"').waitFor()
    await leave(page)
  })

  test('insights show what visitors do', async () => {
    const paths = ['/guide/', '/guide/install', '/guide/']
    const location = { siteSection: null, siteSpace: null, siteShareKey: null, space: null, revision: null }
    const events = paths.map((path, at) => ({
      type: 'page_view',
      session: {
        visitorId: `reader-${at}`,
        sessionId: `visit-${at}`,
        cookies: {},
        language: 'de',
        userAgent: '',
        referrer: 'https://search.example.com/',
        ip: '203.0.113.9',
      },
      location: { ...location, page: null, url: `https://docs.example.com${path}` },
    }))
    assert.equal((await world.nobody(`POST ${site}/insights/events`, { events })).status, 204)
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, `/app/o/${organizationId}/sites/${siteId}/insights`)
    await page.getByRole('row', { name: '/guide/install 1' }).waitFor()
    await page.getByRole('row', { name: 'search.example.com 3' }).waitFor()
    await page.getByText('As a table').click()
    await page.getByRole('row', { name: / 3 3$/ }).waitFor()
    await page.getByRole('heading', { name: 'Where readers come from' }).waitFor()
    await look(page, 'insights')
    await page.getByLabel('Time').selectOption('last7Days')
    await page.waitForURL('**/insights?range=last7Days')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a person changes their profile, and an administrator makes a token of SCIM', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[3]!)
    await signIn(page, '/app/profile')
    await page.getByLabel('Name').fill('Ann Archer')
    await page.getByLabel('Time zone').selectOption('Asia/Shanghai')
    await press(page, 'Save')
    await page.getByRole('button', { name: /^Ann Archer/ }).waitFor()
    await page.getByLabel('E-mail about unread notifications').selectOption('daily')
    await page.getByLabel('New picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG })
    await page.getByRole('img', { name: 'Your picture' }).waitFor()
    await page.getByLabel('Colours in this browser').selectOption('light')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light')
    await look(page, 'the profile')
    const me = (await ann('GET /v1/user')).body
    assert.deepEqual([me.displayName, me.timeZone], ['Ann Archer', 'Asia/Shanghai'])
    assert.equal((await ann('GET /v1/user/notification-settings')).body.digest, 'daily')

    await page.goto(`${world.url}/app/o/${organizationId}/settings/sign-in`)
    await press(page, 'New token')
    await page.getByText(/^lec_scim_/).waitFor()
    await page.getByText('Never used').waitFor()
    await look(page, 'a new token of SCIM')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('single sign-on is required only while a provider is active, and the last of them stays', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, `/app/o/${organizationId}/settings/sign-in`)
    await page.getByText('To require this, first set up a provider below').waitFor()
    const required = page.getByLabel('Only members who sign in by a provider below')
    assert(await required.isDisabled())
    const provider = { issuer: 'https://id.example.com', clientID: 'lectern', clientSecret: 'secret' }
    const { body } = await ada(`POST ${org}/oidc`, { label: 'Door', ...provider })
    await page.reload()
    await page.getByText('Members who signed in with a password or passkey lose access').waitFor()
    assert(await required.isEnabled())
    // Whatever is entered makes a provider active: whether it works, a person has to try.
    const trying = page.getByRole('link', { name: 'Try it Door' })
    assert.match((await trying.getAttribute('href'))!, new RegExp(`/sso/${body.id}$`))

    // A session by a password would be locked out, so the console asks.
    // The token of the administrator is not authorized by the provider, so it would be refused.
    const isRequired = async () => {
      const found = world.db.read.selectFrom('organization').select('sso').where('id', '=', organizationId)
      return (await found.executeTakeFirstOrThrow()).sso === 1
    }
    const dialog = page.getByRole('dialog', { name: 'Require single sign-on and lose access here?' })
    await required.click()
    await dialog.getByText('This session loses access to the organization at once').waitFor()
    await untilTrue(page, `document.activeElement?.textContent === 'Cancel'`)
    await look(page, 'losing access')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual([await required.isChecked(), await isRequired()], [false, false])
    await required.click()
    await press(page, 'Require it and lose access')
    await page.waitForURL('**/app/me')
    assert.equal(await isRequired(), true)
    await world.db.write((tx) =>
      tx.updateTable('organization').set({ sso: 0 }).where('id', '=', organizationId).execute(),
    )

    // A session by that provider stays open, so nobody is asked.
    await world.db.write((tx) =>
      tx
        .updateTable('session')
        .set({ method: 'oidc', providerId: body.id, organizationId: organizationId })
        .where('userId', '=', ann.id)
        .execute(),
    )
    const sessions = page.waitForResponse('**/v1/user/sessions?*')
    await page.goto(`${world.url}/app/o/${organizationId}/settings/sign-in`)
    await (await sessions).finished()
    await drawn(page)
    await required.check()
    await page.getByText('Members can sign in only by this provider.').waitFor()
    assert(await page.getByRole('button', { name: 'Delete Door' }).isDisabled())
    await look(page, 'single sign-on is required')
    await required.uncheck()
    await page.getByText('Members can sign in only by this provider.').waitFor({ state: 'detached' })
    assert(await page.getByRole('button', { name: 'Delete Door' }).isEnabled())
    await leave(page)
    assert.equal((await ada(`DELETE ${org}/oidc/${body.id}`)).status, 204)
  })

  test('the palette finds people, presses buttons and copies requests', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, `/app/o/${organizationId}/people`)
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    const choose = async (text: string, name: string | RegExp) => {
      // The console listens to the keys when it shows them.
      await page.getByRole('button', { name: /^Go to…/ }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox', { name: 'Search pages, spaces and screens' }).fill(text)
      await page.getByRole('option', { name }).first().click()
      await page.getByRole('dialog', { name: 'Go to…' }).waitFor({ state: 'detached' })
    }
    await choose('copy members', /Copy as API call/)
    const copied = await copiedText(page)
    assert.equal(
      copied,
      `curl -H "Authorization: Bearer $TOKEN" '${world.url}/v1/orgs/${organizationId}/members'`,
    )
    await choose('invite people', /Invite people/)
    await page.getByRole('heading', { name: 'Invite people' }).waitFor()
    await page.keyboard.press('Escape')
    await choose('ann', /^ann|^Ann Archer/)
    await page.waitForURL('**/people?search=*')
    await leave(page)
  })
})
