/** The reasons for refusing batches, that a refused batch changes nothing, and concurrent batches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { rowsOf, changes as rowChanges } from '../matrix/database.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'SUMMARY.md':
      '# Summary\n\n* [Home](README.md)\n* [Out](https://example.com)\n\n## Part\n\n* [Page](page.md)\n',
    'README.md': '# Home\n',
    'page.md': '# Page\n\nText\n',
  }),
)
const [home, link, group] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
const page = group.pages[0]
const draft = await draftOn(world, spaceId)
const file = { name: 'a.png', contentType: 'image/png', base64: 'AAAA' }
const tabs = {
  object: 'block',
  type: 'tabs',
  nodes: [
    {
      object: 'block',
      type: 'tabs-item',
      data: { title: '{% if visitor.claims.a %}Secret{% endif %}' },
      nodes: [{ object: 'block', type: 'paragraph', nodes: [] }],
    },
  ],
}
const files = (...all: object[]) => ({ operation: 'insert_files', files: all })
const revert = (id: string, more: object = {}) => ({ operation: 'revert_page', page: id, ...more })
const bob = await world.person('bob', 'edit')
const bobs = new URL(await upload(bob, organizationId, new Uint8Array(4))).pathname.split('/').at(-1)
const elsewhere = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Elsewhere' })).body
const documentWith = (block: object) => ({
  document: { document: { object: 'document', data: {}, nodes: [block] } },
})

/** Invalid changes by their fault, with the field that the error names. */
const REFUSED: Record<string, [object, string]> = {
  'an unknown operation': [{ operation: 'rename_page' }, 'operation'],
  'no operation': [{}, 'operation'],
  'an insert without a document': [{ operation: 'insert_page' }, 'document'],
  'an update without a page': [{ operation: 'update_page' }, 'page'],
  'an unknown page': [update('nothing', {}), 'page'],
  'deleting an unknown page': [{ operation: 'delete_page', page: 'nothing' }, 'page'],
  'an unknown parent': [insert('# A', { into: 'nothing' }), 'into'],
  'a parent that is a link': [insert('# A', { into: link.id }), 'into'],
  'a page inside itself': [update(home.id, { into: home.id }), 'into'],
  'a group in a page': [update(group.id, { into: home.id }), 'into'],
  'a negative index': [insert('# A', { at: -1 }), 'at'],
  'an empty title': [insert('# A', { title: '' }), 'title'],
  'a blank title': [update(home.id, { title: ' ' }), 'title'],
  'a title with a condition': [insert('# A', { title: 'A {% if a %}b{% endif %}' }), 'title'],
  'a title of a link with a condition': [update(link.id, { title: 'A {%- if a -%}b' }), 'title'],
  'a short title with a condition': [update(home.id, { linkTitle: '{% if a %}b{% endif %}' }), 'linkTitle'],
  'a description with a condition': [update(home.id, { description: '{% IF a %}b' }), 'description'],
  'a tag with a condition': [update(home.id, { tags: [{ tag: '{% if a %}b' }] }), 'tags'],
  'a variable of a page with a condition': [
    update(home.id, { variables: { a: '{% if a %}b' } }),
    'variables',
  ],
  'a variable with a condition': [
    { operation: 'update_variables', variables: { a: '{% unless a %}b' } },
    'variables.a',
  ],
  'a slug that a sibling has': [update(home.id, { slug: group.slug }), 'slug'],
  'a slug that a site reserves': [insert('# A', { slug: 'robots.txt' }), 'slug'],
  'a slug with a slash': [insert('# A', { slug: 'a/b' }), 'slug'],
  'a slug in capitals': [insert('# A', { slug: 'Setup' }), 'slug'],
  'a slug of dots': [insert('# A', { slug: '..' }), 'slug'],
  'a slug that is too long': [insert('# A', { slug: 'a'.repeat(101) }), 'slug'],
  'a slug for a link': [update(link.id, { slug: 'a' }), 'slug'],
  'a description for a group': [update(group.id, { description: 'a' }), 'description'],
  'a body for a group': [update(group.id, { document: { markdown: 'a' } }), 'document'],
  'an invalid condition': [update(home.id, { condition: 'a ==' }), 'condition'],
  'a condition with an unknown variable': [update(home.id, { condition: 'plan == "pro"' }), 'condition'],
  'a condition that is not evaluated': [update(home.id, { condition: 'a?.b' }), 'condition'],
  'two bodies': [{ operation: 'insert_page', document: { markdown: 'a', document: {} } }, 'document'],
  'a document with a block that is none': [
    { operation: 'insert_page', ...documentWith({ object: 'block', type: 'poem', data: {} }) },
    'document.document.nodes.0.type',
  ],
  'a document with a condition in the title of a tab': [
    { operation: 'insert_page', ...documentWith(tabs) },
    'document.document.nodes.0.nodes.0.data.title',
  ],
  'a block with a condition in the title of a tab': [
    update(home.id, { document: { blocks: [tabs] } }),
    'document.blocks.0.nodes.0.data.title',
  ],
  'a document that is none': [
    { operation: 'insert_page', document: { document: 'text' } },
    'document.document',
  ],
  'more than 1 MB': [insert('a'.repeat(1_000_001)), 'document'],
  'half a surrogate pair': [insert('\ud800'), 'document.markdown'],
  'an invalid name': [insert('# A', { ref: 'a b' }), 'ref'],
  'a file without content': [files({ name: 'a.png' }), 'files.0'],
  'a file with two sources of content': [files(file, { ...file, upload: 'x' }), 'files.1'],
  'base64 without a type': [files({ name: 'a.png', base64: 'AAAA' }), 'files.0'],
  'invalid base64': [files({ ...file, base64: 'A*' }), 'files.0.base64'],
  'base64 of more than 1 MB': [files({ ...file, base64: 'A'.repeat(1_398_108) }), 'files.0.base64'],
  'no files': [files(), 'files'],
  'more than 20 files': [files(...Array.from({ length: 21 }, () => file)), 'files'],
  'a file without a name': [files({ ...file, name: '' }), 'files.0.name'],
  'a file from a private network': [files({ name: 'a', url: 'http://10.0.0.1/a.png' }), 'files.0'],
  'a file with an unsupported URL scheme': [files({ name: 'a', url: 'file:///etc/passwd' }), 'files.0'],
  'an unknown upload': [files({ name: 'a', upload: 'nothing' }), 'files.0.upload'],
  'an upload of another user': [files({ name: 'a', upload: bobs }), 'files.0.upload'],
  'reverting to an unknown revision': [revert(home.id, { revision: 'nothing' }), 'revision'],
  'going back to a revision of another space': [
    revert(home.id, { revision: elsewhere.revision }),
    'revision',
  ],
  'reverting an unknown page': [revert('nothing'), 'page'],
  'reverting an unknown block': [revert(home.id, { block: ['nothing'] }), 'block.0'],
  'reverting a block of a group': [revert(group.id, { block: ['nothing'] }), 'block'],
}

test('refuses each invalid change, and names its index and the invalid field', async () => {
  for (const [what, [change, field]] of Object.entries(REFUSED)) {
    const answer = await draft.send(insert('# Right'), change)
    assert.equal(answer.status, 400, `${what}: ${answer.text.slice(0, 300)}`)
    const { message, details } = answer.body.error
    const path = `body.changes.1.${field}`
    assert.equal(details[0].path, path, `${what}: ${message}`)
    assert(message.includes(path), what)
  }
})

test('a refused batch changes nothing', async () => {
  const before = await rowsOf(world.db)
  for (const [change] of Object.values(REFUSED)) {
    await draft.send(
      insert('# Right'),
      update(home.id, { title: 'New', document: { markdown: 'New' } }),
      files(file),
      change,
    )
  }
  assert.deepEqual(rowChanges(before, await rowsOf(world.db)), [])
})

test('refuses blocks that HTML without an end in the page would hide', async () => {
  const { made, send, document, markdown } = await draftOn(world)
  const source = '# Notes\n\nText\n\n<!-- note\n'
  const [id = ''] = await made(insert(source))
  const kept = (await document(id)).nodes.map(({ key }: { key: string }) => ({ keep: key }))
  const leaves = [{ object: 'leaf', text: 'New', marks: [] }]
  const added = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] }
  const answer = await send(update(id, { document: { blocks: [...kept, added] } }))
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.body.error.details[0].path, 'body.changes.0.document')
  assert.equal(await markdown(id), source)
  assert.equal((await send(update(id, { document: { blocks: [added, ...kept] } }))).status, 200)
})

test('accepts 50 changes and 32 levels, and refuses more', async () => {
  const { send, made } = await draftOn(world)
  const chain = Array.from({ length: 50 }, (_, i) =>
    insert(`# ${i}`, { ref: `p${i}`, ...(i > 0 && i < 32 ? { into: `p${i - 1}` } : {}) }),
  )
  const ids = await made(...chain)
  assert.equal(ids.length, 50)
  assert.equal((await send(...chain, insert('# 51'))).status, 400)
  assert.equal((await send()).status, 400)

  const deep = await send(insert('# Right'), insert('# Too deep', { into: ids[31] }))
  assert.deepEqual([deep.status, deep.body.error.details[0].path], [400, 'body.changes.1.into'])
  const moved = await send(update(ids[0]!, { into: ids[40] }))
  assert.deepEqual(
    [moved.status, moved.body.error.details[0].path],
    [400, 'body.changes.0.into'],
    'with what is below it',
  )
})

test('a name is unique in its batch, and later changes can use it', async () => {
  const twice = await draft.send(insert('# A', { ref: 'a' }), insert('# B', { ref: 'a' }))
  assert.equal(twice.body.error.details[0].path, 'body.changes.1.ref')
  const shared = await draft.send(insert('# A', { ref: 'a' }), files({ ...file, ref: 'a' }))
  assert.equal(shared.body.error.details[0].path, 'body.changes.1.files.0.ref')
  const early = await draft.send(insert('# A', { into: 'b' }), insert('# B', { ref: 'b' }))
  assert.equal(early.body.error.details[0].path, 'body.changes.0.into')
  const gone = await draft.send(
    insert('# A', { ref: 'a' }),
    { operation: 'delete_page', page: 'a' },
    update('a', { title: 'B' }),
  )
  assert.equal(gone.body.error.details[0].path, 'body.changes.2.page')
})

test('refuses to move a page below its own descendant, also within one batch', async () => {
  const answer = await draft.send(insert('# A', { ref: 'a', into: page.id }), update(page.id, { into: 'a' }))
  assert.equal(answer.body.error.details[0].path, 'body.changes.1.into')
})

test('refuses to change an archived or merged change request, and accepts an open one', async () => {
  const { send, changeRequest } = await draftOn(world)
  const set = (status: 'archived' | 'merged' | 'open') =>
    world.db.write((tx) =>
      tx.updateTable('changeRequest').set({ status }).where('id', '=', changeRequest.id).execute(),
    )
  for (const status of ['archived', 'merged'] as const) {
    await set(status)
    const { status: answered, body } = await send(insert('# A'))
    assert.equal(answered, 409)
    assert.match(body.error.message, new RegExp(status))
  }
  await set('open')
  assert.equal((await send(insert('# A'))).status, 200)
})

test('concurrent batches all succeed, one revision after another', async () => {
  const { send, spaceId: space, revision, changeRequest, tree } = await draftOn(world)
  const names = Array.from({ length: 8 }, (_, i) => `Page ${i}`)
  const answers = await Promise.all(names.map((name) => send(insert(`# ${name}`))))
  for (const answer of answers) assert.equal(answer.status, 200, answer.text)
  assert.deepEqual((await tree()).toSorted(), names)

  const line: string[] = []
  for (let at = await revision(); at !== changeRequest.revision;) {
    line.push(at)
    at = (await ada(`GET /v1/spaces/${space}/revisions/${at}`)).body.parents[0]
  }
  assert.equal(line.length, 8)
  assert.deepEqual(
    line.toSorted(),
    answers.map(({ body }) => body.changeRequest.revision as string).toSorted(),
  )
})

test('if two concurrent batches use the same slug, one succeeds and the other gets an error', async () => {
  const { send } = await draftOn(world)
  const answers = await Promise.all([
    send(insert('# A', { slug: 'same' })),
    send(insert('# B', { slug: 'same' })),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
})

test('if two concurrent batches use the same upload, only one succeeds', async () => {
  const { send } = await draftOn(world)
  const key = new URL(await upload(ada, organizationId, new Uint8Array(4))).pathname.split('/').at(-1)
  const both = await Promise.all([1, 2].map(() => send(files({ name: 'a', upload: key }))))
  const [first, second] = both.map(({ status }) => status).toSorted()
  assert(first === 200 && (second === 400 || second === 409), `${first} ${second}`)
})
