/** Renders the body of a page for a book: the HTML that a reader of the site sees, with highlighted code. */
import { renderDocument } from '../core/document/html.ts'
import { type BodyTask, openDescribed } from '../core/reading/body.ts'
import { codeKey } from '../sites/render/body.ts'
import { hasWords, wordsOf } from '../sites/render/words/choose.ts'
import { highlightPage } from './highlight-page.ts'

/** The HTML of the body of a page. */
export async function renderForBook(task: BodyTask, language: string): Promise<string> {
  const { document, context } = openDescribed(task, { language })
  const highlighted = await highlightPage(document, context.reusable)
  const { body } = renderDocument(document, {
    ...context,
    highlight: (code, syntax) => highlighted.get(codeKey(code, syntax)),
    language: hasWords(language) ? language : 'en',
    words: wordsOf(language).content,
    outsidePage: true,
  })
  return String(body)
}
