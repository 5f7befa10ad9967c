/** The bytes of a zip archive, read synchronously: several times as fast as streams, whose turns cost more than small files. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { constants, inflateRawSync } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'

/** An archive that is read in parts, so that it needs no memory itself. */
export interface ZipBytes extends Disposable {
  zip: ZipFile
  /** Unpacks an entry. @throws if it is damaged, or longer or shorter than it declares */
  unpack(entry: Entry): Promise<Buffer>
}

/** Opens an archive, of which yauzl reads the list of entries. @throws if it is not a zip archive */
export async function openZip(archive: string | Uint8Array): Promise<ZipBytes> {
  const { size, read, close } = typeof archive === 'string' ? inFile(archive) : inMemory(archive)
  try {
    // Names are decoded by the caller, because the library would replace backslashes before they can be checked.
    const options = { decodeStrings: false, autoClose: false, lazyEntries: true }
    const zip = await fromRandomAccessReaderPromise(new SynchronousReader(read), size, options)
    return { zip, unpack: (entry) => unpack(zip, read, entry), [Symbol.dispose]: close }
  } catch (error) {
    close()
    throw error
  }
}

/** Fills a buffer with the bytes at a position. @returns how many there are */
type ReadBytes = (into: Uint8Array, position: number) => number

interface ArchiveBytes {
  size: number
  read: ReadBytes
  close: () => void
}

function inFile(path: string): ArchiveBytes {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read: (into, position) => readSync(file, into, 0, into.length, position),
    close: () => closeSync(file),
  }
}

function inMemory(bytes: Uint8Array): ArchiveBytes {
  const read: ReadBytes = (into, position) => {
    const some = bytes.subarray(position, position + into.length)
    into.set(some)
    return some.length
  }
  return { size: bytes.length, read, close: () => {} }
}

/** The bytes of an archive, as yauzl reads them. */
class SynchronousReader extends RandomAccessReader {
  readonly #read: ReadBytes

  constructor(read: ReadBytes) {
    super()
    this.#read = read
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, count?: number) => void,
  ): void {
    let count: number
    try {
      count = this.#read(buffer.subarray(offset, offset + length), position)
    } catch (error) {
      return callback(error as Error)
    }
    callback(null, count)
  }
}

/** The most that is reserved for the output of an entry before any of it is there. */
const OUTPUT_AT_ONCE = 1024 * 1024

async function unpack(zip: ZipFile, read: ReadBytes, entry: Entry): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const { compressedSize, compressionMethod, uncompressedSize } = entry
  // A size that is not true must not reserve memory.
  if (fileDataStart + compressedSize > zip.fileSize) throw new Error('the file ends before it')
  const packed = Buffer.allocUnsafe(compressedSize)
  if (read(packed, fileDataStart) < compressedSize) throw new Error('the file ends before it')
  if (compressionMethod === 0) return packed
  const bytes = inflateRawSync(packed, {
    // One more byte than needed, so that the output is seen to end in its first part.
    chunkSize: Math.max(constants.Z_MIN_CHUNK, Math.min(OUTPUT_AT_ONCE, uncompressedSize + 1)),
    maxOutputLength: Math.max(1, uncompressedSize),
  })
  if (bytes.length !== uncompressedSize)
    throw new Error(`${bytes.length} bytes instead of ${uncompressedSize}`)
  return bytes
}
