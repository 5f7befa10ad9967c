/** Reads an archive in a worker thread, because unpacking and parsing would block the event loop. */
import { readFile } from 'node:fs/promises'
import { type DocumentLinks, linksOf } from '../core/document/links-in.ts'
import { parsePage } from '../core/document/parse.ts'
import type { PageMeta } from '../core/document/model.ts'
import { planImport } from '../core/repository/plan.ts'
import type { ImportPlan } from '../core/repository/model.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import { readArchive } from './archive.ts'

/** The facts about a page that an import stores besides its source. */
export interface PageReadout {
  title?: string
  meta: PageMeta
  references: string[]
  includes: string[]
  links: DocumentLinks
  unreadable?: string
  excess?: string
}

export interface ImportTask {
  source: 'zip' | 'markdown'
  /** The file name, for Markdown. */
  name: string
  /** The file of the archive: a path needs no memory while the task waits. */
  path: string
}

/** The plan, or what is wrong with the archive. */
export type ImportOutcome = { plan: ImportPlan<PageReadout> } | { refused: string }

/** Reads an archive or a Markdown file into the plan of an import, in a thread. */
export async function runImport({ source, name, path }: ImportTask): Promise<ImportOutcome> {
  try {
    const files =
      source === 'zip'
        ? await readArchive(path)
        : new Map([[/\.(md|markdown)$/i.test(name) ? name : `${name}.md`, await readFile(path)]])
    return { plan: await planImport(files, read) }
  } catch (error) {
    if (error instanceof ImportRefused) return { refused: error.message }
    throw error
  }
}

function read(source: string): PageReadout {
  const page = parsePage(source)
  const { title, meta, unreadable, excess } = page
  const references: string[] = []
  const includes: string[] = []
  const links = linksOf(page, source)
  for (const { ref, place } of links.references) {
    if (ref.kind !== 'url') continue
    if (place === 'reusable-content') includes.push(ref.url)
    else references.push(ref.url)
  }
  for (const cover of [meta.cover?.ref, meta.cover?.refDark])
    if (cover?.kind === 'url') references.push(cover.url)
  return {
    ...(title === undefined ? {} : { title }),
    ...(unreadable === undefined ? {} : { unreadable }),
    ...(excess === undefined ? {} : { excess }),
    meta,
    references,
    includes,
    links,
  }
}
