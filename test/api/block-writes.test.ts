/** Writes of single blocks, and writes that are based on a revision. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { createWorld } from '../world.ts'
import { onlyLong } from '../effort.ts'

const world = await createWorld()
const { ada } = world

const paragraph = (text: string, key?: string) => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
  ...(key === undefined ? {} : { key }),
})
const blocks = (...entries: object[]) => ({ document: { blocks: entries } })
const keep = (key: string) => ({ keep: key })

const PAGE =
  '---\nicon: bolt\n---\n\n#  Title\n\nOne __bold__ word,\nwrapped.\n* a\n* b\n\nSee [the other](other.md).\n'

async function pageOf(markdown: string) {
  const draft = await draftOn(world)
  const [id = ''] = await draft.made(insert(markdown), insert('# Other\n'))
  const { spaceId, changeRequest } = draft
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content`
  const read = await draft.document(id)
  const keys = (read.nodes as { key: string }[]).map(({ key }) => key)
  const based = (revision: string, ...changes: object[]) =>
    ada(`POST ${path}?compat=false`, { changes, revision })
  return { ...draft, path, id, keys, nodes: read.nodes, based }
}

describe('blocks', () => {
  test('blocks that are kept keep their bytes, and the response has the new keys', async () => {
    const { id, keys, send, markdown, document } = await pageOf(PAGE)
    const [first, list, link] = keys as [string, string, string]
    const sent = blocks(
      keep(link),
      paragraph('Fresh'),
      keep(list),
      paragraph('One *changed* word, wrapped.', first),
    )
    const { status, body } = await send(update(id, sent))
    assert.equal(status, 200)
    assert.equal(
      await markdown(id),
      '---\nicon: bolt\n---\n\n#  Title\n\nSee [the other](other.md).\n\nFresh\n\n* a\n* b\n\nOne \\*changed\\* word,\nwrapped.\n',
    )
    const [{ blocks: written, title }] = body.changes
    assert.equal(title, 'Title')
    const now = (await document(id)).nodes as { key: string }[]
    assert.deepEqual(
      written,
      now.map(({ key }, entry) => ({ entry, key })),
    )
    assert.equal(written[0]?.key, link)
  })

  test('a whole document with one changed word changes one line', async () => {
    const { id, nodes, send, markdown } = await pageOf(PAGE)
    const sent = JSON.parse(JSON.stringify(nodes).replace('wrapped', 'broken'))
    assert.equal((await send(update(id, { document: { document: { nodes: sent } } }))).status, 200)
    assert.equal(await markdown(id), PAGE.replace('wrapped', 'broken'))
    const again = await send(update(id, { document: { document: { nodes: sent } } }))
    assert.equal(again.status, 200)
    assert.equal(await markdown(id), PAGE.replace('wrapped', 'broken'))
  })

  test('blocks that the page does not have, faulty blocks, and blocks elsewhere are refused', async () => {
    const { id, keys, send, markdown } = await pageOf(PAGE)
    const refused = async (change: object, message: RegExp) => {
      const { status, body } = await send(change)
      assert.equal(status, 400)
      assert.match(body.error.message, message)
    }
    await refused(
      update(id, blocks(keep('nothing'))),
      /changes\.0\.document\.blocks\.0\.keep: "nothing" is not the key/,
    )
    await refused(update(id, blocks(keep(keys[0]!), keep(keys[0]!))), /blocks\.1\.keep: ".+" is kept twice/)
    await refused(
      update(id, blocks({ object: 'block', type: 'nonsense' })),
      /blocks\.0\.type: must be the type/,
    )
    await refused(update(id, blocks({ keep: 1 })), /blocks\.0/)
    await refused(update(id, { document: { blocks: [], markdown: '' } }), /not more than one/)
    await refused({ operation: 'insert_page', ...blocks() }, /belongs to "update_page"/)
    await refused(update('nobody', blocks()), /document\.blocks: needs a page/)
    const twice = await send(update(id, blocks(keep(keys[0]!))), update(id, blocks(keep(keys[1]!))))
    assert.match(twice.body.error.message, /changes\.1\.document: an earlier change of the batch/)
    assert.equal(await markdown(id), PAGE)
  })

  test('a large page is written in a thread', onlyLong, async () => {
    const source = `# Large\n\n${Array.from({ length: 3000 }, (_, i) => `Paragraph ${i} has *words* in it.\n\n`).join('')}`
    const { id, keys, send, markdown } = await pageOf(source)
    const entries = keys.map((key, i) => (i === 1500 ? paragraph('Changed', key) : keep(key)))
    assert.equal((await send(update(id, blocks(...entries)))).status, 200)
    assert.equal(await markdown(id), source.replace('Paragraph 1500 has *words* in it.', 'Changed'))
  })
})

describe('writes based on a revision', () => {
  test('two writers who change different words keep both, and learn what the other wrote', async () => {
    const { id, keys, based, revision, markdown } = await pageOf(
      'One two three four five.\n\nSecond block.\n',
    )
    const [first, second] = keys as [string, string]
    const start = await revision()
    const mine = await based(
      start,
      update(id, blocks(paragraph('ONE two three four five.', first), keep(second))),
    )
    assert.equal(mine.status, 200)
    const theirs = await based(
      start,
      update(id, blocks(paragraph('One two three four FIVE.', first), keep(second), paragraph('Third.'))),
    )
    assert.equal(theirs.status, 200)
    assert.equal(await markdown(id), 'ONE two three four FIVE.\n\nSecond block.\n\nThird.\n')
    const [{ blocks: written }] = theirs.body.changes
    assert.equal(written.length, 3)
    assert.equal(written[0].block.nodes[0].leaves[0].text, 'ONE two three four FIVE.')
    assert.deepEqual([written[1].entry, written[2].entry], [1, 2])
    assert.equal(theirs.body.revision, await revision())
  })

  test('what cannot be merged comes back with both texts, and nothing is written', async () => {
    const { id, keys, path, based, revision, markdown } = await pageOf('One two three.\n\nOther.\n')
    const start = await revision()
    const wrote = (text: string) => update(id, blocks(paragraph(text, keys[0]), keep(keys[1]!)))
    assert.equal((await based(start, wrote('One 2 three.'))).status, 200)
    const { status, body } = await based(start, wrote('One TWO three.'))
    assert.equal(status, 409)
    assert.deepEqual(body.error.conflicts, [
      {
        page: id,
        title: 'Untitled',
        kind: 'text',
        base: 'One two three.',
        theirs: 'One 2 three.',
        mine: 'One TWO three.',
      },
    ])
    assert.equal(await markdown(id), 'One 2 three.\n\nOther.\n')
    // Based on the newest revision, the writer has decided.
    const headers = { 'if-match': `"${await revision()}"` }
    const [decided] = (await ada(`GET ${path}/page/${id}/document`)).body.nodes
    const settled = {
      changes: [update(id, blocks(paragraph('One TWO three.', decided.key), keep(keys[1]!)))],
    }
    assert.equal((await ada(`POST ${path}`, settled, headers)).status, 200)
    assert.equal(await markdown(id), 'One TWO three.\n\nOther.\n')
    const stale = await ada(
      `POST ${path}`,
      { changes: [wrote('One II three.')] },
      { 'if-match': `"${start}"` },
    )
    assert.equal(stale.status, 409)
  })

  test('Markdown merges too, and fields that the writer did not change stay', async () => {
    const { id, based, revision, markdown, page } = await pageOf('# Title\n\nOne.\n\nTwo.\n')
    const start = await revision()
    const send = (more: object) => based(start, update(id, more))
    assert.equal(
      (await send({ document: { markdown: '# Title\n\nONE.\n\nTwo.\n' }, description: 'Theirs' })).status,
      200,
    )
    assert.equal(
      (await send({ document: { markdown: '# Title\n\nOne.\n\nTWO.\n' }, icon: 'bolt' })).status,
      200,
    )
    assert.equal(await markdown(id), '# Title\n\nONE.\n\nTWO.\n')
    assert.equal((await page(id)).description, 'Theirs')
    assert.equal((await send({ title: 'Title', icon: 'bolt' })).status, 200)
    const fault = await send({ description: 'Mine' })
    assert.equal(fault.status, 409)
    assert.deepEqual(fault.body.error.conflicts, [
      {
        page: id,
        title: 'Title',
        kind: 'field',
        field: 'description',
        base: null,
        theirs: 'Theirs',
        mine: 'Mine',
      },
    ])
  })

  test('a page that others deleted, and one that they changed before it is deleted, are conflicts', async () => {
    const { id, keys, based, revision, send } = await pageOf('One.\n')
    const start = await revision()
    const mine = update(id, blocks(paragraph('Mine.', keys[0])))
    assert.equal((await send(mine)).status, 200)
    const deleted = await based(start, { operation: 'delete_page', page: id })
    assert.deepEqual(
      [deleted.status, deleted.body.error.conflicts],
      [
        409,
        [{ page: id, title: 'Untitled', kind: 'changed', base: 'One.\n', theirs: 'Mine.\n', mine: null }],
      ],
    )
    assert.equal((await based(await revision(), { operation: 'delete_page', page: id })).status, 200)
    const gone = await based(start, mine)
    assert.deepEqual(
      [gone.status, gone.body.error.conflicts],
      [
        409,
        [{ page: id, title: 'Untitled', kind: 'deleted', base: 'One.\n', theirs: null, mine: 'Mine.\n' }],
      ],
    )
  })

  test('a revision of another space is refused', async () => {
    const { id, based } = await pageOf('One.\n')
    const other = await draftOn(world)
    const { status, body } = await based(await other.revision(), update(id, { title: 'New' }))
    assert.equal(status, 400)
    assert.match(body.error.message, /body\.revision must be the id of a revision of this space/)
  })

  test('writers at once keep every word, or learn of the conflict', async () => {
    const words = Array.from({ length: 12 }, (_, i) => `word${i}`)
    const { id, path, markdown, document, revision } = await pageOf(`${words.join(' ')}\n`)
    const write = async (nth: number) => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const base = await revision()
        const { nodes } = (
          await ada(`GET ${path.replace(/change-requests.*/, `revisions/${base}`)}/page/${id}/document`)
        ).body
        const text = (nodes[0].nodes[0].leaves[0].text as string).replace(`word${nth}`, `WORD${nth}`)
        const changes = [update(id, blocks(paragraph(text, nodes[0].key)))]
        const { status } = await ada(`POST ${path}`, { changes, revision: base })
        if (status === 200) return
        assert([409, 503].includes(status), String(status))
      }
      assert.fail(`writer ${nth} found no turn`)
    }
    await Promise.all(words.map((_, nth) => write(nth)))
    assert.equal(await markdown(id), `${words.join(' ').toUpperCase()}\n`)
    assert.equal((await document(id)).nodes.length, 1)
  })
})
