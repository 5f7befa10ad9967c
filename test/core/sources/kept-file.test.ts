/** A page that cannot be converted does not refuse the others: its file is kept, and the page has a link to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertSource, type ImportSource } from '../../../src/core/sources/convert.ts'
import { CRAWL_FILE } from '../../../src/core/sources/website/addresses.ts'
import { bytesIn, textsOf } from './sources.ts'

const DEEP = `<html><title>Deep</title><body>${'<div>'.repeat(600)}text</body></html>`
const TABLE = `<html><body><article><div class="page-body" id="main-content"><table>${'<tr><td>a</td><td>b</td></tr>'.repeat(6000)}</table></div></article></body></html>`
const GOOD = '<html><title>Good</title><body><p>Good text</p></body></html>'
const ID = '0123456789abcdef0123456789abcdef'
const INDEX = `<ul><li><a href="good.html">Good</a></li></ul>`

const crawl = JSON.stringify({
  scope: 'https://example.com/',
  pages: [
    { url: 'https://example.com/good', file: 'good', aliases: [] },
    { url: 'https://example.com/bad', file: 'bad', aliases: [] },
  ],
  images: [],
  problems: [],
})

const bookOf = (html: string) =>
  JSON.stringify({
    exported_at: '2025-01-01',
    book: {
      id: 1,
      name: 'Book',
      pages: [
        { id: 2, name: 'Good', html: GOOD },
        { id: 3, name: 'Bad', html },
      ],
    },
  })

/** The files of each source with a good page and a bad one. */
const SOURCES: [source: ImportSource, files: (bad: string) => Record<string, string>][] = [
  ['html', (bad) => ({ 'good.html': GOOD, 'bad.html': bad })],
  ['outline', (bad) => ({ 'A/Good.html': GOOD, 'A/bad.html': bad })],
  ['notion', (bad) => ({ [`Good ${ID}.html`]: GOOD, [`bad ${ID.replace('0', '1')}.html`]: bad })],
  ['confluence', (bad) => ({ 'index.html': INDEX, 'good.html': GOOD, 'bad.html': bad })],
  ['bookstack', (bad) => ({ 'data.json': bookOf(bad) })],
  ['website', (bad) => ({ [CRAWL_FILE]: crawl, good: GOOD, bad })],
]

for (const [source, files] of SOURCES)
  for (const [fault, bad] of [
    ['elements in too many others', DEEP],
    ['too many cells', TABLE],
  ] as const)
    test(`${source}: a page with ${fault}`, async () => {
      const converted = await convertSource(source, bytesIn(files(bad)), 'docs.zip')
      const texts = textsOf(converted)
      const [kept] = Object.keys(texts).filter((path) => path.endsWith('.html'))
      assert(texts[kept ?? ''] === bad)
      const page = Object.values(texts).find((text) => text.includes(`(<${kept?.split('/').at(-1)}>)`))
      assert.match(page ?? '', /^# [\w.]+\n\n\[.+\]\(<.+>\)\n$/)
      assert.deepEqual(
        converted.problems.map(({ message }) => /^cannot be converted: .*link to the file$/.test(message)),
        [true],
      )
    })

test('settings of MkDocs that cannot be read are listed, and its pages are imported', async () => {
  const files = { 'mkdocs.yml': 'nav: [a.md\nsite_name: "x', 'docs/a.md': '# A', 'docs/b.md': '# B' }
  const converted = await convertSource('mkdocs', bytesIn(files), 'docs.zip')
  assert.deepEqual(
    [...converted.files.keys()].filter((path) => path.endsWith('.md')),
    ['docs/b.md', 'docs/a.md'],
  )
  assert.deepEqual(
    converted.problems.map(({ kind, path }) => [kind, path]),
    [['setting', 'mkdocs.yml']],
  )
})
