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
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

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
    await press(page, 'Publish')
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
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
})
