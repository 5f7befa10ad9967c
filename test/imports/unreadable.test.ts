import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

import { readImport } from '../../src/imports/read.ts'
import { temporaryFolder } from '../process.ts'
import { zip } from './zip.ts'

test('a page that is not readable as Markdown is imported unchanged and reported by its path', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const costly = `# Costly\n\n${'_a__ '.repeat(100_000)}`
  const archive = zip([
    { name: 'README.md', content: '# Fine' },
    { name: 'costly.md', content: costly },
  ])
  const path = join(folder.path, 'docs.zip')
  writeFileSync(path, archive)
  const task = { source: 'zip', name: 'docs.zip', path } as const
  const sources: string[] = []
  const { problems } = await readImport(task, { user: 'acme' }, async (part) => {
    if ('documents' in part) sources.push(...part.documents.map(({ source }) => source))
  })

  assert.deepEqual(problems, [
    {
      kind: 'unreadable',
      reason: 'shown-as-source',
      parameters: { fault: 'it would take too long to parse', faultReason: 'too-long-to-parse' },
      path: 'costly.md',
      message: 'cannot be read as Markdown and is shown as its source: it would take too long to parse',
    },
  ])
  assert.deepEqual(sources, ['# Fine', costly])
})
