/** The text of a page, prepared for being searched. */
import { foldedText } from './query.ts'
import type { PageSection } from './sections.ts'

/** The places of words are looked for in this much of a section, in UTF-16 units. */
export const MOST_MATCHED = 100_000

/** A section with its text as it is compared. */
export interface SearchedSection {
  section: PageSection
  /** In lower case. */
  title: string
  /** The title, folded. */
  name: string
  /** In lower case, as much as is searched. */
  text: string
  /** Where it starts in all of them. */
  at: number
}

/** All sections of a page, prepared for being searched. */
export interface SearchedSections {
  sections: readonly SearchedSection[]
  /** The titles and texts of all of them: what is not in this is in none. */
  all: string
  /** The UTF-16 units of all of them. */
  length: number
  /** Whether none of them stands under a condition. */
  isOpen: boolean
}

/** The text of a page that may be searched. */
export interface SearchedText extends SearchedSections {
  title: string
}

/** Prepares sections for being searched. */
export function searchedSections(sections: readonly PageSection[]): SearchedSections {
  const lower = sections.flatMap(({ title, text }) => [
    title.toLowerCase(),
    text.slice(0, MOST_MATCHED).toLowerCase(),
  ])
  const all = lower.join('\n')
  let done = 0
  // The texts are slices of the whole, so they are in memory once.
  const next = (i: number) => {
    const start = done
    done += lower[i]!.length + 1
    return all.slice(start, done - 1)
  }
  return {
    sections: sections.map((section, i) => {
      const at = done
      const title = next(2 * i)
      const name = foldedText(section.title)
      return { section, title, name: name === title ? title : name, text: next(2 * i + 1), at }
    }),
    all,
    length: lengthOf(sections),
    isOpen: sections.every(({ when }) => when === undefined),
  }
}

/** The UTF-16 units of sections. */
export const lengthOf = (sections: readonly PageSection[]) =>
  sections.reduce((sum, { title, text }) => sum + title.length + text.length, 0)
