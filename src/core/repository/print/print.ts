import { needValue } from '../../data/lists.ts'
import type { FileRecord } from '../../content/revision.ts'
import { giveTurn, isTurnOver } from '../../runtime/turns.ts'
import type { PlacedContent } from './model.ts'
import { printPageFile, printReusable } from './page.ts'
import { configurationPath, printConfiguration, printVariables, variablesPath } from './settings.ts'
import { printSummary } from './summary.ts'

/** A file of a printed repository: its text, or the file of the space whose bytes it has. */
export type PrintedFile = { path: string; text: string } | { path: string; file: FileRecord }

/** How many sources are in memory at once. */
const AT_ONCE = 50

/**
 * Prints a content as a repository that an import reads back: pages, reusable contents, files, variables, redirects and the
 * table of contents, one after the other. A reusable content at the path of a page is that page.
 * @param load the sources of documents, by their hash
 */
export async function* printRepository(
  content: PlacedContent,
  load: (documents: string[]) => Promise<ReadonlyMap<string, string>>,
): AsyncGenerator<PrintedFile> {
  const titled = new Set<string>()
  const paths = new Set<string>()
  const pages = content.pages.pages().filter(({ file }) => file !== undefined)
  const reusables = [...content.reusables.values()]

  for await (const [page, source] of withSources(pages, load)) {
    const printed = printPageFile(page.id, source, content)
    if (printed.isTitled) titled.add(page.id)
    const path = needValue(page.file, `the path of the page ${page.id}`)
    paths.add(path)
    yield { path, text: printed.source }
    if (isTurnOver()) await giveTurn()
  }
  for await (const [reusable, source] of withSources(reusables, load)) {
    const path = pathOfRecord(reusable)
    if (paths.has(path)) continue
    paths.add(path)
    yield { path, text: printReusable(reusable, source, content) }
    if (isTurnOver()) await giveTurn()
  }
  for (const file of content.files.values()) {
    const path = pathOfRecord(file)
    if (paths.has(path)) continue
    paths.add(path)
    yield { path, file }
  }
  const settings = [
    [variablesPath(content), printVariables(content)],
    [configurationPath(content), printConfiguration(content)],
    [content.layout.summary, printSummary(content, titled)],
  ] as const
  for (const [path, text] of settings) if (text !== undefined) yield { path, text }
}

const pathOfRecord = ({ id, path }: { id: string; path?: string }) => needValue(path, `the path of ${id}`)

async function* withSources<R extends { document?: string }>(
  records: readonly R[],
  load: (documents: string[]) => Promise<ReadonlyMap<string, string>>,
): AsyncGenerator<[R, string]> {
  for (let start = 0; start < records.length; start += AT_ONCE) {
    const some = records.slice(start, start + AT_ONCE)
    const sources = await load(some.flatMap(({ document }) => document ?? []))
    for (const record of some) yield [record, sources.get(record.document ?? '') ?? '']
  }
}
