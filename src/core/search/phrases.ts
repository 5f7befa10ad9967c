/** Whether pages have phrases: text in quotes, which is found as it stands. */
import { isLetterAt } from './needles.ts'
import { afterWord } from './needle-places.ts'
import { foldedText, type QueryPhrase } from './query.ts'
import {
  foldedTitle,
  lengthOfText,
  lowerText,
  MOST_MATCHED,
  type SearchedText,
  writtenText,
} from './searched-text.ts'
import { isAscii } from './words.ts'

/** Whether a page has each phrase. Takes time in proportion to its text and the number of phrases. */
export function hasPhrases({ title, sections }: SearchedText, phrases: readonly QueryPhrase[]): boolean {
  if (phrases.length === 0) return true
  const inTitle = foldedText(title)
  return phrases.every(
    (phrase) =>
      includesPhrase(inTitle, phrase) ||
      sections.some((section) => {
        const isLong = lengthOfText(section) > MOST_MATCHED
        return (
          includesPhrase(foldedTitle(section), phrase) ||
          ((isLong || mayInclude(lowerText(section), phrase)) &&
            includesPhrase(foldedText(writtenText(section)), phrase))
        )
      }),
  )
}

/**
 * Whether a text may have a phrase once it is folded. To fold a text takes several times as long as to search it.
 * @param text in lower case
 */
function mayInclude(text: string, { text: phrase }: QueryPhrase): boolean {
  if (phrase.split(' ').every((piece) => text.includes(piece))) return true
  // Folding changes nothing in ASCII but its case, and the signs between words.
  return !isAscii(text) && (!STAYS.test(text) || !PLAIN.test(phrase))
}

/** Phrases of nothing but these are made from no other characters than these. */
const PLAIN = /^[a-z0-9 \u4e00-\u9fff]+$/
/** The characters that most text is of. No other character of these becomes one of a plain phrase when it is folded. */
const STAYS =
  // oxlint-disable-next-line no-control-regex
  /^[\x00-\x7f\xb7\xd7\u2010-\u2027\u2190-\u21ff\u2500-\u257f\u3000-\u3035\u3041-\u3096\u30a0-\u30fe\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*$/

function includesPhrase(text: string, { text: phrase, isDense }: QueryPhrase): boolean {
  if (isDense) return text.includes(phrase)
  const startsWord = isLetterAt(phrase, 0)
  let at = text.indexOf(phrase)
  while (at >= 0) {
    if ((!startsWord || !isLetterAt(text, at - 1)) && !isLetterAt(text, at + phrase.length)) return true
    at = text.indexOf(phrase, startsWord ? afterWord(text, at) : at + 1)
  }
  return false
}
