/** An import parses its pages, and the index takes what was read of them meanwhile instead of parsing them again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeImported } from '../../src/model/search/imported-pages.ts'
import { takeSections } from '../../src/model/search/imported-sections.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'
import { indexed } from './indexing.ts'

const world = await createWorld()
const { ada, db, organizationId } = world

const FILES = {
  'README.md':
    '---\ndescription: Of weasels\n---\n\n# Start\n\nA stoat.\n\n## Ermine *white*\n\n日志 getStoatById\n',
  'conditions.md':
    '# Guarded\n\nA stoat.\n\n{% if visitor.claims.beta %}\n## Beta\n\nAn otter.\n{% endif %}\n',
  'empty.md': '# Only a title\n',
  'untitled.md': 'A stoat without a title.\n',
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

/** Takes what an import has kept of its pages. */
async function take(spaceId: string) {
  const documents = [...(await documentsOf(spaceId))]
  const pages = documents.map(([document, title]) => {
    const description = title === 'Start' ? 'Of weasels' : undefined
    return { id: document, document, title, description }
  })
  const words = await takeImported(spaceId, pages)
  const parsed = takeSections(
    spaceId,
    pages.map(({ id }) => id),
  )
  const titles = (having: ReadonlyMap<string, unknown>) =>
    documents.flatMap(([hash, title]) => (having.has(hash) ? [title] : [])).toSorted()
  return { indexed: titles(words), parsed: titles(parsed) }
}

test('the index is the same, whether it parses pages or takes what their import has read', async () => {
  const [parsed, taken] = [
    await spaceWith(world, archiveOf(FILES), 'Parsed'),
    await spaceWith(world, archiveOf(FILES), 'Taken'),
  ]
  // What a page includes can change without it, and what is included is found in the pages alone.
  const read = { indexed: ['Guarded', 'Only a title', 'Start'], parsed: [''] }
  assert.deepEqual(await take(parsed.spaceId), read)
  assert.deepEqual(await take(parsed.spaceId), { indexed: [], parsed: [] })

  await indexed(world)
  assert.deepEqual(await indexOf(taken.spaceId), await indexOf(parsed.spaceId))
  assert.deepEqual(await take(taken.spaceId), { indexed: [], parsed: [] })
})

test('what was read of a page is not taken for one with another title or description', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(FILES), 'Renamed')
  const documents = [...(await documentsOf(spaceId))]
  const pages = documents.map(([document, title]) => ({
    id: document,
    document,
    title: title === 'Guarded' ? 'Renamed' : title,
  }))
  const imported = await takeImported(spaceId, pages)
  assert.deepEqual(
    documents.filter(([hash]) => imported.has(hash)).map(([, title]) => title),
    ['Only a title'],
  )
})

test('pages of a change request are not indexed before they are merged', async () => {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n' }), 'Proposed')
  const { id } = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Import' })).body
  const url = await upload(ada, organizationId, archiveOf(FILES))
  const content = `/v1/spaces/${spaceId}/change-requests/${id}/content`
  const { status } = await ada(`POST ${content}/import`, { url, source: 'zip' })
  assert.equal(status, 201)
  assert.deepEqual(await take(spaceId), { indexed: [], parsed: ['', 'Guarded', 'Only a title', 'Start'] })
})
