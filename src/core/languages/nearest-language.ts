/**
 * The language whose frequent groups of three characters are nearest to those of a text, as the package `franc` finds it. Its
 * data is used here without its search: that looks up each group of a text in the model of each language, and this one once
 * in a table of all of them.
 */
import { data } from 'franc/data.js'
import { expressions } from 'franc/expressions.js'

/** What is added to the distance of a language for a group that is not among its frequent ones. */
const ABSENT = 300
/** The characters of a text that count. */
const MOST = 2048
/** The scripts of the data, by the name of their models or of their only language. */
const SCRIPTS = Object.entries(expressions)

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/

/** The models of the languages of one script. */
interface ScriptModels {
  languages: string[]
  /** By group: in turn, the number of a language that has it and its rank there. */
  ranks: Map<string, number[]>
}

/**
 * Finds the nearest language of a text among some. Takes linear time.
 * @param only codes of ISO 639-3
 * @returns its code; undefined if no script of these languages is in the text
 */
export function nearestLanguageIn(only: readonly string[]): (text: string) => string | undefined {
  const allowed = new Set(only)
  const known = new Map<string, ScriptModels>()

  return (text) => {
    const value = text.slice(0, MOST)
    const script = scriptOf(value)
    if (script === undefined) return undefined
    if (!Object.hasOwn(data, script)) return allowed.has(script) ? script : undefined
    const models = known.get(script) ?? readModels(data[script] ?? {}, allowed)
    known.set(script, models)
    return nearest(countGroups(value), models)
  }
}

/** The script of most characters; undefined if none is known. */
function scriptOf(value: string): string | undefined {
  if (ASCII.test(value)) return /[a-z]/i.test(value) ? 'Latin' : undefined
  let [most, script]: [number, string | undefined] = [0, undefined]
  for (const [name, expression] of SCRIPTS) {
    const count = value.match(expression)?.length ?? 0
    if (count > most) [most, script] = [count, name]
  }
  return script
}

function readModels(texts: Readonly<Record<string, string>>, allowed: ReadonlySet<string>): ScriptModels {
  const models: ScriptModels = { languages: [], ranks: new Map() }
  for (const [language, model] of Object.entries(texts)) {
    if (!allowed.has(language)) continue
    const number = models.languages.push(language) - 1
    // The first place of a group counts.
    for (const [group, rank] of new Map(
      model
        .split('|')
        .map((one, i) => [one, i] as const)
        .toReversed(),
    )) {
      const ranks = models.ranks.get(group)
      if (ranks) ranks.push(number, rank)
      else models.ranks.set(group, [number, rank])
    }
  }
  return models
}

/** The groups of three UTF-16 units of a text, without its punctuation and digits, with their numbers. */
function countGroups(value: string): Map<string, number> {
  const plain = value
    .replace(/[!-@]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const padded = ` ${plain} `
  const counts = new Map<string, number>()
  for (let at = 0; at + 3 <= padded.length; at++) {
    const group = padded.slice(at, at + 3)
    counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  return counts
}

function nearest(
  counts: ReadonlyMap<string, number>,
  { languages, ranks }: ScriptModels,
): string | undefined {
  const nearer = languages.map(() => 0)
  for (const [group, count] of counts) {
    const found = ranks.get(group)
    if (!found) continue
    for (let i = 0; i < found.length; i += 2) {
      const [number = 0, rank = 0] = [found[i], found[i + 1]]
      nearer[number] = (nearer[number] ?? 0) + ABSENT - Math.abs(count - rank - 1)
    }
  }
  let best = 0
  for (const [i, one] of nearer.entries()) if (one > (nearer[best] ?? 0)) best = i
  return languages[best]
}
