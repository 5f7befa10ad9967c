/** `lectern import`: a client of the running server. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { archiveOf } from './importing.ts'
import { run, startServer, temporaryFolder } from './process.ts'

const folder = temporaryFolder()
const data = join(folder.path, 'data')
const server = await startServer({ LECTERN_DATA: data, PORT: '0', LECTERN_LOG: 'silent' })
after(async () => {
  await server.stop()
  folder.remove()
})

const archive = join(folder.path, 'our-docs.zip')
writeFileSync(archive, archiveOf({ 'README.md': '# Hello\n\n![gone](gone.png)\n', 'guide.md': '# Guide\n' }))
const { token } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as { token: string }

test('imports an archive into a new space and publishes it, with the URL and token from the data folder', async () => {
  const { code, out, err } = await run(['import', archive], { LECTERN_DATA: data })
  assert.equal(code, 0, err)
  assert.match(out, /Imported 2 of 3 pages and files/)
  assert.match(out, /gone\.png/)
  const space = /Space {2}(\S+)/.exec(out)?.[1] ?? ''
  const site = /Site {3}(\S+)/.exec(out)?.[1] ?? ''
  assert.match(site, /^http:\/\/docs\.localhost:\d+\/our-docs\/$/)
  const answer = await fetch(space, { headers: { authorization: `Bearer ${token}` } })
  const body = (await answer.json()) as { title: string; urls: { published: string } }
  assert.deepEqual([body.title, body.urls.published], ['Our docs', site])
})

test('imports into an existing space, with the URL and token from options', async () => {
  const connection = ['--url', server.url, '--token', token]
  const first = await run(['import', archive, '--title', 'Elsewhere', '--no-site', ...connection])
  assert.equal(first.code, 0, first.err)
  assert.doesNotMatch(first.out, /Site/)
  const id = /spaces\/(\w+)/.exec(first.out)?.[1] ?? ''
  const locked = await run(['import', archive, '--space', id, ...connection])
  assert.equal(locked.code, 1)
  assert.match(locked.err, /locked/)
})

test('errors name the fault and the remedy, without a stack trace', async () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [['import'], {}, /Name one file/],
    [['import', 'nowhere.zip'], {}, /nowhere\.zip is not a file/],
    [['import', join(data, 'secret')], {}, /neither a \.zip archive nor a \.md file/],
    [
      ['import', archive],
      { LECTERN_DATA: join(folder.path, 'other') },
      /No server has been started .*npm start/,
    ],
    [['import', archive, '--url', 'http://127.0.0.1:9', '--token', 'x'], {}, /cannot be reached.*npm start/],
    [['import', archive, '--url', server.url, '--token', 'wrong'], {}, /Authorization: Bearer/],
  ]
  const runs = cases.map(async ([args, env, message]) => {
    const { code, err } = await run(args, { LECTERN_DATA: data, ...env })
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
    assert.doesNotMatch(err, /\n {4}at /)
  })
  await Promise.all(runs)
})
