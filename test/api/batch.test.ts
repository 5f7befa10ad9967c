/** Batches of changes to content: the effect of each operation. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR42mNk+M9QzwAEjDAGACgQAwFEjZVpAAAAAElFTkSuQmCC',
  'base64',
)
const pictures = createServer((request, response) => {
  const found = request.url === '/a.png'
  response.writeHead(found ? 200 : 404, { 'content-type': 'image/png' }).end(found ? PNG : 'no')
})
await new Promise<void>((done) => void pictures.listen(0, '127.0.0.1', done))
after(() => pictures.close())
const pictureUrl = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`

test('a batch creates one revision of the change request, of the kind "edits"', async () => {
  const { send, spaceId, changeRequest } = await draftOn(world)
  const { status, body } = await send(insert('# One'), insert('# Two'), insert('# Three'))
  assert.equal(status, 200)
  const revision = (await ada(`GET /v1/spaces/${spaceId}/revisions/${body.changeRequest.revision}`)).body
  assert.equal(revision.type, 'edits')
  assert.deepEqual(revision.parents, [changeRequest.revision])
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.revision, changeRequest.revision)
})

test('a batch that changes nothing creates no revision', async () => {
  const { spaceId, changeRequest, revision } = await draftOn(world)
  const base = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}`
  const made = await ada(`POST ${base}/content?compat=false`, { changes: [insert('# One\n\nText.\n')] })
  const { id: page } = made.body.changes[0].page
  const before = await revision()
  for (const fields of [{}, { title: 'One' }, { document: { markdown: '# One\n\nText.\n' } }]) {
    const change = { operation: 'update_page', page, ...fields }
    const { status, body } = await ada(`POST ${base}/content?compat=false`, { changes: [change] })
    assert.equal(status, 200)
    assert.equal(body.changeRequest.revision, before)
    assert.equal(body.changes[0].object, 'updated_page')
  }
  assert.equal(await revision(), before)
})

test('the response is the change request, and with compat=false also the result for each page', async () => {
  const { spaceId, changeRequest, revision } = await draftOn(world)
  const base = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}`
  const plain = await ada(`POST ${base}/content`, { changes: [insert('# One')] })
  assert.deepEqual(plain.body, (await ada(`GET ${base}`)).body)
  assert.equal(plain.body.revision, await revision())

  const sent = await ada(`POST ${base}/content?compat=false`, { changes: [insert('# Two', { ref: 'two' })] })
  assert.deepEqual(Object.keys(sent.body), ['changeRequest', 'revision', 'changes'])
  assert.equal(sent.body.revision, sent.body.changeRequest.revision)
  const [{ object, ref, page }] = sent.body.changes
  assert.deepEqual([object, ref, page.object], ['created_page', 'two', 'page'])
  assert.equal(new URL(page.urls.location).pathname, `${base}/content/page/${page.id}`)
  assert.equal((await ada(`GET ${page.urls.location}`)).body.title, 'Two')
})

test('a page that is not readable as Markdown is stored unchanged and reported by its title', async () => {
  const { spaceId, changeRequest } = await draftOn(world)
  const base = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}`
  const send = (...changes: object[]) => ada(`POST ${base}/content?compat=false`, { changes })
  const costly = `# Costly\n\n${'_a__ '.repeat(100_000)}\n`
  const { status, body } = await send(
    insert('# Fine'),
    insert(costly, { title: 'Costly' }),
    insert(costly, { ref: 'mended' }),
    update('mended', { document: { markdown: '# Mended' } }),
  )
  assert.equal(status, 200)
  const [fine, { page }] = body.changes
  const why = {
    message: 'cannot be read as Markdown and is shown as its source: it would take too long to parse',
    reason: 'shown-as-source',
    parameters: { fault: 'it would take too long to parse', faultReason: 'too-long-to-parse' },
  }
  assert.deepEqual(body.problems, [{ page: page.id, title: 'Costly', ...why }])
  const read = (id: string) => ada(`GET ${base}/content/page/${id}?format=markdown`)
  assert.equal((await read(page.id)).body.markdown, costly)

  const updated = await send(update(fine.page.id, { document: { markdown: costly } }))
  assert.deepEqual(updated.body.problems, [{ page: fine.page.id, title: 'Fine', ...why }])
  const mended = await send(update(fine.page.id, { document: { markdown: '# Fine' } }))
  assert.equal(mended.body.problems, undefined)
  assert.equal((await send({ operation: 'delete_page', page: page.id })).body.problems, undefined)
})

test('the audit log records the change request and its revisions before and after', async () => {
  const { spaceId, changeRequest, revision } = await draftOn(world)
  await ada(`POST /v1/spaces/${spaceId}/change-requests/1/content?compat=false`, {
    changes: [insert('# One')],
  })
  const { items } = (await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=1`)).body
  const { action, target, payload } = (
    await ada(`GET /v1/orgs/${organizationId}/audit-events/${items[0].id}`)
  ).body
  assert.deepEqual(
    [action, target.type, target.id, target.label],
    ['space.change-request.content.update', 'change-request', changeRequest.id, 'A change'],
  )
  assert.deepEqual(
    [payload.before, payload.after],
    [{ revision: changeRequest.revision }, { revision: await revision() }],
  )
})

test('the response lists each changed page once, in the order of their first changes', async () => {
  const { send, made } = await draftOn(world)
  const [one, two, three] = await made(insert('# One'), insert('# Two'), insert('# Three', { into: null }))
  const { body } = await send(
    insert('# New', { ref: 'new' }),
    update(three!, { title: 'III' }),
    insert('# Gone again', { ref: 'gone' }),
    update('new', { emoji: '1f4d8' }),
    { operation: 'delete_page', page: two },
    { operation: 'delete_page', page: 'gone' },
    update(three!, { hidden: true }),
    { operation: 'delete_page', page: three },
    update(one!, { icon: 'bolt' }),
  )
  assert.deepEqual(
    body.changes.map(({ object, page }: { object: string; page: { id: string } | string }) => [
      object,
      typeof page === 'string' ? page : page.id,
    ]),
    [
      ['created_page', body.changes[0].page.id],
      ['deleted_page', three],
      ['deleted_page', two],
      ['updated_page', one],
    ],
  )
})

test('a page is placed below the given parent at the given index, or at the end', async () => {
  const { made, send, tree } = await draftOn(world)
  const [a, b] = await made(
    insert('# A', { ref: 'a' }),
    insert('# B'),
    insert('# A2', { into: 'a' }),
    insert('# A1', { into: 'a', at: 0 }),
    insert('# First', { at: 0 }),
    insert('# A9', { into: 'a', at: 99 }),
  )
  assert.deepEqual(await tree(), ['First', ['A', ['A1', 'A2', 'A9']], 'B'])

  await send(update(b!, { into: a, at: 1 }))
  assert.deepEqual(await tree(), ['First', ['A', ['A1', 'B', 'A2', 'A9']]])
  await send(update(b!, { at: 2 }))
  assert.deepEqual(await tree(), ['First', ['A', ['A1', 'A2', 'B', 'A9']]])
  await send(update(b!, { into: a }))
  assert.deepEqual(await tree(), ['First', ['A', ['A1', 'A2', 'B', 'A9']]], 'it stays where it is')
  await send(update(b!, { into: null }))
  assert.deepEqual(await tree(), ['First', ['A', ['A1', 'A2', 'A9']], 'B'])
  await send(update(b!, { at: 0 }))
  assert.deepEqual(await tree(), ['B', 'First', ['A', ['A1', 'A2', 'A9']]])
})

test('deleting a page deletes its descendants', async () => {
  const { made, send, tree } = await draftOn(world)
  const ids = await made(
    insert('# A', { ref: 'a' }),
    insert('# B', { into: 'a', ref: 'b' }),
    insert('# C', { into: 'b' }),
    insert('# D'),
  )
  const { body } = await send({ operation: 'delete_page', page: ids[0] })
  assert.deepEqual(await tree(), ['D'])
  assert.deepEqual(
    body.changes,
    ids.slice(0, 3).map((page) => ({ object: 'deleted_page', page })),
  )
})

test('the title comes from the Markdown, else from the change, else is "Untitled"', async () => {
  const { made, page } = await draftOn(world)
  const ids = await made(
    insert('# Heading\n\nText', { title: 'Said' }),
    insert('---\ntitle: Front matter\n---\n\nText', { title: 'Said' }),
    insert('Text', { title: 'Said' }),
    insert('Text'),
    { operation: 'insert_page', document: {}, title: 'Empty' },
  )
  const pages = await Promise.all(ids.map((id) => page(id)))
  assert.deepEqual(
    pages.map(({ title, slug }) => [title, slug]),
    [
      ['Heading', 'heading'],
      ['Front matter', 'front-matter'],
      ['Said', 'said'],
      ['Untitled', 'untitled'],
      ['Empty', 'empty'],
    ],
  )
  assert.equal(pages[4].documentId, undefined)
})

test('slugs are made from titles and are unique; title and slug change independently', async () => {
  const { made, send, page } = await draftOn(world)
  const [a, b] = await made(insert('# Set up'), insert('# Set up'), insert('# Robots.txt', { slug: '' }))
  assert.equal((await page(a!)).slug, 'set-up')
  assert.equal((await page(b!)).slug, 'set-up-1')

  await send(update(a!, { title: 'Install' }))
  assert.deepEqual([(await page(a!)).title, (await page(a!)).slug], ['Install', 'set-up'])
  await send(update(a!, { slug: 'installing' }), update(b!, { slug: 'set-up' }))
  assert.deepEqual([(await page(a!)).title, (await page(a!)).slug], ['Install', 'installing'])
  assert.equal((await page(b!)).slug, 'set-up')
  await send(update(a!, { slug: '' }))
  assert.equal((await page(a!)).slug, 'install', 'an empty slug is made from the title')

  const [below] = await made(insert('# Set up', { into: a }))
  await send(update(below!, { into: null }))
  assert.equal((await page(below!)).slug, 'set-up-1', 'where it is taken it gets a number')
})

test('fields of the change are returned, and null removes them', async () => {
  const { made, send, page } = await draftOn(world)
  const said = {
    emoji: '1f4d8',
    icon: 'bolt',
    description: 'About',
    hidden: true,
    noIndex: true,
    noRobotsIndex: true,
    condition: 'visitor.claims.beta == true',
  }
  const [id] = await made(insert('# A', said))
  const fields = async () => {
    const { emoji, icon, description, hidden, noIndex, noRobotsIndex, condition } = await page(id!)
    return { emoji, icon, description, hidden, noIndex, noRobotsIndex, condition }
  }
  assert.deepEqual(await fields(), said)
  const none = { emoji: null, icon: null, description: '', condition: null }
  await send(update(id!, { ...none, hidden: false, noIndex: false, noRobotsIndex: false }))
  assert.deepEqual(new Set(Object.values(await fields())), new Set([undefined]))
})

test('files come from a URL, text or an upload, with their type and dimensions', async () => {
  const { send, made, document } = await draftOn(world)
  const key = new URL(await upload(ada, organizationId, PNG, 'c.png')).pathname.split('/').at(-1)
  const { status, text, body } = await send({
    operation: 'insert_files',
    files: [
      { name: 'a.png', url: `${pictureUrl}/a.png`, ref: 'a' },
      { name: 'b', base64: PNG.toString('base64'), contentType: 'image/png' },
      { name: 'c.png', upload: key },
      { name: 'd.html', base64: Buffer.from('<script>').toString('base64'), contentType: 'text/html' },
    ],
  })
  assert.equal(status, 200, text)
  const files = body.insertedFiles as { id: string; downloadURL: string; [field: string]: unknown }[]
  assert.deepEqual(
    files.map(({ name, contentType, size, dimensions }) => [name, contentType, size, dimensions]),
    [
      ['a.png', 'image/png', PNG.length, { width: 2, height: 3 }],
      ['b', 'image/png', PNG.length, { width: 2, height: 3 }],
      ['c.png', 'image/png', PNG.length, { width: 2, height: 3 }],
      ['d.html', 'text/plain; charset=utf-8', 8, undefined],
    ],
  )
  for (const { downloadURL } of files.slice(0, 3))
    assert.deepEqual(Buffer.from(await (await fetch(downloadURL)).arrayBuffer()), PNG)

  const [id] = await made(insert(`# A\n\n![](/files/${files[1]!.id})`))
  const [{ nodes }] = (await document(id!)).nodes
  assert.deepEqual(nodes[0].data.ref, { kind: 'file', file: files[1]!.id })

  const again = await send({ operation: 'insert_files', files: [{ name: 'c.png', upload: key }] })
  assert.equal(again.status, 400, 'an upload is used up')
})

test('pages of the batch can be linked by name, in any order, and links store ids', async () => {
  const { send, made, document, markdown } = await draftOn(world)
  const { body } = await send(
    insert('# One\n\n[two](./two.md#part) and [one](./one) and ![](./logo) but `[two](./two)`', {
      ref: 'one',
    }),
    insert('# Two\n\n## Part', { ref: 'two', into: 'one' }),
    {
      operation: 'insert_files',
      files: [{ name: 'logo.png', base64: '', contentType: 'image/png', ref: 'logo' }],
    },
  )
  const [one, two] = body.changes.map(({ page }: { page: { id: string } }) => page.id)
  const file = body.insertedFiles[0].id
  assert.equal(
    await markdown(one),
    `# One\n\n[two](/pages/${two}#part) and [one](/pages/${one}) and ![](/files/${file}) but \`[two](./two)\``,
  )
  const refs = JSON.stringify(await document(one)).match(/"ref":\{[^}]*\}/g)
  assert.deepEqual(refs, [
    `"ref":{"kind":"anchor","anchor":"part","page":"${two}"}`,
    `"ref":{"kind":"page","page":"${one}"}`,
    `"ref":{"kind":"file","file":"${file}"}`,
  ])

  const [later] = await made(insert('# Later\n\n[two](./two.md)'))
  assert.equal(await markdown(later!), '# Later\n\n[two](./two.md)', 'names end with their batch')
})

test('a document can also name pages of the batch in URLs or instead of ids', async () => {
  const { send, document } = await draftOn(world)
  const link = (ref: object) => ({
    object: 'inline',
    type: 'link',
    data: { ref },
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [] }] }],
  })
  const nodes = [link({ kind: 'url', url: './two.md#x' }), link({ kind: 'page', page: 'two' })]
  const paragraph = { object: 'block', type: 'paragraph', data: {}, nodes }
  const { body } = await send(
    {
      operation: 'insert_page',
      title: 'A',
      document: { document: { object: 'document', data: {}, nodes: [paragraph] } },
    },
    insert('# Two', { ref: 'two' }),
  )
  const [one, two] = body.changes.map(({ page }: { page: { id: string } }) => page.id)
  assert.deepEqual(JSON.stringify(await document(one)).match(/"ref":\{[^}]*\}/g), [
    `"ref":{"kind":"anchor","anchor":"x","page":"${two}"}`,
    `"ref":{"kind":"page","page":"${two}"}`,
  ])
})

test('links resolve by id, by path, by file and relative to the page; the source is unchanged', async () => {
  const { made, document, markdown } = await draftOn(world)
  const [guide, setup] = await made(
    insert('# Guide', { ref: 'guide' }),
    insert('# Set up', { into: 'guide' }),
  )
  const addresses = {
    [`/pages/${setup}`]: setup,
    '/pages/guide/set-up': setup,
    '/pages/guide/set-up.md': setup,
    '/pages/guide/README.md': guide,
    '/pages/Guide': guide,
    'set-up.md': setup,
    '../guide.md': guide,
    '../guide/README.md': guide,
    'gone.md': undefined,
  }
  const source = `# Links\n\n${Object.keys(addresses)
    .map((address) => `[a](${address}#x)`)
    .join(' ')} [out](https://example.com/) ![](data:image/png;base64,AAAA)`
  const [id] = await made(insert(source, { into: guide }))
  assert.equal(await markdown(id!), source)
  const found = JSON.stringify(await document(id!)).match(/"page":"[^"]*"|"url":"[^"]*"/g)
  assert.deepEqual(found, [
    ...Object.values(addresses).map((page) => (page ? `"page":"${page}"` : '"url":"gone.md#x"')),
    '"url":"https://example.com/"',
    '"url":"data:image/png;base64,AAAA"',
  ])
})

test('links relative to the old place of a page still work after the page or its target moves', async () => {
  const { made, send, document } = await draftOn(world)
  const [guide, setup, other] = await made(
    insert('# Guide', { ref: 'guide' }),
    insert('# Set up\n\n[next](use.md)', { into: 'guide' }),
    insert('# Use', { into: 'guide' }),
  )
  const target = async () => JSON.stringify(await document(setup!)).match(/"page":"([^"]*)"/)?.[1]
  assert.equal(await target(), other)
  await send(update(setup!, { into: null, slug: 'elsewhere' }), update(other!, { slug: 'using', into: null }))
  await send({ operation: 'delete_page', page: guide })
  assert.equal(await target(), other)
})

test('a cover stores the id of its file', async () => {
  const { send, page } = await draftOn(world)
  const { body } = await send(insert('---\ncover: ./logo\ncoverY: 4\n---\n\n# A'), {
    operation: 'insert_files',
    files: [{ name: 'logo.png', base64: '', contentType: 'image/png', ref: 'logo' }],
  })
  const { cover } = await page(body.changes[0].page.id)
  assert.deepEqual(cover, { ref: { kind: 'file', file: body.insertedFiles[0].id }, yPos: 4 })
})

test('imported pages can be changed, and keep the fields that the change omits', async () => {
  const { spaceId } = await spaceWith(
    world,
    archiveOf({
      'SUMMARY.md':
        '# Summary\n\n* [Home](README.md)\n\n## Part\n\n* [Page](page.md)\n* [Out](https://example.com)\n',
      'README.md': '# Home\n',
      'page.md': '---\ndescription: Before\nlast_reviewed: never\n---\n\n# Page\n\n[home](README.md)\n',
    }),
  )
  const { send, markdown, tree } = await draftOn(world, spaceId)
  const [, group] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
  const [page, link] = group.pages

  assert.equal((await send(update(page.id, { description: 'After', title: 'Renamed' }))).status, 200)
  assert.equal(
    await markdown(page.id),
    '---\ndescription: After\nlast_reviewed: never\n---\n\n# Renamed\n\n[home](README.md)\n',
  )
  await send(update(group.id, { title: 'Chapter' }), update(link.id, { title: 'Elsewhere', at: 0 }))
  assert.deepEqual(await tree(), ['Home', ['Chapter', ['Elsewhere', 'Renamed']]])
})
