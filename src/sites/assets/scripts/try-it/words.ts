import { TRY_WORDS } from '../kit/english.ts'
import { pageWords } from '../kit/page-words.ts'

/** The words of the forms. */
export const tryWords = pageWords(TRY_WORDS)
