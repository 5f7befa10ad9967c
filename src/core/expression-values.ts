/**
 * The values of condition expressions (`expression.ts`) and their limits. A value is JSON or undefined, never a
 * function or another object of the host; nothing is converted by the host's own rules for objects, which would call
 * into them.
 */

/** Why an expression is not evaluated to its end; the message is for its author. */
export class Refused extends Error {
  override name = 'Refused'
}

/** Thrown where a property of something missing is read: the whole expression is then undefined (api-facts 7.1). */
export class Missing extends Error {
  override name = 'Missing'
}

/** The longest text that an expression may make, in UTF-16 units. */
export const LONGEST_TEXT = 10_000

/** The longest array that an expression may make or go through. */
export const LONGEST_ARRAY = 10_000

const DEEPEST_ARRAY = 50

/** Refuses a text of the given length, before it is made. */
export function checkLength(length: number): void {
  if (length > LONGEST_TEXT) throw new Refused(`A text is longer than ${LONGEST_TEXT} characters`)
}

/** What an evaluation may still spend; a step is about what one operation costs. */
export class Budget {
  left = 100_000

  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new Refused('The expression takes too many steps')
  }

  /** Pays for a text that is made. */
  text(made: string): string {
    checkLength(made.length)
    this.spend(made.length >> 5)
    return made
  }

  /** Pays for an array that is made or gone through. */
  list<T extends readonly unknown[]>(list: T): T {
    if (list.length > LONGEST_ARRAY) throw new Refused(`An array has more than ${LONGEST_ARRAY} items`)
    this.spend(list.length >> 4)
    return list
  }
}

/** A function that refuses what stands for the given words. */
export function refuse(what: string): () => never {
  return () => {
    throw new Refused(`${what} is not supported`)
  }
}

/** Whether a value is an array of the visitor's or page's data. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Whether a value is an object of data, not an array and nothing that the host made. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

// These lead from data to the host's objects, or look as if they did.
const HIDDEN = new Set(['constructor', 'prototype', '__proto__'])

/** Whether a property may be read or made at all. */
export function isVisible(name: string): boolean {
  return !HIDDEN.has(name)
}

/** A property of a value; undefined if it has none of the name, `Missing` if there is no value. */
export function property(of: unknown, name: string): unknown {
  if (of === undefined || of === null) throw new Missing(`"${name}" is read from nothing`)
  if (!isVisible(name)) return undefined
  if (typeof of === 'string' || isList(of)) {
    if (name === 'length') return of.length
    return /^(?:0|[1-9]\d*)$/.test(name) && Object.hasOwn(Object(of), name)
      ? asData(of[Number(name)])
      : undefined
  }
  return isRecord(of) && Object.hasOwn(of, name) ? asData(of[name]) : undefined
}

/** What is not data is not there. */
function asData(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return undefined
  return typeof value !== 'object' || value === null || isList(value) || isRecord(value) ? value : undefined
}

/** A value as text, as JavaScript would have it. */
export function textOf(value: unknown, budget: Budget, depth = 0): string {
  budget.spend(1)
  if (typeof value === 'string') return value
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  if (depth > DEEPEST_ARRAY) throw new Refused('An array is nested too deeply')
  if (isList(value)) return joined(value, ',', budget, depth)
  if (isRecord(value)) return '[object Object]'
  throw new Refused('Only data can become text')
}

/** The items as text, with a separator between them. */
export function joined(list: readonly unknown[], separator: string, budget: Budget, depth = 0): string {
  let text = ''
  budget.list(list).forEach((item, i) => {
    if (i > 0) text += separator
    if (item !== undefined && item !== null) text += textOf(item, budget, depth + 1)
    checkLength(text.length)
  })
  return budget.text(text)
}

/** A value as text, number, boolean, null or undefined. */
export function primitive(value: unknown, budget: Budget): string | number | boolean | null | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? value : textOf(value, budget)
}

/** A value as a number, as JavaScript would have it. */
export function numberOf(value: unknown, budget: Budget): number {
  const simple = primitive(value, budget)
  if (typeof simple === 'string') budget.spend(simple.length >> 6)
  return Number(simple)
}

/** `===`. */
export function same(a: unknown, b: unknown, budget: Budget): boolean {
  if (typeof a === 'string' && typeof b === 'string') budget.spend(Math.min(a.length, b.length) >> 6)
  return a === b
}

/** `==`. */
export function alike(a: unknown, b: unknown, budget: Budget): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return (a ?? null) === (b ?? null)
  if (typeof a === 'object' && typeof b === 'object') return a === b
  const [x, y] = [primitive(a, budget), primitive(b, budget)]
  return typeof x === typeof y ? same(x, y, budget) : numberOf(x, budget) === numberOf(y, budget)
}
