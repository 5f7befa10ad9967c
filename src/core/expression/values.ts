/**
 * The values of condition expressions (`expression.ts`) and their limits. A value is JSON or undefined, never a
 * function or another host object. Conversions never use the host's rules for objects, because those rules call
 * methods of the value.
 */
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf, ReasonedError, type Reasoned } from '../languages/reasoned.ts'

const because = becauseOf(EXPRESSION_REASONS)

/** The expression exceeds a limit or uses unsupported syntax. The message is for its author. */
export class Refused extends ReasonedError {
  override name = 'Refused'
}

/** Thrown when a property of null or undefined is read. The whole expression is then undefined. */
export class Missing extends Error {
  override name = 'Missing'
}

/** The longest text that an expression may create, in UTF-16 units. */
const LONGEST_TEXT = 10_000

/** The longest array that an expression may create or iterate over. */
export const LONGEST_ARRAY = 10_000

const DEEPEST_ARRAY = 50

/** Refuses a text of the given length before it is created. */
export function checkLength(length: number): void {
  if (length > LONGEST_TEXT) throw new Refused(because('expression-text-too-long', { limit: LONGEST_TEXT }))
}

/** The most steps of one evaluation. */
export const STEPS_OF_EXPRESSION = 100_000

/** The steps that an evaluation has left. A step costs about as much as one operation. */
export class Budget {
  left: number

  constructor(steps = STEPS_OF_EXPRESSION) {
    this.left = steps
  }

  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new Refused(because('expression-too-slow'))
  }

  /** Charges for a text that is created. */
  text(made: string): string {
    checkLength(made.length)
    this.spend(made.length >> 5)
    return made
  }

  /** Charges for an array that is created or iterated over. */
  list<T extends readonly unknown[]>(list: T): T {
    if (list.length > LONGEST_ARRAY)
      throw new Refused(because('expression-array-too-long', { limit: LONGEST_ARRAY }))
    this.spend(list.length >> 4)
    return list
  }

  /** Charges for a search of a text, which can compare the wanted text at every position. Returns the wanted text. */
  search(text: string, wanted: string): string {
    this.spend(Math.floor((text.length * wanted.length) / 512))
    return wanted
  }

  /** Charges for a search of an array, which can compare a wanted text with every item. Returns the wanted value. */
  lookUp(list: readonly unknown[], wanted: unknown): unknown {
    if (typeof wanted === 'string') this.spend(Math.floor((list.length * wanted.length) / 64))
    return wanted
  }
}

/** Returns a function that refuses a syntax. */
export function refuseSyntax(why: Reasoned): () => never {
  return () => {
    throw new Refused(why)
  }
}

/** Why a syntax is refused, such as `new`. */
export const unsupportedSyntax = (syntax: string) => because('expression-unsupported', { syntax })

/** Returns true for an array of data. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Returns true for an object of data, as opposed to an array or a host object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

// Properties through which data would reach host objects, or seem to.
const HIDDEN = new Set(['constructor', 'prototype', '__proto__'])

/** Returns true if expressions may read or create a property with this name. */
export function isVisible(name: string): boolean {
  return !HIDDEN.has(name)
}

/** Reads a property of a value. Returns undefined if the property does not exist. @throws Missing for no value */
export function property(of: unknown, name: string): unknown {
  if (of === undefined || of === null) throw new Missing(`"${name}" is read from nothing`)
  if (!isVisible(name)) return undefined
  if (typeof of === 'string' || isList(of)) {
    if (name === 'length') return of.length
    return /^(?:0|[1-9]\d*)$/.test(name) && Object.hasOwn(Object(of), name)
      ? asData(of[Number(name)])
      : undefined
  }
  return isPlainObject(of) && Object.hasOwn(of, name) ? asData(of[name]) : undefined
}

/** Replaces a value that is not data with undefined. */
function asData(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return undefined
  return typeof value !== 'object' || value === null || isList(value) || isPlainObject(value)
    ? value
    : undefined
}

/** Converts a value to text, as JavaScript does. */
export function valueToText(value: unknown, budget: Budget, depth = 0): string {
  budget.spend(1)
  if (typeof value === 'string') return value
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  if (depth > DEEPEST_ARRAY) throw new Refused(because('expression-array-too-deep'))
  if (isList(value)) return joined(value, ',', budget, depth)
  if (isPlainObject(value)) return '[object Object]'
  throw new Refused(because('expression-not-data'))
}

/** Joins the items as text with a separator. */
export function joined(list: readonly unknown[], separator: string, budget: Budget, depth = 0): string {
  let text = ''
  budget.list(list).forEach((item, i) => {
    if (i > 0) text += separator
    if (item !== undefined && item !== null) text += valueToText(item, budget, depth + 1)
    checkLength(text.length)
  })
  return budget.text(text)
}

/** Converts a value to text, a number, a boolean, null or undefined. */
export function primitive(value: unknown, budget: Budget): string | number | boolean | null | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? value : valueToText(value, budget)
}

/** Converts a value to a number, as JavaScript does. */
export function numberOf(value: unknown, budget: Budget): number {
  const simple = primitive(value, budget)
  if (typeof simple === 'string') budget.spend(simple.length >> 6)
  return Number(simple)
}

/** `===`. */
export function strictlyEqual(a: unknown, b: unknown, budget: Budget): boolean {
  if (typeof a === 'string' && typeof b === 'string') budget.spend(Math.min(a.length, b.length) >> 6)
  return a === b
}

/** `==`. */
export function looselyEqual(a: unknown, b: unknown, budget: Budget): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return (a ?? null) === (b ?? null)
  if (typeof a === 'object' && typeof b === 'object') return a === b
  const [x, y] = [primitive(a, budget), primitive(b, budget)]
  return typeof x === typeof y ? strictlyEqual(x, y, budget) : numberOf(x, budget) === numberOf(y, budget)
}
