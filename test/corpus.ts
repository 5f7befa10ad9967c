import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unzipSync } from 'fflate'

/** Real documentation for tests. It is not part of the repository. */
export const CORPORA = ['elsa-docs', 'fluentd-docs', 'tidb-docs-zh'] as const
export type Corpus = (typeof CORPORA)[number]

const FOLDER = process.env.LECTERN_TEST_CORPUS ?? resolve(import.meta.dirname, '../../shared/corpus')

/** A reason to skip a test if the corpora are missing. */
export const withoutCorpora = existsSync(FOLDER) ? false : 'the corpora are not beside this repository'

/** Returns the path of the archive. */
export function corpusPath(name: Corpus): string {
  return resolve(FOLDER, `${name}.zip`)
}

/** Reads the archive. */
export function corpusArchive(name: Corpus): Uint8Array {
  return readFileSync(corpusPath(name))
}

/** Returns the Markdown files of a corpus by path, without the table of contents. */
export function corpusPages(name: Corpus): Map<string, string> {
  const files = Object.entries(unzipSync(corpusArchive(name)))
  const pages = files.filter(([path]) => path.endsWith('.md') && !path.endsWith('SUMMARY.md'))
  return new Map(
    pages.map(([path, bytes]) => [path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)]),
  )
}
