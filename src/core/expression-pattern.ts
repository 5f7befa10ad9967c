/**
 * Regular expressions in conditions. JavaScript's can take for ever, and texts come from visitors, so a pattern is
 * read first: what cannot be bounded is refused, and what can be has a price that depends on the length of the text.
 */
import { Refused } from './expression-values.ts'
import type { Budget } from './expression-values.ts'

/** What matching a part of a pattern can take. */
interface Cost {
  /** In how many ways it can match from one place of a text of the given length. */
  ways: (length: number) => number
  /** The ways are not one: what repeats it multiplies them. */
  varies: boolean
  /** How many steps each way takes, at most. */
  size: number
}

/** A regular expression literal, checked. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  /** Steps of the matcher, at most, to look through a text of the given length. */
  readonly price: (length: number) => number
}

/** Steps of the matcher that cost as much as one step of an expression. */
const CHEAP = 32

const MOST_REPEATS = 1000

/** Checks a pattern, or throws `Refused`. */
export function patternOf(source: string, flags: string): Pattern {
  if (/[^gimsu]/.test(flags))
    throw new Refused(`The flags "${flags}" of a regular expression are not supported`)
  const reader = { source, at: 0 }
  const { ways, size } = alternatives(reader)
  if (reader.at < source.length) throw unsupported()
  const anchored = source.startsWith('^') && !source.includes('|') && !flags.includes('m')
  return { source, flags, price: (length) => (anchored ? 1 : length + 1) * ways(length) * (size + 1) }
}

/** The regular expression, once its price for a text is paid. */
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
    size: Math.max(...branches.map(({ size }) => size)),
  }
}

function sequence(reader: Reader): Cost {
  const parts: Cost[] = []
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source[reader.at]!)) {
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
  // A class, an escape that is no reference back, or one character.
  const simple = /^(?:\[(?:\\.|[^\]\\])*\]|\\[^1-9k]|[^\\[])/su.exec(rest)
  if (!simple) throw unsupported()
  reader.at += simple[0].length
  return { ways: () => 1, varies: false, size: 1 }
}

function group(reader: Reader): Cost {
  const open = /^\((?:\?(?::|<(?![=!])[^>]*>))?/.exec(reader.source.slice(reader.at))!
  reader.at += open[0].length
  if (reader.source[reader.at] === '?') throw unsupported()
  const inside = alternatives(reader)
  reader.at++
  // Going round costs something even where nothing is inside.
  return { ...inside, size: inside.size + 1 }
}

function repeated(part: Cost, reader: Reader): Cost {
  const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at))
  if (!found) return part
  reader.at += found[0].length
  const [min, max] = range(found[0])
  if (min > MOST_REPEATS || (max > MOST_REPEATS && max < Infinity)) {
    throw new Refused(`A regular expression repeats something more than ${MOST_REPEATS} times`)
  }
  const size = part.size * (max === Infinity ? min + 1 : max)
  if (!part.varies) {
    return { ways: (length) => Math.min(max - min, length) + 1, varies: max > min, size }
  }
  if (max === Infinity) {
    throw new Refused(
      'A regular expression repeats a group that itself varies; write a class, as in [ab]*, instead',
    )
  }
  return { ways: (length) => part.ways(length) ** max * (max - min + 1), varies: true, size }
}

/** The least and the most repeats that a quantifier stands for. */
function range(quantifier: string): [number, number] {
  if (quantifier.startsWith('*')) return [0, Infinity]
  if (quantifier.startsWith('+')) return [1, Infinity]
  if (quantifier.startsWith('?')) return [0, 1]
  const [least, most] = quantifier.replace(/[{}?]/g, '').split(',')
  if (most === undefined) return [Number(least), Number(least)]
  return [Number(least), most === '' ? Infinity : Number(most)]
}

function unsupported(): Refused {
  return new Refused('A regular expression looks around or back, which is not supported')
}
