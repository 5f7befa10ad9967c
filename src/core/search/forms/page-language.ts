/** The language of a page, by which its words get their stems. */
import { isAscii } from './fold.ts'
import { detectLanguage, LANGUAGE_SAMPLE } from '../../languages/detect-language.ts'

/** Scripts that several languages share, whose stems differ. */
const SHARED = /[\p{Script=Latin}\p{Script=Cyrillic}]/gu
/** The share of a sample that such letters must have. */
const LEAST_SHARED = 0.4

/** The code of the language of a page; undefined if it has too little text, or if its script has one language. */
export function languageOfPage(
  title: string,
  sections: readonly { title: string; text: string }[],
): string | undefined {
  let sample = title
  for (const section of sections) {
    if (sample.length >= LANGUAGE_SAMPLE) break
    sample += `\n${section.title}\n${section.text.slice(0, LANGUAGE_SAMPLE)}`
  }
  sample = sample.slice(0, LANGUAGE_SAMPLE)
  if (!isAscii(sample) && (sample.match(SHARED)?.length ?? 0) < LEAST_SHARED * sample.length) return undefined
  return detectLanguage(sample)
}
