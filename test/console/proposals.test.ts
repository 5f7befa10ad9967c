/** The list of change requests and the differences of one, as people with different roles see them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { BLOCKS } from '../core/document/every-block.ts'
import {
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  sidewaysScroll,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { createProposers, GUIDE, write } from './proposing.ts'

const world = await createWorld()
const { ann, bob, withRole, proposed, signedIn: signedInOn } = await createProposers(world)

describe('change requests in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const signedIn = (name: string, device = DEVICES[0]!) => signedInOn(browser, name, device)
  const look = async (page: Page, what: string) => {
    assert.deepEqual(await axeFindings(page), [], what)
    assert.equal(await sidewaysScroll(page), 0, what)
  }
  const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

  test('the filters of the list are in the address', async () => {
    const { spaceId } = await proposed()
    await ann(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'A draft' })
    const { page, complaints } = await signedIn('bob', DEVICES[3])
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes`)
    await page.getByRole('link', { name: 'Name the button' }).waitFor()
    assert.equal(await page.getByText('A draft').count(), 0)
    await page.getByLabel('Status').selectOption('draft')
    await shows(page, 'A draft')
    await page.getByLabel('Whose').selectOption('mine')
    await shows(page, 'No change request fits these filters.')
    await page.getByLabel('Whose').selectOption('')
    await page.getByLabel('Subject').fill('other')
    await shows(page, 'No change request fits these filters.')
    assert.equal(new URL(page.url()).search, '?status=draft&text=other')
    await page.reload()
    await shows(page, 'No change request fits these filters.')
    await page.getByLabel('Subject').fill('draft')
    await shows(page, 'A draft')
    await look(page, 'list')
    await page.goto(`${world.url}/app/o/${world.organizationId}/changes`)
    await page.getByRole('link', { name: 'Name the button' }).first().waitFor()
    await look(page, 'list of the organization')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('the differences show moves and every kind of block, and fold what is the same', async () => {
    const { base, guide, home } = await proposed()
    const parts = Array.from(
      { length: 12 },
      (_, i) => `Part ${i} of the **long** text, with a [link](https://a.example).\n`,
    )
    const spaceId = base.split('/')[3]!
    const long = [GUIDE, ...parts].join('\n')
    const other = `/v1/spaces/${spaceId}/change-requests/${
      (await bob(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Long' })).body.number
    }`
    await write(bob, other, guide, long)
    await ann(`POST ${other}/reviews`, { status: 'approved' })
    assert.equal((await bob(`POST ${other}/merge`)).status, 200)
    assert.equal((await ann(`POST ${base}/update`)).status, 200)
    const [first, ...others] = parts
    await write(
      ann,
      base,
      guide,
      [
        GUIDE.replace('ready', 'on').replace('* Take care.\n', ''),
        ...others.map((part) => part.replace('Part 9 of the **long**', 'Part 9 of the **very long**')),
        first,
      ].join('\n'),
    )
    const within: string[] = [
      'list-item',
      'code-line',
      'image',
      'tabs-item',
      'stepper-step',
      'column',
      'update',
    ]
    const nodes = Object.values(BLOCKS)
      .map(({ block }) => block)
      .filter(({ type }) => !within.includes(type))
    const sent = await ann(`POST ${base}/content?compat=false`, {
      changes: [
        {
          operation: 'insert_page',
          title: 'Everything',
          document: { document: { object: 'document', data: {}, nodes } },
        },
      ],
    })
    assert(sent.status < 300, sent.text)
    const inserted = await ann(`GET ${base}/content/page/${sent.body.changes[0].page.id}/document`)
    const count = inserted.body.nodes.length as number
    assert(count > 20, inserted.text)

    const { page, complaints } = await signedIn('ann', DEVICES[1])
    await page.goto(`${home}/diff`)
    await page.locator('.unit.moved', { hasText: 'Part 0' }).waitFor()
    await shows(page, 'Moved')
    await page.locator('ins', { hasText: 'very' }).waitFor()
    assert.equal(await page.locator('.unit.deleted', { hasText: 'Take care' }).count(), 1)
    assert.equal(await page.locator('.diff-inside.of-table ins', { hasText: 'on' }).count(), 1)
    assert.equal(await page.getByText('Part 4 of').count(), 0)
    await page
      .getByRole('button', { name: /Show \d+ unchanged blocks/ })
      .first()
      .click()
    await shows(page, 'Part 4 of')
    const everything = page.locator('.page-diff', { hasText: 'Everything' })
    await everything.scrollIntoViewIfNeeded()
    await everything
      .locator('.unit')
      .nth(count - 1)
      .waitFor()
    assert.equal(await everything.locator('.unit').count(), count)
    await look(page, 'everything')
    await page.getByLabel('Show').selectOption('split')
    await look(page, 'everything side by side')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('a reader sees what is proposed, and who can merge it, and nothing that is refused', async () => {
    const { home } = await proposed()
    await withRole('cat', 'read')
    const { page, complaints } = await signedIn('cat', DEVICES[2])
    await page.goto(home)
    const reason = page.locator('.merge-box .missing', { hasText: 'cat, you may not merge in this space.' })
    await reason.waitFor()
    const [, names = ''] = /Who can: (.+)\.$/.exec(await reason.innerText()) ?? []
    assert.deepEqual(names.split(', ').toSorted(), ['Administrator', 'ann', 'bob'])
    await page.getByRole('link', { name: 'News' }).waitFor()
    await look(page, 'as a reader')
    for (const name of ['Merge', 'Archive', 'Rename', 'Comment', 'Ask for a review', 'Edit'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.getByRole('link', { name: 'News' }).click()
    await shows(page, 'All of it is new.')
    await look(page, 'differences on a phone')
    assert.equal(await page.getByRole('button', { name: /^(?:Comment|Suggest|Review)/ }).count(), 0)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
