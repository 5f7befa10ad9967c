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

describe('a deletion of a page', () => {
  test('conflicts with what others have changed, added and moved below it', async () => {
    const { made, based, revision, send, tree, ids } = await pagesOf('# Elsewhere\n')
    const [parent = '', child = '', gone = ''] = await made(
      insert('# Parent\n', { ref: 'parent' }),
      insert('# Child\n\nOne.\n', { into: 'parent', ref: 'child' }),
      insert('# Gone\n', { into: 'parent' }),
    )
    const start = await revision()
    await made(insert('# Below\n\nNew.\n', { into: child }))
    await send(
      update(child, { document: { markdown: '# Child\n\nUno.\n' } }),
      update(gone, { into: null }),
      update(ids[0], { into: parent }),
    )
    const before = await tree()
    const { status, body } = await based(start, remove(parent))
    assert.equal(status, 409)
    const found = body.error.conflicts as Record<string, unknown>[]
    assert.deepEqual(
      found.map(({ title, kind, base, theirs, mine }) => [title, kind, base, theirs, mine]),
      [
        ['Child', 'changed', '# Child\n\nOne.\n', '# Child\n\nUno.\n', null],
        ['Elsewhere', 'changed', '# Elsewhere\n', '# Elsewhere\n', null],
        ['Below', 'changed', null, '# Below\n\nNew.\n', null],
      ],
    )
    assert.deepEqual(await tree(), before)
    // What the writer takes out first is not deleted.
    const rest = [update(child, { into: null }), update(ids[0], { into: gone }), remove(parent)]
    assert.equal((await based(await revision(), ...rest)).status, 200)
  })

  test('does not conflict with a page below it that the same batch has moved away', async () => {
    const { made, based, revision, send, tree } = await pagesOf('# First\n')
    const [parent = '', child = ''] = await made(
      insert('# Parent\n', { ref: 'parent' }),
      insert('# Child\n', { into: 'parent' }),
    )
    const start = await revision()
    await send(update(child, { icon: 'bolt' }))
    const { status, text } = await based(start, update(child, { into: null }), remove(parent))
    assert.equal(status, 200, text)
    assert.deepEqual(await tree(), ['First', 'Child'])
  })
})

describe('moves', () => {
  test('to different places conflict, and those to the same place do not', async () => {
    const { ids, sent, conflictsOf, tree } = await pagesOf('# G\n', '# H\n', '# Page\n')
    const [g, h, page] = ids
    await sent(update(page, { into: g }))
    assert.deepEqual(await conflictsOf(update(page, { into: h })), [
      {
        page,
        title: 'Page',
        kind: 'field',
        field: 'place',
        base: { into: null, at: 2 },
        theirs: { into: g, at: 0 },
        mine: { into: h },
      },
    ])
    await sent(update(page, { into: g }))
    await sent(update(page, { into: null, at: 2, icon: 'bolt' }))
    assert.deepEqual(await tree(), [['G', ['Page']], 'H'])
  })

  test('among siblings conflict only with another order of the same page', async () => {
    const { ids, sent, conflictsOf, tree, made } = await pagesOf('# A\n', '# B\n', '# C\n')
    const [a, b, c] = ids
    await made(insert('# New\n', { at: 0 }))
    await sent(update(c, { at: 0 }))
    assert.deepEqual(await tree(), ['C', 'New', 'A', 'B'])
    const [conflict] = await conflictsOf(update(c, { at: 1 }))
    assert.deepEqual([conflict?.['field'], conflict?.['mine']], ['place', { into: null, at: 1 }])
    await sent(update(a, { at: 3 }), update(b, { icon: 'bolt' }))
    assert.deepEqual(await tree(), ['C', 'New', 'B', 'A'])
  })

  test('into a page that others have deleted name that page', async () => {
    const { ids, sent, conflictsOf } = await pagesOf('# G\n', '# Page\n')
    const [g, page] = ids
    await sent(remove(g))
    const link = {
      operation: 'insert_link',
      title: 'Link',
      target: { kind: 'url', url: 'https://example.com' },
    }
    for (const change of [update(page, { into: g }), insert('# New\n', { into: g }), { ...link, into: g }])
      assert.deepEqual(await conflictsOf(change), [{ page: g, title: 'G', kind: 'deleted' }])
  })

  test('and contradictions in texts are reported together', async () => {
    const { ids, sent, conflictsOf } = await pagesOf('# G\n', '# H\n', '# Page\n\nOne.\n')
    const [g, h, page] = ids
    await sent(update(page, { into: g, document: { markdown: '# Page\n\nUno.\n' } }))
    const found = await conflictsOf(update(page, { into: h, document: { markdown: '# Page\n\nUn.\n' } }))
    assert.deepEqual(
      found.map(({ kind, theirs }) => [kind, theirs]),
      [
        ['field', { into: g, at: 0 }],
        ['text', 'Uno.'],
      ],
    )
  })
})

describe('values of the space', () => {
  const set = (variables: object) => ({ operation: 'update_variables', variables })
  const redirect = (redirects: object) => ({ operation: 'update_redirects', redirects })

  test('variables merge by name', async () => {
    const { based, revision, send, path } = await pagesOf('# A\n')
    await send(set({ same: 1, theirs: 1, both: 1, gone: 1 }))
    const start = await revision()
    await send(set({ theirs: 2, both: 2, gone: null }))
    const { status, text } = await based(start, set({ same: 3, theirs: 1, gone: 1, both: 2, fresh: true }))
    assert.equal(status, 200, text)
    const variables = async () => (await ada(`GET ${path}`)).body.variables as object
    assert.deepEqual(await variables(), { same: 3, theirs: 2, both: 2, fresh: true })
    const clash = await based(start, set({ both: 3, other: 1 }))
    assert.equal(clash.status, 409)
    assert.deepEqual(clash.body.error.conflicts, [
      { title: 'Variables', kind: 'field', field: 'variables', key: 'both', base: 1, theirs: 2, mine: 3 },
    ])
    assert.deepEqual(await variables(), { same: 3, theirs: 2, both: 2, fresh: true })
  })

  test('redirects merge by path', async () => {
    const { ids, based, revision, send, path } = await pagesOf('# A\n')
    const url = (name: string) => ({ kind: 'url', url: `https://example.com/${name}` })
    const page = { kind: 'page', page: ids[0] }
    await send(redirect({ 'old/one': url('one'), 'old/two': page }))
    const start = await revision()
    await send(redirect({ 'old/one': url('theirs') }))
    const { status, text } = await based(
      start,
      redirect({ 'Old/One': url('one'), 'old/two': null, new: page }),
    )
    assert.equal(status, 200, text)
    assert.deepEqual((await ada(`GET ${path}`)).body.redirects, { 'old/one': url('theirs'), new: page })
    const clash = await based(start, redirect({ '/OLD/one': null }))
    assert.deepEqual(clash.body.error.conflicts, [
      {
        title: 'Redirects',
        kind: 'field',
        field: 'redirects',
        key: '/OLD/one',
        base: url('one'),
        theirs: url('theirs'),
        mine: null,
      },
    ])
  })

  test('the name and the bytes of a file are merged, and a changed file is not deleted', async () => {
    const { based, revision, send, path } = await pagesOf('# A\n')
    const bytes = (text: string) => ({ base64: btoa(text), contentType: 'text/plain' })
    const start0 = await revision()
    const made = await send({ operation: 'insert_files', files: [{ name: 'a.txt', ...bytes('a') }] })
    const file = made.body.insertedFiles[0].id as string
    const write = (more: object) => ({ operation: 'update_file', file, ...more })
    const start = await revision()
    assert.equal((await send(write({ name: 'theirs.txt' }))).status, 200)
    assert.equal((await based(start, write({ name: 'a.txt', ...bytes('b') }))).status, 200)
    const now = (await ada(`GET ${path}/files/${file}`)).body
    assert.equal(now.name, 'theirs.txt')
    const clash = await based(start, write({ name: 'mine.txt' }))
    assert.deepEqual(clash.body.error.conflicts, [
      {
        page: file,
        title: 'theirs.txt',
        kind: 'field',
        field: 'name',
        base: 'a.txt',
        theirs: 'theirs.txt',
        mine: 'mine.txt',
      },
    ])
    const other = await based(start, write(bytes('c')))
    assert.equal(other.body.error.conflicts[0].field, 'content')
    const deleted = { operation: 'delete_files', files: [file] }
    assert.deepEqual((await based(start, deleted)).body.error.conflicts, [
      { page: file, title: 'theirs.txt', kind: 'changed' },
    ])
    assert.match(
      (await based(start0, write({ name: 'x' }))).body.error.message,
      /file: .+ is not in the revision/,
    )
    assert.equal((await based(await revision(), deleted)).status, 200)
    assert.equal((await based(start, write({ name: 'x' }))).body.error.conflicts[0].kind, 'deleted')
  })

  test('the revision is named once', async () => {
    const { path, start, ids, made, revision } = await pagesOf('# A\n')
    await made(insert('# B\n'))
    const other = await revision()
    const headers = { 'if-match': `"${other}"` }
    const changes = [update(ids[0], { icon: 'bolt' })]
    const { status, body } = await ada(`POST ${path}`, { changes, revision: start }, headers)
    assert.equal(status, 400)
    assert.match(
      body.error.message,
      new RegExp(`body\\.revision is "${start}", but .+If-Match names "${other}"`),
    )
    assert.equal((await ada(`POST ${path}`, { changes, revision: other }, headers)).status, 200)
  })
})
