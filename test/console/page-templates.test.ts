/** Templates of pages, as people keep, use, rename and delete them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn, openWriting, untilSaved } from './writing.ts'

const world = await createWorld()
const { email, person: ann } = await withPassword(world, 'ann')
await world.ada(`PATCH /v1/orgs/${world.organizationId}/members/${ann.id}`, { role: 'create' })
const path = `/v1/orgs/${world.organizationId}/page-templates`

describe('templates of pages', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('a page is kept as a template, whose links lead to its space, and is renamed and deleted', async () => {
    const files = {
      'README.md': '# Interview\n\nSee [the boats](boats.md) and [below](#questions).\n\n## Questions\n',
      'boats.md': '# Boats\n',
    }
    const { spaceId } = await spaceWith(world, archiveOf(files), 'Guide')
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await button(page, 'Actions for Interview').click()
    await page.getByRole('menuitem', { name: 'Save as template' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('User interview')
    await dialog.getByLabel('Description').fill('For every release')
    assert.deepEqual(await axeFindings(page), [])
    await button(page, 'Save as template').click()
    await page.getByText('“User interview” is a template now').waitFor()
    const [own] = (await ann(`GET ${path}`)).body.items
    const { markdown } = (await ann(`GET ${path}/${own.id}`)).body
    assert.match(markdown, new RegExp(`\\[the boats\\]\\(/spaces/${spaceId}/pages/\\w+\\)`))
    assert.match(markdown, /\[below\]\(#questions\)/)

    await page.goto(`${world.url}/app/o/${world.organizationId}/settings/page-templates`)
    await button(page, 'Edit User interview').click()
    await dialog.getByLabel('Title').fill('Talk with a user')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await button(page, 'Edit Talk with a user').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Edit / }).count(), 1, 'not those of Lectern')
    assert.deepEqual(await axeFindings(page), [])
    assert.equal(await sidewaysScroll(page), 0)
    await button(page, 'Delete Talk with a user').click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Edit Talk with a user').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('by the keyboard, “/” inserts a template where one writes', async () => {
    const writing = await openWriting(browser, world, email, {
      files: { 'README.md': '# Week\n\nBefore.\n' },
    })
    const { page, stored } = writing
    await page.locator('.writing p').first().click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/template')
    await page.getByRole('option', { name: /^Template/ }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Meeting notes/ }).waitFor()
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.type('decided')
    await dialog.getByRole('button', { name: /^Runbook/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.writing').getByText('Agenda').waitFor()
    await untilSaved(page)
    const text = await stored()
    assert.match(text, /Before\.\n/)
    assert.match(text, /## Agenda\n/)
    assert.match(text, /[*-] \[ \] What, by whom, and until when/)
    await leave(page)
  })

  test('on a phone, a new page begins with a template, its title and its emoji', async () => {
    const writing = await openWriting(browser, world, email, {
      files: { 'README.md': '# Home\n\nText.\n' },
      device: DEVICES[3]!,
    })
    const { page, content } = writing
    await button(page, 'Pages').click()
    await page.getByRole('button', { name: '+ New page' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Begin with').selectOption('runbook')
    assert.equal(await dialog.getByLabel('Title').inputValue(), 'Runbook')
    await dialog.getByLabel('Title').fill('Runbook of the harbour')
    // The sheet with the button was open, so the dialog covers the screen a moment after it is there.
    await untilTrue(page, `document.elementFromPoint(9, 9)?.className === 'overlay'`)
    assert.deepEqual(await axeFindings(page), [])
    assert.equal(await sidewaysScroll(page), 0)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.locator('.writing').getByText('Find the cause').waitFor()
    const { pages } = (await ann(`GET ${content}/pages`)).body
    const made = pages.find(({ title }: { title: string }) => title === 'Runbook of the harbour')
    assert.equal(made.emoji, '1f692')
    await leave(page)
  })
})
