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
  const { pages, problems } = await readImport(task, 'acme')

  assert.deepEqual(problems, [
    {
      path: 'costly.md',
      message: 'cannot be read as Markdown and is shown as its source: it would take too long to parse',
    },
  ])
  const sources = pages.map((page) => (page.kind === 'document' ? page.source : undefined))
  assert.deepEqual(sources, ['# Fine', costly])
})
