/** The escaping template tag lives in core, because rendering a document needs it too. */
export { attributes, escapeHtml, html, isHtml, join, nothing, raw } from '../core/html.ts'
export type { Html, Renderable } from '../core/html.ts'
