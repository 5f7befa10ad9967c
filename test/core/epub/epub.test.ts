/** Books in the EPUB format: valid whatever their pages hold, the same for the same content, and in linear time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EpubCheck } from '@likecoin/epubcheck-ts'
import fc from 'fast-check'
import { printDocument } from '../../../src/core/document/print.ts'
import type { EpubBody, EpubPage } from '../../../src/core/epub/model.ts'
import { CORPORA, type Corpus, withoutCorpora } from '../../corpus.ts'
import { inLongRun, isLongRun } from '../../effort.ts'
import { holds, samplesOf } from '../../property.ts'
import { CONSTRUCTS } from '../cost/constructs.ts'
import { anyDocument } from '../documents.ts'
import { bodyOf, bookOf, corpusBook, madeEpub, pathInBook, sourcesOf } from './books.ts'
import { assertValidBook } from './check.ts'
import { PNG } from '../../picture.ts'

/** Pages of these sources, with titles and levels. */
function pagesOf(sources: readonly string[]): { pages: EpubPage[]; bodies: Map<string, EpubBody> } {
  const pages = sources.map((source, index): EpubPage => {
    const title = source.slice(0, 20)
    return { id: `id${index}`, title, description: title, level: 1 + (index % 4), hasBody: true }
  })
  return { pages, bodies: new Map(sources.map((source, index) => [`id${index}`, bodyOf(source)])) }
}

async function textsOf(...sources: string[]): Promise<Map<string, string>> {
  const { pages, bodies } = pagesOf(sources)
  const { bytes } = await madeEpub(bookOf(pages), sourcesOf(bodies))
  return assertValidBook(bytes)
}

async function assertAccepted(bytes: Uint8Array, ...accepted: string[]): Promise<void> {
  const { messages } = await EpubCheck.validate(new Uint8Array(bytes))
  assert.deepEqual(
    messages.filter(({ id, severity }) => !/^(?:info|usage)$/.test(severity) && !accepted.includes(id)),
    [],
  )
}

/** The books of corpora that were made, because each takes seconds. */
const made = new Map<string, ReturnType<typeof makeCorpus>>()

async function makeCorpus(name: Corpus) {
  const { book, bodies, files } = corpusBook(name)
  return { book, ...(await madeEpub(book, sourcesOf(bodies, files))) }
}

function madeCorpus(name: Corpus): ReturnType<typeof makeCorpus> {
  const known = made.get(name) ?? makeCorpus(name)
  made.set(name, known)
  return known
}

for (const name of CORPORA) {
  test(`makes a valid book of ${name}`, { skip: withoutCorpora || inLongRun }, async () => {
    const { book, bytes, report } = await madeCorpus(name)
    assert.deepEqual(report, { plainPages: [], lostImages: [] })
    const texts = assertValidBook(bytes)
    assert.equal([...texts.keys()].filter((path) => /\/p\d+\.xhtml$/.test(path)).length, book.pages.length)
  })

  test(`a validator accepts the book of ${name}`, { skip: withoutCorpora || inLongRun }, async () => {
    await assertAccepted((await madeCorpus(name)).bytes)
    made.delete(name)
  })
}

const TAGS = (
  '<p>|</p>|<div align="center">|</div>|<b>|</b>|<table border="1">|<tr>|<td width="3" colspan="0">|<th>|<h3>|</h3>|' +
  '</table>|<ul>|<li value="3">|</ul>|<dl>|<dt>|<dd>|</dl>|<ruby>|漢|<rt>a|</rt>|</ruby>|<figure>|<figcaption>x|' +
  '<a href="https://a:b@c.org/ ^[">|<a href="#x" id="x">|</a>|<img src="x.png">|<img src="https://a.org/b.png">|' +
  '<video src="https://a.org/a.mp4">|</video>|<details open>|<summary>|<h2>|</summary>|</details>|<span id="x y">|' +
  '</span>|<pre>|</pre>|<q cite="x">|</q>|<time>|</time>|<bdo>|<col width="4">|<caption>|</caption>|<tfoot>|<thead>|' +
  '<center>|<big>|<ins datetime="2020">|</ins>|text|&nbsp;|\u0001|\ufffe|<br>|<hr>|<section>|</section>|<rp>|<mark>|' +
  '</mark>|<code>|<ol type="I" reversed start="x">|</ol>|<iframe src="https://a.org">|<picture>|<source src="a">|' +
  '<abbr title="">|<u>|<small>|<dfn>|<bdi dir="x" lang="?">|<script>|<button>|<svg><path d="M1"/></svg>|<style>'
).split('|')
const anyHtml = fc
  .array(fc.constantFrom(...TAGS), { minLength: 3, maxLength: 14 })
  .map((tags) => tags.join(''))
const anySource = fc.oneof(
  anyDocument.map((document) => printDocument(document)),
  anyHtml,
)

test('a book of any pages is valid', async () => {
  await holds(
    fc.asyncProperty(fc.array(anySource, { minLength: 1, maxLength: 3 }), async (sources) => {
      await textsOf(...sources)
    }),
    { cases: 4_000, byDefault: 20 },
  )
})

test('a validator accepts any pages and constructs', async () => {
  const constructs = Object.values(CONSTRUCTS).map((make) => make(200))
  const { pages, bodies } = pagesOf([
    ...samplesOf(anySource, isLongRun() ? 60 : 20),
    ...constructs.filter((_, nth) => nth % 20 === 0),
    // Its title has no character that XML can have.
    '\u0000\n',
  ])
  await assertAccepted((await madeEpub(bookOf(pages), sourcesOf(bodies))).bytes)
})

test('equal books have equal bytes, and a time that no zone changes', async () => {
  const { pages, bodies } = pagesOf(['# A\n\n$$x^2$$', 'B'])
  const make = async () => (await madeEpub(bookOf(pages), sourcesOf(bodies))).bytes
  const [first, second] = [await make(), await make()]
  assert.ok(first.equals(second))
  // 2026-01-31 12:34:56, in steps of two seconds.
  assert.equal(first.readUInt16LE(10), (12 << 11) | (34 << 5) | 28)
  assert.equal(first.readUInt16LE(12), (46 << 9) | (1 << 5) | 31)
})

test('lists the pages in the shape of the tree, with a level that none has', async () => {
  const page = (id: string, level: number): EpubPage => ({ id, title: id, level, hasBody: false })
  const pages = [page('a', 1), page('b', 3), page('c', 2), page('d', 1)]
  const { bytes } = await madeEpub(bookOf(pages), sourcesOf(new Map()))
  const nav = assertValidBook(bytes).get('EPUB/nav.xhtml')!
  assert.match(
    nav,
    /<li><a href="p1\.xhtml">a<\/a><ol><li><a href="p2\.xhtml">b<\/a><\/li><li><a href="p3\.xhtml">c<\/a><\/li><\/ol><\/li><li><a href="p4\.xhtml">d<\/a><\/li>/,
  )
})

test('shows every tab, folded section and hint without a script', async () => {
  const texts = await textsOf(
    '{% tabs %}\n{% tab title="npm" %}\none\n{% endtab %}\n{% tab title="pnpm" %}\ntwo\n{% endtab %}\n{% endtabs %}\n\n' +
      '<details>\n\n<summary>More</summary>\n\nfolded\n\n</details>\n\n{% hint style="danger" %}\nhot\n{% endhint %}\n\n- [x] done',
  )
  const page = texts.get('EPUB/p1.xhtml')!
  assert.match(
    page,
    /<p class="tab-title">npm<\/p>\s*<p>one<\/p>[^]*<p class="tab-title">pnpm<\/p>\s*<p>two<\/p>/,
  )
  assert.match(page, /<div class="summary">More<\/div>\s*<div class="expandable-body"><p>folded<\/p>/)
  assert.match(page, /role="note" aria-label="Danger"[^]*<p class="hint-label">Danger<\/p>[^]*hot/)
  assert.match(page, /aria-label="Done"[^>]*>☑<\/span>/)
})

test('a link leads to the page and the place in the book, or becomes text', async () => {
  const source =
    '[a](x.md#set_up) [b](x.md#nowhere) [c](y.md) [d](#here) [e](#missing) [g](#负载) [f](https://a.org/b c)\n\n## Here\n\n## 负载'
  const meant = (url: string) => {
    const [file = '', anchor] = url.split('#')
    if (file === '' && anchor) return { kind: 'anchor', anchor } as const
    if (file !== 'x.md') return { kind: 'page', page: 'elsewhere' } as const
    return anchor ? ({ kind: 'anchor', anchor, page: 'x' } as const) : ({ kind: 'page', page: 'x' } as const)
  }
  const body = bodyOf(
    source,
    (ref) => (ref.kind === 'url' && !ref.url.includes(':') ? meant(ref.url) : ref),
    (ref) =>
      ref.kind === 'page' && ref.page === 'elsewhere' ? { href: { href: '/y', title: 'Y' } } : undefined,
  )
  const pages: EpubPage[] = [
    { id: 'a', title: 'A', level: 1, hasBody: true },
    { id: 'x', title: 'X', level: 1, hasBody: true },
  ]
  const sources = sourcesOf(
    new Map([
      ['a', body],
      ['x', bodyOf('## Set up')],
    ]),
  )
  const page = assertValidBook((await madeEpub(bookOf(pages), sources)).bytes).get('EPUB/p1.xhtml')!
  assert.match(page, /<a href="p2\.xhtml#set-up">a<\/a> <a href="p2\.xhtml">b<\/a> <span[^>]*>c<\/span>/)
  assert.match(page, /<a href="#here">d<\/a> <span>e<\/span> <a href="#负载">g<\/a>/)
})

test('contains the images of its pages, and a link for those it cannot contain', async () => {
  const svg =
    '<!DOCTYPE svg PUBLIC "a" "b"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="x()"><script>x()</script>' +
    '<image href="https://a.org/b.png"/><style>@import "a"; path { fill: url(https://a.org) }</style><path d="M0 0"/></svg>'
  const types: Record<string, string> = {
    a: 'image/png',
    b: 'image/svg+xml',
    c: 'image/png',
    d: 'image/tiff',
  }
  const body = bodyOf(
    '![first](a) ![second](b) ![third](c) ![fourth](d) ![fifth](https://a.org/e.png)',
    (ref) => (ref.kind === 'url' && ref.url.length === 1 ? { kind: 'file', file: ref.url } : ref),
    (ref) => {
      if (ref.kind !== 'file') return undefined
      const href = `https://a.org/${ref.file}`
      return { image: { src: href }, file: { href, name: ref.file, contentType: types[ref.file]! } }
    },
  )
  const pages: EpubPage[] = [{ id: 'p', title: 'P', level: 1, hasBody: true }]
  const files = new Map([
    ['a', PNG],
    ['b', Buffer.from(svg)],
    ['c', Buffer.from('<html>')],
  ])
  const book = bookOf(pages, {
    cover: { key: 'a', contentType: 'image/png' },
    logo: { key: 'b', contentType: 'image/svg+xml' },
  })
  const { bytes, report } = await madeEpub(book, sourcesOf(new Map([['p', body]]), files))
  const texts = assertValidBook(bytes)
  assert.deepEqual(report.lostImages, ['c'])
  assert.doesNotMatch(texts.get(pathInBook('b', 'image/svg+xml'))!, /script|onload|a\.org|import/)
  assert.match(
    texts.get('EPUB/p1.xhtml')!,
    /<a href="https:\/\/a\.org\/d">fourth<\/a>|<span class="missing">fourth<\/span>/,
  )
  assert.match(texts.get('EPUB/p1.xhtml')!, /<a href="https:\/\/a\.org\/e\.png">fifth<\/a>/)
  assert.match(
    texts.get('EPUB/package.opf')!,
    /href="images\/a\.png" media-type="image\/png" properties="cover-image"/,
  )
  // The empty image in place of the third has another type than its name.
  await assertAccepted(bytes, 'PKG-022')
})

test('sets a page that cannot be rendered as plain text, without what only some readers may see', async () => {
  const { pages, bodies } = pagesOf(['open\n\n{% if visitor.claims.a %}\nsecret\n{% endif %}', 'other'])
  const sources = sourcesOf(bodies)
  const { makePage } = sources
  sources.makePage = async (task) => (task.page.id === 'id0' ? undefined : makePage(task))
  const { bytes, report } = await madeEpub(bookOf(pages), sources)
  const page = assertValidBook(bytes).get('EPUB/p1.xhtml')!
  assert.deepEqual(report.plainPages, ['id0'])
  assert.match(page, /<pre class="plain">open/)
  assert.doesNotMatch(page, /secret/)
})
