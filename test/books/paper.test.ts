/** What does not fit on a line of a sheet is broken, and never cut off. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { bookWords } from '../../src/books/book-words.ts'
import { renderForBook } from '../../src/books/render-page.ts'
import { typeset } from '../../src/books/typeset.ts'
import { makeBook } from '../../src/core/book/make-book.ts'
import { readBookHtml } from '../../src/core/book/read-html.ts'
import { assertLinear } from '../core/cost/growth.ts'
import { temporaryFolder } from '../process.ts'
import { withoutPdfTools } from './tools.ts'

/** The margins of a sheet of A4, in points. */
const [LEFT, RIGHT] = [62, 595 - 62]

interface Word {
  text: string
  from: number
  to: number
  top: number
}

/** Sets a book, and returns the words on its sheets with their places. */
async function setBook(sources: readonly string[], folder: string) {
  const cover = { title: 'Paper', note: '', language: 'en', direction: 'ltr', pageSize: 'a4' } as const
  const pages = sources.map(async (source, index) => {
    const task = {
      page: { hash: String(index), source, references: new Map() },
      included: new Map(),
      targets: new Map(),
      scope: {},
      specs: new Map(),
    }
    return { id: `p${index}`, title: 'Page', level: 1, body: { html: await renderForBook(task, 'en') } }
  })
  const book = makeBook({ ...cover, whole: false, words: bookWords('en') }, await Promise.all(pages), {
    image: () => undefined,
    outside: () => undefined,
  })
  const output = join(folder, 'book.pdf')
  const set = await typeset(book, { workspace: folder, output, images: new Map(), plain: new Set() })
  assert.deepEqual(set, { failed: [], unreadable: [] })
  const boxes = execFileSync('pdftotext', ['-bbox', output, '-'], { encoding: 'utf8' })
  const pattern = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="[\d.]+">([^<]*)<\/word>/g
  return boxes.split('<page ').map((sheet) =>
    [...sheet.matchAll(pattern)].map(([, from, top, to, text = '']): Word => ({
      text,
      from: Number(from),
      to: Number(to),
      top: Number(top),
    })),
  )
}

function assertOnPaper(words: readonly Word[]): void {
  for (const { text, from, to } of words)
    assert.ok(from >= LEFT && to <= RIGHT + 1, `${text} is at ${from}–${to}`)
}

const columns = (count: number) => Array.from({ length: count }, (_, n) => n)
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

/** A table with many columns. */
function wideTable(): string {
  const all = columns(100)
  return (
    row(all.map((n) => `head-${n}`)) +
    row(all.map(() => '-')) +
    row(all.map((n) => (n === 0 ? 'first' : `cell-${n}`))) +
    row(all.map((n) => (n % 7 === 3 ? 'configurationOptions' : `other-${n}`)))
  )
}

/** The longest lines of code and words. */
const LONG = [
  'a'.repeat(700),
  `https://example.com/${'path/'.repeat(80)}`,
  '中'.repeat(300),
  'कि'.repeat(150),
  'ж'.repeat(300),
]

test(
  'a table with many columns is set in parts, and long lines of code and words are broken',
  { skip: withoutPdfTools },
  async (t) => {
    const folder = temporaryFolder()
    t.after(folder.remove)
    const long = LONG.map((one) => `\`\`\`\n${one}\n\`\`\`\n\n\`${one}\`\n\n${one}\n\n`).join('')
    const sheets = await setBook([wideTable(), long], folder.path)
    const words = sheets.flat()
    assertOnPaper(words)
    const texts = new Set(words.map(({ text }) => text))
    for (const n of columns(100).slice(1))
      assert.ok(texts.has(`head-${n}`) && texts.has(`cell-${n}`), `column ${n}`)
    // Each part begins with the first column.
    assert.equal(words.filter(({ text }) => text === 'first').length, 11)
    for (const sheet of sheets) assertApart(sheet)
    const signs = words.map(({ text }) => text).join('')
    for (const sign of ['中', 'ж']) assert.equal(signs.split(sign).length - 1, 900, sign)
  },
)

function assertApart(words: readonly Word[]): void {
  const sorted = words.toSorted((a, b) => a.top - b.top || a.from - b.from)
  for (const [index, word] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next?.top === word.top) assert.ok(next.from >= word.to - 0.5, `${word.text} is over ${next.text}`)
  }
}

test('a table with many columns is read in linear time', () => {
  const words = bookWords('en')
  assertLinear(
    (length) => `<table>${`<tr>${'<td>a</td>'.repeat(100)}</tr>`.repeat(Math.ceil(length / 1000))}</table>`,
    (html) => readBookHtml(html, { words, image: () => undefined, links: [], places: new Map() }),
    64_000,
  )
})
