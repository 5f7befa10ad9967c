/** The limits of imports that the operator sets. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS, limitPages } from '../../src/core/content/limits.ts'
import { ARCHIVE_LIMITS, limitArchives } from '../../src/core/repository/archive-limits.ts'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({
  LECTERN_MAX_PAGES: '100',
  LECTERN_IMPORT_FILES: '150',
  LECTERN_IMPORT_BYTES: '3000000',
  LECTERN_IMPORT_FILE_BYTES: '2000000',
})
// They are limits of the process, in which other tests run.
after(() => {
  limitPages(LIMITS.pages)
  limitArchives(ARCHIVE_LIMITS)
})

const pages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}.md`, `# ${index}\n`]))
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 251))

async function importing(files: Record<string, string | Uint8Array>) {
  const { body: space } = await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Limits' })
  return importArchive(world, space.id, archiveOf(files))
}

const REFUSED: Record<string, [files: Record<string, string | Uint8Array>, message: RegExp]> = {
  'too many pages': [pages(101), /pages.*LECTERN_MAX_PAGES/],
  'too many entries': [pages(151), /more than 150 entries, the limit of LECTERN_IMPORT_FILES/],
  'a large file': [
    { 'README.md': '# X\n', 'a.bin': noise(2_000_001) },
    /"a\.bin" is larger than 2 MB, the limit of LECTERN_IMPORT_FILE_BYTES/,
  ],
  'large files together': [
    { 'README.md': '# X\n', 'a.bin': noise(1_900_000), 'b.bin': noise(1_900_000) },
    /unpacks to more than 3 MB, the limit of LECTERN_IMPORT_BYTES/,
  ],
}

for (const [name, [files, message]] of Object.entries(REFUSED))
  test(`${name}: the message names the setting`, async () => {
    const { status, body } = await importing(files)
    assert.equal(status, 400)
    assert.match(body.error.message, message)
  })

test('an import within the limits succeeds', async () => {
  assert.equal((await importing(pages(100))).status, 201)
})
