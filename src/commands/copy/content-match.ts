/** Finds which things of the target are copies: those that an archive had, and those that an earlier run made. */
import type { ReadContent } from './content-read.ts'
import type { Journal } from './journal.ts'
import { type JsonRecord, jsonRecord, jsonRecords, someText, jsonText } from './json.ts'
import { contentKey } from './translate.ts'

/** Two versions of the content of a space. */
interface Versions {
  /** That of the source. */
  content: ReadContent
  /** That of the target. */
  made: ReadContent
  /** The paths in the archive, by ids of the source. */
  paths?: ReadonlyMap<string, string> | undefined
}

/** Notes the ids of everything that the target has and no entry of the state file names yet. */
export function adoptContent(journal: Journal, space: string, { content, made, paths }: Versions): void {
  const note = (kind: string, id: string, target: string) =>
    journal.record(kind, contentKey(space, id), target)
  const knows = (kind: string, id: string) => journal.target(kind, contentKey(space, id)) !== undefined
  const isFree = (kind: string) => (record: JsonRecord) => !journal.isTaken(kind, jsonText(record.id))

  matchRecords('file', content.files, made.files, ({ name, size }) => `${jsonText(name)} ${String(size)}`)
  matchRecords('reusable', content.reusables, made.reusables, ({ title }) => jsonText(title))
  matchByPath('page', allPages(content.pages), allPages(made.pages))
  const levels: [JsonRecord[], JsonRecord[]][] = [[content.pages, made.pages]]
  for (const [pages, copies] of levels) {
    matchPages(pages, copies)
    const byId = new Map(copies.map((copy) => [jsonText(copy.id), copy]))
    for (const page of pages) {
      const copy = byId.get(journal.target('page', contentKey(space, jsonText(page.id))) ?? '')
      if (copy) levels.push([jsonRecords(page.pages), jsonRecords(copy.pages)])
    }
  }

  function matchByPath(kind: string, records: readonly JsonRecord[], copies: readonly JsonRecord[]): void {
    if (!paths) return
    const byPath = new Map(copies.map((copy) => [someText(jsonRecord(copy.git).path), jsonText(copy.id)]))
    for (const record of records) {
      const id = jsonText(record.id)
      const found = byPath.get(paths.get(id) ?? someText(jsonRecord(record.git).path) ?? '')
      if (found !== undefined && !knows(kind, id)) note(kind, id, found)
    }
  }

  function matchRecords(
    kind: string,
    records: readonly JsonRecord[],
    copies: readonly JsonRecord[],
    matchKey: (record: JsonRecord) => string,
  ): void {
    matchByPath(kind, records, copies)
    const free = Map.groupBy(copies.filter(isFree(kind)), matchKey)
    for (const record of records) {
      const id = jsonText(record.id)
      if (knows(kind, id)) continue
      const found = free.get(matchKey(record))?.shift()
      if (found) note(kind, id, jsonText(found.id))
    }
  }

  /** Matches siblings: by their type and slug, then by their type and title. */
  function matchPages(pages: readonly JsonRecord[], copies: readonly JsonRecord[]): void {
    for (const field of ['slug', 'title']) {
      const matchKey = (page: JsonRecord) => `${jsonText(page.type)} ${jsonText(page[field])}`
      const free = Map.groupBy(
        copies.filter((copy) => isFree('page')(copy) && someText(copy[field]) !== undefined),
        matchKey,
      )
      for (const page of pages) {
        const id = jsonText(page.id)
        if (knows('page', id)) continue
        const found = free.get(matchKey(page))?.shift()
        if (found) note('page', id, jsonText(found.id))
      }
    }
  }
}

function allPages(pages: readonly JsonRecord[]): JsonRecord[] {
  const all = [...pages]
  for (const page of all) for (const below of jsonRecords(page.pages)) all.push(below)
  return all
}
