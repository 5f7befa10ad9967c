/** What commands print of others' texts reaches no terminal as a control. */
import assert from 'node:assert/strict'
import { readFileSync, globSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { archiveOf } from './importing.ts'
import { type Ended, runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const OBEYED = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
/** A colour, a title of the window, an 8-bit sequence, another direction, and a line that looks like one of the command. */
const HOSTILE = 'a\u001b[31mb\u001b]0;c\u0007d\u009b2Je\u202ef\u2066g\rh'

function check(what: string, { out, err }: Ended): string {
  assert.doesNotMatch(out, OBEYED, what)
  assert.doesNotMatch(err, OBEYED, what)
  return out + err
}

test('every command prints the messages of a hostile server without controls', async () => {
  const message = `${HOSTILE}\nImported 1 page`
  const server = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 400, message } }))
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((listening) => server.once('listening', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const archive = join(folder.path, 'a.zip')
  writeFileSync(archive, archiveOf({ 'README.md': '# Home\n' }))
  const spec = join(folder.path, 'a.json')
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} }))
  const commands = [
    ['import', archive],
    ['import', archive, '--space', 'x'],
    ['sync', archive, '--space', 'x'],
    ['links', 'x'],
    ['export', 'x', '--pdf', join(folder.path, 'a.pdf')],
    ['export', 'x', '--epub', join(folder.path, 'a.epub')],
    ['export', 'x', '--archive', join(folder.path, 'b.zip')],
    ['openapi', 'publish', spec],
  ]
  for (const command of commands) {
    const ended = await runHere([...command, '--url', url, '--token', 'x'], { LECTERN_DATA: folder.path })
    const text = check(command.join(' '), ended)
    assert.equal(ended.code, 1, text)
    assert.match(text, /\\u009b/, command.join(' '))
    assert.doesNotMatch(text, /^Imported/m, 'a message is one line')
  }
})

test('commands print titles, addresses, names of files and their own arguments without controls', async () => {
  const world = await createWorld()
  const { ada, organizationId, url } = world
  const server = ['--url', url, '--token', ada.token]
  const env = {
    LECTERN_DATA: world.config.data,
    LECTERN_URL: url,
    ...(world.config.databaseUrl ? { DATABASE_URL: world.config.databaseUrl } : {}),
  }
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: HOSTILE })
  const archive = join(folder.path, 'hostile.zip')
  const text = '# T\u009b31m\u202ex\n\n[x](<gone\u009b31m.md>) ![](<p\u202e.png>)\n'
  writeFileSync(archive, archiveOf({ 'README.md': text, 'b\u202e.md': text }))
  const imported = await runHere(['import', archive, '--space', space.id, ...server], env)
  assert.equal(imported.code, 0, check('import', imported))
  const unnamed = join(folder.path, 'refused.zip')
  writeFileSync(unnamed, archiveOf({ 'b\u009b.md': text }))
  assert.match(check('a refused name', await runHere(['import', unnamed, ...server], env)), /\\u009b/)
  const links = await runHere(['links', space.id, ...server], env)
  assert.match(check('links', links), /\\u009b31m/)
  check('reindex', await runHere(['reindex', space.id], env))
  const spec = (title: string) => {
    const file = join(folder.path, `${title}.json`)
    const paths = { [`/${title}${HOSTILE}`]: { get: { responses: { 200: { description: 'x' } } } } }
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths }))
    return file
  }
  const diff = await runHere(['openapi', 'diff', spec('a'), spec('b')], env)
  assert.match(check('diff', diff), /\\u009b/)
  for (const command of [
    [HOSTILE],
    ['links', HOSTILE, ...server],
    ['reset-password', HOSTILE],
    ['import', HOSTILE, ...server],
  ])
    assert.match(check('an argument', await runHere(command, env)), /u009b/)
})

test('commands print in one place', () => {
  const printing = globSync(['src/main.ts', 'src/commands/**/*.ts'], { cwd: join(import.meta.dirname, '..') })
    .filter((file) => !file.endsWith('commands/print.ts'))
    .filter((file) =>
      /\bconsole\.|process\.std(?:out|err)\.write/.test(
        readFileSync(join(import.meta.dirname, '..', file), 'utf8'),
      ),
    )
  assert.deepEqual(printing, [])
})
