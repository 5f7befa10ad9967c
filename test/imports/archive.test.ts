import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { zipSync } from 'fflate'
import { ImportRefused } from '../../src/core/repository/refused.ts'
import { readArchive } from '../../src/imports/archive.ts'
import type { ArchiveLimits } from '../../src/core/repository/archive-limits.ts'
import { zip } from './zip.ts'
import type { ZipEntry } from './zip.ts'
import { corpusPath } from '../corpus.ts'
import { firstOf, isLongRun } from '../effort.ts'
import { holds } from '../property.ts'

async function refusal(archive: Buffer, limits?: ArchiveLimits): Promise<string> {
  try {
    await readArchive(archive, limits)
  } catch (error) {
    assert.ok(error instanceof ImportRefused, String(error))
    return error.message
  }
  return assert.fail('the archive was not refused')
}

const page: ZipEntry = { name: 'page.md', content: '# Page' }

async function textOf(archive: Buffer): Promise<Record<string, string>> {
  const files = await readArchive(archive)
  return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]))
}

describe('an archive', () => {
  test('is unpacked, with stored and deflated entries, and without folders', async () => {
    const archive = zip([
      { name: 'a/' },
      { name: 'a/b.md', content: 'deflated' },
      { name: 'c.md', content: 'stored', stored: true },
    ])

    assert.deepEqual(await textOf(archive), { 'a/b.md': 'deflated', 'c.md': 'stored' })
  })

  test('of another program is unpacked, from memory and from a file', async () => {
    const archive = Buffer.from(zipSync({ 'a.md': Buffer.from('a'), b: { 'ü (1).png': Buffer.from('b') } }))
    const folder = await mkdtemp(join(tmpdir(), 'archive-'))
    await writeFile(join(folder, 'a.zip'), archive)

    const expected = { 'a.md': 'a', 'b/ü (1).png': 'b' }
    assert.deepEqual(await textOf(archive), expected)
    assert.deepEqual([...(await readArchive(join(folder, 'a.zip'))).keys()], Object.keys(expected))
    await rm(folder, { recursive: true })
  })

  test('has files of every length, stored and deflated, from a file as from memory', async () => {
    const lengths = [0, 1, 63, 64, 1024 * 1024 - 1, 1024 * 1024, 3_000_000]
    const contentOf = (length: number) =>
      Buffer.from('0123456789 '.repeat(length / 11 + 1)).subarray(0, length)
    const noise = randomBytes(3_000_000)
    const archive = zip([
      ...lengths.flatMap((length) => [
        { name: `deflated/${length}`, content: contentOf(length) },
        { name: `stored/${length}`, content: contentOf(length), stored: true },
      ]),
      { name: 'noise', content: noise },
    ])
    const folder = await mkdtemp(join(tmpdir(), 'archive-'))
    await writeFile(join(folder, 'a.zip'), archive)

    for (const files of [await readArchive(archive), await readArchive(join(folder, 'a.zip'))]) {
      assert.equal(files.size, 2 * lengths.length + 1)
      assert.ok(files.get('noise')?.equals(noise))
      for (const length of lengths)
        for (const kind of ['deflated', 'stored'])
          assert.ok(files.get(`${kind}/${length}`)?.equals(contentOf(length)), `${kind}/${length}`)
    }
    await rm(folder, { recursive: true })
  })

  test('has its names in Unicode NFC, also if the entry does not declare UTF-8', async () => {
    const names = ['u\u0308.md', Buffer.from('schön.md')]
    const archive = zip([
      { name: names[0] ?? '' },
      { name: names[1] ?? '', flags: 0 },
      { name: Buffer.from([0x81, 0x2e]), flags: 0 },
    ])

    assert.deepEqual([...(await readArchive(archive)).keys()], ['ü.md', 'schön.md', 'ü.'])
  })

  test('omits files that operating systems add', async () => {
    const junk = [
      '__MACOSX/._page.md',
      '.DS_Store',
      'a/.DS_Store',
      '.git/config',
      'a/.git/hooks/x',
      'a/Thumbs.db',
      'a/._b',
    ]
    const archive = zip([
      ...junk.map((name) => ({ name })),
      page,
      { name: '.gitbook/assets/a.png' },
      { name: '.github/x' },
    ])

    assert.deepEqual(
      [...(await readArchive(archive)).keys()],
      ['page.md', '.gitbook/assets/a.png', '.github/x'],
    )
  })

  test('loses the one folder around a repository, and no other folder', async () => {
    const names = async (...all: string[]) => [
      ...(await readArchive(zip(all.map((name) => ({ name }))))).keys(),
    ]

    assert.deepEqual(await names('docs-main/', 'docs-main/SUMMARY.md', 'docs-main/a/b.md'), [
      'SUMMARY.md',
      'a/b.md',
    ])
    assert.deepEqual(await names('docs-main/.gitbook.yaml', 'docs-main/x.md'), ['.gitbook.yaml', 'x.md'])
    assert.deepEqual(await names('__MACOSX/x', 'docs/readme.md'), ['readme.md'])
    assert.deepEqual(await names('guide/one.md', 'guide/two.md'), ['guide/one.md', 'guide/two.md'])
    assert.deepEqual(await names('a/README.md', 'b/c.md'), ['a/README.md', 'b/c.md'])
    assert.deepEqual(await names('a/README.md', 'ab/c.md'), ['a/README.md', 'ab/c.md'])
    assert.deepEqual(await names('a/b/README.md'), ['a/b/README.md'])
  })

  test('can name the folder that it was made in', async () => {
    assert.deepEqual(
      await textOf(zip([{ name: './' }, { name: './a/' }, { name: './a/b.md', content: 'b' }])),
      { 'a/b.md': 'b' },
    )
  })

  test('keeps names that differ only in case apart', async () => {
    assert.deepEqual(
      await textOf(
        zip([
          { name: 'A.md', content: '1' },
          { name: 'a.md', content: '2' },
        ]),
      ),
      {
        'A.md': '1',
        'a.md': '2',
      },
    )
  })
})

describe('an archive is refused, and the message names the entry', () => {
  const names: [string, RegExp][] = [
    ['../evil.md', /"\.\.\/evil\.md\/?" points outside the archive/],
    ['a/../../evil.md', /points outside the archive/],
    ['a/..', /points outside the archive/],
    ['/etc/passwd', /is absolute/],
    ['C:/windows.md', /drive letter/],
    ['c:evil.md', /drive letter/],
    ['a\\..\\evil.md', /backslash/],
    ['\\\\host\\share', /backslash/],
    ['a\0.md', /"a\\u0000\.md\/?" contains control characters/],
    ['a\n.md', /control characters/],
    ['a//b.md', /not a plain path/],
    ['a/./b.md', /not a plain path/],
    ['./../a.md', /points outside the archive/],
    ['', /not a plain path|is absolute/],
  ]
  for (const [name, message] of names) {
    test(`for the name ${JSON.stringify(name)}`, async () => {
      assert.match(await refusal(zip([page, { name, content: 'x' }])), message)
      assert.match(await refusal(zip([{ name: `${name}/`, content: '' }, page])), message, 'as a folder')
    })
  }

  test('for a symbolic link and a device', async () => {
    assert.match(
      await refusal(zip([page, { name: 'link', content: '/etc/passwd', mode: 0o120777 }])),
      /"link" is a symbolic link/,
    )
    assert.match(await refusal(zip([page, { name: 'pipe', mode: 0o010644 }])), /"pipe" is not a file/)
    assert.equal(
      (
        await readArchive(
          zip([
            { ...page, mode: 0o100644 },
            { name: 'a/', mode: 0o040755 },
          ]),
        )
      ).size,
      1,
    )
  })

  test('for a duplicate entry, also in another spelling', async () => {
    assert.match(await refusal(zip([page, page])), /"page\.md" is in the archive twice/)
    assert.match(
      await refusal(zip([{ name: 'ü.md' }, { name: 'u\u0308.md' }])),
      /"ü\.md" is in the archive twice/,
    )
  })

  test('for an encrypted entry, and for an unsupported compression method', async () => {
    assert.match(await refusal(zip([page, { name: 'secret.md', flags: 1 }])), /"secret\.md" is encrypted/)
    assert.match(await refusal(zip([page, { name: 'a.md', flags: 0x41 }])), /encryption/)
    assert.match(
      await refusal(zip([page, { name: 'a.md', method: 12 }])),
      /"a\.md" uses a compression method/,
    )
  })

  test('for a checksum that does not match', async () => {
    assert.match(
      await refusal(zip([page, { name: 'a.md', content: 'x', checksum: 1 }])),
      /"a\.md" is damaged/,
    )
    assert.match(
      await refusal(zip([{ name: 'b.md', content: 'x', checksum: 1, stored: true }])),
      /"b\.md" is damaged/,
    )
  })

  test('for data that differs from its declaration', async () => {
    const lies = { name: 'a.md', content: 'x'.repeat(1000) }
    assert.match(await refusal(zip([page, { ...lies, declaredSize: 10 }])), /"a\.md" cannot be unpacked/)
    assert.match(await refusal(zip([page, { ...lies, declaredSize: 2000 }])), /"a\.md" cannot be unpacked/)
    const stored = { name: 'a.md', content: 'not deflated', stored: true, method: 8 }
    assert.match(await refusal(zip([page, stored])), /"a\.md" cannot be unpacked/)
    assert.match(await refusal(zip([page, { ...lies, declaredSize: 0 }])), /"a\.md" cannot be unpacked/)
  })

  test('for an empty file, and for one that is not a zip archive', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('x'),
      Buffer.from('<html>'.repeat(100)),
      Buffer.alloc(70_000),
    ]) {
      assert.match(await refusal(bytes), /not a zip file, or it is cut off$/)
    }
    assert.match(await refusal(zip([])), /contains no files/)
    assert.match(await refusal(zip([{ name: 'a/' }, { name: '.DS_Store' }])), /contains no files/)
  })

  test('for a file that is truncated anywhere', async () => {
    const whole = zip([
      page,
      { name: 'b.md', content: 'second '.repeat(50) },
      { name: 'c.md', content: 'c', stored: true },
    ])
    for (let length = 0; length < whole.length; length++) {
      assert.notEqual(await refusal(whole.subarray(0, length)), '')
    }
    for (let start = 1; start < whole.length - 22; start += 7) {
      assert.notEqual(await refusal(whole.subarray(start)), '', `without its first ${start} bytes`)
    }
  })
})

describe('the limits', () => {
  const limits: ArchiveLimits = { entries: 3, bytes: 1000, fileBytes: 600, ratio: 200 }

  test('count entries, including folders', async () => {
    assert.equal((await readArchive(zip([{ name: 'a/' }, page, { name: 'b.md' }]), limits)).size, 2)
    const four = zip([{ name: 'a/' }, { name: 'b/' }, page, { name: 'b.md' }])
    assert.match(await refusal(four, limits), /more than 3 entries/)
  })

  test('apply to one file and to all files together', async () => {
    const file = (name: string, size: number) => ({ name, content: 'x'.repeat(size), stored: true })

    assert.equal((await readArchive(zip([file('a', 600), file('b', 400)]), limits)).size, 2)
    assert.match(await refusal(zip([file('big.bin', 601)]), limits), /"big\.bin" is larger than/)
    assert.match(await refusal(zip([file('a', 600), file('b', 401)]), limits), /unpacks to more than/)
  })

  test('refuse a zip bomb by its ratio, whether it declares its real size or not', async () => {
    const zeros = Buffer.alloc((isLongRun() ? 50 : 10) * 1024 * 1024)
    assert.match(await refusal(zip([page, { name: 'bomb', content: zeros }])), /more than 200 times its size/)
    const lying = zip([page, { name: 'bomb', content: zeros, declaredSize: 100 }])
    assert.match(await refusal(lying), /"bomb" cannot be unpacked/)
  })

  test('refuse entries that share the same bytes of the archive', async () => {
    const one = { name: 'a', content: Buffer.alloc(1024 * 1024) }
    const archive = zip([one])
    const central = archive.subarray(archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2])), -22)
    const count = 5000
    const end = Buffer.from(archive.subarray(-22))
    end.writeUInt16LE(count, 8)
    end.writeUInt16LE(count, 10)
    const entries = Array.from({ length: count }, (_, number) => {
      const entry = Buffer.concat([
        central.subarray(0, 46),
        Buffer.from(`f${String(number).padStart(4, '0')}`),
      ])
      entry.writeUInt16LE(5, 28)
      return entry
    })
    const overlapping = Buffer.concat([
      archive.subarray(0, archive.length - 22 - central.length),
      ...entries,
      end,
    ])

    assert.match(await refusal(overlapping), /unpacks to more than/)
  })

  test('accept an ordinary archive of repetitive pages', async () => {
    const archive = zip([{ name: 'long.md', content: 'the same line\n'.repeat(100_000) }])

    assert.equal((await readArchive(archive)).get('long.md')?.length, 1_400_000)
  })

  test('have defaults far above the corpora', async (context) => {
    const corpora = [
      ['elsa-docs', 242],
      ['fluentd-docs', 401],
      ['tidb-docs-zh', 59],
    ] as const
    for (const [name, count] of firstOf(corpora, 1)) {
      const path = corpusPath(name)
      if (!existsSync(path)) return context.skip('the corpora are not beside the repository')
      const files = await readArchive(path)

      assert.equal(files.size, count, name)
      assert.ok([...files.values()].reduce((sum, bytes) => sum + bytes.length, 0) < 50 * 1024 * 1024)
    }
  })
})

test('random bytes are either read or refused', async () => {
  const whole = zip([
    page,
    { name: 'b/c.md', content: 'second '.repeat(50) },
    { name: 'd.png', content: 'd', stored: true },
  ])
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })

  await holds(
    fc.asyncProperty(damage, async (changes) => {
      const archive = Buffer.from(whole)
      for (const [at, byte] of changes) archive[at] = byte
      try {
        const files = await readArchive(archive)
        for (const path of files.keys()) assert.doesNotMatch(path, /(?:^|\/)\.\.(?:\/|$)|^\/|\\|\0/)
      } catch (error) {
        assert.ok(error instanceof ImportRefused, String(error))
      }
    }),
    { cases: 500 },
  )
})
