import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const rita = await world.person('Rita', 'review')
const rob = await world.person('Rob', 'review')
const guest = await world.person('Guest', null)

async function spaceWith(subjects: string[]): Promise<{ list: string; ids: string[] }> {
  const { id } = (await ada(`POST ${org}/spaces`, { title: 'Guide' })).body
  const list = `/v1/spaces/${id}/change-requests`
  const ids: string[] = []
  for (const subject of subjects) {
    const made = (await ada(`POST ${list}`, { subject })).body
    await ada(`PATCH ${list}/${made.id}`, { status: 'open' })
    ids.push(made.id)
  }
  return { list, ids }
}

interface Listed {
  id: string
  subject: string
}

const listed = async (person: Person, address: string): Promise<Listed[]> => {
  const { status, body, text } = await person(`GET ${address}`)
  assert.equal(status, 200, text)
  assert.equal(body.count, body.items.length)
  return body.items
}

const idsOf = (items: Listed[]) => items.map(({ id }) => id)
const subjectsOf = (items: Listed[]) => items.map(({ subject }) => subject)

test('lists can be filtered by requested reviewer, until the reviewer reviews', async () => {
  const { list, ids } = await spaceWith(['One', 'Two', 'Three'])
  const [one = '', , three = ''] = ids
  for (const id of [one, three]) await ada(`POST ${list}/${id}/requested-reviewers`, { users: [rita.id] })
  await ada(`POST ${list}/${one}/requested-reviewers`, { users: [rob.id] })

  for (const base of [list, `${org}/change-requests`]) {
    assert.deepEqual(idsOf(await listed(ada, `${base}?requestedReviewer=${rita.id}`)), [three, one])
    assert.deepEqual(idsOf(await listed(ada, `${base}?requestedReviewer=${rob.id}`)), [one])
    assert.deepEqual(await listed(ada, `${base}?requestedReviewer=${ada.id}`), [])
    assert.deepEqual(await listed(ada, `${base}?requestedReviewer=${rita.id}&status=draft`), [])
    assert.deepEqual(await listed(ada, `${base}?requestedReviewer=${rita.id}&creator=${rob.id}`), [])
  }
  assert.deepEqual(await listed(guest, `${org}/change-requests?requestedReviewer=${rita.id}`), [])

  await rita(`POST ${list}/${three}/reviews`, { status: 'approved' })
  assert.deepEqual(idsOf(await listed(ada, `${list}?requestedReviewer=${rita.id}`)), [one])
})

test('a review that is requested of a member does not count for the other members of a team', async () => {
  const { list, ids } = await spaceWith(['Of a team'])
  await ada(`PUT ${org}/teams`, { title: 'Editors', members: [rita.id, rob.id] })
  await ada(`POST ${list}/${ids[0]}/requested-reviewers`, { users: [rob.id] })
  assert.deepEqual(await listed(ada, `${list}?requestedReviewer=${rita.id}`), [])
})

test('lists can be filtered by a text in the subject, which is literal and ignores case', async () => {
  const { list } = await spaceWith([
    'Add 100% more',
    'Add 100 more',
    'snake_case',
    'snakeXcase',
    'Größe Ä',
    'a\\b',
  ])
  const found = async (query: string) =>
    subjectsOf(await listed(ada, `${list}?query=${encodeURIComponent(query)}`))
  assert.deepEqual(await found('ADD'), ['Add 100 more', 'Add 100% more'])
  assert.deepEqual(await found('100%'), ['Add 100% more'])
  assert.deepEqual(await found('%'), ['Add 100% more'])
  assert.deepEqual(await found('E_C'), ['snake_case'])
  assert.deepEqual(await found('_'), ['snake_case'])
  assert.deepEqual(await found('gRÖSSE'), [])
  assert.deepEqual(await found('GRÖß'), ['Größe Ä'])
  assert.deepEqual(await found('ä'), ['Größe Ä'])
  assert.deepEqual(await found('\\'), ['a\\b'])
  assert.deepEqual(await found("'"), [])
  assert.deepEqual(subjectsOf(await listed(ada, `${org}/change-requests?query=SNAKEX`)), ['snakeXcase'])

  for (const wrong of ['', 'x'.repeat(101)])
    assert.equal((await ada(`GET ${list}?query=${wrong}`)).status, 400)
})

test('lists can be ordered by update, also in pages of results', async () => {
  const { list, ids } = await spaceWith(['One', 'Two', 'Three', 'Four', 'Five'])
  const [one = '', two = '', three = '', four = '', five = ''] = ids
  const space = list.split('/')[3] ?? ''
  // Two of them at the same time: their ids decide.
  for (const [second, changed] of [[three], [one, four]].entries()) {
    world.clock.now = new Date(Date.UTC(2040, 0, 1, 0, 0, second))
    for (const id of changed) await ada(`PATCH ${list}/${id}`, { subject: 'Changed' })
  }
  world.clock.now = undefined
  const expected = [four, one, three, five, two]

  for (const address of [
    `${list}?orderBy=updatedAt`,
    `${org}/change-requests?space=${space}&orderBy=updatedAt`,
  ]) {
    assert.deepEqual(idsOf(await listed(ada, address)), expected)
    const seen: string[] = []
    for (let page = ''; ;) {
      const { items, next, count } = (await ada(`GET ${address}&limit=1${page}`)).body
      assert.equal(count, 5)
      seen.push(...idsOf(items))
      if (!next) break
      page = `&page=${next.page}`
    }
    assert.deepEqual(seen, expected)
  }
  for (const query of ['', '?orderBy=createdAt'])
    assert.deepEqual(idsOf(await listed(ada, `${list}${query}`)), [five, four, three, two, one])
  assert.equal((await ada(`GET ${list}?orderBy=number`)).status, 400)

  const { next } = (await ada(`GET ${list}?limit=1`)).body
  assert.equal((await ada(`GET ${list}?limit=1&orderBy=updatedAt&page=${next.page}`)).status, 400)
})
