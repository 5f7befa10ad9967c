/** Sets a book as PDF. It runs in a process of its own, because the typesetter is native code. */
import { readFileSync } from 'node:fs'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { plainChapter } from '../core/book/make-book.ts'
import type { Book, Chapter } from '../core/book/model.ts'
import { prepareForTypesetter } from '../core/book/typesetting.ts'
import { loadFonts } from './fonts.ts'

const TEMPLATE = readFileSync(new URL('./template.typ', import.meta.url), 'utf8')
/** The languages whose tags have a script or region that changes how they are set. */
const REGION = /^[a-z]{2,3}-(?:[a-z]{4}-)?([a-z]{2})\b/i

/** A book as PDF, and the chapters that could only be set as plain text, by the id of their page. */
export interface TypesetBook {
  pdf: Buffer
  plain: { page: string; reason: string }[]
}

/** How a book is set. */
export interface TypesetOptions {
  /** An empty folder: the only one that the typesetter can read. */
  workspace: string
  /** The bytes of the images, by key. */
  images: ReadonlyMap<string, Buffer>
  /** The pages to set as plain text. */
  plain: ReadonlySet<string>
  /** Tries each chapter alone first, and names it before: an earlier attempt ended without a result. */
  tried?: ((page: string) => void) | undefined
}

/** Sets a book. @throws if not even its plain text can be set */
export function typeset(book: Book, { workspace, images, plain, tried }: TypesetOptions): TypesetBook {
  prepareForTypesetter(book)
  const fonts = loadFonts(JSON.stringify(book), book.language)
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: fonts.blobs }] })
  for (const [key, bytes] of images) compiler.mapShadow(`${workspace}/img/${key}`, bytes)
  const chapters = book.chapters.map((one) => (plain.has(one.page) ? plainChapter(one) : one))
  const failed: TypesetBook['plain'] = []

  let pdf = tried ? undefined : compile(chapters)
  if (pdf === undefined) {
    const sound = chapters.map((chapter) => {
      tried?.(chapter.page)
      const reason = faultOf(chapter)
      if (reason === undefined) return chapter
      failed.push({ page: chapter.page, reason })
      return plainChapter(chapter)
    })
    tried?.('')
    pdf = compile(sound)
  }
  if (pdf === undefined) throw new Error(`The book cannot be set: ${lastFault}`)
  return { pdf, plain: failed }

  /** Why a chapter cannot be set; undefined if it can. Its links lead to places that it does not have alone. */
  function faultOf(chapter: Chapter): string | undefined {
    const alone = { ...chapter, blocks: JSON.parse(JSON.stringify(chapter.blocks, withoutPlaces)) as never }
    const isSet = compile([alone], false) !== undefined
    compiler.evictCache(0)
    return isSet ? undefined : lastFault
  }

  function compile(some: readonly Chapter[], whole = book.whole): Buffer | undefined {
    const { language, ...rest } = book
    const data = {
      ...rest,
      whole,
      chapters: some,
      lang: language.split('-')[0]!.toLowerCase(),
      region: REGION.exec(language)?.[1]?.toUpperCase() ?? null,
      fonts: { text: fonts.text, code: fonts.code },
    }
    compiler.mapShadow(`${workspace}/book.json`, Buffer.from(JSON.stringify(data)))
    try {
      const result = compiler.compile({ mainFileContent: TEMPLATE })
      const document = result.result
      if (document) return compiler.pdf(document)
      const fault = result.takeDiagnostics()
      lastFault = fault ? messageOf(fault.shortDiagnostics) : 'unknown'
    } catch (error) {
      lastFault = (error as Error).message
    }
    return undefined
  }
}

let lastFault = ''

function messageOf(diagnostics: unknown): string {
  return JSON.stringify(diagnostics).slice(0, 500)
}

/** Leaves out the targets of links, which another chapter may have. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === 'to' ? undefined : value
}
