/** The command that clones a space, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { email, person } = await withPassword(world, 'reader')
const member = `/v1/orgs/${organizationId}/members/${person.id}`
assert.equal((await ada(`PATCH ${member}`, { role: 'read' })).status, 200)
const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Handbook' })

describe('the address of a clone', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a reader finds the command that clones a space, and it is one line to copy', async () => {
    for (const device of DEVICES) {
      const { page, complaints } = await openPage(browser, device)
      await signIn(page, world.url, email)
      await page.goto(`${world.url}/app/s/${space.id}/~/history`)
      await page.getByRole('button', { name: 'Clone with Git' }).click()
      const dialog = page.getByRole('dialog', { name: 'Clone with Git' })
      await dialog.getByText(`git clone ${world.url}/git/${organizationId}/${space.id}.git`).waitFor()
      await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor()
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
      assert.deepEqual(complaints, [])
      await leave(page)
    }
  })
})
