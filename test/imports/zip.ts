import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** An entry of a zip archive, in which every header field can be wrong. */
export interface ZipEntry {
  name: string | Buffer
  content?: string | Uint8Array
  /** The bytes are stored in the archive unchanged. */
  stored?: boolean
  flags?: number
  method?: number
  /** The Unix mode, including the file type. */
  mode?: number
  checksum?: number
  declaredSize?: number
}

/** Writes a zip archive (APPNOTE 6.3) by hand, so that tests can create invalid ones. */
export function zip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0

  for (const entry of entries) {
    const fields = fieldsOf(entry)
    const local = Buffer.concat([uint32(0x04034b50), fields.header, uint16(0), fields.name, fields.data])
    const attributes = Buffer.concat([uint16(0), uint16(0), uint16(0), uint32((entry.mode ?? 0) * 0x10000)])
    central.push(
      Buffer.concat([
        uint32(0x02014b50),
        uint16(0x0314),
        fields.header,
        uint16(0),
        attributes,
        uint32(offset),
        fields.name,
      ]),
    )
    locals.push(local)
    offset += local.length
  }

  const directory = Buffer.concat(central)
  const count = uint16(entries.length)
  const end = [
    uint32(0x06054b50),
    uint32(0),
    count,
    count,
    uint32(directory.length),
    uint32(offset),
    uint16(0),
  ]
  return Buffer.concat([...locals, directory, ...end])
}

function fieldsOf(entry: ZipEntry) {
  const bytes = Buffer.from(entry.content ?? '')
  const data = entry.stored ? bytes : deflateRawSync(bytes)
  const name = Buffer.from(entry.name)
  const header = Buffer.concat([
    uint16(20),
    uint16(entry.flags ?? 0x800),
    uint16(entry.method ?? (entry.stored ? 0 : 8)),
    uint32(0),
    uint32(entry.checksum ?? crc32(bytes)),
    uint32(data.length),
    uint32(entry.declaredSize ?? bytes.length),
    uint16(name.length),
  ])

  return { data, name, header }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)

  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)

  return bytes
}

/** Reads the files of a valid zip archive, by path. What the filter leaves out is not decompressed. */
export function unzip(archive: Uint8Array, filter = (_path: string) => true): Map<string, Buffer> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = bytes.lastIndexOf(uint32(0x06054b50))
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    )
    const nameEnd = at + 46 + nameLength!
    const path = bytes.toString('utf8', at + 46, nameEnd)
    if (!path.endsWith('/') && filter(path)) {
      const local = bytes.readUInt32LE(at + 42)
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const data = bytes.subarray(start, start + bytes.readUInt32LE(at + 20))
      files.set(path, bytes.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data))
    }
    at = nameEnd + extraLength! + commentLength!
  }
  return files
}
