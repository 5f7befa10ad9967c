/** Checks that a book is valid (EPUB 3.3), as far as that needs no schema. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path/posix'
import { filesOf } from './books.ts'

interface Tag {
  name: string
  attributes: Map<string, string>
}

const TOKEN =
  /<\?xml version="1\.0" encoding="utf-8"\?>|<!DOCTYPE html>|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[A-Za-z][\w:.-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/y
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const STRAY = /&(?!(?:amp|lt|gt|quot|#\d+|#x[\da-f]+);)/i

/** The elements of well-formed XML in order. @throws for anything else */
export function readXml(text: string, name: string): Tag[] {
  const tags: Tag[] = []
  const open: string[] = []
  assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>/, name)
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    assert.ok(match, `${name} is well-formed at: ${text.slice(at, at + 80)}`)
    const [token, end, tag, attributes = '', empty, words] = match
    assert.doesNotMatch(token, FORBIDDEN, name)
    assert.doesNotMatch(words ?? attributes, STRAY, name)
    if (words !== undefined && open.length === 0) assert.match(words, /^\s*$/, name)
    if (tag === undefined) continue
    if (end) assert.equal(open.pop(), tag, name)
    else {
      const found = [...attributes.matchAll(/\s([\w:.-]+)="([^"]*)"/g)].map(
        ([, key = '', value = '']) => [key, unescape(value)] as const,
      )
      assert.equal(new Set(found.map(([key]) => key)).size, found.length, `${name}: ${token}`)
      tags.push({ name: tag, attributes: new Map(found) })
      if (!empty) open.push(tag)
    }
  }
  assert.deepEqual(open, [], name)
  return tags
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Checks a book, and returns its files as text. */
export function assertValidBook(bytes: Buffer): Map<string, string> {
  // The type is at a fixed place: name at 30, content at 38, without an extra field and uncompressed.
  assert.equal(bytes.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip')
  assert.equal(bytes.readUInt16LE(8), 0)
  assert.equal(bytes.readUInt16LE(28), 0)

  const files = filesOf(bytes)
  const texts = new Map(
    [...files]
      .filter(([path]) => /\.(?:xhtml|opf|ncx|xml|css|svg)$/.test(path))
      .map(([path, file]) => [path, file.toString()]),
  )
  assert.match(texts.get('META-INF/container.xml')!, /full-path="EPUB\/package\.opf"/)
  const opf = readXml(texts.get('EPUB/package.opf')!, 'package.opf')
  const items = opf.filter(({ name }) => name === 'item').map(({ attributes }) => attributes)
  const listed = items.map((item) => `EPUB/${item.get('href')}`)
  const apart = ['mimetype', 'META-INF/container.xml', 'EPUB/package.opf']
  assert.deepEqual([...apart, ...listed].toSorted(), [...files.keys()].toSorted())
  assert.equal(new Set(items.map((item) => item.get('id'))).size, items.length)

  const spine = opf.filter(({ name }) => name === 'itemref').map(({ attributes }) => attributes.get('idref'))
  const read = items
    .filter((item) => item.get('media-type') === 'application/xhtml+xml')
    .map((item) => item.get('id'))
  assert.deepEqual(spine, read)
  for (const item of items) assertProperties(item, texts)

  const pages = [...texts].filter(([path]) => /\.(?:xhtml|ncx)$/.test(path))
  const tags = new Map(pages.map(([path, text]) => [path, readXml(text, path)]))
  const ids = new Map([...tags].map(([path, all]) => [path, idsOf(path, all)]))
  for (const [path, all] of tags) assertAddresses(path, all, files, ids)
  return texts
}

function assertProperties(item: ReadonlyMap<string, string>, texts: ReadonlyMap<string, string>): void {
  if (item.get('media-type') !== 'application/xhtml+xml') return
  const text = texts.get(`EPUB/${item.get('href')}`)!
  const properties = (item.get('properties') ?? '').split(' ')
  assert.equal(properties.includes('mathml'), text.includes('<math'), text)
  assert.equal(properties.includes('svg'), text.includes('<svg'), text)
}

function idsOf(path: string, tags: readonly Tag[]): Set<string> {
  const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? [])
  assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`)
  return new Set(ids)
}

const FORBIDDEN_IN_PAGES = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'form',
  'video',
  'audio',
  'button',
])

function assertAddresses(
  path: string,
  tags: readonly Tag[],
  files: ReadonlyMap<string, unknown>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const { name, attributes } of tags) {
    assert.ok(!FORBIDDEN_IN_PAGES.has(name), `${path} has a ${name}`)
    for (const key of attributes.keys()) assert.doesNotMatch(key, /^on/, `${path}: ${key}`)
    for (const key of ['href', 'src']) {
      const address = attributes.get(key)
      if (address === undefined) continue
      if (/^(?:https?|mailto|tel):/.test(address)) {
        assert.equal(`${name} ${key}`, 'a href', `${path} loads ${address}`)
        assert.ok(URL.canParse(address), address)
        continue
      }
      const [file = '', anchor] = address.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      assert.ok(files.has(target), `${path} refers to ${address}`)
      if (anchor !== undefined)
        assert.ok(ids.get(target)?.has(decodeURIComponent(anchor)), `${path} refers to ${address}`)
    }
  }
}
