/** Whether pages have phrases: text in quotes, which is found as it stands. */
import { isLetterAt } from './needles.ts'
import { afterWord } from './needle-places.ts'
import { foldedText, type QueryPhrase, singleSpaced } from './query.ts'
import { foldedSectionText, foldedTitle, type SearchedText } from './searched-text.ts'

/** Whether a page has each phrase. Takes time in proportion to its text and the number of phrases. */
export function hasPhrases({ title, sections }: SearchedText, phrases: readonly QueryPhrase[]): boolean {
  if (phrases.length === 0) return true
  const inTitle = foldedText(title)
  return phrases.every(
    (phrase) =>
      includesPhrase(inTitle, phrase) ||
      sections.some((section) => {
        const text = foldedSectionText(section)
        return (
          includesPhrase(singleSpaced(foldedTitle(section)), phrase) ||
          (mayInclude(text, phrase) && includesPhrase(singleSpaced(text), phrase))
        )
      }),
  )
}

/** Whether a folded text may have a phrase: to join its white space takes several times as long as to search it. */
function mayInclude(text: string, { text: phrase }: QueryPhrase): boolean {
  return phrase.split(' ').every((piece) => text.includes(piece))
}

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
