/** Tools whose projects and exports are recognized by their own files. */
import type { ImportSource } from '../convert.ts'
import type { SourceFiles } from '../converted.ts'

/** A documentation tool. */
export interface Tool {
  /** As the API writes it. */
  id: string
  /** As its makers write it. */
  name: string
  /** The file of an archive that only this tool has. */
  mark(archive: MarkedArchive): string | undefined
  /** The source that converts its files. */
  source: ImportSource
  /** Other projects have its mark too, so a table of contents of Lectern outranks it. */
  isVague?: boolean
}

/** An archive as marks are looked for in it. */
export interface MarkedArchive {
  files: SourceFiles
  /** The paths that may be marks, from the top down. Examples, tests and hidden folders are not among them. */
  paths: readonly string[]
  /** Finds the first path whose last part matches, and whose text has a match. */
  find(name: RegExp, text?: RegExp): string | undefined
}

/** The bytes at the beginning of a file in which a mark is looked for. */
const LOOKED_AT = 100_000

/** The beginning of the text of a file. Bytes that are not UTF-8 become replacement characters. */
export function beginningOf(files: SourceFiles, path: string, most = LOOKED_AT): string {
  return new TextDecoder().decode(files.get(path)?.subarray(0, most))
}
