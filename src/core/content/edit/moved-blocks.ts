/** Follows blocks that one writer has moved and another one has changed: the change goes to the new place. */
import { needItem } from '../../data/lists.ts'
import { frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import { runOf, unitsOf } from '../body-units.ts'

/** A text in place of a range of a source. */
export interface SourceEdit {
  offset: number
  length: number
  text: string
}

/** A block that one side changed and that is missing where it was on the other side. */
interface MissingBlock {
  base: string
  changed: string
  /** Where the result has the changed block, if it has it. */
  offset: number
  length: number
}

/** Returns a function that finds the edits of the result which follow a moved block; undefined if it was not moved. */
export function followMoves(
  result: string,
): (mover: string, block: MissingBlock) => SourceEdit[] | undefined {
  const known = new Map<string, ReadonlyMap<string, number[]>>()
  const placesIn = (source: string) => {
    const places = known.get(source) ?? blockPlaces(source)
    known.set(source, places)
    return places
  }
  return (mover, { base, changed, offset, length }) => {
    const isOutside = (at: number) => at >= offset + length || at + base.length <= offset
    const [place, ...others] = (placesIn(result).get(base) ?? []).filter(isOutside)
    // Of several equal blocks, nobody can tell which one it is.
    if (place === undefined || others.length > 0 || placesIn(mover).get(base)?.length !== 1) return undefined
    return [{ offset: place, length: base.length, text: changed }, withoutBlock(result, offset, length)]
  }
}

/** The offsets of the blocks of a source, by their text. */
function blockPlaces(source: string): ReadonlyMap<string, number[]> {
  const { blocks, gaps } = runOf(unitsOf(source))
  const places = new Map<string, number[]>()
  let offset = frontMatterEnd(source)
  for (const [i, block] of blocks.entries()) {
    offset += needItem(gaps, i).length
    places.set(block, [...(places.get(block) ?? []), offset])
    offset += block.length
  }
  return places
}

/** Removes a block with the blank space after it, or before it at the end. */
function withoutBlock(source: string, offset: number, length: number): SourceEdit {
  if (length === 0) return { offset, length, text: '' }
  const rest = source.slice(offset + length)
  const after = rest.length - rest.trimStart().length
  if (after < rest.length) return { offset, length: length + after, text: '' }
  const before = source.slice(0, offset).trimEnd().length
  return { offset: before, length: offset - before + length, text: '' }
}

/** The source after edits that do not overlap. */
export function withEdits(source: string, edits: readonly SourceEdit[]): string {
  let [text, at] = ['', 0]
  for (const edit of edits.toSorted((a, b) => a.offset - b.offset)) {
    text += source.slice(at, edit.offset) + edit.text
    at = edit.offset + edit.length
  }
  return text + source.slice(at)
}
