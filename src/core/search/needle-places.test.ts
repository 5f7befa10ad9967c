import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { isLetterAt, type Needle, type NeedleForm, needlesOf, worthAt } from './needles.ts'
import { type NeedlePlaces, type PieceRange, placesOf } from './needle-places.ts'
import { parseQuery } from './query.ts'

const needleOf = (query: string, meant: string[] = []): Needle =>
  needlesOf(parseQuery(query), [1], new Map([[query, meant]])).words[0]!

/** The places of a needle in texts, those that are hidden left out. */
function placesIn(texts: readonly string[], hidden: ReadonlySet<number>, needle: Needle) {
  const ranges: PieceRange[] = []
  const numbers: number[] = []
  let at = 0
  for (const [i, { length }] of texts.entries()) {
    if (!hidden.has(i)) {
      numbers.push(i)
      ranges.push({ start: at, end: at + length })
    }
    at += length + 1
  }
  const found = placesOf({ all: texts.join('\n'), ranges }, needle)
  return new Map([...found].map(([piece, places]) => [numbers[piece]!, places]))
}

/** The same, one text and one form after the other. */
function placesInText(text: string, { forms, parts, partCount }: Needle): NeedlePlaces | undefined {
  const there = forms.find((form) => allPlaces(text, form).length > 0)
  if (there) {
    const places = allPlaces(text, there)
    const worth = Math.max(...places.map((at) => worthAt(text, at, there)))
    return { places, length: there.text.length, worth }
  }
  const own = parts.filter((part) => allPlaces(text, part).length > 0)
  const [first] = own
  if (!first) return undefined
  const worth = first.worth * (own.length / partCount) ** 2
  return { places: allPlaces(text, first), length: first.text.length, worth }
}

function allPlaces(text: string, { text: form, isShort }: NeedleForm): number[] {
  const places: number[] = []
  for (let at = text.indexOf(form); at >= 0 && places.length < 30;) {
    const isWord = !isShort || (!isLetterAt(text, at - 1) && !isLetterAt(text, at + form.length))
    if (isWord) places.push(at)
    at = text.indexOf(form, isWord ? at + form.length : at + 1)
  }
  return places
}

test('a stem is found with its words, and a word before its stem', () => {
  const installing = needleOf('installing')
  assert.deepEqual(
    installing.scans.map(({ text }) => text),
    ['instal'],
  )
  const found = placesIn(['install it, installing', 'installed', 'nothing'], new Set(), installing)
  assert.deepEqual(found.get(0)?.places, [12])
  assert.equal(found.get(0)?.worth, 1)
  assert.deepEqual(found.get(1)?.places, [0])
  assert.equal(found.get(2), undefined)
})

test('a word is worth more than its other forms, and these more than longer words', () => {
  const worth = (query: string, text: string) =>
    placesIn([text], new Set(), needleOf(query)).get(0)?.worth ?? 0
  for (const [query, form, longer] of [
    ['port', 'ports', 'portable'],
    ['rotating', 'rotate', 'rotatory'],
    ['caching', 'cached', 'cachexia'],
  ] as const) {
    const [whole, other, beginning, within] = [query, form, longer, `pre${query}`].map((one) =>
      worth(query, `a ${one} b`),
    ) as [number, number, number, number]
    assert(whole > other && other > beginning && beginning > 0, `${query}: ${whole} ${other} ${beginning}`)
    assert(beginning >= within && within > 0, `${query}: ${beginning} ${within}`)
  }
  // A text that has the word in two ways is worth the better one.
  assert.equal(worth('port', 'portable port'), 1)
  // Where words are not divided, every place is as good as another.
  assert.equal(worth('数据', '大数据库'), 1)
})

test('the places in all texts are those in each of them', () => {
  const letters = fc.stringMatching(/^(?:[ab]|aba|ab_ab|aaaa| |的时区|时){0,12}$/u)
  const needle = fc
    .tuple(
      fc.constantFrom('ab', 'abab', 'aaaa', 'ab_ab', 'aba_ab_a', 'abaing', '时区', '时区的', 'a'),
      fc.array(fc.constantFrom('aba', 'abab', 'bbbb')),
    )
    .map(([query, meant]) => needleOf(query, meant))
  const many = fc.tuple(letters, fc.constantFrom(1, 40)).map(([text, times]) => text.repeat(times))
  holds(
    fc.property(fc.array(many, { maxLength: 5 }), fc.nat({ max: 4 }), needle, (texts, one, own) => {
      const found = placesIn(texts, new Set([one]), own)
      for (const [i, text] of texts.entries())
        assert.deepEqual(found.get(i), i === one ? undefined : placesInText(text, own))
    }),
  )
})
