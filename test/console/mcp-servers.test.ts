/** The MCP servers that a site names, as a person adds them and as a reader copies their addresses. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { axeFindings, DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { person, email } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${person.id}`, { role: 'create' })
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n\nText.\n' }))
const { siteId, address } = await publish(world, spaceId, 'Manual')
const home = `${world.url}/sites/docs${new URL(address).pathname}`

describe('MCP servers of a site', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a person names a server, and a reader copies its address', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}/app/o/${world.organizationId}/sites/${siteId}/mcp`)
    await page.getByText(`${address}~mcp`).waitFor()
    await page.getByText('The site names no other MCP server.').waitFor()
    const stored = page.waitForResponse((one) => one.request().method() === 'PUT')
    await page.getByLabel('Readers can copy the addresses').check({ force: true })
    assert.equal((await stored).status(), 200)

    await page.getByRole('button', { name: 'New MCP server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Status')
    await dialog.getByLabel('Address').fill('https://status.example.com/mcp')
    await dialog.getByLabel('Headers that the server needs').fill('Authorization Bearer s3cret')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('“Authorization Bearer s3cret” is not a header.').waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await dialog.getByLabel('Headers that the server needs').fill('Authorization: Bearer s3cret\n')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('https://status.example.com/mcp').waitFor()
    assert.deepEqual(await axeFindings(page), [])

    const reading = await openPage(browser, DEVICES[0]!)
    await reading.page.goto(home)
    await reading.page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { document.body.dataset.copied = text } } })`,
    )
    await reading.page.locator('.page-actions summary').click()
    const button = reading.page.getByRole('button', { name: 'Copy the address of the MCP server “Status”' })
    assert.match((await button.textContent()) ?? '', /Headers: Authorization$/)
    assert.deepEqual(await axeFindings(reading.page), [])
    await button.click()
    await reading.page.locator('body[data-copied="https://status.example.com/mcp"]').waitFor()
    // The label has its two lines again.
    await button.getByText('Headers: Authorization').waitFor()

    await page.getByRole('button', { name: 'Edit Status' }).click()
    assert.equal(
      await dialog.getByLabel('Headers that the server needs').inputValue(),
      'Authorization: Bearer s3cret',
    )
    await dialog.getByLabel('Name').fill('Uptime')
    await dialog.getByLabel('Who sees it').selectOption('claim')
    await dialog.getByLabel('Claim').fill('plan')
    await dialog.getByLabel('Is', { exact: true }).fill('pro')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('For some visitors').waitFor()
    const { items } = (await world.ada(`GET /v1/orgs/${world.organizationId}/sites/${siteId}/mcp-servers`))
      .body
    assert.deepEqual(
      items.map(({ id: _id, urls: _urls, ...server }: { id: string; urls: object }) => server),
      [
        {
          object: 'site-mcp-server',
          name: 'Uptime',
          url: 'https://status.example.com/mcp',
          transport: 'http',
          headers: { Authorization: 'Bearer s3cret' },
          condition: 'visitor.claims.plan == "pro"',
        },
      ],
    )
    await reading.page.reload()
    await reading.page.locator('.page-actions summary').click()
    await reading.page.getByRole('button', { name: 'Copy the MCP server address' }).waitFor()
    assert.equal(await button.count(), 0)

    await page.getByRole('button', { name: 'Delete Uptime' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The site names no other MCP server.').waitFor()
    assert.deepEqual(complaints, [])
    await leave(reading.page)
    await leave(page)
  })
})
