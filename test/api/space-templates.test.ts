/** Templates of spaces: each makes a space whose pages can be read, and shows the blocks well. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SPACE_TEMPLATES, TEMPLATE_IDS } from '../../src/model/content/space-template.ts'
import { publish } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const org = `/v1/orgs/${world.organizationId}`
const { hostname } = (await ada(`GET ${org}`)).body

interface Node {
  type?: string
  nodes?: Node[]
}
interface WrittenPage {
  id: string
  path: string
  pages: WrittenPage[]
}
const pagesIn = (pages: WrittenPage[]): WrittenPage[] => pages.flatMap((one) => [one, ...pagesIn(one.pages)])
const typesIn = (nodes: Node[]): string[] =>
  nodes.flatMap(({ type, nodes: inside = [] }) => [type ?? '', ...typesIn(inside)])

const create = async (body: object) => {
  const made = await ada(`POST ${org}/spaces`, body)
  assert.equal(made.status, 201, made.text)
  return made.body
}

test('the templates are listed page by page', async () => {
  const { body } = await ada(`GET ${org}/space-templates`)
  assert.deepEqual(body, { count: TEMPLATE_IDS.length, items: SPACE_TEMPLATES })
  const first = (await ada(`GET ${org}/space-templates?limit=4`)).body
  const next = await ada(`GET ${org}/space-templates?limit=4&page=${encodeURIComponent(first.next.page)}`)
  assert.deepEqual([...first.items, ...next.body.items], SPACE_TEMPLATES)
})

for (const { id, title, emoji, pages } of SPACE_TEMPLATES)
  test(`a space from the template ${id} has its pages, without a broken link or an unknown tag`, async () => {
    const space = await create({ template: id })
    assert.deepEqual([space.title, space.emoji, space.editMode], [title, emoji, 'locked'])
    const written = pagesIn((await ada(`GET /v1/spaces/${space.id}/content/pages`)).body.pages)
    assert.equal(written.length, pages)
    // Every file of the folder is a page.
    const folder = new URL(`../../src/model/content/templates/${id}/`, import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.md'),
    )
    assert.equal(files.length, pages)

    const { address } = await publish(world, space.id, title)
    const used = new Set<string>()
    for (const [at, one] of written.entries()) {
      const { nodes } = (await ada(`GET /v1/spaces/${space.id}/content/page/${one.id}/document`)).body
      for (const type of typesIn(nodes)) used.add(type)
      const read = await world.nobody(
        `GET /sites/${hostname}${new URL(address).pathname}${at === 0 ? '' : one.path}`,
      )
      assert.equal(read.status, 200, one.path)
      assert.doesNotMatch(read.text, /\{%/, one.path)
    }
    const links = (await ada(`GET /v1/spaces/${space.id}/links?status=broken`)).body
    assert.deepEqual(links.items, [], JSON.stringify(links))
    assert(used.size >= 10, [...used].join(' '))
  })

test('the templates together show most blocks', async () => {
  const text = SPACE_TEMPLATES.flatMap(({ id }) => {
    const folder = new URL(`../../src/model/content/templates/${id}/`, import.meta.url)
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((one) => one.endsWith('.md'))
      .map((one) => readFileSync(new URL(one, folder), 'utf8'))
  }).join('\n')
  for (const block of ['hint', 'tabs', 'stepper', 'columns', 'code title', 'content-ref', 'updates'])
    assert(text.includes(`{% ${block}`), block)
  for (const part of ['<details>', '```mermaid', '$$\n', 'data-view="cards"', '* [ ]', '[^1]:', '\n> '])
    assert(text.includes(part), part)
})

test('the title and the emoji of a request take the place of those of the template', async () => {
  const { title, emoji } = await create({ template: 'handbook', title: 'How we work', emoji: '1f44d' })
  assert.deepEqual([title, emoji], ['How we work', '1f44d'])
})

test('a template cannot be combined with a specification, and must exist', async () => {
  const both = await ada(`POST ${org}/spaces`, {
    template: 'runbook',
    openapiUrl: 'https://example.com/openapi.json',
  })
  assert.equal(both.status, 400)
  assert.match(both.text, /body\.template.*cannot be used together with/s)
  assert.equal((await ada(`POST ${org}/spaces`, { template: 'novel' })).status, 400)
})
