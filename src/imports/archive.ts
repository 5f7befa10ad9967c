import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { fromBufferPromise, getFileNameLowLevel, openPromise } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { ImportRefused } from '../core/repository/refused.ts'

/** What an archive may hold at most. */
export interface ArchiveLimits {
  /** Entries of every kind, folders too. */
  entries: number
  /** Bytes of all files together, unpacked. */
  bytes: number
  /** Bytes of one file, unpacked; uploads have the same bound (api-facts 1.5). */
  fileBytes: number
  /** Unpacked bytes for each byte of the archive. Text is packed to a fifth or a tenth, a bomb to a thousandth. */
  ratio: number
}

/** The limits where an installation sets no others. */
export const archiveLimits: ArchiveLimits = {
  entries: 20_000,
  bytes: 500 * 1024 * 1024,
  fileBytes: 100 * 1024 * 1024,
  ratio: 200,
}

/** Below this an archive may expand as it likes: a page of blanks is no attack. */
const harmlessBytes = 10 * 1024 * 1024

/**
 * Unpacks a zip archive: paths, relative, with `/`, in Unicode NFC, to bytes. Throws `ImportRefused`, with a message
 * that names the entry, for everything that is not a plain archive of plain files within the limits. What computers
 * add by themselves is left out, and so is a folder around everything, as archives of repositories have it.
 *
 * Names that differ only in case are different files, as they are in the repositories that archives are made from.
 */
export async function readArchive(
  archive: string | Uint8Array,
  limits: ArchiveLimits = archiveLimits,
): Promise<Map<string, Buffer>> {
  const zip = await openArchive(archive)
  try {
    const entries = await listFiles(zip, limits)
    checkDeclaredSizes(entries, zip.fileSize, limits)

    const files = new Map<string, Buffer>()
    let unpacked = 0
    for (const [path, entry] of entries) {
      const bytes = await unpack(zip, entry, path)
      unpacked += bytes.length
      checkTotal(unpacked, zip.fileSize, limits, path)
      files.set(path, bytes)
    }

    return withoutOuterFolder(files)
  } finally {
    zip.close()
  }
}

async function openArchive(archive: string | Uint8Array): Promise<ZipFile> {
  // Names are decoded here, for the library turns backslashes into slashes before one can look at them.
  const options = { decodeStrings: false, autoClose: false }
  try {
    return typeof archive === 'string'
      ? await openPromise(archive, options)
      : await fromBufferPromise(Buffer.from(archive.buffer, archive.byteOffset, archive.length), options)
  } catch (error) {
    if (isSystemError(error)) throw error
    throw new ImportRefused(`The archive is not a zip file, or it is cut off (${reason(error)})`)
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
      previous = nameOf(entry)
      const path = checkedPath(previous)
      checkKind(entry, path)
      if (path.endsWith('/') || isJunk(path)) continue
      if (files.has(path)) throw new ImportRefused(`"${path}" is in the archive twice`, path)
      files.set(path, entry)
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    const after = previous === '' ? '' : ` after "${previous}"`
    throw new ImportRefused(`The archive is damaged or cut off${after} (${reason(error)})`)
  }
  if (files.size === 0) throw new ImportRefused('The archive holds no files')

  return files
}

function tooManyEntries({ entries }: ArchiveLimits): ImportRefused {
  return new ImportRefused(`The archive holds more than ${entries} entries`)
}

/** Many programs write UTF-8 without saying so in the entry's flags; bytes that are valid UTF-8 are hardly ever else. */
function nameOf(entry: Entry): string {
  if (isUtf8(entry.fileNameRaw)) return entry.fileNameRaw.toString('utf8')

  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
}

/** The name in Unicode NFC; throws for every name that means a place outside of the archive, on any system. */
function checkedPath(name: string): string {
  // Some programs put the folder that they started in before every name; alone it is that folder.
  const path = name.normalize('NFC').replace(/^(?:\.\/)+(?=.)/, '')
  if (path === './') return path
  const refuse = (what: string) =>
    new ImportRefused(`The name of the entry ${JSON.stringify(name)} ${what}`, path)

  if (/\p{Cc}/u.test(path)) throw refuse('holds control characters')
  if (path.includes('\\')) throw refuse('holds a backslash')
  if (path.startsWith('/')) throw refuse('is absolute')
  if (/^[a-z]:/i.test(path)) throw refuse('starts with a drive letter')
  const parts = path.replace(/\/$/, '').split('/')
  if (parts.includes('..')) throw refuse('leaves the archive')
  if (parts.includes('') || parts.includes('.')) throw refuse('is not a plain path')

  return path
}

/** Unix file types, in the upper half of the external attributes. */
const fileTypeMask = 0o170000
const plainFile = 0o100000
const folder = 0o040000
const symbolicLink = 0o120000

function checkKind(entry: Entry, path: string) {
  if ((entry.generalPurposeBitFlag & 1) !== 0) throw new ImportRefused(`"${path}" is encrypted`, path)

  // 0 is stored, 8 is deflated (APPNOTE 4.4.5); everything else needs other programs.
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new ImportRefused(
      `"${path}" is packed in a way that is not supported; use an ordinary zip program`,
      path,
    )
  }

  const type = (entry.externalFileAttributes >>> 16) & fileTypeMask
  if (type === symbolicLink) throw new ImportRefused(`"${path}" is a symbolic link`, path)
  // Archives that were not made on Unix have no type here.
  if (![0, plainFile, folder].includes(type)) throw new ImportRefused(`"${path}" is not a file`, path)
}

/** What computers put beside files, and the insides of a repository, which are no documentation. */
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
      throw new ImportRefused(`"${path}" is larger than ${megabytes(limits.fileBytes)}`, path)
    }
    total += uncompressedSize
    checkTotal(total, archiveBytes, limits, path)
  }
}

function checkTotal(total: number, archiveBytes: number, limits: ArchiveLimits, path: string) {
  if (total > limits.bytes)
    throw new ImportRefused(
      `The archive unpacks to more than ${megabytes(limits.bytes)}, with "${path}"`,
      path,
    )
  if (total > harmlessBytes && total > archiveBytes * limits.ratio) {
    throw new ImportRefused(
      `The archive unpacks to more than ${limits.ratio} times its size, with "${path}"`,
      path,
    )
  }
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`
}

/** The library ends a stream that yields more or fewer bytes than the entry declared. */
async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<Buffer> {
  let bytes: Buffer
  try {
    const chunks: Buffer[] = []
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) chunks.push(chunk)
    bytes = Buffer.concat(chunks)
  } catch (error) {
    throw new ImportRefused(
      `"${path}" cannot be unpacked: the archive is damaged or cut off (${reason(error)})`,
      path,
    )
  }
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) {
    throw new ImportRefused(`"${path}" is damaged: its checksum does not match`, path)
  }

  return bytes
}

/** What tells that the outer folder is the repository, and not one folder of it. */
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
