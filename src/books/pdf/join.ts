/**
 * Joins the parts of a book, each a PDF file of the typesetter, to one file: pages, links between parts, bookmarks and the
 * structure that screen readers need. A part is written as soon as it is added.
 */
import { createHash } from 'node:crypto'
import { addContents, linkParagraphs } from './contents.ts'
import {
  pdfText,
  readPdfObjects,
  referenceIn,
  rewriteObject,
  type PdfFile,
  type PdfObject,
} from './objects.ts'
import { type PdfWriter, pdfWriter } from './writer.ts'

/** Where links lead: a name, the sheet of the part (1 is the first), and the place on it in points from the top left. */
export type BookPlace = [name: string, sheet: number, x: number, y: number]

/** A part of a book. */
export interface PdfPart {
  pdf: Buffer
  places: readonly BookPlace[]
}

/** The data that the joined file needs besides the parts. */
export interface JoinOptions {
  language: string
  direction: 'ltr' | 'rtl'
  /** Whether the first sheet is a cover, which has no number. */
  hasCover: boolean
  /** Returns the name of a link to a place. */
  nameOf(place: string): string
}

/** An entry of the bookmarks. */
export interface Bookmark {
  title: string
  /** 1 at the top. */
  level: number
  place: string
}

/** A link leads a little above its place. */
const ABOVE = 10
/** The template writes links to places of the book as addresses with a scheme that no page can have. */
const BOOK_ACTION = /\/A <<[^>]*\/URI \(book:([\w-]+)\)\s*>>/
const BOOK_CONTENTS = /\/Contents \(book:[\w-]+\)/

/** A file that parts are added to. */
export interface PdfJoiner {
  /**
   * Adds a part at the end, and returns the number of its sheets.
   * @param levels of the entries of its table of contents. A part that has one comes to the beginning
   */
  add(part: PdfPart, levels?: readonly number[]): number
  finish(bookmarks: readonly Bookmark[]): void
}

/** Begins a file. Its first part can be added last, because the contents name the numbers of the sheets. */
export function pdfJoiner(path: string, { language, direction, hasCover, nameOf }: JoinOptions): PdfJoiner {
  const writer = pdfWriter(path)
  const pagesRoot = writer.allocate()
  const structureRoot = writer.allocate()
  const documentElement = writer.allocate()
  /** The references of the sheets of each part. */
  const sheets: string[] = []
  let sheetCount = 0
  const elements: string[] = []
  const parents: string[] = []
  const ids: [id: string, reference: string][] = []
  const roles = new Set<string>()
  const destinations = new Map<string, string>()
  /** The streams in the file, such as an image that many pages show, by their bytes. */
  const streams = new Map<string, number>()
  let partCount = 0
  let nextParent = 0
  let about: { metadata: PdfObject; info: PdfObject } | undefined

  return {
    add({ pdf, places }, levels) {
      const isFirst = levels !== undefined
      const part = anatomyOf(readPdfObjects(pdf))
      about ??= part
      const numbers = new Map([
        [part.pages.number, pagesRoot],
        [part.structure.number, structureRoot],
        [part.document.number, documentElement],
      ])
      const added = part.rest.filter((one) => {
        const key = streamKey(one)
        const known = key === undefined ? undefined : streams.get(key)
        const number = known ?? writer.allocate()
        numbers.set(one.number, number)
        if (key !== undefined) streams.set(key, number)
        return known === undefined
      })
      const prefix = `${partCount++}`
      const rewriting = {
        reference: (number: number) => numbers.get(number) ?? 0,
        string: (content: string, name: string) =>
          name === 'ID' || name === 'Headers' ? prefix + content : content,
      }
      const written = (text: string) => rewriteObject(text, rewriting)
      const shift = nextParent
      const listed = tocAround(part, levels ?? [], (number) => numbers.get(number) ?? 0)
      for (const one of added) {
        const number = numbers.get(one.number)!
        const text = withLink(shifted(written(one.text), shift), nameOf)
        const item = listed?.around.get(number)
        const parent = `/P ${documentElement} 0 R`
        writer.add(number, item === undefined ? text : text.replace(parent, `/P ${item} 0 R`), one.stream)
      }

      const kids = [...arrayIn(part.pages.text, 'Kids').matchAll(/(\d+) 0 R/g)].map(([, number]) =>
        Number(number),
      )
      const own = kids.map((number) => written(`${number} 0 R`)).join(' ')
      const children = kidsOf(part.document)
        .map((number) => numbers.get(number) ?? 0)
        .filter((number) => !listed?.around.has(number))
        .concat(listed ? [listed.toc] : [])
        .map((number) => `${number} 0 R`)
        .join(' ')
      if (isFirst) {
        sheets.unshift(own)
        elements.unshift(children)
      } else {
        sheets.push(own)
        elements.push(children)
      }
      sheetCount += kids.length
      for (const [, key, value] of arrayIn(part.structure.text, 'Nums').matchAll(/(\d+) (\d+ 0 R)/g)) {
        parents.push(`${Number(key) + shift} ${written(value!)}`)
        nextParent = Math.max(nextParent, Number(key) + shift + 1)
      }
      for (const [, id, value] of arrayIn(part.structure.text, 'Names').matchAll(/\((\w+)\) (\d+ 0 R)/g))
        ids.push([prefix + id!, written(value!)])
      const [, map = ''] = /\/RoleMap <<([^>]*)>>/.exec(part.structure.text) ?? []
      for (const [role] of map.matchAll(/\/\w+ \/\w+/g)) roles.add(role)
      for (const [name, sheet, x, y] of places) {
        const number = kids[sheet - 1]!
        const top = part.heightOf(number) - Math.max(y - ABOVE, 0)
        destinations.set(name, `[${written(`${number} 0 R`)} /XYZ ${x.toFixed(2)} ${top.toFixed(2)} 0]`)
      }
      return kids.length
    },

    finish(bookmarks) {
      const { metadata, info } = about!
      const [catalogNumber, metadataNumber, infoNumber] = [
        writer.allocate(),
        writer.allocate(),
        writer.allocate(),
      ]
      writer.add(pagesRoot, `<< /Type /Pages /Count ${sheetCount} /Kids [${sheets.join(' ')}] >>`)
      const document = `/S /Document /P ${structureRoot} 0 R /K [${elements.join(' ')}]`
      writer.add(documentElement, `<< /Type /StructElem ${document} >>`)
      const tree = [
        `/K [${documentElement} 0 R] /RoleMap << ${[...roles].join(' ')} >>`,
        `/ParentTree << /Nums [${parents.join(' ')}] >> /ParentTreeNextKey ${nextParent}`,
        ...(ids.length > 0 ? [`/IDTree << ${nameTree(ids)} >>`] : []),
      ]
      writer.add(structureRoot, `<< /Type /StructTreeRoot ${tree.join(' ')} >>`)
      writer.add(metadataNumber, metadata.text, metadata.stream)
      writer.add(infoNumber, info.text)
      const outlines = addBookmarks(writer, bookmarks, destinations)
      const catalog = [
        `/Pages ${pagesRoot} 0 R /Metadata ${metadataNumber} 0 R /Lang (${language.replaceAll(/[^\w-]/g, '')})`,
        `/StructTreeRoot ${structureRoot} 0 R /MarkInfo << /Marked true >>`,
        `/ViewerPreferences << /Direction /${direction === 'rtl' ? 'R2L' : 'L2R'} /DisplayDocTitle true >>`,
        `/Names << /Dests << ${nameTree([...destinations])} >> >>`,
        ...(outlines === undefined ? [] : [`/Outlines ${outlines} 0 R`]),
        ...(hasCover ? ['/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >>'] : []),
      ]
      writer.add(catalogNumber, `<< /Type /Catalog ${catalog.join(' ')} >>`)
      writer.finish(catalogNumber, infoNumber)
    },
  }

  /** The elements of a table of contents; undefined for a part without one, or if its entries are not found. */
  function tocAround(
    { document, objects }: ReturnType<typeof anatomyOf>,
    levels: readonly number[],
    numberOf: (number: number) => number,
  ) {
    const entries = linkParagraphs(kidsOf(document), objects)
    if (levels.length === 0 || entries.length !== levels.length) return undefined
    return addContents(
      writer,
      documentElement,
      entries.map((number, index) => ({ element: numberOf(number), level: levels[index] ?? 1 })),
    )
  }
}

/** The numbers of the elements in an element of structure. */
function kidsOf({ text }: PdfObject): number[] {
  return [...arrayIn(text, 'K').matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number))
}

/** The objects of a part that the joined file has once, and the rest. @throws if the typesetter writes other ones */
function anatomyOf({ objects, trailer }: PdfFile) {
  const at = (text: string, key: string) => {
    const object = objects.get(referenceIn(text, key) ?? -1)
    if (!object) throw new Error(`The PDF file has no ${key}`)
    return object
  }
  const catalog = at(trailer, 'Root')
  const info = at(trailer, 'Info')
  const pages = at(catalog.text, 'Pages')
  const metadata = at(catalog.text, 'Metadata')
  const structure = at(catalog.text, 'StructTreeRoot')
  const document = at(`/K ${arrayIn(structure.text, 'K')}`, 'K')
  const once = new Set([catalog, info, pages, metadata, structure, document])
  const rest = [...objects.values()].filter((one) => !once.has(one))

  return { info, pages, metadata, structure, document, objects, rest, heightOf }

  function heightOf(sheet: number): number {
    return Number(/\/MediaBox \[\S+ \S+ \S+ (\S+)\]/.exec(objects.get(sheet)!.text)?.[1])
  }
}

/** Returns the text between the brackets of an array without arrays in it; empty if the dictionary has none. */
function arrayIn(text: string, key: string): string {
  return new RegExp(String.raw`/${key} \[([^\]]*)\]`).exec(text)?.[1] ?? ''
}

/** The key of a stream that says everything by itself. */
function streamKey({ text, stream }: PdfObject): string | undefined {
  if (!stream || / 0 R\b/.test(text)) return undefined
  return createHash('sha256').update(text).update('\n').update(stream).digest('base64')
}

/** A sheet or a link with its place in the joined table of structure. */
function shifted(text: string, by: number): string {
  if (by === 0 || !/^<<\s+\/Type \/(?:Page|Annot)\b/.test(text)) return text
  return text.replace(
    /\/(StructParents?) (\d+)/,
    (_, key: string, own: string) => `/${key} ${Number(own) + by}`,
  )
}

/** A link to a place of the book leads there by its name. */
function withLink(text: string, nameOf: JoinOptions['nameOf']): string {
  const [action, place] = BOOK_ACTION.exec(text) ?? []
  if (action === undefined || !text.includes('/Subtype /Link')) return text
  return text
    .replace(action, `/Dest (${place})`)
    .replace(BOOK_CONTENTS, `/Contents ${pdfText(nameOf(place!))}`)
}

/** The entries of a name tree, which is sorted (ISO 32000-1, section 7.9.6). */
function nameTree(entries: readonly (readonly [name: string, value: string])[]): string {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `/Names [${sorted.map(([name, value]) => `(${name}) ${value}`).join(' ')}]`
}

/** Adds the bookmarks, and returns the number of their root. */
function addBookmarks(
  writer: PdfWriter,
  bookmarks: readonly Bookmark[],
  destinations: ReadonlyMap<string, string>,
): number | undefined {
  interface Entry {
    number: number
    title?: string
    place?: string
    level: number
    parent?: Entry
    kids: Entry[]
  }
  const root: Entry = { number: writer.allocate(), level: 0, kids: [] }
  const all: Entry[] = []
  let last = root
  for (const { title, level, place } of bookmarks) {
    if (!destinations.has(place)) continue
    let parent = last
    while (parent.level >= level) parent = parent.parent!
    last = { number: writer.allocate(), title, place, level, parent, kids: [] }
    parent.kids.push(last)
    all.push(last)
  }
  if (all.length === 0) return undefined
  // The entries of the top level are shown, and each unfolds those below it.
  const ends = ({ kids }: Entry) => `/First ${kids[0]!.number} 0 R /Last ${kids.at(-1)!.number} 0 R`
  writer.add(root.number, `<< /Type /Outlines ${ends(root)} /Count ${root.kids.length} >>`)
  for (const { kids } of [root, ...all])
    for (const [i, one] of kids.entries()) {
      const entries = [
        `/Parent ${one.parent!.number} 0 R /Title ${pdfText(one.title!)} /Dest (${one.place})`,
        ...(i > 0 ? [`/Prev ${kids[i - 1]!.number} 0 R`] : []),
        ...(i + 1 < kids.length ? [`/Next ${kids[i + 1]!.number} 0 R`] : []),
        ...(one.kids.length > 0 ? [`${ends(one)} /Count -${one.kids.length}`] : []),
      ]
      writer.add(one.number, `<< ${entries.join(' ')} >>`)
    }
  return root.number
}
