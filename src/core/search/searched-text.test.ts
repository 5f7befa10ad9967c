import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import {
  lengthOfText,
  MOST_MATCHED,
  searchedSections,
  searchedText,
  writtenText,
  writtenTitle,
} from './searched-text.ts'

const asWritten = (sections: ReturnType<typeof searchedSections>['sections']) =>
  sections.map((one) => ({ title: writtenTitle(one), text: writtenText(one) }))

test('a text that is compared folded is shown as it was written', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    ' ',
    '\n',
    'É',
    'e\u0301',
    'Я',
    'ß',
    'İ',
    'Σ',
    'أ',
    'مُ',
    'ﬁ',
    'ǅ',
    '中',
    '😀',
    '𐐀',
    'K',
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const section = fc.record({ title: text, text }, { noNullPrototype: true })
  holds(
    fc.property(fc.array(section, { maxLength: 4 }), fc.nat(12), fc.nat(12), (sections, one, other) => {
      const searched = searchedSections(sections).sections
      assert.deepEqual(asWritten(searched), sections)
      for (const own of searched) {
        const folded = searchedText(own)
        assert.equal(lengthOfText(own), folded.length)
        const [from, to] = [one, other].map((at) => Math.min(at, folded.length)).toSorted((a, b) => a - b)
        const parts = [writtenText(own, 0, from), writtenText(own, from, to), writtenText(own, to)]
        assert.equal(parts.join(''), writtenText(own))
      }
    }),
  )
})

test('a place in a folded text is the same place in the text as it was written', () => {
  const sections = [
    { title: 'Große Straße', text: 'İki Straße, dann مُسْتَخْدِم und ﬁle.' },
    { title: '', text: 'مُسْتَخْدِم' },
  ]
  const searched = searchedSections(sections).sections
  for (const [section, folded, written] of [
    [0, 'iki', 'İki'],
    [0, 'strasse', 'Straße'],
    [0, 'مستخدم', 'مُسْتَخْدِم'],
    [0, 'file', 'ﬁle'],
    [1, 'مستخدم', 'مُسْتَخْدِم'],
  ] as const) {
    const own = searched[section]!
    const at = searchedText(own).indexOf(folded)
    assert(at >= 0, folded)
    assert.equal(writtenText(own, at, at + folded.length), written)
  }
})

test('a section that is longer than what is searched keeps its text, and its page takes its text once', () => {
  const long = { title: 'Long', text: 'Word '.repeat(MOST_MATCHED / 4) }
  const short = { title: 'Short', text: 'Word '.repeat(2_000) }
  assert.deepEqual(asWritten(searchedSections([long, short]).sections), [long, short])
  assert(searchedSections([short]).bytes < 1.5 * short.text.length)
})
