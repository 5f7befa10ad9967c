/** Reads PDF files with the programs of Debian's packages poppler-utils and qpdf. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const isMissing = ['pdfinfo', 'pdftotext', 'qpdf'].some((name) => spawnSync(name, ['--version']).error)

/** A reason to skip a test if the programs are missing. */
export const withoutPdfTools = isMissing ? 'poppler-utils and qpdf are not installed' : false

/** A PDF as its readers see it. */
export interface ReadPdf {
  info: string
  text: string
  /** The titles and levels of the bookmarks. */
  bookmarks: { title: string; level: number }[]
  /** The sheet to which each bookmark leads; 1 is the first. */
  sheets: number[]
  /** The names of places, and those that links lead to. */
  places: Set<string>
  links: string[]
  urls: string[]
  /** The elements of structure, as assistive software reads them: a line for each, indented by its depth. */
  structure(): string[]
}

/** Checks a PDF with qpdf and reads it. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-pdf-'))
  const file = join(folder, 'book.pdf')
  writeFileSync(file, bytes)
  const run = (name: string, ...args: string[]) =>
    execFileSync(name, args, { encoding: 'utf8', maxBuffer: 500_000_000, stdio: ['ignore', 'pipe', 'pipe'] })
  run('qpdf', '--check', file)
  const { qpdf } = JSON.parse(run('qpdf', '--json', file)) as { qpdf: [unknown, Record<string, QpdfObject>] }
  const objects = Object.values(qpdf[1]).flatMap(({ value, stream }): PdfDict[] => {
    const dict = value ?? stream?.dict
    return isRecord(dict) ? [dict] : []
  })
  const outline = JSON.parse(run('qpdf', '--json', '--json-key=outlines', file)) as { outlines: Outline[] }
  const entries = outline.outlines.flatMap((one) => flat(one, 1))
  const annotations = objects.filter((one) => one['/Subtype'] === '/Link')
  const actions = annotations.map((one) => one['/A']).filter((action) => isRecord(action))
  return {
    info: run('pdfinfo', file),
    text: run('pdftotext', '-layout', file, '-'),
    bookmarks: entries.map(({ title, level }) => ({ title, level })),
    sheets: entries.map(({ sheet }) => sheet),
    places: new Set([
      ...objects.flatMap(namesIn),
      ...Object.keys(qpdf[1]).map((key) => key.replace('obj:', '')),
    ]),
    links: annotations.flatMap((one) =>
      typeof one['/Dest'] === 'string' ? [one['/Dest'].replace('u:', '')] : [],
    ),
    structure: () =>
      run('pdfinfo', '-struct', file)
        .split('\n')
        .filter((line) => /^ *(?:TOCI?|H1|Link|P)\b/.test(line)),
    urls: actions.flatMap((action) => (typeof action['/URI'] === 'string' ? [action['/URI'].slice(2)] : [])),
  }
}

type PdfDict = Record<string, unknown>
interface QpdfObject {
  value?: PdfDict
  stream?: { dict: PdfDict }
}
interface Outline {
  title: string
  destpageposfrom1: number
  kids: Outline[]
}

function flat(one: Outline, level: number): { title: string; level: number; sheet: number }[] {
  const { title, destpageposfrom1: sheet, kids } = one
  return [{ title, level, sheet }, ...kids.flatMap((kid) => flat(kid, level + 1))]
}

/** The names in a name tree (PDF 1.7, section 7.9.6): pairs of a name and its value. */
function namesIn(one: PdfDict): string[] {
  const own = one['/Names']
  const names = isRecord(own) && isRecord(own['/Dests']) ? own['/Dests']['/Names'] : own
  if (!Array.isArray(names)) return []
  return names
    .filter((name, index): name is string => index % 2 === 0 && typeof name === 'string')
    .map((name) => name.slice(2))
}

function isRecord(value: unknown): value is PdfDict {
  return typeof value === 'object' && value !== null
}
