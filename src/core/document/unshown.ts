/** Finds the parts of a page that a site does not show as their author meant them. */
import { allBlocks } from './identify.ts'
import type { Block, BlockOf, Inline, ParsedPage, Text } from './model.ts'
import { firstCondition, wordsOfLookalike } from './markdown/lookalikes.ts'
import { hiddenFields } from './front-matter.ts'
import { lineFinder } from './reference-lines.ts'
import { isShownElement, safeUrl } from './sanitize.ts'
import { unreadableMessage } from './show-source.ts'
import { withoutComments } from '../html-comments.ts'

/** A part of a page that is not shown, or only as its source. */
export interface UnshownPart {
  /** The line of the source, from 1. */
  line: number
  message: string
}

/** The most parts that are found in one page. */
const MOST = 20
const LONGEST_NAME = 60
/** The beginning of a tag or an element. */
const SIGN = /[{\uff5b].{0,3}[%\uff05]|<[a-z]/isu

/** Elements of HTML without which something is missing. Others only arrange the text in them. */
const MISSED = new Set('script form input select textarea button object embed canvas svg frameset'.split(' '))

/**
 * A part of a block that is not shown, and the beginning of its source, such as `<Name` or `{% name`; empty for the first
 * condition of the block.
 */
interface Unshown {
  start: string
  message: string
  /** Whether it hides what follows it. */
  hides?: boolean
}

/** Markdown that was read: a page, or a part of one, which has no front matter. */
type ReadPage = Pick<ParsedPage, 'document' | 'spans' | 'misplaced'> & Partial<Pick<ParsedPage, 'meta'>>

/** Something that Markdown does not show as its author meant it. */
export interface ReadingProblem {
  /** The line of the source, from 1; absent if it is about all of it. */
  line?: number
  message: string
}

/**
 * The parts of a page that a site does not show: elements that it removes, components of other programs, tags that it does
 * not know or that only look like conditions, and blocks of integrations without a text or an address. Each kind is found
 * once in a page.
 */
export function unshownParts(page: ReadPage, source: string): UnshownPart[] {
  return partsOf(page, source, () => true)
}

/** The parts that are hidden from everybody, because they are in what only looks like a condition. */
export function hiddenParts(page: ReadPage, source: string): UnshownPart[] {
  return partsOf(page, source, ({ hides = false }) => hides)
}

/** What a page does not show as its author meant it: that it is shown as its source, or else its `hiddenParts`. */
export function readingProblems(
  page: ReadPage & Pick<ParsedPage, 'unreadable'>,
  source: string,
): ReadingProblem[] {
  if (page.unreadable !== undefined) return [{ message: unreadableMessage(page.unreadable) }]
  return hiddenParts(page, source)
}

/** A problem as a sentence. */
export function problemText({ line, message }: ReadingProblem): string {
  return line === undefined ? message : `line ${line}: ${message}`
}

function partsOf(page: ReadPage, source: string, isWanted: (part: Unshown) => boolean): UnshownPart[] {
  const lineOf = lineFinder(source)
  const parts: UnshownPart[] = (page.meta ? hiddenFields(source) : []).map(({ name, tag, line }) => ({
    line,
    message: `"${name}" of the front matter has ${JSON.stringify(short(tag))}, which is no condition there, so what follows it is hidden from everybody; put the condition around a whole block, or write it as "if" of the front matter`,
  }))
  for (const { start, name } of page.misplaced ?? [])
    parts.push({
      line: lineOf(start),
      message: `a value of the tag "{% ${short(name)} … %}" has a condition, which is none there, so what follows it in the value is hidden from everybody; put the condition around the whole block`,
    })
  if (parts.length >= MOST) return parts.slice(0, MOST)
  const known = new Set<string>()
  for (const [i, block] of page.document.nodes.entries()) {
    const { start: from, end } = page.spans[i]!
    const written = source.slice(from, end)
    // Most blocks are plain text, and code shows whatever is in it.
    if (block.type === 'code' || !SIGN.test(written)) continue
    for (const part of unshownIn(block)) {
      const { start, message } = part
      if (known.has(message) || !isWanted(part)) continue
      known.add(message)
      const at = start === '' ? firstCondition(written) : written.indexOf(start)
      parts.push({ line: lineOf(from + Math.max(0, at)), message })
      if (parts.length === MOST) return parts
    }
  }
  return parts
}

function* unshownIn(top: Block): Generator<Unshown> {
  for (const block of allBlocks([top])) {
    if (block.type === 'integration') yield* unshownIntegration(block)
    else if (block.type === 'html') yield* unshownElements(block.data.html)
    else if (block.type === 'if') yield* lookalike(block.data.expression)
    else if (block.type !== 'code-line') for (const node of block.nodes ?? []) yield* unshownInLine(node)
  }
}

function* unshownInLine(node: Block | Inline | Text): Generator<Unshown> {
  if (node.object === 'text') {
    for (const { text, marks } of node.leaves)
      if (!marks?.some(({ type }) => type === 'code')) yield* unknownTags(text)
  } else if (node.object === 'inline') {
    if (node.type === 'inline-html') yield* unshownElements(node.data.html)
    if (node.type === 'inline-if') yield* lookalike(node.data.expression)
    for (const inner of node.nodes ?? []) yield* unshownInLine(inner)
  }
}

function* lookalike(expression: string): Generator<Unshown> {
  const words = wordsOfLookalike(expression)
  if (words === undefined) return
  const what =
    words === '' ? 'a tag that begins like a condition and has no end in its line' : `"{% ${short(words)} %}"`
  yield {
    start: words,
    hides: true,
    message: `${what} is no condition, so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag`,
  }
}

function* unshownIntegration({ data }: BlockOf<'integration'>): Generator<Unshown> {
  const { integration, block, props, url } = data
  const href = url === undefined ? undefined : safeUrl(url)
  if (typeof props.content === 'string' || (href !== undefined && /^https?:/i.test(href))) return
  const name = short(`@${integration}/${block}`)
  const how = Object.keys(props).length > 0 ? 'is shown only as its settings' : 'has nothing to show'
  yield { start: `@${integration}/${block}`, message: `the block "${name}" ${how}` }
}

const TAG = /\{%[-\s]{0,3}([a-z][\w-]{0,80})/gi

function* unknownTags(text: string): Generator<Unshown> {
  for (const [start, name = ''] of text.matchAll(TAG))
    yield { start, message: `the tag "{% ${short(name)} %}" is unknown and is shown as text` }
}

const ELEMENT = /<([a-z][\w.-]{0,80})/gi

function* unshownElements(html: string): Generator<Unshown> {
  for (const [start, name = ''] of withoutComments(html).matchAll(ELEMENT)) {
    const isComponent = /^[A-Z].*[a-z]|[.-]/.test(name)
    if (isShownElement(name)) continue
    if (isComponent)
      yield { start, message: `the component <${short(name)}> is not shown, only the text in it` }
    else if (MISSED.has(name.toLowerCase()))
      yield { start, message: `the element <${short(name.toLowerCase())}> is not shown` }
  }
}

const short = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)
