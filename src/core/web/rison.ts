/**
 * Rison: JSON for queries, such as `(plan:pro,tags:!(a,b),unsigned:(beta:!t))`. The reader is bounded, because anyone
 * can send such text.
 */
import { type Reasoned, ReasonedError, reasonFields } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'

const DEEPEST = 8
/** The characters that end a text without quotes. */
const ENDS = /[ '!:(),*@$]/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?$/
const CONSTANTS: Record<string, unknown> = { t: true, f: false, n: null }

/** The value that a text holds, or the reason that it is not Rison. */
export type RisonReading = { ok: true; value: unknown } | { ok: false; error: Reasoned }

/** Reads a Rison text as a value of JSON. Never throws. The time is linear in the length of the text. */
export function readRison(text: string): RisonReading {
  const at: Place = { text, next: 0 }
  try {
    const value = valueAt(at, 0)
    if (at.next < text.length) throw unexpected(at)
    return { ok: true, value }
  } catch (error) {
    if (error instanceof RisonError) return { ok: false, error: reasonFields(error) }
    throw error
  }
}

class RisonError extends ReasonedError {}

interface Place {
  readonly text: string
  next: number
}

function unexpected({ text, next }: Place): RisonError {
  const column = next + 1
  return new RisonError(
    next < text.length
      ? because('rison-unexpected', { character: JSON.stringify(text[next]), column })
      : because('rison-open', { column }),
  )
}

function valueAt(at: Place, depth: number): unknown {
  if (depth > DEEPEST) throw new RisonError(because('rison-nested', { limit: DEEPEST }))
  const first = at.text[at.next]
  if (first === '(') return objectAt(at, depth)
  if (first === "'") return quotedAt(at)
  if (first !== '!') return plainAt(at)

  const second = at.text[at.next + 1] ?? ''
  if (second === '(') return listAt(at, depth)
  at.next += 1
  if (!Object.hasOwn(CONSTANTS, second)) throw unexpected(at)
  at.next += 1
  return CONSTANTS[second]
}

function objectAt(at: Place, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = []
  eachItem(at, 1, () => {
    const key = at.text[at.next] === "'" ? quotedAt(at) : plainTextAt(at)
    take(at, ':')
    entries.push([key, valueAt(at, depth + 1)])
  })
  // `fromEntries` defines a field `__proto__` instead of setting the prototype.
  return Object.fromEntries(entries)
}

function listAt(at: Place, depth: number): unknown[] {
  const items: unknown[] = []
  eachItem(at, 2, () => items.push(valueAt(at, depth + 1)))
  return items
}

/** Reads items between commas up to the closing parenthesis. @param opening the length of what opens the list */
function eachItem(at: Place, opening: number, readItem: () => void): void {
  at.next += opening
  if (at.text[at.next] === ')') return take(at, ')')
  readItem()
  while (at.text[at.next] === ',') {
    at.next += 1
    readItem()
  }
  return take(at, ')')
}

function take(at: Place, character: string): void {
  if (at.text[at.next] !== character) throw unexpected(at)
  at.next += 1
}

function quotedAt(at: Place): string {
  let text = ''
  for (at.next += 1; at.next < at.text.length; at.next += 1) {
    const character = at.text[at.next]
    if (character === "'") {
      at.next += 1
      return text
    }
    if (character === '!') {
      at.next += 1
      const escaped = at.text[at.next]
      if (escaped !== '!' && escaped !== "'") throw unexpected(at)
      text += escaped
    } else text += character
  }
  throw unexpected(at)
}

function plainAt(at: Place): string | number {
  const text = plainTextAt(at)
  if (!/^[-\d]/.test(text)) return text
  const value = Number(text)
  if (!NUMBER.test(text) || !Number.isFinite(value)) throw new RisonError(because('rison-number', { text }))
  return value
}

function plainTextAt(at: Place): string {
  const start = at.next
  while (at.next < at.text.length && !ENDS.test(at.text[at.next] ?? '')) at.next += 1
  if (at.next === start) throw unexpected(at)
  return at.text.slice(start, at.next)
}
