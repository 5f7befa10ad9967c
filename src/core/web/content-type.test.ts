import assert from 'node:assert/strict'
import { test } from 'node:test'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { contentTypeFor, contentTypeOf, hasFileExtension } from './content-type.ts'

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'

test('a file has the type of its extension, source files are plain text, and the rest is bytes', () => {
  const cases: Record<string, string> = {
    'a.PNG': 'image/png',
    'a.jfif': 'image/jpeg',
    'a.svg': 'image/svg+xml',
    'favicon.ico': 'image/x-icon',
    'a.mp4': 'video/mp4',
    'a.m4v': 'video/mp4',
    'a.flac': 'audio/x-flac',
    'a.pdf': 'application/pdf',
    'a.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'a.tar.gz': 'application/gzip',
    'a.tgz': 'application/gzip',
    'a.woff2': 'font/woff2',
    'a.json': 'application/json',
    'a.yml': 'application/yaml',
    'a.csv': 'text/csv; charset=utf-8',
    'a.md': 'text/markdown; charset=utf-8',
    'a.ts': TEXT,
    'a.rs': TEXT,
    'a.html': TEXT,
    'a.js': TEXT,
    'a.css': TEXT,
    'a.kml': TEXT,
    'a.exe': BYTES,
    'a.swf': BYTES,
    'a.unknown': BYTES,
    'no-extension': BYTES,
    '.png': BYTES,
  }
  for (const [name, type] of Object.entries(cases)) assert.equal(contentTypeOf(name), type, name)
})

test('no registered extension or type gives a file a type that a browser runs', () => {
  const runs = /html|javascript|ecmascript|css|(?<!svg\+)xml|xsl|flash|php|java-/
  const registered = [standardTypes, otherTypes].flatMap((types) => Object.entries<string[]>(types))
  assert(registered.length > 500)
  for (const [type, extensions] of registered) {
    const given = contentTypeFor('file', { declared: type })
    const named = extensions.map((extension) => contentTypeOf(`a.${extension.replace('*', '')}`))
    for (const one of [given, ...named])
      if (!one.startsWith('application/vnd.openxmlformats')) assert.doesNotMatch(one, runs, type)
  }
})

test('a link to a name with the extension of a file in documentation is a link to a file', () => {
  for (const name of ['a.png', 'b.zip', 'c.yaml', 'd.rs', 'e.webm']) assert(hasFileExtension(name), name)
  for (const name of ['example.com', 'example.org', 'about.me', 'v1.0', 'readme', '.env', 'a.list'])
    assert(!hasFileExtension(name), name)
})
