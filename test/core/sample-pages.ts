import { readFileSync } from 'node:fs'
import { CORPORA, corpusPages, withoutCorpora } from '../corpus.ts'

/** How many constructs make a page that is about as long as a real one. */
const TOGETHER = 12

/** Pages to damage: every construct of `constructs.txt`, and the real pages if they are beside this repository. */
export function samplePages(): string[] {
  const text = readFileSync(new URL('./document/constructs.txt', import.meta.url), 'utf8')
  const sources = text.split(/^=== .*\n/m).map((one) => one.slice(0, one.indexOf('>>>\n')))
  const pages = sources.flatMap((_, index) =>
    index % TOGETHER === 0 ? [sources.slice(index, index + TOGETHER).join('\n')] : [],
  )
  return withoutCorpora
    ? pages
    : [...pages, ...CORPORA.flatMap((corpus) => [...corpusPages(corpus).values()])]
}
