/** The lines of git's protocol: four hexadecimal digits with the length, and the content. */
import type { Readable } from 'node:stream'

/** The most bytes of the content of a line. */
const LONGEST = 65_516
/** The ends of a list of lines. */
export const FLUSH = '0000'

/** A line of the protocol. */
export const pktLine = (line: string) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line

/** Text in a band beside the result, in parts: 1 is the result, and the user sees 2. */
export function inBand(band: 1 | 2, text: string): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length; start += LONGEST - 1) {
    const part = bytes.subarray(start, start + LONGEST - 1)
    parts.push(
      Buffer.from(`${(part.length + 5).toString(16).padStart(4, '0')}${String.fromCharCode(band)}`),
      part,
    )
  }
  return Buffer.concat(parts)
}

/** A body that does not follow the protocol. */
export class PacketFault extends Error {
  override name = 'PacketFault'
}

/** Reads the lines at the beginning of a body. */
export interface PacketReader {
  /** The next line; undefined at the end of a list, and at that of the body. @throws PacketFault */
  next(): Promise<Buffer | undefined>
  /** What follows the lines. */
  rest(): AsyncGenerator<Buffer>
  /** Stops reading. The server drops what has not arrived. */
  end(): Promise<void>
}

/** @param most the most bytes of all lines together */
export function readPackets(body: Readable, most: number): PacketReader {
  const source = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
  let held: Buffer = Buffer.alloc(0)
  let left = most

  async function fill(count: number): Promise<boolean> {
    while (held.length < count) {
      const { done, value } = await source.next()
      if (done) return false
      held = held.length === 0 ? value : Buffer.concat([held, value])
    }
    return true
  }

  async function take(count: number): Promise<Buffer> {
    left -= count
    if (left < 0 || !(await fill(count))) throw new PacketFault('The lines are too long or end too early')
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }

  return {
    async next() {
      if (!(await fill(1))) return undefined
      const digits = (await take(4)).toString('latin1')
      if (!/^[0-9a-f]{4}$/i.test(digits)) throw new PacketFault('A line has no length')
      const length = parseInt(digits, 16)
      if (length === 0) return undefined
      if (length < 4) throw new PacketFault('A line has a wrong length')
      return take(length - 4)
    },
    async *rest() {
      if (held.length > 0) yield held
      held = Buffer.alloc(0)
      for (;;) {
        const { done, value } = await source.next()
        if (done) return
        yield value
      }
    },
    async end() {
      await source.return?.()
    },
  }
}
