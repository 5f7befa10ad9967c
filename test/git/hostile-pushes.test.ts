/** Pushes that want to harm the server, or a clone of others: each is refused, and leaves nothing. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { contentAt } from '../imports/syncing.ts'
import { proposalsIn } from '../proposing.ts'
import { until } from '../waiting.ts'
import { createWorld } from '../world.ts'
import { cloneFolder, remoteOf } from './cloning.ts'

// Its own folder, so that what a push leaves is seen.
const temporary = await mkdtemp(join(tmpdir(), 'lectern-hostile-'))
const usual = process.env.TMPDIR
after(async () => {
  // The other files of the group have their folders where they are usually.
  if (usual === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = usual
  await rm(temporary, { recursive: true, force: true })
})
const world = await createWorld({ LECTERN_MAX_UPLOAD: '1000000' })
const { ada, organizationId } = world
const { liveSpace } = proposalsIn(world)
const { folder, git, attempt } = await cloneFolder()
process.env.TMPDIR = temporary

const FILES = {
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
  'README.md': '# Home\n\nHello.\n',
}
const space = await liveSpace(FILES)
const id = space.split('/').at(-1)!
const remote = remoteOf(world, organizationId, id, ada.token)
await git('clone', '--quiet', remote, 'work')
const main = (await git('-C', 'work', 'rev-parse', 'HEAD')).trim()
const content = await contentAt(world, space)

/** Checks that a push has changed nothing, and that the next one works. */
async function isHarmless() {
  assert.deepEqual(await contentAt(world, space), content)
  const { body } = await ada(`GET ${space}/change-requests`)
  assert.deepEqual(body.items, [])
  assert.deepEqual((await git('ls-remote', remote)).trim().split(/\s+/), [
    main,
    'HEAD',
    main,
    'refs/heads/main',
  ])
  await until(() => leftOver().length === 0, 'the push left something')
}

const leftOver = () => readdirSync(temporary).filter((name) => name.startsWith('lectern-push-'))

const pkt = (line: string) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line
const NONE = '0'.repeat(40)

async function post(body: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.url}/git/${organizationId}/${id}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/x-git-receive-pack-request',
      ...headers,
    },
    body: new Uint8Array(body),
  })
  return { status: response.status, text: await response.text() }
}

const command = (oid: string, before = NONE, ref = 'refs/heads/bad') =>
  Buffer.from(`${pkt(`${before} ${oid} ${ref}\0report-status`)}0000`)
const pushPack = (oid: string, pack: Buffer) => post(Buffer.concat([command(oid), pack]))

/** A pack of objects as they are given: the type, the declared size, and what follows it. */
function packOf(objects: readonly { type: number; size: number; base?: string; data: Buffer }[]): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(objects.length, 8)
  const parts = [head]
  for (const { type, size, base, data } of objects) {
    const bytes = [(type << 4) | (size % 16)]
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      bytes[bytes.length - 1]! |= 0x80
      bytes.push(rest % 128)
    }
    parts.push(Buffer.from(bytes), Buffer.from(base ?? '', 'hex'), deflateSync(data))
  }
  const whole = Buffer.concat(parts)
  return Buffer.concat([whole, createHash('sha1').update(whole).digest()])
}

/** A number in a delta, seven bits at a time. */
function deltaSize(size: number): number[] {
  const bytes = [size % 128]
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest % 128)
  }
  return bytes
}

/** A commit with a tree of the given bytes, as an object of the working repository. */
async function commitWithTree(
  entries: readonly [mode: string, name: string, oid: string][],
): Promise<string> {
  const parts = entries.flatMap(([mode, name, oid]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(oid, 'hex'),
  ])
  await writeFile(join(folder, 'tree'), Buffer.concat(parts))
  const tree = await git('-C', 'work', 'hash-object', '-t', 'tree', '-w', '--literally', '../tree')
  return (await git('-C', 'work', 'commit-tree', '-p', main, '-m', 'Bad', tree.trim())).trim()
}

test('trees with links, submodules and paths that escape are refused', async () => {
  const blob = (await git('-C', 'work', 'rev-parse', 'HEAD:README.md')).trim()
  const tree = (await git('-C', 'work', 'rev-parse', 'HEAD^{tree}')).trim()
  const summary = (await git('-C', 'work', 'rev-parse', 'HEAD:SUMMARY.md')).trim()
  const bad: [mode: string, name: string, oid: string][] = [
    ['120000', 'link.md', blob],
    ['160000', 'module', main],
    ['40000', '.git', tree],
    ['40000', '..', tree],
    ['40000', '.GIT', tree],
    ['40000', 'git~1', tree],
    ['100644', '.gitmodules', blob],
    ['100644', 'a\\b.md', blob],
    ['100644', '.gitattributes', blob],
    ['100644', '../x.md', blob],
  ]
  for (const entry of bad) {
    const entries = [entry, ['100644', 'README.md', blob], ['100644', 'SUMMARY.md', summary]] as typeof bad
    const oid = await commitWithTree(entries.toSorted(([, a], [, b]) => (a < b ? -1 : 1)))
    for (const ref of ['refs/heads/bad', 'refs/heads/main']) {
      const { code, err } = await attempt('-C', 'work', 'push', remote, `${oid}:${ref}`)
      assert.notEqual(code, 0, entry[1])
      assert.match(err, /remote rejected|remote unpack failed/, entry[1])
    }
  }
  await isHarmless()
})

test('packs that are cut off, lack objects, or lie about sizes are refused', async () => {
  await git('-C', 'work', 'commit', '--quiet', '--allow-empty', '--message', 'Empty')
  const oid = (await git('-C', 'work', 'rev-parse', 'HEAD')).trim()
  await writeFile(join(folder, 'wanted'), `${oid}\n`)
  const raw = Buffer.from(await git('-C', 'work', 'cat-file', 'commit', oid))
  const whole = packOf([{ type: 1, size: raw.length, data: raw }])
  const lost = Buffer.from(raw.toString().replace(/^tree .*/, `tree ${'1'.repeat(40)}`))
  const lostId = createHash('sha1').update(`commit ${lost.length}\0`).update(lost).digest('hex')
  const orphan = Buffer.from(raw.toString().replace(/^parent .*/m, `parent ${'2'.repeat(40)}`))
  const orphanId = createHash('sha1').update(`commit ${orphan.length}\0`).update(orphan).digest('hex')
  const base = Buffer.from('base')
  const baseId = createHash('sha1').update('blob 4\0').update(base).digest('hex')
  const bomb = Buffer.from([...deltaSize(4), ...deltaSize(2 ** 40), 0x90, 4])
  const commit = { type: 1, size: raw.length, data: raw }
  const cases: [string, string, Buffer][] = [
    ['nothing', oid, Buffer.alloc(0)],
    ['no pack', oid, Buffer.from('PACKED, but not so')],
    ['half', oid, whole.subarray(0, whole.length >> 1)],
    ['wrong sum', oid, Buffer.concat([whole.subarray(0, -1), Buffer.from([whole.at(-1)! ^ 1])])],
    ['no tree', lostId, packOf([{ type: 1, size: lost.length, data: lost }])],
    ['no parent', orphanId, packOf([{ type: 1, size: orphan.length, data: orphan }])],
    ['no base', oid, packOf([commit, { type: 7, size: 2, base: '3'.repeat(40), data: Buffer.from([0, 0]) }])],
    [
      'a bomb',
      oid,
      packOf([
        commit,
        { type: 3, size: 4, data: base },
        { type: 7, size: bomb.length, base: baseId, data: bomb },
      ]),
    ],
    ['a huge blob', oid, packOf([commit, { type: 3, size: 2 ** 50, data: base }])],
    ['a huge tree', oid, packOf([commit, { type: 2, size: 2 ** 50, data: base }])],
    ['another object', '4'.repeat(40), whole],
    ['a blob as commit', baseId, packOf([{ type: 3, size: 4, data: base }])],
  ]
  for (const [name, id_, pack] of cases) {
    const { status, text } = await pushPack(id_, pack)
    assert.equal(status, 200, name)
    assert.match(text, /ng refs\/heads\/bad /, `${name}: ${text}`)
  }
  await isHarmless()
})

test('a push that is larger than an upload may be is refused', async () => {
  const noise = randomBytes(3_000_000)
  const pack = packOf([{ type: 3, size: noise.length, data: noise }])
  const { text } = await pushPack(main, pack)
  assert.match(text, /unpack The push is larger than 1 MB/)
  await isHarmless()
})

test('requests that are no pushes are refused', async () => {
  assert.deepEqual(await post(Buffer.from('0000')), { status: 200, text: '' })
  assert.deepEqual(await post(gzipSync('0000'), { 'content-encoding': 'gzip' }), { status: 200, text: '' })
  const nonsense = [
    'nonsense',
    '0003',
    'ffff',
    pkt('too short'),
    pkt(`${NONE} ${main} refs/heads/a\nb`),
    `${pkt(`${NONE} ${main} `)}0000`,
  ]
  for (const body of nonsense) assert.equal((await post(Buffer.from(body))).status, 400, body)
  assert.equal((await post(Buffer.from('no zip'), { 'content-encoding': 'gzip' })).status, 400)
  const many = Array.from({ length: 9 }, (_, nth) =>
    pkt(`${NONE} ${main} refs/heads/b${nth}\0 report-status`),
  )
  assert.equal((await post(Buffer.from(`${many.join('')}0000`))).status, 400)
  for (const ref of [
    'HEAD',
    'refs/heads/..',
    'refs/heads/a.lock',
    'refs/heads/-a',
    'refs/../x',
    'refs/heads/HEAD',
    'refs/changes/1',
  ])
    assert.match((await post(Buffer.concat([command(main, NONE, ref), packOf([])]))).text, /ng /, ref)
  await isHarmless()
})

test(
  'a client that leaves while it sends ends the processes and leaves nothing',
  { skip: !existsSync('/proc/self') },
  async () => {
    const sending = request(`${world.url}/git/${organizationId}/${id}.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
    })
    sending.on('error', () => {})
    sending.write(
      Buffer.concat([
        command(main),
        packOf([{ type: 3, size: 4, data: Buffer.from('base') }]).subarray(0, 20),
      ]),
    )
    await until(() => readers() === 1, 'the process did not start')
    assert.equal(leftOver().length, 1)
    sending.destroy()
    await until(() => readers() === 0, 'the process did not end')
    await isHarmless()
  },
)

test('of two pushes at once, one wins, and the other has to fetch first', async () => {
  const raced = await liveSpace(FILES)
  const address = remoteOf(world, organizationId, raced.split('/').at(-1)!, ada.token)
  for (const ref of ['refs/heads/both', 'refs/heads/main']) {
    const names = ['one', 'two'].map((name) => `${name}-${ref.split('/').at(-1)}`)
    for (const name of names) {
      await git('clone', '--quiet', address, name)
      await writeFile(join(folder, name, 'README.md'), `# Home\n\nOf ${name}.\n`)
      await git('-C', name, 'commit', '--quiet', '--all', '--message', name)
    }
    const ends = await Promise.all(names.map((name) => attempt('-C', name, 'push', 'origin', `HEAD:${ref}`)))
    assert.deepEqual(ends.map(({ code }) => code === 0).toSorted(), [false, true], JSON.stringify(ends))
    assert.match(ends.find(({ code }) => code !== 0)!.err, /git pull|fetch first/)
  }
  assert.equal((await ada(`GET ${raced}/change-requests`)).body.items.length, 1)
  assert.equal((await ada(`GET ${raced}/revisions`)).body.items.length, 3)
})

/** How many processes read a pack of the space. */
function readers(): number {
  const ids = readdirSync('/proc').filter((one) => /^\d+$/.test(one))
  return ids.map(commandOf).filter((line) => line.includes('index-pack') && line.includes(id)).length
}

function commandOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
