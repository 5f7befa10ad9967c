import type { BookWords } from '../core/book/model.ts'
import { wordsOf } from '../sites/render/words/choose.ts'

/** The title of the table of contents, by language. */
const CONTENTS: Record<string, string | undefined> = {
  ar: 'المحتويات',
  de: 'Inhalt',
  es: 'Contenido',
  fr: 'Table des matières',
  he: 'תוכן העניינים',
  ja: '目次',
  ko: '차례',
  nb: 'Innhold',
  nl: 'Inhoud',
  nn: 'Innhold',
  no: 'Innhold',
  pt: 'Sumário',
  ru: 'Содержание',
  zh: '目录',
}

/** The words that a book in a language adds to its content. */
export function bookWords(language: string): BookWords {
  const { hint, image, formula } = wordsOf(language).content
  const base = language.toLowerCase().split('-')[0]!
  return { contents: CONTENTS[base] ?? 'Contents', hint, image, formula }
}
