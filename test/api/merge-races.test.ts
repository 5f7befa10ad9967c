/** Concurrency on one space: unique numbers without gaps, every merge in the result, linear revisions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomText } from '../../src/core/data/id.ts'
import { insertChangeRequest } from '../../src/model/proposals/change-request.ts'
import { commitRevision, needRevision } from '../../src/model/content/commit.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const { write, liveSpace, propose, sources } = proposalsIn(world)

const AT_ONCE = 16
const COUNT = Array.from({ length: AT_ONCE }, (_, i) => i)

test(`${AT_ONCE} change requests are concurrently created and merged in one space`, async () => {
  const space = await liveSpace({ 'README.md': '# Home\n' })
  const start = (await ada(`GET ${space}`)).body.revision as string

  const made = await Promise.all(
    COUNT.map((i) => ada(`POST ${space}/change-requests`, { subject: `No ${i}` })),
  )
  assert.deepEqual(
    made.map(({ body }) => body.number as number).toSorted((a, b) => a - b),
    COUNT.map((i) => i + 1),
  )
  const proposals = made.map(({ body }) => `${space}/change-requests/${body.id}`)
  const own = new Map<string, string>()
  for (const [i, base] of proposals.entries())
    own.set(base, await write(base, { [`page-${i}.md`]: `# Page ${i}\n\nText ${i}\n` }))

  const merges = await Promise.all(proposals.map((base) => ada(`POST ${base}/merge`)))
  assert.deepEqual(
    merges.map(({ status, body }) => [status, body.result]),
    COUNT.map(() => [200, 'merge']),
    merges.map(({ text }) => text).join('\n'),
  )
  const wanted = Object.fromEntries(COUNT.map((i) => [`Page ${i}`, `# Page ${i}\n\nText ${i}\n`]))
  assert.deepEqual(await sources(space), { Home: '# Home\n', ...wanted })

  // From the newest revision to the first: each merge once, with the previous one and its change request as parents.
  const ownOf = new Map(proposals.map((base, i) => [merges[i]!.body.revision as string, own.get(base)]))
  let revision = (await ada(`GET ${space}`)).body.revision as string
  for (const _ of COUNT) {
    const { parents, type } = (await ada(`GET ${space}/revisions/${revision}`)).body
    assert.equal(type, 'merge')
    assert.equal(parents[1], ownOf.get(revision))
    ownOf.delete(revision)
    revision = parents[0]
  }
  assert.equal(revision, start)
  assert.equal(ownOf.size, 0)
})

test('of concurrent merges of the same change request one succeeds, and the others fail', async () => {
  const space = await liveSpace({ 'README.md': '# Home\n' })
  const base = await propose(space, { 'more.md': '# More\n' })
  const answers = await Promise.all([1, 2, 3, 4].map(() => ada(`POST ${base}/merge`)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  const conflicts = answers.filter(({ status }) => status === 409)
  for (const { body } of conflicts) assert.match(body.error.message, /merged/)
  const { revision } = (await ada(`GET ${space}`)).body
  const won = answers.find(({ status }) => status === 200)
  assert.equal(won?.body.revision, revision)
})

test('concurrent edits of one change request all succeed, one after another', async () => {
  const space = await liveSpace({ 'README.md': '# Home\n' })
  const base = await propose(space, { 'first.md': '# First\n' })
  await Promise.all(COUNT.slice(0, 6).map((i) => write(base, { [`page-${i}.md`]: `# Page ${i}\n` })))
  const titles = Object.keys(await sources(base)).toSorted()
  assert.deepEqual(titles, ['First', 'Home', ...COUNT.slice(0, 6).map((i) => `Page ${i}`)])
})

test('a concurrent merge and edit of the primary content are both in the result', async () => {
  const space = await liveSpace({ 'README.md': '# Home\n' })
  for (let round = 0; round < 5; round++) {
    const base = await propose(space, { [`own-${round}.md`]: `# Own ${round}\n` })
    const [merge] = await Promise.all([
      ada(`POST ${base}/merge`),
      write(space, { [`direct-${round}.md`]: `# Direct ${round}\n` }),
    ])
    assert.equal(merge.body.result, 'merge', merge.text)
    const found = Object.keys(await sources(space))
    assert(found.includes(`Own ${round}`) && found.includes(`Direct ${round}`), found.join(', '))
  }
})

test('the database enforces unique numbers and a single next revision', async () => {
  const space = await liveSpace({ 'README.md': '# Home\n' })
  const { id: spaceId } = (await ada(`GET ${space}`)).body
  const rowOf = (db: Parameters<Parameters<typeof world.db.write>[0]>[0]) =>
    db.selectFrom('space').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
  const by = () => ({ id: randomText(24), userId: ada.id, now: new Date() })

  // Bypasses the audit log of the organization, which serializes writers.
  const made = await Promise.all(
    COUNT.map(() =>
      world.db.write(async (tx) => insertChangeRequest(tx, await rowOf(tx), { ...by(), subject: '' })),
    ),
  )
  assert.deepEqual(
    made.map(({ number }) => number).toSorted((a, b) => a - b),
    COUNT.map((i) => i + 1),
  )
  const revisions = await Promise.all(
    COUNT.map(() =>
      world.db.write(async (tx) => {
        const parent = await needRevision(tx, spaceId, (await rowOf(tx)).revisionId)
        return commitRevision(tx, parent, {}, { ...by(), type: 'edits', message: '' })
      }),
    ),
  )
  const parents = new Set(revisions.map((revision) => revision.parents))
  assert.equal(parents.size, AT_ONCE)
  assert.equal(new Set(revisions.map(({ sequence }) => sequence)).size, AT_ONCE)
})
