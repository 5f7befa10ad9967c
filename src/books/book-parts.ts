/** Divides a book into parts that are set one after the other, so that memory depends on a part and not on the book. */
import type { BookBlock, Chapter } from '../core/book/model.ts'

/** Chapters under one running head. */
export interface ChapterRun {
  /** The title of the chapter at the top level. */
  head: string
  chapters: Chapter[]
}

/** Chapters that are set together. */
export interface BookPart {
  runs: ChapterRun[]
}

/** A part ends with the chapter that reaches so many characters of JSON. */
const PART_SIZE = 100_000
/** A chapter below the top level begins a part, and so a sheet, only if its part has so many. */
const LARGE_PART = 200_000

/** The parts of a book in reading order. A part begins at the top level unless what is below it is too large. */
export function bookParts(chapters: readonly Chapter[]): BookPart[] {
  const parts: BookPart[] = []
  let size = Infinity
  let head = ''
  for (const chapter of chapters) {
    const isTop = chapter.level <= 1
    if (isTop) head = chapter.title
    const isNewPart = size >= (isTop ? PART_SIZE : LARGE_PART)
    if (isNewPart) {
      parts.push({ runs: [] })
      size = 0
    }
    const { runs } = parts.at(-1)!
    if (isTop || isNewPart) runs.push({ head, chapters: [] })
    runs.at(-1)!.chapters.push(chapter)
    size += JSON.stringify(chapter).length
  }
  return parts
}

/** The names of the places of a chapter that links may lead to. */
export function placesOfChapter({ id, blocks }: Chapter): string[] {
  return [id, ...blocks.flatMap(placesIn)]
}

function placesIn(block: BookBlock): string[] {
  const own = block.id === undefined ? [] : [block.id]
  switch (block.t) {
    case 'list':
    case 'cards':
    case 'columns':
      return [...own, ...block.items.flatMap((item) => [...idIn(item), ...item.b.flatMap(placesIn)])]
    case 'quote':
    case 'hint':
    case 'part':
      return [...own, ...block.b.flatMap(placesIn)]
    case 'table': {
      const cells = [...(block.head ?? []), ...block.rows.flat()]
      return [...own, ...cells.flatMap(({ b }) => b.flatMap(placesIn))]
    }
    default:
      return own
  }
}

const idIn = (item: object): string[] => ('id' in item && typeof item.id === 'string' ? [item.id] : [])
