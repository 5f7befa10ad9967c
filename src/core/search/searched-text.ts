/** The text of a page, prepared for being searched. It is in memory once, so that many pages can stay there. */
import { firstIndex, needItem } from '../data/lists.ts'
import { heapSize } from '../runtime/heap-size.ts'
import { fold, foldAt, type OffsetShifts } from './forms/fold.ts'
import type { PageSection } from './sections.ts'

/** The places of words are looked for in this much of a section, in UTF-16 units. */
export const MOST_MATCHED = 100_000

/** The text of all sections of a page as it is compared. */
interface ComparedText {
  /** Their titles and texts, folded, as much as is searched: what is not in this is in none. */
  all: string
  /** The places of capitals in it, ascending, where it differs from what was written by these alone. */
  capitals: ArrayLike<number>
  /** Where the offsets in what was written differ, from the start of the same title or text. */
  shifts: OffsetShifts
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
  /** The section as it was written, if it is not the folded text with capitals. */
  written: PageSection | undefined
}

/** All sections of a page, prepared for being searched. */
export interface SearchedSections {
  sections: readonly SearchedSection[]
  /** The titles and texts of all of them, folded. */
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
/** Two small integers in arrays that may have room for half as many again. */
const SHIFT_BYTES = 24

/** Prepares sections for being searched. */
export function searchedSections(sections: readonly PageSection[]): SearchedSections {
  const shifts: OffsetShifts = { places: [], shifts: [] }
  let length = 0
  const foldNext = (text: string): string => {
    const folded = foldAt(text, length, shifts)
    length += folded.length + 1
    return folded
  }
  const texts = sections.map((section) => {
    const [title, text] = [section.title, section.text.slice(0, MOST_MATCHED)]
    return { section, title, text, foldedTitle: foldNext(title), foldedText: foldNext(text) }
  })
  const all = texts.flatMap((one) => [one.foldedTitle, one.foldedText]).join('\n')
  const capitals: number[] = []
  const page: ComparedText = { all, capitals, shifts }
  let kept = 0
  let end = -1
  const searched = texts.map(({ section, ...parts }): SearchedSection => {
    const start = end + 1
    const titleEnd = start + parts.foldedTitle.length
    end = titleEnd + 1 + parts.foldedText.length
    const known = capitals.length
    const isWhole =
      section.text.length <= MOST_MATCHED &&
      addCapitals(capitals, parts.title, parts.foldedTitle, start) &&
      addCapitals(capitals, parts.text, parts.foldedText, titleEnd + 1)
    if (!isWhole) {
      capitals.length = known
      kept += 2 * (section.title.length + section.text.length)
    }
    const { anchor, when, title } = section
    kept += heapSize(anchor)
    return {
      anchor,
      when,
      page,
      start,
      titleEnd,
      end,
      isTitled: title !== '',
      written: isWhole ? undefined : section,
    }
  })
  page.capitals = all.length > 0xff_ff ? Uint32Array.from(capitals) : Uint16Array.from(capitals)
  const bytes =
    PAGE_BYTES +
    SECTION_BYTES * sections.length +
    all.length * (WIDE.test(all) ? 2 : 1) +
    capitals.length * (all.length > 0xff_ff ? 4 : 2) +
    shifts.places.length * SHIFT_BYTES
  return {
    sections: searched,
    all,
    length: lengthOf(searched),
    isOpen: sections.every(({ when }) => when === undefined),
    bytes: bytes + kept,
  }
}

/** Notes the places of capitals in a text. @returns false if the text is more than its folded form with capitals */
function addCapitals(capitals: number[], written: string, folded: string, start: number): boolean {
  if (written === folded) return true
  if (written.length !== folded.length) return false
  for (let i = 0; i < written.length; i++) {
    const unit = written.charCodeAt(i)
    // Most capitals are these, and most other units are no capitals.
    const isCapital = unit <= 0x7f ? unit >= 0x41 && unit <= 0x5a : unit !== folded.charCodeAt(i)
    if (!isCapital) continue
    if (unit > 0x7f && folded.charAt(i).toUpperCase() !== written.charAt(i)) return false
    capitals.push(start + i)
  }
  return true
}

/** The UTF-16 units of the sections, folded. */
export function lengthOf(sections: readonly SearchedSection[]): number {
  return sections.reduce((sum, one) => sum + (one.titleEnd - one.start) + lengthOfText(one), 0)
}

/** The UTF-16 units of the text of a section, folded, without its title. What is not searched of a long text counts too. */
export function lengthOfText({ written, titleEnd, end }: SearchedSection): number {
  return end - titleEnd - 1 + Math.max(0, (written?.text.length ?? 0) - MOST_MATCHED)
}

/** The title of a section, folded. */
export const foldedTitle = ({ page, start, titleEnd }: SearchedSection) => page.all.slice(start, titleEnd)

/** The text of a section, folded, as much as is searched. */
export const searchedText = ({ page, titleEnd, end }: SearchedSection) => page.all.slice(titleEnd + 1, end)

/** The whole text of a section, folded. */
export function foldedSectionText(section: SearchedSection): string {
  const { written } = section
  return written && written.text.length > MOST_MATCHED ? fold(written.text) : searchedText(section)
}

/** The title of a section as it was written. */
export function writtenTitle({ written, page, start, titleEnd }: SearchedSection): string {
  return written ? written.title : withCapitals(page, start, titleEnd)
}

/** A part of the text of a section as it was written, by offsets in its folded text. */
export function writtenText(section: SearchedSection, from = 0, to = lengthOfText(section)): string {
  const { written, page, titleEnd } = section
  if (!written) return withCapitals(page, titleEnd + 1 + from, titleEnd + 1 + to)
  return written.text.slice(from + shiftAt(section, from), to + shiftAt(section, to))
}

/** What to add to an offset in the folded text of a section to get the offset in the written one. */
function shiftAt({ page: { shifts: all }, titleEnd, end }: SearchedSection, at: number): number {
  const { places, shifts } = all
  const start = titleEnd + 1
  const next = firstIndex(places, (place) => place > Math.min(start + at, end))
  return next > 0 && needItem(places, next - 1) >= start ? needItem(shifts, next - 1) : 0
}

function withCapitals({ all, capitals }: ComparedText, from: number, to: number): string {
  let text = ''
  let done = from
  const first = firstIndex(capitals, (at) => at >= from)
  for (let i = first; i < capitals.length; i++) {
    const at = needItem(capitals, i)
    if (at >= to) break
    text += all.slice(done, at) + all.charAt(at).toUpperCase()
    done = at + 1
  }
  return text + all.slice(done, to)
}
