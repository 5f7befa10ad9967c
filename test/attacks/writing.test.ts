/** Large content that is sent, merged and read through the API, and what others notice of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun, firstOf } from '../effort.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const { ada, organizationId } = world
const size = isLongRun() ? 800_000 : 40_000

const fill = (text: string, most = size) => text.repeat(Math.floor(most / text.length))
const table = `${'| a '.repeat(10)}|\n${'|---'.repeat(10)}|\n${`${'| 1 '.repeat(10)}|\n`.repeat(20)}\n`
const BODIES: Record<string, string> = {
  tables: fill(table),
  headings: fill('## Heading\n\n'),
  links: fill('[a](b) '),
}

async function newSpace(): Promise<string> {
  return (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Large', editMode: 'live' })).body.id
}

const insert = (markdown: string) => ({ operation: 'insert_page', document: { markdown } })

for (const [name, markdown] of firstOf(Object.entries(BODIES), 1))
  test(`a batch of ${name} holds nobody up, and neither does its document`, async () => {
    const spaceId = await newSpace()
    const written = await longestHold(() =>
      ada(`POST /v1/spaces/${spaceId}/content?compat=false`, {
        changes: [insert(markdown), insert(markdown)],
      }),
    )
    if (written.value.status !== 200) {
      // A limit of content may refuse it, with a reason.
      assert.equal(written.value.status, 400)
      assert.match(written.value.text, /the limit is|too long/)
    }
    assert(written.ms < LONGEST_HOLD_MS, `writing held for ${written.ms} ms`)
    const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
    if (pages.length === 0) return
    const address = `${world.url}/v1/spaces/${spaceId}/content/page/${pages[0].id}`
    const read = await longestHold(async () => {
      const answer = await fetch(address, { headers: { authorization: `Bearer ${ada.token}` } })
      // Parsing it would count too, because the client is in the same thread.
      return (await answer.arrayBuffer()).byteLength
    })
    assert(read.value > markdown.length)
    assert(read.ms < LONGEST_HOLD_MS, `reading held for ${read.ms} ms`)
  })

test('a merge of two rewritten pages holds nobody up', async () => {
  const spaceId = await newSpace()
  const paragraphs = Math.floor(size / 60)
  const text = (side: string) =>
    Array.from({ length: paragraphs }, (_, index) => `Paragraph ${index} of ${side} ${index * 7}`).join(
      '\n\n',
    )
  await ada(`POST /v1/spaces/${spaceId}/content`, { changes: [insert(text('base'))] })
  const [{ id: page }] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
  const update = (side: string) => ({
    changes: [{ operation: 'update_page', page, document: { markdown: text(side) } }],
  })
  const change = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Own' })).body
  const base = `/v1/spaces/${spaceId}/change-requests/${change.id}`
  await ada(`POST ${base}/content`, update('own'))
  await ada(`POST /v1/spaces/${spaceId}/content`, update('primary'))

  const { ms, value } = await longestHold(() => ada(`POST ${base}/merge`))
  assert.equal(value.status, 200, value.text)
  assert.equal(value.body.result, 'conflicts')
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})

/** The last has too many levels as JSON already. Each block has two or four of them. */
const DEPTHS: readonly [depth: number, fault: RegExp][] = [
  [100, /nested deeper than 24 levels/],
  [200, /nested deeper than 24 levels/],
  [2000, /more than 1000 levels/],
]

test('a document that is nested more deeply than a thread can receive is refused with a reason', async () => {
  const spaceId = await newSpace()
  const paragraph = { object: 'block', type: 'paragraph', data: {}, nodes: [] }
  const inside = (depth: number, wrap: (block: object) => object) => {
    let block: object = paragraph
    for (let level = 0; level < depth; level++) block = wrap(block)
    return block
  }
  const block = (type: string, data: object, nodes: object[]) => ({ object: 'block', type, data, nodes })
  const wraps: ((inner: object) => object)[] = [
    (inner) => block('blockquote', {}, [inner]),
    (inner) => block('hint', { style: 'info' }, [inner]),
    (inner) => block('if', { expression: 'true' }, [inner]),
    (inner) => block('list-unordered', {}, [block('list-item', {}, [inner])]),
  ]
  const send = (node: object) =>
    ada(`POST /v1/spaces/${spaceId}/content`, {
      changes: [
        {
          operation: 'insert_page',
          title: 'Deep',
          document: { document: { object: 'document', data: {}, nodes: [node] } },
        },
      ],
    })
  for (const wrap of wraps)
    for (const [depth, fault] of DEPTHS) {
      const { status, text } = await send(inside(depth, wrap))
      assert.equal(status, 400, text)
      assert.match(text, fault)
    }
  const props = inside(2000, (inner) => ({ inner }))
  const deep = { object: 'block', type: 'integration', data: { integration: 'a', block: 'b', props } }
  assert.equal((await send(deep)).status, 400)
})
