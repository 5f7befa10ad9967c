/** Answers to members who search are kept. Each is the one that the same search gets that nobody has made before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposalsIn } from '../proposing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const reader = await world.person('again-reader', 'read')
const guest = await world.person('again-guest', null)

const filler = Array.from({ length: 60 }, (_, i) => `walrus line ${i} of some text`).join('\n\n')
const files = (more: Record<string, string> = {}) => ({
  'README.md': '# Start\n\nwalrus\n',
  'two.md': `# Two\n\n## First\n\n${filler}\n\n## Second\n\n${filler}\n\n## Third\n\n${filler}\n\n## Fourth\n\n${filler}\n`,
  ...more,
})
const { liveSpace, write } = proposalsIn(world)
const one = await liveSpace(files())
const two = await liveSpace(files({ 'three.md': '# Three walruses\n' }))
await indexed(world)

let limit = 100

/** Asks twice, and once more with a limit that nobody used before. @returns the number of items, which are equal */
async function asksAgain(path: string, query: string, by: Person = ada): Promise<number> {
  const ask = (most: number) => by(`GET ${path}/search?limit=${most}&query=${encodeURIComponent(query)}`)
  const first = await ask(50)
  const again = await ask(50)
  const fresh = await ask(limit++)
  assert.equal(first.status, fresh.status, first.text)
  assert.deepEqual(again.body, first.body)
  if (first.status !== 200) return -1
  // An answer for more spaces can have fewer pages of each, but here there are few of both.
  assert.deepEqual(first.body, fresh.body)
  return first.body.items.length
}

test('an answer follows the content, the titles, the access and the trash', async () => {
  assert.equal(await asksAgain(one, 'walrus'), 2)
  assert.equal(await asksAgain(one, 'puffin'), 0)
  assert.equal(await asksAgain(org, 'walrus'), 2)
  assert.equal(await asksAgain(org, 'walrus', reader), 2)
  assert.equal(await asksAgain(org, 'walrus', guest), 0)
  assert.equal(await asksAgain(one, 'walrus', guest), -1)

  const four = '# Puffin\n\nwalrus\n'
  await write(one, files({ 'four.md': four }))
  // The revision has changed, and its index not yet.
  await asksAgain(one, 'walrus')
  await asksAgain(org, 'walrus')
  await indexed(world)
  assert.equal(await asksAgain(one, 'walrus'), 3)
  assert.equal(await asksAgain(one, 'puffin'), 1)

  await write(one, files({ 'four.md': `---\nnoIndex: true\n---\n\n${four}` }))
  // This needs no other index.
  assert.equal(await asksAgain(one, 'puffin'), 0)
  await indexed(world)
  assert.equal(await asksAgain(one, 'puffin'), 0)

  await ada(`PATCH ${two}`, { title: 'Deux' })
  assert.equal(await asksAgain(org, 'walrus'), 2)
  const titles = (await ada(`GET ${org}/search?query=walrus`)).body.items.map((item: Titled) => item.title)
  assert.deepEqual(titles.toSorted(), ['Deux', 'Live'])

  await ada(`DELETE ${two}`)
  // The organization has the same spaces as a search of one of them now, and still its own answer.
  assert.equal(await asksAgain(org, 'walrus'), 1)
  assert.equal(await asksAgain(one, 'walrus'), 2)
  assert.equal(await asksAgain(two, 'walrus'), -1)
})

interface Titled {
  title: string
}

test('an answer that is kept is the same in every content coding', async () => {
  const address = `${world.url}${one}/search?query=walrus`
  const texts = new Set<string>()
  for (const encoding of ['identity', 'gzip', 'br', 'zstd', 'gzip', 'br', 'zstd', 'identity']) {
    const headers = { authorization: `Bearer ${ada.token}`, 'accept-encoding': encoding }
    const answer = await fetch(address, { headers })
    assert.equal(answer.headers.get('content-encoding') ?? 'identity', encoding)
    texts.add(await answer.text())
  }
  const [text = ''] = texts
  assert.equal(texts.size, 1)
  assert(text.length > 1024 && text.length < 32 * 1024)
})
