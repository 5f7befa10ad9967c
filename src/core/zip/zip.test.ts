import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unzip } from '../../../test/imports/zip.ts'
import { archived, archivedContent, zipWriter } from './zip.ts'

const FILES: Record<string, string> = {
  'text.md': 'word '.repeat(1000),
  'bücher/短.txt': 'short',
  empty: '',
}

function archiveOf(modified: string): Buffer {
  const zip = zipWriter(modified)
  const parts = Object.entries(FILES).flatMap(([path, content]) => zip.add(path, archived(content)))
  return Buffer.concat([...parts, ...zip.end()])
}

test('writes files that read back', () => {
  const read = [...unzip(archiveOf('2026-01-02T03:04:05Z'))]
  assert.deepEqual(
    read.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
    Object.entries(FILES),
  )
})

test('writes equal bytes for equal files', () => {
  assert.deepEqual(archiveOf('2026-01-02T03:04:05Z'), archiveOf('2026-01-02T03:04:05Z'))
})

test('compresses what becomes shorter, and keeps what does not', () => {
  const [long, short] = [archived(FILES['text.md']!), archived('short')]
  assert(long.isDeflated && long.data.length < 100)
  assert(!short.isDeflated && short.data.length === 5)
  for (const [file, content] of [
    [long, FILES['text.md']],
    [short, 'short'],
  ] as const)
    assert.equal(Buffer.from(archivedContent(file)).toString(), content)
})
