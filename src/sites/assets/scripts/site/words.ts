import { SITE_WORDS } from '../kit/english.ts'
import { pageWords } from '../kit/page-words.ts'

/** The words of the script of every page. */
export const siteWords = pageWords(SITE_WORDS)
