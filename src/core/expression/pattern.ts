/**
 * Regular expressions in conditions. Visitors supply the texts, and the matcher of JavaScript may take exponential time.
 * Each pattern is therefore analysed first: one without a bound is refused, and others cost steps that depend on the
 * length of the text.
 */
import { greatest } from '../data/lists.ts'
import { Refused } from './values.ts'
import type { Budget } from './values.ts'
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf } from '../languages/reasoned.ts'

const because = becauseOf(EXPRESSION_REASONS)

/** An upper bound for the work of matching a part of a pattern. */
interface Cost {
  /** The number of ways to match from one position of a text of the given length. */
  ways: (length: number) => number
  /** True if there is more than one way, because a repetition of this part multiplies them. */
  varies: boolean
  /** The most steps of one way. */
  size: number
}

/** A regular expression literal that passed the check. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  /** The most matcher steps that a search of a text of the given length can take. */
  readonly price: (length: number) => number
}

/** The number of matcher steps that cost as much as one step of an expression. */
const CHEAP = 32

const MOST_REPEATS = 1000

/** Checks a pattern. @throws Refused */
export function patternOf(source: string, flags: string): Pattern {
  if (/[^gimsu]/.test(flags)) throw new Refused(because('pattern-flags', { flags }))
  const reader = { source, at: 0 }
  const { ways, size } = alternatives(reader)
  if (reader.at < source.length) throw unsupported()
  const anchored = source.startsWith('^') && !source.includes('|') && !flags.includes('m')
  return { source, flags, price: (length) => (anchored ? 1 : length + 1) * ways(length) * (size + 1) }
}

/** Charges the price of a search of this text to the budget, and returns the regular expression. */
export function paidFor({ source, flags, price }: Pattern, text: string, budget: Budget): RegExp {
  budget.spend(Math.ceil((text.length + price(text.length)) / CHEAP))
  return new RegExp(source, flags)
}

interface Reader {
  readonly source: string
  at: number
}

function alternatives(reader: Reader): Cost {
  const branches = [sequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    branches.push(sequence(reader))
  }
  const [only, another] = branches
  if (only && !another) return only
  return {
    ways: (length) => branches.reduce((sum, { ways }) => sum + ways(length), 0),
    varies: true,
    size: greatest(branches.map(({ size }) => size)),
  }
}

function sequence(reader: Reader): Cost {
  const parts: Cost[] = []
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at))) {
    parts.push(repeated(atom(reader), reader))
  }
  const varying = parts.filter(({ varies }) => varies)
  return {
    ways: (length) => varying.reduce((product, { ways }) => product * ways(length), 1),
    varies: varying.length > 0,
    size: parts.reduce((sum, { size }) => sum + size, 0),
  }
}

function atom(reader: Reader): Cost {
  const rest = reader.source.slice(reader.at)
  if (rest.startsWith('(')) return group(reader)
  // A class, an escape other than a backreference, or one character.
  const simple = /^(?:\[(?:\\.|[^\]\\])*\]|\\[^1-9k]|[^\\[])/su.exec(rest)
  if (!simple) throw unsupported()
  reader.at += simple[0].length
  return { ways: () => 1, varies: false, size: 1 }
}

function group(reader: Reader): Cost {
  const [open] = /^\((?:\?(?::|<(?![=!])[^>]*>))?/.exec(reader.source.slice(reader.at)) ?? ['']
  reader.at += open.length
  if (reader.source[reader.at] === '?') throw unsupported()
  const inside = alternatives(reader)
  reader.at++
  // An iteration costs a step even if the group is empty.
  return { ...inside, size: inside.size + 1 }
}

function repeated(part: Cost, reader: Reader): Cost {
  const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at))
  if (!found) return part
  reader.at += found[0].length
  const [min, max] = range(found[0])
  if (min > MOST_REPEATS || (max > MOST_REPEATS && max < Infinity)) {
    throw new Refused(because('pattern-repeats', { limit: MOST_REPEATS }))
  }
  const size = part.size * (max === Infinity ? min + 1 : max)
  if (!part.varies) {
    return { ways: (length) => Math.min(max - min, length) + 1, varies: max > min, size }
  }
  if (max === Infinity) {
    throw new Refused(because('pattern-repeats-varying'))
  }
  return { ways: (length) => part.ways(length) ** max * (max - min + 1), varies: true, size }
}

/** The minimum and maximum number of repetitions of a quantifier. */
function range(quantifier: string): [number, number] {
  if (quantifier.startsWith('*')) return [0, Infinity]
  if (quantifier.startsWith('+')) return [1, Infinity]
  if (quantifier.startsWith('?')) return [0, 1]
  const [least, most] = quantifier.replace(/[{}?]/g, '').split(',')
  if (most === undefined) return [Number(least), Number(least)]
  return [Number(least), most === '' ? Infinity : Number(most)]
}

function unsupported(): Refused {
  return new Refused(because('pattern-looks-around'))
}
