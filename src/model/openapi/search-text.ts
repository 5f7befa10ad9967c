/** What search finds of the pages of a specification. */
import { searchTextOfPart } from '../../core/openapi/search-text.ts'
import { pointerTo } from '../../core/openapi/parts.ts'
import { giveTurn, isTurnOver } from '../../core/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import { LONGEST_PART } from './parts.ts'
import { anchorsOfHeadings, describedOn, type SpecOutline, type SpecPage } from './spec-pages.ts'

/** A part of a page that search shows. */
interface SpecSection {
  anchor?: string
  title: string
  text: string
}

/** The most text of one page, in UTF-16 units. */
const LONGEST_PAGE = 200_000
/** The parts that one statement reads. */
const PARTS_AT_ONCE = 20

/** The sections of pages of one specification, by the ids of the pages. Gives others a turn. */
export async function sectionsOfSpecPages(
  db: Reader,
  spec: SpecOutline,
  pages: readonly SpecPage[],
): Promise<Map<string, SpecSection[]>> {
  const described = new Map(pages.map(({ page }) => [page.id, describedOn(spec, page.computed!)]))
  const pointers = new Set<string>()
  for (const { operations, schemas, isComplete } of described.values()) {
    if (!isComplete) continue
    for (const { pointer } of operations) pointers.add(pointer)
    for (const name of schemas) pointers.add(pointerToSchema(name))
  }
  const texts = await textsOf(db, spec.id, [...pointers])

  const sections = new Map<string, SpecSection[]>()
  for (const { page } of pages) {
    const { operations, schemas, isComplete, hasHeadings } = described.get(page.id)!
    const anchors = hasHeadings ? anchorsOfHeadings(operations.map(({ title }) => title)) : []
    // A page that names operations alone leads to pages that describe them.
    const textAt = (pointer: string) => (isComplete ? texts.get(pointer) : undefined)
    const own: SpecSection[] = []
    let left = LONGEST_PAGE
    const add = (section: SpecSection) => {
      own.push({ ...section, text: section.text.slice(0, left) })
      left -= Math.min(left, section.text.length)
    }
    for (const [i, { pointer, title, name }] of operations.entries()) {
      const text = textAt(pointer) ?? name
      const anchor = anchors[i]
      add(anchor === undefined ? { title: '', text } : { anchor, title, text })
    }
    if (schemas.length > 0)
      add({ title: '', text: schemas.map((name) => textAt(pointerToSchema(name)) ?? name).join('\n') })
    sections.set(page.id, own)
    if (isTurnOver()) await giveTurn()
  }
  return sections
}

const pointerToSchema = (name: string) => pointerTo(['components', 'schemas', name])

async function textsOf(
  db: Reader,
  specId: string,
  pointers: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const some of chunks(pointers, PARTS_AT_ONCE)) {
    const rows = await db
      .selectFrom('openapiPart')
      .select(['pointer', 'json'])
      .where('specId', '=', specId)
      .where('pointer', 'in', some)
      .where(({ fn }) => fn<number>('length', ['json']), '<=', LONGEST_PART)
      .execute()
    for (const row of rows) {
      texts.set(row.pointer, searchTextOfPart(row))
      if (isTurnOver()) await giveTurn()
    }
  }
  return texts
}
