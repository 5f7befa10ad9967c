import assert from 'node:assert/strict'

import { frontMatterEnd } from '../../../src/core/document/front-matter/front-matter.ts'
import { renderDocument } from '../../../src/core/document/html.ts'
import type { RenderContext } from '../../../src/core/document/html/renderer.ts'
import { linksOf } from '../../../src/core/document/links/links-in.ts'
import { unshownParts } from '../../../src/core/document/shown/unshown.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printPage } from '../../../src/core/document/print.ts'

const NOWHERE: RenderContext = {
  href: () => undefined,
  image: () => undefined,
  file: () => undefined,
  reusable: () => undefined,
  highlight: () => undefined,
  evaluate: () => true,
}

/** The characters that the reader gives to the parser instead of those of the source; see `markdown/stand-in-letters.ts`. */
const SUBSTITUTES = /[\u2800-\u28ff\ue000-\uf8ff]/

/** Asserts that the reader has put back every character that it hid from the parser. */
function assertNothingMasked(source: string, read: string): void {
  // A reference such as `&#xe000;` spells such a character without containing it.
  if (SUBSTITUTES.test(source) || source.includes('&#')) return
  const at = read.search(SUBSTITUTES)
  assert.equal(at, -1, `a substitute remains: ${read.slice(Math.max(0, at - 60), at + 20)}`)
}

/**
 * Asserts what holds for any Markdown: the reader reads it, its blocks cover the source in order, and its document
 * can be shown, searched for links and printed as Markdown that the reader reads again.
 */
export function assertReadable(source: string): void {
  const page = parsePage(source)
  assert.equal(page.unreadable, undefined)
  let done = frontMatterEnd(source)
  assert.equal(page.spans.length, page.document.nodes.length)
  for (const { start, end } of page.spans) {
    assert.ok(start >= done && end >= start && end <= source.length, `span ${start}-${end} after ${done}`)
    done = end
  }
  assertNothingMasked(source, JSON.stringify(page))
  linksOf(page, source)
  unshownParts(page, source)
  renderDocument(page.document, NOWHERE)
  assert.equal(parsePage(printPage(page)).unreadable, undefined)
}
