/** Finds the line of each reference in a Markdown source. */
import { printAddress } from '../markdown/addresses.ts'
import type { Block, ParsedPage } from '../model.ts'
import { listReferences, type Reference } from './references.ts'

/** A reference with the line of the source that it is on, from 1. */
export interface PlacedReference extends Reference {
  line: number
}

/** Addresses are searched in at most so many characters for each character of the source. */
const SEARCHED = 20

/**
 * The references of a page in order, each with its line: that of its address, or that of the block at the top level
 * where the address is not found as it is printed.
 */
export function placedReferences(
  { document, spans }: Pick<ParsedPage, 'document' | 'spans'>,
  source: string,
): PlacedReference[] {
  const lineOf = lineFinder(source)
  let budget = SEARCHED * source.length
  return document.nodes.flatMap((block: Block, i) => {
    const references = listReferences({ ...document, nodes: [block] })
    if (references.length === 0) return []
    const { start, end } = spans[i]!
    const text = source.slice(start, end)
    let from = 0
    return references.map((reference) => {
      const address = printAddress(reference.ref)
      const at = budget > 0 ? indexOfAddress(text, address, from) : -1
      budget -= (at < 0 ? text.length : at) - from
      if (at >= 0) from = at + address.length
      return { ...reference, line: lineOf(start + (at < 0 ? 0 : at)) }
    })
  })
}

/** Where an address begins in a text, and not only the end of a longer one. */
function indexOfAddress(text: string, address: string, from: number): number {
  if (address === '') return -1
  for (let at = text.indexOf(address, from); at >= 0; at = text.indexOf(address, at + address.length)) {
    const isWhole = !/[\w/.%-]/.test(text[at - 1] ?? '') && !/[\w/.%-]/.test(text[at + address.length] ?? '')
    if (isWhole) return at
  }
  return -1
}

/** Gives the line of an offset in a source, from 1. */
export function lineFinder(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
