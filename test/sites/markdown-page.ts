import { renderDocument } from '../../src/core/document/html.ts'
import type { RenderContext } from '../../src/core/document/html/renderer.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { DEFAULT_LAYOUT } from '../../src/core/content/revision.ts'
import { pageIcon } from '../../src/sites/render/icons.ts'
import { renderPage } from '../../src/sites/render/page.ts'
import { CONTEXT } from '../core/document/sample.ts'

/** The HTML of a page with this Markdown, in a site of one page. */
export function markdownPage(source: string, context: Partial<RenderContext> = {}, language = 'en'): string {
  const { document } = parsePage(source)
  const rendered = renderDocument(document, {
    ...CONTEXT,
    icon: pageIcon,
    highlight: () => undefined,
    ...context,
  })
  return renderPage({
    language,
    title: 'Docs',
    home: '/',
    tree: [{ kind: 'document', title: 'Start', href: '/', current: true }],
    variants: [],
    page: { title: 'Page', ...rendered },
    layout: { ...DEFAULT_LAYOUT },
    breadcrumbs: [],
    head: { title: 'Page – Docs' },
  })
}
