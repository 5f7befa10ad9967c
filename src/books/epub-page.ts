/** Makes the page of an EPUB in a thread, with the colours of its code. */
import type { EpubPageFile, EpubPageTask } from '../core/epub/model.ts'
import { openDescribed } from '../core/reading/body.ts'
import { epubPage } from '../sites/render/epub-page.ts'
import { highlightPage } from './highlight-page.ts'

/** The file of a page in a book. */
export async function colouredEpubPage(task: EpubPageTask): Promise<EpubPageFile> {
  const { body, language } = task
  const { document, context } = openDescribed(body, { language })
  const highlighted = await highlightPage(document, context.reusable)
  return epubPage({ ...task, body: { ...body, highlighted } })
}
