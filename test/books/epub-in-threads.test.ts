/** The work on a book in threads: the same book as without them, and one bad page does not lose it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epubInThreads } from '../../src/books/epub-in-threads.ts'
import { bodyOf, bookOf, madeEpub, pathInBook, sourcesOf } from '../core/epub/books.ts'
import { assertValidBook } from '../core/epub/check.ts'
import { PNG } from '../picture.ts'

const pages = ['a', 'b'].map((id) => ({ id, title: id, level: 1, hasBody: true }))
const book = bookOf(pages, { cover: { key: 'c', contentType: 'image/png' } })
const link = (url: string) =>
  bodyOf(`[x](${url}) $$x^2$$`, () => ({ kind: 'anchor', anchor: 'none', page: 'a' }))
const bodies = new Map([
  ['a', bodyOf('{% hint style="info" icon="star" %}\nOne\n{% endhint %}')],
  ['b', link('a.md#none')],
])
const files = new Map([['c', PNG]])

test('makes the same book in threads', async () => {
  const direct = sourcesOf(bodies, files)
  const inThreads = { ...direct, ...epubInThreads({ user: 'organization' }) }
  const [first, second] = [await madeEpub(book, direct), await madeEpub(book, inThreads)]
  assert.ok(first.bytes.equals(second.bytes))
  const texts = assertValidBook(second.bytes)
  assert.match(texts.get('EPUB/p1.xhtml')!, /<svg [^>]*viewBox/)
  assert.match(texts.get('EPUB/p2.xhtml')!, /<a href="p1\.xhtml">x<\/a>/)
  assert.ok(texts.get('EPUB/package.opf')!.includes(pathInBook('c', 'image/png').slice(5)))
})

test('sets a page as plain text if its thread fails, and passes on that the client has left', async () => {
  const bad = new Map([...bodies, ['a', { ...bodies.get('a')!, specs: null as never }]])
  const sources = { ...sourcesOf(bad, files), ...epubInThreads({ user: 'organization' }) }
  const { bytes, report } = await madeEpub(book, sources)
  assert.deepEqual(report.plainPages, ['a'])
  assert.match(assertValidBook(bytes).get('EPUB/p1.xhtml')!, /<pre [^>]*>/)

  const left = { ...sources, ...epubInThreads({ user: 'organization' }, { signal: AbortSignal.abort() }) }
  await assert.rejects(madeEpub(book, left), { fault: 'aborted' })
})
