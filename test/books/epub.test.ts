import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValidBook } from '../core/epub/check.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { SAMPLE } from './sample.ts'

const world = await createWorld()
const { spaceId } = await spaceWith(world, archiveOf(SAMPLE), 'Sample')

test('a space becomes a valid EPUB with everything that a visitor sees', async () => {
  const answer = await world.ada(`GET /v1/spaces/${spaceId}/pdf?format=epub`)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.problems, [])
  const file = await fetch(answer.body.url)
  assert.equal(file.headers.get('content-type'), 'application/epub+zip')
  const texts = assertValidBook(Buffer.from(await file.arrayBuffer()))
  const all = [...texts.values()].join('\n')
  for (const words of ['Mind the gap.', '한국어', '<math ', 'Folded text.', 'Row 70', 'The caption'])
    assert(all.includes(words), words)
  assert.match(all, /<span class="tk">const ?<\/span>/, 'code is in colours')
  const nav = texts.get('EPUB/nav.xhtml') ?? ''
  assert.match(nav, /<nav epub:type="toc" id="toc" role="doc-toc" aria-labelledby="contents">/)
  assert.match(nav, /<nav epub:type="landmarks"/)
  assert.match(nav, /<a href="p2.xhtml">Guide<\/a><ol><li><a href="p3.xhtml">Install<\/a><\/li>/)
  assert.match(all, /<section epub:type="chapter" role="doc-chapter" aria-label="Install">/)
  assert.doesNotMatch(all, /Secret|secret text|Hidden sentence|<script/)
  assert([...texts.keys()].some((name) => /^EPUB\/images\/.*\.svg$/.test(name)))
})
