import { renderDocument } from '../../src/core/document/html.ts'
import type { RenderContext } from '../../src/core/document/html/renderer.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { visibleDocument } from '../../src/core/document/shown/visible.ts'
import { sectionsOf } from '../../src/core/search/sections.ts'

/** What a reader sees of a page in each form that it has: its title, HTML, outline, Markdown and texts of search. */
export function shownPage(source: string, evaluate: (expression: string) => unknown): string {
  const context: RenderContext = {
    href: (ref) => (ref.kind === 'url' ? { href: ref.url, external: true } : undefined),
    image: (ref) => (ref.kind === 'url' ? { src: ref.url } : undefined),
    file: (ref) => (ref.kind === 'url' ? { href: ref.url, name: 'file' } : undefined),
    reusable: () => undefined,
    highlight: () => undefined,
    evaluate,
  }
  const { title, document } = parsePage(source)
  const { body, outline } = renderDocument(document, context)
  const visible = visibleDocument(document, context, (path) => path)
  const sections = sectionsOf(document).filter(({ when }) => when === undefined || when.every(evaluate))
  return [
    title,
    String(body),
    JSON.stringify(outline),
    printDocument(visible),
    JSON.stringify(sections),
  ].join('\n')
}
