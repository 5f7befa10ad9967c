/** Makes the pages of a book in a thread. Their words and icons are those of sites. */
import type { EpubPageFile, EpubPageTask } from '../../core/epub/model.ts'
import { makePageFile } from '../../core/epub/page.ts'
import { codeKey } from './body.ts'
import { pageIcon } from './icons.ts'
import { hasWords, wordsOf } from './words/choose.ts'

/** The file of a page in a book. */
export function epubPage(task: EpubPageTask): EpubPageFile {
  const { language, body } = task
  const { highlighted, icons = 'solid' } = body
  return makePageFile(task, {
    highlight: (code, syntax) => highlighted?.get(codeKey(code, syntax)),
    language: hasWords(language) ? language : 'en',
    words: wordsOf(language).content,
    icon: icons === 'solid' ? pageIcon : (name) => pageIcon(`fa-${icons} ${name}`),
  })
}
