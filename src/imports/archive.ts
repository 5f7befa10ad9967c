import { because } from '../core/languages/reasons.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../core/repository/archive-limits.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import { openZip, type ZipBytes } from './zip-bytes.ts'

/** The ratio is checked only above this size, because a small file may compress extremely well. */
const harmlessBytes = 10 * 1024 * 1024

/**
 * Unpacks a zip archive to a map from paths to bytes. Paths are relative, with `/`, in Unicode NFC. Files that
 * operating systems add are omitted. If one folder contains the whole repository, it is removed from the paths.
 *
 * Names that differ only in case are different files, as in the repositories that archives are made from.
 * @param isWanted the names of entries to unpack, for a caller that needs few; the others have no bytes
 * @throws ImportRefused, naming the entry, for an entry that is not a plain file or exceeds a limit
 */
export async function readArchive(
  archive: string | Uint8Array,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
  isWanted: (name: string) => boolean = () => true,
): Promise<Map<string, Buffer>> {
  using opened = await openArchive(archive)
  const { zip } = opened
  const entries = await listFiles(zip, limits)
  checkDeclaredSizes(entries, zip.fileSize, limits)

  const files = new Map<string, Buffer>()
  let unpacked = 0
  for (const [path, entry] of entries) {
    const bytes = isWanted(path) ? await unpack(opened, entry, path) : Buffer.alloc(0)
    unpacked += bytes.length
    checkTotal(unpacked, zip.fileSize, limits, path)
    files.set(path, bytes)
  }

  return withoutOuterFolder(files)
}

async function openArchive(archive: string | Uint8Array): Promise<ZipBytes> {
  try {
    return await openZip(archive)
  } catch (error) {
    if (isSystemError(error)) throw error
    // The library says the same about the most frequent reason, in more words.
    const why = reason(error)
    const isKnown = why.includes('signature not found')
    throw new ImportRefused(
      isKnown ? because('archive-not-zip') : because('archive-unreadable', { cause: why }),
    )
  }
}

async function listFiles(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entries) throw tooManyEntries(limits)

  const files = new Map<string, Entry>()
  let previous = ''
  let count = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (++count > limits.entries) throw tooManyEntries(limits)
      previous = entryName(entry)
      const path = checkedPath(previous)
      checkKind(entry, path)
      if (path.endsWith('/') || isJunk(path)) continue
      if (files.has(path)) throw new ImportRefused(because('archive-path-twice', { path }), path)
      files.set(path, entry)
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    const cause = reason(error)
    throw new ImportRefused(
      previous === ''
        ? because('archive-damaged', { cause })
        : because('archive-damaged-after', { name: previous, cause }),
    )
  }
  if (files.size === 0) throw new ImportRefused(because('archive-empty'))

  return files
}

function tooManyEntries({ entries }: ArchiveLimits): ImportRefused {
  return new ImportRefused(because('archive-too-many-entries', { limit: entries }))
}

/** Decodes a name as UTF-8 if it is valid, because many programs write UTF-8 without setting the flag for it. */
function entryName(entry: Entry): string {
  if (isUtf8(entry.fileNameRaw)) return entry.fileNameRaw.toString('utf8')

  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
}

type WrongName =
  | 'archive-name-control'
  | 'archive-name-backslash'
  | 'archive-name-absolute'
  | 'archive-name-drive'
  | 'archive-name-outside'
  | 'archive-name-odd'

/** Returns the name in Unicode NFC. Throws for a name that points outside the archive on any operating system. */
function checkedPath(name: string): string {
  // Some programs write `./` before every name.
  const path = name.normalize('NFC').replace(/^(?:\.\/)+(?=.)/, '')
  if (path === './') return path
  const refuse = (why: WrongName) => new ImportRefused(because(why, { name: JSON.stringify(name) }), path)

  if (/\p{Cc}/u.test(path)) throw refuse('archive-name-control')
  if (path.includes('\\')) throw refuse('archive-name-backslash')
  if (path.startsWith('/')) throw refuse('archive-name-absolute')
  if (/^[a-z]:/i.test(path)) throw refuse('archive-name-drive')
  const parts = path.replace(/\/$/, '').split('/')
  if (parts.includes('..')) throw refuse('archive-name-outside')
  if (parts.includes('') || parts.includes('.')) throw refuse('archive-name-odd')

  return path
}

/** Unix file types, in the upper half of the external attributes. */
const fileTypeMask = 0o170000
const plainFile = 0o100000
const folder = 0o040000
const symbolicLink = 0o120000

function checkKind(entry: Entry, path: string) {
  if ((entry.generalPurposeBitFlag & 1) !== 0)
    throw new ImportRefused(because('archive-encrypted', { path }), path)

  // 0 is stored, 8 is deflated (APPNOTE 4.4.5). Other methods are rarely supported.
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new ImportRefused(because('archive-compression', { path }), path)
  }

  const type = (entry.externalFileAttributes >>> 16) & fileTypeMask
  if (type === symbolicLink) throw new ImportRefused(because('archive-symbolic-link', { path }), path)
  // Archives that were not made on Unix have no file type here.
  if (![0, plainFile, folder].includes(type))
    throw new ImportRefused(because('archive-not-file', { path }), path)
}

/** Returns true for files that operating systems add, and for the internal files of a repository. */
function isJunk(path: string): boolean {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''

  return (
    parts[0] === '__MACOSX' ||
    parts.slice(0, -1).includes('.git') ||
    name === '.DS_Store' ||
    name.startsWith('._') ||
    name === 'Thumbs.db' ||
    name === 'desktop.ini'
  )
}

function checkDeclaredSizes(entries: Map<string, Entry>, archiveBytes: number, limits: ArchiveLimits) {
  let total = 0

  for (const [path, { uncompressedSize }] of entries) {
    if (uncompressedSize > limits.fileBytes) {
      throw new ImportRefused(
        because('archive-file-too-large', { path, limit: sizeLimit(limits.fileBytes) }),
        path,
      )
    }
    total += uncompressedSize
    checkTotal(total, archiveBytes, limits, path)
  }
}

function checkTotal(total: number, archiveBytes: number, limits: ArchiveLimits, path: string) {
  if (total > limits.bytes)
    throw new ImportRefused(because('archive-too-large', { path, limit: sizeLimit(limits.bytes) }), path)
  if (total > harmlessBytes && total > archiveBytes * limits.ratio) {
    throw new ImportRefused(because('archive-ratio', { path, ratio: limits.ratio }), path)
  }
}

async function unpack(archive: ZipBytes, entry: Entry, path: string): Promise<Buffer> {
  let bytes: Buffer
  try {
    bytes = await archive.unpack(entry)
  } catch (error) {
    throw new ImportRefused(because('archive-entry-damaged', { path, cause: reason(error) }), path)
  }
  if (crc32(bytes) !== entry.crc32) throw new ImportRefused(because('archive-checksum', { path }), path)

  return bytes
}

/** Files that mark the outer folder as the root of the repository. */
const marks = /^(?:\.gitbook\.ya?ml|summary\.md|readme\.md|_?index\.md)$/i

function withoutOuterFolder(files: Map<string, Buffer>): Map<string, Buffer> {
  const [first = ''] = files.keys()
  const prefix = first.slice(0, first.indexOf('/') + 1)
  const paths = [...files.keys()]
  if (prefix === '' || !paths.every((path) => path.startsWith(prefix))) return files
  if (!paths.some((path) => marks.test(path.slice(prefix.length)))) return files

  return new Map([...files].map(([path, bytes]) => [path.slice(prefix.length), bytes]))
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
