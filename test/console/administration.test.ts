/** What administrators do in the console, in a browser: from an empty space to a published site, and the record of it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { indexed } from '../search/indexing.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { chooseRole, signIn as signInAt, withPassword } from './pages.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const member = `/v1/orgs/${world.organizationId}/members/${ann.id}`
assert.equal((await world.ada(`PATCH ${member}`, { role: 'admin' })).status, 200)
const bob = await withPassword(world, 'bob')
const org = `/app/o/${world.organizationId}`

const ARCHIVE = archiveOf({
  'SUMMARY.md': '# Contents\n\n* [Welcome](README.md)\n* [Install](install.md)\n',
  'README.md': '# Welcome\n\nRead [more](missing.md).\n\n![](a.svg)\n',
  'install.md': '# Install\n\nTurn the tardigrade key.\n',
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
})

describe('administration in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signIn = (page: Page, address = email) => signInAt(page, world.url, address)

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  const look = async (page: Page, what: string) => assert.deepEqual(await axeFindings(page), [], what)

  test('from an empty space to a published site', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page)

    // A space, and an archive in it.
    await page.goto(world.url + org)
    await press(page, 'New space')
    await page.getByLabel('Title').fill('Handbook')
    await press(page, 'Create')
    await page.waitForURL('**/app/s/*')
    await press(page, 'Import')
    await look(page, 'import')
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'docs.zip', mimeType: 'application/zip', buffer: Buffer.from(ARCHIVE) })
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await page.getByText(/^The import is done\. Pages: [1-9]\d*\. Files: \d+\.$/).waitFor()
    await look(page, 'the report of an import')
    await press(page, 'Open the space')
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()

    // A person. No mail server is configured, so the link is shown.
    await page.goto(`${world.url}${org}/people`)
    await chooseRole(page, 'Role of Administrator', 'Creator')
    await page.getByText('ann is the only administrator.').waitFor()
    for (const name of ['Administrator Role of ann', 'Disable ann', 'Remove ann'])
      assert(await page.getByRole('button', { name }).isDisabled(), name)
    await look(page, 'the only administrator')
    await page.getByRole('button', { name: 'Role of Administrator' }).click()
    await page.getByText('Can do what an Editor can, and review and merge change requests.').waitFor()
    await look(page, 'the roles')
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^Administrator/ })
      .click()
    await page.getByText('ann is the only administrator.').waitFor({ state: 'detached' })
    assert(await page.getByRole('button', { name: 'Remove ann' }).isEnabled())
    await press(page, 'Invite people')
    await page.getByLabel('E-mail addresses').fill('cleo@example.com')
    await press(page, 'Invite')
    await page.getByText('One person is invited.').waitFor()
    assert.match(await page.locator('.passed code').innerText(), /\/app\/invitation#/)
    await look(page, 'an invitation')
    await press(page, 'Done')
    await page.locator('.rows li', { hasText: 'cleo@example.com' }).waitFor()

    // A site with the space.
    await page.goto(`${world.url}${org}/sites`)
    await press(page, 'New site')
    await page.getByLabel('Title').fill('The Guide')
    await page.getByText('Choose at least one space. You can add others later.').waitFor()
    assert(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled())
    await look(page, 'a new site')
    await page.getByLabel('Handbook').check()
    await press(page, 'Create')
    await page.waitForURL('**/sites/*')
    await press(page, 'Publish')
    const address = await page.getByRole('link', { name: /^http/ }).getAttribute('href')
    await look(page, 'a site')
    const answer = await fetch(`${world.url}/sites/docs/the-guide/install`)
    assert.match(await answer.text(), /tardigrade/)
    await page.goto(address!)
    await page.getByRole('link', { name: 'Install' }).first().click()
    await page.getByText('Turn the tardigrade key.').waitFor()

    // The record.
    await page.goto(`${world.url}${org}/audit`)
    const published = page.locator('.rows li', { hasText: 'ann published the site The Guide' })
    await published.waitFor()
    await published.getByRole('link', { name: 'The Guide' }).waitFor()
    await published.getByRole('button', { name: 'Details' }).click()
    await published.getByText('The event as the API returns it').click()
    await published.getByText('"action": "site.publish"').waitFor()
    await published.getByRole('row', { name: 'published' }).waitFor()
    await look(page, 'the audit log')
    await published.getByRole('button', { name: 'Everything about this item' }).click()
    await page.getByRole('button', { name: 'Show the changes of everything else too' }).waitFor()
    await untilTrue(page, `document.querySelectorAll('.rows li .name').length === 3`)
    assert.deepEqual(await page.locator('.rows li .name > :first-child').allInnerTexts(), [
      'ann published the site The Guide',
      'ann changed the look of the site The Guide',
      'ann created the site The Guide',
    ])
    assert.match(page.url(), /\?target=/)

    // A change request leads to its screen.
    const { items } = (await world.ada(`GET /v1/orgs/${world.organizationId}/spaces`)).body
    const handbook = items.find(({ title }: { title: string }) => title === 'Handbook')
    await world.ada(`POST /v1/spaces/${handbook.id}/change-requests`, { subject: 'New words' })
    await page.goto(`${world.url}${org}/audit`)
    await page.getByRole('link', { name: 'New words' }).click()
    await page.waitForURL(`**/app/s/${handbook.id}/~/changes/1`)
    await page.getByText('New words').first().waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the keyboard alone finds a page', async () => {
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'axolotl.md': '# Axolotl\n\nA gill.\n' }),
      'Animals',
    )
    await indexed(world)
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page)
    await page.goto(world.url + org)
    await page.getByRole('heading', { name: 'Spaces' }).waitFor()
    await page.keyboard.press('Control+k')
    await untilTrue(page, 'document.activeElement?.type === "search"')
    await page.keyboard.type('axol')
    await page.getByRole('option', { name: 'Axolotl' }).waitFor()
    await look(page, 'the palette')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/app/s/${spaceId}/axolotl`)
    await page.keyboard.press('Control+k')
    await untilTrue(page, 'document.activeElement?.type === "search"')
    // Enter does not wait for the results: it opens the first of them.
    await page.keyboard.type('anim')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/app/s/${spaceId}`)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('xyz')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a space is shared, and the screen says why somebody sees it', async () => {
    const { spaceId } = await spaceWith(world, ARCHIVE, 'Plans')
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/share`)
    // The server searches while a name is typed.
    const person = page.getByRole('combobox', { name: 'Person or team' })
    const searched = page.waitForRequest(/\/members\?limit=50&search=BO$/)
    await person.pressSequentially('BO')
    await searched
    await page.getByRole('option', { name: 'bob' }).waitFor()
    assert.deepEqual(await axeFindings(page, '[role=listbox]'), [])
    await person.press('ArrowDown')
    await person.press('Enter')
    assert.equal(await person.inputValue(), 'bob')
    await person.pressSequentially('by')
    await page.getByText('Nobody has this name.').waitFor()
    await person.press('Escape')
    assert(await page.getByRole('button', { name: 'Give access' }).isDisabled())
    await person.fill('bob')
    await page.getByRole('option', { name: 'bob' }).click()
    await chooseRole(page, /Role$/, 'Reviewer')
    await press(page, 'Give access')
    await page.getByRole('button', { name: 'Reviewer Role of bob' }).waitFor()
    // The role of everybody else comes from a place that the screen names.
    await page.getByRole('button', { name: 'As in the organization All other members' }).waitFor()
    await page.getByRole('link', { name: 'Invite people' }).waitFor()
    await press(page, 'Why? bob')
    await page.getByText('bob was given the role Reviewer on this space.').waitFor()
    await press(page, 'Why? ann')
    await page.getByText('ann is an administrator of the organization.').waitFor()
    await look(page, 'sharing')
    const { items } = (await world.ada(`GET /v1/spaces/${spaceId}/permissions/users`)).body
    assert.deepEqual(
      items.map((one: { permission: string; user: { id: string } }) => [one.user.id, one.permission]),
      [[bob.person.id, 'review']],
    )
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the logo of an organization is uploaded and shown', async () => {
    await spaceWith(world, ARCHIVE, 'Logos')
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page)
    await page.goto(`${world.url}${org}/settings`)
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
    await page
      .getByLabel('Upload a picture')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
    await page.waitForSelector('.picture-shown img[src^="blob:"]')
    await page
      .locator('form', { has: page.getByLabel('Upload a picture') })
      .getByRole('button', { name: 'Save' })
      .click()
    await page.waitForSelector('.picture-shown img[src*="signature="]')
    await look(page, 'settings with a logo')
    await page.goto(world.url + org)
    await untilTrue(page, `document.querySelector('h1 img')?.naturalWidth === 8`)
    await look(page, 'an organization with a logo')
    await page.goto(`${world.url}${org}/settings`)
    await press(page, 'Remove Logo')
    await page
      .locator('form', { has: page.getByLabel('Upload a picture') })
      .getByRole('button', { name: 'Save' })
      .click()
    await page.getByText('Saved').waitFor()
    const { urls } = (await world.ada(`GET /v1/orgs/${world.organizationId}`)).body
    assert.equal(urls.logo, undefined)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('settings that a person sets are those of the API', async () => {
    const { spaceId } = await spaceWith(world, ARCHIVE, 'Rules')
    const { siteId } = await publish(world, spaceId, 'Looks')
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/settings`)
    await page.getByLabel('Emoji').fill('👩‍🚀')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved').first().waitFor()
    await page.getByLabel('Before a change request is merged').selectOption('rules')
    await page.getByLabel('Somebody else has approved the change').check()
    const people = page.getByRole('combobox', { name: 'These people may merge in any case' })
    // What scrolls closes the list of a field.
    await people.focus()
    await page.evaluate(`document.activeElement.scrollIntoView({ block: 'center' })`)
    await people.pressSequentially('ann')
    await page.getByRole('option', { name: 'ann' }).waitFor()
    await people.press('ArrowDown')
    await people.press('Enter')
    await page.getByRole('button', { name: 'Remove ann' }).waitFor()
    assert.equal(await people.inputValue(), '')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Saved').nth(1).waitFor()
    const space = (await world.ada(`GET /v1/spaces/${spaceId}`)).body
    assert.equal(space.emoji, '1f469-200d-1f680')
    const [, { users: [user] = [] } = {}] = space.mergeRules.rules
    const rules = [{ rule: 'require_at_least_one_review' }, { rule: 'allow_bypass', users: [user] }]
    assert.deepEqual(space.mergeRules, { type: 'rules', rules })
    assert.equal((await world.ada(`GET /v1/users/${user}`)).body.displayName, 'ann')

    await page.goto(`${world.url}${org}/sites/${siteId}`)
    await page.getByLabel('Custom host name').fill('docs.example.org')
    await press(page, 'Save')
    await page.getByText('_lectern-challenge.docs.example.org').waitFor()
    await page.getByRole('option', { name: 'IBM Plex Serif' }).first().waitFor({ state: 'attached' })
    // The preview is offered before the form, which is longer than a screen.
    const top = async (name: string) => (await page.getByText(name, { exact: true }).first().boundingBox())!.y
    assert((await top('Show the preview')) < (await top('Theme')))
    await page.getByLabel('Theme').selectOption('bold')
    await page.getByLabel('Colour in light mode').fill('#7c3aed')
    // The preview shows what is chosen before it is saved, below the host of the API.
    await press(page, 'Show the preview')
    const frame = page.frameLocator('iframe[title="Preview of the site"]')
    await frame.locator('.theme-bold').waitFor()
    await page.getByLabel('Copyright line in the footer').fill('© The axolotls')
    await frame.getByText('© The axolotls').waitFor()
    const color = () =>
      frame.locator('html').evaluate('(e) => getComputedStyle(e).getPropertyValue("--primary")')
    assert.notEqual(await color(), '')
    await page.getByLabel('Font of headings').selectOption('Roboto Slab')
    await press(page, 'Save the look')
    await page.getByText('Saved').nth(1).waitFor()
    await frame.getByText('© The axolotls').waitFor()
    // Nothing is opened or closed to readers before it is saved, and what was changed since is not called saved.
    const site = `/v1/orgs/${world.organizationId}/sites/${siteId}`
    const visibility = async () => (await world.ada(`GET ${site}`)).body.visibility
    const past = await visibility()
    const readers = page.locator('form', { has: page.getByLabel('Who can read this site') })
    await readers.getByRole('combobox').selectOption('share-link')
    assert.equal(await visibility(), past)
    await readers.getByRole('button', { name: 'Save the readers' }).click()
    await readers.getByText('Saved').waitFor()
    await readers.getByRole('combobox').selectOption('unlisted')
    await readers.getByText('Saved').waitFor({ state: 'detached' })
    await readers.getByRole('combobox').selectOption('share-link')
    await page.getByLabel('Name of the link').fill('Partners')
    await press(page, 'New share link')
    await page
      .locator('.rows li', { hasText: 'Partners' })
      .getByRole('button', { name: 'Copy link' })
      .waitFor()
    const { styling } = (await world.ada(`GET ${site}/customization`)).body
    assert.equal(styling.headingFont, 'RobotoSlab')
    assert.deepEqual([styling.theme, styling.primaryColor.light], ['bold', '#7c3aed'])
    assert.equal(await visibility(), 'share-link')
    assert.equal((await world.ada(`GET ${site}/share-links`)).body.items[0].name, 'Partners')

    // Without a space, a site cannot be published, and keeps no pictures.
    const sites = `/v1/orgs/${world.organizationId}/sites`
    const { id: bare } = (await world.ada(`POST ${sites}`, { title: 'Bare', spaces: [spaceId] })).body
    const [shown] = (await world.ada(`GET ${sites}/${bare}/structure`)).body.structure
    await world.ada(`DELETE ${sites}/${bare}/site-spaces/${shown.id}`)
    await page.goto(`${world.url}${org}/sites/${bare}`)
    await page.getByText('The site has no space yet, so readers would find nothing.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Publish', exact: true }).count(), 0)
    assert(await page.getByLabel('Upload a picture').first().isDisabled())
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a member without rights sees what they may, and reads why they may not', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, bob.email)
    await page.goto(world.url + org)
    await page.getByRole('heading', { name: 'Spaces' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'New space' }).count(), 0)
    await page.goto(`${world.url}${org}/people`)
    await page.locator('.rows li', { hasText: 'ann@example.com' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Invite people' }).count(), 0)
    await page.goto(`${world.url}${org}/audit`)
    await page.getByText('Only administrators of the organization read its audit log.').waitFor()
    await leave(page)
  })

  test('every screen is accessible and fits on a phone, in the dark', async () => {
    const { spaceId } = await spaceWith(world, ARCHIVE, 'Phones')
    const { siteId } = await publish(world, spaceId, 'Phones')
    const { page, complaints } = await openPage(browser, DEVICES[3]!)
    await signIn(page)
    const space = `/app/s/${spaceId}/~`
    for (const [path, text] of [
      [org, 'New space'],
      [`${org}/people`, 'bob@example.com'],
      [`${org}/teams`, 'There is no team yet'],
      [`${org}/sites`, 'Phones'],
      [`${org}/sites/${siteId}`, 'Save the look'],
      [`${org}/settings`, 'Before a change request is merged'],
      [`${org}/settings/fields`, 'There is no field yet'],
      [`${org}/settings/sign-in`, 'There is no provider yet'],
      [`${org}/audit`, 'published the site'],
      [`${org}/trash`, 'A deleted space stays here'],
      [`${space}/share`, 'bob@example.com'],
      [`${space}/settings`, 'It leaves these sites: Phones'],
      [`${space}/files`, 'a.svg'],
      [`${space}/links`, 'missing.md'],
    ] as const) {
      await page.goto(world.url + path)
      await page.getByText(text).locator('visible=true').first().waitFor()
      await look(page, path)
      assert.equal(await sidewaysScroll(page), 0, path)
    }
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
