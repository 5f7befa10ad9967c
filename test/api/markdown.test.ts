/** Markdown that a client converts to blocks, and that no page has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body
const convert = (markdown: unknown, form?: string) =>
  ada(`POST /v1/spaces/${space.id}/content/markdown`, { markdown, ...(form === undefined ? {} : { form }) })
const typesOf = async (markdown: string) =>
  (await convert(markdown)).body.nodes.map(({ type }: { type: string }) => type)

test('Markdown becomes blocks, in which the first heading is no title', async () => {
  const before = (await ada(`GET /v1/spaces/${space.id}/content`)).body.id
  const { status, body } = await convert(
    '# Part\n\n* [x] done\n\n{% hint style="info" %}\nNote\n{% endhint %}\n',
  )
  assert.deepEqual([status, body.object], [200, 'document'])
  assert.deepEqual(
    body.nodes.map(({ type }: { type: string }) => type),
    ['heading-1', 'list-tasks', 'hint'],
  )
  // Front matter belongs to pages.
  assert.deepEqual(await typesOf('---\ntitle: x\n---\n\nText\n'), ['divider', 'heading-1', 'paragraph'])
  assert.equal((await ada(`GET /v1/spaces/${space.id}/content`)).body.id, before, 'nothing is stored')
})

test('a document becomes the Markdown that a page would store', async () => {
  const print = (document: unknown) => ada(`POST /v1/spaces/${space.id}/content/document`, { document })
  const source = '## Part\n\n* [x] done\n\nRead [this](/pages/abc) and **that**.\n'
  const { nodes } = (await convert(source)).body
  const { status, body } = await print({ object: 'document', data: {}, nodes })
  assert.deepEqual([status, body], [200, { markdown: source }])
  const long = await convert('A *long* text.\n\n'.repeat(2000))
  assert.equal((await print(long.body)).body.markdown.split('_long_').length, 2001)
  assert.equal((await print({ object: 'document', data: {}, nodes: [{ type: 'x' }] })).status, 400)
})

test('conditions that hide something from everybody are reported with their lines', async () => {
  const hidden = /^.*hidden from everybody/
  const problems = async (markdown: string, form?: string) => {
    const { status, body } = await convert(markdown, form)
    assert.equal(status, 200)
    return body.problems?.map(({ line, message }: { line: number; message: string }) => {
      assert.match(message, hidden)
      return line
    })
  }
  const page = '---\ntitle: "{% if a %}x"\n---\n\n# T\n\na {%- if a -%} b\n\n{% unless a %}\n\nc\n'
  assert.deepEqual(await problems(page, 'page'), [2, 7, 9])
  assert.deepEqual((await problems(page)).slice(-2), [7, 9])
  for (const form of ['part', 'page'])
    assert.equal(
      await problems('`{%- if a -%}`\n\n{% if visitor.claims.a %}\n\nb\n\n{% endif %}\n', form),
      undefined,
    )
  assert.equal((await convert(page, 'book')).status, 400)
})

test('any text is converted, however large or hostile', async () => {
  assert.deepEqual((await convert('')).body.nodes.length, 0)
  for (const markdown of ['<script>alert(1)</script>', '[x](javascript:alert(1))', '*'.repeat(200_000)])
    assert.equal((await convert(markdown)).status, 200, markdown.slice(0, 20))
  assert.equal((await convert('x'.repeat(200_001))).status, 400)
  assert.equal((await convert(7)).status, 400)
})
