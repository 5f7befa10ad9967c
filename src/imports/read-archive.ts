/** Reads an archive in a worker thread, because unpacking and parsing would block the event loop. */
import { LANGUAGE_SAMPLE, LanguageVotes } from '../core/language.ts'
import { linksOf } from '../core/document/links-in.ts'
import type { ParsedPage } from '../core/document/model.ts'
import { parsePage } from '../core/document/parse.ts'
import { planImport } from '../core/repository/plan.ts'
import type { ArchiveLimits } from '../core/repository/archive-limits.ts'
import { MANIFEST_PATH, readExportedFrom, readManifest } from '../core/repository/manifest.ts'
import { isBelow, joinPath } from '../core/repository/paths.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import { treesOf } from '../core/repository/trees.ts'
import { mayInclude, type PageSection, sectionsOf } from '../core/search/sections.ts'
import { convertSource, type ImportSource } from '../core/sources/convert.ts'
import { withRelativeAddresses } from '../core/sources/relative-addresses.ts'
import { omitNullish } from '../model/common.ts'
import type { SendPart } from '../threads/pool.ts'
import { openSource } from './open-source.ts'
import { type ImportOutline, type ImportPart, type PageReadout, sendPlan } from './outline.ts'

export interface ImportTask {
  source: ImportSource
  /** The file name, for a single page. */
  name: string
  /** The file of the archive: a path needs no memory while the task waits. */
  path: string
  /** The folder of the documentation in the archive of a repository; if absent, its only documentation tree. */
  root?: string | undefined
  limits: ArchiveLimits
  /** Whether the pages are added below a page, so that their paths begin with a folder. */
  isMoved?: boolean
}

/** The outline of the import, or what is wrong with the archive. */
export type ImportOutcome = { outline: ImportOutline } | { refused: string }

/** Reads and converts a source, in a thread. Sends its documents and files if nothing is wrong with it. */
export async function runImport(
  { root, limits, isMoved, ...opened }: ImportTask,
  send: SendPart<ImportPart>,
): Promise<ImportOutcome> {
  try {
    const archive = await openSource(opened, limits)
    const dates = readManifest(archive)
    const ids = readExportedFrom(archive)?.ids
    const { files, problems } = await convertSource(opened.source, withoutManifest(archive), opened.name)
    const votes = new LanguageVotes()
    const folder = opened.source === 'zip' ? folderToImport(files, root) : ''
    const plan = await planImport(
      isMoved === true ? withRelativeAddresses(files) : files,
      reader(votes),
      folder,
    )
    const outline = await sendPlan({ ...plan, problems: [...problems, ...plan.problems] }, send, dates)
    return { outline: { ...outline, ...omitNullish({ language: votes.winner(), ids }) } }
  } catch (error) {
    if (error instanceof ImportRefused) return { refused: error.message }
    throw error
  }
}

function withoutManifest(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...files].filter(([path]) => path !== MANIFEST_PATH))
}

/** The most trees that a message names. */
const NAMED_TREES = 20

/** @throws ImportRefused if the folder does not exist, or if none is named and there are several trees */
function folderToImport(files: ReadonlyMap<string, Uint8Array>, root: string | undefined): string {
  if (root === undefined) {
    const trees = treesOf(files)
    if (trees.length <= 1) return trees[0]?.folder ?? ''
    const named = trees
      .slice(0, NAMED_TREES)
      .map(({ folder, pages }) => `"${folder}" (${pages} Markdown file${pages === 1 ? '' : 's'})`)
    const more = trees.length > NAMED_TREES ? ` and ${trees.length - NAMED_TREES} more` : ''
    throw new ImportRefused(
      `the archive has ${trees.length} documentation trees: ${named.join(', ')}${more}. Import one with its folder as "root", or all as one with "root": ""`,
    )
  }
  const folder = joinPath('', root.normalize('NFC'))
  if (folder !== undefined && [...files.keys()].some((path) => isBelow(path, folder))) return folder
  throw new ImportRefused(`the archive has no folder "${root}"`)
}

/** The characters of sections that one import sends to the index. It parses further pages again. */
const SECTIONS_MOST = 16_000_000

function reader(votes: LanguageVotes): (source: string) => PageReadout {
  let left = SECTIONS_MOST
  return (source) => {
    const page = parsePage(source)
    const readout = readoutOf(page, source)
    if (left <= 0 || mayInclude(source)) return readout
    const read = sectionsOf(page.document)
    votes.add(beginningOf(read))
    const sections = JSON.stringify(read)
    left -= sections.length
    return { ...readout, sections }
  }
}

function beginningOf(sections: readonly PageSection[]): string {
  let text = ''
  for (const section of sections) {
    if (text.length >= LANGUAGE_SAMPLE) break
    text += `${section.title}\n${section.text.slice(0, LANGUAGE_SAMPLE)}\n`
  }
  return text
}

function readoutOf(page: ParsedPage, source: string): PageReadout {
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
