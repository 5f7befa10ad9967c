/** Merging in a browser: the box says what is open on a change request, and the button asks before it merges that. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { axeFindings, COLOUR_RULES, DEVICES, leave, openBrowser, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld, type Person } from '../world.ts'
import { complaintsOf } from './pages.ts'
import { createProposers } from './proposing.ts'
import { openSignedIn } from './writing.ts'

const world = await createWorld()
const { ann, bob, proposed } = await createProposers(world)

/** A change request of ann that everybody with the role may merge. */
async function unruled() {
  const made = await proposed()
  await world.ada(`PATCH /v1/spaces/${made.spaceId}`, { mergeRules: { type: 'none' } })
  const { base, guide } = made
  const { nodes } = (await ann(`GET ${base}/content/page/${guide}/document`)).body
  const node = nodes.find(({ type }: { type: string }) => type === 'paragraph').key as string
  const posted = async (person: Person, comment: object) => {
    const answer = await person(`POST ${base}/comments`, comment)
    assert(answer.status < 300, answer.text)
    return answer.body.id as string
  }
  const resolve = async (id: string) => {
    assert((await ann(`PUT ${base}/comments/${id}`, { resolved: true })).status < 300)
  }
  return {
    ...made,
    comment: (person: Person = bob) => posted(person, { body: { markdown: 'Really?' } }),
    suggest: () => posted(bob, { body: {}, page: guide, node, suggestion: { markdown: 'Open the lid.' } }),
    review: async (status: 'approved' | 'changes-requested', person: Person = bob) => {
      const answer = await person(`POST ${base}/reviews`, { status })
      assert(answer.status < 300, answer.text)
    },
    resolve,
    isMerged: async () => (await ann(`GET ${base}`)).body.status === 'merged',
  }
}

type Proposal = Awaited<ReturnType<typeof unruled>>

test('the console merges in one place, which asks, and edits of a writer that nobody has discussed', () => {
  const root = 'src/console/app'
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const merging = files.filter((name) =>
    /POST [^'`]*\/merge\b(?!-)/.test(readFileSync(`${root}/${name}`, 'utf8')),
  )
  assert.deepEqual(merging.toSorted(), ['features/change-request/merge-box.tsx', 'proposals/direct-edit.ts'])
})

describe('merging in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const open = async ({ home }: { home: string }, device = DEVICES[0]!, email = 'ann@example.com') => {
    const { page } = await openSignedIn(browser, world, email, device)
    const complaints = complaintsOf(page)
    await page.goto(home)
    return { page, complaints }
  }
  const box = (page: Page) => page.locator('.merge-box')
  const says = (page: Page, title: string) =>
    box(page).getByRole('heading', { name: title, exact: true }).waitFor()
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const colourOf = (page: Page, name: string) =>
    page.evaluate<string>(`{
      const one = document.createElement('i')
      one.style.color = 'var(--${name})'
      document.body.append(one)
      const { color } = getComputedStyle(one)
      one.remove()
      color
    }`)
  const borderOf = (page: Page) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('.merge-box')).borderTopColor`)
  const merged = async (page: Page, proposal: Proposal) => {
    await says(page, 'Merged')
    assert(await proposal.isMerged())
  }

  interface State {
    name: string
    make: (proposal: Proposal) => Promise<unknown>
    title: string
    open: string[]
  }
  const ASKED = 'bob asked for changes.'
  const COMMENT = 'Open comments: 1'
  const SUGGESTION = 'Open suggestions: 1'
  const states: State[] = [
    {
      name: 'a reviewer asks for changes',
      make: ({ review }) => review('changes-requested'),
      title: 'Changes are requested',
      open: [ASKED],
    },
    {
      name: 'a reviewer who had approved asks for changes',
      make: async ({ review }) => [await review('approved'), await review('changes-requested')],
      title: 'Changes are requested',
      open: [ASKED],
    },
    {
      name: 'one of two reviewers asks for changes',
      make: async ({ review }) => [await review('changes-requested'), await review('approved', world.ada)],
      title: 'Changes are requested',
      open: [ASKED],
    },
    {
      name: 'a comment is open',
      make: ({ comment }) => comment(),
      title: 'One comment is open',
      open: [COMMENT],
    },
    {
      name: 'comments are open',
      make: async ({ comment }) => [await comment(), await comment()],
      title: '2 comments are open',
      open: ['Open comments: 2'],
    },
    {
      name: 'a suggestion is open',
      make: ({ suggest }) => suggest(),
      title: 'One suggestion is open',
      open: [SUGGESTION],
    },
    {
      name: 'suggestions are open',
      make: async ({ suggest }) => [await suggest(), await suggest()],
      title: '2 suggestions are open',
      open: ['Open suggestions: 2'],
    },
    {
      name: 'a comment and a suggestion are open',
      make: async ({ comment, suggest }) => [await comment(), await suggest()],
      title: 'Comments and suggestions are open',
      open: [COMMENT, SUGGESTION],
    },
    {
      name: 'all of it',
      make: async ({ comment, suggest, review }) => [
        await review('changes-requested'),
        await comment(),
        await suggest(),
      ],
      title: 'Changes are requested',
      open: [ASKED, COMMENT, SUGGESTION],
    },
  ]
  for (const state of states)
    test(`the box and the question say it: ${state.name}`, async () => {
      const proposal = await unruled()
      await state.make(proposal)
      const { page, complaints } = await open(proposal)
      await says(page, state.title)
      assert.deepEqual(
        await box(page).locator('.checks .unresolved > :last-child').allTextContents(),
        state.open,
      )
      assert.equal(await box(page).getByText('Nothing is missing.').count(), 0)
      assert.equal(await borderOf(page), await colourOf(page, 'warning'))
      await press(page, 'Merge')
      const dialog = page.getByRole('dialog', { name: `${state.title}. Merge anyway?`, exact: true })
      await dialog.waitFor()
      assert.deepEqual(await dialog.locator('li > :last-child').allTextContents(), state.open)
      assert.equal(await proposal.isMerged(), false)
      await press(page, 'Merge anyway')
      await merged(page, proposal)
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  const settled: Omit<State, 'title' | 'open'>[] = [
    { name: 'nobody said anything', make: async () => undefined },
    {
      name: 'the reviewer who asked for changes has approved since',
      make: async ({ review }) => [await review('changes-requested'), await review('approved')],
    },
    {
      name: 'every comment and suggestion is resolved',
      make: async ({ comment, suggest, resolve }) => [
        await resolve(await comment()),
        await resolve(await suggest()),
      ],
    },
    {
      name: 'the suggestion is applied',
      make: async ({ base, suggest }) => {
        assert((await ann(`POST ${base}/comments/${await suggest()}/apply`)).status < 300)
      },
    },
  ]
  for (const { name, make } of settled)
    test(`one press merges: ${name}`, async () => {
      const proposal = await unruled()
      await make(proposal)
      const { page, complaints } = await open(proposal)
      await says(page, 'Ready to merge')
      assert.equal(await borderOf(page), await colourOf(page, 'success'))
      await press(page, 'Merge')
      await merged(page, proposal)
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  test('changes asked for an earlier version stay asked for, and a suggestion that is applied is no open one', async () => {
    const proposal = await unruled()
    const { base, review, suggest } = proposal
    await review('changes-requested')
    const id = await suggest()
    await ann(`POST ${base}/comments/${id}/apply`)
    await ann(`PUT ${base}/comments/${id}`, { resolved: false })
    const { page } = await open(proposal)
    await says(page, 'Changes are requested')
    assert.deepEqual(await box(page).locator('.checks .unresolved > :last-child').allTextContents(), [
      'bob asked for changes to an earlier version.',
      COMMENT,
    ])
    await leave(page)
  })

  test('the box and an open question follow what others do', async () => {
    const proposal = await unruled()
    const { page, complaints } = await open(proposal)
    await says(page, 'Ready to merge')
    const first = await proposal.comment()
    await says(page, 'One comment is open')
    await press(page, 'Merge')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(COMMENT).waitFor()
    await proposal.suggest()
    await dialog.getByText(SUGGESTION).waitFor()
    await proposal.review('changes-requested')
    await page.getByRole('dialog', { name: 'Changes are requested. Merge anyway?' }).waitFor()
    await press(page, 'Cancel')
    await proposal.review('approved')
    await says(page, 'Comments and suggestions are open')
    await proposal.resolve(first)
    await says(page, 'One suggestion is open')
    assert.equal(await proposal.isMerged(), false)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('what the screen does not know yet is asked too, also while the question is open', async () => {
    const proposal = await unruled()
    const { page } = await openSignedIn(browser, world, 'ann@example.com')
    // The screen hears of nothing.
    await page.route('**/events', (route) => route.abort())
    await page.goto(proposal.home)
    await says(page, 'Ready to merge')
    await proposal.comment()
    await press(page, 'Merge')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(COMMENT).waitFor()
    await proposal.review('changes-requested')
    await press(page, 'Merge anyway')
    await dialog.getByText('Something was added while you were reading this.').waitFor()
    await dialog.getByText(ASKED).waitFor()
    assert.equal(await proposal.isMerged(), false)
    await press(page, 'Merge anyway')
    await merged(page, proposal)
    await leave(page)
  })

  test('nothing merges while the server does not say what is open', async () => {
    const proposal = await unruled()
    const { page } = await open(proposal)
    await says(page, 'Ready to merge')
    await page.route('**/comments?status=open*', (route) => route.abort())
    await press(page, 'Merge')
    await box(page).getByText('The server cannot be reached.').first().waitFor()
    assert.equal(await proposal.isMerged(), false)
    await page.unrouteAll()
    await press(page, 'Merge')
    await merged(page, proposal)
    await leave(page)
  })

  test('every review and comment counts, also those beyond a page of results', async () => {
    const proposal = await unruled()
    await proposal.suggest()
    for (let i = 0; i < 3; i++) await proposal.comment()
    await proposal.review('changes-requested')
    await proposal.review('approved', world.ada)
    const { page } = await openSignedIn(browser, world, 'ann@example.com')
    await page.route(/limit=1000/, (route) =>
      route.continue({ url: route.request().url().replace('limit=1000', 'limit=1') }),
    )
    await page.goto(proposal.home)
    await says(page, 'Changes are requested')
    assert.deepEqual(await box(page).locator('.checks .unresolved > :last-child').allTextContents(), [
      ASKED,
      'Open comments: 3',
      SUGGESTION,
    ])
    await leave(page)
  })

  test('rules of the space forbid it as before, and the box names what is open too', async () => {
    const proposal = await unruled()
    const rules = [{ rule: 'require_all_reviews_approved' }]
    await world.ada(`PATCH /v1/spaces/${proposal.spaceId}`, { mergeRules: { type: 'rules', rules } })
    await proposal.review('changes-requested')
    const { page } = await open(proposal)
    await says(page, 'Not ready to merge')
    await box(page).getByText(ASKED).waitFor()
    assert(await page.getByRole('button', { name: 'Merge', exact: true }).isDisabled())
    await leave(page)
  })

  test('the question is answered with keys, and a screen reader reads what stays open', async () => {
    const proposal = await unruled()
    await proposal.comment()
    await proposal.review('changes-requested')
    const { page, complaints } = await open(proposal)
    await says(page, 'Changes are requested')
    const button = page.getByRole('button', { name: 'Merge', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const description = await page.evaluate<string>(
      `document.getElementById(document.querySelector('[role=dialog]').getAttribute('aria-describedby')).textContent`,
    )
    assert.match(description, /bob asked for changes\..*Open comments: 1/)
    // Enter alone does not merge.
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Cancel')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Shift+Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Merge anyway')
    assert.equal(await proposal.isMerged(), false)
    await page.keyboard.press('Enter')
    await merged(page, proposal)
    await page.locator('.merge-box h2:focus').waitFor()
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  for (const device of [DEVICES[0]!, DEVICES[2]!])
    test(`${device.name}: the box and the question are accessible in light and dark`, async () => {
      const proposal = await unruled()
      await proposal.comment()
      await proposal.suggest()
      await proposal.review('changes-requested')
      const { page } = await open(proposal, device)
      const found: string[] = []
      const look = async () => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          found.push(...(await axeFindings(page, undefined, COLOUR_RULES)))
        }
        found.push(...(await axeFindings(page)))
      }
      await says(page, 'Changes are requested')
      await box(page).scrollIntoViewIfNeeded()
      await look()
      await press(page, 'Merge')
      await page.getByRole('dialog').getByText(ASKED).waitFor()
      await look()
      assert.deepEqual(found, [])
      await page.emulateMedia({ colorScheme: device.theme })
      await leave(page)
    })

  test('it is in Chinese too', async () => {
    const proposal = await unruled()
    await proposal.comment()
    await proposal.suggest()
    const { page } = await openSignedIn(browser, world, 'ann@example.com')
    assert.equal((await ann(`PATCH /v1/users/${ann.id}`, { language: 'zh' })).status, 200)
    await page.goto(proposal.home)
    await says(page, '有未解决的评论和未采纳的建议')
    await press(page, '合并')
    const dialog = page.getByRole('dialog', { name: '有未解决的评论和未采纳的建议。仍要合并吗？' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('li > :last-child').allTextContents(), [
      '未解决的评论：1',
      '未采纳的建议：1',
    ])
    assert.doesNotMatch((await dialog.innerText()).replaceAll('bob', ''), /[A-Za-z]{3}/)
    await press(page, '仍要合并')
    await says(page, '已合并')
    await ann(`PATCH /v1/users/${ann.id}`, { language: 'en' })
    await leave(page)
  })
})
