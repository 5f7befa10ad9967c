/** Lists of resources that have large texts: a list of 1,000 of the largest would be a gigabyte. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposalsIn } from '../proposing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { write, liveSpace, propose } = proposalsIn(world)

/** All pages of results of a list. */
async function pagesOfResults(
  person: Person,
  path: string,
): Promise<{ count: number; items: { id: string }[] }[]> {
  const pages: { count: number; items: { id: string }[]; next?: { page: string } }[] = []
  do {
    const after = pages.at(-1)?.next?.page
    const { status, body, text } = await person(`GET ${path}limit=1000${after ? `&page=${after}` : ''}`)
    assert.equal(status, 200, text)
    pages.push(body)
  } while (pages.at(-1)?.next)
  return pages
}

test('a list of change requests has as many as are small enough together', async () => {
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })
  const base = `/v1/spaces/${space.id}/change-requests`
  const leaf = { object: 'leaf', text: 'x'.repeat(900_000), marks: [] }
  const nodes = [{ object: 'text', leaves: [leaf] }]
  const description = {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [{ object: 'block', type: 'paragraph', data: {}, nodes }],
  }
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    const { body } = await ada(`POST ${base}`, { subject: `Large ${i}` })
    assert.equal((await ada(`PATCH ${base}/${body.id}`, { description })).status, 200)
    ids.push(body.id)
  }
  const small = (await ada(`POST ${base}`, { subject: 'Small' })).body.id as string
  for (const path of [base, `/v1/orgs/${organizationId}/change-requests`]) {
    const pages = await pagesOfResults(ada, `${path}?status=draft&`)
    const sizes = pages.map(({ items }) => items.length)
    assert.deepEqual(sizes, [3, 2, 1])
    const found = pages.flatMap(({ items }) => items.map(({ id }) => id))
    assert.deepEqual(found, [small, ...ids.toReversed()])
    assert(pages.every(({ count }) => count === 6))
  }
})

test('a list of conflicts has as many as are small enough together', async () => {
  const page = (name: string, side: string) => `# ${name}\n\n${`${side} `.repeat(60_000)}\n`
  const files = (side: string) =>
    Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.md`, page(name, side)]))
  const space = await liveSpace(files('base'))
  const change = await propose(space, files('own'))
  await write(space, files('primary'))
  assert.equal((await ada(`POST ${change}/update`)).status, 200)
  const pages = await pagesOfResults(ada, `${change}/conflicts?`)
  assert.equal(pages[0]?.count, 4)
  assert(pages.length > 1, 'all conflicts were in one response')
  assert.equal(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size, 4)
})

test('a search has as many results as are small enough together', async () => {
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, {
    title: 'Deep',
    editMode: 'live',
  })
  const content = `/v1/spaces/${space.id}/content`
  const change = async (changes: object[]) => {
    const { status, text } = await ada(`POST ${content}`, { changes })
    assert.equal(status, 200, text)
  }
  // URLs have at most 2,048 characters.
  let parent = {}
  for (let depth = 10; depth < 27; depth++) {
    const slug = `${'p'.repeat(97)}${depth}`
    await change([
      { operation: 'insert_page', title: slug, slug, ...parent, document: { markdown: 'Above' } },
    ])
    const path = (await ada(`GET ${content}/pages`)).text
    parent = { parent: JSON.parse(path.slice(path.lastIndexOf('"id":') + 5).split(',')[0]!) as string }
  }
  const sections = Array.from({ length: 5 }, (_, i) => `## ${'heading '.repeat(60)}${i}\n\nokapi\n`)
  const found = Array.from({ length: 50 }, () => {
    return {
      operation: 'insert_page',
      title: 'Found',
      ...parent,
      document: { markdown: sections.join('\n') },
    }
  })
  for (let batch = 0; batch < 8; batch++) await change(found)
  await indexed(world)
  const pages = await pagesOfResults(ada, `/v1/spaces/${space.id}/search?query=okapi&`)
  assert(pages.length > 1, 'all pages were in one response')
  assert.equal(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size, 400)
})
