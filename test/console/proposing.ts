/** People who propose and review a change of a space, for tests in a browser. */
import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import { DEVICES, openPage } from '../sites/browser.ts'
import type { Person, World } from '../world.ts'
import { PASSWORD, signIn } from './pages.ts'

export const GUIDE = `# Guide

First, open the lid.

Then press the button.

* Take care.
* Wait a minute.

| Light | Meaning |
| --- | --- |
| green | ready |

The end of it.
`

/** Sets the text of a page in a change request. */
export async function write(person: Person, base: string, page: string, markdown: string) {
  const changes = [{ operation: 'update_page', page, document: { markdown } }]
  const answer = await person(`POST ${base}/content`, { changes })
  assert(answer.status < 300, answer.text)
}

/** Two people who may review, and what they propose. */
export async function createProposers(world: World) {
  async function withRole(name: string, role: 'read' | 'review') {
    const person = await world.person(name, role)
    assert.equal((await person('PUT /v1/account/password', { password: PASSWORD })).status, 204)
    return person
  }

  const ann = await withRole('ann', 'review')
  const bob = await withRole('bob', 'review')

  /** A space with a change request of ann, which edits one page and adds another. */
  async function proposed() {
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'README.md': '# Home\n\nHello.\n', 'guide.md': GUIDE }),
    )
    await world.ada(`PATCH /v1/spaces/${spaceId}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    })
    const pages = (await ann(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages as {
      id: string
      title: string
    }[]
    const guide = pages.find(({ title }) => title === 'Guide')!.id
    const requests = `/v1/spaces/${spaceId}/change-requests`
    const { number } = (await ann(`POST ${requests}`, { subject: 'Name the button' })).body
    const base = `${requests}/${number}`
    await write(
      ann,
      base,
      guide,
      GUIDE.replace('the button', 'the green button').replace('Wait a minute.', 'Wait.'),
    )
    await ann(`POST ${base}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: '# News\n\nAll of it is new.\n' } }],
    })
    await ann(`PATCH ${base}`, { status: 'open' })
    return { spaceId, guide, base, number, home: `${world.url}/app/s/${spaceId}/~/changes/${number}` }
  }

  /** Opens a page, signs in there, and collects what the browser complains about. */
  async function signedIn(browser: Browser, name: string, device = DEVICES[0]!) {
    const { page } = await openPage(browser, device)
    const complaints: string[] = []
    page.removeAllListeners('console')
    page.on('console', (message) => {
      // A caller without a draft of a review asks for it in vain.
      const isDraft = message.location().url.endsWith('/reviews/draft') && message.text().includes('404')
      if (['error', 'warning'].includes(message.type()) && !isDraft) complaints.push(message.text())
    })
    await signIn(page, world.url, `${name}@example.com`)
    return { page, complaints }
  }

  return { ann, bob, withRole, proposed, signedIn }
}
