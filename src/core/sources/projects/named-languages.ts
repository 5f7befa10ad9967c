/** Projects whose files have their language in their names: `install.de.md` beside `install.md`. */
import { isBelow } from '../../text/file-paths.ts'
import type { SourceFiles } from '../converted.ts'
import { isProjectPage } from './project.ts'

/** The files of a project at the paths at which its tool builds them. */
export interface PlacedFiles {
  files: SourceFiles
  /** The path in the source of each file that has another one here. */
  sources: ReadonlyMap<string, string>
}

/** A language among those of a project. */
export interface NamedLanguage {
  /** The language that is built. */
  language: string
  /** The language of files that name none. */
  main: string
  /** All languages of the project. Other endings, such as that of `app.min.js`, are parts of names. */
  all: readonly string[]
  /** Whether pages of the main language are shown where there is no translation. Other files always are. */
  hasFallback: boolean
}

/** A path without the language in its name, and this language as the project writes it. */
function splitName(path: string, byName: ReadonlyMap<string, string>): { path: string; language?: string } {
  const end = path.lastIndexOf('.')
  const start = path.lastIndexOf('.', end - 1)
  if (start <= path.lastIndexOf('/') + 1) return { path }
  const language = byName.get(path.slice(start + 1, end).toLowerCase())
  return language === undefined ? { path } : { path: path.slice(0, start) + path.slice(end), language }
}

const languagesByName = (languages: readonly string[]) =>
  new Map(languages.map((one) => [one.toLowerCase(), one]))

/** The pages below a folder that have each of some languages in their names. */
export function pagesByLanguage(
  files: SourceFiles,
  root: string,
  languages: readonly string[],
): Map<string, string[]> {
  const byName = languagesByName(languages)
  const pages = new Map<string, string[]>()
  for (const path of files.keys()) {
    if (!isProjectPage(path) || !isBelow(path, root)) continue
    const { language } = splitName(path, byName)
    if (language === undefined) continue
    const known = pages.get(language)
    if (known) known.push(path)
    else pages.set(language, [path])
  }
  return pages
}

/**
 * The files of a project as they are in one language: without the language in the names of those below a folder, and without
 * the files of other languages.
 */
export function filesInLanguage(
  files: SourceFiles,
  root: string,
  { language, main, all, hasFallback }: NamedLanguage,
): PlacedFiles {
  const byName = languagesByName([...all, main, language])
  const placed = new Map<string, Uint8Array>()
  const sources = new Map<string, string>()
  const ranks = new Map<string, number>()
  for (const [path, bytes] of files) {
    if (!isBelow(path, root)) {
      placed.set(path, bytes)
      continue
    }
    const own = splitName(path, byName)
    const rank = fitToLanguage(own.language, { language, main })
    const isFallback = rank > 0 && (language === main || hasFallback || !isProjectPage(path))
    if ((rank < 3 && !isFallback) || rank <= (ranks.get(own.path) ?? 0)) continue
    ranks.set(own.path, rank)
    placed.set(own.path, bytes)
    if (own.path === path) sources.delete(path)
    else sources.set(own.path, path)
  }
  return { files: placed, sources }
}

/** How well a file fits a language: 3 if it is in it, 1 or 2 if it is in the main language, and 0 if it is in another. */
function fitToLanguage(
  own: string | undefined,
  { language, main }: Pick<NamedLanguage, 'language' | 'main'>,
) {
  if (own === language) return 3
  return own === undefined ? 1 : own === main ? 2 : 0
}
