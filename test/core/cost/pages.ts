import { renderDocument } from '../../../src/core/document/html.ts'
import type { RenderContext } from '../../../src/core/document/html/renderer.ts'
import { hasFewParts } from '../../../src/core/document/shape/limits.ts'
import { linksOf } from '../../../src/core/document/links/links-in.ts'
import { unshownParts } from '../../../src/core/document/shown/unshown.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printDocument } from '../../../src/core/document/print.ts'

const NOWHERE: RenderContext = {
  href: () => undefined,
  image: () => undefined,
  file: () => undefined,
  reusable: () => undefined,
  highlight: () => undefined,
  evaluate: () => true,
}

/** Everything that a page goes through from its source to the visitor. */
export function handlePage(source: string): void {
  hasFewParts(source)
  const page = parsePage(source)
  linksOf(page, source)
  unshownParts(page, source)
  printDocument(page.document)
  renderDocument(page.document, NOWHERE)
}
