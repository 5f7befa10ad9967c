/** The documents agree with the program. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { spaceWith, archiveOf } from './importing.ts'
import { createWorld } from './world.ts'

const ROOT = resolve(import.meta.dirname, '..')
const world = await createWorld()
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the manual is a space of its own: every page is in its table of contents and every link leads somewhere', async () => {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const contents = Object.fromEntries(
    files.map((file) => [file.slice(ROOT.length + 6), new Uint8Array(readFileSync(file))]),
  )
  const { spaceId, result } = await spaceWith(world, archiveOf(contents), 'Manual')
  assert.deepEqual(result.body.problems, [])

  const { pages } = (await world.ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  type Page = { id: string; type: string; git?: { path: string }; pages?: Page[] }
  const all = (list: Page[]): Page[] => list.flatMap((page) => [page, ...all(page.pages ?? [])])
  const found = all(pages).filter(({ type }) => type === 'document')
  const sources = Object.keys(contents).filter((path) => path.endsWith('.md') && path !== 'SUMMARY.md')
  assert.deepEqual(found.map(({ git }) => git?.path ?? '').toSorted(), sources.toSorted())
  for (const { id, git } of found) {
    const { text } = await world.ada(`GET /v1/spaces/${spaceId}/content/page/${id}/document`)
    assert.deepEqual(text.match(/"kind":"url","url":"(?!https?:)[^"]*"/g), null, git?.path ?? '')
  }
})

test('the README names every variable of the configuration, and no other', () => {
  const used = new Set(read('src/config.ts').match(/(?<=')(PORT|HOST|DATABASE_URL|LECTERN_[A-Z0-9_]+)(?=')/g))
  const table = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .join('\n')
  const named = new Set(table.match(/(?<=`)(PORT|HOST|DATABASE_URL|LECTERN_[A-Z0-9_]+)(?=`)/g))
  assert.deepEqual([...named].toSorted(), [...used].toSorted())
})
