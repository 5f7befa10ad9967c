/** What a person writes to settle a conflict stays until it is saved, whatever fails and whatever others do meanwhile. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { createProposers, GUIDE, write } from './proposing.ts'

const world = await createWorld()
const { ann, bob, proposed, signedIn } = await createProposers(world)

describe('the text of a conflict', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** Opens the conflicts of a change request as ann, who writes in the one about the button. */
  async function writing() {
    const { spaceId, guide, base, home } = await proposed()
    const { number } = (await bob(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Other' })).body
    const other = `/v1/spaces/${spaceId}/change-requests/${number}`
    await write(
      bob,
      other,
      guide,
      GUIDE.replace('the button', 'the button twice').replace('a minute', 'long'),
    )
    await ann(`POST ${other}/reviews`, { status: 'approved' })
    assert.equal((await bob(`POST ${other}/merge`)).body.result, 'merge')
    assert((await ann(`POST ${base}/update`)).status < 300)
    const { page } = await signedIn(browser, 'ann')
    await page.goto(`${home}/conflicts`)
    const box = page.locator('.conflict', { hasText: 'button' })
    await box.getByRole('button', { name: 'Edit this version In the space' }).click()
    const text = box.getByRole('textbox', { name: 'New text' })
    await text.locator('p').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Mine.')
    const { items } = (await ann(`GET ${base}/conflicts`)).body as {
      items: { id: string; own: string }[]
    }
    const { id } = items.find(({ own }) => own.includes('button'))!
    const keeps = (what: Page) => what.locator('.conflict p', { hasText: 'twice. Mine.' }).waitFor()
    const save = () => box.getByRole('button', { name: 'Save' }).click()
    const stored = async (): Promise<string> =>
      (await ann(`GET ${base}/content/page/${guide}?format=markdown`)).body.markdown
    return { page, box, base, id, keeps, save, stored }
  }
  const notice = (page: Page) => page.getByText('Somebody else has settled this conflict')

  test('stays when somebody else settles it, and is saved after that was undone', async () => {
    const { page, box, base, id, keeps, save, stored } = await writing()
    assert.equal((await bob(`POST ${base}/conflicts/${id}/resolve`, { side: 'own' })).status, 200)
    await notice(page).waitFor()
    await keeps(page)
    await page.keyboard.type(' More.')
    await save()
    await box.getByText('already resolved').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Bob' }).getByRole('button', { name: /^Undo/ }).click()
    await notice(page).waitFor({ state: 'detached' })
    await save()
    await box.waitFor({ state: 'detached' })
    assert.match(await stored(), /button twice\. Mine\. More\./)
    assert.equal(await notice(page).count(), 0)
    await leave(page)
  })

  test('goes away with Cancel after somebody else has settled it', async () => {
    const { page, box, base, id } = await writing()
    assert.equal((await bob(`POST ${base}/conflicts/${id}/resolve`, { side: 'own' })).status, 200)
    await notice(page).waitFor()
    await box.getByRole('button', { name: 'Cancel' }).click()
    await box.waitFor({ state: 'detached' })
    await leave(page)
  })

  test('stays after a failed save, a list that cannot be read, and a reload', async () => {
    const { page, box, base, keeps, save, stored } = await writing()
    await page.route('**/conflicts/*/resolve', (route) => route.abort())
    await save()
    await box.getByRole('alert').waitFor()
    await keeps(page)
    await page.route(`**${base}/conflicts*`, (route) => route.abort())
    await bob(`PATCH ${base}`, { subject: 'Another name' })
    await keeps(page)
    await page.unrouteAll()
    await page.reload()
    await keeps(page)
    await save()
    await box.waitFor({ state: 'detached' })
    assert.match(await stored(), /button twice\. Mine\./)
    assert.equal(await notice(page).count(), 0)
    await leave(page)
  })
})
