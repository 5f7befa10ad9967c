/** The methods that condition expressions (`expression.ts`) can call: the methods of JavaScript that mutate nothing. */
import { append, needItem } from '../data/lists.ts'
import { paidFor } from './pattern.ts'
import type { Pattern } from './pattern.ts'
import {
  checkLength,
  isList,
  isPlainObject,
  isVisible,
  joined,
  LONGEST_ARRAY,
  Missing,
  numberOf,
  Refused,
  valueToText,
} from './values.ts'
import type { Budget } from './values.ts'
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf } from '../languages/reasoned.ts'

const because = becauseOf(EXPRESSION_REASONS)

/** An argument of a call: a value, or a function or regular expression, which are not values. */
export type Argument =
  | { kind: 'value'; value: unknown }
  | { kind: 'callback'; call: (...values: unknown[]) => unknown }
  | { kind: 'pattern'; pattern: Pattern }

interface Call<T> {
  self: T
  args: readonly Argument[]
  budget: Budget
}

type Methods<T> = Readonly<Record<string, (call: Call<T>) => unknown>>

/** Calls a method of a value. @throws Missing if the value has no such method */
export function callMethod(self: unknown, name: string, args: readonly Argument[], budget: Budget): unknown {
  if (typeof self === 'string') {
    budget.spend(1 + (self.length >> 6))
    return methodOf(TEXT, name)({ self, args, budget })
  }
  if (isList(self)) {
    return methodOf(LIST, name)({ self: budget.list(self), args, budget })
  }
  if (typeof self === 'number') return methodOf(NUMBER, name)({ self, args, budget })
  if (typeof self === 'boolean') return methodOf(BOOLEAN, name)({ self, args, budget })
  if (isPlainObject(self)) return methodOf(RECORD, name)({ self, args, budget })
  throw new Missing(`"${name}" is called on nothing`)
}

/** Calls a method of a regular expression literal. */
export function callPattern(self: Pattern, name: string, args: readonly Argument[], budget: Budget): unknown {
  return methodOf(PATTERN, name)({ self, args, budget })
}

function methodOf<T>(methods: Methods<T>, name: string): (call: Call<T>) => unknown {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (method) return method
  throw new Missing(`There is no method "${name}"`)
}

const TEXT: Methods<string> = {
  at: (call) => call.self.at(number(call, 0) ?? 0),
  charAt: (call) => call.self.charAt(number(call, 0) ?? 0),
  concat: (call) => call.budget.text(call.self + call.args.map((_, i) => text(call, i)).join('')),
  endsWith: (call) => call.self.endsWith(text(call, 0), number(call, 1)),
  includes: (call) => call.self.includes(wantedText(call), number(call, 1)),
  indexOf: (call) => call.self.indexOf(wantedText(call), number(call, 1)),
  lastIndexOf: (call) => call.self.lastIndexOf(wantedText(call), number(call, 1)),
  match: (call) => {
    const groups = call.self.match(regex(call))
    return groups && call.budget.list([...groups])
  },
  padEnd: (call) => call.budget.text(call.self.padEnd(width(call), optionalText(call, 1))),
  padStart: (call) => call.budget.text(call.self.padStart(width(call), optionalText(call, 1))),
  repeat: (call) => {
    const count = number(call, 0) ?? 0
    checkLength(call.self.length * count)
    return call.budget.text(call.self.repeat(count))
  },
  replace: (call) => replaced(call, 'replace'),
  replaceAll: (call) => replaced(call, 'replaceAll'),
  search: (call) => call.self.search(regex(call)),
  slice: (call) => call.self.slice(number(call, 0), number(call, 1)),
  split: (call) => {
    const separator = call.args[0]?.kind === 'pattern' ? regex(call) : optionalText(call, 0)
    if (separator === undefined) return [call.self]
    if (typeof separator === 'string') call.budget.search(call.self, separator)
    return call.budget.list(call.self.split(separator, number(call, 1)))
  },
  startsWith: (call) => call.self.startsWith(text(call, 0), number(call, 1)),
  substring: (call) => call.self.substring(number(call, 0) ?? 0, number(call, 1)),
  toLowerCase: ({ self, budget }) => budget.text(self.toLowerCase()),
  toString: ({ self }: Call<string>) => self,
  toUpperCase: ({ self, budget }) => budget.text(self.toUpperCase()),
  trim: ({ self }) => self.trim(),
  trimEnd: ({ self }) => self.trimEnd(),
  trimStart: ({ self }) => self.trimStart(),
}

const LIST: Methods<readonly unknown[]> = {
  at: (call) => call.self.at(number(call, 0) ?? 0),
  concat: (call) =>
    call.args.reduce<readonly unknown[]>((all, _, i) => {
      const more = value(call, i)
      return call.budget.list(isList(more) ? all.concat(call.budget.list(more)) : [...all, more])
    }, call.self),
  every: (call) => call.self.every(test(call)),
  filter: (call) => call.self.filter(test(call)),
  find: (call) => call.self.find(test(call)),
  findIndex: (call) => call.self.findIndex(test(call)),
  flat: (call) => flattened(call.self, number(call, 0) ?? 1, call.budget),
  flatMap: (call) => flattened(call.self.map(callback(call)), 1, call.budget),
  includes: (call) => call.self.includes(wantedItem(call), number(call, 1)),
  indexOf: (call) => call.self.indexOf(wantedItem(call), number(call, 1)),
  join: (call) => joined(call.self, optionalText(call, 0) ?? ',', call.budget),
  lastIndexOf: (call) => call.self.lastIndexOf(wantedItem(call)),
  map: (call) => call.self.map(callback(call)),
  reduce: (call) => {
    const each = callback(call)
    if (call.args.length > 1)
      return call.self.reduce((sum, item, i) => each(sum, item, i, call.self), value(call, 1))
    return call.self.reduce((sum, item, i) => each(sum, item, i, call.self))
  },
  slice: (call) => call.self.slice(number(call, 0), number(call, 1)),
  some: (call) => call.self.some(test(call)),
  toString: ({ self, budget }: Call<readonly unknown[]>) => valueToText(self, budget),
}

const NUMBER: Methods<number> = {
  toFixed: (call) => call.self.toFixed(number(call, 0)),
  toString: (call: Call<number>) => call.self.toString(number(call, 0)),
}

const BOOLEAN: Methods<boolean> = {
  toString: ({ self }: Call<boolean>) => String(self),
}

const RECORD: Methods<Record<string, unknown>> = {
  hasOwnProperty: (call: Call<Record<string, unknown>>) =>
    isVisible(text(call, 0)) && Object.hasOwn(call.self, text(call, 0)),
  toString: ({ self, budget }: Call<Record<string, unknown>>) => valueToText(self, budget),
}

const PATTERN: Methods<Pattern> = {
  test: (call) => paidFor(call.self, text(call, 0), call.budget).test(text(call, 0)),
}

function value({ args }: Call<unknown>, i: number): unknown {
  const arg = args[i]
  if (!arg) return undefined
  if (arg.kind === 'value') return arg.value
  throw new Refused(because('expression-function-as-value'))
}

function text(call: Call<unknown>, i: number): string {
  return valueToText(value(call, i), call.budget)
}

function optionalText(call: Call<unknown>, i: number): string | undefined {
  return value(call, i) === undefined ? undefined : text(call, i)
}

function number(call: Call<unknown>, i: number): number | undefined {
  const given = value(call, i)
  return given === undefined ? undefined : numberOf(given, call.budget)
}

function wantedText(call: Call<string>): string {
  return call.budget.search(call.self, text(call, 0))
}

function wantedItem(call: Call<readonly unknown[]>): unknown {
  return call.budget.lookUp(call.self, value(call, 0))
}

function width(call: Call<string>): number {
  const wanted = number(call, 0) ?? 0
  checkLength(wanted)
  return wanted
}

function callback({ args }: Call<unknown>): (...values: unknown[]) => unknown {
  const arg = args[0]
  if (arg?.kind === 'callback') return arg.call
  throw new Refused(because('expression-function-needed'))
}

function test(call: Call<unknown>): (...values: unknown[]) => boolean {
  const decide = callback(call)
  return (...values) => Boolean(decide(...values))
}

function regex(call: Call<string>): RegExp {
  const arg = call.args[0]
  if (arg?.kind === 'pattern') return paidFor(arg.pattern, call.self, call.budget)
  throw new Refused(because('expression-pattern-needed'))
}

function replaced(call: Call<string>, how: 'replace' | 'replaceAll'): string {
  const { self, args, budget } = call
  const what = args[0]?.kind === 'pattern' ? regex(call) : wantedText(call)
  const by = args[1]
  const make = by?.kind === 'callback' ? by.call : expansion(text(call, 1), budget)

  // A function also replaces with a text, so that the size of the result is checked before it grows.
  let size = 0
  const made = self[how](what, (...found: unknown[]) => {
    const piece = valueToText(make(...found), budget)
    size += piece.length
    checkLength(size)
    return piece
  })
  return budget.text(made)
}

/** Expands a replacement text, in which `$&` is the match, `$1` a group and `$$` a dollar sign. */
function expansion(template: string, budget: Budget): (...found: unknown[]) => string {
  if (!template.includes('$')) return () => template
  const pieces = template.split(/(\$(?:[$&]|\d\d?))/)
  return (...found) => {
    budget.spend(pieces.length >> 4)
    // The arguments are the match, its groups, and then its index, which is a number.
    const end = found.findIndex((part) => typeof part === 'number')
    const parts = found.slice(0, end).map((part) => (typeof part === 'string' ? part : ''))
    const made = pieces.map((piece, i) => (i % 2 === 0 ? piece : expanded(piece.slice(1), parts)))
    checkLength(made.reduce((sum, piece) => sum + piece.length, 0))
    return made.join('')
  }
}

function expanded(reference: string, parts: string[]): string {
  if (reference === '$') return '$'
  if (reference === '&') return needItem(parts, 0)
  const [whole, first] = [Number(reference), Number(reference[0])]
  if (whole > 0 && whole < parts.length) return needItem(parts, whole)
  if (first > 0 && first < parts.length) return needItem(parts, first) + reference.slice(1)
  return `$${reference}`
}

function flattened(list: readonly unknown[], depth: number, budget: Budget): readonly unknown[] {
  const flat: unknown[] = []
  for (const item of list) {
    if (depth >= 1 && isList(item))
      append(flat, flattened(budget.list(item), Math.min(depth, 50) - 1, budget))
    else flat.push(item)
    if (flat.length > LONGEST_ARRAY) break
  }
  return budget.list(flat)
}
