/** How reviews show the differences of blocks that are more than a line of text. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Block } from '../../src/core/document/model.ts'
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
  const files = { 'README.md': `# Parts\n\n${markdown}`, 'other.md': '# Other page\n\nText.\n' }
  const { spaceId } = await spaceWith(world, archiveOf(files))
  const { pages } = await ok(`GET /v1/spaces/${spaceId}/content/pages`)
  const page = (pages as { id: string; title: string }[]).find(({ title }) => title === 'Parts')!.id
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
    /** Comments on a block of the page. @param blockOf finds the block among those of the document */
    async comment(number: number, text: string, blockOf: (nodes: Block[]) => Block | undefined) {
      const { nodes } = await ok(`GET ${requests}/${number}/content/page/${page}/document`)
      const node = blockOf(nodes as Block[])?.key
      assert(node)
      await ok(`POST ${requests}/${number}/comments`, { page, node, body: { markdown: text } })
    },
  }
}

const LIGHTS = `| Light | Meaning | Since |
| --- | --- | --- |
| green | ready to go | 1.0 |
| red | stopped for good | 1.1 |
| blue | unknown to us | 1.2 |
`

const SETTINGS = `Read [our guide](https://old.example.com) first, and **take** care.

{% hint style="info" %}
Mind the lamp.
{% endhint %}

1. Open the box
2. Press the button
3. Wait

Then:

- [ ] Buy a lamp
- [x] Unpack it

{% tabs %}
{% tab title="yarn" %}
Run it.
{% endtab %}
{% endtabs %}

{% embed url="https://example.com/one" %}
`

const CHANGED_SETTINGS = SETTINGS.replace('old.example', 'new.example')
  .replace('**take** care', 'take care')
  .replace('"info"', '"warning"')
  .replace('2. Press the button\n', '2. Look around\n3. Press the red button\n')
  .replace('3. Wait', '4. Wait')
  .replace('[ ] Buy', '[x] Buy')
  .replace('"yarn"', '"pnpm"')
  .replace('/one', '/two')
  .concat('\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}\n')

const cards = (...rows: [name: string, about: string, target: string][]) =>
  `<table data-view="cards"><thead><tr><th>Name</th><th>About</th><th data-hidden data-card-target data-type="content-ref">Target</th></tr></thead><tbody>${rows
    .map(
      ([name, about, to]) => `<tr><td>${name}</td><td>${about}</td><td><a href="${to}">${to}</a></td></tr>`,
    )
    .join('')}</tbody></table>\n`

/** What the lines about settings say, without the words that only screen readers get. */
const settingsIn = async (place: Locator) =>
  (await place.locator('.settings > div').allInnerTexts()).map((text) =>
    text.replaceAll(/(?:Deleted|Inserted):\s*/g, '').replaceAll(/\s+/g, ' '),
  )

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

  test('settings that change are said in words, and items keep their numbers and boxes', async () => {
    const { home, propose } = await spaceOf(SETTINGS)
    const number = await propose(CHANGED_SETTINGS)
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${home(number)}/diff`)
    const diff = page.locator('.diff')
    await diff.locator('mark.altered', { hasText: 'our guide' }).waitFor()
    assert.deepEqual(await settingsIn(diff), [
      'Link “our guide” https://old.example.com → https://new.example.com',
      'Text “take” Bold → Not formatted',
      'Kind of hint Information → Warning',
      'Task ☐ Not done → ☑ Done',
      'Title yarn → pnpm',
      'Address https://example.com/one → https://example.com/two',
    ])
    const signs = diff.locator('.item-sign')
    assert.deepEqual(await signs.allTextContents(), ['1.', '2.', '3.', '4.', '☑', '☑'])
    await diff.locator('.signed-item', { hasText: '2.' }).locator('.unit.inserted').waitFor()
    await diff.locator('.signed-item', { hasText: '3.' }).locator('ins', { hasText: 'red' }).waitFor()
    await diff.locator('.unit.inserted').getByText('GET /pets · pets').waitFor()
    await look(page, 'settings')
    await page.getByLabel('Show').selectOption('split')
    await diff.locator('.diff-titles').waitFor()
    assert.deepEqual(await settingsIn(diff.locator('.diff-row > div:first-child')), [
      'Link “our guide” https://old.example.com',
      'Text “take” Bold',
      'Kind of hint Information',
      'Task ☐ Not done',
      'Title yarn',
      'Address https://example.com/one',
    ])
    assert.deepEqual(await signs.allTextContents(), [
      '1.',
      '2.',
      '3.',
      '1.',
      '2.',
      '3.',
      '4.',
      '☐',
      '☑',
      '☑',
      '☑',
    ])
    await look(page, 'settings side by side')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('changed cards are shown as cards, with what changed in each', async () => {
    const { home, propose } = await spaceOf(
      cards(
        ['One', 'It is the first', 'https://one.example'],
        ['Two', 'It is the second', 'other.md'],
        ['Three', 'Gone soon', 'https://three.example'],
      ),
    )
    const number = await propose(
      cards(
        ['One', 'It is still the first', 'other.md'],
        ['Two', 'It is the second', 'other.md'],
        ['Four', 'A new one', 'other.md'],
      ),
    )
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${home(number)}/diff`)
    const card = (kind: string) => page.locator(`.doc-cards > li.${kind}`)
    await card('changed').locator('.card-role ins', { hasText: 'Other page' }).waitFor()
    assert.deepEqual(await card('changed').locator('ins, del').allTextContents(), [
      'Inserted: still ',
      'Deleted: https://one.example',
      'Inserted: Other page',
    ])
    await card('changed').getByText('Where the card leads').waitFor()
    assert.match(await card('inserted').innerText(), /Four\s[^]*A new one/)
    assert.match(await card('deleted').innerText(), /Three\s+Gone soon/)
    assert.equal(await card('same').locator('ins, del, .sign').count(), 0)
    await look(page, 'cards')
    await page.getByLabel('Show').selectOption('split')
    await card('changed').nth(1).waitFor()
    assert.equal(await page.locator('.diff-row > div:first-child .doc-cards > li').count(), 3)
    await look(page, 'cards side by side')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('comments on a whole list, and on a part of a block that stays, are among the changes', async () => {
    const { home, propose, comment } = await spaceOf(SETTINGS)
    const number = await propose(CHANGED_SETTINGS.replace('"warning"', '"info"'))
    await comment(number, 'Is this order right?', (nodes) =>
      nodes.find(({ type }) => type === 'list-ordered'),
    )
    await comment(number, 'Which lamp?', (nodes) => {
      const hint = nodes.find(({ type }) => type === 'hint')
      return hint?.nodes?.[0] as Block | undefined
    })
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${home(number)}/diff`)
    const list = page.locator('.of-list-ordered > .said')
    await list.locator('.thread', { hasText: 'Is this order right?' }).waitFor()
    await list.getByText('On “Numbered list”').waitFor()
    // Another comment on the list.
    await page.locator('.of-list-ordered').hover()
    await list.getByRole('button', { name: 'Comment on “Numbered list”' }).click()
    await page.keyboard.type('Why numbers?')
    await list.getByRole('button', { name: 'Comment now' }).click()
    await list.locator('.thread', { hasText: 'Why numbers?' }).waitFor()
    await page
      .locator('.unit.same', { hasText: 'Mind the lamp.' })
      .locator('.thread', { hasText: 'Which lamp?' })
      .waitFor()
    assert.equal(await page.locator('.thread').count(), 3)
    await look(page, 'comments on parts')
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
