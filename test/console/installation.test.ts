/** The state of the installation in a browser: an administrator finds a job that failed, and runs it again. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { because } from '../../src/core/languages/reasons.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { mailFaultOf } from '../../src/mail/faults.ts'
import type { Mail } from '../../src/mail/mail.ts'
import type { SmtpConfig } from '../../src/mail/smtp.ts'
import { PermanentFault } from '../../src/jobs/queue/tries.ts'
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

let isMailBroken = true
const mailServer: SmtpConfig = { url: 'smtp://mail.example.com:587', from: 'docs@example.com' }
const mail: Mail = {
  configured: true,
  send: async ({ to }) => {
    if (isMailBroken)
      throw Object.assign(new Error('refused'), { code: 'EAUTH', response: '535 wrong password' })
    assert.match(to, /^ann@|^ops@/)
  },
  explain: (error) => mailFaultOf(error, mailServer),
}
const world = await createWorld({}, { mail })
const { db, organizationId, url } = world
const ann = await withPassword(world, 'ann')
const bob = await withPassword(world, 'bob')
await world.ada(`PATCH /v1/orgs/${organizationId}/members/${ann.person.id}`, { role: 'admin' })

const REFUSED = { server: 'mail.example.com', response: '550 ada@example.com is unknown' }
const quiet = { warn: () => {}, error: () => {} }
let isBroken = true
const run = () =>
  jobLoop(
    db,
    {
      'send-email': async () => {
        if (isBroken) throw new PermanentFault(because('mail-recipient-refused', REFUSED))
      },
    },
    () => new Date(),
    quiet,
  ).runDue()

describe('the installation in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
    await db.write(async (tx) => {
      for (const email of ['one@example.com', 'two@example.com'])
        await world.app.services.enqueue(tx, 'send-email', { template: 'password-reset', email })
    })
    await run()
  })
  after(() => browser?.close())

  for (const device of DEVICES)
    test(`fits, and is accessible (${device.name})`, async () => {
      const { page, complaints } = await openPage(browser, device)
      await signIn(page, url, ann.email)
      await page.goto(`${url}/app/installation`)
      await page.getByText('mail.example.com refused the recipient: 550 ada@example.com').first().waitFor()
      await page.getByText('Measured').waitFor()
      assert.equal(await sidewaysScroll(page), 0)
      assert.deepEqual(await axeFindings(page), [])
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  test('an administrator finds failed jobs, retries one, and deletes another', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, url, ann.email)
    await page.goto(`${url}/app`)
    await page.getByRole('button', { name: /Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Installation' }).click()
    await page.getByText('2 jobs failed for good').waitFor()
    isBroken = false
    await page
      .getByRole('button', { name: /^Retry E-mail/ })
      .first()
      .click()
    await page.getByText('1 job waits, 1 failed for good.').waitFor()
    await run()
    await page.getByRole('button', { name: /^Delete E-mail/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No job has failed for good.').waitFor()
    assert.deepEqual(await db.read.selectFrom('job').selectAll().execute(), [])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('all failed jobs are retried at once', async () => {
    isBroken = true
    await db.write((tx) =>
      world.app.services.enqueue(tx, 'send-email', { template: 'join', inviteId: 'none' }),
    )
    await run()
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, url, ann.email)
    const speak = (language: string) => ann.person(`PATCH /v1/users/${ann.person.id}`, { language })
    assert.equal((await speak('zh')).status, 200)
    await page.goto(`${url}/app/installation`)
    await page.getByText('mail.example.com 拒绝了收件人：550 ada@example.com is unknown').waitFor()
    await speak('en')
    await page.reload()
    await page.getByRole('button', { name: 'Retry failed jobs' }).click()
    await page.getByText('1 job runs again.').waitFor()
    isBroken = false
    await run()
    await leave(page)
  })

  test('a test e-mail shows what failed and what to do, and then that the mail server accepts it', async () => {
    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    await signIn(page, url, ann.email)
    await page.goto(`${url}/app/installation`)
    const send = page.getByRole('button', { name: 'Send test e-mail' })
    isMailBroken = true
    await send.click()
    await page
      .getByText('mail.example.com:587 refused the user and password: 535 wrong password')
      .first()
      .waitFor()
    await page.getByText('must be percent-encoded').first().waitFor()
    assert.deepEqual(await axeFindings(page), [])
    isMailBroken = false
    await page.getByLabel('Recipient of a test e-mail').fill('ops@example.com')
    await send.click()
    await page.getByText('accepted the e-mail to ops@example.com').waitFor()
    assert.equal(await page.getByText('must be percent-encoded').count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('other users do not see it', async () => {
    const { page } = await openPage(browser, DEVICES[0]!)
    await signIn(page, url, bob.email)
    await page.goto(`${url}/app`)
    await page.getByRole('button', { name: /Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Installation' }).count(), 0)
    await page.goto(`${url}/app/installation`)
    await page.getByText('requires an administrator of the installation').waitFor()
    await leave(page)
  })
})
