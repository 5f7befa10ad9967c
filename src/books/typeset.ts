/** Sets a book as PDF. It runs in a process of its own, because the typesetter is native code. */
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { plainChapter } from '../core/book/make-book.ts'
import type { Book, BookBlock, Chapter } from '../core/book/model.ts'
import { prepareForTypesetter } from '../core/book/typesetting.ts'
import { loadFonts } from './fonts.ts'
import { adviceFor, lettersByScript, missingScripts } from './missing-scripts.ts'
import { type BookPart, bookParts, placesOfChapter } from './book-parts.ts'
import { type BookPlace, pdfJoiner, type PdfPart } from './pdf/join.ts'
import type { Reasoned } from '../core/languages/reasoned.ts'

const TEMPLATE = readFileSync(new URL('./template.typ', import.meta.url), 'utf8')
/** Sets letters one by one, in the fonts of the text. */
const LETTERS = `#let data = json("/letters.json")
#set page(height: auto)
#set text(font: data.fonts, fallback: true)
#for letter in data.texts { block(letter) }`
/** The languages whose tags have a script or region that changes how they are set. */
const REGION = /^[a-z]{2,3}-(?:[a-z]{4}-)?([a-z]{2})\b/i
/** The contents name the chapters of so many levels. */
const CONTENTS_DEPTH = 4

/** A chapter that could only be set as plain text, by the id of its page. */
export interface PlainChapter {
  page: string
  why: Reasoned
}

/** Text in scripts for which there is no font, by the id of its page. */
export interface UnreadableChapter {
  page: string
  scripts: string[]
}

/** How a book is set. */
export interface TypesetOptions {
  /** A folder with more fonts. */
  fontFolder?: string | undefined
  /** An empty folder: the only one that the typesetter can read. */
  workspace: string
  /** The path of the file. */
  output: string
  /** The bytes of the images, by key. */
  images: ReadonlyMap<string, Buffer>
  /** The pages to set as plain text. */
  plain: ReadonlySet<string>
  /** Tries each chapter alone first, and names it before: an earlier attempt ended without a result. */
  tried?: ((page: string) => void) | undefined
}

/**
 * Sets a book part by part, and writes each to the file before the next, so that memory depends on the largest part.
 * The blocks of its chapters are gone afterwards.
 * @returns the chapters that could only be set as plain text, and those with text that no font can show
 * @throws if not even its plain text can be set
 */
export async function typeset(
  book: Book,
  { workspace, output, images, plain, tried, fontFolder }: TypesetOptions,
): Promise<{ failed: PlainChapter[]; unreadable: UnreadableChapter[] }> {
  prepareForTypesetter(book)
  const { language, chapters, ...cover } = book
  const { fonts, letters } = scriptsOf(book)
  const folders = fontFolder === undefined ? [] : [{ fontPaths: [fontFolder] }]
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: fonts.blobs }, ...folders] })
  const { unreadable, note } = findUnreadable()
  for (const [key, bytes] of images) compiler.mapShadow(`${workspace}/img/${key}`, bytes)
  const common = {
    ...cover,
    lang: language.split('-')[0]!.toLowerCase(),
    region: REGION.exec(language)?.[1]?.toUpperCase() ?? null,
    fonts: { text: fonts.text, code: fonts.code },
  }
  const titles = new Map(chapters.map(({ id, title }) => [id, title]))
  const joiner = pdfJoiner(output, {
    language,
    direction: book.direction,
    hasCover: book.whole,
    nameOf: (place) => titles.get(chapterOf(place)) ?? '',
  })
  const failed: PlainChapter[] = []
  /** The number of the sheet on which each chapter begins. */
  const sheets = new Map<string, number>()
  const contents = () =>
    chapters
      .filter(({ level }) => level <= CONTENTS_DEPTH)
      .map(({ id, title, level }) => ({ id, title, level, sheet: sheets.get(id) ?? 1 }))

  // The contents take as many sheets with the right numbers as without: the cover has no number.
  let next = book.whole ? required(setFront()).sheets : 1
  for (const packed of packParts()) {
    const part = JSON.parse(packed.toString()) as BookPart
    const made = (tried ? undefined : setPart(part, next)) ?? required(setPart(await soundPart(part), next))
    for (const [place, sheet] of made.places) if (titles.has(place)) sheets.set(place, next + sheet - 1)
    next += joiner.add(made)
    await forget()
  }
  if (book.whole)
    joiner.add(
      required(setFront()),
      contents().map(({ level }) => level),
    )
  joiner.finish(chapters.map(({ id, title, level }) => ({ title, level, place: id })))
  return { failed, unreadable }

  /** The pages with text that no font can show. The contents and the first of these pages begin with a note about it. */
  function findUnreadable(): { unreadable: UnreadableChapter[]; note?: string } {
    const missing = new Set(missingScripts(letters, draw))
    if (missing.size === 0) return { unreadable: [] }
    const pages = chapters.flatMap((chapter) => {
      const scripts = [...lettersByScript(JSON.stringify(chapter)).keys()].filter((one) => missing.has(one))
      return scripts.length > 0 ? [{ chapter, scripts }] : []
    })
    const advice = `${adviceFor([...missing]).message}.`
    pages[0]?.chapter.blocks.unshift(noteOf(advice))
    return { unreadable: pages.map(({ chapter: { page }, scripts }) => ({ page, scripts })), note: advice }
  }

  function draw(texts: readonly string[]): string {
    compiler.mapShadow(`${workspace}/letters.json`, Buffer.from(JSON.stringify({ fonts: fonts.text, texts })))
    const { result } = compiler.compile({ mainFileContent: LETTERS })
    return result ? compiler.svg(result) : ''
  }

  /** The parts outside of the heap, which is then small enough to be collected after each of them. */
  function packParts(): Buffer[] {
    const parts = bookParts(chapters.map((one) => (plain.has(one.page) ? plainChapter(one) : one)))
    const packed = parts.map((part) => Buffer.from(JSON.stringify(part)))
    for (const chapter of chapters) chapter.blocks = []
    return packed
  }

  function required<T>(made: T | undefined): T {
    if (made === undefined) throw new Error(`The book cannot be set: ${lastFault}`)
    return made
  }

  /** The cover and the contents. */
  function setFront(): SetPart | undefined {
    return compile({ contents: contents(), ...(note === undefined ? {} : { missing: note }) }, [])
  }

  /** A part whose first sheet has a number. */
  function setPart({ runs }: BookPart, start: number): SetPart | undefined {
    return compile(
      { runs, start },
      runs.flatMap((run) => run.chapters.flatMap(placesOfChapter)),
    )
  }

  /** The part with plain text for the chapters that cannot be set. */
  async function soundPart({ runs }: BookPart): Promise<BookPart> {
    const sound: BookPart = { runs: [] }
    for (const { head, chapters: own } of runs) {
      const tested: Chapter[] = []
      for (const chapter of own) tested.push(await soundChapter(chapter))
      sound.runs.push({ head, chapters: tested })
    }
    tried?.('')
    return sound
  }

  async function soundChapter(chapter: Chapter): Promise<Chapter> {
    tried?.(chapter.page)
    const isSet = setPart({ runs: [{ head: '', chapters: [chapter] }] }, 1) !== undefined
    await forget()
    if (isSet) return chapter
    failed.push({ page: chapter.page, why: { message: lastFault } })
    return plainChapter(chapter)
  }

  function compile(content: object, places: readonly string[]): SetPart | undefined {
    compiler.mapShadow(
      `${workspace}/book.json`,
      Buffer.from(JSON.stringify({ ...common, ...content, places })),
    )
    try {
      const result = compiler.compile({ mainFileContent: TEMPLATE })
      const document = result.result
      if (document) {
        const [found] = compiler.query(document, { selector: '<made>', field: 'value' }) as [Found]
        return { pdf: compiler.pdf(document), places: placesFound(places, found), sheets: found.sheets }
      }
      const fault = result.takeDiagnostics()
      lastFault = fault ? messageOf(fault.shortDiagnostics) : 'unknown'
    } catch (error) {
      lastFault = (error as Error).message
    }
    return undefined
  }

  /** Frees the memory that the typesetter keeps for documents like the last one, and the last document itself. */
  async function forget(): Promise<void> {
    compiler.evictCache(0)
    globalThis.gc?.()
    // Node frees the memory of native objects in the next turn of the event loop.
    await setImmediate()
  }
}

function noteOf(text: string): BookBlock {
  return { t: 'hint', style: 'warning', b: [{ t: 'p', c: [{ t: 's', s: text }] }] }
}

interface SetPart extends PdfPart {
  sheets: number
}

/** The result of the template: the number of sheets, and the positions of the places, in the order of the request. */
interface Found {
  sheets: number
  places: ([sheet: number, x: number, y: number] | null)[]
}

/** The places; one that was not found is where its chapter begins. */
function placesFound(names: readonly string[], { places }: Found): BookPlace[] {
  const byName = new Map(names.map((name, i) => [name, places[i] ?? undefined]))
  return names.flatMap((name) => {
    const place = byName.get(name) ?? byName.get(chapterOf(name))
    return place ? [[name, ...place] satisfies BookPlace] : []
  })
}

/** The name of the chapter of a place. */
function chapterOf(place: string): string {
  return place.split('-', 1)[0]!
}

let lastFault = ''

function messageOf(diagnostics: unknown): string {
  return JSON.stringify(diagnostics).slice(0, 500)
}

/** The fonts of a book, and the letters that may have none. The text of a large book takes much memory, and is not kept. */
function scriptsOf(book: Book) {
  const text = JSON.stringify(book)
  return { fonts: loadFonts(text, book.language), letters: lettersByScript(text) }
}
