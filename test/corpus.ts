import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unzipSync } from 'fflate'

/** Real documentation to run on; it is beside the repository where the project is developed. */
export const CORPORA = ['elsa-docs', 'fluentd-docs', 'tidb-docs-zh'] as const
export type Corpus = (typeof CORPORA)[number]

const FOLDER = resolve(import.meta.dirname, '../../shared/corpus')

/** A reason to skip a test, where the corpora are not there. */
export const withoutCorpora = existsSync(FOLDER) ? false : 'the corpora are not beside this repository'

/** The archive as it is. */
export function corpusArchive(name: Corpus): Uint8Array {
  return readFileSync(resolve(FOLDER, `${name}.zip`))
}

/** The Markdown files of a corpus by path, without the table of contents. */
export function corpusPages(name: Corpus): Map<string, string> {
  const files = Object.entries(unzipSync(corpusArchive(name)))
  const pages = files.filter(([path]) => path.endsWith('.md') && !path.endsWith('SUMMARY.md'))
  return new Map(
    pages.map(([path, bytes]) => [path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)]),
  )
}
