/** Administrators see in a browser whom an invitation did not reach, and send it again. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { workers } from '../../src/jobs/workers.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { openMail } from '../../src/mail/mail.ts'
import { startMailServer } from '../mail/smtp-server.ts'
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

const server = await startMailServer('plain')
const config = { url: `smtp://127.0.0.1:${server.port}`, from: 'docs@example.com' }
const mail = openMail(config, () => ({ warn: () => {} }))
const world = await createWorld({}, { mail })
const { ada, clock, db, organizationId, url } = world
const ann = await withPassword(world, 'ann')
await ada(`PATCH /v1/orgs/${organizationId}/members/${ann.person.id}`, { role: 'admin' })
const quiet = { warn: () => {}, error: () => {} }
const run = () => jobLoop(db, workers(world.app.services), () => clock.now ?? new Date(), quiet).runDue()

describe('invitations that were not delivered', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
    const emails = ['unknown@example.com', 'busy@example.com', 'fine@example.com']
    await ada(`POST /v1/orgs/${organizationId}/invites`, { emails, role: 'read' })
    await run()
  })
  after(async () => {
    await browser?.close()
    server.close()
  })

  for (const device of DEVICES)
    test(`are shown with the reason, accessibly (${device.name})`, async () => {
      const { page, complaints } = await openPage(browser, device)
      await signIn(page, url, ann.email)
      await page.goto(`${url}/app/o/${organizationId}/people`)
      const part = page.getByRole('region', { name: 'Undelivered invitations' })
      await part.getByText('The mail server refused the address: 550 no such user').waitFor()
      await part.getByText('The mail server refused the address: 450 mailbox busy').waitFor()
      assert.equal(await part.getByText('fine@example.com').count(), 0)
      assert.equal(await sidewaysScroll(page), 0)
      assert.deepEqual(await axeFindings(page), [])
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  test('are sent again, but not within ten minutes', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, url, ann.email)
    await page.goto(`${url}/app/o/${organizationId}/people`)
    const row = page
      .getByRole('region', { name: 'Undelivered invitations' })
      .getByRole('listitem')
      .filter({ hasText: 'unknown@example.com' })
    const again = row.getByRole('button', { name: 'Send again unknown@example.com' })
    await again.click()
    await row.getByText('Lectern cannot send another e-mail to this address yet.').waitFor()

    clock.now = new Date(Date.now() + 11 * 60_000)
    await again.click()
    await row.getByText('Waits to be sent').waitFor()
    server.accepts('unknown@example.com')
    await run()
    await page.reload()
    await page.getByText('busy@example.com').first().waitFor()
    assert.equal(await row.count(), 0)
    await leave(page)
  })
})
