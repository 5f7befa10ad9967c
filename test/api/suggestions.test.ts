/** Comments that follow their blocks and parts of text, and suggestions that one request applies. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada } = world
const cy = await world.person('cy', 'comment')
const ed = await world.person('ed', 'edit')

interface Node {
  key: string
  type: string
  nodes: Node[]
}

async function discussed(markdown: string) {
  const draft = await draftOn(world)
  const [page = ''] = await draft.made(insert(markdown))
  const base = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}`
  const blocks = async () => (await draft.document(page)).nodes as Node[]
  const comment = async (fields: object, person: Person = cy) => {
    const answer = await person(`POST ${base}/comments`, { body: { markdown: 'Hm.' }, page, ...fields })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const targetOf = async ({ id }: { id: string }) => (await cy(`GET ${base}/comments/${id}`)).body.target
  const apply = ({ id }: { id: string }, person: Person = ed) => person(`POST ${base}/comments/${id}/apply`)
  const write = (source: string) => draft.send(update(page, { document: { markdown: source } }))
  return { ...draft, page, base, blocks, comment, targetOf, apply, write }
}

describe('anchors', () => {
  test('a comment follows its block through edits, moves and new text around it, and through many small steps', async () => {
    const { blocks, comment, targetOf, write } = await discussed('First text here.\n\nSecond text here.\n')
    const [first, second] = await blocks()
    const on = await comment({ node: first!.key })
    await write('New.\n\nSecond text here.\n\nFirst text there, and more.\n')
    const now = await blocks()
    assert.deepEqual((await targetOf(on)).node, { id: now[2]!.key, preview: 'First text here.' })
    assert.equal((await targetOf(on)).page.outdated, false)
    // Each step leaves little, and in the end nothing is left of the first text.
    const words = ['First', 'text', 'there,', 'and', 'more.']
    for (const i of words.keys()) {
      words[i] = `word${i}`
      await write(`Second text here.\n\n${words.join(' ')} stays\n`)
    }
    assert.equal((await targetOf(on)).node.id, (await blocks())[1]!.key)
    assert.notEqual(first!.key, second!.key)
  })

  test('a comment on a deleted block is outdated until the block comes back', async () => {
    const { blocks, comment, targetOf, write } = await discussed('First text here.\n\nSecond text here.\n')
    const [first] = await blocks()
    const on = await comment({ node: first!.key })
    await write('Second text here.\n')
    assert.deepEqual([(await targetOf(on)).page.outdated, (await targetOf(on)).node.id], [true, first!.key])
    await write('Before.\n\nFirst text here.\n\nSecond text here.\n')
    assert.deepEqual([(await targetOf(on)).page.outdated, (await targetOf(on)).node.id], [false, first!.key])
  })

  test('a comment follows its block within a list, and through writes of single blocks', async () => {
    const { page, blocks, comment, targetOf, send } = await discussed('* one item\n* two item\n\nText.\n')
    const [list, text] = (await blocks()) as [Node, Node]
    const on = await comment({ node: list.nodes[1]!.nodes[0]!.key })
    const changed = structuredClone(list)
    changed.nodes.reverse()
    const sent = JSON.parse(JSON.stringify(changed).replace('two item', 'two items')) as object
    const answer = await send(update(page, { document: { blocks: [{ keep: text.key }, sent] } }))
    assert.equal(answer.status, 200, answer.text)
    const [, after] = (await blocks()) as [Node, Node]
    assert.equal((await targetOf(on)).node.id, after.nodes[0]!.nodes[0]!.key)
    assert.equal((await targetOf(on)).node.preview, 'two item')
  })

  test('a comment follows a part of the text, and quotes it', async () => {
    const { blocks, comment, targetOf, write } = await discussed('One **two** three four.\n')
    const [first] = await blocks()
    const on = await comment({ node: first!.key, range: { start: 4, end: 13 } })
    assert.deepEqual(on.target.node, { id: first!.key, preview: 'two three', range: { start: 4, end: 13 } })
    await write('And One **two** or three four.\n')
    assert.deepEqual((await targetOf(on)).node.range, { start: 8, end: 20 })
    await write('And One four.\n')
    const { node, page } = await targetOf(on)
    assert.deepEqual([node.range, node.preview, page.outdated], [undefined, 'two three', false])
    await write('And One two three four.\n')
    assert.deepEqual((await targetOf(on)).node.range, { start: 8, end: 17 })
  })

  test('a part of the text ends when its words are deleted, and the blank space around them is not it', async () => {
    const { blocks, comment, apply, targetOf, write } = await discussed('One *two* three.\n')
    const fields = { node: (await blocks())[0]!.key, range: { start: 4, end: 7 } }
    const on = await comment({ ...fields, suggestion: { text: '2' } })
    await write('One&#x20; three.\n')
    const { node, page } = await targetOf(on)
    assert.deepEqual([node.range, page.outdated], [undefined, false])
    const { status, body } = await apply(on)
    assert.equal(status, 409)
    assert.match(body.error.message, /is gone/)
  })

  test('parts that the block does not have are refused', async () => {
    const { page, base, blocks } = await discussed('One.\n\n* item\n')
    const [text, list] = (await blocks()) as [Node, Node]
    const refused: [object, RegExp][] = [
      [{ range: { start: 0, end: 1 } }, /body\.node is required with "range"/],
      [
        { node: text.key, range: { start: 0, end: 5 } },
        /body\.range must begin before it ends, within the 4 .*, but was \{"start":0,"end":5\}/,
      ],
      [{ node: text.key, range: { start: 2, end: 2 } }, /body\.range must begin before/],
      [{ node: text.key, range: { start: -1, end: 2 } }, /range/],
      [{ node: text.key, range: { start: 1 } }, /range/],
      [
        { node: list.key, range: { start: 0, end: 1 } },
        /body\.range needs a block that contains text itself/,
      ],
      [{ suggestion: { markdown: 'x' } }, /body\.suggestion needs the block/],
      [{ node: text.key, suggestion: { text: 'x' } }, /body\.suggestion\.text needs a "range"/],
      [
        { node: text.key, range: { start: 0, end: 1 }, suggestion: { markdown: 'x' } },
        /body\.suggestion must have "text"/,
      ],
      [{ node: text.key, suggestion: { markdown: 'x'.repeat(10_001) } }, /suggestion/],
    ]
    for (const [fields, message] of refused) {
      const answer = await cy(`POST ${base}/comments`, { body: { markdown: 'x' }, page, ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.match(answer.body.error.message, message)
    }
  })
})

describe('suggestions', () => {
  test('a suggestion replaces its block, resolves the comment, and credits both', async () => {
    const { base, blocks, comment, apply, markdown, write, spaceId } = await discussed(
      '# T\n\nOne __two__ three.\n\nOther.\n',
    )
    const [first] = await blocks()
    const on = await comment({ node: first!.key, suggestion: { markdown: 'One **two** 3.\n\nAnd more.' } })
    assert.deepEqual(on.suggestion, { markdown: 'One **two** 3.\n\nAnd more.', status: 'open' })
    await write('# T\n\nNew.\n\nOne __two__ three.\n\nOther.\n')
    assert.equal((await apply(on, cy)).status, 403)
    const { status, body, text } = await apply(on)
    assert.equal(status, 200, text)
    assert.equal(await markdown(on.target.page.id), '# T\n\nNew.\n\nOne __two__ 3.\n\nAnd more.\n\nOther.\n')
    assert.deepEqual(
      [body.status, body.resolvedBy.id, body.suggestion.status],
      ['resolved', ed.id, 'applied'],
    )
    assert.deepEqual([body.suggestion.appliedBy.id, typeof body.suggestion.appliedAt], [ed.id, 'string'])
    const [newest] = (await ada(`GET ${base}/revisions`)).body.items
    assert.deepEqual(
      [newest.id, newest.createdBy.id, newest.coAuthor.id, newest.message],
      [body.suggestion.revision, ed.id, cy.id, 'Apply a suggestion'],
    )
    const contributors = (await ada(`GET ${base}/contributors`)).body.items as {
      user: { id: string }
      actionType: string
    }[]
    const edits = contributors.flatMap(({ user, actionType }) => (actionType === 'edit' ? [user.id] : []))
    assert.deepEqual(edits.toSorted(), [ada.id, cy.id, ed.id].toSorted())
    assert.equal((await apply(on)).status, 409)
    assert.equal((await ada(`GET /v1/spaces/${spaceId}/revisions/${newest.id}`)).status, 200)
  })

  test('applying a suggestion is an update of its comment, and notifies nobody of a new one', async () => {
    const { blocks, comment, apply, spaceId } = await discussed('One.\n')
    const [first] = await blocks()
    const mention = `Look, [somebody](/users/${ed.id} "mention")!`
    const on = await comment({
      body: { markdown: mention },
      node: first!.key,
      suggestion: { markdown: 'Two.' },
    })
    const notified = async (who: Person) =>
      (await who('GET /v1/user/notifications')).body.items.filter(
        (one: { comment?: string }) => one.comment === on.id,
      ).length
    assert.deepEqual([await notified(ada), await notified(ed)], [1, 1])
    assert.equal((await apply(on)).status, 200)
    assert.deepEqual([await notified(ada), await notified(ed)], [1, 1])
    const events = await world.db.read
      .selectFrom('spaceEvent')
      .select('data')
      .where('spaceId', '=', spaceId)
      .where('kind', '=', 'comment')
      .orderBy('sequence')
      .execute()
    assert.deepEqual(
      events.map(({ data }) => JSON.parse(data).change),
      ['created', 'updated'],
    )
  })

  test('a suggestion replaces a part of the text, within a list too, or deletes it', async () => {
    const { blocks, comment, apply, markdown, page } = await discussed(
      '* One **two** three.\n* Other item.\n',
    )
    const [list] = (await blocks()) as [Node]
    const item = list.nodes[0]!.nodes[0]!.key
    const on = await comment({ node: item, range: { start: 4, end: 13 }, suggestion: { text: '2 and 3' } })
    assert.equal((await apply(on)).status, 200)
    assert.equal(await markdown(page), '* One **2 and 3**.\n* Other item.\n')
    const [now] = (await blocks()) as [Node]
    const other = now.nodes[1]!.nodes[0]!.key
    const shorter = await comment({ node: other, range: { start: 5, end: 10 }, suggestion: { text: '' } })
    assert.equal((await apply(shorter)).status, 200)
    assert.equal(await markdown(page), '* One **2 and 3**.\n* Other.\n')
    const whole = await comment({ node: (await blocks())[0]!.key, suggestion: {} })
    assert.equal((await apply(whole)).status, 200)
    assert.equal((await markdown(page)).trim(), '')
  })

  test('what cannot be applied is a conflict, and nothing changes', async () => {
    const { base, blocks, comment, apply, write, markdown, page } = await discussed(
      'One text here.\n\nOther.\n',
    )
    const [first] = await blocks()
    const plain = await comment({ node: first!.key })
    const on = await comment({ node: first!.key, suggestion: { markdown: 'Two.' } })
    assert.match((await apply(plain)).body.error.message, /suggests nothing/)
    await write('Other.\n')
    const gone = await apply(on)
    assert.deepEqual([gone.status, await markdown(page)], [409, 'Other.\n'])
    assert.match(gone.body.error.message, /is gone/)
    await write('One text here.\n\nOther.\n')
    assert.equal((await ada(`PATCH ${base}`, { status: 'archived' })).status, 200)
    assert.equal((await apply(on)).status, 409)
    assert.equal((await ada(`POST ${base}/comments/nothing/apply`)).status, 404)
  })

  test('what others have changed in the block since is kept', async () => {
    const cases: [before: string, suggestion: string, since: string, after: string][] = [
      ['A b c.', 'A B c.', 'A b c. Important words added later.', 'A B c. Important words added later.'],
      ['One __two__ three.', 'One **two** 3.', 'And One __two__ three.', 'And One __two__ 3.'],
      ['Some words.', '## Some words.', 'Some more words.', '## Some more words.'],
      [
        '* one\n* two\n* three',
        '* one\n* 2\n* three',
        '* one\n* two\n* three\n* four',
        '* one\n* 2\n* three\n* four',
      ],
      ['Same words.', 'The same words.', 'The same words.', 'The same words.'],
    ]
    for (const [before, suggestion, since, after] of cases) {
      const { blocks, comment, apply, markdown, page, write } = await discussed(`${before}\n\nOther.\n`)
      const on = await comment({ node: (await blocks())[0]!.key, suggestion: { markdown: suggestion } })
      await write(`${since}\n\nOther.\n`)
      const answer = await apply(on)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(await markdown(page), `${after}\n\nOther.\n`)
    }
  })

  test('what others have changed in a part of the text since is kept', async () => {
    const { blocks, comment, apply, markdown, page, write } = await discussed('The quick brown fox jumps.\n')
    const on = await comment({
      node: (await blocks())[0]!.key,
      range: { start: 4, end: 19 },
      suggestion: { text: 'quick red fox' },
    })
    await write('Today the quick brown foxes jump.\n')
    assert.equal((await apply(on)).status, 200)
    assert.equal(await markdown(page), 'Today the quick red foxes jump.\n')
  })

  test('a suggestion that contradicts what others have written since is a conflict, and nothing changes', async () => {
    const cases: [suggestion: object, since: string][] = [
      [{ suggestion: { markdown: 'The fast fox.' } }, 'The slow fox.'],
      [{ suggestion: {} }, 'The quick fox. Important words added later.'],
      [{ range: { start: 4, end: 9 }, suggestion: { text: 'fast' } }, 'The slow fox.'],
      [{ range: { start: 4, end: 9 }, suggestion: { text: 'fast' } }, 'The quickest fox.'],
    ]
    for (const [fields, since] of cases) {
      const { blocks, comment, apply, targetOf, markdown, page, write } = await discussed('The quick fox.\n')
      const on = await comment({ node: (await blocks())[0]!.key, ...fields })
      await write(`${since}\n`)
      const { status, body } = await apply(on)
      assert.deepEqual([status, await markdown(page)], [409, `${since}\n`])
      const { message } = body.error
      assert.match(message, /made for “(The )?quick.*”, but the text is now “(The )?(slow|quick).*”/)
      assert.match(message, /Edit the page by hand, or resolve the comment/)
      assert.equal((await targetOf(on)).page.outdated, false)
      // Once the text is as it was, the suggestion fits again.
      await write('The quick fox.\n')
      assert.equal((await apply(on)).status, 200)
    }
  })

  test('of two suggestions for the same words, the second is a conflict', async () => {
    const { blocks, comment, apply, markdown, page } = await discussed('The quick fox.\n')
    const fields = { node: (await blocks())[0]!.key, range: { start: 4, end: 9 } }
    const first = await comment({ ...fields, suggestion: { text: 'fast' } })
    const second = await comment({ ...fields, suggestion: { text: 'rapid' } })
    assert.equal((await apply(first)).status, 200)
    assert.equal((await apply(second)).status, 409)
    assert.equal(await markdown(page), 'The fast fox.\n')
  })

  test('authors change their suggestions until they are applied', async () => {
    const { base, blocks, comment, apply, markdown, page, write } = await discussed('The quick fox.\n')
    const node = (await blocks())[0]!.key
    const put = (id: string, body: object, person: Person = cy) => person(`PUT ${base}/comments/${id}`, body)
    const on = await comment({ node, suggestion: { markdown: 'The fast fox.' } })
    const changed = await put(on.id, { suggestion: { markdown: 'The rapid fox.' } })
    assert.deepEqual(changed.body.suggestion, { markdown: 'The rapid fox.', status: 'open' })
    assert.equal(typeof changed.body.editedAt, 'string')
    const other = await put(on.id, { suggestion: { markdown: 'x' } }, ed)
    assert.deepEqual(
      [other.status, other.body.error.message],
      [403, 'Only the author can change the suggestion'],
    )
    assert.match((await put(on.id, { suggestion: { text: 'x' } })).body.error.message, /needs a "range"/)
    // It is still for the text that the comment was posted on.
    await write('The quick fox. Important words added later.\n')
    assert.equal((await put(on.id, { suggestion: { markdown: 'The swift fox.' } })).status, 200)
    assert.equal((await apply(on)).status, 200)
    assert.equal(await markdown(page), 'The swift fox. Important words added later.\n')
    const late = await put(on.id, { suggestion: { markdown: 'x' } })
    assert.equal(late.status, 409)
    assert.match(late.body.error.message, /applied already; post a new comment/)

    const [{ key }] = (await blocks()) as [Node]
    const part = await comment({ node: key, range: { start: 4, end: 9 }, suggestion: { text: 'slow' } })
    const put2 = await put(part.id, { suggestion: { text: 'fast' } })
    assert.deepEqual(put2.body.suggestion, { text: 'fast', status: 'open' })
    const same = await put(part.id, { suggestion: { text: 'fast' } })
    assert.equal(same.body.editedAt, put2.body.editedAt)
    const wrong = await put(part.id, { suggestion: { markdown: 'x' } })
    assert.match(wrong.body.error.message, /must have "text"/)
    const plain = await comment({ node: key })
    const without = await put(plain.id, { suggestion: { markdown: 'x' } })
    assert.equal(without.status, 400)
    assert.match(without.body.error.message, /post a new comment to suggest something/)
  })

  test('a suggestion on the primary content needs a live space', async () => {
    const { spaceId, made, changeRequest } = await draftOn(world)
    const [page = ''] = await made(insert('One two.\n'))
    const space = `/v1/spaces/${spaceId}`
    assert.equal((await ada(`POST ${space}/change-requests/${changeRequest.id}/merge`)).status, 200)
    const [{ key }] = (await ada(`GET ${space}/content/page/${page}/document`)).body.nodes
    const fields = { body: { markdown: 'x' }, page, node: key, suggestion: { markdown: 'One 2.' } }
    const { body } = await cy(`POST ${space}/comments`, fields)
    assert.equal((await ed(`POST ${space}/comments/${body.id}/apply`)).status, 409)
    await ada(`PATCH ${space}`, { editMode: 'live' })
    assert.equal((await ed(`POST ${space}/comments/${body.id}/apply`)).status, 200)
    assert.equal((await ada(`GET ${space}/content/page/${page}?format=markdown`)).body.markdown, 'One 2.\n')
  })

  test('two users who apply a suggestion at once apply it once', async () => {
    const { blocks, comment, apply, markdown, page } = await discussed('One.\n\nTwo.\n')
    const on = await comment({ node: (await blocks())[0]!.key, suggestion: { markdown: 'One and a half.' } })
    const answers = await Promise.all([apply(on), apply(on, ada)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    assert.equal(await markdown(page), 'One and a half.\n\nTwo.\n')
  })
})
