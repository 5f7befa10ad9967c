import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { isLetterAt } from './needles.ts'
import { hasPhrases } from './phrases.ts'
import { foldedText, parseQuery } from './query.ts'
import { searchedSections } from './searched-text.ts'

/** Characters whose folded form is another, or several, beside those that stay. */
const CHARACTERS = [...'aAbB12 -_\n.(「』…·全局索引が゛é①⾦ﬁＡ１（️㍿Å\u0300K〸가ㅏ\u1100\u1161']

const phrasesOf = (quoted: string) => parseQuery(`"${quoted}"`).phrases
const pageOf = (text: string) => ({ title: '', ...searchedSections([{ title: '', text }]) })

test('a phrase is found in exactly the texts that have it once both are folded', () => {
  const some = (maxLength: number) =>
    fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength }).map((all) => all.join(''))
  holds(
    fc.property(some(4), some(12), some(12), (quoted, before, after) => {
      const phrases = phrasesOf(quoted)
      for (const text of [`${before}${quoted}${after}`, `${before}${after}`]) {
        const folded = foldedText(text)
        const isThere = phrases.every((phrase) =>
          phrase.isDense ? folded.includes(phrase.text) : wordsStand(folded, phrase.text),
        )
        assert.equal(hasPhrases(pageOf(text), phrases), isThere, JSON.stringify([quoted, text]))
      }
    }),
  )
})

test('every character is found by the letters that it becomes when it is folded', () => {
  let found = 0
  for (let unit = 0x80; unit < 0x1_00_00; unit++) {
    const text = String.fromCharCode(unit)
    const folded = foldedText(text)
    if (folded === text || !/^[a-z0-9\u4e00-\u9fff]+$/.test(folded)) continue
    assert(hasPhrases(pageOf(text), phrasesOf(folded)), `${text} for ${folded}`)
    found++
  }
  assert(found > 1000)
})

/** Whether a text has another that begins and ends where words do. */
function wordsStand(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const isBehindWord = isLetterAt(phrase, 0) && isLetterAt(text, at - 1)
    if (!isBehindWord && !isLetterAt(text, at + phrase.length)) return true
  }
  return false
}
