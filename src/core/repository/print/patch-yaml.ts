/** Changes the values of a YAML file in its text, so that all other lines keep their bytes. */
import type { Pair, YAMLMap } from 'yaml'
import { isRecord } from '../../data/is-record.ts'
import { jsonEqual } from '../../data/json.ts'
import { needItem } from '../../data/lists.ts'
import { yaml } from '../../runtime/libraries.ts'
import { parseYaml } from '../../yaml/read.ts'

/** A text that replaces a part of a source. */
interface Replacement {
  start: number
  end: number
  text: string
}

/**
 * A YAML source whose value is `wanted`, a map of maps and scalars. Lines of pairs that do not change keep their bytes, with
 * their comments. Call it only with a source for which `yamlProblem` returns undefined.
 * @returns undefined if the source is not such a map in block style
 */
export function patchYaml(source: string, wanted: Readonly<Record<string, unknown>>): string | undefined {
  const document = parseYaml(source)
  const { contents } = document
  if (document.errors.length > 0 || !yaml().isMap(contents)) return undefined
  const replacements: Replacement[] = []
  if (!patchMap(source, contents, wanted, replacements)) return undefined
  let [patched, at] = ['', 0]
  for (const { start, end, text } of replacements.toSorted((a, b) => a.start - b.start)) {
    patched += source.slice(at, start) + text
    at = end
  }
  return patched + source.slice(at)
}

/** @returns false if the map is not in block style, with each pair on lines that no other pair has */
function patchMap(
  source: string,
  map: YAMLMap,
  wanted: Readonly<Record<string, unknown>>,
  replacements: Replacement[],
): boolean {
  if (map.flow || map.items.length === 0) return false
  const spans = map.items.map((pair) => spanOfPair(source, pair))
  if (!spans.every((span) => span !== undefined)) return false
  const left = new Map(Object.entries(wanted))
  for (const [nth, span] of spans.entries()) {
    const { value } = needItem(map.items, nth)
    const want = left.get(span.key)
    const isWanted = left.delete(span.key)
    if (!isWanted) replacements.push({ start: span.start, end: span.next, text: '' })
    else if (isRecord(want) && yaml().isMap(value)) {
      if (!jsonEqual(value.toJSON(), want) && !patchMap(source, value, want, replacements)) return false
    } else if (!yaml().isNode(value) || !jsonEqual(value.toJSON(), want)) {
      replacements.push(changedPair(source, span, value, want))
    }
  }
  const last = needItem(spans, spans.length - 1)
  const added = [...left].map(([key, value]) => block(last.indent, key, value)).join('')
  const isOpen = last.next > 0 && source[last.next - 1] !== '\n'
  if (added !== '')
    replacements.push({ start: last.next, end: last.next, text: isOpen ? `\n${added}` : added })
  return true
}

/** Replaces a scalar on its line, and any other value with its key. */
function changedPair(
  source: string,
  { start, next, indent, key }: PairSpan,
  value: unknown,
  want: unknown,
): Replacement {
  const text = yaml().stringify(want, LINES).trimEnd()
  const range = yaml().isScalar(value) ? value.range : undefined
  const isOnLine = range && range[0] < range[1] && !source.slice(range[0], range[1]).includes('\n')
  return !isOnLine || text.includes('\n') || isRecord(want)
    ? { start, end: next, text: block(indent, key, want) }
    : { start: range[0], end: range[1], text }
}

/** Where a pair is: its lines up to the start of the next line, and the indentation of its key. */
interface PairSpan {
  key: string
  indent: string
  start: number
  next: number
}

function spanOfPair(source: string, { key, value }: Pair): PairSpan | undefined {
  if (!yaml().isScalar(key) || !key.range) return undefined
  const [first] = key.range
  const end = (yaml().isNode(value) ? value.range?.[1] : undefined) ?? key.range[1]
  const start = source.lastIndexOf('\n', first - 1) + 1
  const indent = source.slice(start, first)
  // A block value ends at the start of the line behind it.
  const lineEnd = source[end - 1] === '\n' ? end - 1 : source.indexOf('\n', end)
  if (/\S/.test(indent)) return undefined
  return { key: String(key.value), indent, start, next: lineEnd === -1 ? source.length : lineEnd + 1 }
}

const LINES = { lineWidth: 0 }

const block = (indent: string, key: string, value: unknown) =>
  yaml()
    .stringify({ [key]: value }, LINES)
    .replace(/^(?=.)/gm, indent)
