import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { BlobTooLarge } from '../../src/blobs/blobs.ts'
import type { Blobs, ByteRange, OpenBlob } from '../../src/blobs/blobs.ts'
import { openDiskBlobs } from '../../src/blobs/disk.ts'
import { s3Blobs } from '../../src/blobs/s3.ts'
import { firstOf, inLongRun } from '../effort.ts'
import { startS3 } from './s3-server.ts'
import type { S3Server } from './s3-server.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const absent = sha256(Buffer.from('never stored'))

let folder = ''
let s3: S3Server

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'))
  s3 = await startS3(join(folder, 's3'))
})

after(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

async function* pieces(...chunks: Uint8Array[]) {
  yield* chunks
}

async function read(blob: OpenBlob | undefined): Promise<string> {
  assert.ok(blob, 'the blob is there')
  return Buffer.concat(await blob.stream.toArray()).toString()
}

for (const kind of ['disk', 's3'] as const) {
  describe(`blobs on ${kind}`, () => {
    let blobs: Blobs

    before(async () => {
      blobs = kind === 'disk' ? await openDiskBlobs(join(folder, 'disk')) : s3Blobs(s3.options)
    })

    test('bytes are returned as they were put, under their SHA-256', async () => {
      const bytes = randomBytes(3_000_000)
      const stored = await blobs.put(bytes)

      assert.deepEqual(stored, { hash: sha256(bytes), size: bytes.length })
      const found = await blobs.get(stored.hash)
      assert.equal(found?.size, bytes.length)
      assert.ok(bytes.equals(Buffer.concat((await found?.stream.toArray()) ?? [])))
    })

    test('a stream has the same hash as its bytes', async () => {
      const stored = await blobs.put(pieces(Buffer.from('one '), Buffer.from('two')))

      assert.deepEqual(stored, { hash: sha256(Buffer.from('one two')), size: 7 })
      assert.equal(await read(await blobs.get(stored.hash)), 'one two')
      assert.deepEqual(await blobs.put(Buffer.from('one two')), stored)
    })

    test('an empty blob is a blob', async () => {
      for (const content of [new Uint8Array(), pieces()]) {
        const stored = await blobs.put(content)

        assert.deepEqual(stored, { hash: sha256(Buffer.alloc(0)), size: 0 })
        assert.equal(await read(await blobs.get(stored.hash)), '')
      }
    })

    test('a view into a larger buffer stores only its part', async () => {
      const view = new Uint8Array(Buffer.from('..shown..')).subarray(2, 7)

      assert.equal(await read(await blobs.get((await blobs.put(view)).hash)), 'shown')
    })

    test('ranges are half-open, and end at the end of the blob', async () => {
      const { hash } = await blobs.put(Buffer.from('0123456789'))
      const cases: [ByteRange, string][] = [
        [{ start: 0 }, '0123456789'],
        [{ start: 0, end: 1 }, '0'],
        [{ start: 3, end: 6 }, '345'],
        [{ start: 7 }, '789'],
        [{ start: 8, end: 100 }, '89'],
        [{ start: 4, end: 4 }, ''],
        [{ start: 10 }, ''],
        [{ start: 50, end: 60 }, ''],
      ]

      for (const [range, expected] of cases) {
        const found = await blobs.get(hash, range)
        assert.equal(found?.size, 10, 'the size of the whole')
        assert.equal(await read(found), expected, JSON.stringify(range))
      }
    })

    test('a missing blob is undefined, and removing it does nothing', async () => {
      assert.equal(await blobs.get(absent), undefined)
      assert.equal(await blobs.get(absent, { start: 1, end: 2 }), undefined)
      assert.equal(await blobs.get(absent, { start: 2, end: 2 }), undefined)
      assert.equal(await blobs.has(absent), false)
      assert.equal(await blobs.remove(absent), false)
    })

    test('an invalid hash never finds a blob', async () => {
      for (const name of ['', '../../etc/passwd', 'tmp', absent.toUpperCase(), `${absent}/`, `${absent}0`]) {
        assert.equal(await blobs.get(name), undefined, name)
        assert.equal(await blobs.has(name), false, name)
        assert.equal(await blobs.remove(name), false, name)
      }
    })

    test('a removed blob is missing, and can be put again', async () => {
      const { hash } = await blobs.put(Buffer.from('come and go'))
      assert.equal(await blobs.remove(hash), true)
      assert.equal(await blobs.has(hash), false)
      assert.equal(await blobs.get(hash), undefined)

      await blobs.put(Buffer.from('come and go'))
      assert.equal(await blobs.has(hash), true)
    })

    test('bytes put after the given time are not removed', async () => {
      const { hash } = await blobs.put(Buffer.from('put again'))
      const hourAgo = new Date(Date.now() - 3_600_000)
      assert.equal(await blobs.remove(hash, { unlessStoredAfter: hourAgo }), false)
      assert.equal(await blobs.has(hash), true)
      assert.equal(await blobs.remove(hash, { unlessStoredAfter: new Date(Date.now() + 60_000) }), true)
      assert.equal(await blobs.has(hash), false)
      assert.equal(await blobs.remove(hash, { unlessStoredAfter: hourAgo }), false)
    })

    test('bytes that are put while they are removed as old exist afterwards', async () => {
      const old = firstOf(
        Array.from({ length: 60 }, (_, number) => Buffer.from(`old ${number}`)),
        20,
      )
      await Promise.all(old.map((bytes) => blobs.put(bytes)))
      const unlessStoredAfter = new Date()
      // Some stores round times to the second.
      await new Promise((resume) => setTimeout(resume, 1100))

      for (let start = 0; start < old.length; start += 20) {
        await Promise.all(
          old.slice(start, start + 20).map(async (bytes) => {
            const removed = blobs.remove(sha256(bytes), { unlessStoredAfter })
            await Promise.all([removed, blobs.put(bytes)])
            assert.equal(await blobs.has(sha256(bytes)), true, `${await removed}`)
          }),
        )
      }
    })

    test('refuses more bytes than allowed, and stores nothing', async () => {
      const tooMuch = Buffer.alloc(2_000_001, 'x')

      await assert.rejects(blobs.put(tooMuch, { maxBytes: 2_000_000 }), BlobTooLarge)
      await assert.rejects(blobs.put(pieces(tooMuch), { maxBytes: 2_000_000 }), BlobTooLarge)
      assert.equal(await blobs.has(sha256(tooMuch)), false)
      assert.equal((await blobs.put(tooMuch, { maxBytes: 2_000_001 })).size, 2_000_001)
    })

    test('an endless stream is cut off at the limit', async () => {
      let sent = 0
      async function* endless() {
        for (;;) {
          sent += 65_536
          yield Buffer.alloc(65_536)
        }
      }

      await assert.rejects(blobs.put(endless(), { maxBytes: 1_000_000 }), BlobTooLarge)
      assert.ok(sent < 3_000_000, `${sent} bytes were taken`)
    })

    test('a failing stream stores nothing, and its error is passed on', async () => {
      async function* broken() {
        yield Buffer.from('half')
        throw new Error('the client went away')
      }

      await assert.rejects(blobs.put(broken()), { message: 'the client went away' })
      assert.equal(await blobs.has(sha256(Buffer.from('half'))), false)
    })

    test('twenty concurrent puts of the same bytes store one blob', async () => {
      const bytes = randomBytes(50_000)
      const stored = await Promise.all(Array.from({ length: 20 }, () => blobs.put(pieces(bytes))))

      assert.equal(new Set(stored.map(({ hash }) => hash)).size, 1)
      assert.equal((await blobs.get(sha256(bytes)))?.size, 50_000)
    })

    test('the list is ordered by hash, and can continue after any hash', async () => {
      const all = (await Array.fromAsync(blobs.list())).map(({ hash }) => hash)
      assert.deepEqual(all, all.toSorted())
      for (const mark of [all[0], all[Math.floor(all.length / 2)], all.at(-1)]) {
        const rest = (await Array.fromAsync(blobs.list(mark))).map(({ hash }) => hash)
        assert.deepEqual(rest, all.slice(all.indexOf(mark ?? '') + 1))
      }
    })

    test('the list contains every blob once, with its size', async () => {
      const stored = await blobs.put(Buffer.from('listed'))
      const listed = await Array.fromAsync(blobs.list())

      assert.equal(new Set(listed.map(({ hash }) => hash)).size, listed.length)
      const found = listed.find(({ hash }) => hash === stored.hash)
      assert.equal(found?.size, 6)
      assert.ok(Math.abs(Date.now() - Number(found?.storedAt)) < 60_000)
    })
  })
}

describe('blobs on disk', () => {
  const opened = async (name: string) => {
    const path = join(folder, name)
    return { path, blobs: await openDiskBlobs(path) }
  }

  test('a refused or failed put leaves no temporary file', async () => {
    const { path, blobs } = await opened('clean')
    await assert.rejects(blobs.put(Buffer.alloc(10), { maxBytes: 5 }))

    assert.deepEqual(await readdir(join(path, 'tmp')), [])
  })

  test('putting the same bytes again repairs a damaged blob and renews its time', async () => {
    const { path, blobs } = await opened('healing')
    const { hash } = await blobs.put(Buffer.from('whole'))
    const file = join(path, hash.slice(0, 2), hash)
    await writeFile(file, 'damaged')
    await utimes(file, 0, 0)

    await blobs.put(Buffer.from('whole'))
    assert.equal(await readFile(file, 'utf8'), 'whole')
    assert.ok((await stat(file)).mtimeMs > 1_000_000_000_000)
  })

  test('opening removes temporary files of dead processes, and no file that may still be written', async () => {
    const { path } = await opened('leftovers')
    const tmp = join(path, 'tmp')
    const dead = `${hostname()}~4194305~aaaaaaaaaaaa~1`
    const earlierWithOurNumber = `${hostname()}~${process.pid}~bbbbbbbbbbbb~1`
    const alive = `${hostname()}~${process.ppid}~cccccccccccc~1`
    const elsewhere = 'another-host~1~dddddddddddd~1'
    const old = 'another-host~2~eeeeeeeeeeee~1'
    for (const name of [dead, earlierWithOurNumber, alive, elsewhere, old])
      await writeFile(join(tmp, name), 'half')
    await utimes(join(tmp, old), 0, 0)

    await openDiskBlobs(path)
    assert.deepEqual((await readdir(tmp)).toSorted(), [alive, elsewhere].toSorted())
  })

  test('opening a second time does not disturb a put in progress', async () => {
    const { path, blobs } = await opened('busy')
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    async function* waiting() {
      yield Buffer.from('a')
      await gate
      yield Buffer.from('b')
    }
    const put = blobs.put(waiting())
    while ((await readdir(join(path, 'tmp'))).length === 0)
      await new Promise((resume) => setTimeout(resume, 5))

    await openDiskBlobs(path)
    release()
    assert.equal(await read(await blobs.get((await put).hash)), 'ab')
  })

  test('killing the process leaves every acknowledged blob complete, and no partial one', async () => {
    const path = join(folder, 'killed')
    const child = fork(new URL('./put-for-ever.ts', import.meta.url), [path])
    const acknowledged: string[] = []
    child.on('message', (hash: string) => acknowledged.push(hash))
    while (acknowledged.length < 20) await once(child, 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')

    const blobs = await openDiskBlobs(path)
    for (const hash of acknowledged) assert.equal(await blobs.has(hash), true)
    for await (const { hash } of blobs.list()) {
      const found = await blobs.get(hash)
      assert.equal(sha256(Buffer.concat((await found?.stream.toArray()) ?? [])), hash)
    }
    assert.deepEqual(await readdir(join(path, 'tmp')), [], 'the half blob is cleared away')
  })
})

describe('blobs on s3', () => {
  test('a signed URL serves the bytes with the type and name that it was signed for', async () => {
    const blobs = s3Blobs(s3.options)
    const { hash } = await blobs.put(Buffer.from('signed'))
    const contentDisposition = 'attachment; filename="a.txt"'
    const address = await blobs.presign?.(hash, {
      seconds: 60,
      contentType: 'text/plain',
      contentDisposition,
    })
    assert.ok(address)

    const answer = await fetch(address)
    assert.equal(await answer.text(), 'signed')
    assert.equal(answer.headers.get('content-type'), 'text/plain')
    assert.equal(answer.headers.get('content-disposition'), contentDisposition)
    const query = new URL(address).searchParams
    assert.equal(query.get('X-Amz-Expires'), '60')
    assert.match(query.get('X-Amz-Signature') ?? '', /^[0-9a-f]{64}$/)
  })

  test('a list of several pages is read to its end', { skip: inLongRun }, async () => {
    const blobs = s3Blobs(s3.options)
    const earlier = (await Array.fromAsync(blobs.list())).length
    const count = 1050
    const bytes = Array.from({ length: count }, (_, number) => Buffer.from(`page ${number}`))
    for (let start = 0; start < count; start += 50) {
      await Promise.all(bytes.slice(start, start + 50).map((each) => blobs.put(each)))
    }

    assert.equal((await Array.fromAsync(blobs.list())).length, earlier + count)
  })

  test('a wrong key is an error with the response of the service, never a missing blob', async () => {
    const blobs = s3Blobs({ ...s3.options, accessKeyId: 'WRONG' })

    await assert.rejects(blobs.get(absent), { message: /returned 403 InvalidAccessKeyId to GET/ })
    await assert.rejects(blobs.put(Buffer.from('x')), { message: /returned 403/ })
  })
})
