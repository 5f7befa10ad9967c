import { DIAGRAM_WORDS } from '../kit/english.ts'
import { pageWords } from '../kit/page-words.ts'

/** The words of diagrams. */
export const diagramWords = pageWords(DIAGRAM_WORDS)
