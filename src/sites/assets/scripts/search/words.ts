import { SEARCH_WORDS } from '../kit/english.ts'
import { pageWords } from '../kit/page-words.ts'

/** The words of the search box. */
export const searchWords = pageWords(SEARCH_WORDS)
