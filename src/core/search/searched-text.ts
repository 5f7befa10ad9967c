/** The text of a page, prepared for being searched. It is in memory once, so that many pages can stay there. */
import { heapSize } from '../runtime/heap-size.ts'
import { foldedText } from './query.ts'
import type { PageSection } from './sections.ts'
import { isAscii } from './words.ts'

/** The places of words are looked for in this much of a section, in UTF-16 units. */
export const MOST_MATCHED = 100_000

/** The text of all sections of a page as it is compared. */
interface ComparedText {
  /** Their titles and texts in lower case, as much as is searched: what is not in this is in none. */
  all: string
  /** The places of capitals in it, ascending. */
  capitals: ArrayLike<number>
}

/** A section in the text of its page, by UTF-16 offsets. Its text starts one unit after the end of its title. */
export interface SearchedSection {
  anchor: string | undefined
  when: readonly string[] | undefined
  page: ComparedText
  start: number
  titleEnd: number
  end: number
  isTitled: boolean
  /** The title, folded, if it has other letters than those from A to Z: to fold such a title takes long. */
  name: string | undefined
  /** The section as it was written, if it is not the compared text with capitals. */
  written: PageSection | undefined
}

/** All sections of a page, prepared for being searched. */
export interface SearchedSections {
  sections: readonly SearchedSection[]
  /** The titles and texts of all of them, in lower case. */
  all: string
  /** The UTF-16 units of all of them. */
  length: number
  /** Whether none of them stands under a condition. */
  isOpen: boolean
  /** The memory that they take. */
  bytes: number
}

/** The text of a page that may be searched. */
export interface SearchedText extends Omit<SearchedSections, 'bytes'> {
  title: string
}

/** V8 stores a string with such a character in two bytes for each UTF-16 unit, and other strings in one byte. */
const WIDE = /[\u0100-\uffff]/
const PAGE_BYTES = 400
const SECTION_BYTES = 96

/** Prepares sections for being searched. */
export function searchedSections(sections: readonly PageSection[]): SearchedSections {
  const written = sections.flatMap(({ title, text }) => [title, text.slice(0, MOST_MATCHED)])
  const lower = written.map((one) => one.toLowerCase())
  const all = lower.join('\n')
  const capitals: number[] = []
  const page: ComparedText = { all, capitals }
  let kept = 0
  let end = -1
  const searched = sections.map((section, i): SearchedSection => {
    const start = end + 1
    const titleEnd = start + lower[2 * i]!.length
    end = titleEnd + 1 + lower[2 * i + 1]!.length
    const known = capitals.length
    const isWhole =
      section.text.length <= MOST_MATCHED &&
      addCapitals(capitals, written[2 * i]!, lower[2 * i]!, start) &&
      addCapitals(capitals, written[2 * i + 1]!, lower[2 * i + 1]!, titleEnd + 1)
    if (!isWhole) {
      capitals.length = known
      kept += 2 * (section.title.length + section.text.length)
    }
    const { anchor, when, title } = section
    const name = isAscii(title) ? undefined : foldedText(title)
    kept += heapSize(anchor) + heapSize(name)
    return {
      anchor,
      when,
      page,
      start,
      titleEnd,
      end,
      isTitled: title !== '',
      name,
      written: isWhole ? undefined : section,
    }
  })
  page.capitals = all.length > 0xff_ff ? Uint32Array.from(capitals) : Uint16Array.from(capitals)
  const bytes =
    PAGE_BYTES +
    SECTION_BYTES * sections.length +
    all.length * (WIDE.test(all) ? 2 : 1) +
    capitals.length * (all.length > 0xff_ff ? 4 : 2)
  return {
    sections: searched,
    all,
    length: lengthOf(searched),
    isOpen: sections.every(({ when }) => when === undefined),
    bytes: bytes + kept,
  }
}

/** Notes the places of capitals in a text. @returns false if the text is more than its lower case with capitals */
function addCapitals(capitals: number[], written: string, lower: string, start: number): boolean {
  if (written === lower) return true
  if (written.length !== lower.length) return false
  for (let i = 0; i < written.length; i++) {
    const unit = written.charCodeAt(i)
    // Most capitals are these, and most other units are no capitals.
    const isCapital = unit <= 0x7f ? unit >= 0x41 && unit <= 0x5a : unit !== lower.charCodeAt(i)
    if (!isCapital) continue
    if (unit > 0x7f && lower[i]!.toUpperCase() !== written[i]) return false
    capitals.push(start + i)
  }
  return true
}

/** The UTF-16 units of the sections as they were written. */
export function lengthOf(sections: readonly SearchedSection[]): number {
  return sections.reduce((sum, one) => sum + (one.titleEnd - one.start) + lengthOfText(one), 0)
}

/** The UTF-16 units of the text of a section as it was written, without its title. */
export function lengthOfText({ written, titleEnd, end }: SearchedSection): number {
  return written ? written.text.length : end - titleEnd - 1
}

/** The title of a section in lower case. */
export const lowerTitle = ({ page, start, titleEnd }: SearchedSection) => page.all.slice(start, titleEnd)

/** The text of a section in lower case, as much as is searched. */
export const lowerText = ({ page, titleEnd, end }: SearchedSection) => page.all.slice(titleEnd + 1, end)

/** The title of a section as it was written. */
export function writtenTitle({ written, page, start, titleEnd }: SearchedSection): string {
  return written ? written.title : withCapitals(page, start, titleEnd)
}

/** A part of the text of a section as it was written. */
export function writtenText(section: SearchedSection, from = 0, to = lengthOfText(section)): string {
  const { written, page, titleEnd } = section
  return written ? written.text.slice(from, to) : withCapitals(page, titleEnd + 1 + from, titleEnd + 1 + to)
}

/** A text with white space and characters of two units where the text of a section has them, and of the same length. */
export function shapeOfText(section: SearchedSection): string {
  return section.written ? section.written.text : lowerText(section)
}

/** The title of a section, folded. */
export function foldedTitle(section: SearchedSection): string {
  return section.name ?? foldedText(lowerTitle(section))
}

function withCapitals({ all, capitals }: ComparedText, from: number, to: number): string {
  let text = ''
  let done = from
  for (let i = firstFrom(capitals, from); i < capitals.length && capitals[i]! < to; i++) {
    const at = capitals[i]!
    text += all.slice(done, at) + all[at]!.toUpperCase()
    done = at + 1
  }
  return text + all.slice(done, to)
}

/** The place of the first number that is not less. */
function firstFrom(numbers: ArrayLike<number>, least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! >= least) high = middle
    else low = middle + 1
  }
  return low
}
