/** Shortcodes of Hugo, `{{< name >}}` and `{{% name %}}`, replaced by a table of rules. */
import { because } from '../../languages/reasons.ts'
import { needLast } from '../../data/lists.ts'
import { dialectLines } from './dialect.ts'
import type { NotUnderstood } from './not-understood.ts'

/** A shortcode as it is written. */
export interface ShortcodeCall {
  name: string
  /** Arguments by their name, and those without one by their place: `0`, `1`. */
  args: Readonly<Record<string, string>>
  /** The text up to its end, as it is written; empty without an end. */
  inner: string
  /** The shortcode in which it is, with the number of those of the same name before it there. */
  outer?: { call: ShortcodeCall; index: number }
}

/** The Markdown that a shortcode becomes. */
export interface ShortcodeText {
  /** The lines before its inner content. */
  start: string[]
  /** The lines after it. */
  end?: string[]
  /** Whether the lines have the inner content, so that it is not written again. */
  hasInner?: boolean
  /** Whether it is a part of its line. */
  isInline?: boolean
  /** The lines that begin each part at a heading of level three in it, and those that end a part. */
  parts?: { start: string; end: string }
}

/** The rules by the names of shortcodes. A rule returns undefined if it does not understand the arguments. */
export type ShortcodeRules = ReadonlyMap<string, (call: ShortcodeCall) => ShortcodeText | undefined>

/** The most characters of one tag. */
const LONGEST_TAG = 1000
/** The most shortcodes in one another; deeper ones lose their tags. */
const DEEPEST = 16

interface Tag {
  name: string
  args: Record<string, string>
  isEnd: boolean
  start: number
  end: number
  line: number
  /** For a beginning with an end: the index of the end among the tags. */
  closedBy?: number
}

/**
 * Replaces the shortcodes of a text outside of code. Those that no rule understands are counted, and only their inner content
 * stays. Shortcodes in comments, `{{</* name *\/>}}`, become the text of a shortcode.
 * @param line of the file at which the text begins, from 1
 */
export function replaceShortcodes(
  source: string,
  rules: ShortcodeRules,
  line: number,
  unknown: NotUnderstood,
): string {
  if (!source.includes('{{<') && !source.includes('{{%')) return source
  const { text, tags } = readTags(source, line)
  pairTags(tags)
  const output = new ShortcodeOutput()
  const open: OpenShortcode[] = []
  let at = 0
  for (let index = 0; index < tags.length; index += 1) {
    const tag = tags[index]
    if (!tag || tag.start < at) continue
    output.text(text.slice(at, tag.start), open.at(-1))
    at = tag.end
    if (tag.isEnd) {
      if (open.at(-1)?.end === index) output.end(needLast(open))
      if (open.at(-1)?.end === index) open.pop()
      continue
    }
    const last = tag.closedBy === undefined ? undefined : tags[tag.closedBy]
    const outer = open.at(-1)
    const count = outer?.counts.get(tag.name) ?? 0
    outer?.counts.set(tag.name, count + 1)
    const call: ShortcodeCall = {
      name: tag.name,
      args: tag.args,
      inner: last ? text.slice(tag.end, last.start) : '',
      ...(outer ? { outer: { call: outer.call, index: count } } : {}),
    }
    const shown = open.length < DEEPEST ? rules.get(tag.name)?.(call) : undefined
    if (!shown) unknown.add(because('unknown-shortcode', { name: tag.name }), tag.line)
    output.open(shown)
    if (!last || shown?.hasInner) {
      output.close(shown)
      if (last) at = last.end
    } else open.push({ call, shown, end: tag.closedBy ?? index, counts: new Map(), hasPart: false })
  }
  output.text(text.slice(at))
  return output.toString()
}

/** A shortcode that is open, with the index of the tag that ends it. */
interface OpenShortcode {
  call: ShortcodeCall
  shown: ShortcodeText | undefined
  end: number
  /** The number of shortcodes in it by their names. */
  counts: Map<string, number>
  /** Whether one of its parts is open. */
  hasPart: boolean
}

/** The Markdown of a text whose blocks begin lines. */
class ShortcodeOutput {
  readonly #parts: string[] = []
  #line = ''
  #isAfterBlock = false
  #indent = ''

  text(source: string, inside?: OpenShortcode): void {
    let text = source
    if (this.#isAfterBlock && text !== '') {
      const rest = /^[ \t]{0,100}(?:\n|$)/.exec(text)
      if (rest) text = text.slice(rest[0].length)
      else text = this.#indent + text.trimStart()
      this.#isAfterBlock = false
    }
    const parts = inside?.shown?.parts
    if (inside && parts)
      text = dialectLines(text)
        .map((one) => {
          if (one.isCode || !one.text.startsWith('### ')) return one.text
          const end = inside.hasPart ? `${parts.end}\n` : ''
          inside.hasPart = true
          return `${end}${parts.start}\n${one.text}`
        })
        .join('\n')
    this.#add(text)
  }

  open(shown: ShortcodeText | undefined): void {
    if (shown?.isInline) this.text(shown.start.join(' '))
    else if (shown) this.#block(shown.start)
  }

  end({ shown, hasPart }: OpenShortcode): void {
    if (hasPart && shown?.parts) this.#block([shown.parts.end])
    this.close(shown)
  }

  close(shown: ShortcodeText | undefined): void {
    if (shown?.isInline) this.text(shown.end?.join(' ') ?? '')
    else if (shown?.end) this.#block(shown.end)
  }

  toString(): string {
    return this.#parts.join('')
  }

  #block(lines: readonly string[]): void {
    if (lines.length === 0) return
    const isBlank = this.#line.trim() === ''
    if (!isBlank) this.#add('\n')
    // A block in a list has the indentation of its line.
    if (isBlank && !this.#isAfterBlock) this.#indent = this.#line.slice(0, 100)
    const own = isBlank && !this.#isAfterBlock ? '' : this.#indent
    this.#add(`${own}${lines.join(`\n${this.#indent}`)}\n`)
    this.#isAfterBlock = true
  }

  #add(text: string): void {
    this.#parts.push(text)
    const end = text.lastIndexOf('\n')
    this.#line = end === -1 ? this.#line + text : text.slice(end + 1)
  }
}

const TAG_START = /\{\{[<%]/g

/** The tags of a text, and the text in which those in comments are no longer tags. */
function readTags(source: string, line: number): { text: string; tags: Tag[] } {
  const lines = dialectLines(source)
  const tags: Tag[] = []
  let text = ''
  let at = 0
  let index = 0
  let lineStart = 0
  // The signs of code in the line so far, counted once, because a line may have thousands of comments.
  let counted = 0
  let ticks = 0
  const whole = lines.map((one) => one.text).join('\n')
  for (const { index: start } of whole.matchAll(TAG_START)) {
    if (start < at) continue
    while (index < lines.length && lineStart + (lines[index]?.text.length ?? 0) < start) {
      lineStart += (lines[index]?.text.length ?? 0) + 1
      index += 1
    }
    const isCode = lines[index]?.isCode === true
    if (counted < lineStart) [counted, ticks] = [lineStart, 0]
    for (; counted < start; counted += 1) if (whole[counted] === '`') ticks += 1
    const sign = whole[start + 2] === '<' ? '>' : '%'
    const written = whole.slice(start, start + LONGEST_TAG)
    const comment = /^\{\{([<%])\/\*([^*]{0,1000})\*\/([>%])\}\}/.exec(written)
    if (comment) {
      const [all, opening = '', inside = '', closing = ''] = comment
      // Lectern reads `{%` as the beginning of a tag.
      const escape = !isCode && opening === '%' && ticks % 2 === 0 ? '\\' : ''
      text += `${whole.slice(at, start)}{${escape}{${opening}${inside}${closing}}}`
      at = start + all.length
      continue
    }
    if (isCode) continue
    const length = tagLength(written, sign)
    const tag = length === undefined ? undefined : readTag(written.slice(3, length - 3))
    if (!tag || length === undefined) continue
    text += whole.slice(at, start)
    tags.push({ ...tag, start: text.length, end: text.length + length, line: line + index })
    text += whole.slice(start, start + length)
    at = start + length
  }
  return { text: text + whole.slice(at), tags }
}

function tagLength(written: string, sign: string): number | undefined {
  let quote = ''
  for (let at = 3; at < written.length; at += 1) {
    const character = written.charAt(at)
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) quote = ''
    } else if (character === '"' || character === '`') quote = character
    else if (character === sign && written.startsWith('}}', at + 1)) return at + 3
  }
  return undefined
}

const ARGUMENT = /(?:([\w-]{1,60})=)?(?:"((?:[^"\\]|\\.){0,2000})"|`([^`]{0,2000})`|([^\s"`=]{1,500}))/gs

function readTag(inside: string): Pick<Tag, 'name' | 'args' | 'isEnd'> | undefined {
  const [, slash, name, rest = ''] = /^\s{0,99}(\/?)\s{0,9}([\w./-]{1,60})([^]*)$/.exec(inside) ?? []
  if (name === undefined) return undefined
  const args: Record<string, string> = {}
  let place = 0
  for (const [, key, quoted, raw, bare] of rest.matchAll(ARGUMENT)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? raw ?? bare ?? ''
    if (key !== undefined) args[key] = value
    else if (value !== '/') {
      args[place] = value
      place += 1
    }
  }
  return { name: name.toLowerCase(), args, isEnd: slash === '/' }
}

/** Finds the end of each beginning. A beginning without one has no inner content. */
function pairTags(tags: readonly Tag[]): void {
  const open: Tag[] = []
  const counts = new Map<string, number>()
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change)
  for (const [index, tag] of tags.entries()) {
    if (!tag.isEnd) {
      open.push(tag)
      count(tag.name, 1)
    } else if ((counts.get(tag.name) ?? 0) > 0) {
      for (;;) {
        const last = needLast(open)
        open.pop()
        count(last.name, -1)
        if (last.name !== tag.name) continue
        last.closedBy = index
        break
      }
    }
  }
}
