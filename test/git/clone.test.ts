/** A space is a remote: clone and fetch with the git that is installed here. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startCopy } from '../copies.ts'
import { contentAt } from '../imports/syncing.ts'
import { unzip } from '../imports/zip.ts'
import { proposalsIn } from '../proposing.ts'
import { until } from '../waiting.ts'
import { createWorld } from '../world.ts'
import { cloneFolder, remoteOf } from './cloning.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { liveSpace, propose } = proposalsIn(world)
const { git, attempt, filesIn } = await cloneFolder()

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const FILES = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Ä b](guide/ä b.md)\n',
  'README.md': '# Home\n\nHello ![a](<.gitbook/assets/a b.png>)\n',
  'guide/README.md': '# Guide\n\n[Home](../README.md)\n',
  'guide/ä b.md': '# Ä b\n',
  '.gitbook/assets/a b.png': PIXEL.toString('latin1'),
}

let clones = 0
async function clone(space: string, token = ada.token) {
  const name = `clone-${++clones}`
  await git('clone', '--quiet', remoteOf(world, organizationId, idOf(space), token), name)
  return name
}

const idOf = (space: string) => space.split('/').at(-1)!
const headOf = async (name: string) => (await git('-C', name, 'rev-parse', 'HEAD')).trim()

async function edit(space: string, title: string, markdown: string) {
  const page = (await contentAt(world, space)).pages.find((one) => one.title === title)
  const change = page
    ? { operation: 'update_page', page: page.id, document: { markdown } }
    : { operation: 'insert_page', title, document: { markdown } }
  const answer = await ada(`POST ${space}/content`, { changes: [change] })
  assert.equal(answer.status, 200, answer.text)
}

/** The files of the archive of a space. */
async function exported(space: string): Promise<Record<string, string>> {
  const { body } = await ada(`GET ${space}/content/export`)
  const bytes = Buffer.from(await (await fetch(body.url as string)).arrayBuffer())
  const files = [...unzip(bytes)].filter(([path]) => !path.startsWith('.lectern/'))
  return Object.fromEntries(files.map(([path, content]) => [path, content.toString('latin1')]))
}

test('a clone has the files of the export, and one commit for each revision', async () => {
  const space = await liveSpace(FILES)
  await edit(space, 'Guide', '# Guide\n\nMore.\n')
  await edit(space, 'New', 'A page without a file.\n')

  const name = await clone(space)
  assert.deepEqual(await filesIn(name), await exported(space))
  const { body } = await ada(`GET ${space}/revisions`)
  const commits = (await git('-C', name, 'log', '--format=%(trailers:key=Lectern-Revision,valueonly)%x00'))
    .split('\0')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  assert.deepEqual(
    commits,
    (body.items as { id: string }[]).map(({ id }) => id),
  )
  await git('-C', name, 'fsck', '--strict', '--full')
})

test('a commit has the author, the time and the subject of its revision, and no e-mail address', async () => {
  const space = await liveSpace(FILES)
  const grace = await world.person('Grace <Hopper>', 'edit')
  const change = await propose(space, { 'README.md': '# Home\n\nMerged.\n' }, 'Say\nmore: "now"')
  await grace(`POST ${change}/merge`)
  const merged = await ada(`POST ${change}/merge`)
  assert.equal(merged.status, 200, merged.text)

  const name = await clone(space)
  const { body } = await ada(`GET ${space}/revisions`)
  const [newest] = body.items as { id: string; createdAt: string; createdBy: { id: string } }[]
  const shown = await git('-C', name, 'log', '-1', '--format=%ae%n%at%n%cn%n%B')
  const [address, seconds, , subject, , ...trailers] = shown.trim().split('\n')
  assert.equal(address, `${ada.id}@users.invalid`)
  assert.equal(Number(seconds), Math.floor(Date.parse(newest!.createdAt) / 1000))
  assert.equal(subject, 'Say more: "now"')
  assert.deepEqual(trailers, ['Lectern-Change-Request: 1', `Lectern-Revision: ${newest!.id}`])
  assert.doesNotMatch(await git('-C', name, 'log', '--format=fuller'), /example\.com/)
})

test('the ids are the same in each clone, without the cache, on another copy, and after a user has another name', async () => {
  const space = await liveSpace(FILES)
  const joan = await world.person('Joan', 'edit')
  const change = { operation: 'insert_page', title: 'Of Joan', document: { markdown: 'Text\n' } }
  assert.equal((await joan(`POST ${space}/content`, { changes: [change] })).status, 200)
  const first = await headOf(await clone(space))
  await world.db.write((tx) =>
    tx.updateTable('user').set({ displayName: 'Joanna' }).where('id', '=', joan.id).execute(),
  )
  assert.equal(await headOf(await clone(space)), first)

  await rm(join(world.config.data, 'git'), { recursive: true })
  assert.equal(await headOf(await clone(space)), first)

  const data = await mkdtemp(join(tmpdir(), 'lectern-copy-'))
  after(() => rm(data, { recursive: true, force: true }))
  for (const entry of await readdir(world.config.data))
    if (entry !== 'git') await symlink(join(world.config.data, entry), join(data, entry))
  const copy = await startCopy({ ...world, config: { ...world.config, data } })
  const remote = remoteOf({ ...world, url: copy.url }, organizationId, idOf(space), ada.token)
  assert.equal((await git('ls-remote', remote, 'HEAD')).split('\t')[0], first)
  await copy.close()

  const log = await git('-C', await clone(space), 'log', '-1', '--format=%an')
  assert.equal(log.trim(), 'Joan')
})

test('a fetch after one edit gets the objects of one edit', async () => {
  const pages = Array.from({ length: 60 }, (_, nth) => `page-${nth}.md`)
  const files = Object.fromEntries(
    pages.map((path) => [path, `# ${path}\n\n${'Words of a page. '.repeat(50)}\n`]),
  )
  const space = await liveSpace(files)
  const name = await clone(space)
  await edit(space, 'page-7.md', '# page-7.md\n\nOther words.\n')
  const before = await countObjects(name)
  await git('-C', name, 'pull', '--quiet')
  assert.deepEqual(await filesIn(name), await exported(space))
  // A commit, a folder and a page.
  assert.equal((await countObjects(name)) - before, 3)
})

async function countObjects(name: string): Promise<number> {
  const { 'count:': loose, 'in-pack:': packed } = Object.fromEntries(
    (await git('-C', name, 'count-objects', '-v')).split('\n').map((line) => line.split(' ')),
  ) as Record<string, string>
  return Number(loose) + Number(packed)
}

test('open change requests are refs, on top of the revision that they include', async () => {
  const space = await liveSpace(FILES)
  const change = await propose(space, { 'README.md': '# Home\n\nProposed.\n' }, 'First')
  await edit(space, 'Guide', '# Guide\n\nMeanwhile.\n')
  const name = await clone(space)
  const refs = async () => {
    const remote = await git('-C', name, 'ls-remote', 'origin', 'refs/changes/*')
    return remote.trim() === ''
      ? []
      : remote
          .trim()
          .split('\n')
          .map((line) => line.split('\t')[1])
  }
  assert.deepEqual(await refs(), ['refs/changes/1'])
  await git('-C', name, 'fetch', '--quiet', 'origin', 'refs/changes/1')
  assert.equal(await git('-C', name, 'diff', '--name-only', 'FETCH_HEAD~', 'FETCH_HEAD'), 'README.md\n')
  assert.equal(
    (await git('-C', name, 'rev-parse', 'FETCH_HEAD~')).trim(),
    (await git('-C', name, 'rev-parse', 'origin/main~')).trim(),
  )
  const subject = await git(
    '-C',
    name,
    'log',
    '-1',
    '--format=%s %(trailers:key=Lectern-Change-Request,valueonly)',
    'FETCH_HEAD',
  )
  assert.equal(subject.trim(), 'First 1')

  await ada(`POST ${change}/update`)
  await git('-C', name, 'fetch', '--quiet', 'origin', '+refs/changes/1:changes/1')
  assert.equal(
    (await git('-C', name, 'rev-parse', 'refs/heads/changes/1~', '--')).trim().split('\n')[0],
    (await git('-C', name, 'rev-parse', 'origin/main')).trim(),
  )
  await ada(`PATCH ${change}`, { status: 'archived' })
  assert.deepEqual(await refs(), [])
  await git('-C', name, 'fsck', '--strict', '--full')
})

test('a clone needs a token of a user who can read the space', async () => {
  const space = await liveSpace(FILES)
  await ada(`PATCH ${space}`, { defaultLevel: null })
  const id = idOf(space)
  const stranger = await world.stranger('Mallory')
  const guest = await world.person('Guest', null)
  const reader = await world.person('Reader', 'read')
  const readOnly = (await ada('POST /v1/user/tokens', { label: 'ro', readOnly: true })).body.token as string
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const short = (await ada('POST /v1/user/tokens', { label: 'short', expiresAt })).body.token as string

  const status = async (token: string, organization = organizationId, spaceId = id) => {
    const response = await fetch(
      `${world.url}/git/${organization}/${spaceId}.git/info/refs?service=git-upload-pack`,
      token === '' ? {} : { headers: { authorization: `Basic ${btoa(`x:${token}`)}` } },
    )
    return [response.status, await response.text(), response.headers.get('www-authenticate')] as const
  }
  const [code, text, challenge] = await status('')
  assert.deepEqual([code, challenge], [401, 'Basic realm="Lectern", charset="UTF-8"'])
  assert.match(text, /^Send an API token as the password/)
  assert.equal((await status('lec_wrong'))[0], 401)
  assert.equal((await status(ada.token))[0], 200)
  assert.equal((await status(readOnly))[0], 200)
  assert.equal((await status(short))[0], 200)
  world.clock.now = new Date(Date.now() + 120_000)
  assert.equal((await status(short))[0], 401)
  world.clock.now = undefined

  const absent = await status(ada.token, organizationId, 'absent')
  assert.equal(absent[0], 404)
  for (const caller of [stranger, guest, reader]) assert.deepEqual(await status(caller.token), absent)
  assert.deepEqual(await status(ada.token, stranger.organizationId), absent)
  assert.deepEqual(await status(ada.token, organizationId, '..%2f..'), absent)

  await ada(`POST ${space}/permissions`, { users: [guest.id], role: 'read' })
  assert.equal((await status(guest.token))[0], 200)
  await git('clone', '--quiet', remoteOf(world, organizationId, id, guest.token), 'of-guest')
  await ada(`DELETE ${space}`)
  assert.deepEqual(await status(ada.token), absent)

  const failed = await attempt('clone', remoteOf(world, organizationId, id, stranger.token), 'none')
  assert.match(failed.err, /not found/)
  const untold = await attempt('clone', remoteOf(world, organizationId, id, 'lec_wrong'), 'none')
  assert.match(untold.err, /Authentication failed/)
})

test('a session of a browser and the tokens of other kinds clone nothing', async () => {
  const space = await liveSpace(FILES)
  const address = `${world.url}/git/${organizationId}/${idOf(space)}.git/info/refs?service=git-upload-pack`
  const cookie = await fetch(address, { headers: { cookie: 'lectern_session=x' } })
  assert.equal(cookie.status, 401)
  const made = await ada(`POST /v1/orgs/${organizationId}/scim/token`)
  if (made.status < 300) {
    const scim = await fetch(address, { headers: { authorization: `Bearer ${made.body.token}` } })
    assert.equal(scim.status, 401)
  }
})

test('old clients, shallow and partial clones, and a repository that is damaged', async () => {
  const space = await liveSpace(FILES)
  for (let nth = 0; nth < 3; nth++) await edit(space, 'Guide', `# Guide\n\n${nth}\n`)
  const remote = remoteOf(world, organizationId, idOf(space), ada.token)
  for (const version of ['0', '1', '2'])
    await git('-c', `protocol.version=${version}`, 'clone', '--quiet', remote, `version-${version}`)
  assert.deepEqual(await filesIn('version-0'), await filesIn('version-2'))
  await git('clone', '--quiet', '--depth=1', remote, 'shallow')
  assert.equal((await git('-C', 'shallow', 'rev-list', '--count', 'HEAD')).trim(), '1')
  await git('clone', '--quiet', '--filter=blob:none', remote, 'partial')
  assert.deepEqual(await filesIn('partial'), await filesIn('version-2'))

  const cache = join(world.config.data, 'git', `${idOf(space)}.git`)
  await rm(join(cache, 'objects'), { recursive: true })
  await edit(space, 'Guide', '# Guide\n\nAgain\n')
  const damaged = await attempt('clone', '--quiet', remote, 'damaged')
  assert.notEqual(damaged.code, 0)
  await git('clone', '--quiet', remote, 'whole')
  assert.deepEqual(await filesIn('whole'), await exported(space))
})

test('the right of a caller is checked before the body is read', async () => {
  const space = await liveSpace(FILES)
  const stranger = await world.stranger('Mallory, who sends nothing')
  const statusOf = async (token: string) => {
    const sending = request(`${world.url}/git/${organizationId}/${idOf(space)}.git/git-upload-pack`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-git-upload-pack-request',
        'content-length': 1_000_000,
      },
      // The body never comes, so a server that waits for it never responds.
      signal: AbortSignal.timeout(30_000),
    })
    sending.flushHeaders()
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    sending.on('error', () => undefined).destroy()
    return response.statusCode
  }
  assert.equal(await statusOf(stranger.token), 404)
  assert.equal(await statusOf('lec_wrong'), 401)
})

test('requests that are not of git, too large or not compressed are refused', async () => {
  const space = await liveSpace(FILES)
  const address = `${world.url}/git/${organizationId}/${idOf(space)}.git`
  const headers = { authorization: `Bearer ${ada.token}` }
  const plain = await fetch(`${address}/info/refs`, { headers })
  assert.equal(plain.status, 400)
  assert.match(await plain.text(), /smart HTTP/)
  assert.equal((await fetch(`${address}/info/refs?service=git-evil`, { headers })).status, 404)

  const post = async (body: Buffer, more: Record<string, string> = {}) => {
    const sent = { ...headers, 'content-type': 'application/x-git-upload-pack-request', ...more }
    const response = await fetch(`${address}/git-upload-pack`, { method: 'POST', body, headers: sent })
    return [response.status, await response.text()]
  }
  const zipped = { 'content-encoding': 'gzip' }
  const tooLarge = [413, 'The request of git is larger than 4 MB\n']
  assert.deepEqual(await post(gzipSync(Buffer.alloc(200 * 1024 * 1024)), zipped), tooLarge)
  assert.equal((await post(Buffer.alloc(5 * 1024 * 1024)))[0], 413)
  assert.deepEqual(await post(Buffer.from('not gzip'), zipped), [
    400,
    'The body of the request cannot be read\n',
  ])
  assert.deepEqual(await post(Buffer.from('0009nonsense')), [200, ''])
  await clone(space)
})

test('files that harm a clone are left out of it', async () => {
  const space = await liveSpace({
    'SUMMARY.md':
      '# Table of contents\n\n* [Home](README.md)\n* [Hook](<guide/.Git/hook.md>)\n* [Quoted](<"quoted" \u202e.md>)\n* [Short](git~1/a.md)\n',
    'README.md': '# Home\n\n![x](.gitbook/assets/.gitmodules)\n',
    'guide/.Git/hook.md': '# Hook\n',
    'git~1/a.md': '# Short\n',
    '"quoted" \u202e.md': '# Quoted\n',
    '.gitbook/assets/.gitmodules': '[submodule "x"]\n\tpath = -x\n\turl = -u./payload\n',
  })
  const listed = Object.keys(await exported(space))
  const name = await clone(space)
  const files = Object.keys(await filesIn(name))
  assert.deepEqual(listed.filter((path) => !files.includes(path)).toSorted(), [
    '.gitbook/assets/.gitmodules',
    'git~1/a.md',
    'guide/.Git/hook.md',
  ])
  await git('-C', name, '-c', 'core.protectNTFS=true', '-c', 'core.protectHFS=true', 'fsck', '--strict')
})

test('a request ends its process when its client leaves', { skip: !existsSync('/proc/self') }, async () => {
  const words = Array.from({ length: 700_000 }, () => Math.random().toString(36).slice(2)).join('')
  const space = await liveSpace({ ...FILES, '.gitbook/assets/a b.png': words })
  const head = await headOf(await clone(space))
  const leaving = new AbortController()
  const address = `${world.url}/git/${organizationId}/${idOf(space)}.git/git-upload-pack`
  const headers = {
    authorization: `Bearer ${ada.token}`,
    'content-type': 'application/x-git-upload-pack-request',
    'git-protocol': 'version=2',
  }
  // More than the buffers of a connection hold, and nobody reads it.
  const body = ['0011command=fetch', '0001', pkt(`want ${head}\n`), pkt('done\n'), '0000'].join('')
  const response = await fetch(address, { method: 'POST', headers, body, signal: leaving.signal })
  assert.equal(response.status, 200)
  await until(() => servers() === 1, 'the process did not start')
  leaving.abort()
  await until(() => servers() === 0, 'the process did not end')

  /** How many processes serve the repository. */
  function servers(): number {
    const ids = readdirSync('/proc').filter((one) => /^\d+$/.test(one))
    return ids.map(commandOf).filter((line) => line.includes('upload-pack') && line.includes(idOf(space)))
      .length
  }
})

const pkt = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line

function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
