/** Words within compounds, by the language of pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { indexed } from './indexing.ts'

const world = await createWorld()

async function found(files: Record<string, string>, query: string): Promise<string[]> {
  const { spaceId } = await spaceWith(world, archiveOf(files), 'Handbook')
  await indexed(world)
  const path = `GET /v1/spaces/${spaceId}/search?query=${query}`
  // The second search reads the compounds from memory.
  const [first, again] = [await world.ada(path), await world.ada(path)]
  assert.deepEqual(again.body, first.body)
  return (first.body as { items: { title: string }[] }).items.map(({ title }) => title)
}

test('a word finds the compounds that contain it, where the language of pages has them', async () => {
  const start =
    '# Start\n\nWir beschreiben hier den Betrieb der Anlage und alle Schritte, die dafür nötig sind.\n'
  const users =
    '# Benutzerverwaltung\n\nEin Administrator legt neue Konten an und vergibt die Rollen. Wer geht, wird gesperrt.\n'
  assert.deepEqual(await found({ 'a.md': start, 'b.md': users }, 'Verwaltung'), ['Benutzerverwaltung'])
})

test('in a space of a language without compounds, a word finds no longer word that only contains it', async () => {
  const page = (title: string) =>
    `# ${title}\n\nThe server reads the file and writes what it has found to the folder that you have chosen.\n`
  assert.deepEqual(await found({ 'a.md': page('Start'), 'b.md': page('Underworkings') }, 'working'), [])
})
