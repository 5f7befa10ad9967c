/** The screen of a sync: a person connects a space with a repository, syncs it, and decides what stopped it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { runDueJobs } from '../due-jobs.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { HOST_TOKEN, startGitHost } from '../sync/git-host.ts'
import { createWorld } from '../world.ts'
import { complaintsOf, withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const host = await startGitHost()
const { email, person: ann } = await withPassword(world, 'ann')
const organization = `/v1/orgs/${world.organizationId}`
await world.ada(`PATCH ${organization}/members/${ann.id}`, { role: 'create' })

const FILES = {
  'docs/SUMMARY.md': '# Contents\n\n- [Home](README.md)\n',
  'docs/README.md': '# Home\n\nOne.\n',
}
const short = (oid: string) => oid.slice(0, 10)

describe('the sync of a space', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('a space is connected, synced, decided after the history was rewritten, and disconnected', async () => {
    const { repository, address } = host.create('closed-manual')
    repository.commit(FILES)
    const { body: space } = await ann(`POST ${organization}/spaces`, { title: 'Manual', editMode: 'live' })
    const { page } = await openSignedIn(browser, world, email)
    const complaints = complaintsOf(page)
    await page.goto(`${world.url}/app/s/${space.id}/~/sync`)
    await page.getByText('The server can keep this space').waitFor()
    assert.deepEqual(await axeFindings(page), [])

    await page.getByLabel('Address of the repository').fill(address)
    await page.getByLabel('Folder').fill('docs')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('refuses').waitFor()
    await page.getByLabel('Access token').fill(HOST_TOKEN.token)
    await page.getByLabel('User name for the token').fill(HOST_TOKEN.user)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Syncing…').waitFor()
    await runDueJobs(world)
    await page.getByText('Synced', { exact: true }).first().waitFor()
    await page.getByText('The server has a token, and stores it encrypted').waitFor()
    assert.equal((await page.content()).includes(HOST_TOKEN.token), false)
    assert.deepEqual(await axeFindings(page), [])

    const pushed = repository.commit({ 'docs/README.md': '# Home\n\nTwo.\n' })
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('Syncing…').waitFor()
    await runDueJobs(world)
    await page.getByText(`from the repository: ${short(pushed)}`).waitFor()

    repository.git('commit', '--amend', '-m', 'Another message')
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('Syncing…').waitFor()
    await runDueJobs(world)
    await page.getByText('Syncs have stopped').first().waitFor()
    await page.getByText('was rewritten').first().waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: 'Follow the branch' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Follow the branch' }).click()
    await page.getByText('Syncing…').waitFor()
    await runDueJobs(world)
    await page.getByRole('status').getByText('Synced', { exact: true }).waitFor()

    // The token is kept while the address stays the same.
    await page.getByRole('button', { name: 'Change the connection' }).click()
    await page.getByRole('dialog').getByLabel('How often').selectOption({ label: 'Every hour' })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Every hour' }).waitFor()
    await page.getByText('The server has a token, and stores it encrypted').waitFor()
    await runDueJobs(world)

    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('The server can keep this space').waitFor()
    assert.deepEqual(
      complaints.filter((line) => !/40[49]/.test(line)),
      [],
    )
    await leave(page)
  })

  test('a space with content takes that of a branch only if the person says so, also on a phone', async () => {
    const { repository, address } = host.create('open-manual')
    repository.commit(FILES)
    const { body: space } = await ann(`POST ${organization}/spaces`, { title: 'Filled', editMode: 'live' })
    const change = { operation: 'insert_page', title: 'Mine', document: { markdown: 'Mine.' } }
    await ann(`POST /v1/spaces/${space.id}/content`, { changes: [change] })
    const phone = DEVICES.find(({ name }) => name.includes('phone'))!
    const { page } = await openSignedIn(browser, world, email, phone)
    await page.goto(`${world.url}/app/s/${space.id}/~/sync`)
    await page.getByLabel('Address of the repository').fill(address)
    await page.getByLabel('Folder').fill('docs')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('never synced with this branch').waitFor()
    await page.getByLabel('Replace the content of this space').check({ force: true })
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Syncing…').waitFor()
    await runDueJobs(world)
    await page.getByRole('status').getByText('Synced', { exact: true }).waitFor()
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await leave(page)
  })
})
