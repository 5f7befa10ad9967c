import { because } from '../../core/languages/reasons.ts'
import { type Reasoned } from '../../core/languages/reasoned.ts'
/** The place of a text or number that the databases cannot store, and what is wrong with it. */
interface BadValue {
  place: string[]
  why: Reasoned
}

/**
 * Finds the first value or key that the databases cannot store: text with a NUL character, which PostgreSQL refuses; text
 * with a lone surrogate, which has no UTF-8 form; or an infinite number, which `JSON.parse` returns for `1e999`. It uses
 * no recursion, because a body may be nested a million levels deep.
 */
export function findBadValue(value: unknown): BadValue | undefined {
  const own = faultOf(value)
  if (own) return { place: [], why: own }
  const waiting: Container[] = isContainer(value) ? [{ value }] : []

  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const keys = Array.isArray(at.value) ? undefined : Object.keys(at.value)
    // `Object.values` is slow for an object with very many keys.
    const items = at.value as Record<string | number, unknown>
    const length = keys?.length ?? (at.value as unknown[]).length
    for (let i = 0; i < length; i++) {
      const key = keys?.[i] ?? i
      const item = items[key]
      const why = faultOf(item) ?? faultOf(key)
      if (why) return { place: containerPlace({ value: items, above: at, key }), why }
      if (isContainer(item)) waiting.push({ value: item, above: at, key })
    }
  }
  return undefined
}

/** Whether a value has at most `most` values in it, itself included. */
export function isSmall(value: unknown, most: number): boolean {
  const waiting = [value]
  let count = 0
  while (waiting.length > 0) {
    const at = waiting.pop()
    count += 1
    if (count + waiting.length > most) return false
    if (!isContainer(at)) continue
    const size = Array.isArray(at) ? at.length : Object.keys(at).length
    if (size > most) return false
    for (const item of Object.values(at)) waiting.push(item)
  }
  return true
}

interface Container {
  value: object
  above?: Container
  key?: string | number
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function faultOf(value: unknown): Reasoned | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return because('number-too-large')
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return because('nul-in-value')
  return value.isWellFormed() ? undefined : because('lone-surrogate')
}

function printable(key: string): string {
  return key.replaceAll('\0', '\uFFFD').toWellFormed()
}

function containerPlace(container: Container): string[] {
  const place: string[] = []
  for (let at: Container | undefined = container; at; at = at.above) {
    if (at.key !== undefined) place.unshift(printable(String(at.key)))
    // The path to a value nested a million levels deep would be longer than the request.
    if (place.length > 20) return place
  }
  return place
}
