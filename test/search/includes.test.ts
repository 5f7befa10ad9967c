/** A reader sees the text of reusable contents in the page, so search finds it there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, importArchive } from '../importing.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { indexed } from './indexing.ts'

const world = await createWorld()
const { ada, db } = world

const include = (name: string) => `{% include ".gitbook/includes/${name}.md" %}\n`
const FILES = {
  'README.md': `# Welcome\n\nA quokka.\n\n${include('note')}\n{% hint style="info" %}\n${include('inner')}{% endhint %}\n`,
  'later.md': `# Later\n\n${include('missing')}`,
  'plain.md': '# Plain\n\nA numbat.\n',
  'guarded.md': `# Guarded\n\n{% if visitor.claims.beta %}\n${include('note')}{% endif %}\n`,
  '.gitbook/includes/note.md': `## Notes\n\nThe axolotl sleeps.\n\n{% include "inner.md" %}\n`,
  '.gitbook/includes/inner.md': 'A pangolin, in everything.\n',
}

async function titlesFound(spaceId: string, query: string): Promise<string[]> {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/search?query=${query}`)
  return body.items.map(({ title }: { title: string }) => title).toSorted()
}

async function entriesOf(spaceId: string): Promise<Map<string, number>> {
  const rows = await db.read
    .selectFrom('searchEntry')
    .innerJoin('searchIndex', 'searchIndex.number', 'searchEntry.number')
    .select(['searchEntry.id', 'searchEntry.pageId'])
    .where('searchIndex.spaceId', '=', spaceId)
    .where('searchEntry.conditions', 'is', null)
    .execute()
  return new Map(rows.map(({ id, pageId }) => [pageId, id]))
}

test('what a page includes is found in the page, and follows every change of it', async () => {
  const spaceId = (await proposalsIn(world).liveSpace(FILES)).split('/').at(-1)!
  await indexed(world)
  assert.deepEqual(await titlesFound(spaceId, 'axolotl'), ['Guarded', 'Welcome'])
  assert.deepEqual(await titlesFound(spaceId, 'pangolin'), ['Guarded', 'Welcome'])
  const { body } = await ada(`GET /v1/spaces/${spaceId}/search?query=axolotl%20sleeps`)
  const welcome = body.items.find(({ title }: { title: string }) => title === 'Welcome')
  const [section] = welcome.sections
  // The page includes the pangolin twice: within the note, and in a hint.
  assert.deepEqual([section.title, section.body.match(/pangolin/g).length], ['Notes', 2])
  const before = await entriesOf(spaceId)

  const changed = {
    'README.md': FILES['README.md'],
    '.gitbook/includes/inner.md': 'A tamarin, in everything.\n',
  }
  const again = await importArchive(world, spaceId, archiveOf(changed))
  assert.equal(again.status, 201, again.text)
  await indexed(world)
  assert.deepEqual(await titlesFound(spaceId, 'pangolin'), [])
  assert.deepEqual(await titlesFound(spaceId, 'tamarin'), ['Guarded', 'Welcome'])
  const after = await entriesOf(spaceId)
  const kept = [...after].filter(([page, id]) => before.get(page) === id)
  assert.equal(kept.length, after.size - 2)

  const added = { 'later.md': FILES['later.md'], '.gitbook/includes/missing.md': 'A capybara, at last.\n' }
  const last = await importArchive(world, spaceId, archiveOf(added))
  assert.equal(last.status, 201, last.text)
  await indexed(world)
  assert.deepEqual(await titlesFound(spaceId, 'capybara'), ['Later'])
  assert.deepEqual(await titlesFound(spaceId, 'numbat'), ['Plain'])
})

test('a batch that changes only a reusable content changes what is found in the pages that include it', async () => {
  const spaceId = (await proposalsIn(world).liveSpace(FILES)).split('/').at(-1)!
  await indexed(world)
  const content = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  const note = content.reusableContents.find(({ title }: { title: string }) => title === 'Note')
  const document = { markdown: 'The wombat sleeps.' }
  const change = { operation: 'update_reusable_content', reusableContent: note.id, document }
  const answer = await ada(`POST /v1/spaces/${spaceId}/content`, { changes: [change] })
  assert.equal(answer.status, 200, answer.text)
  await indexed(world)
  assert.deepEqual(await titlesFound(spaceId, 'wombat'), ['Guarded', 'Welcome'])
  assert.deepEqual(await titlesFound(spaceId, 'axolotl'), [])
})
