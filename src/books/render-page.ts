/** Renders the body of a page for a book: the HTML that a reader of the site sees, with highlighted code. */
import { codeIn } from '../core/document/html/code.ts'
import { languageOf } from '../core/document/html/code-languages.ts'
import type { HighlightedCode } from '../core/document/html/renderer.ts'
import { renderDocument } from '../core/document/html.ts'
import { type BodyTask, openDescribed } from '../core/reading/body.ts'
import { highlightBlock } from '../highlight/highlight-code.ts'
import { codeKey } from '../sites/render/body.ts'
import { hasWords, wordsOf } from '../sites/render/words/choose.ts'

/** The longest code that is highlighted, and the longest time for a page, in milliseconds. */
const MAX_CODE = 100_000
const PAGE_TIME_MS = 1_500

/** The HTML of the body of a page. */
export async function renderForBook(task: BodyTask, language: string): Promise<string> {
  const { document, context } = openDescribed(task, { language })
  const highlighted = new Map<string, HighlightedCode>()
  const until = performance.now() + PAGE_TIME_MS
  for (const { code, syntax } of codeIn(document, context.reusable)) {
    const key = codeKey(code, syntax)
    if (code.length > MAX_CODE || highlighted.has(key) || performance.now() > until) continue
    const { lines } = await highlightBlock({ code, language: languageOf(syntax) })
    if (lines) highlighted.set(key, lines)
  }
  const { body } = renderDocument(document, {
    ...context,
    highlight: (code, syntax) => highlighted.get(codeKey(code, syntax)),
    language: hasWords(language) ? language : 'en',
    words: wordsOf(language).content,
    outsidePage: true,
  })
  return String(body)
}
