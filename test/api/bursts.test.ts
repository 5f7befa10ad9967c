/** Saves that follow each other replace each other, and nothing that somebody has used is lost. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOn, insert } from '../batches.ts'
import { DAY, MINUTE, pass, save, SECOND, TYPED_TEXT, typingIn, withLine } from '../bursts.ts'
import { runDueJobs } from '../due-jobs.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world
world.clock.now = new Date()
const bob = await world.person('Bob', 'admin')

const typing = (space?: string) => typingIn(world, space)

describe('a burst of saves', () => {
  test('is one revision, one audit event and one text', async () => {
    const {
      check,
      save: type,
      count,
      events,
      documents,
      address,
      markdown,
      page,
      spaceId,
      ...draft
    } = await typing()
    const parent = await draft.revision()
    const [revisions, logged] = [await count(), (await events()).count]
    let first = ''
    let last = ''
    for (let i = 0; i < 50; i++) {
      last = await type(`Typed ${'word '.repeat(i + 1)}`)
      first ||= last
      pass(world, 5 * SECOND)
    }
    assert.equal(await count(), revisions + 1)
    assert.equal(await draft.revision(), last)
    const { count: after, payload } = await events()
    assert.equal(after, logged + 1)
    assert.deepEqual(payload, {
      before: { revision: parent, burst: null },
      after: { revision: first, burst: true },
      fields: ['changes', 'revision'],
    })
    const shown = await ada(`GET /v1/spaces/${spaceId}/revisions/${last}`)
    assert.deepEqual(shown.body.parents, [parent])
    const { body } = await ada(`GET ${address}/contributors`)
    assert.equal(body.items.find((one: { actionType: string }) => one.actionType === 'edit').count, 2)

    pass(world, 2 * MINUTE)
    await runDueJobs(world)
    await check()
    assert.deepEqual(
      (await documents()).filter((source) => source.includes('Typed')),
      [await markdown(page)],
    )
    // A reader of the audit log is led to the revision that stands for the burst.
    const { status, body: gone } = await ada(`GET /v1/spaces/${spaceId}/revisions/${first}`)
    assert.equal(status, 404)
    assert.match(gone.error.message, new RegExp(`has replaced this revision: read the revision "${last}"`))
    pass(world, 8 * DAY)
    await runDueJobs(world)
    assert.match((await ada(`GET /v1/spaces/${spaceId}/revisions/${first}`)).text, new RegExp(last))
    assert.equal((await ada(`GET /v1/spaces/${spaceId}/revisions/${last}`)).status, 200)
    for (const table of ['replacedRevision', 'replacedPage', 'burstContent'] as const)
      assert.deepEqual(await db.read.selectFrom(table).selectAll().execute(), [])
  })

  test('a save that changes nothing has no revision and no audit event', async () => {
    const { save: type, count, events } = await typing()
    const revision = await type('Typed')
    const [revisions, logged] = [await count(), (await events()).count]
    assert.equal(await type('Typed'), revision)
    assert.deepEqual([await count(), (await events()).count], [revisions, logged])
  })

  test('a replaced revision is readable for a minute', async () => {
    const { save: type, read, spaceId } = await typing()
    const first = await type('One')
    const second = await type('Two')
    const third = await type('Three')
    pass(world, 59 * SECOND)
    await runDueJobs(world)
    assert.equal((await read(first)).body.markdown, withLine('One'))
    assert.equal((await read(second)).body.markdown, withLine('Two'))
    pass(world, MINUTE)
    await runDueJobs(world)
    for (const id of [first, second]) {
      const { status, text } = await read(id)
      assert.equal(status, 404)
      assert.match(text, new RegExp(third))
    }
    assert.equal((await read(third)).body.markdown, withLine('Three'))
    assert.deepEqual(await seenByReader(spaceId, first), {
      code: 404,
      message: 'The revision does not exist, or you cannot see it',
      reason: 'not-found',
      parameters: { kind: 'revision' },
    })
    const { status, text } = await read(first, await world.stranger('Eve'))
    assert.equal(status, 404)
    assert.doesNotMatch(text, /replaced/)
  })
})

/** The error for a reader of a site with the space. */
async function seenByReader(spaceId: string, revision: string) {
  const sites = `/v1/orgs/${organizationId}/sites`
  const site = await ada(`POST ${sites}`, { title: 'Docs', spaces: [spaceId], visibility: 'public' })
  const { body } = await ada(`POST ${sites}/${site.body.id}/publish`)
  const opened = await world.nobody('POST /v1/urls/published', { url: body.urls.published })
  assert.equal(opened.status, 200, opened.text)
  const headers = { authorization: `Bearer ${opened.body.apiToken}` }
  assert.equal((await world.nobody(`GET /v1/spaces/${spaceId}/content`, undefined, headers)).status, 200)
  return (await world.nobody(`GET /v1/spaces/${spaceId}/revisions/${revision}`, undefined, headers)).body
    .error
}

test('a space that is deleted for good takes its bursts along', async () => {
  const { save: type, spaceId } = await typing()
  const first = await type('One')
  await type('Two')
  pass(world, 2 * MINUTE)
  await runDueJobs(world)
  await type('Three')
  const rows = () =>
    Promise.all([
      db.read.selectFrom('replacedRevision').select('spaceId').where('spaceId', '=', spaceId).execute(),
      db.read.selectFrom('burstContent').select('spaceId').where('spaceId', '=', spaceId).execute(),
      db.read.selectFrom('replacedPage').select('revisionId').where('revisionId', '=', first).execute(),
    ])
  for (const list of await rows()) assert(list.length > 0)
  assert.equal((await ada(`DELETE /v1/spaces/${spaceId}`)).status, 205)
  pass(world, 2 * MINUTE)
  await runDueJobs(world)
  pass(world, 7 * DAY)
  await runDueJobs(world)
  assert.deepEqual(await rows(), [[], [], []])
})

describe('another burst begins', () => {
  type Typing = Awaited<ReturnType<typeof typing>>
  const review = (status: string) => (draft: Typing) => bob(`POST ${draft.address}/reviews`, { status })
  const between: Record<string, (draft: Typing) => Promise<unknown>> = {
    'after a save by another author': async (draft) => draft.save('Of Bob', bob),
    'after a review': review('approved'),
    'after a comment on the change request': (draft) =>
      bob(`POST ${draft.address}/comments`, { body: { markdown: 'Hm.' } }),
    'after a comment on a page': (draft) =>
      bob(`POST ${draft.address}/comments`, { body: { markdown: 'Hm.' }, page: draft.page }),
    'after a requested review': (draft) =>
      ada(`POST ${draft.address}/requested-reviewers`, { users: [bob.id] }),
    'after a draft of a review': (draft) =>
      bob(`PUT ${draft.address}/reviews/draft`, { comment: { markdown: 'Hm.' } }),
    'after an unbased save': (draft) =>
      draft.send({ operation: 'update_page', page: draft.page, title: 'Guide 2' }),
    'after a save with another token': async (draft) => {
      const { body } = await ada('POST /v1/user/tokens', { label: 'Second' })
      const headers = { authorization: `Bearer ${body.token}` }
      const changes = [{ operation: 'update_page', page: draft.page, title: 'Guide 3' }]
      const answer = await ada(
        `POST ${draft.address}/content`,
        { changes, revision: await draft.revision() },
        headers,
      )
      assert.equal(answer.status, 200, answer.text)
    },
    'after five minutes': async () => pass(world, 5 * MINUTE),
    'when the burst is 15 minutes old': async (draft) => {
      for (let i = 1; i < 4; i++) {
        pass(world, 4 * MINUTE)
        await draft.save(`Long ${i}`)
      }
      assert.equal(await draft.count(), 2)
      pass(world, 3 * MINUTE)
    },
    'after an update from the primary content': async (draft) => {
      const other = await draftOn(world, draft.spaceId)
      await other.made(insert('# Elsewhere\n'))
      const merged = await ada(
        `POST /v1/spaces/${draft.spaceId}/change-requests/${other.changeRequest.id}/merge`,
        {},
      )
      assert.equal(merged.status, 200, merged.text)
      const updated = await ada(`POST ${draft.address}/update`, {})
      assert.equal(updated.status, 200, updated.text)
    },
  }
  for (const [name, act] of Object.entries(between)) {
    test(name, async () => {
      const draft = await typing()
      await draft.save('One')
      const kept = await draft.save('Two')
      await act(draft)
      const before = await draft.revision()
      await draft.save('Three')
      pass(world, 2 * MINUTE)
      await runDueJobs(world)
      await draft.check()
      const rows = await db.read
        .selectFrom('revision')
        .select(['id', 'parents'])
        .where('changeRequestId', '=', draft.changeRequest.id)
        .orderBy('sequence')
        .execute()
      assert.deepEqual(JSON.parse(rows.at(-1)?.parents ?? ''), [before])
      if (name !== 'when the burst is 15 minutes old')
        assert.equal((await draft.read(kept)).body.markdown, withLine('Two'))
    })
  }

  test('when it would change more than ten pages', async () => {
    const draft = await draftOn(world)
    const pages = await draft.made(...Array.from({ length: 11 }, (_, i) => insert(`# Page ${i}\n`)))
    const address = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}`
    for (const [i, page] of pages.entries()) {
      const answer = await save(ada, address, await draft.revision(), page, `# Page ${i}\n\nTyped.\n`)
      assert.equal(answer.status, 200, answer.text)
    }
    const rows = await db.read
      .selectFrom('revision')
      .select('burst')
      .where('changeRequestId', '=', draft.changeRequest.id)
      .orderBy('sequence')
      .execute()
    assert.equal(rows.length, 3)
  })

  test('primary content has a revision for each save', async () => {
    const fields = { title: 'Live', editMode: 'live' }
    const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, fields)
    const address = `/v1/spaces/${space.id}`
    const made = await ada(`POST ${address}/content?compat=false`, { changes: [insert(TYPED_TEXT)] })
    let { revision } = made.body
    for (const text of ['One', 'Two', 'Three'])
      ({ revision } = (await save(ada, address, revision, made.body.changes[0].page.id, withLine(text))).body)
    assert.equal((await ada(`GET ${address}/revisions`)).body.items.length, 5)
  })
})

describe('what others use stays', () => {
  test('a text that the author returns to', async () => {
    const { check, save: type, page, markdown, documents } = await typing()
    await type('One')
    await type('Two')
    await type('One')
    pass(world, 2 * MINUTE)
    await runDueJobs(world)
    await check()
    assert.equal(await markdown(page), withLine('One'))
    await type('Two')
    await type('Three')
    pass(world, 2 * MINUTE)
    await runDueJobs(world)
    assert.deepEqual(
      (await documents()).filter((source) => /One|Two/.test(source)),
      [],
    )
  })

  for (const [name, isFirst] of [
    ['before', false],
    ['after', true],
  ] as const) {
    test(`the same text in another change request, written ${name} the burst`, async () => {
      const mine = await typing()
      const theirs = await typing(mine.spaceId)
      const write = () => theirs.save('One', bob)
      if (!isFirst) await write()
      await mine.save('One')
      if (isFirst) await write()
      await mine.save('Two')
      pass(world, 2 * MINUTE)
      await runDueJobs(world)
      await mine.check()
      assert.equal(await theirs.markdown(theirs.page), withLine('One'))
    })
  }

  test('a page that another change request is reverted to', async () => {
    const mine = await typing()
    const theirs = await draftOn(world, mine.spaceId)
    const first = await mine.save('One')
    const reverted = await theirs.send({ operation: 'revert_page', page: mine.page, revision: first })
    assert.equal(reverted.status, 200, reverted.text)
    await mine.save('Two')
    pass(world, 2 * MINUTE)
    await runDueJobs(world)
    await mine.check()
    assert.equal(await theirs.markdown(mine.page), withLine('One'))
  })

  test('a merged change request', async () => {
    const { check, save: type, address, spaceId, page } = await typing()
    await type('One')
    await type('Two')
    const merged = await ada(`POST ${address}/merge`, {})
    assert.equal(merged.status, 200, merged.text)
    pass(world, 8 * DAY)
    await runDueJobs(world)
    await check()
    const { body } = await ada(`GET /v1/spaces/${spaceId}/content/page/${page}?format=markdown`)
    assert.equal(body.markdown, withLine('Two'))
  })

  test('whatever two saves and comments do at the same time', async () => {
    const { check, save: type, address, page, revision } = await typing()
    for (let round = 0; round < 6; round++) {
      const base = await type(`Round ${round}`)
      const answers = await Promise.all([
        save(ada, address, base, page, withLine(`Round ${round}`).replace('First', `Ada ${round}`)),
        save(ada, address, base, page, withLine(`Round ${round}`).replace('Third', `Again ${round}`)),
        save(bob, address, base, page, withLine(`Round ${round}, Bob`)),
        bob(`POST ${address}/comments`, { body: { markdown: 'Hm.' }, page }),
        ada(`POST ${address}/requested-reviewers`, { users: [bob.id] }),
      ])
      for (const { status, text } of answers) assert([200, 201, 204, 409].includes(status), text)
      const back = await save(ada, address, await revision(), page, withLine(`Round ${round}`))
      assert.equal(back.status, 200, back.text)
      await check()
      pass(world, MINUTE)
      await runDueJobs(world)
      await check()
    }
  })
})
