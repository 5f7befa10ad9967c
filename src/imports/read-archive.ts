/** Reads an archive in a worker thread, because unpacking and parsing would block the event loop. */
import { type Reasoned, reasonFields } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'
import { LANGUAGE_SAMPLE, LanguageVotes } from '../core/languages/detect-language.ts'
import { linksOf } from '../core/document/links/links-in.ts'
import type { ReferencePlace } from '../core/document/links/references.ts'
import type { ParsedPage } from '../core/document/model.ts'
import { parsePage } from '../core/document/parse.ts'
import { unshownParts } from '../core/document/shown/unshown.ts'
import { titleOnOneLine } from '../core/repository/pages.ts'
import { planImport } from '../core/repository/plan.ts'
import { documentHash } from '../core/content/hash.ts'
import type { ArchiveLimits } from '../core/repository/archive-limits.ts'
import { titleInSettings, titleOfContent, titleOfReadme } from '../core/repository/content-title.ts'
import { withDecodedPages } from '../core/repository/decode-any-text.ts'
import { type FileDates, MANIFEST_PATH, readExportedFrom, readManifest } from '../core/repository/manifest.ts'
import type { ImportPlan, Problem, ReadPage } from '../core/repository/model.ts'
import { folderOf, isBelow, isLeftAlone, isMarkdown, joinPath, lastSegment } from '../core/text/file-paths.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import { treesOf } from '../core/repository/trees.ts'
import { mayInclude, type PageSection, sectionsOf } from '../core/search/sections.ts'
import { withoutEnd } from '../core/text/trimming.ts'
import { withYamlFrontMatter } from '../core/sources/markdown/front-matter.ts'
import { convertSource, type ImportSource } from '../core/sources/convert.ts'
import { outerFolder, type SourceFiles, withoutSingleFolder } from '../core/sources/converted.ts'
import { projectTrees } from '../core/sources/project-trees.ts'
import { isLanguageName, type ProjectTree } from '../core/sources/projects/project-tree.ts'
import { GENERATORS } from '../core/sources/tools/generators.ts'
import { type Recognized, recognizeTool } from '../core/sources/tools/recognize.ts'
import { withRelativeAddresses } from '../core/sources/relative-addresses.ts'
import { omitNullish } from '../model/common.ts'
import type { ImportedPage } from '../model/search/imported-pages.ts'
import type { SendPart } from '../threads/pool.ts'
import { openSource } from './open-source.ts'
import { outsideTrees } from './outside-trees.ts'
import { type ImportOutline, type ImportPart, type PageReadout, sendPlan } from './plan-outline.ts'

export interface ImportTask {
  source: ImportSource
  /** The file name, for a single page. */
  name: string
  /** The file of the archive: a path needs no memory while the task waits. */
  path: string
  /** The folder of the documentation in the archive of a repository; if absent, its only documentation tree. */
  root?: string | undefined
  limits: ArchiveLimits
  /** Whether it is the archive of a repository, whose paths begin with a folder that is not in the repository. */
  isRepository?: boolean
  /** Whether the pages are added below a page, so that their paths begin with a folder. */
  isMoved?: boolean
  /** Whether its pages are searched once it is written, so that they are sent to be indexed as they are read. */
  isSearched?: boolean
}

/** The outline of the import, or what is wrong with the archive. */
export type ImportOutcome = { outline: ImportOutline } | { refused: Reasoned }

/**
 * Reads and converts a source, in a thread. Sends its documents and files if nothing is wrong with it, and before these the
 * pages that it has read.
 */
export async function runImport(
  { root, limits, isRepository, isMoved, isSearched, ...opened }: ImportTask,
  sendPart: SendPart<ImportPart>,
): Promise<ImportOutcome> {
  const send = oneByOne(sendPart)
  try {
    const unpacked = await openSource(opened, limits)
    const decoded = withDecodedPages(isRepository ? withoutSingleFolder(unpacked) : unpacked)
    const { files: archive, problems: heads } = withYamlFrontMatter(decoded.files)
    const dates = readManifest(archive)
    const ids = readExportedFrom(archive)?.ids
    const source = readAs(archive, opened.source, root)
    const { recognized, folder } = source
    const {
      files,
      problems,
      title: own,
      sources = new Map<string, string>(),
    } = await convertSource(source.source, withoutManifest(archive), opened.name, source.tree)
    const isMarkdownSource = source.source === 'markdown'
    const votes = new LanguageVotes()
    const early = isSearched ? sendingPages(send) : undefined
    const plan = await planImport(
      isMoved === true ? withRelativeAddresses(files) : files,
      withProgress(reader(votes, early), files, folder, send),
      folder,
    )
    await early?.end()
    const left = leftOutProblems(plan, isMarkdownSource ? files.keys() : [], (path) =>
      archive.has(path) ? path : (recognized?.path ?? path),
    )
    const outside =
      root === undefined && CHOOSING.has(source.source)
        ? outsideTrees(
            archive,
            isMarkdownSource ? folder : `${outerFolder(archive)}${plan.root}`,
            source.trees,
          )
        : []
    const inSource = [...problems, ...plan.problems].map((one) => ({
      ...one,
      path: sources.get(one.path) ?? one.path,
    }))
    const found = [...decoded.problems, ...heads, ...inSource, ...left, ...outside]
    const outline = await sendPlan({ ...plan, problems: found }, send, datesOf(dates, sources))
    // A folder that is named may be one of several, whose settings at the top are not only its own.
    const named = root === undefined ? titleInSettings(archive, folderOf(recognized?.path ?? '')) : undefined
    const title =
      own ??
      named ??
      titleOfContent(files, plan, folder) ??
      (root === undefined ? titleOfReadme(archive) : undefined)
    return { outline: { ...outline, ...omitNullish({ language: votes.winner(), title, ids, recognized }) } }
  } catch (error) {
    if (error instanceof ImportRefused) return { refused: reasonFields(error) }
    throw error
  }
}

/** The dates of files, also by the paths to which a conversion has moved them. */
function datesOf(
  dates: ReadonlyMap<string, FileDates>,
  sources: ReadonlyMap<string, string>,
): ReadonlyMap<string, FileDates> {
  if (dates.size === 0 || sources.size === 0) return dates
  const moved = [...sources].flatMap(([path, source]): [string, FileDates][] => {
    const own = dates.get(source)
    return own ? [[path, own]] : []
  })
  return new Map([...dates, ...moved])
}

/** The sources that import one folder of an archive. */
const CHOOSING = new Set<ImportSource>(['zip', 'markdown', ...GENERATORS.map(({ source }) => source)])

/** What an archive is read as. */
interface ArchiveSource {
  source: ImportSource
  /** The folder of the documentation; empty if it is that of all files. */
  folder: string
  /** The documentations of the project, if it has several, and the folder of the one that the caller chose. */
  trees?: ProjectTree[]
  tree?: string
  /** The tool that the archive was recognized by, unless the caller names a source or another folder. */
  recognized?: Recognized
}

/** @throws ImportRefused if the folder does not exist, or if none is named and there are several trees */
function readAs(files: SourceFiles, source: ImportSource, root: string | undefined): ArchiveSource {
  const wanted = root === undefined ? undefined : joinPath('', root.normalize('NFC'))
  if (source !== 'zip' && source !== 'markdown') {
    const trees = projectTrees(source, files)
    const tree = wanted === undefined ? {} : { tree: treeOfProject(trees, wanted) }
    return { source, folder: '', trees, ...tree }
  }
  const tool = source === 'zip' ? recognizeTool(files) : undefined
  const trees = tool ? projectTrees(tool.source, files) : []
  // Several trees are refused, unless they are the folders of a wiki or of a project.
  const isRecognized =
    root === undefined
      ? tool?.isExport === true || trees.length > 0 || treesOf(files).length <= 1
      : trees.some(({ folder }) => folder === wanted && folder !== '')
  if (!tool || !isRecognized) return { source: 'markdown', folder: folderToImport(files, root) }
  const { isExport: _, ...recognized } = tool
  const tree = wanted === undefined ? {} : { tree: wanted }
  return { source: recognized.source, folder: '', recognized, trees, ...tree }
}

/** @throws ImportRefused if the folder is not one of those of the documentations of a project */
function treeOfProject(trees: readonly ProjectTree[], wanted: string): string {
  if (trees.some(({ folder }) => folder === wanted)) return wanted
  const named = trees.map(({ folder }) => `"${folder}"`).join(', ')
  throw new ImportRefused(
    trees.length === 0
      ? because('project-with-one-tree', { root: wanted })
      : because('project-without-tree', { root: wanted, trees: named }),
  )
}

/** The files that look like pages, but are not imported. */
function leftOutProblems(
  { tree, root, leftOut, contents }: Pick<ImportPlan<PageReadout>, 'tree' | 'root' | 'leftOut' | 'contents'>,
  paths: Iterable<string>,
  /** The file of the archive that the table of contents was made of. */
  original: (contents: string) => string,
): Problem[] {
  const why = because('page-unlisted', { contents: original(contents) })
  const unlisted = tree === 'summary' ? leftOut : []
  const mdx = [...paths].filter((path) => /\.mdx$/i.test(path) && isBelow(path, root) && !isLeftAlone(path))
  return [
    ...unlisted
      .filter((path) => !isLeftAlone(path) && !isNotFoundPage(path, root))
      .map((path) => ({ kind: 'unlisted-page' as const, path, ...why })),
    ...mdx.map((path) => ({
      kind: 'mdx' as const,
      path,
      ...because('page-of-mdx'),
    })),
  ]
}

/** Whether a page is that for addresses that do not exist, of the whole site or of a language. */
function isNotFoundPage(path: string, root: string): boolean {
  const folder = folderOf(path)
  return /^404\.\w+$/.test(lastSegment(path)) && (folder === root || isLanguageName(lastSegment(folder)))
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
    // All pages of an archive with one outer folder are in that folder.
    if (trees.length <= 1) return trees[0]?.folder || withoutEnd(outerFolder(files), '/')
    const named = trees
      .slice(0, NAMED_TREES)
      .map(({ folder, pages }) => `"${folder}" (${pages} Markdown file${pages === 1 ? '' : 's'})`)
    const more = trees.length > NAMED_TREES ? ` and ${trees.length - NAMED_TREES} more` : ''
    throw new ImportRefused(
      because('archive-several-trees', { count: trees.length, trees: `${named.join(', ')}${more}` }),
    )
  }
  const folder = joinPath('', root.normalize('NFC'))
  if (folder !== undefined && [...files.keys()].some((path) => isBelow(path, folder))) return folder
  throw new ImportRefused(because('archive-without-folder', { root }))
}

const PROGRESS_MS = 200

/** Sends the number of pages that are read, a few times a second. */
function withProgress(
  read: (source: string) => Promise<PageReadout>,
  files: ReadonlyMap<string, Uint8Array>,
  folder: string,
  send: SendPart<ImportPart>,
): ReadPage<PageReadout> {
  const total = [...files.keys()].filter((path) => isMarkdown(path) && isBelow(path, folder)).length
  let done = 0
  let sent = performance.now()
  return async (source) => {
    const readout = await read(source)
    done += 1
    if (performance.now() - sent < PROGRESS_MS) return readout
    sent = performance.now()
    await send({ progress: { stage: 'reading', done: Math.min(done, total), total } })
    return readout
  }
}

/** The characters of sections that one import sends to the index. It parses further pages again. */
const SECTIONS_MOST = 16_000_000

function reader(votes: LanguageVotes, early?: SendingPages): (source: string) => Promise<PageReadout> {
  let left = SECTIONS_MOST
  return async (source) => {
    const page = parsePage(source, { keys: 'referring' })
    const readout = readoutOf(page, source)
    if (left <= 0 || mayInclude(source)) return readout
    const read = sectionsOf(page.document)
    votes.add(sectionsBeginning(read))
    const sections = JSON.stringify(read)
    left -= sections.length
    // The plan titles a page that has no title, for example from the table of contents.
    const title = titleOnOneLine(page.title)
    if (!early || title === '') return { ...readout, sections }
    const { description } = page.meta
    await early.add({ document: documentHash(source), title, description, sections })
    return readout
  }
}

/** Sends each part when the one before it is taken, so that a task can go on meanwhile. */
function oneByOne(send: SendPart<ImportPart>): SendPart<ImportPart> {
  let sent = Promise.resolve()
  return (part, transfer) => (sent = sent.then(() => send(part, transfer)))
}

/** The characters of the sections that are sent at once: to index them takes a few dozen milliseconds. */
const SENT_AT_ONCE = 200_000

/** Sends pages to be indexed while others are read. */
interface SendingPages {
  add(page: ImportedPage): Promise<void>
  /** Sends the rest. */
  end(): Promise<void>
}

function sendingPages(send: SendPart<ImportPart>): SendingPages {
  let pages: ImportedPage[] = []
  let length = 0
  let sent: Promise<void> | undefined
  const sendThem = async () => {
    // The next pages are read while these are taken.
    await sent
    sent = send({ pages })
    pages = []
    length = 0
  }
  return {
    async add(page) {
      pages.push(page)
      length += page.sections.length
      if (length >= SENT_AT_ONCE) await sendThem()
    },
    async end() {
      if (pages.length > 0) await sendThem()
      await sent
    },
  }
}

function sectionsBeginning(sections: readonly PageSection[]): string {
  let text = ''
  for (const section of sections) {
    if (text.length >= LANGUAGE_SAMPLE) break
    text += `${section.title}\n${section.text.slice(0, LANGUAGE_SAMPLE)}\n`
  }
  return text
}

const PICTURES = new Set<ReferencePlace>(['image', 'image-dark', 'cell-image'])

function readoutOf(page: ParsedPage, source: string): PageReadout {
  const { title, meta, unreadable, excess } = page
  const references: string[] = []
  const includes: string[] = []
  const links = linksOf(page, source)
  const outside = new Set<string>()
  const lines = new Map<string, number>()
  for (const { ref, place, line } of links.references) {
    if (ref.kind !== 'url') continue
    if (!lines.has(ref.url)) lines.set(ref.url, line)
    if (PICTURES.has(place) && /^(?:https?:)?\/\//i.test(ref.url)) outside.add(ref.url)
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
    lines,
    outside: [...outside],
    includes,
    unshown: unreadable === undefined ? unshownParts(page, source) : [],
    links,
  }
}
