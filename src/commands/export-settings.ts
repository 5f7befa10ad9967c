/** Keeps the table of contents and the settings of a repository as they are written there if they mean the same. */
import { yaml } from '../core/runtime/libraries.ts'
import { isRecord } from '../core/data/is-record.ts'
import { jsonEqual } from '../core/data/json.ts'
import { quickTitle } from '../core/document/parse.ts'
import type { PageReading, PlannedPage } from '../core/repository/model.ts'
import { planImport } from '../core/repository/plan.ts'
import { ImportRefused } from '../core/repository/refused.ts'

/** The files of a repository; an empty one for those whose content does not matter. */
type Files = ReadonlyMap<string, Uint8Array>

/**
 * The settings to write: those of the branch where an import of the exported files means the same with them.
 * @param exported the files of the repository after the export
 * @param before the settings of the branch by their paths; undefined for one that it has not
 */
export async function keepSettings(
  exported: Files,
  before: ReadonlyMap<string, Uint8Array | undefined>,
  folder: string,
): Promise<Map<string, Uint8Array>> {
  const kept = new Map(exported)
  const wanted = await meaningOf(kept, folder)
  for (const [path, bytes] of before) {
    for (const attempt of attemptsAt(path, bytes, exported.get(path))) {
      const tried = new Map(kept)
      if (attempt === undefined) tried.delete(path)
      else tried.set(path, attempt)
      if (!jsonEqual(await meaningOf(tried, folder), wanted)) continue
      if (attempt === undefined) kept.delete(path)
      else kept.set(path, attempt)
      break
    }
  }
  return kept
}

function attemptsAt(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): (Uint8Array | undefined)[] {
  const edited = before && path.endsWith('.gitbook.yaml') ? withRedirects(before, after) : undefined
  return [before, ...(edited ? [edited] : [])]
}

/** The settings of a branch with other redirects. Comments and everything else stay. */
function withRedirects(before: Uint8Array, after: Uint8Array | undefined): Uint8Array | undefined {
  const document = yaml().parseDocument(Buffer.from(before).toString())
  const settings: unknown = after ? yaml().parse(Buffer.from(after).toString()) : {}
  if (document.errors.length > 0 || !yaml().isMap(document.contents)) return undefined
  if (isRecord(settings) && isRecord(settings.redirects)) document.set('redirects', settings.redirects)
  else document.delete('redirects')
  return Buffer.from(document.toString())
}

async function meaningOf(files: Files, folder: string): Promise<unknown> {
  try {
    const plan = await planImport(files, read, folder)
    return { pages: plan.pages.map(meaningOfPage), variables: plan.variables, redirects: plan.redirects }
  } catch (error) {
    if (error instanceof ImportRefused) return { refused: error.message }
    throw error
  }
}

function read(source: string): PageReading {
  const title = quickTitle(source)
  return { references: [], ...(title === undefined ? {} : { title }) }
}

function meaningOfPage(page: PlannedPage<PageReading>): unknown {
  if (page.kind === 'link' || page.kind === 'computed') return page
  const { kind, title, slug, children } = page
  const more = page.kind === 'document' ? { linkTitle: page.linkTitle, file: page.file } : {}
  return { kind, title, slug, ...more, children: children.map(meaningOfPage) }
}
