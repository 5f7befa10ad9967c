/** Publishing a site in a browser: what it begins with, and what is missing before readers find something. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { chooseRole, signIn, withPassword, showSidebar } from './pages.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const member = `/v1/orgs/${world.organizationId}/members/${ann.id}`
assert.equal((await world.ada(`PATCH ${member}`, { role: 'admin' })).status, 200)
const org = `/app/o/${world.organizationId}`

describe('publishing in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('a site that has nothing to read is not published', async () => {
    const sites = `/v1/orgs/${world.organizationId}/sites`
    const { id } = (await world.ada(`POST ${sites}`, { title: 'Nothing', spaces: [] })).body
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}${org}/sites/${id}`)
    await page.getByText('The site has no space yet, so readers would find nothing.').waitFor()
    const publishing = page.getByRole('button', { name: 'Publish', exact: true })
    assert.equal(await publishing.count(), 0)
    assert.deepEqual(await axeFindings(page), [])

    // The link leads to the form, and the keyboard goes on there.
    const { id: blank } = (await ann(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Blank' })).body
    await page.reload()
    await page.getByRole('link', { name: 'Add a space' }).click()
    await page.keyboard.press('Tab')
    const field = page.getByRole('combobox', { name: 'Add a space' })
    await untilTrue(page, `document.activeElement?.tagName === 'SELECT'`)
    await field.selectOption(blank as string)
    await press(page, 'Add')
    const isBeside = `document.getElementById('add-space').contains(document.activeElement)`
    await untilTrue(page, isBeside)
    await page.getByText('The spaces of the site have no pages yet, so readers would find nothing.').waitFor()
    assert.equal(await publishing.count(), 0)
    await page.getByRole('link', { name: 'Write the first page of Blank' }).click()
    await page.getByRole('button', { name: 'Write the first page' }).waitFor()

    const { number } = (await ann(`POST /v1/spaces/${blank}/change-requests`, {})).body
    const request = `/v1/spaces/${blank}/change-requests/${number}`
    await ann(`POST ${request}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: '# A' } }],
    })
    assert.equal((await ann(`POST ${request}/merge`)).status, 200)
    await page.goto(`${world.url}${org}/sites/${id}`)
    await publishing.click()
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
    await page.getByRole('button', { name: 'Remove Blank' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove Blank' }).waitFor({ state: 'detached' })
    await untilTrue(page, isBeside)
    await leave(page)
  })

  test('a form says why it is not sent, and the next press of its button sends it', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(world.url + org)
    await press(page, 'Import')
    const dialog = page.getByRole('dialog')
    const sending = dialog.getByRole('button', { name: 'Import' })
    await page.getByLabel('What do you import?').selectOption('A website')
    await sending.click()
    await dialog.getByText('Fill in this field.').waitFor()
    const address = page.getByLabel('Address of the website')
    await address.fill('docs')
    await dialog.getByText('Write a full address').waitFor()
    await sending.click()
    await address.fill('http://10.0.0.1/')
    await dialog.getByText('The server follows its links.').waitFor()
    await sending.click()
    await dialog.getByText('its IP address is not public').waitFor()
    await leave(page)
  })

  test('an import that fails leaves no space, and the next attempt names it', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(world.url + org)
    const dialog = page.getByRole('dialog')
    const sending = dialog.getByRole('button', { name: 'Import' })
    await press(page, 'Import')
    const file = page.getByLabel('File')
    const give = (name: string, text: string) =>
      file.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
    const fail = async () => {
      await give('broken.zip', 'no archive')
      await sending.click()
      await dialog.getByRole('alert').waitFor()
    }
    await fail()
    const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await press(page, 'Cancel')
    assert((await removed).ok())
    await press(page, 'Import')
    await fail()
    await give('notes.md', 'Only text.')
    await sending.click()
    await page.getByText('The import is done.').waitFor()
    await press(page, 'Done')
    await page.getByRole('link', { name: 'notes', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'broken', exact: true }).count(), 0)
    // What was imported is there, even if the space could not be named after it.
    await page.route('**/v1/spaces/*', async (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await press(page, 'Import')
    await give('first name.md', '# Its title\n')
    const renamed = page.waitForRequest((request) => request.method() === 'PATCH')
    await sending.click()
    await renamed
    await page.getByText('The import is done.').waitFor()
    await press(page, 'Done')
    await page.getByRole('link', { name: 'first name', exact: true }).waitFor()
    await leave(page)
  })

  test('an import that is cancelled leaves no space, and can be begun again with the same file', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(world.url + org)
    const spaces = async () =>
      (await world.ada(`GET /v1/orgs/${world.organizationId}/spaces?limit=1000`)).body.items.length as number
    const many = await spaces()
    const requests: string[] = []
    await page.route('**/content/import', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      // The first attempt takes until it is cancelled.
      if (requests.push(route.request().url()) === 1) return undefined
      return route.continue()
    })
    await press(page, 'Import')
    const dialog = page.getByRole('dialog')
    const file = { name: 'slow.md', mimeType: 'text/markdown', buffer: Buffer.from('# Slow\n') }
    await page.getByLabel('File').setInputFiles(file)
    const begun = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/content/import'),
    )
    await dialog.getByRole('button', { name: 'Import' }).click()
    await begun
    await dialog.getByRole('button', { name: 'Cancel the import' }).click()
    await dialog.getByText('Chosen: slow.md').waitFor()
    await untilTrue(page, `document.querySelector('[role=dialog]').contains(document.activeElement)`)
    assert.equal(await dialog.getByRole('alert').count(), 0)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('The import is done.').waitFor()
    await press(page, 'Done')
    await page.getByRole('link', { name: 'Slow', exact: true }).waitFor()
    assert.equal(new Set(requests).size, 1, 'both attempts use one space')
    assert.equal(await spaces(), many + 1)
    await leave(page)
  })

  test('a site begins with a new space', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}${org}/sites`)
    await press(page, 'New site')
    await page.getByLabel('Title').fill('Examples')
    await page.getByLabel('What the site shows').selectOption('A new space with two example pages')
    await press(page, 'Create')
    await page.waitForURL('**/sites/*')
    const { pdf, feedback, pageActions } = (
      await ann(`GET /v1/orgs/${world.organizationId}/sites/${page.url().split('/').at(-1)}/customization`)
    ).body
    assert.deepEqual(
      [pdf.enabled, feedback.enabled, pageActions.items],
      [true, true, ['markdown', 'mcp', 'pdf']],
    )
    // The focus stays where it was when the button of the other step takes its place, and at what was saved.
    const focused = (text: string) => untilTrue(page, `document.activeElement?.innerText === '${text}'`)
    await press(page, 'Publish')
    await focused('Unpublish')
    await page.keyboard.press('Enter')
    await focused('Publish')
    const naming = page.getByRole('region', { name: 'Name and address' })
    await naming.getByLabel('Title').fill('Samples')
    await naming.getByLabel('Name in the address').fill('Samples!')
    await naming.getByRole('button', { name: 'Save' }).click()
    await naming.getByText('“Name in the address” must have only the letters').waitFor()
    await naming.getByLabel('Name in the address').fill('samples')
    await naming.getByRole('button', { name: 'Save' }).click()
    await naming.getByText('Saved').waitFor()
    await page.getByRole('heading', { name: 'Samples', level: 1 }).waitFor()
    await focused('Save')
    await leave(page)
  })

  test('a copy of a space begins as a draft, and its settings show it to readers', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Guide\n\nText.\n' }), 'Guide')
    const { siteId, address } = await publish(world, spaceId, 'Copied')
    const statusOf = async (segment: string) =>
      (await fetch(`${world.url}/sites/docs${new URL(address).pathname}${segment}`)).status
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}${org}/sites/${siteId}`)
    await page.getByRole('button', { name: 'Duplicate Guide' }).click()
    await page.getByText('Lectern copied Guide as a draft.').waitFor()
    const row = page.locator('.rows > li', { hasText: 'Copy of Guide' })
    await row.getByText('Draft', { exact: true }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    assert.equal(await statusOf('copy-of-guide/'), 404)

    await row.getByRole('button', { name: 'Settings Copy of Guide' }).click()
    await page.getByLabel('Draft: readers do not see it').uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('Draft', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await statusOf('copy-of-guide/'), 200)
    await leave(page)
  })

  test('a link to another website stands beside the sections, and moves into a group', async () => {
    const spaces: string[] = []
    for (const title of ['Guides', 'API'])
      spaces.push((await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n` }), title)).spaceId)
    const sites = `/v1/orgs/${world.organizationId}/sites`
    const { id } = (await world.ada(`POST ${sites}`, { title: 'Linked', spaces: [spaces[0]] })).body
    await world.ada(`POST ${sites}/${id}/sections`, { spaceId: spaces[1], title: 'API' })
    await world.ada(`POST ${sites}/${id}/section-groups`, { title: 'More' })
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}${org}/sites/${id}`)
    await press(page, 'New link')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Status')
    await dialog.getByLabel('Address').fill('status')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('“Address” must begin with').waitFor()
    await dialog.getByLabel('Address').fill('https://status.example.com/')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const rows = page.locator('.rows > li', { hasText: 'Status' })
    await rows.first().getByRole('link', { name: 'Status' }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Settings Status' }).click()
    await dialog.getByLabel('Group').selectOption('More')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.rows .rows').getByRole('link', { name: 'Status' }).waitFor()
    const { structure } = (await world.ada(`GET ${sites}/${id}/structure`)).body
    assert.equal(structure.at(-1).children[0].url, 'https://status.example.com/')
    await leave(page)
  })

  test('a merged change request leads to the site, and to what is missing before readers see it', async () => {
    const sites = `/v1/orgs/${world.organizationId}/sites`
    const { id: space } = (await ann(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'News' })).body
    const { number } = (await ann(`POST /v1/spaces/${space}/change-requests`, { subject: 'The first' })).body
    const request = `/v1/spaces/${space}/change-requests/${number}`
    await ann(`POST ${request}/content`, {
      changes: [
        { operation: 'insert_page', document: { markdown: '# Home' } },
        { operation: 'insert_page', document: { markdown: '# What is new\n\nAll of it.' } },
      ],
    })
    assert.equal((await ann(`POST ${request}/merge`)).status, 200)
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    const address = `${world.url}/app/s/${space}/~/changes/${number}`
    await page.goto(address)
    const box = page.locator('.merge-box')
    await box.getByText('The space is on no site yet, so only members see them.').waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await box.getByRole('link', { name: 'Put it on a site' }).click()
    await page.getByRole('button', { name: 'New site' }).waitFor()

    const { id: site } = (await ann(`POST ${sites}`, { title: 'What happens', spaces: [space] })).body
    await page.goto(address)
    await box.getByText('The site “What happens” is not published yet').waitFor()
    await box.getByRole('link', { name: 'Publish the site' }).click()
    await press(page, 'Publish')
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
    await page.goto(address)
    const link = box.getByRole('link', { name: 'See “What is new” on the site' })
    const { published } = (await ann(`GET ${sites}/${site}`)).body.urls
    assert.equal(await link.getAttribute('href'), `${published}what-is-new`)
    const [shown] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await shown.getByText('All of it.').waitFor()
    await shown.close()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('two logos that are uploaded at once both stay, whichever arrives first', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# A' }), 'Two logos')
    const { siteId } = await publish(world, spaceId, 'Two logos')
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}${org}/sites/${siteId}`)
    const field = (name: string) => page.getByRole('group', { name, exact: true })
    const choose = async (name: string, size: number) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"/>`
      const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }
      await field(name).getByLabel('Upload a picture').setInputFiles(file)
    }
    // The first upload is held until the second has arrived.
    const { promise: isSecondShown, resolve: goOn } = Promise.withResolvers<void>()
    let uploads = 0
    await page.route('**/pictures', async (route) => {
      if (++uploads === 1) await isSecondShown
      await route.continue()
    })
    await choose('Logo', 8)
    await choose('Logo in dark mode', 16)
    const dark = page.getByAltText('Logo in dark mode', { exact: true })
    await dark.waitFor()
    const address = await dark.getAttribute('src')
    goOn()
    await untilTrue(page, `document.querySelector('img[alt="Logo"]')?.getAttribute('src') !== '${address}'`)
    assert.equal(await dark.getAttribute('src'), address)
    await press(page, 'Save the look')
    await page.getByText('Saved').first().waitFor()
    const site = `/v1/orgs/${world.organizationId}/sites/${siteId}`
    const { logo } = (await ann(`GET ${site}/customization`)).body.header
    assert.equal(new URL(logo.dark).pathname, new URL(address!).pathname)
    assert.notEqual(new URL(logo.light).pathname, new URL(logo.dark).pathname)
    await leave(page)
  })

  test('a guest is given a role on a site, and finds and changes this site alone', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# A' }), 'Shared')
    const { siteId } = await publish(world, spaceId, 'Shared site')
    const { email: address, person: gus } = await withPassword(world, 'gus')
    await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${gus.id}`, { role: null })
    const site = `/v1/orgs/${world.organizationId}/sites/${siteId}`
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}${org}/sites/${siteId}`)
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByText('A role on a site gives no access to its spaces.').waitFor()
    await page.getByRole('combobox', { name: 'Person or team' }).fill('gus')
    await page.getByRole('option', { name: 'gus' }).click()
    await chooseRole(page, /Role$/, 'Creator')
    await press(page, 'Give access')
    await page.getByRole('button', { name: 'Creator Role of gus' }).waitFor()
    await press(page, 'Why? gus')
    await page.getByText('gus was given the role Creator on this site.').waitFor()
    await press(page, 'Why? ann')
    await page.getByText('ann is an administrator of the organization.').waitFor()
    await chooseRole(page, 'As in the organization All other members', 'No access')
    await page.getByRole('button', { name: 'No access All other members' }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    assert.equal((await ann(`GET ${site}`)).body.defaultLevel, null)
    assert.deepEqual(complaints, [])
    await leave(page)

    const guest = await openPage(browser, DEVICES[1]!)
    await signIn(guest.page, world.url, address)
    await guest.page.goto(world.url + org)
    await showSidebar(guest.page)
    await guest.page.getByRole('link', { name: 'Sites', exact: true }).click()
    await guest.page.getByRole('link', { name: 'Shared site', exact: true }).click()
    await guest.page.getByRole('button', { name: 'Unpublish' }).waitFor()
    await guest.page.goto(`${world.url}${org}/sites/${siteId}/people`)
    await guest.page.getByRole('button', { name: 'Creator Role of gus' }).waitFor()
    assert.equal(await guest.page.getByRole('combobox', { name: 'Person or team' }).count(), 0)
    assert.deepEqual(await axeFindings(guest.page), [])

    // Neither can a guest look for members on a space.
    await ann(`POST /v1/spaces/${spaceId}/permissions`, { users: [gus.id], role: 'admin' })
    await guest.page.goto(`${world.url}/app/s/${spaceId}/~/share`)
    await guest.page.getByRole('button', { name: 'Administrator Role of gus' }).waitFor()
    await guest.page.getByText('Everyone who can see this space').waitFor()
    assert.equal(await guest.page.getByRole('combobox', { name: 'Person or team' }).count(), 0)
    assert.deepEqual(await axeFindings(guest.page), [])

    // A guest may not read a team, so the screen does not ask for the one that gave the role.
    const bob = await world.person('bob', 'read')
    const made = await ann(`PUT /v1/orgs/${world.organizationId}/teams`, {
      title: 'Translators',
      members: [gus.id],
    })
    const given = { teams: [made.body.id], users: [bob.id], role: 'admin' }
    assert.equal((await ann(`POST /v1/spaces/${spaceId}/permissions`, given)).status, 204)
    await ann(`DELETE /v1/spaces/${spaceId}/permissions/users/${gus.id}`)
    await guest.page.reload()
    await press(guest.page, 'Why? gus')
    await guest.page.getByText('gus was given the role Administrator on this space.').waitFor()
    assert.equal(await guest.page.getByRole('button', { name: 'Why?' }).count(), 1)
    assert.deepEqual(guest.complaints, [])

    // With a smaller role, the insights are left.
    await ann(`PATCH ${site}/permissions/users/${gus.id}`, { role: 'read' })
    await guest.page.goto(`${world.url}${org}/sites`)
    await guest.page.getByRole('link', { name: 'Shared site', exact: true }).click()
    await guest.page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor()
    assert.equal(await guest.page.getByRole('link', { name: 'Options', exact: true }).count(), 0)
    await guest.page.goto(`${world.url}${org}/sites/${siteId}/people`)
    await guest.page.getByText('Changing a site requires the role “Creator” on the site.').waitFor()
    assert.deepEqual(guest.complaints, [])
    await leave(guest.page)
  })
})
