/** How reviews show the differences of blocks that are more than a line of text. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { axeFindings, leave, openBrowser, sidewaysScroll, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

async function ok(call: `${'GET' | 'POST' | 'PATCH'} /${string}`, body?: object) {
  const answer = await world.ada(call, body)
  assert(answer.status < 300, answer.text)
  return answer.body
}

/** A space with a page, and the way to change it. */
async function spaceOf(markdown: string) {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': `# Parts\n\n${markdown}` }))
  const { pages } = await ok(`GET /v1/spaces/${spaceId}/content/pages`)
  const page = (pages as { id: string }[])[0]!.id
  const requests = `/v1/spaces/${spaceId}/change-requests` as const
  return {
    requests,
    home: (number: number) => `${world.url}/app/s/${spaceId}/~/changes/${number}`,
    /** Proposes another text of the page. @returns the number of the change request */
    async propose(text: string): Promise<number> {
      const { number } = await ok(`POST ${requests}`, { subject: 'Change it' })
      const changes = [{ operation: 'update_page', page, document: { markdown: `# Parts\n\n${text}` } }]
      await ok(`POST ${requests}/${number}/content`, { changes })
      await ok(`PATCH ${requests}/${number}`, { status: 'open' })
      return number
    },
  }
}

const LIGHTS = `| Light | Meaning | Since |
| --- | --- | --- |
| green | ready to go | 1.0 |
| red | stopped for good | 1.1 |
| blue | unknown to us | 1.2 |
`

describe('the differences of blocks in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const look = async (page: Page, what: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await axeFindings(page), [], `${what}, ${colorScheme}`)
    }
    assert.equal(await sidewaysScroll(page), 0, what)
  }

  test('both sides of a conflict show the words and rows of a table that they changed', async () => {
    const { requests, home, propose } = await spaceOf(LIGHTS)
    const theirs = await propose(LIGHTS.replace('to go', 'to leave'))
    const ours = await propose(
      LIGHTS.replace('to go', 'to start')
        .replace('| red | stopped for good | 1.1 |\n', '')
        .concat('| white | never seen | 1.3 |\n'),
    )
    await ok(`POST ${requests}/${theirs}/merge`)
    await ok(`POST ${requests}/${ours}/update`)
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${home(ours)}/conflicts`)
    const [base, inSpace, own] = [0, 1, 2].map((at) => page.locator('.versions > div').nth(at))
    await own!.locator('td ins', { hasText: 'start' }).waitFor()
    assert.deepEqual(await inSpace!.locator('ins, del').allTextContents(), ['Deleted: go', 'Inserted: leave'])
    assert.deepEqual(await own!.locator('ins, del').allTextContents(), ['Deleted: go', 'Inserted: start'])
    assert.match(await own!.locator('tr.deleted').innerText(), /Deleted\s+red/)
    assert.match(await own!.locator('tr.inserted').innerText(), /Inserted\s+white/)
    assert.equal(await base!.locator('tr').count(), 4)
    assert.equal(await base!.locator('ins, del, .sign').count(), 0)
    // A person who chooses a version sees all of it.
    assert.equal(await own!.locator('tr').count(), 5)
    assert.equal(await page.locator('.conflict .fold').count(), 0)
    await look(page, 'a conflict in a table')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a changed table is shown as a table, without its rows that are far from any change', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `| Row ${i} | says ${i} | 1.${i} |\n`)
    const { home, propose } = await spaceOf(LIGHTS + rows.join(''))
    const number = await propose(
      LIGHTS.replace('| Since', '| From') + rows.join('').replace('says 9', 'tells 9'),
    )
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${home(number)}/diff`)
    const table = page.locator('.diff-inside.of-table')
    await table.locator('tr.changed', { hasText: 'tells' }).waitFor()
    assert.deepEqual(await table.locator('th').last().locator('ins, del').allTextContents(), [
      'Deleted: Since',
      'Inserted: From',
    ])
    assert.equal(await table.getByText('Row 4').count(), 0)
    await table.getByRole('button', { name: /Show \d+ unchanged rows/ }).click()
    await table.getByText('Row 4').waitFor()
    await look(page, 'a table')
    await page.getByLabel('Show').selectOption('split')
    await table.nth(1).locator('ins', { hasText: 'tells' }).waitFor()
    assert.equal(await table.nth(0).locator('ins').count(), 0)
    assert.equal(await table.nth(1).locator('del').count(), 0)
    await look(page, 'a table side by side')
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
