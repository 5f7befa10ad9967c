import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20

/** Unpacks a font in WOFF 1.0 (https://www.w3.org/TR/WOFF/) to the OpenType file that it holds. */
export function openTypeOf(woff: Buffer): Buffer {
  const tables = woff.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * tables)
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(tables, 4)
  const power = Math.floor(Math.log2(tables))
  directory.writeUInt16BE(16 * 2 ** power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(16 * (tables - 2 ** power), 10)

  const parts = [directory]
  let offset = directory.length
  for (let i = 0; i < tables; i++) {
    const entry = HEADER + ENTRY * i
    const [start, packed, length, checksum] = [4, 8, 12, 16].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
      number,
    ]
    const data = woff.subarray(start, start + packed)
    const table = packed < length ? inflateSync(data) : data
    woff.copy(directory, 12 + 16 * i, entry, entry + 4)
    for (const [at, value] of [checksum, offset, length].entries())
      directory.writeUInt32BE(value, 12 + 16 * i + 4 + 4 * at)
    // Tables begin at multiples of four bytes.
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4)
    table.copy(padded)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}
