import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { lengthOfText, MOST_MATCHED, searchedSections, writtenText, writtenTitle } from './searched-text.ts'

const asWritten = (sections: ReturnType<typeof searchedSections>['sections']) =>
  sections.map((one) => ({ title: writtenTitle(one), text: writtenText(one) }))

test('a text that is compared in lower case is shown as it was written', () => {
  const piece = fc.constantFrom('a', 'B', ' ', '\n', 'É', 'Я', 'ß', 'İ', 'Σ', 'Σ ', 'ǅ', '中', '😀', '𐐀', 'K')
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const section = fc.record({ title: text, text }, { noNullPrototype: true })
  holds(
    fc.property(fc.array(section, { maxLength: 4 }), fc.nat(12), fc.nat(12), (sections, one, other) => {
      const searched = searchedSections(sections).sections
      assert.deepEqual(asWritten(searched), sections)
      for (const [i, { text: own }] of sections.entries()) {
        const [from, to] = [one, other].toSorted((a, b) => a - b)
        assert.equal(writtenText(searched[i]!, from, Math.min(to!, own.length)), own.slice(from, to))
        assert.equal(lengthOfText(searched[i]!), own.length)
      }
    }),
  )
})

test('a section that is longer than what is searched keeps its text, and its page takes its text once', () => {
  const long = { title: 'Long', text: 'Word '.repeat(MOST_MATCHED / 4) }
  const short = { title: 'Short', text: 'Word '.repeat(2_000) }
  assert.deepEqual(asWritten(searchedSections([long, short]).sections), [long, short])
  assert(searchedSections([short]).bytes < 1.5 * short.text.length)
})
