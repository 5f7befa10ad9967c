/** Code that pages of DocFX take from files: the lines of a range, of a region, or of a tag. */
import { needItem } from '../../../data/lists.ts'

/** The part of a file that a page shows. */
export interface ShownCode {
  /** The name of a region, `#region name`, or of a tag, `<name>`. */
  name?: string | undefined
  /** Lines such as `1-5,9`. */
  range?: string | undefined
}

/** The part that the address of a snippet names: `a.cs#name`, `a.cs#L1-L5`, `a.cs?name=x` or `a.cs?range=1-5`. */
export function partOfSnippet(address: string): { path: string; part: ShownCode } {
  const [whole = '', hash = ''] = address.split('#', 2)
  const [path = '', query = ''] = whole.split('?', 2)
  const given = new URLSearchParams(query)
  const lines = /^L(\d{1,7})(?:-L?(\d{1,7}))?$/i.exec(hash)
  const start = given.get('start')
  const range =
    given.get('range') ??
    (start === null ? undefined : `${start}-${given.get('end') ?? ''}`) ??
    (lines ? `${lines[1]}-${lines[2] ?? lines[1]}` : undefined)
  const name = given.get('name') ?? (lines || hash === '' ? undefined : hash)
  return { path, part: { name, range } }
}

/** The lines of a part without their common indentation; undefined if the file has no such part. */
export function snippetLinesOf(text: string, { name, range }: ShownCode): string[] | undefined {
  const all = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const lines = range === undefined ? (name === undefined ? all : namedLines(all, name)) : rangeOf(all, range)
  if (lines === undefined || lines.length === 0) return undefined
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const least = indents.reduce((a, b) => Math.min(a, b), Infinity)
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(least)))
}

/** The most parts of a range. */
const MOST_RANGES = 100

function rangeOf(all: readonly string[], range: string): string[] {
  return range
    .split(',', MOST_RANGES)
    .flatMap((one) => {
      const [, start, dash, end] = /^\s*L?(\d{1,7})?\s*(-)?\s*L?(\d{1,7})?\s*$/i.exec(one) ?? []
      if (start === undefined && end === undefined) return []
      const from = Number(start ?? 1)
      return all.slice(from - 1, dash === undefined ? from : end === undefined ? undefined : Number(end))
    })
    .slice(0, all.length)
}

/** Lines between `#region name` and `#endregion`, or between `<name>` and `</name>`, without the marks of other parts. */
function namedLines(all: readonly string[], name: string): string[] | undefined {
  const wanted = name.toLowerCase()
  const found: string[] = []
  let inTag = false
  let regions = 0
  let isFound = false
  for (let at = 0; at < all.length; at += 1) {
    const line = needItem(all, at)
    const [, region, end] = /#\s{0,9}(?:(region)|(endregion)|(?:pragma\s+region))\b/i.exec(line) ?? []
    const tag = /<(\/?)([\w.-]{1,100})>\s{0,9}(?:-->|\*\/|#\})?\s{0,99}$/.exec(line)
    const isMark = /^\s{0,999}(?:\/\/|#|--|'|;|%|<!--|\/\*|REM\b|@\*)/i.test(line)
    if (region !== undefined) {
      const own = line
        .slice(line.toLowerCase().indexOf('region') + 6)
        .trim()
        .replace(/^"(.*)"$/, '$1')
      if (regions > 0 || own.toLowerCase() === wanted) regions += 1
      isFound ||= regions > 0
      continue
    }
    if (end !== undefined) {
      if (regions > 0) regions -= 1
      continue
    }
    if (tag && isMark) {
      if (tag[2]?.toLowerCase() === wanted) {
        inTag = tag[1] === ''
        isFound = true
      }
      continue
    }
    if (inTag || regions > 0) found.push(line)
  }
  return isFound ? found : undefined
}

/** The name of a language without the suffixes that DocFX has for interactive code. */
export const snippetLanguage = (name: string, path: string): string =>
  (name || (/\.(\w{1,20})$/.exec(path)?.[1] ?? '')).toLowerCase().replace(/-interactive$/, '')
