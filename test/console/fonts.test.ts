/** The fonts of an organization, as a person adds them and gives one to a site. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
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
const { person, email } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${person.id}`, { role: 'create' })
const LATO = '../../node_modules/@fontsource/lato/files/lato-latin-400-normal.woff2'
const buffer = readFileSync(join(import.meta.dirname, LATO))

describe('fonts', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a person adds a font, gives it to a site, changes it, and deletes it when no site has it', async () => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n\nText.\n' }))
    const sites = `/v1/orgs/${world.organizationId}/sites`
    const { id } = (await world.ada(`POST ${sites}`, { title: 'Branded', spaces: [spaceId] })).body
    const { published } = (await world.ada(`POST ${sites}/${id}/publish`)).body.urls
    const address = `${world.url}/sites/docs${new URL(published).pathname}`
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, world.url, email)
    await page.goto(`${world.url}/app/o/${world.organizationId}/settings/fonts`)
    await page.getByText('There is no font yet').waitFor()
    await page.getByRole('button', { name: 'New font' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Brand Slab')
    const text = { name: 'brand.woff2', mimeType: 'font/woff2', buffer: Buffer.from('no font') }
    await dialog.getByLabel('Regular').setInputFiles(text)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('“brand.woff2” is not a WOFF2 or WOFF file').waitFor()
    assert.deepEqual(await axeFindings(page), [])
    const file = { ...text, buffer }
    await dialog.getByLabel('Regular').setInputFiles(file)
    await dialog.getByLabel('Bold', { exact: true }).setInputFiles(file)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Regular, Bold', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Edit Brand Slab' }).click()
    await dialog.getByLabel('Name').fill('Brand')
    await dialog.getByLabel('Remove Bold').check({ force: true })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Regular', { exact: true }).waitFor()

    await page.goto(`${world.url}/app/o/${world.organizationId}/sites/${id}`)
    await page.getByLabel('Font', { exact: true }).selectOption('Brand')
    await page.getByRole('button', { name: 'Save the look' }).click()
    await page.getByText('Saved').first().waitFor()
    const reading = await openPage(browser, DEVICES[0]!)
    await reading.page.goto(address)
    await untilTrue(reading.page, `getComputedStyle(document.body).fontFamily.includes('Own Brand')`)
    await untilTrue(
      reading.page,
      `[...document.fonts].some((f) => f.family.includes('Own Brand') && f.status === 'loaded')`,
    )

    await page.goto(`${world.url}/app/o/${world.organizationId}/settings/fonts`)
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete Brand' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    }
    await remove()
    await page.getByText('choose another one there first').waitFor()
    await world.ada(`PUT ${sites}/${id}/customization`, {})
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no font yet').waitFor()
    assert.deepEqual(
      complaints.filter((line) => !/40[09]/.test(line)),
      [],
    )
    await leave(reading.page)
    await leave(page)
  })
})
