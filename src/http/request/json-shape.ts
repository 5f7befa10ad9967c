/**
 * The shape of a JSON text, found in one pass and without building anything: parsing millions of values, or an object of
 * half a million members, would hold everybody else up.
 */
import type { Reasoned } from '../../core/languages/reasoned.ts'
import { because } from '../../core/languages/reasons.ts'

/** How much a JSON text may contain. A page of the largest size, as a document, has about half of these values. */
export const JSON_LIMITS = { values: 1_000_000, membersOfOne: 10_000, levels: 1_000 } as const

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Checks a text against the limits; the text need not be valid JSON.
 * @returns the message about what it has too much of; undefined if it is within the limits
 */
export function excessOfJson(text: string): Reasoned | undefined {
  const { values: mostValues, membersOfOne, levels } = JSON_LIMITS
  /** The members so far of each object around the current place; -1 for an array. */
  const around: number[] = []
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COMMA: {
        values += 1
        const members = around.at(-1)
        if (members === undefined || members < 0) break
        if (members + 2 > membersOfOne) return because('body-object-too-large', { limit: membersOfOne })
        around[around.length - 1] = members + 1
        break
      }
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values += 1
        around.push(text.charCodeAt(at) === OPEN_OBJECT ? 0 : -1)
        if (around.length > levels) return because('body-too-deep', { limit: levels })
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        around.pop()
        break
    }
    if (values > mostValues) return because('body-too-many-values', { limit: mostValues })
  }
  return undefined
}

/** The place of the quote that ends a string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}
