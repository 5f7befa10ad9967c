/** An import parses its pages, and the index takes what it read instead of parsing them again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSections } from '../../src/model/search/imported-sections.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { indexed } from './indexing.ts'

const world = await createWorld()
const { ada, db } = world

const FILES = {
  'README.md':
    '---\ndescription: Of weasels\n---\n\n# Start\n\nA stoat.\n\n## Ermine *white*\n\n日志 getStoatById\n',
  'conditions.md':
    '# Guarded\n\nA stoat.\n\n{% if visitor.claims.beta %}\n## Beta\n\nAn otter.\n{% endif %}\n',
  'empty.md': '# Only a title\n',
  'including.md': '# Including\n\n{% include ".gitbook/includes/note.md" %}\n',
  '.gitbook/includes/note.md': 'A badger and a stoat.\n',
}
const WORDS = ['stoat', 'ermine', 'weasels', 'otter', 'badger', '日志', 'get_stoat_by_id', 'title']

async function documentsOf(spaceId: string): Promise<Map<string, string>> {
  const rows = await db.read
    .selectFrom('document')
    .select(['hash', 'source'])
    .where('spaceId', '=', spaceId)
    .execute()
  return new Map(rows.map(({ hash, source }) => [hash, /^# (.*)$/m.exec(source)?.[1] ?? '']))
}

async function indexOf(spaceId: string) {
  const rows = await db.read
    .selectFrom('searchEntry')
    .innerJoin('searchIndex', 'searchIndex.number', 'searchEntry.number')
    .select(['searchEntry.sections', 'searchEntry.conditions'])
    .where('searchIndex.spaceId', '=', spaceId)
    .execute()
  const found: unknown[] = []
  for (const word of WORDS) {
    const { body } = await ada(`GET /v1/spaces/${spaceId}/search?query=${encodeURIComponent(word)}`)
    found.push(body.items.map(({ title, score }: { title: string; score: number }) => [title, score]))
  }
  return { rows: rows.map((row) => JSON.stringify(row)).toSorted(), found }
}

test('the index is the same, whether it parses pages or takes what their import has read', async () => {
  const [parsed, taken] = [
    await spaceWith(world, archiveOf(FILES), 'Parsed'),
    await spaceWith(world, archiveOf(FILES), 'Taken'),
  ]
  const documents = await documentsOf(parsed.spaceId)
  const sections = takeSections(parsed.spaceId, [...documents.keys()])
  // What a page includes can change without it, and what is included is found in the pages alone.
  assert.deepEqual([...sections.keys()].map((hash) => documents.get(hash)).toSorted(), [
    'Guarded',
    'Only a title',
    'Start',
  ])
  assert.equal(takeSections(parsed.spaceId, [...documents.keys()]).size, 0)

  await indexed(world)
  assert.deepEqual(await indexOf(taken.spaceId), await indexOf(parsed.spaceId))
  assert.equal(takeSections(taken.spaceId, [...documents.keys()]).size, 0)
})
