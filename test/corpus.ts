import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { diagonalOf, firstOf } from './effort.ts'
import { unzip } from './imports/zip.ts'

export type Corpus = 'elsa-docs' | 'fluentd-docs' | 'tidb-docs-zh'

/** Real documentation that this run tries, by default one. It is not part of the repository. */
export const CORPORA = firstOf<Corpus>(['elsa-docs', 'fluentd-docs', 'tidb-docs-zh'], 1)

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

/**
 * The Markdown files of a corpus that this run tries, one by one: an eighth by default, and a third in CI.
 * @param row the number of the test among those that try them, so that CI tries each page in some test
 */
export function pagesToTry(name: Corpus, row = 0): [path: string, source: string][] {
  return diagonalOf([...corpusPages(name)], row, 8, 3)
}

const pagesOf = new Map<Corpus, ReadonlyMap<string, string>>()

/** Returns the Markdown files of a corpus by path, without the table of contents. */
export function corpusPages(name: Corpus): ReadonlyMap<string, string> {
  const known = pagesOf.get(name)
  if (known) return known
  // Most of an archive are images, which take seconds to decompress.
  const files = unzip(corpusArchive(name), (path) => path.endsWith('.md'))
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const pages = new Map(
    [...files]
      .filter(([path]) => !path.endsWith('SUMMARY.md'))
      .map(([path, bytes]) => [path, decoder.decode(bytes)]),
  )
  pagesOf.set(name, pages)
  return pages
}
