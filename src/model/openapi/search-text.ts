/** The searchable text of the pages of a specification. */
import {
  type PartText,
  searchTextOfPart,
  sharedTextOfPart,
  withSharedText,
} from '../../core/openapi/search-text.ts'
import { pointerTo } from '../../core/openapi/spec-parts.ts'
import type { UnreadSection } from '../../core/search/sections.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import { partsAt } from './stored-parts.ts'
import { anchorsOfHeadings, describedOn, type SpecOutline, type SpecPage } from './spec-pages.ts'

/** The most text of one page, in UTF-16 units. */
const LONGEST_PAGE = 200_000
/** The parts that one statement reads. */
const PARTS_AT_ONCE = 20

/**
 * The sections of pages of one specification, by the ids of the pages. Gives others a turn.
 * @param shared keeps what one call reads of shared parts for the next
 */
export async function sectionsOfSpecPages(
  db: Reader,
  spec: SpecOutline,
  pages: readonly SpecPage[],
  shared: SharedTexts,
): Promise<Map<string, UnreadSection[]>> {
  const described = new Map(pages.map(({ page }) => [page.id, describedOn(spec, page.computed!)]))
  const pointers = new Set<string>()
  for (const { operations, schemas, isComplete } of described.values()) {
    if (!isComplete) continue
    for (const { pointer } of operations) pointers.add(pointer)
    for (const name of schemas) pointers.add(pointerToSchema(name))
  }
  const texts = await specificationTexts(db, spec.id, [...pointers], shared)

  const sections = new Map<string, UnreadSection[]>()
  for (const { page } of pages) {
    const { operations, schemas, isComplete, hasHeadings } = described.get(page.id)!
    const anchors = hasHeadings ? anchorsOfHeadings(operations.map(({ title }) => title)) : []
    // A page that names operations alone leads to pages that describe them.
    const textAt = (pointer: string, name: string): SpecText =>
      (isComplete ? texts.get(pointer) : undefined) ?? { text: name, markdown: [] }
    const own: UnreadSection[] = []
    let left = LONGEST_PAGE
    const take = (text: string) => {
      const some = text.slice(0, left)
      left -= some.length
      return some
    }
    const add = (heading: Pick<UnreadSection, 'anchor' | 'title'>, { text, markdown }: SpecText) =>
      own.push({ ...heading, text: take(text), markdown: markdown.map(take) })
    for (const [i, { pointer, title, name }] of operations.entries()) {
      // The page of an operation is found by its path, and not the page that only links to it.
      const text = isComplete ? textAt(pointer, name) : { text: '', markdown: [] }
      const anchor = anchors[i]
      add(anchor === undefined ? { title: '' } : { anchor, title }, text)
    }
    if (schemas.length > 0) {
      const all = schemas.map((name) => textAt(pointerToSchema(name), name))
      const text = all.map((one) => one.text).join('\n')
      add({ title: '' }, { text, markdown: all.flatMap(({ markdown }) => markdown) })
    }
    sections.set(page.id, own)
    if (isTurnOver()) await giveTurn()
  }
  return sections
}

const pointerToSchema = (name: string) => pointerTo(['components', 'schemas', name])

type SpecText = Omit<PartText, 'references'>

/** The texts of shared parts of one specification, by their pointers. */
export type SharedTexts = Map<string, PartText>

/** The most shared parts whose texts are kept. */
const MOST_SHARED = 10_000
/** How many references lead from an operation to the last part whose text it has. */
const MOST_STEPS = 3

async function specificationTexts(
  db: Reader,
  specId: string,
  pointers: readonly string[],
  shared: SharedTexts,
): Promise<Map<string, SpecText>> {
  const texts = new Map<string, SpecText>()
  for (const some of chunks(pointers, PARTS_AT_ONCE)) {
    const own = new Map<string, PartText>()
    for (const row of await partsAt(db, specId, some)) {
      own.set(row.pointer, searchTextOfPart(row))
      if (isTurnOver()) await giveTurn()
    }
    const operations = [...own].filter(([pointer]) => !pointer.startsWith('/components/'))
    await loadShared(
      db,
      specId,
      operations.flatMap(([, { references }]) => references),
      shared,
    )
    for (const [pointer, part] of own)
      texts.set(pointer, pointer.startsWith('/components/') ? part : withSharedText(part, shared))
  }
  return texts
}

/** Loads the texts of shared parts, and of those that they refer to. */
async function loadShared(
  db: Reader,
  specId: string,
  references: readonly string[],
  shared: SharedTexts,
): Promise<void> {
  let wanted = new Set(references)
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const missing = [...wanted].filter((pointer) => !shared.has(pointer))
    if (shared.size + missing.length > MOST_SHARED) return
    // A part that is missing is not looked for again.
    for (const pointer of missing) shared.set(pointer, { text: '', markdown: [], references: [] })
    for (const some of chunks(missing, PARTS_AT_ONCE))
      for (const row of await partsAt(db, specId, some)) {
        shared.set(row.pointer, sharedTextOfPart(row))
        if (isTurnOver()) await giveTurn()
      }
    wanted = new Set([...wanted].flatMap((pointer) => shared.get(pointer)?.references ?? []))
  }
}
