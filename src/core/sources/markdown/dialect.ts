/** Rewrites Markdown of other tools, without touching its code. */

/** A line of Markdown. `isCode` is true for a line of a fenced block and for its fences. */
export interface DialectLine {
  text: string
  isCode: boolean
}

/** The lines of a text, with those in fenced code marked. */
export function dialectLines(source: string): DialectLine[] {
  let fence = ''
  return source
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((text) => {
      const sign = /^[ \t>]{0,40}(`{3,}|~{3,})/.exec(text)?.[1]
      if (fence === '') {
        // A line with the sign again is code within the line.
        if (
          sign === undefined ||
          (sign.startsWith('`') && text.indexOf('`', text.indexOf(sign) + sign.length) !== -1)
        )
          return { text, isCode: false }
        fence = sign
        return { text, isCode: true }
      }
      const isEnd =
        sign !== undefined && sign.startsWith(fence) && text.trim().replace(/^[> \t]+/, '') === sign
      if (isEnd) fence = ''
      return { text, isCode: true }
    })
}

/** The most characters of an address in Markdown, so that a line of brackets is read in linear time. */
const LONGEST_ADDRESS = 2000
/** The most parentheses in parentheses of an address, as in CommonMark's own implementation. */
const DEEPEST_ADDRESS = 32
/** The most characters of code within a line, for the same reason. */
const LONGEST_CODE = 10_000

/** An address as a link has it: in angle brackets if it has spaces or parentheses. */
export const bracketedAddress = (address: string): string =>
  /[\s()]/.test(address) ? `<${address}>` : address

/** Rewrites the addresses of links and images in a line, outside code. An address without brackets has no spaces. */
export function mapAddressesIn(line: string, rewrite: (address: string) => string): string {
  if (!line.includes('](')) return line
  let output = ''
  let at = 0
  let tick = line.indexOf('`')
  while (at < line.length) {
    if (tick !== -1 && tick < at) tick = line.indexOf('`', at)
    const start = line.indexOf('](', at)
    if (start === -1) break
    if (tick !== -1 && tick < start) {
      const end = endOfCode(line, tick)
      output += line.slice(at, end)
      at = end
      continue
    }
    const from = start + 2
    const end = endOfAddress(line, from)
    output += line.slice(at, from)
    at = from
    if (end === undefined) continue
    const isBracketed = line[from] === '<'
    const address = isBracketed ? line.slice(from + 1, end - 1) : line.slice(from, end)
    const written = rewrite(address)
    output += isBracketed ? `<${written}>` : bracketedAddress(written)
    at = end
  }
  return output + line.slice(at)
}

/** Rewrites the parts of a line that are not code. */
export function mapOutsideCode(line: string, rewrite: (text: string) => string): string {
  if (!line.includes('`')) return rewrite(line)
  let output = ''
  let at = 0
  for (let tick = line.indexOf('`'); tick !== -1; tick = line.indexOf('`', at)) {
    const end = endOfCode(line, tick)
    output += rewrite(line.slice(at, tick)) + line.slice(tick, end)
    at = end
  }
  return output + rewrite(line.slice(at))
}

/** Formulas in a line between single dollar signs, as Pandoc has them, between two. */
export function doubleDollars(text: string): string {
  if (!text.includes('$')) return text
  return text.replace(
    /(?<![\\$\w])\$([^\s$](?:[^$]{0,300}[^\s$\\])?)\$(?![\w$])/g,
    (_, formula: string) => `$$${formula}$$`,
  )
}

/** The end of code within a line that begins with a tick; that of the ticks alone if it does not end. */
export function endOfCode(line: string, tick: number): number {
  let length = 1
  while (line[tick + length] === '`') length += 1
  const from = tick + length
  const end = line.slice(from, from + LONGEST_CODE).indexOf('`'.repeat(length))
  return end === -1 ? from : from + end + length
}

function endOfAddress(line: string, from: number): number | undefined {
  const limit = Math.min(line.length, from + LONGEST_ADDRESS)
  if (line[from] === '<') {
    const end = line.slice(from, limit).indexOf('>')
    return end === -1 ? undefined : from + end + 1
  }
  let depth = 0
  for (let at = from; at < limit; at += 1) {
    const sign = line[at]!
    if (sign === '\\') at += 1
    else if (sign.trim() === '') return at
    else if (sign === '(') {
      depth += 1
      if (depth > DEEPEST_ADDRESS) return undefined
    } else if (sign === ')') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return undefined
}

/** The title of a page of Markdown: its first heading of level one, if that comes first. */
export function leadingTitle(source: string): string | undefined {
  const line =
    source
      .replace(/^\ufeff/, '')
      .trimStart()
      .split('\n', 1)[0] ?? ''
  const title = /^#[ \t]+(.*)$/.exec(line)?.[1]?.trim()
  return title === undefined || title === '' ? undefined : title
}

/** The lines of a hint. */
export function hintLines(style: string, lines: readonly string[]): string[] {
  return [`{% hint style="${style}" %}`, ...lines, '{% endhint %}']
}
