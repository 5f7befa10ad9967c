/** The glossary of an organization, as a person adds, finds, changes and deletes a term. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { axeFindings, DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { person, email } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${person.id}`, { role: 'create' })
const path = `/v1/orgs/${world.organizationId}/translations-glossary`

describe('glossary', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const device of DEVICES.slice(0, 2))
    test(`a person adds a term, finds it, changes it and deletes it: ${device.name}`, async () => {
      const { page, complaints } = await openPage(browser, device)
      await signIn(page, world.url, email)
      await page.goto(`${world.url}/app/o/${world.organizationId}/settings/glossary`)
      await page.getByText('There is no term yet').waitFor()
      await page.getByRole('button', { name: 'New term' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Term').fill('change request')
      await dialog.getByRole('button', { name: 'Add a language' }).click()
      await dialog.getByRole('combobox', { name: 'Language' }).nth(1).fill('german')
      await page
        .getByRole('listbox')
        .getByRole('option', { name: /^Deutsch/ })
        .first()
        .click()
      await dialog.getByLabel('Term').nth(1).fill('Änderungsantrag')
      assert.deepEqual(await axeFindings(page), [])
      await dialog.getByRole('button', { name: 'Create' }).click()
      await page.getByText('English: change request · German: Änderungsantrag').waitFor()

      await page.getByLabel('Find a term').fill('antrag')
      await page.getByText('Änderungsantrag').waitFor()
      await page.getByLabel('Find a term').fill('unheard of')
      await page.getByText('No term has this text').waitFor()
      await page.getByLabel('Find a term').fill('')

      await page.getByRole('button', { name: 'Edit change request' }).click()
      await dialog.getByLabel('Term').nth(1).fill('')
      await dialog.getByRole('button', { name: 'Save' }).click()

      await page.getByText('English: change request', { exact: true }).waitFor()
      assert.deepEqual(await axeFindings(page), [])
      const { items } = (await world.ada(`GET ${path}`)).body
      assert.deepEqual(items[0].translations, { en: 'change request' })

      await page.getByRole('button', { name: 'Delete change request' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('There is no term yet').waitFor()
      assert.deepEqual(complaints, [])
      await leave(page)
    })
})
