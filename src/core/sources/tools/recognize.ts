/** Recognizes the tool that made an archive by the files that only this tool has. */
import { readExportedFrom } from '../../repository/manifest.ts'
import { folderOf, lastSegment } from '../../text/file-paths.ts'
import type { ImportSource } from '../convert.ts'
import { outerFolder, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { GENERATORS } from './generators.ts'
import { beginningOf, type MarkedArchive, type Tool } from './model.ts'
import { WIKIS } from './wikis.ts'

const TOOLS = [...WIKIS, ...GENERATORS] as const

/** The tool of an archive, as the API writes it. */
export type ToolId = (typeof TOOLS)[number]['id']

/** The tools that are recognized. */
export const TOOL_IDS: readonly ToolId[] = TOOLS.map(({ id }) => id)

/** The tool of an archive, and the reason why it is recognized. */
export interface Recognized {
  tool: ToolId
  /** The name of the tool, for people. */
  name: string
  /** The file by which it is recognized. */
  path: string
  /** The source that imports it. */
  source: ImportSource
}

/** A recognized tool, with what an import needs to know about its files. */
export interface RecognizedArchive extends Recognized {
  /** Whether it is the export of a wiki, whose folders are never several documentation trees. */
  isExport: boolean
}

/** The most folders above a mark. Deeper ones belong to examples and tests. */
const DEEPEST = 3
const OTHERS = /(?:^|\/)(?:node_modules|vendor|examples?|tests?|__tests__|fixtures|templates?|themes)\//i

/**
 * Recognizes the tool of an archive: the one with the mark that is nearest to the top. Takes time in proportion to the
 * number of files, and reads the beginning of a few of them.
 * @returns undefined for a repository of Markdown, which also has a table of contents or settings of Lectern at its top
 */
export function recognizeTool(source: SourceFiles): RecognizedArchive | undefined {
  return recognizeIn(source, () => {})
}

/** The paths among these whose bytes `recognizeTool` needs. It uses only the names of the others. */
export function pathsToRecognize(paths: readonly string[]): ReadonlySet<string> {
  const read = new Set<string>()
  // An empty file has no mark, so every file that may have one is read.
  recognizeIn(new Map(paths.map((path) => [path, EMPTY])), (path) => read.add(path))
  return read
}

const EMPTY = new Uint8Array()

/** Files whose reader is known: `onRead` gets the path of each file whose bytes are read. */
class WatchedFiles extends Map<string, Uint8Array> {
  private readonly onRead: (path: string) => void

  constructor(files: SourceFiles, onRead: (path: string) => void) {
    super(files)
    this.onRead = onRead
  }

  override get(path: string): Uint8Array | undefined {
    if (this.has(path)) this.onRead(path)
    return super.get(path)
  }
}

function recognizeIn(source: SourceFiles, onRead: (path: string) => void): RecognizedArchive | undefined {
  // An export is what Lectern has written, beside the files of any tool.
  if (readExportedFrom(new WatchedFiles(source, onRead))) return undefined
  const files = withoutSingleFolder(source)
  const outer = outerFolder(source)
  const archive = markedArchive(new WatchedFiles(files, (path) => onRead(outer + path)))
  const found = (TOOLS as readonly (Tool & { id: ToolId })[])
    .flatMap((tool) => {
      const path = tool.mark(archive)
      return path === undefined ? [] : [{ tool, path, depth: path.split('/').length }]
    })
    .filter(({ tool, path }) => !isOutranked(tool, path, files))
    .toSorted((a, b) => a.depth - b.depth)
  const [first] = found
  if (!first) return undefined
  const { tool, path } = first
  const { id, name, source: imported } = tool
  return {
    tool: id,
    name,
    path: outer + path,
    source: imported,
    isExport: WIKIS.some((wiki) => wiki.id === id),
  }
}

/** Whether another file shows that an archive is a repository of Lectern. A book of mdBook has the same table of contents. */
function isOutranked({ id, isVague }: Tool, path: string, files: SourceFiles): boolean {
  if (id === 'mdbook') return files.has('.gitbook.yaml')
  const isContents = (one: string) => /^(?:summary\.md|\.gitbook\.yaml)$/i.test(lastSegment(one))
  return files.keys().some((one) => isContents(one) && (isVague === true || folderOf(one) === ''))
}

function markedArchive(files: SourceFiles): MarkedArchive {
  const paths = [...files.keys()]
    .filter((path) => depthOf(path) <= DEEPEST && !OTHERS.test(path))
    .filter((path) => !/(?:^|\/)\.(?!vitepress\/)/.test(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
  return {
    files,
    paths,
    find: (name, text) =>
      paths.find(
        (path) => name.test(lastSegment(path)) && (text === undefined || text.test(beginningOf(files, path))),
      ),
  }
}

/** The number of folders above a file. Settings of VitePress are in a folder beside its pages. */
const depthOf = (path: string) => path.split('/').length - 1 - Number(path.includes('.vitepress/'))
