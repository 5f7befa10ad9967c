import { faultParameters } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { append } from '../../data/lists.ts'
import { findFile } from '../addresses.ts'
import type { Repository } from '../addresses.ts'
import type { Configuration } from '../configuration.ts'
import { entriesFromFolders } from '../folders.ts'
import { repositoryLimits } from '../model.ts'
import type { Entry, EntryLines, Problem } from '../model.ts'
import { projectFiles } from '../project-files.ts'
import { joinPath } from '../../text/file-paths.ts'
import { ImportRefused } from '../refused.ts'
import { parseSummary } from './summary.ts'
import { decodeText } from '../decode-text.ts'

/** The table of contents of a repository. */
export interface Contents {
  tree: 'summary' | 'folders'
  /** The file of the table of contents, or the folder that it was generated from. Used in messages. */
  path: string
  entries: Entry[]
  /** The lines of the entries. Empty if they come from the folders. */
  lines: ReadonlyMap<Entry, EntryLines>
}

/** Reads the table of contents from its file, or generates it from the folders if the file does not exist. */
export function readContents(
  { files, root }: Repository,
  configuration: Configuration,
  problems: Problem[],
): Contents {
  const path = findInAnyCase(files, configuration.summary)
  if (path !== undefined) {
    const text = openText(files, path)
    const { entries, lines, problems: faults } = parseSummary(text ?? '')
    append(
      problems,
      faults.map((fault) => ({ kind: 'setting' as const, path, ...fault })),
    )
    if (entries.length === 0 && faults.some(({ kind }) => kind === 'condition'))
      throw new ImportRefused(because('import-contents-hidden', { path }))
    if (entries.length > 0) return { tree: 'summary', path, entries, lines }
    const fault =
      text === undefined
        ? because('file-not-utf-8', { limit: repositoryLimits.contentsBytes / 1_000_000 })
        : because('contents-without-page')
    problems.push({ kind: 'setting', path, ...because('contents-not-used', faultParameters(fault)) })
  } else if (configuration.summary !== joinPath(root, 'SUMMARY.md')) {
    problems.push({
      kind: 'setting',
      path: configuration.summary,
      ...because('contents-not-used', faultParameters(because('file-missing'))),
    })
  }

  const all = [...files.keys()].filter((file) => file !== path)
  const { hidden, omitted } = projectFiles(all, root)
  const paths = all.filter((one) => !omitted.includes(one))
  const entries = entriesFromFolders(paths, root, configuration.readme)
  for (const entry of entries)
    if (entry.kind === 'page' && hidden.has(entry.path ?? '')) entry.isHidden = true
  if (entries.length === 0) {
    throw new ImportRefused(
      root === '' ? because('import-without-page') : because('import-folder-without-page', { root }),
    )
  }
  return { tree: 'folders', path: root, entries, lines: new Map() }
}

/** The text of the table of contents; undefined if it is no text or too long. */
function openText(files: ReadonlyMap<string, Uint8Array>, path: string): string | undefined {
  const bytes = files.get(path) ?? new Uint8Array()
  return bytes.length > repositoryLimits.contentsBytes ? undefined : decodeText(bytes)
}

function findInAnyCase(files: ReadonlyMap<string, Uint8Array>, path: string): string | undefined {
  if (files.has(path)) return path
  const lower = path.toLowerCase()

  return [...files.keys()].find((other) => other.toLowerCase() === lower)
}

/** Finds the file of an entry. Its path is relative to the table of contents or to the root of the pages. */
export function locateEntry(repository: Repository, contents: Contents, path: string): string | undefined {
  if (contents.tree === 'folders') return path

  return (
    findFile(repository, contents.path, path) ??
    findFile(repository, joinPath(repository.root, 'x') ?? '', path)
  )
}
