/** Files and reusable contents, changed and deleted by batches. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { MINUTE, pass } from '../bursts.ts'
import { runDueJobs } from '../due-jobs.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const text = (name: string, words: string, more: object = {}) => ({
  name,
  contentType: 'text/plain',
  base64: Buffer.from(words).toString('base64'),
  ...more,
})
const insertFiles = (...files: object[]) => ({ operation: 'insert_files', files })
const updateFile = (file: string, more: object) => ({ operation: 'update_file', file, ...more })
const deleteFiles = (...files: string[]) => ({ operation: 'delete_files', files })
const insertSnippet = (markdown: string, more: object = {}) => ({
  operation: 'insert_reusable_content',
  document: { markdown },
  ...more,
})
const updateSnippet = (id: string, more: object) => ({
  operation: 'update_reusable_content',
  reusableContent: id,
  ...more,
})
const deleteSnippet = (id: string) => ({ operation: 'delete_reusable_content', reusableContent: id })

/** A draft, with what is below its content. */
async function draft(space?: string) {
  const one = await draftOn(world, space)
  const base = `/v1/spaces/${one.spaceId}/change-requests/${one.changeRequest.id}`
  return { ...one, base, get: (rest: string) => ada(`GET ${base}/content${rest}`) }
}

test('a file gets another name and other bytes, and links to it keep their target', async () => {
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'README.md': '# Home\n\n[The file](assets/a.txt)\n', 'assets/a.txt': 'one' }),
  )
  const { send, get, document } = await draft(spaceId)
  const [before] = (await get('/files')).body.items
  const { body } = await send(updateFile(before.id, { name: 'b.txt' }))
  const [{ object, file }] = body.changes
  assert.deepEqual([object, file.object, file.id], ['updated_file', 'file', before.id])
  const renamed = (await ada(`GET ${file.urls.location}`)).body
  assert.deepEqual([renamed.name, renamed.size, renamed.git], ['b.txt', 3, before.git])

  const key = new URL(await upload(ada, organizationId, Buffer.from('three'))).pathname.split('/').at(-1)
  await send(updateFile(before.id, { upload: key }))
  const replaced = (await get(`/files/${before.id}`)).body
  assert.deepEqual([replaced.name, replaced.size], ['b.txt', 5])
  assert.match(replaced.contentType, /^text\/plain/)
  assert.equal(await (await fetch(replaced.downloadURL)).text(), 'three')
  const [home] = (await get('/pages')).body.pages
  assert.match(JSON.stringify(await document(home.id)), new RegExp(`"file":"${before.id}"`))

  const same = await send(updateFile(before.id, { name: 'b.txt' }))
  assert.deepEqual(same.body.changes, [])
})

test('a deleted file leaves broken links, and one that the same batch inserted leaves nothing', async () => {
  const { send, get, document, base } = await draft()
  const made = await send(
    insertFiles(text('a.txt', 'a', { ref: 'a' }), text('b.txt', 'b', { ref: 'b' })),
    insert('# Home\n\n[A](./a)'),
  )
  const [a] = made.body.insertedFiles
  const page = made.body.changes[0].page.id
  const { status, body } = await send(deleteFiles(a.id))
  assert.equal(status, 200)
  assert.deepEqual(body.changes, [{ object: 'deleted_file', file: a.id }])
  assert.deepEqual(
    (await get('/files')).body.items.map(({ name }: { name: string }) => name),
    ['b.txt'],
  )
  assert.equal((await get(`/files/${a.id}`)).status, 404)
  assert.match(JSON.stringify(await document(page)), new RegExp(a.id))
  const links = await ada(`GET ${base}/links?status=broken`)
  assert.equal(links.body.items.length, 1, links.text)

  const none = await send(insertFiles(text('c.txt', 'c', { ref: 'c' })), deleteFiles('c'))
  assert.deepEqual([none.body.changes, none.body.insertedFiles], [[], undefined])
})

test('reusable contents are inserted, included, updated and deleted', async () => {
  const { send, get, page, base, ...one } = await draft()
  const made = await send(
    insert('# Home\n\n{% include "./note" %}'),
    insertSnippet('Take the latest version.', { title: 'A note', ref: 'note' }),
    insertSnippet('# From the heading\n\nText'),
    insertSnippet('Text', { title: 'A note' }),
    { operation: 'insert_reusable_content', document: {} },
  )
  assert.equal(made.status, 200, made.text)
  const [home, ...snippets] = made.body.changes
  const [note, heading, other, empty] = snippets.map(
    ({ reusableContent }: { reusableContent: { id: string } }) => reusableContent.id,
  )
  assert.deepEqual(
    snippets.map(({ object, ref }: { object: string; ref?: string }) => [object, ref]),
    [
      ['created_reusable_content', 'note'],
      ...Array.from({ length: 3 }, () => ['created_reusable_content', undefined]),
    ],
  )
  const read = async (id: string) => (await get(`/reusable-contents/${id}`)).body
  const shown = await Promise.all([note, heading, other, empty].map(read))
  assert.deepEqual(
    shown.map(({ title, document, git }) => [title, document !== undefined, git?.path]),
    [
      ['A note', true, '.gitbook/includes/a-note.md'],
      ['From the heading', true, '.gitbook/includes/from-the-heading.md'],
      ['A note', true, '.gitbook/includes/a-note-1.md'],
      ['Untitled', false, undefined],
    ],
  )
  assert.deepEqual((await ada(`GET ${snippets[0].reusableContent.urls.location}`)).body, shown[0])
  const included = async () => (await get(`/reusable-contents/${note}/document`)).text
  assert.match(await included(), /Take the latest version/)
  assert.match(JSON.stringify(await one.document(home.page.id)), new RegExp(`"reusableContent":"${note}"`))
  assert.equal((await page(home.page.id)).title, 'Home')

  const updated = await send(
    updateSnippet(note, { document: { markdown: 'Take version 2.' } }),
    updateSnippet(heading, { title: 'Renamed' }),
    updateSnippet(other, { title: 'A note' }),
    deleteSnippet(empty),
  )
  assert.deepEqual(
    updated.body.changes.map(({ object }: { object: string }) => object),
    ['updated_reusable_content', 'updated_reusable_content', 'deleted_reusable_content'],
  )
  assert.deepEqual([(await read(note)).title, (await read(heading)).title], ['A note', 'Renamed'])
  assert.match(await included(), /Take version 2/)
  assert.equal((await get(`/reusable-contents/${empty}`)).status, 404)

  await send(deleteSnippet(note))
  assert.equal((await get(`/reusable-contents/${note}`)).status, 404)
  assert.equal((await ada(`GET ${base}/links?status=broken`)).body.items.length, 1)
})

test('a document of blocks can be the body of a reusable content, and include another of the batch', async () => {
  const { send, get } = await draft()
  const paragraph = (words: string) => ({
    object: 'block',
    type: 'paragraph',
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }],
  })
  const include = {
    object: 'block',
    type: 'reusable-content',
    data: { ref: { kind: 'reusable-content', reusableContent: 'inner' } },
  }
  const body = (...nodes: object[]) => ({ document: { document: { object: 'document', data: {}, nodes } } })
  const outer = { operation: 'insert_reusable_content', title: 'Outer', ...body(paragraph('Out'), include) }
  const inner = {
    operation: 'insert_reusable_content',
    title: 'Inner',
    ref: 'inner',
    ...body(paragraph('In')),
  }
  const made = await send(outer, inner)
  assert.equal(made.status, 200, made.text)
  const [one, two] = made.body.changes
  const document = await get(`/reusable-contents/${one.reusableContent.id}/document`)
  assert.match(document.text, new RegExp(`"reusableContent":"${two.reusableContent.id}"`))
  assert.equal((await get(`/reusable-contents/${one.reusableContent.id}`)).body.title, 'Outer')
})

test('changes of files and reusable contents merge, and the primary content has them then', async () => {
  const first = await draft()
  const made = await first.send(
    insertFiles(text('a.txt', 'a'), text('b.txt', 'b')),
    insertSnippet('One\n\nTwo', { title: 'Note' }),
  )
  const [a, b] = made.body.insertedFiles.map(({ id }: { id: string }) => id)
  const note = made.body.changes[0].reusableContent.id
  const merge = async (base: string) => (await ada(`POST ${base}/merge`)).body.result
  assert.equal(await merge(first.base), 'merge')

  const [left, right] = [await draft(first.spaceId), await draft(first.spaceId)]
  await left.send(
    updateFile(a, { name: 'left.txt' }),
    deleteFiles(b),
    updateSnippet(note, { document: { markdown: 'One left\n\nTwo' } }),
  )
  await right.send(
    updateFile(a, text('', 'right', { name: undefined })),
    updateSnippet(note, { title: 'Right', document: { markdown: 'One\n\nTwo right' } }),
  )
  assert.equal(await merge(left.base), 'merge')
  assert.equal(await merge(right.base), 'merge')
  const content = `/v1/spaces/${first.spaceId}/content`
  const { items } = (await ada(`GET ${content}/files`)).body
  assert.deepEqual(
    items.map(({ name, size }: { name: string; size: number }) => [name, size]),
    [['left.txt', 5]],
  )
  const snippet = await ada(`GET ${content}/reusable-contents/${note}`)
  assert.equal(snippet.body.title, 'Right')
  assert.match((await ada(`GET ${content}/reusable-contents/${note}/document`)).text, /One left.*Two right/)
})

test('invalid changes of files and reusable contents are refused, and the error names the field', async () => {
  const { send } = await draft()
  const made = await send(insertFiles(text('a.txt', 'a')), insertSnippet('Text', { title: 'Note' }))
  const file = made.body.insertedFiles[0].id
  const note = made.body.changes[0].reusableContent.id
  const elsewhere = await draft()
  const other = (await elsewhere.send(insertFiles(text('a.txt', 'a')))).body.insertedFiles[0].id
  const refused: [object, string][] = [
    [updateFile('nothing', { name: 'a' }), 'file'],
    [updateFile(other, { name: 'a' }), 'file'],
    [updateFile(note, { name: 'a' }), 'file'],
    [updateFile(file, { name: ' ' }), 'name'],
    [updateFile(file, { name: 'a'.repeat(257) }), 'name'],
    [updateFile(file, { base64: 'A*', contentType: 'text/plain' }), 'base64'],
    [updateFile(file, { base64: 'AAAA', contentType: 'text/plain', upload: 'nothing' }), ''],
    [updateFile(file, { contentType: 'text/plain' }), ''],
    [updateFile(file, { upload: 'nothing' }), 'upload'],
    [updateFile(file, { url: 'http://10.0.0.1/a.png' }), ''],
    [deleteFiles(), 'files'],
    [deleteFiles(file, 'nothing'), 'files.1'],
    [deleteFiles(file, file), 'files.1'],
    [deleteFiles(...Array.from({ length: 101 }, () => file)), 'files'],
    [insertSnippet('a', { title: ' ' }), 'title'],
    [insertSnippet('a'.repeat(1_000_001)), 'document'],
    [{ operation: 'insert_reusable_content' }, 'document'],
    [updateSnippet('nothing', { title: 'a' }), 'reusableContent'],
    [updateSnippet(file, { title: 'a' }), 'reusableContent'],
    [updateSnippet(note, { document: { markdown: 'a', document: {} } }), 'document'],
    [deleteSnippet('nothing'), 'reusableContent'],
    [update(file, { title: 'a' }), 'page'],
  ]
  for (const [change, field] of refused) {
    const { status, body } = await send(insert('# Two'), change)
    assert.equal(status, 400, JSON.stringify(change))
    const path = ['body.changes.1', field].filter(Boolean).join('.')
    assert.equal(body.error.details[0].path, path, body.error.message)
  }
})

describe('reusable contents that two write at once', () => {
  const paragraphs = (...lines: string[]) => lines.map((line) => `${line}\n`).join('\n')

  async function shared() {
    const { base, send, get } = await draft()
    const { body } = await send(insertSnippet(paragraphs('One', 'Two', 'Three'), { title: 'Note' }))
    const { id } = body.changes[0].reusableContent
    const read = async () => (await get(`/reusable-contents/${id}/document`)).body
    const { nodes } = await read()
    const keys = nodes.map(({ key }: { key: string }) => key) as string[]
    const block = (key: string, line: string) => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      key,
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
    })
    /** Writes some of the three blocks, based on a revision. */
    const write = (revision: string, lines: (string | undefined)[], more: object = {}, known = keys) => {
      const blocks = known.map((keep, i) => (lines[i] === undefined ? { keep } : block(keep, lines[i])))
      const changes = [updateSnippet(id, { document: { blocks }, ...more })]
      return ada(`POST ${base}/content?compat=false`, { revision, changes })
    }
    const words = async () => JSON.stringify((await read()).nodes).match(/(?<="text":")[^"]+/g)
    return { base, id, get, write, words, keys, revision: body.revision as string }
  }

  test('keep the words of both, where these are in different blocks', async () => {
    const { write, words, revision, keys } = await shared()
    const first = await write(revision, ['Uno'])
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(
      first.body.changes[0].blocks.map(({ entry, key }: { entry: number; key: string }) => [
        entry,
        keys.includes(key),
      ]),
      [
        [0, false],
        [1, true],
        [2, true],
      ],
    )
    const second = await write(revision, [undefined, undefined, 'Tres'], { title: 'Notes' })
    assert.equal(second.status, 200, second.text)
    assert.deepEqual(await words(), ['Uno', 'Two', 'Tres'])
    assert.equal(second.body.changes[0].blocks[0].block.type, 'paragraph')
  })

  test('conflict in the same words and titles, and after a deletion', async () => {
    const { base, id, get, write, words, revision } = await shared()
    await write(revision, ['Uno'], { title: 'Nota' })
    const { status, body } = await write(revision, ['Eins'], { title: 'Notiz' })
    assert.equal(status, 409)
    assert.deepEqual(
      body.error.conflicts.map(({ kind, theirs, mine }: Record<string, string>) => [kind, theirs, mine]),
      [
        ['field', 'Nota', 'Notiz'],
        ['text', 'Uno', 'Eins'],
      ],
    )
    assert.deepEqual(await words(), ['Uno', 'Two', 'Three'])
    const changes = [deleteSnippet(id)]
    const late = await ada(`POST ${base}/content`, { revision, changes })
    assert.deepEqual([late.status, late.body.error.conflicts[0].kind], [409, 'changed'])
    assert.equal((await ada(`POST ${base}/content`, { changes })).status, 200)
    assert.equal((await get(`/reusable-contents/${id}`)).status, 404)
    const gone = await write(revision, ['Eins'])
    assert.deepEqual([gone.status, gone.body.error.conflicts[0].kind], [409, 'deleted'])
  })

  test('are merged with saves that later ones have replaced', async () => {
    const { base, write, words, revision } = await shared()
    const first = await write(revision, ['Uno'])
    const known = first.body.changes[0].blocks.map(({ key }: { key: string }) => key) as string[]
    const second = await write(first.body.revision, [undefined, 'Dos'], {}, known)
    assert.equal(second.status, 200, second.text)
    pass(world, 2 * MINUTE)
    await runDueJobs(world)
    assert.equal(
      (await ada(`GET ${base.replace(/change-requests.*/, '')}revisions/${first.body.revision}`)).status,
      404,
    )
    const late = await write(first.body.revision, [undefined, undefined, 'Tres'], {}, known)
    assert.equal(late.status, 200, late.text)
    assert.deepEqual(await words(), ['Uno', 'Dos', 'Tres'])
  })
})
