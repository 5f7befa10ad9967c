/** Changes that are based on revisions which later saves have replaced. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY, MINUTE, pass, save, typingIn, withLine } from '../bursts.ts'
import { runDueJobs } from '../due-jobs.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
world.clock.now = new Date()
const bob = await world.person('Bob', 'admin')

describe('changes based on a replaced revision', () => {
  /** Two saves, of which the first is replaced and its content deleted. */
  async function replaced() {
    const draft = await typingIn(world)
    const start = await draft.revision()
    const base = await draft.save('Second paragraph with words.')
    const keys = (await draft.document(draft.page)).nodes.map(({ key }: { key: string }) => key) as string[]
    const newest = await draft.save('Second paragraph with more words.')
    pass(world, 2 * MINUTE)
    await runDueJobs(world)
    assert.equal((await draft.read(base)).status, 404)
    return { ...draft, start, base, newest, keys }
  }

  test('Markdown is merged with what has changed since', async () => {
    const { check, base, address, page, markdown } = await replaced()
    const mine = withLine('Second paragraph with words.').replace('Third', 'Last')
    const answer = await save(bob, address, base, page, mine)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(await markdown(page), withLine('Second paragraph with more words.').replace('Third', 'Last'))
    await check()
  })

  test('blocks are named by their keys in that revision', async () => {
    const { base, address, page, keys, markdown } = await replaced()
    const [first, second] = keys as [string, string]
    const nodes = [{ object: 'text', leaves: [{ object: 'leaf', text: 'Last.', marks: [] }] }]
    const blocks = [
      { keep: first },
      { keep: second },
      { object: 'block', type: 'paragraph', data: {}, key: keys.at(-1), nodes },
    ]
    const changes = [{ operation: 'update_page', page, document: { blocks } }]
    const answer = await bob(`POST ${address}/content?compat=false`, { changes, revision: base })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(
      await markdown(page),
      withLine('Second paragraph with more words.').replace('Third paragraph.', 'Last.'),
    )
  })

  test('the same words conflict, with the text of that revision as the base', async () => {
    const { base, address, page } = await replaced()
    const { status, body } = await save(
      bob,
      address,
      base,
      page,
      withLine('Second paragraph with fewer words.'),
    )
    assert.equal(status, 409)
    assert.deepEqual(
      [body.error.conflicts[0].base, body.error.conflicts[0].theirs],
      ['Second paragraph with words.', 'Second paragraph with more words.'],
    )
  })

  test('the header names it too, and a page that it did not have yet counts as new', async () => {
    const { base, address, page, send, markdown } = await replaced()
    const changes = [{ operation: 'update_page', page, title: 'Handbook' }]
    const headers = { 'if-match': `"${base}"` }
    assert.equal((await ada(`POST ${address}/content`, { changes }, headers)).status, 200)
    assert.match(await markdown(page), /^# Handbook\n/)
    assert.equal((await send({ operation: 'delete_page', page })).status, 200)
    const late = await save(ada, address, base, page, withLine('Late'))
    assert.equal(late.status, 409)
    assert.equal(late.body.error.conflicts[0].kind, 'deleted')
  })

  test('is refused after a week, with what to do instead', async () => {
    const { base, address, page, newest } = await replaced()
    pass(world, 6.9 * DAY)
    await runDueJobs(world)
    assert.equal((await save(bob, address, base, page, withLine('Mine'))).status, 409)
    pass(world, 0.2 * DAY)
    await runDueJobs(world)
    const { status, body } = await save(bob, address, base, page, withLine('Mine'))
    assert.equal(status, 400)
    assert.match(body.error.message, /body\.revision .+ for 7 days: read the page again/)
    assert.equal((await save(bob, address, newest, page, withLine('Mine'))).status, 200)
  })
})
