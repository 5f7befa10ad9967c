/** Sets pages as PDF in this process, and writes the time and the peak of the memory. The pages are rendered already. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { typeset } from '../src/books/typeset.ts'
import { bookWords } from '../src/books/book-words.ts'
import { makeBook } from '../src/core/book/make-book.ts'

const [input = '', output = ''] = process.argv.slice(2)
const pages = JSON.parse(readFileSync(input, 'utf8')) as { title: string; html: string }[]
const since = performance.now()
const cover = {
  title: 'Documentation',
  note: '2026',
  language: 'en',
  direction: 'ltr',
  pageSize: 'a4',
  whole: true,
  words: bookWords('en'),
} as const
const book = makeBook(
  cover,
  pages.map(({ title, html }, index) => ({ id: String(index), title, level: 1, body: { html } })),
  { image: () => undefined, outside: () => undefined },
)
const workspace = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
await typeset(book, { workspace, output, images: new Map(), plain: new Set() })
const ms = performance.now() - since
console.log(JSON.stringify({ ms, mb: process.resourceUsage().maxRSS / 1000 }))
