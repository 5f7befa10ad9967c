/** The colours of the code on a page of a book. */
import { codeIn } from '../core/document/html/code.ts'
import { languageOf } from '../core/document/html/code-languages.ts'
import type { HighlightedCode, RenderContext } from '../core/document/html/renderer.ts'
import type { Document } from '../core/document/model.ts'
import { highlightBlock } from '../highlight/highlight-code.ts'
import { codeKey } from '../sites/render/body.ts'

/** The longest code that is highlighted, and the longest time for a page, in milliseconds. */
const MAX_CODE = 100_000
const PAGE_TIME_MS = 1_500

/** The tokens of the blocks of code, by `codeKey`. Code beyond the limits has none. */
export async function highlightPage(
  document: Document,
  reusable: RenderContext['reusable'],
): Promise<Map<string, HighlightedCode>> {
  const highlighted = new Map<string, HighlightedCode>()
  const until = performance.now() + PAGE_TIME_MS
  for (const { code, syntax } of codeIn(document, reusable)) {
    const key = codeKey(code, syntax)
    if (code.length > MAX_CODE || highlighted.has(key) || performance.now() > until) continue
    const { lines } = await highlightBlock({ code, language: languageOf(syntax) })
    if (lines) highlighted.set(key, lines)
  }
  return highlighted
}
