/** Writes a zip archive (APPNOTE 6.3.10) part by part. Equal files make equal bytes. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** Beyond these an archive would need the extensions of Zip64, which some reading systems lack. */
const MOST_BYTES = 0xffff_ffff
const MOST_FILES = 0xffff

/** Names are in UTF-8. */
const FLAGS = 0x800
const VERSION = 20
const DEFLATED = 8

/** A file in an archive: its bytes, compressed if that makes it shorter. */
export interface ArchivedFile {
  data: Uint8Array
  isDeflated: boolean
  /** Of the original bytes. */
  size: number
  checksum: number
}

/** A file as an archive stores it. @param compress false for images, which are compressed already */
export function archived(content: string | Uint8Array, compress = true): ArchivedFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const deflated = compress ? deflateRawSync(bytes) : undefined
  const isDeflated = deflated !== undefined && deflated.length < bytes.length
  const data = isDeflated ? new Uint8Array(deflated) : new Uint8Array(bytes)
  return { data, isDeflated, size: bytes.length, checksum: crc32(bytes) }
}

/** The content of a file of an archive. */
export function archivedContent({ data, isDeflated }: ArchivedFile): Uint8Array {
  return isDeflated ? inflateRawSync(data) : data
}

/** An archive in the making. */
export interface ZipWriter {
  /** The bytes of a file. */
  add(path: string, file: ArchivedFile): Uint8Array[]
  /** The bytes before a file that the caller writes as it is, uncompressed. */
  begin(path: string, file: { size: number; checksum: number }): Uint8Array
  /** The bytes after the last file. */
  end(): Uint8Array[]
}

/** Begins an archive. @param modified the time of every file (ISO 8601) @throws if it has four gigabytes or more */
export function zipWriter(modified: string): ZipWriter {
  const time = dosTime(new Date(modified))
  const directory: Uint8Array[] = []
  let offset = 0

  function headOf(path: string, file: Omit<ArchivedFile, 'data'>, length: number): Uint8Array {
    const name = Buffer.from(path)
    const fields = numbers(
      [2, VERSION],
      [2, FLAGS],
      [2, file.isDeflated ? DEFLATED : 0],
      [4, time],
      [4, file.checksum],
      [4, length],
      [4, file.size],
      [2, name.length],
      [2, 0],
    )
    const central = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset])
    directory.push(numbers([4, 0x02014b50], [2, VERSION]), fields, central, name)
    const head = Buffer.concat([numbers([4, 0x04034b50]), fields, name])
    offset += head.length + length
    if (offset > MOST_BYTES) throw new Error('The archive has more than 4 gigabytes')
    return head
  }

  return {
    add: (path, file) => [headOf(path, file, file.data.length), file.data],
    begin: (path, file) => headOf(path, { ...file, isDeflated: false }, file.size),
    end() {
      const bytes = Buffer.concat(directory)
      const count = directory.length / 4
      if (count > MOST_FILES) throw new Error('The archive has more than 65535 files')
      const last = numbers(
        [4, 0x06054b50],
        [4, 0],
        [2, count],
        [2, count],
        [4, bytes.length],
        [4, offset],
        [2, 0],
      )
      return [bytes, last]
    },
  }
}

/** Numbers of so many bytes each, in little endian. */
function numbers(...all: [bytes: number, value: number][]): Buffer {
  const out = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of all) at = out.writeUIntLE(value, at, bytes)
  return out
}

/** The date in the upper 16 bits and the time in the lower ones. Zip has no time before 1980 and no zone. */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return day * 0x1_0000 + time
}
