/** YAML that takes a parser seconds or minutes: nobody waits for it, wherever it is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOf } from '../effort.ts'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'
import { longestHold } from './event-loop.ts'

const world = await createWorld()

const MOST_MS = 50
const SIZES = firstOf([19_000, 2_000, 800], 1)

const HOSTILE: Record<string, (size: number) => string> = {
  'nested explicit keys': (size) => `a: ${'? - '.repeat(size / 4)}`,
  'explicit keys and tags': (size) => 'a: [? !<]>\n'.repeat(size / 11),
  'lists in lists': (size) => `a:\n  ${'- '.repeat(size / 2)}`,
  'open brackets': (size) => `a: ${'[b, {c: '.repeat(size / 8)}`,
  aliases: (size) => `a: &a [x, x]\n${'b: [*a, *a, *a]\n'.repeat(size / 16)}`,
}

async function newSpace(): Promise<string> {
  const { ada, organizationId } = world
  const made = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Attacked', editMode: 'live' })
  return made.body.id as string
}

test('warm up, because the first request loads and compiles code', async () => {
  const id = await newSpace()
  const changes = [{ operation: 'insert_page', document: { markdown: '---\ntitle: A\n---\n\nText\n' } }]
  assert.equal((await world.ada(`POST /v1/spaces/${id}/content`, { changes })).status, 200)
  assert.equal((await importArchive(world, id, archiveOf({ 'README.md': '# A\n' }))).status, 201)
})

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`front matter with ${name} is refused by name in a batch, and listed by an import`, async () => {
    const id = await newSpace()
    for (const yaml of SIZES.map(make)) {
      const markdown = `---\ntitle: Slow\n${yaml}\n---\n\nText\n`
      const batch = await longestHold(() =>
        world.ada(`POST /v1/spaces/${id}/content`, {
          changes: [{ operation: 'insert_page', title: 'Slow', document: { markdown } }],
        }),
      )
      assert.equal(batch.value.status, 400, batch.value.text)
      assert.match(batch.value.text, /\\"Slow\\" .*front matter/)
      assert.ok(batch.ms < MOST_MS, `${batch.ms} ms`)

      const archive = archiveOf({ 'README.md': '# A\n', 'slow.md': markdown })
      const imported = await longestHold(() => importArchive(world, id, archive))
      assert.equal(imported.value.status, 201, imported.value.text)
      assert.match(
        imported.value.text,
        /"slow\.md","reason":"front-matter-not-used","message":"has front matter that/,
      )
      assert.ok(imported.ms < MOST_MS, `${imported.ms} ms`)
    }
  })

  test(`settings with ${name} are listed by name in an import, and not used`, async () => {
    const id = await newSpace()
    for (const yaml of SIZES.map(make)) {
      const archive = archiveOf({ 'README.md': '# A\n', '.gitbook.yaml': `root: ./\n${yaml}\n` })
      const { ms, value } = await longestHold(() => importArchive(world, id, archive))
      assert.equal(value.status, 201, value.text)
      assert.match(value.text, /\.gitbook\.yaml.*on line.*; the file is not used/)
      assert.ok(ms < MOST_MS, `${ms} ms`)
    }
  })
}
