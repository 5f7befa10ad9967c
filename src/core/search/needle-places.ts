/** Where the words of a query stand in texts. */
import { needItem } from '../data/lists.ts'
import { isLetterAt, type Needle, type NeedleForm, worthAt } from './needles.ts'

/** Where a needle is in a text. */
export interface NeedlePlaces {
  places: readonly number[]
  length: number
  worth: number
}

/** Folded texts that are parts of a longer one, in the order in which they stand there. */
export interface Pieces {
  all: string
  ranges: readonly PieceRange[]
}

/** Where a piece is in the longer text. */
export interface PieceRange {
  start: number
  end: number
}

export const NOWHERE: NeedlePlaces = { places: [], length: 0, worth: 0 }

const MOST_PLACES = 30

interface FormPlaces {
  /** The number of the form, or of the part. */
  form: number
  /** The most that one of the places is worth. */
  worth: number
  places: number[]
}

interface PartPlaces extends Omit<FormPlaces, 'worth'> {
  /** How many of the parts are there, and the last of them. */
  count: number
  last: number
}

/**
 * The places of a needle in each text, by its number: of the worthiest form that is there, or else of one of its parts. A
 * heading with one part of an identifier says little about the identifier, so parts that are missing count against it.
 */
export function placesOf(pieces: Pieces, needle: Needle): Map<number, NeedlePlaces> {
  const { forms, parts, partCount } = needle
  const byForm = new Map<number, FormPlaces>()
  for (const scan of needle.scans) findForms(pieces, forms, scan, byForm)
  const byPart = new Map<number, PartPlaces>()
  for (const [i, part] of parts.entries()) findPart(pieces, part, i, { byForm, byPart })

  const found = new Map<number, NeedlePlaces>()
  for (const [piece, { form, worth, places }] of byForm)
    found.set(piece, { places, length: needItem(forms, form).text.length, worth })
  for (const [piece, { form, places, count }] of byPart) {
    const { text, worth } = needItem(parts, form)
    found.set(piece, { places, length: text.length, worth: worth * (count / partCount) ** 2 })
  }
  return found
}

/** Finds the forms of a needle that begin with the same text, all of them in one pass. */
function findForms(
  { all, ranges }: Pieces,
  forms: readonly NeedleForm[],
  { text: start, forms: numbers }: Needle['scans'][number],
  found: Map<number, FormPlaces>,
): void {
  /** The forms, each with the first offset at which its next place can be. */
  const own = numbers.map((number) => ({ number, form: needItem(forms, number), next: 0 }))
  const worthiest = needItem(own, 0)
  let piece = 0
  let range = ranges[0]
  for (let at = all.indexOf(start); at >= 0;) {
    while (range && range.end <= at) range = ranges[++piece]
    if (!range) return
    // Between two pieces, there can be text that the caller does not see.
    if (at < range.start) {
      at = all.indexOf(start, range.start)
      continue
    }
    let known = found.get(piece)
    for (const one of own) {
      const { number, form } = one
      if (known && known.form < number) break
      const { text, isShort } = form
      if (at < one.next || (text !== start && !all.startsWith(text, at))) continue
      const isWord = !isShort || standsAlone(all, at, text.length)
      one.next = isWord ? at + text.length : afterWord(all, at)
      if (!isWord) continue
      if (known?.form !== number) found.set(piece, (known = { form: number, worth: 0, places: [] }))
      if (known.places.length === MOST_PLACES) continue
      known.places.push(at - range.start)
      if (known.worth < form.worth) known.worth = Math.max(known.worth, worthAt(all, at, form))
    }
    const isDone =
      known !== undefined &&
      (known.form < worthiest.number ||
        (known.form === worthiest.number && known.places.length === MOST_PLACES))
    const from = own.length === 1 ? Math.max(worthiest.next, at + 1) : at + 1
    at = all.indexOf(start, isDone ? range.end : from)
  }
}

/** Finds a part of a needle in the texts that have no form of the whole. */
function findPart(
  { all, ranges }: Pieces,
  { text, isShort }: NeedleForm,
  part: number,
  { byForm, byPart }: { byForm: ReadonlyMap<number, FormPlaces>; byPart: Map<number, PartPlaces> },
): void {
  let piece = 0
  let range = ranges[0]
  for (let at = all.indexOf(text); at >= 0;) {
    while (range && range.end <= at) range = ranges[++piece]
    if (!range) return
    if (at < range.start) {
      at = all.indexOf(text, range.start)
      continue
    }
    if (byForm.has(piece)) {
      at = all.indexOf(text, range.end)
      continue
    }
    if (isShort && !standsAlone(all, at, text.length)) {
      at = all.indexOf(text, afterWord(all, at))
      continue
    }
    let known = byPart.get(piece)
    if (!known) byPart.set(piece, (known = { form: part, places: [], count: 0, last: -1 }))
    if (known.last !== part) known.count++
    known.last = part
    if (known.form === part) known.places.push(at - range.start)
    const isDone = known.form !== part || known.places.length === MOST_PLACES
    at = all.indexOf(text, isDone ? range.end : at + text.length)
  }
}

function standsAlone(text: string, at: number, length: number): boolean {
  return !isLetterAt(text, at - 1) && !isLetterAt(text, at + length)
}

/** The first place after `at` where a word could start. Without it, a word would be searched at each of its letters. */
export function afterWord(text: string, at: number): number {
  let next = at + 1
  while (isLetterAt(text, next - 1)) next++
  return next
}
