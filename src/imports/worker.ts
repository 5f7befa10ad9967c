/** Reads an archive in a thread of its own: unpacking and parsing must not hold up requests. */
import { parentPort } from 'node:worker_threads'
import { type DocumentLinks, linksOf } from '../core/document/links-in.ts'
import { parsePage } from '../core/document/parse.ts'
import type { PageMeta } from '../core/document/model.ts'
import { planImport } from '../core/repository/plan.ts'
import type { ImportPlan } from '../core/repository/model.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import { readArchive } from './archive.ts'

/** What the import keeps of a page besides its source. */
export interface Reading {
  title?: string
  meta: PageMeta
  references: string[]
  includes: string[]
  links: DocumentLinks
}

export interface Task {
  source: 'zip' | 'markdown'
  /** The file name, for Markdown. */
  name: string
  bytes: Uint8Array
}

/** The plan, or why there is none: what is wrong with the archive, or with this program. */
export type Outcome = { plan: ImportPlan<Reading> } | { refused: string } | { failed: string }

async function run({ source, name, bytes }: Task): Promise<Outcome> {
  try {
    const files =
      source === 'zip'
        ? await readArchive(Buffer.from(bytes))
        : new Map([[/\.(md|markdown)$/i.test(name) ? name : `${name}.md`, bytes]])
    return { plan: await planImport(files, read) }
  } catch (error) {
    if (error instanceof ImportRefused) return { refused: error.message }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function read(source: string): Reading {
  const { title, meta, document } = parsePage(source)
  const references: string[] = []
  const includes: string[] = []
  const links = linksOf(document)
  for (const { ref, place } of links.references) {
    if (ref.kind !== 'url') continue
    if (place === 'reusable-content') includes.push(ref.url)
    else references.push(ref.url)
  }
  for (const cover of [meta.cover?.ref, meta.cover?.refDark])
    if (cover?.kind === 'url') references.push(cover.url)
  return { ...(title === undefined ? {} : { title }), meta, references, includes, links }
}

parentPort?.on('message', (task: Task) => {
  void run(task).then((outcome) => parentPort?.postMessage(outcome))
})
