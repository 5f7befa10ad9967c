/** Random edits of the lines of real pages, and git's merge of them to compare with. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'

import { splitLines } from '../../src/core/content/line-merge.ts'
import { CORPORA, corpusPages } from '../corpus.ts'

/** A reason to skip a test if git is not installed. */
export const withoutGit = spawnSync('git', ['--version']).status === 0 ? false : 'git is not installed'

/** A merge by git: its text, or undefined if there are conflicts. */
export function gitMerge(base: string, primary: string, own: string): string | undefined {
  using folder = temporary()
  const path = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const files = [path('primary', primary), path('base', base), path('own', own)]
  const { status, stdout, error } = spawnSync('git', ['merge-file', '-p', ...files], {
    maxBuffer: 100_000_000,
  })
  if (error || status === null || status > 127)
    throw error ?? new Error(`git merge-file ended with ${status}`)
  return status === 0 ? stdout.toString('utf8') : undefined
}

function temporary() {
  const path = mkdtempSync(join(tmpdir(), 'merge-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

const SHORTEST = 200
const LONGEST = 20_000

/** Real pages that are worth editing, of all corpora. */
export function realPages(): string[] {
  const pages = CORPORA.flatMap((corpus) => [...corpusPages(corpus).values()])
  return pages.filter(({ length }) => length > SHORTEST && length < LONGEST)
}

const lineEdit = fc.record({
  kind: fc.constantFrom('delete', 'insert', 'copy', 'change', 'paragraph', 'repeat', 'move', 'unended'),
  at: fc.nat(5000),
  from: fc.nat(5000),
  count: fc.integer({ min: 1, max: 4 }),
  word: fc.nat(999),
})
type LineEdit = typeof lineEdit extends fc.Arbitrary<infer E> ? E : never

/** A real page, and edits of its lines by both sides; half of them near one another. */
export function lineEdits(
  pages: readonly string[],
): fc.Arbitrary<{ base: string; primary: string; own: string }> {
  const edits = fc.array(lineEdit, { minLength: 1, maxLength: 4 })
  const near = fc.option(fc.nat(5000), { nil: undefined })
  return fc
    .record({ page: fc.nat(pages.length - 1), primary: edits, own: edits, near })
    .map(({ page, primary, own, near: place }) => {
      const base = pages[page]!
      return { base, primary: edited(base, primary, place), own: edited(base, own, place) }
    })
}

const NEAR = 12

function edited(source: string, edits: readonly LineEdit[], near: number | undefined): string {
  const lines = splitLines(source)
  for (const { kind, count, word, ...places } of edits) {
    const place = (at: number) => (near === undefined ? at : near + (at % NEAR)) % Math.max(1, lines.length)
    const [at, from] = [place(places.at), place(places.from)]
    if (kind === 'delete') lines.splice(at, count)
    else if (kind === 'insert') lines.splice(at, 0, `new ${word}\n`)
    else if (kind === 'copy') lines.splice(at, 0, lines[from] ?? '')
    else if (kind === 'change') lines[at] = `changed ${word}\n`
    else if (kind === 'paragraph') lines.splice(at, 0, `A paragraph ${word}\n`, '\n')
    else if (kind === 'repeat') lines.splice(at, 0, ...lines.slice(at, at + count))
    else if (kind === 'move') lines.splice(at, 0, ...lines.splice(from, count))
    else lines[lines.length - 1] = lines.at(-1)?.trimEnd() ?? ''
  }
  return lines.join('')
}
