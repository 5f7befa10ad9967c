/** The pages that the benchmarks of search import. */
import { setTimeout as wait } from 'node:timers/promises'
import { corpusPages } from '../test/corpus.ts'
import { archiveOf } from '../test/importing.ts'
import { JUDGED } from '../test/search/relevance.ts'
import type { Running } from './measure.ts'

export const PAGES_OF_SPACE = 1000

/** A page, and the text that is searched in it. */
export interface BenchPage {
  path: string
  title: string
  text: string
}

/** Pages of the corpora, repeated as needed; each copy has a unique title and a unique word. */
export function pagesOfSpace(space: number): BenchPage[] {
  const sources = JUDGED.flatMap((corpus) => [...corpusPages(corpus).values()])
  return Array.from({ length: PAGES_OF_SPACE }, (_, i) => {
    const source = sources[(space * PAGES_OF_SPACE + i) % sources.length]!
    const body = source.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^# .*\n/m, '')
    const own = (/^# (.*)$/m.exec(source)?.[1] ?? 'Page').replaceAll('\\', '')
    const title = `${own} ${space}-${i}`
    return { path: `p${i}.md`, title, text: `# ${title}\n\nnumber${space}x${i}\n\n${body}` }
  })
}

/** The pages as a zip archive. */
export const archiveOfPages = (pages: readonly BenchPage[]) =>
  archiveOf(Object.fromEntries(pages.map(({ path, text }) => [path, text])))

/** Imports pages into a new space. @returns its id */
export const importPages = (
  lectern: Running,
  organization: string,
  pages: readonly BenchPage[],
  title: string,
): Promise<string> => importArchive(lectern, organization, archiveOfPages(pages), title)

/** Imports an archive into a new space. @returns its id */
export async function importArchive(
  lectern: Running,
  organization: string,
  archive: Uint8Array,
  title: string,
): Promise<string> {
  const space = await lectern.call('POST', `${organization}/spaces`, { title })
  await importInto(lectern, organization, archive, `/v1/spaces/${String(space.id)}`)
  return String(space.id)
}

/** @param content the path of a space or of a change request */
export async function importInto(
  lectern: Running,
  organization: string,
  bytes: Uint8Array,
  content: string,
): Promise<void> {
  const upload = await lectern.call('POST', `${organization}/storage/upload`, {
    file: { name: 'pages.zip', type: 'application/zip', size: bytes.length },
    kind: 'import_file',
  })
  const { pathname, search: signature } = new URL(upload.url as string)
  await fetch(lectern.url + pathname + signature, { method: 'PUT', body: Buffer.from(bytes) })
  await lectern.call('POST', `${content}/content/import`, { url: upload.url, source: 'zip' })
}

/** @param number how many pages the space has, if these are of `pagesOfSpace` */
export async function untilIndexed(lectern: Running, space: string, number?: number): Promise<void> {
  await untilFound(lectern, space, number === undefined ? 'the 的' : 'number', number ?? 1)
}

/** Waits until a search finds so many pages. */
export async function untilFound(
  lectern: Running,
  space: string,
  query: string,
  most: number,
): Promise<void> {
  for (;;) {
    const { count } = await lectern.call(
      'GET',
      `/v1/spaces/${space}/search?limit=1&query=${encodeURIComponent(query)}`,
    )
    if (Number(count) >= most) return
    await wait(20)
  }
}
