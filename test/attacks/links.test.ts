/** Links of a large space: finding them held up every other request for seconds, each time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needRevision } from '../../src/model/content/commit.ts'
import { linksOfRevision } from '../../src/model/links/link-index.ts'
import { draftOn, update } from '../batches.ts'
import { isLongRun } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const { ada, db } = world

const PAGES = isLongRun() ? 1500 : 300
const LINKS = 40

/** Pages that link to each other, to parts of each other, and to pages that do not exist. */
function linkedPages(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: PAGES }, (_, page) => {
      const links = Array.from({ length: LINKS }, (__, link) => {
        const target = `p${(page * 7 + link * 131) % (PAGES + 20)}.md`
        return `See [page ${link}](${target}${link % 3 === 0 ? '#part' : ''}) first.\n`
      })
      return [`p${page}.md`, `# Page ${page}\n\n## Part\n\n${links.join('')}`]
    }),
  )
}

test('no list of the links of a large space holds the event loop, and requests share the work', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(linkedPages()))
  const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  const page = pages[7].id as string
  const base = `/v1/spaces/${spaceId}`
  // The first response also compiles its schema, which only tests do.
  const small = await spaceWith(
    world,
    archiveOf({ 'a.md': '# A\n\n[b](b.md) [a](a.md)\n', 'b.md': '[a](a.md)\n' }),
  )
  const [first] = (await ada(`GET /v1/spaces/${small.spaceId}/content/pages`)).body.pages
  for (const path of ['links', `content/page/${first.id}/links`, `content/page/${first.id}/backlinks`])
    assert.equal((await ada(`GET /v1/spaces/${small.spaceId}/${path}`)).status, 200)

  const lists = [
    `${base}/links`,
    `${base}/content/page/${page}/links`,
    `${base}/content/page/${page}/backlinks`,
  ]
  const { ms, value } = await longestHold(() =>
    Promise.all([...lists, ...lists].map((path) => ada(`GET ${path}?limit=1`))),
  )
  assert.deepEqual(
    value.map(({ status }) => status),
    Array.from(value, () => 200),
  )
  assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
  assert.equal(value[0]!.body.stats.broken.total > 0, true)
  assert.equal(value[1]!.body.count, LINKS)

  const links = async (kind: 'space' | 'changeRequest', id: string) => {
    const { revisionId } = await db.read
      .selectFrom(kind)
      .select('revisionId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const revision = await needRevision(db.read, spaceId, revisionId)
    return linksOfRevision(db.read, world.app.services.urls, revision)
  }
  const [one, other] = await Promise.all([links('space', spaceId), links('space', spaceId)])
  assert.equal(one.index, other.index)

  // An edit indexes its own page: the rest of the index is the one from before.
  const draft = await draftOn(world, spaceId)
  const edited = await draft.send(
    update(page, { document: { markdown: '# Page 7\n\n[gone](gone-since.md)\n' } }),
  )
  assert.equal(edited.status, 200, edited.text)
  const { id } = draft.changeRequest
  const after = await ada(
    `GET ${base}/change-requests/${id}/links?status=broken&brokenContext=change-request`,
  )
  // The new link, and those to the heading that the page lost.
  assert.equal(after.body.count, 2)
  assert.equal((await links('changeRequest', id)).index.whole, one.index.whole)
})

test('a page of results of backlinks continues in the middle of a page that links often', async () => {
  const links = (word: string) =>
    Array.from({ length: 30 }, (_, line) => `${word} ${line}: [a](a.md)\n\n`).join('')
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'a.md': '# A\n', 'b.md': `# B\n\n${links('b')}`, 'c.md': `# C\n\n${links('c')}` }),
  )
  const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  const target = pages.find(({ title }: { title: string }) => title === 'A').id as string
  const path = `/v1/spaces/${spaceId}/content/page/${target}/backlinks`
  const { body: whole } = await ada(`GET ${path}?limit=100`)
  assert.equal(whole.count, 60)

  const found: unknown[] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const { body } = await ada(`GET ${path}?limit=7${next && `&page=${next}`}`)
    assert.equal(body.count, 60)
    found.push(...body.items)
    next = body.next?.page as string | undefined
  }
  assert.deepEqual(found, whole.items)
})
