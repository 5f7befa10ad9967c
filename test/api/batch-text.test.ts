/** Batches keep the source of pages byte for byte, and keep their fields in step with the source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePage } from '../../src/core/document/parse.ts'
import { draftOn, insert, update } from '../batches.ts'
import { CORPORA, corpusPages, pagesToTry, withoutCorpora } from '../corpus.ts'
import { firstOf } from '../effort.ts'
import { anyDocument } from '../core/documents.ts'
import { normal } from '../../src/core/document/normal-form.ts'
import { isLongRun } from '../effort.ts'
import { samplesOf } from '../property.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

for (const corpus of CORPORA) {
  test(
    `every page of ${corpus} that is inserted is read back byte for byte`,
    { skip: withoutCorpora },
    async () => {
      const { made, spaceId, revision } = await draftOn(world)
      const sources = pagesToTry(corpus, 2).flatMap(([, source]) => (source.includes('\0') ? [] : [source]))
      assert(sources.length > 10)
      for (const batch of batchesOf(sources)) {
        const ids = await made(...batch.map((source) => insert(source)))
        const newest = await revision()
        for (const [i, id] of ids.entries()) {
          const { body } = await world.ada(
            `GET /v1/spaces/${spaceId}/revisions/${newest}/page/${id}?format=markdown`,
          )
          assert.equal(body.markdown, batch[i])
        }
      }
    },
  )
}

/** So few pages that a busy machine reads them in the time that a batch has. */
const AT_ONCE = 8

function batchesOf<T>(pages: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(pages.length / AT_ONCE) }, (_, i) =>
    pages.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  )
}

test('sending back the Markdown of a page unchanged changes nothing, whatever its front matter', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const sources = [
    '# Heading\n\nText\n',
    'Text without a title\n',
    '---\ntitle: T\ndescription: >-\n  D\nicon: bolt\nhidden: true\nunknown: 1\ncover: https://example.com/a.png\ncoverY: 0\n---\n\n# H\n\nText',
    '---\nif: visitor.claims.a == true\ntags:\n  - a\nvars:\n  x: 1\n---\nText',
  ]
  for (const source of sources) {
    const [id] = await made(insert(source, { title: 'Said', description: 'Said', emoji: '1f4d8' }))
    const before = await page(id!)
    await send(update(id!, { document: { markdown: await markdown(id!) } }))
    assert.deepEqual(await page(id!), before)
    assert.equal(await markdown(id!), source)
  }
})

test('changing a title or field that is in the source changes only its bytes', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const [id] = await made(
    insert(
      '---\ndescription: "Before"   # why\nlayout: {}\nhidden: true\nif: 1 == 1\n---\n\n#  Old *title* #\n\nText  \n',
    ),
  )
  await send(update(id!, { title: 'New_title', description: 'After', hidden: false, condition: '2 == 2' }))
  assert.equal(
    await markdown(id!),
    '---\ndescription: After\nlayout: {}\nif: 2 == 2\n---\n\n#  New\\_title #\n\nText  \n',
  )
  const { title, description, hidden, condition } = await page(id!)
  assert.deepEqual([title, description, hidden, condition], ['New_title', 'After', undefined, '2 == 2'])
})

test('what a condition in the title hides stays hidden under a new title, and in a new body', async () => {
  const { made, send, markdown, document } = await draftOn(world)
  const source = '# Plans {% if visitor.claims.gold == true %}\n\nSecret\n\nOther\n\n{% endif %}\n\nSeen\n'
  const [id] = await made(insert(source))
  await send(update(id!, { title: 'Prices' }))
  assert.equal(await markdown(id!), source.replace('Plans', 'Prices'))

  const { nodes } = await document(id!)
  const changed = JSON.parse(JSON.stringify(nodes).replace('Secret', 'Secrets'))
  await send(update(id!, { document: { document: { object: 'document', data: {}, nodes: changed } } }))
  const after = await document(id!)
  assert.deepEqual(
    after.nodes.map(({ type }: { type: string }) => type),
    ['if', 'paragraph'],
  )
  assert.deepEqual(
    after.nodes[0].nodes.map(({ type }: { type: string }) => type),
    ['paragraph', 'paragraph'],
    await markdown(id!),
  )
})

test('a title or field that is not in the source is stored separately', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const [id] = await made(insert('Text\n', { title: 'A' }))
  await send(update(id!, { title: 'B', description: 'D', icon: 'bolt' }))
  assert.equal(await markdown(id!), 'Text\n')
  const { title, description, icon } = await page(id!)
  assert.deepEqual([title, description, icon], ['B', 'D', 'bolt'])
})

test('an icon and the address of a cover cannot have a condition', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const [id] = await made(insert('---\nicon: a\ncover: https://example.com/a.png\n---\n\nText\n'))
  const [before, source] = [await page(id!), await markdown(id!)]
  for (const tag of ['{% if a %', '{% if visitor.claims.a %}', '{% if a %}b{% endif %}']) {
    const url = `https://example.com/${tag}c.png`
    for (const [fields, field] of [
      [{ icon: `x${tag}y` }, 'icon'],
      [{ cover: { ref: { kind: 'url', url } } }, 'cover'],
      [{ cover: { ref: { kind: 'url', url: 'a.png' }, refDark: { kind: 'url', url } } }, 'cover'],
    ] as const) {
      const answer = await send(update(id!, fields))
      assert.equal(answer.status, 400, field)
      assert.match(JSON.stringify(answer.body), new RegExp(`${field}.*cannot have a condition`))
    }
  }
  assert.deepEqual([await page(id!), await markdown(id!)], [before, source])
})

test('the record and the source always have the same title', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const ids = await made(insert('# A\n\nText'), insert('---\ntitle: A\ndescription: A\nicon: a\n---\n\nText'))
  const words = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '' && !text.includes('\0') && text.isWellFormed())
  const all = samplesOf(words, isLongRun() ? 80 : 40)
  const [samples, more] = [all.slice(0, all.length / 2), all.slice(all.length / 2)]
  const hard = [
    '# x',
    '---',
    '`a',
    '[a](b)',
    '<b>',
    '{% if a %}',
    '1. a',
    '&amp;',
    '\\',
    '*a*',
    ': a',
    'a: b',
    "'",
    '""',
    '~',
    'null',
    'true',
    '1.0',
  ]
  for (const [i, title] of [...samples, ...hard].entries()) {
    const about = [...more, ...hard][i]!
    const answer = await send(
      ...ids.map((id) => update(id, { title, description: about, icon: about.slice(0, 9) })),
    )
    if (answer.status === 400) continue
    for (const id of ids) {
      const [shown, read] = [await page(id), parsePage(await markdown(id))]
      assert.equal(shown.title, read.title, title)
      const { description, icon } = read.meta
      if (id === ids[1]) assert.deepEqual([shown.description, shown.icon], [description, icon], about)
    }
  }
})

test('a new body without front matter keeps the other fields', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const [id] = await made(insert('---\ndescription: D\ntags:\n  - a\n---\n\n# A\n\nText'))
  await send(update(id!, { document: { markdown: 'Other text' } }))
  const { title, description, tags } = await page(id!)
  assert.deepEqual([title, description, tags], ['A', 'D', [{ tag: { kind: 'tag', tag: 'a' } }]])
  assert.equal(await markdown(id!), 'Other text')
})

test('a new body with front matter replaces or removes the fields of the old front matter', async () => {
  const { made, send, page } = await draftOn(world)
  const [id] = await made(
    insert('---\ndescription: D\nicon: bolt\ntags:\n  - a\n---\n\n# A\n\nText', {
      emoji: '1f4d8',
      noIndex: true,
    }),
  )
  await send(update(id!, { document: { markdown: '---\nicon: star\n---\n\nText' } }))
  const { title, description, tags, icon, emoji, noIndex } = await page(id!)
  assert.deepEqual([title, description, tags, icon], ['A', undefined, [], 'star'])
  assert.deepEqual([emoji, noIndex], ['1f4d8', true], 'what front matter did not say stays')
})

test('fields of the change take precedence over the front matter of the new body and are written there', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const [id] = await made(insert('# A'))
  await send(update(id!, { title: 'Said', document: { markdown: '# Heading\n\nText' } }))
  assert.equal((await page(id!)).title, 'Said')
  assert.equal(await markdown(id!), '# Said\n\nText')
})

const documentOf = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
})

test('a document replaces the blocks and keeps front matter and title byte for byte', async () => {
  const { made, send, markdown } = await draftOn(world)
  const [id, bare] = await made(
    insert('---\nunknown: 1 # x\n---\n\n#  A\n\n\nText\n\n* a\n'),
    insert('Text', { title: 'B' }),
  )
  await send(
    update(id!, { document: { document: documentOf('New *text*') } }),
    update(bare!, { document: { document: documentOf('New') } }),
  )
  assert.equal(await markdown(id!), '---\nunknown: 1 # x\n---\n\n#  A\n\n\nNew \\*text\\*\n')
  assert.equal(await markdown(bare!), 'New')
})

test('any document is returned as it was sent', async () => {
  const { made, document, page } = await draftOn(world)
  const documents = samplesOf(anyDocument, isLongRun() ? 40 : 20)
  const pages = documents.map((one, i) => ({
    operation: 'insert_page',
    title: `T ${i}`,
    document: { document: one },
  }))
  const ids: string[] = []
  for (const batch of batchesOf(pages)) ids.push(...(await made(...batch)))
  assert.equal(ids.length, documents.length)
  for (const [i, id] of ids.entries()) {
    assert.deepEqual(withoutAddresses(await document(id)), withoutAddresses(documents[i]!))
    assert.equal((await page(id)).title, `T ${i}`)
  }
})

/** Resolves references without a target to nothing, because responses add fields to void blocks. */
function withoutAddresses(document: object): unknown {
  const text = JSON.stringify(normal(document as never), (key, value: unknown) => {
    if (key === 'isVoid' || (key === 'fragments' && (value as []).length === 0)) return undefined
    return key === 'ref' ||
      key === 'refDark' ||
      (typeof value === 'object' && value !== null && 'kind' in value && 'url' in value)
      ? ''
      : value
  })
  return JSON.parse(text)
}

test('a returned document can be sent back', { skip: withoutCorpora }, async () => {
  const { made, send, document } = await draftOn(world)
  const sources = [...corpusPages('elsa-docs').values()].filter((_, i) => i % 8 === 0).slice(0, 25)
  const ids: string[] = []
  for (const batch of batchesOf(firstOf(sources, 8)))
    ids.push(...(await made(...batch.map((source) => insert(source)))))
  for (const id of ids) {
    const before = await document(id)
    const answer = await send(update(id, { document: { document: before } }))
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(normal(await document(id)), normal(before))
  }
})

test('an empty body empties the page and keeps the fields from its front matter', async () => {
  const { made, send, page, markdown } = await draftOn(world)
  const [a, b] = await made(insert('# A\n\nText'), insert('---\ntitle: Old\nunknown: 1\n---\n\n# B\n\nText'))
  await send(update(a!, { document: {} }), update(b!, { document: {} }))
  const empty = await page(a!)
  assert.deepEqual([empty.title, empty.documentId, await markdown(a!)], ['A', undefined, ''])
  assert.equal((await page(b!)).title, 'B')
  assert.equal(await markdown(b!), '---\ntitle: B\nunknown: 1\n---\n')
})

test('a change without effect leaves the page and its date unchanged', async () => {
  const { made, send, page } = await draftOn(world)
  const [id] = await made(insert('# A\n\nText', { description: 'D' }))
  const before = await page(id!)
  const answer = await send(
    update(id!, { title: 'A', description: 'D', document: { markdown: '# A\n\nText' } }),
  )
  assert.equal(answer.status, 200)
  assert.deepEqual(await page(id!), before)
})

test('what looks like a condition and is none is reported with its line', async () => {
  const { changeRequest, spaceId } = await draftOn(world)
  const base = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}`
  const { status, body } = await world.ada(`POST ${base}/content?compat=false`, {
    changes: [insert('# T\n\n`{% IF a %}`\n\n{% IF a %}\n\nb\n\n{% endif %}\n', { title: 'T' })],
  })
  assert.equal(status, 200)
  assert.equal(body.problems.length, 1)
  const [{ line, message, reason, parameters }] = body.problems
  assert.match(message, /^"\{% IF a %\}" is no condition, .* hidden from everybody/)
  assert.deepEqual([line, reason, parameters], [5, 'condition-lookalike', { tag: '"{% IF a %}"' }])

  const [{ page }] = body.changes
  const inner = { object: 'block', type: 'paragraph', nodes: [] }
  const block = { object: 'block', type: 'if', data: { expression: 'a b' }, nodes: [inner] }
  const markdown = 'a\n\n{%- if a -%}\n\nb\n'
  const others = await world.ada(`POST ${base}/content?compat=false`, {
    changes: [
      { operation: 'update_page', page: page.id, document: { blocks: [block] } },
      insert('', { title: 'Blocks', document: { document: { object: 'document', nodes: [block] } } }),
      { operation: 'insert_reusable_content', title: 'Part', document: { markdown } },
    ],
  })
  assert.equal(others.status, 200, others.text)
  const [updated, inserted, reusable] = others.body.problems
  assert.equal(others.body.problems.length, 3)
  assert.deepEqual([updated.page, updated.title], [page.id, 'T'])
  assert.equal(updated.line, 3)
  assert.match(updated.message, /^"\{% if a b %\}" is not a valid condition/)
  assert.equal(inserted.title, 'Blocks')
  assert.equal(inserted.line, undefined, 'a document has no lines')
  assert.match(inserted.message, /^"\{% if a b %\}" is not a valid condition/)
  const made = others.body.changes.find(({ object }: { object: string }) =>
    object.endsWith('_reusable_content'),
  )
  assert.deepEqual([reusable.reusableContent, reusable.page], [made.reusableContent.id, undefined])
  assert.equal(reusable.line, 3)
  assert.match(reusable.message, /^"\{%- if a -%\}" is no condition/)
})
