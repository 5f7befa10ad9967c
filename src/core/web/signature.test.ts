import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { contentTypeFor, contentTypeOf } from './content-type.ts'
import { shownType } from './signature.ts'
import { holds } from '../../../test/property.ts'
import { cpuTime } from '../../../test/cpu.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

const BEGINNINGS: Record<string, string> = {
  '\x89PNG\r\n\x1a\n': 'image/png',
  '\xff\xd8\xff\xe0': 'image/jpeg',
  GIF89a: 'image/gif',
  'RIFF\0\0\0\0WEBPVP8 ': 'image/webp',
  '\0\0\0\x1cftypavif': 'image/avif',
  '\0\0\0\x1cftypheic': 'image/heic',
  '\0\0\0\x1cftypisom': 'video/mp4',
  '\0\0\0\x1cftypM4A ': 'audio/mp4',
  '\0\0\0\x14ftypqt  ': 'video/quicktime',
  '\x1a\x45\xdf\xa3': 'video/webm',
  OggS: 'audio/ogg',
  'RIFF\0\0\0\0WAVEfmt ': 'audio/wav',
  'ID3\x04\0\0\0\0\0\0': 'audio/mpeg',
  '%PDF-1.7': 'application/pdf',
  '<svg xmlns="http://www.w3.org/2000/svg">': 'image/svg+xml',
  '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>\n<svg >': 'image/svg+xml',
}

test('the common formats are known by how they begin', () => {
  for (const [beginning, type] of Object.entries(BEGINNINGS)) {
    assert.equal(shownType(bytes(beginning)), type, JSON.stringify(beginning))
  }
  for (const other of ['', 'text', '<html><svg>', '<!DOCTYPE html><svg>', 'RIFF\0\0\0\0AVI ', '{"a": 1}']) {
    assert.equal(shownType(bytes(other)), undefined, other)
  }
})

test('bytes count where the name lies, and the name where both may be right', () => {
  const cases: [name: string, shown: string | undefined, declared: string | undefined, type: string][] = [
    ['photo.png', 'image/jpeg', undefined, 'image/jpeg'],
    ['logo', 'image/png', undefined, 'image/png'],
    ['logo', 'image/png', 'text/html', 'image/png'],
    ['logo.zip', 'application/pdf', undefined, 'application/pdf'],
    ['moving.apng', 'image/png', undefined, 'image/apng'],
    ['film.mov', 'video/mp4', undefined, 'video/quicktime'],
    ['voice.m4a', 'video/mp4', undefined, 'audio/mp4'],
    ['drawing.xml', 'image/svg+xml', undefined, 'text/plain; charset=utf-8'],
    ['page.html', 'image/gif', undefined, 'text/plain; charset=utf-8'],
    ['photo.png', undefined, undefined, 'image/png'],
    ['noted', undefined, 'text/html', 'text/plain; charset=utf-8'],
    ['noted', undefined, 'application/x-shockwave-flash', 'application/octet-stream'],
  ]
  for (const [name, shown, declared, type] of cases) {
    assert.equal(contentTypeFor(name, { shown, declared }), type, name)
  }
})

test('whatever a file begins with, it is no type that a browser would run', () => {
  const runs = /html|javascript|ecmascript|xhtml|text\/xml|application\/xml/
  const start = fc.constantFrom(...Object.keys(BEGINNINGS), '<html>', '<?xml version="1.0"?>')
  const ending = fc.constantFrom('', '.png', '.html', '.js', '.xml', '.xhtml')
  holds(
    fc.property(start, fc.string(), fc.string(), ending, (beginning, rest, stem, extension) => {
      const name = stem + extension
      const shown = shownType(bytes(beginning + rest))
      assert.doesNotMatch(contentTypeFor(name, { shown, declared: rest }), runs)
      assert.doesNotMatch(contentTypeOf(name), runs)
    }),
  )
  // Nothing in it makes the search slow.
  for (const filler of [' ', '<!--', '<!-- -->', '<?xml ', '<!DOCTYPE svg']) {
    const began = cpuTime()
    shownType(bytes(filler.repeat(1000)))
    assert.ok(cpuTime() - began < 1000, filler)
  }
})
