/** The fields of a page that a batch sets beside its body, and how they agree with its front matter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const DEFAULTS = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
}
const picture = { name: 'a.png', contentType: 'image/png', base64: 'AAAA', ref: 'picture' }
const FIELDS = {
  linkTitle: 'Short',
  layout: {
    width: 'wide',
    cover: false,
    coverSize: 'full',
    coverMask: 'radial',
    outline: false,
    tags: false,
    anchors: false,
  },
  cover: { ref: { kind: 'url', url: 'https://example.com/a.png' }, yPos: -20, height: 300 },
  tags: [{ tag: 'new', primary: true }, { tag: 'beta' }],
  variables: { plan: 'free', seats: 3, trial: false },
}
/** The fields as the page has them. */
const shownTag = (tag: string, more: object = {}) => ({ tag: { kind: 'tag', tag }, ...more })
const SHOWN = {
  ...FIELDS,
  layout: { ...DEFAULTS, ...FIELDS.layout },
  tags: [shownTag('new', { primary: true }), shownTag('beta')],
}
const fieldsOf = (page: object) =>
  Object.fromEntries(Object.keys(FIELDS).map((name) => [name, (page as Record<string, unknown>)[name]]))

test('a page has the fields that it was inserted or updated with, and sending them back changes nothing', async () => {
  const { made, send, page, revision, spaceId, changeRequest } = await draftOn(world)
  const [first, second] = await made(insert('# One', FIELDS), insert('# Two'))
  assert.deepEqual(fieldsOf(await page(first!)), SHOWN)
  const { tags } = (await ada(`GET /v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content`)).body
  assert.deepEqual(
    tags,
    ['beta', 'new'].map((name) => ({ slug: name, label: name, color: 'default' })),
  )
  assert.equal((await send(update(second!, FIELDS))).status, 200)
  assert.deepEqual(fieldsOf(await page(second!)), SHOWN)

  const before = await revision()
  assert.equal(
    (await send(update(first!, SHOWN), update(second!, fieldsOf(await page(second!))))).status,
    200,
  )
  assert.deepEqual(fieldsOf(await page(first!)), SHOWN)
  // The page now sets what it had by default, which readers cannot tell apart.
  const again = await revision()
  assert.notEqual(again, before)
  await send(update(first!, SHOWN))
  assert.equal(await revision(), again)
})

test('a layout keeps the settings that are not sent; null and empty values clear a field', async () => {
  const { made, send, page } = await draftOn(world)
  const [id] = await made(insert('# One', FIELDS))
  await send(update(id!, { layout: { title: false } }))
  assert.deepEqual((await page(id!)).layout, { ...SHOWN.layout, title: false })
  const cleared = { linkTitle: null, layout: null, cover: null, tags: [], variables: {} }
  assert.equal((await send(update(id!, cleared))).status, 200)
  assert.deepEqual(fieldsOf(await page(id!)), {
    linkTitle: undefined,
    layout: DEFAULTS,
    cover: undefined,
    tags: [],
    variables: undefined,
  })
})

test('front matter that has a field gets the new value, and other front matter does not change', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const head = 'layout:\n  outline:\n    visible: false\ncover: https://example.com/old.png\ncoverY: 5\n'
  const [id] = await made(
    insert(`---\n${head}tags:\n  - old\nvars:\n  plan: free\nother: kept\n---\n\n# One\n`),
  )
  const fields = {
    layout: { width: 'wide' },
    cover: { ref: { kind: 'url', url: 'https://example.com/new.png' }, yPos: 0 },
    tags: [{ tag: 'new', primary: true }],
    variables: { plan: '10' },
  }
  await send(update(id!, fields))
  assert.equal(
    await markdown(id!),
    `---
layout:
  width: wide
  outline:
    visible: false
cover: https://example.com/new.png
coverY: 0
tags:
  - tag: new
    primary: true
vars:
  plan: "10"
other: kept
---

# One
`,
  )
  const { layout, cover, tags, variables } = await page(id!)
  const kept = { ...DEFAULTS, width: 'wide', outline: false }
  assert.deepEqual(
    { layout, cover, tags, variables },
    {
      ...fields,
      layout: kept,
      tags: [shownTag('new', { primary: true })],
    },
  )

  await send(update(id!, { cover: null, layout: null, tags: null, variables: null }))
  assert.equal(await markdown(id!), '---\nother: kept\n---\n\n# One\n')
})

test('a cover can be a file of the same batch, and sending it back keeps the front matter as written', async () => {
  const { made, page } = await draftOn(world)
  const files = { operation: 'insert_files', files: [picture] }
  const cover = { ref: { kind: 'file', file: 'picture' }, refDark: { kind: 'url', url: './picture' } }
  const [id] = await made(files, insert('# One', { cover }))
  const { ref, refDark, yPos } = (await page(id!)).cover
  assert.deepEqual([ref.kind, yPos], ['file', 0])
  assert.deepEqual(refDark, ref)
  assert.notEqual(ref.file, 'picture')

  const imported = await spaceWith(
    world,
    archiveOf({ 'README.md': '---\ncover: ./a.png\ncoverY: 0\n---\n\n# Home\n', 'a.png': 'bytes' }),
  )
  const draft = await draftOn(world, imported.spaceId)
  const [home] = (await ada(`GET /v1/spaces/${imported.spaceId}/content/pages`)).body.pages
  assert.equal(home.cover.ref.kind, 'file')
  const before = await draft.revision()
  await draft.send(update(home.id, { cover: home.cover }))
  assert.equal(await draft.revision(), before)
  await draft.send(update(home.id, { cover: { ...home.cover, yPos: 7 } }))
  assert.match(await draft.markdown(home.id), /coverY: 7/)
  assert.deepEqual((await draft.page(home.id)).cover, { ...home.cover, yPos: 7 })
})

test('fields merge with those that others changed, and revert_page restores them', async () => {
  const { made, spaceId, changeRequest } = await draftOn(world)
  const [id] = await made(insert('# One', FIELDS))
  const merged = await ada(`POST /v1/spaces/${spaceId}/change-requests/${changeRequest.id}/merge`)
  assert.equal(merged.status, 200, merged.text)

  const [left, right] = [await draftOn(world, spaceId), await draftOn(world, spaceId)]
  await left.send(update(id!, { tags: [{ tag: 'left' }] }))
  await right.send(update(id!, { variables: { side: 'right' } }))
  for (const { changeRequest: one } of [left, right]) {
    const answer = await ada(`POST /v1/spaces/${spaceId}/change-requests/${one.id}/merge`)
    assert.equal(answer.body.result, 'merge', answer.text)
  }
  const now = (await ada(`GET /v1/spaces/${spaceId}/content/page/${id}`)).body
  assert.deepEqual(fieldsOf(now), { ...SHOWN, tags: [shownTag('left')], variables: { side: 'right' } })

  const back = await draftOn(world, spaceId)
  await back.send(update(id!, { layout: null, cover: null, linkTitle: null }))
  await back.send({ operation: 'revert_page', page: id })
  assert.deepEqual(fieldsOf(await back.page(id!)), fieldsOf(now))
})

test('each field has rules, and the error names it', async () => {
  const { made, send } = await draftOn(world)
  const [id] = await made(insert('# One'))
  const refused: [object, string][] = [
    [{ layout: { width: 'huge' } }, 'layout.width'],
    [{ layout: { outline: 'no' } }, 'layout.outline'],
    [{ layout: { nope: true } }, 'layout'],
    [{ cover: {} }, 'cover'],
    [{ cover: { ref: { kind: 'file', file: 'nothing' } } }, 'cover'],
    [{ cover: { ref: { kind: 'page', page: id } } }, 'cover'],
    [{ cover: { ref: { kind: 'file' } } }, 'cover'],
    [{ cover: { ref: { kind: 'url', url: 'javascript:alert(1)' } } }, 'cover'],
    [{ cover: { ref: { kind: 'url', url: `https://example.com/${'a'.repeat(2100)}` } } }, 'cover'],
    [{ cover: { ref: { kind: 'url', url: 'https://example.com/' }, height: 0 } }, 'cover.height'],
    [{ tags: [{ tag: ' ' }] }, 'tags'],
    [{ tags: ['new'] }, 'tags.0'],
    [{ tags: Array.from({ length: 101 }, () => ({ tag: 'a' })) }, 'tags'],
    [{ variables: { '1a': 'a' } }, 'variables'],
    [{ variables: { a: 'a'.repeat(257) } }, 'variables.a'],
    [{ variables: { a: null } }, 'variables.a'],
    [{ linkTitle: 'a'.repeat(1001) }, 'linkTitle'],
    [{ target: { kind: 'url', url: 'https://example.com' } }, 'target'],
  ]
  for (const [fields, field] of refused) {
    const { status, body } = await send(insert('# Two'), update(id!, fields))
    assert.equal(status, 400, JSON.stringify(fields))
    assert.equal(body.error.details[0].path, `body.changes.1.${field}`, body.error.message)
  }
})

test('messages about fields name what is wrong', async () => {
  const { made, send } = await draftOn(world)
  const [id] = await made(insert('# One'))
  const messageOf = async (change: object) => {
    const { status, body } = await send(change)
    assert.equal(status, 400, JSON.stringify(change))
    return body.error.message as string
  }
  const onPage = (fields: object) => messageOf(update(id!, fields))
  assert.match(
    await onPage({ variables: { fine: 1, '1x': 1 } }),
    /variables: has the name "1x", which must be/,
  )
  assert.match(await onPage({ layout: { nope: true } }), /layout: has no setting "nope"/)
  assert.match(
    await onPage({ cover: { refDark: { kind: 'file', file: 'nothing' } } }),
    /cover: "refDark" must be a file of this content, but was "nothing"/,
  )
  assert.match(
    await onPage({ document: { blocks: [{ keep: 1 }] } }),
    /document\.blocks\.0\.keep: must be a text: the key/,
  )
  assert.match(
    await messageOf({ operation: 'insert_group', title: 'Part', document: { markdown: '# One' } }),
    /document: a group page has none/,
  )
  const redirects = (path: string, url: string) => ({
    operation: 'update_redirects',
    redirects: { [path]: { kind: 'url', url } },
  })
  assert.match(
    await messageOf(redirects('a', 'javascript:1')),
    /redirects\.a: must be a page of the space, or a URL with http or https/,
  )
  assert.match(
    await messageOf(redirects('../x', 'https://example.com')),
    /"\.\.\/x" must be a path from the root/,
  )
  const known = await send(update(id!, { layout: { nope: true, outline: false } }))
  assert.equal(known.status, 200, 'newer clients keep working')
})

test('a change that is based on a revision keeps other settings of the layout that others have changed', async () => {
  const { made, page, revision, spaceId, changeRequest } = await draftOn(world)
  const [id] = await made(insert('# One', FIELDS))
  const base = await revision()
  const send = (fields: object, based?: string) =>
    ada(`POST /v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content?compat=false`, {
      changes: [update(id!, fields)],
      ...(based && { revision: based }),
    })
  await send({ layout: { outline: true, width: 'default' }, tags: null })
  assert.equal((await send({ layout: { title: false }, cover: null }, base)).status, 200)
  const { layout, cover, tags } = await page(id!)
  assert.deepEqual(layout, { ...SHOWN.layout, outline: true, width: 'default', title: false })
  assert.deepEqual([cover, tags], [undefined, []])

  const refused = await send({ layout: { title: true, outline: false }, tags: [{ tag: 'mine' }] }, base)
  assert.equal(refused.status, 409)
  assert.deepEqual(
    refused.body.error.conflicts.map(({ field }: { field: string }) => field),
    ['tags'],
  )
})
