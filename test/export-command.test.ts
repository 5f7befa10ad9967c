/** `lectern export`: a client of the running server. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeLocal } from '../src/installation/setup.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const { app, config, db, url } = await createWorld()
// Beside the data of a server on the same machine, commands find its address and a token.
const place = { url, address: app.address() }
await writeLocal(db, config, app.services.sealing, place, new Date(), app.services.newId)
const { data } = config

test('saves a space as a file, and explains a wrong call', async () => {
  const env = { LECTERN_DATA: data }
  const source = join(folder.path, 'guide.md')
  writeFileSync(source, '# Guide\n\nSome text.\n')
  const imported = await runHere(['import', source], env)
  assert.equal(imported.code, 0, imported.err)
  const space = /^Space +\S*\/(\w+)$/m.exec(imported.out)?.[1] ?? ''

  const file = join(folder.path, 'guide.pdf')
  const saved = await runHere(['export', space, '--pdf', file], env)
  assert.equal(saved.code, 0, saved.err)
  assert.equal(saved.out.trim(), file)
  assert.match(readFileSync(file, 'latin1'), /^%PDF-/)

  const book = await runHere(['export', space, '--epub', join(folder.path, 'guide.epub')], env)
  assert.equal(book.code, 0, book.err)
  assert.match(readFileSync(join(folder.path, 'guide.epub'), 'latin1'), /^PK/)

  for (const args of [[], [space], ['unknown', '--pdf', file], [space, '--pdf', file, '--only']]) {
    const { code, err } = await runHere(['export', ...args], env)
    assert.equal(code, 1, args.join(' '))
    assert.doesNotMatch(err, /\n {4}at /)
  }
})
