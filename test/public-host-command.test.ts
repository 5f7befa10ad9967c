/** The command line on a server whose public host does not resolve there. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeLocal } from '../src/installation/setup.ts'
import { archiveOf } from './importing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const PUBLIC = 'https://docs.invalid'
const folder = temporaryFolder()
after(() => folder.remove())
const { ada, app, config, db } = await createWorld({ LECTERN_URL: PUBLIC })
const address = app.address()
const archive = join(folder.path, 'guide.zip')
writeFileSync(archive, archiveOf({ 'README.md': '# Guide\n\n![](a.png)\n', 'a.png': 'x' }))

/** Imports the archive and exports the space in both forms, with these options. */
async function roundTrip(options: string[], env: Record<string, string>): Promise<void> {
  const imported = await runHere(['import', archive, '--new', '--no-site', ...options], env)
  assert.equal(imported.code, 0, imported.err)
  const [, location = '', id = ''] = /^Space +(\S+\/(\w+))$/m.exec(imported.out) ?? []
  assert(location.startsWith(`${PUBLIC}/`), 'the output names the public address')
  for (const [option, begin] of [
    ['--archive', /^PK/],
    ['--epub', /^PK/],
  ] as const) {
    const file = join(folder.path, `guide${option}.zip`)
    const saved = await runHere(['export', id, option, file, ...options], env)
    assert.equal(saved.code, 0, saved.err)
    assert.match(readFileSync(file, 'latin1'), begin)
  }
}

test('uploads and downloads go to the address that was asked', async () => {
  await roundTrip(['--url', address, '--token', ada.token], {})
})

test('without --url, the command calls the address at which the server of this machine listens', async () => {
  const { services } = app
  await writeLocal(db, config, services.sealing, { url: PUBLIC, address }, new Date(), services.newId)
  await roundTrip([], { LECTERN_DATA: config.data })
  await roundTrip(['--url', address], { LECTERN_DATA: config.data })
})
