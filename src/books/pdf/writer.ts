/** Writes PDF files object by object, so that no file is in memory as a whole. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

/** A file that is being written. */
export interface PdfWriter {
  /** The number of an object that will be added. */
  allocate(): number
  add(number: number, text: string, stream?: Buffer): void
  /** Ends the file. @param root the number of the catalog, and of the dictionary with the title */
  finish(root: number, info: number): void
}

/** Objects without a stream are compressed together, so many at a time (ISO 32000-1, section 7.5.7). */
const AT_ONCE = 200
const FAST = 4
/** The bytes of the kind, the place and the index of an object in the table of objects. */
const WIDTHS = [1, 4, 1] as const
const ROW = 6
const WITH_OFFSET = 1
const IN_STREAM = 2

/** Begins a file. */
export function pdfWriter(path: string): PdfWriter {
  const file = openSync(path, 'w')
  const hash = createHash('sha256')
  /** For each object its kind, and the offset of it or the number and the index in the stream that has it. */
  const places: [kind: number, place: number, index: number][] = [[0, 0, 0]]
  let pending: { number: number; text: string }[] = []
  let size = 0
  put('%PDF-1.7\n%\x80\x80\x80\x80\n')

  function put(piece: string | Buffer): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    hash.update(bytes)
    size += bytes.length
  }

  function allocate(): number {
    return places.push([0, 0, 0]) - 1
  }

  function putStream(number: number, text: string, stream: Buffer): void {
    places[number] = [WITH_OFFSET, size, 0]
    put(`${number} 0 obj\n${text}\nstream\n`)
    put(stream)
    put('\nendstream\nendobj\n')
  }

  function flush(): void {
    if (pending.length === 0) return
    const number = allocate()
    let offset = 0
    const offsets = pending.map((one, index) => {
      places[one.number] = [IN_STREAM, number, index]
      const entry = `${one.number} ${offset}`
      offset += one.text.length + 1
      return entry
    })
    const first = `${offsets.join(' ')}\n`
    const content = Buffer.from(`${first}${pending.map(({ text }) => `${text}\n`).join('')}`, 'latin1')
    const bytes = deflateSync(content, { level: FAST })
    const entries = `/Type /ObjStm /N ${pending.length} /First ${first.length}`
    pending = []
    putStream(number, `<< ${entries} /Filter /FlateDecode /Length ${bytes.length} >>`, bytes)
  }

  return {
    allocate,

    add(number, text, stream) {
      if (stream) return putStream(number, text, stream)
      pending.push({ number, text })
      if (pending.length === AT_ONCE) flush()
    },

    finish(root, info) {
      flush()
      const number = allocate()
      const start = size
      places[number] = [WITH_OFFSET, start, 0]
      const rows = Buffer.alloc(places.length * ROW)
      for (const [i, [kind, place, index]] of places.entries()) {
        rows.writeUInt8(kind, i * ROW)
        rows.writeUInt32BE(place, i * ROW + 1)
        rows.writeUInt8(index, i * ROW + ROW - 1)
      }
      const bytes = deflateSync(rows)
      const id = `<${hash.copy().digest('hex').slice(0, 32)}>`
      const table = `/Type /XRef /Size ${places.length} /W [${WIDTHS.join(' ')}] /Root ${root} 0 R /Info ${info} 0 R`
      putStream(
        number,
        `<< ${table} /ID [${id} ${id}] /Filter /FlateDecode /Length ${bytes.length} >>`,
        bytes,
      )
      put(`startxref\n${start}\n%%EOF\n`)
      closeSync(file)
    },
  }
}
