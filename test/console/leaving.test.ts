/** What is left of a draft when its writer leaves the editor, and direct edits, in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  type Device,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, untilSaved } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
const member = `/v1/orgs/${world.organizationId}/members/${ann.id}`
assert.equal((await world.ada(`PATCH ${member}`, { role: 'review' })).status, 200)

describe('leaving the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  /** The status of each change request of a space, oldest first. */
  const statuses = async (spaceId: string, number = 1): Promise<string[]> => {
    const { status, body } = await ann(`GET /v1/spaces/${spaceId}/change-requests/${number}`)
    return status === 200 ? [body.status, ...(await statuses(spaceId, number + 1))] : []
  }
  const untilStatuses = async (spaceId: string, expected: string[]) => {
    for (let tries = 0; tries < 100; tries++) {
      if (JSON.stringify(await statuses(spaceId)) === JSON.stringify(expected)) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.deepEqual(await statuses(spaceId), expected)
  }
  /** The screen of a new space with one page. */
  const openSpace = async ({ device, editMode }: { device?: Device; editMode?: 'live' } = {}) => {
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n\nHello.\n' }), 'Guide')
    if (editMode) assert.equal((await world.ada(`PATCH /v1/spaces/${spaceId}`, { editMode })).status, 200)
    const { page } = await openSignedIn(browser, world, email, device)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    return { page, spaceId }
  }
  const edit = async (page: Page) => {
    await button(page, 'Edit').click()
    await page.waitForSelector('.writing[aria-autocomplete]')
  }
  const write = async (page: Page, text: string) => {
    await page.locator('.writing p').first().click()
    await page.keyboard.press('Home')
    await page.keyboard.type(text)
  }
  const markdown = async (spaceId: string) => {
    const { pages } = (await ann(`GET /v1/spaces/${spaceId}/content/pages`)).body
    return (await ann(`GET /v1/spaces/${spaceId}/content/page/${pages[0].id}?format=markdown`)).body.markdown
  }

  test('a draft without a change is discarded by Done, by a link and by the keys of the browser', async () => {
    const { page, spaceId } = await openSpace()
    await edit(page)
    assert.deepEqual(await axeFindings(page), [])
    await button(page, 'Done').click()
    await page.getByRole('heading', { name: 'Start' }).waitFor()
    await untilStatuses(spaceId, ['archived'])
    assert.equal(await page.getByText('Continue your draft').count(), 0)

    await edit(page)
    await page.getByRole('link', { name: 'Guide' }).first().click()
    await untilStatuses(spaceId, ['archived', 'archived'])

    await button(page, 'Edit').waitFor()
    await edit(page)
    await page.goBack()
    await untilStatuses(spaceId, ['archived', 'archived', 'archived'])
    await button(page, 'Edit').waitFor()
    await page.getByText('Continue your draft').waitFor({ state: 'detached' })
    await leave(page)
  })

  test('a draft stays if something was typed, also a moment before its writer leaves', async () => {
    const { page, spaceId } = await openSpace()
    await edit(page)
    await write(page, 'Late words. ')
    await page.getByRole('link', { name: 'Guide' }).first().click()
    await page.getByText('Continue your draft').click()
    await page.waitForSelector('.writing[aria-autocomplete]')
    await page.getByText('Late words.').waitFor()
    assert.deepEqual(await statuses(spaceId), ['draft'])

    // A reload is no leaving.
    await page.reload()
    await page.waitForSelector('.writing[aria-autocomplete]')
    assert.deepEqual(await statuses(spaceId), ['draft'])
    await leave(page)
  })

  test('a first page in which nobody has written is discarded, and one with a title stays', async () => {
    const organization = `/v1/orgs/${world.organizationId}`
    const { id: spaceId } = (await world.ada(`POST ${organization}/spaces`, { title: 'Empty' })).body
    const { page } = await openSignedIn(browser, world, email)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    const begin = async () => {
      await button(page, 'Write the first page').click()
      await page.waitForSelector('.writing[aria-autocomplete]')
    }
    await begin()
    await button(page, 'Done').click()
    await button(page, 'Write the first page').waitFor()
    await untilStatuses(spaceId, ['archived'])
    await begin()
    await page.goBack()
    await untilStatuses(spaceId, ['archived', 'archived'])

    await begin()
    await page.keyboard.type('Harbours')
    await page.keyboard.press('Enter')
    await untilSaved(page)
    await page.goBack()
    await page.getByText('Continue your draft').waitFor()
    assert.deepEqual(await statuses(spaceId), ['archived', 'archived', 'draft'])
    await leave(page)
  })

  test('the overview of an untouched draft leaves it open', async () => {
    const { page, spaceId } = await openSpace()
    await edit(page)
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/1`)
    await page
      .getByRole('heading', { name: 'Not ready to merge' })
      .or(page.locator('.merge-box'))
      .first()
      .waitFor()
    assert.deepEqual(await statuses(spaceId), ['draft'])
    await leave(page)
  })

  test('Discard draft archives what was written, and Undo takes that back', async () => {
    const { page, spaceId } = await openSpace()
    await edit(page)
    await write(page, 'For nothing. ')
    await button(page, 'Discard draft').click()
    await page.getByText('The draft was discarded').waitFor()
    assert.deepEqual(await statuses(spaceId), ['archived'])
    await button(page, 'Undo').click()
    await page.getByText('Continue your draft').click()
    await page.getByText('For nothing.').waitFor()
    assert.deepEqual(await statuses(spaceId), ['draft'])
    await leave(page)
  })

  for (const device of [DEVICES[0]!, DEVICES[3]!])
    test(`in a space that allows it, Done puts the changes into the space: ${device.name}`, async () => {
      const { page, spaceId } = await openSpace({ device, editMode: 'live' })
      await button(page, 'Other ways to edit').waitFor()
      await edit(page)
      await page.getByText('“Done” puts your changes into the space.').waitFor()
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
      await write(page, 'Direct. ')
      await untilSaved(page)
      await button(page, 'Done').click()
      await page.getByText('Your changes are in the space').waitFor()
      await page.getByText('Direct. Hello.').waitFor()
      assert.match(await markdown(spaceId), /Direct\. Hello\./)
      assert.deepEqual(await statuses(spaceId), ['merged'])

      // Proposing is the second choice, here with the keyboard.
      await button(page, 'Other ways to edit').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Propose a change' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForSelector('.writing[aria-autocomplete]')
      await write(page, 'Proposed. ')
      await untilSaved(page)
      await button(page, 'Done').click()
      await page.getByRole('button', { name: 'Ready for review' }).waitFor()
      assert.doesNotMatch(await markdown(spaceId), /Proposed/)
      await leave(page)
    })

  test('a direct edit that cannot be merged leads to the screen that says why', async () => {
    const { page, spaceId } = await openSpace({ editMode: 'live' })
    await edit(page)
    await write(page, 'Mine. ')
    await untilSaved(page)
    const { pages } = (await ann(`GET /v1/spaces/${spaceId}/content/pages`)).body
    const changed = await world.ada(`POST /v1/spaces/${spaceId}/content`, {
      changes: [
        { operation: 'update_page', page: pages[0].id, document: { markdown: '# Start\n\nTheirs.\n' } },
      ],
    })
    assert.equal(changed.status, 200, changed.text)
    await button(page, 'Done').click()
    await page.waitForURL('**/conflicts')
    await leave(page)
  })

  test('a direct edit on which somebody has commented leads to its screen, which asks before it merges', async () => {
    const { page, spaceId } = await openSpace({ editMode: 'live' })
    await edit(page)
    await write(page, 'Mine. ')
    await untilSaved(page)
    const comments = `/v1/spaces/${spaceId}/change-requests/1/comments`
    assert.equal((await world.ada(`POST ${comments}`, { body: { markdown: 'Why?' } })).status, 200)
    await button(page, 'Done').click()
    await page.waitForURL('**/~/changes/1')
    assert.deepEqual(await statuses(spaceId), ['draft'])
    assert.doesNotMatch(await markdown(spaceId), /Mine/)
    await leave(page)
  })
})
