/** Books of real documentation, set in many parts. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderForBook } from '../../src/books/render-page.ts'
import { typeset } from '../../src/books/typeset.ts'
import { bookWords } from '../../src/books/book-words.ts'
import { type BookPage, makeBook } from '../../src/core/book/make-book.ts'
import { type Book, type BookBlock, bookText } from '../../src/core/book/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { CORPORA, type Corpus, pagesToTry, withoutCorpora } from '../corpus.ts'
import { isLongRun } from '../effort.ts'
import { readPdf, withoutPdfTools } from './tools.ts'

const MOST_PAGES = isLongRun() ? Infinity : 12

async function bookOfCorpus(corpus: Corpus): Promise<Book> {
  const pages: BookPage[] = []
  for (const [path, source] of pagesToTry(corpus).slice(0, MOST_PAGES)) {
    const task = {
      page: { hash: path, source, references: new Map() },
      included: new Map(),
      targets: new Map(),
      scope: {},
      specs: new Map(),
    }
    const title = parsePage(source).title ?? path
    const address = `/${path.replace(/(?:README)?\.md$/, '')}`
    const level = path.includes('/') ? 2 : 1
    pages.push({ id: path, title, address, level, body: { html: await renderForBook(task, 'en') } })
  }
  // The second page of each has a link to the last one, in another part.
  pages[1]!.body = { html: `<p><a href="${pages.at(-1)!.address}">The last page</a></p>` }
  const language = corpus.endsWith('zh') ? 'zh' : 'en'
  const cover = {
    title: 'Corpus',
    note: '',
    language,
    direction: 'ltr',
    pageSize: 'a4',
    whole: true,
  } as const
  return makeBook({ ...cover, words: bookWords(language) }, pages, {
    image: () => undefined,
    outside: () => undefined,
  })
}

/** The texts of blocks in the order in which they are set. */
function textsIn(block: BookBlock): string[] {
  switch (block.t) {
    case 'p':
    case 'h':
      return [bookText(block.c)]
    case 'list':
    case 'cards':
    case 'columns':
      return block.items.flatMap(({ b }) => b.flatMap(textsIn))
    case 'quote':
    case 'hint':
      return block.b.flatMap(textsIn)
    case 'part':
      return [bookText(block.title), ...block.b.flatMap(textsIn)]
    case 'code':
      return block.lines.map(({ c }) => c.map(([text]) => text).join(''))
    case 'table':
      return [...(block.head ?? []), ...block.rows.flat()].flatMap(({ b }) => b.flatMap(textsIn))
    default:
      return []
  }
}

/** A text as it is compared: without spaces, and without what decides only where lines break. */
const squeezed = (text: string) => text.normalize('NFKC').replaceAll(/\s|\u00ad|\u200b|\ufe0f|\p{Cc}/gu, '')

/** The text of the sheets without running heads and numbers. */
function bodyText(file: string): string {
  const area = ['-x', '0', '-y', '60', '-W', '595', '-H', '725']
  return execFileSync('pdftotext', ['-raw', ...area, file, '-'], { encoding: 'utf8', maxBuffer: 200_000_000 })
}

for (const corpus of CORPORA)
  test(
    `a book of ${corpus} has every text, and its parts are one file`,
    {
      skip: withoutPdfTools || withoutCorpora,
    },
    async () => {
      const book = await bookOfCorpus(corpus)
      const wanted = book.chapters.map(({ title, blocks }) =>
        [title, ...blocks.flatMap(textsIn)].map(squeezed),
      )
      const folder = mkdtempSync(join(tmpdir(), 'lectern-book-'))
      const output = join(folder, 'book.pdf')
      const set = await typeset(book, { workspace: folder, output, images: new Map(), plain: new Set() })
      assert.deepEqual(set, { failed: [], unreadable: [] })

      const { bookmarks, sheets, text: printed, places, links } = readPdf(readFileSync(output))
      assert.deepEqual(
        bookmarks.map(({ title }) => title),
        book.chapters.map(({ title }) => title),
      )
      const printedSheets = printed.split('\f')
      for (const [index, { title }] of book.chapters.entries()) {
        const sheet = printedSheets[sheets[index]! - 1]!
        const number = /(\d+)\s*$/.exec(sheet)?.[1]
        assert(squeezed(sheet).includes(squeezed(title)), `${title} is on sheet ${sheets[index]}`)
        const entry = squeezed(title) + '.'.repeat(3)
        const inContents = squeezed(printed).split(entry).slice(1)
        assert(
          inContents.some((rest) => rest.replace(/^\.+/, '').startsWith(number!)),
          `the contents have ${title} on ${number}`,
        )
      }
      assert(links.includes(`c${book.chapters.length - 1}`))
      for (const link of links) assert(places.has(link), link)

      // The program that reads the text mixes the lines of neighbouring cells and joins words at hyphens, but it leaves out no letter.
      const found = counted(bodyText(output))
      const missing = [...counted(wanted.join(''))].filter(([one, count]) => (found.get(one) ?? 0) < count)
      assert.deepEqual(missing, [])
      const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
      assert(sum(found.values()) < wanted.join('').length * 1.1, 'no text is in the book twice')
    },
  )

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of squeezed(text).replaceAll(/[^\p{L}\p{N}]/gu, ''))
    counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}
