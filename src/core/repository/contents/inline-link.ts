import { emojiCharacters, emojiCode } from '../../document/emoji.ts'

/** A Markdown link, as written in a line of a table of contents. */
export interface InlineLink {
  /** The text between the brackets, with its escapes. */
  text: string
  /** The address as written; empty for `[Draft]()`. */
  address: string
  linkTitle?: string
}

/**
 * Reads the link that starts at the first bracket of `line`. Returns undefined if there is none. More lenient than
 * CommonMark: an address may contain raw spaces, because file names in documentation do.
 */
export function readInlineLink(line: string): InlineLink | undefined {
  const open = skipTo(line, '[')
  if (open === -1) return undefined

  const close = closingBracket(line, open)
  if (close === -1 || line[close + 1] !== '(') return undefined

  const text = line.slice(open + 1, close)
  const rest = line.slice(close + 2)
  if (rest.trimStart().startsWith('<')) return readBracketed(text, rest.trimStart())

  return readBare(text, rest)
}

function skipTo(line: string, character: string): number {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === character) return at
  }

  return -1
}

/** Finds the bracket that closes the one at `open`. Brackets inside code do not count. */
function closingBracket(line: string, open: number): number {
  let depth = 0
  let inCode = false

  for (let at = open; at < line.length; at++) {
    const character = line[at]
    if (character === '\\' && !inCode) at++
    else if (character === '`') inCode = !inCode
    else if (inCode) continue
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return at
  }

  // A lone backtick does not start code, so the brackets are matched again and backticks are ignored.
  return inCode ? closingBracketOutsideCode(line, open) : -1
}

function closingBracketOutsideCode(line: string, open: number): number {
  let depth = 0

  for (let at = open; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === '[') depth++
    else if (line[at] === ']' && --depth === 0) return at
  }

  return -1
}

/** `<path with spaces.md> "title")` */
function readBracketed(text: string, rest: string): InlineLink | undefined {
  const end = rest.indexOf('>')
  if (end === -1) return undefined

  const after = rest.slice(end + 1)
  const close = after.lastIndexOf(')')
  if (close === -1) return undefined

  return withTitle(text, rest.slice(1, end), after.slice(0, close))
}

/** `path (1).md "title")`: the address ends at the closing parenthesis of the link, or before a quoted title. */
function readBare(text: string, rest: string): InlineLink | undefined {
  const last = rest.lastIndexOf(')')
  let depth = 0

  for (let at = 0; at <= last; at++) {
    const character = rest[at]
    if (character === '\\') {
      at++
    } else if (isTitleStart(rest, at)) {
      return withTitle(text, rest.slice(0, at), rest.slice(at, last))
    } else if (character === '(') {
      depth++
    } else if (character === ')' && depth-- === 0) {
      return withTitle(text, rest.slice(0, at), '')
    }
  }

  return undefined
}

function isTitleStart(rest: string, at: number): boolean {
  if (rest[at] !== '"' && rest[at] !== "'") return false
  const before = rest[at - 1]
  if (before !== ' ' && before !== '\t') return false

  // The quote must close right before the parenthesis. Otherwise an apostrophe in a path would start a title.
  return rest[at] === '"' || /'\s*\)\s*$/.test(rest.slice(-64))
}

function withTitle(text: string, address: string, quoted: string): InlineLink {
  const link: InlineLink = { text, address: address.trim().replace(/\\([\\()<>[\]_*#"' ])/g, '$1') }
  const title = /^\s*(?:"([\s\S]*)"|'([\s\S]*)')\s*$/.exec(quoted)
  const linkTitle = plainTitle(title?.[1] ?? title?.[2] ?? '')
  if (linkTitle !== '') link.linkTitle = linkTitle

  return link
}

/** A title with the emoji that it names outside of code. A backslash before a name keeps the name. */
function withEmojiOf(markdown: string): string {
  return markdown.replace(/(?<![\w/\\`]):([\w+-]{1,64}):(?![\w/])/g, (whole, name: string) => {
    return emojiCharacters(emojiCode(name) ?? '') || whole
  })
}

/** Removes Markdown from a title: escapes, entities, backticks, emphasis and anchors. Names of emoji are the emoji. */
export function plainTitle(markdown: string): string {
  return withEmojiOf(markdown)
    .replace(/<a\s[^<>]{0,500}>|<\/a>/gi, '')
    .replace(
      /(?<!\\)(`+|(?<![\s*])\*{1,3}|\*{1,3}(?![\s*])|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}]))/gu,
      '',
    )
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(
      /&(amp|lt|gt|quot|apos|nbsp|#x20|#32|#39|#x27);/gi,
      (_, name: string) => entities[name.toLowerCase()] ?? '',
    )
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#x20': ' ',
  '#32': ' ',
  '#39': "'",
  '#x27': "'",
}
