import { needValue } from '../../data/lists.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../content/revision.ts'
import { giveTurn, isTurnOver } from '../../runtime/turns.ts'
import type { PlacedContent } from './model.ts'
import { printPageFile, printReusable } from './page.ts'
import { configurationPath, printConfiguration, printVariables, variablesPath } from './settings.ts'
import { printSummary } from './summary.ts'

/** A file of a printed repository: its text, or the file of the space whose bytes it has. */
export type PrintedFile = { path: string; text: string } | { path: string; file: FileRecord }

/** How many sources are in memory at once. */
const AT_ONCE = 50

/** The sources of documents, by their hash. */
export type LoadSources = (documents: string[]) => Promise<ReadonlyMap<string, string>>

/** The records of a content that are printed, each to its file. */
export interface PrintedRecords {
  pages: readonly PageRecord[]
  reusables: readonly ReusableRecord[]
  files: readonly FileRecord[]
}

/**
 * Prints a content as a repository that an import reads back: pages, reusable contents, files, variables, redirects and the
 * table of contents, one after the other. A reusable content at the path of a page is that page.
 * @param load the sources of documents, by their hash
 */
export async function* printRepository(
  content: PlacedContent,
  load: LoadSources,
): AsyncGenerator<PrintedFile> {
  const titled = new Set<string>()
  yield* printRecords(content, allRecords(content), load, titled)
  yield* printSettings(content, titled)
}

/** Every record of a content, in the order in which it is printed. */
export function allRecords({ pages, reusables, files }: PlacedContent): PrintedRecords {
  return { pages: pages.pages(), reusables: [...reusables.values()], files: [...files.values()] }
}

/**
 * Prints some records of a content: the files of pages, reusable contents and files.
 * @param load the sources of documents, by their hash
 * @param titled gets the ids of the pages whose files have their titles, for `printSettings`
 */
export async function* printRecords(
  content: PlacedContent,
  records: PrintedRecords,
  load: LoadSources,
  titled: Set<string>,
): AsyncGenerator<PrintedFile> {
  const paths = new Set<string>()
  const pages = records.pages.filter(({ file }) => file !== undefined)

  for await (const [page, source] of withSources(pages, load)) {
    const printed = printPageFile(page.id, source, content)
    if (printed.isTitled) titled.add(page.id)
    const path = needValue(page.file, `the path of the page ${page.id}`)
    paths.add(path)
    yield { path, text: printed.source }
    if (isTurnOver()) await giveTurn()
  }
  for await (const [reusable, source] of withSources(records.reusables, load)) {
    const path = pathOfRecord(reusable)
    if (paths.has(path) || content.pages.byFile(path)) continue
    paths.add(path)
    yield { path, text: printReusable(reusable, source, content) }
    if (isTurnOver()) await giveTurn()
  }
  for (const file of records.files) {
    const path = pathOfRecord(file)
    if (paths.has(path)) continue
    paths.add(path)
    yield { path, file }
  }
}

/**
 * Prints the files that are not those of one record: variables, redirects and the table of contents.
 * @param titled the ids of the pages whose files have their titles
 */
export function printSettings(
  content: PlacedContent,
  titled: ReadonlySet<string>,
): { path: string; text: string }[] {
  const settings = [
    [variablesPath(content), printVariables(content)],
    [configurationPath(content), printConfiguration(content)],
    [content.layout.summary, printSummary(content, titled)],
  ] as const
  return settings.flatMap(([path, text]) => (text === undefined ? [] : [{ path, text }]))
}

const pathOfRecord = ({ id, path }: { id: string; path?: string }) => needValue(path, `the path of ${id}`)

async function* withSources<R extends { document?: string }>(
  records: readonly R[],
  load: LoadSources,
): AsyncGenerator<[R, string]> {
  for (let start = 0; start < records.length; start += AT_ONCE) {
    const some = records.slice(start, start + AT_ONCE)
    const sources = await load(some.flatMap(({ document }) => document ?? []))
    for (const record of some) yield [record, sources.get(record.document ?? '') ?? '']
  }
}
