/** Finds a text in the words of a document, also where bold words or notes divide it. */
import type { Node } from 'prosemirror-model'

/** A place of a text that is looked for. */
export interface Match {
  from: number
  to: number
}

/** The text that is looked for. */
export interface FindQuery {
  text: string
  isCaseSensitive: boolean
}

/** What the bar shows: nothing, the field to find, or also that to replace. */
export type FindShown = 'nothing' | 'find' | 'replace'

/** So many places are found. */
export const MOST_MATCHES = 10_000

/** Stands for an inline that is one thing. Nobody looks for it. */
const THING = '\uFFFC'

/** The places of a text, in the order of the document. */
export function matchesIn(doc: Node, { text, isCaseSensitive }: FindQuery): Match[] {
  const matches: Match[] = []
  if (text === '') return matches
  const pattern = new RegExp(
    // Not `-`: with the flag `u`, a pattern must not escape it.
    text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`),
    isCaseSensitive ? 'gu' : 'giu',
  )
  doc.descendants((block, pos) => {
    if (matches.length === MOST_MATCHES) return false
    if (!block.isTextblock) return true
    const { words, places } = lettersIn(block, pos + 1)
    for (const found of words.matchAll(pattern)) {
      if (matches.length === MOST_MATCHES) break
      const end = found.index + found[0].length
      matches.push({ from: places[found.index]!, to: places[end - 1]! + 1 })
    }
    return false
  })
  return matches
}

/** The words of a text block, and the position of each of their UTF-16 units. */
function lettersIn(block: Node, start: number): { words: string; places: number[] } {
  let words = ''
  const places: number[] = []
  block.descendants((node, offset) => {
    const text = node.text ?? (node.isLeaf ? THING : '')
    for (let index = 0; index < text.length; index++) places.push(start + offset + index)
    words += text
    return true
  })
  return { words, places }
}
