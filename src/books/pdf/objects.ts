/** Reads the objects of PDF files that the typesetter wrote (ISO 32000-1, section 7.5): a table of offsets, no object streams. */

/** An object of a PDF file: its text without the bytes of its stream, and those bytes. */
export interface PdfObject {
  number: number
  text: string
  stream?: Buffer
}

/** A PDF file: its objects by number, and the text of its trailer. */
export interface PdfFile {
  objects: Map<number, PdfObject>
  trailer: string
}

const TAIL = 64
const OBJECT = /^(\d+) 0 obj\s+/
const STREAM = 'stream\n'

/** Reads a file. @throws if the file is not as the typesetter writes it */
export function readPdfObjects(file: Buffer): PdfFile {
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - TAIL))?.[1])
  const [table = '', trailer] = file.toString('latin1', start).split('trailer', 2)
  if (!table.startsWith('xref') || trailer === undefined)
    throw new Error('The PDF file has no table of objects')
  const offsets = [...table.matchAll(/^(\d{10}) \d{5} n/gm)]
    .map(([, offset]) => Number(offset))
    .toSorted((a, b) => a - b)
  offsets.push(start)
  const objects = new Map<number, PdfObject>()
  for (let i = 0; i + 1 < offsets.length; i++) {
    const object = readObject(file.subarray(offsets[i], offsets[i + 1]))
    objects.set(object.number, object)
  }
  return { objects, trailer }
}

function readObject(bytes: Buffer): PdfObject {
  const end = bytes.lastIndexOf('endobj')
  const isStream = bytes
    .toString('latin1', Math.max(end - TAIL, 0), end)
    .trimEnd()
    .endsWith('endstream')
  const from = isStream ? bytes.indexOf(STREAM) : end
  const all = bytes.toString('latin1', 0, from)
  const [header = '', number] = OBJECT.exec(all) ?? []
  if (number === undefined || end < 0) throw new Error('The PDF file has an object that cannot be read')
  const object = { number: Number(number), text: all.slice(header.length).trimEnd() }
  if (!isStream) return object
  const length = Number(/\/Length (\d+)(?! \d+ R)/.exec(object.text)?.[1])
  if (Number.isNaN(length)) throw new Error('The PDF file has a stream without a length')
  const first = from + STREAM.length
  return { ...object, stream: bytes.subarray(first, first + length) }
}

/** The number of the object that an entry of a dictionary refers to. */
export function referenceIn(text: string, key: string): number | undefined {
  const number = new RegExp(String.raw`/${key} (\d+) 0 R`).exec(text)?.[1]
  return number === undefined ? undefined : Number(number)
}

const REFERENCE = /\b(\d+) 0 R\b/g
const LAST_NAME = /\/(\w+)[^/]*$/

/** How the parts of the text of an object are written. */
export interface Rewriting {
  /** The new number of an object. */
  reference(number: number): number
  /** The new content of a literal string, by the last name before it. */
  string?(content: string, name: string): string
}

/** The text of an object with other numbers. The content of strings is no reference, whatever it says. */
export function rewriteObject(text: string, { reference, string }: Rewriting): string {
  const renumber = (plain: string) =>
    plain.replace(REFERENCE, (_, number: string) => `${reference(Number(number))} 0 R`)
  if (!text.includes('(')) return renumber(text)
  const pieces: string[] = []
  let name = ''
  let at = 0
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', at)) {
    const plain = text.slice(at, open)
    name = LAST_NAME.exec(plain)?.[1] ?? name
    const close = endOfString(text, open)
    const content = text.slice(open + 1, close)
    pieces.push(renumber(plain), `(${string ? string(content, name) : content})`)
    at = close + 1
  }
  pieces.push(renumber(text.slice(at)))
  return pieces.join('')
}

/** The index of the parenthesis that ends a literal string: a backslash escapes one, and balanced ones belong to it. */
function endOfString(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const one = text[at]
    if (one === '\\') at++
    else if (one === '(') depth++
    else if (one === ')' && --depth === 0) return at
  }
  throw new Error('The PDF file has a string without an end')
}

/** A text as a string of a PDF file. */
export function pdfText(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`
}
