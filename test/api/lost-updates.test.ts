/** Two writers send changes that are based on the same revision. The first one is never overwritten in silence. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world

/** A change request with pages of Markdown, which all writers have read in `start`. */
async function pagesOf(...sources: string[]) {
  const draft = await draftOn(world)
  const ids = await draft.made(...sources.map((source) => insert(source)))
  const path = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}/content`
  const start = await draft.revision()
  const based = (revision: string, ...changes: object[]) =>
    ada(`POST ${path}?compat=false`, { changes, revision })
  const sent = async (...changes: object[]) => {
    const { status, body, text } = await based(start, ...changes)
    assert.equal(status, 200, text)
    return body
  }
  /** The second writer sends changes that contradict those of the first. */
  const conflictsOf = async (...changes: object[]) => {
    const before = await draft.revision()
    const { status, body, text } = await based(start, ...changes)
    assert.equal(status, 409, text)
    assert.equal(await draft.revision(), before)
    return body.error.conflicts as Record<string, unknown>[]
  }
  return { ...draft, path, ids: ids as [string, string, string], start, based, sent, conflictsOf }
}

const remove = (page: string) => ({ operation: 'delete_page', page })

describe('an empty document', () => {
  for (const document of [{}, { markdown: '' }]) {
    test(`${JSON.stringify(document)} keeps what others have added, and conflicts with what they have changed`, async () => {
      const { ids, start, sent, based, markdown, conflictsOf } = await pagesOf(
        '# A\n\nOne.\n\nTwo.\n',
        '# B\n\nOne.\n',
        '# C\n\nOne.\n',
      )
      const [added, changed, same] = ids
      await sent(
        update(added, { document: { markdown: '# A\n\nOne.\n\nTwo.\n\nThree.\n' } }),
        update(changed, { document: { markdown: '# B\n\nUNO.\n' } }),
      )
      const { status, text } = await based(start, update(added, { document }), update(same, { document }))
      assert.equal(status, 200, text)
      assert.equal((await markdown(added)).trim(), 'Three.')
      assert.equal(await markdown(same), '')
      const [conflict] = await conflictsOf(update(changed, { document }))
      assert.deepEqual([conflict?.['kind'], conflict?.['theirs'], conflict?.['mine']], ['text', 'UNO.', null])
    })
  }

  test('without a base, it empties the page; a body with only unknown fields is refused', async () => {
    const { ids, send, markdown } = await pagesOf('# A\n\nOne.\n')
    for (const change of [update(ids[0], {}), { operation: 'insert_page' }]) {
      const { status, body } = await send({ ...change, document: { bloks: [] } })
      assert.equal(status, 400)
      assert.match(body.error.message, /changes\.0\.document: has no field "bloks"/)
    }
    assert.equal(await markdown(ids[0]), '# A\n\nOne.\n')
    assert.equal((await send(update(ids[0], { document: {} }))).status, 200)
    assert.equal(await markdown(ids[0]), '')
  })
})

describe('a revision without the page', () => {
  test('is refused as the base of a change or deletion of the page', async () => {
    const { start, based, made, markdown, revision } = await pagesOf('# A\n')
    const [late = ''] = await made(insert('# Late\n\nText.\n'))
    for (const change of [update(late, { document: { markdown: '# Mine\n' } }), remove(late)]) {
      const { status, body } = await based(start, change)
      assert.equal(status, 400)
      assert.match(
        body.error.message,
        new RegExp(`changes\\.0\\.page: "${late}" is not in the revision "${start}".+read the page`),
      )
    }
    assert.equal(await markdown(late), '# Late\n\nText.\n')
    assert.equal((await based(await revision(), update(late, { title: 'Mine' }))).status, 200)
  })

  test('is no obstacle for a page that the batch has inserted', async () => {
    const { start, based, ids, send } = await pagesOf('# A\n')
    assert.equal((await send(update(ids[0], { icon: 'bolt' }))).status, 200)
    const { status, text } = await based(
      start,
      insert('# New\n', { ref: 'new' }),
      update('new', { icon: 'key' }),
    )
    assert.equal(status, 200, text)
  })
})

describe('the versions of a page', () => {
  test('that others deleted are the base and the text of the writer', async () => {
    const { ids, sent, conflictsOf, document } = await pagesOf('One.\n\nTwo.\n')
    const { nodes } = await document(ids[0])
    const changed = JSON.parse(JSON.stringify(nodes).replace('Two.', 'Deux.')) as object[]
    await sent(remove(ids[0]))
    const expected = {
      page: ids[0],
      title: 'Untitled',
      kind: 'deleted',
      base: 'One.\n\nTwo.\n',
      theirs: null,
    }
    for (const body of [
      { blocks: [{ keep: (nodes as { key: string }[])[0]!.key }, changed[1]] },
      { document: { nodes: changed } },
      { markdown: 'One.\n\nDeux.\n' },
    ])
      assert.deepEqual(await conflictsOf(update(ids[0], { document: body })), [
        { ...expected, mine: 'One.\n\nDeux.\n' },
      ])
    assert.deepEqual(await conflictsOf(update(ids[0], { icon: 'bolt' })), [
      { ...expected, mine: 'One.\n\nTwo.\n' },
    ])
  })

  test('that the writer deletes are the base and the text of the others', async () => {
    const { ids, sent, conflictsOf } = await pagesOf('One.\n')
    await sent(update(ids[0], { document: { markdown: 'Uno.\n' } }))
    assert.deepEqual(await conflictsOf(remove(ids[0])), [
      { page: ids[0], title: 'Untitled', kind: 'changed', base: 'One.\n', theirs: 'Uno.\n', mine: null },
    ])
  })
})
