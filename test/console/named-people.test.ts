/** People in the console: who can be asked for a review, how people are named, and how they are found. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { axeFindings, DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { PASSWORD } from './pages.ts'

const world = await createWorld()

async function withRole(name: string, role: 'edit' | 'review' | 'admin') {
  const person = await world.person(name, role)
  assert.equal((await person('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  return person
}

describe('people in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** Opens a screen for a person. */
  async function opened(name: string, address: string) {
    const { page } = await openPage(browser, DEVICES[0]!)
    await page.goto(`${world.url}/sign-in`)
    await page.fill('#email', `${name}@example.com`)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.waitForURL('**/app**')
    await page.goto(address)
    return page
  }

  test('a person who cannot review is not offered as one, and reads why if asked', async () => {
    const dan = await withRole('dan', 'edit')
    await withRole('bob', 'review')
    await withRole('eve', 'admin')
    const space = (await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Guide' })).body
    const base = `/v1/spaces/${space.id}/change-requests`
    const { number } = (await world.ada(`POST ${base}`, { subject: 'Name the button' })).body
    await world.ada(`PATCH ${base}/${number}`, { status: 'open' })
    const address = `${world.url}/app/s/${space.id}/~/changes/${number}`

    const page = await opened('eve', address)
    await page.getByRole('button', { name: 'Ask for a review' }).click()
    await page.getByRole('listitem').filter({ hasText: 'dan' }).getByText('Cannot review').waitFor()
    await page.getByRole('button', { name: 'Ask bob' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Ask dan' }).count(), 0)
    assert.deepEqual(await axeFindings(page), [])
    await leave(page)

    await world.ada(`POST ${base}/${number}/requested-reviewers`, { users: [dan.id] })
    const his = await opened('dan', address)
    await his.getByText('You were asked, but your role cannot review.').waitFor()
    await leave(his)
  })

  test('a person who was invited and has no name has one in the language of the reader', async () => {
    const zoe = await withRole('zoe', 'review')
    assert.equal((await zoe(`PATCH /v1/users/${zoe.id}`, { language: 'zh' })).status, 200)
    const organization = `/v1/orgs/${world.organizationId}`
    await world.ada(`POST ${organization}/invites`, { emails: ['new@example.com'], role: 'read' })
    const page = await opened('zoe', `${world.url}/app/o/${world.organizationId}/people`)
    await page.getByText('受邀者').waitFor()
    assert.equal(await page.getByText('Invited person').count(), 0)
    await leave(page)
  })

  test('the audit log shows what somebody did whose name is typed', async () => {
    const ivy = await withRole('ivy', 'admin')
    const organization = `/v1/orgs/${world.organizationId}`
    for (const [person, title] of [
      [ivy, 'Hers'],
      [world.ada, 'Not hers'],
    ] as const)
      assert.equal((await person(`POST ${organization}/spaces`, { title })).status, 201)
    const page = await opened('ivy', `${world.url}/app/o/${world.organizationId}/audit`)
    const row = (text: string) => page.locator('.rows li', { hasText: text })
    await row('Not hers').waitFor()
    const who = page.getByRole('combobox', { name: 'Who' })
    await who.pressSequentially('iv')
    await page.getByRole('option', { name: 'ivy' }).click()
    await page.waitForURL(`**/audit?actor=${ivy.id}`)
    await row('Not hers').waitFor({ state: 'detached' })
    assert.deepEqual(await axeFindings(page), [])
    await page.reload()
    await row('Hers').waitFor()
    assert.equal(await who.inputValue(), 'ivy')
    await who.fill('')
    await row('Not hers').waitFor()
    await leave(page)
  })

  test('a page mentions any member whose name is typed, also in a large organization', async () => {
    await withRole('amy', 'admin')
    for (let number = 0; number < 100; number++) await world.person(`member-${number}`, 'read')
    const zack = await world.person('zack', 'read')
    const space = (await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Large' })).body
    const base = `/v1/spaces/${space.id}/change-requests`
    const { number } = (await world.ada(`POST ${base}`, { subject: 'Mention' })).body
    const insert = { operation: 'insert_page', document: { markdown: '# Team\n\nAsk\n' } }
    const [made] = (await world.ada(`POST ${base}/${number}/content?compat=false`, { changes: [insert] }))
      .body.changes
    const page = await opened('amy', `${world.url}/app/s/${space.id}/~/changes/${number}/edit/team`)
    await page.locator('.writing p', { hasText: 'Ask' }).click()
    await page.keyboard.press('End')
    await page.getByRole('button', { name: '+ Insert' }).click()
    await page.getByRole('menuitem', { name: 'Mention' }).click()
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.pressSequentially('zac')
    await page.getByRole('option', { name: 'zack' }).click()
    assert.equal(await field.inputValue(), 'zack')
    await page.getByRole('dialog').getByRole('button', { name: 'Insert' }).click()
    await page.locator('.writing p', { hasText: 'zack' }).waitFor()
    const stored = async () => (await world.ada(`GET ${base}/${number}/content/page/${made.page.id}`)).text
    for (let tries = 0; tries < 100 && !(await stored()).includes(zack.id); tries++)
      await page.waitForTimeout(100)
    assert((await stored()).includes(zack.id))
    await leave(page)
  })
})
