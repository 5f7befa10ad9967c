/** Finds the places of a page at which everybody sees what a condition should hide, because Lectern reads none there. */
import { textsInValue } from '../../data/texts-in.ts'
import { allBlocks } from '../identify.ts'
import { lineFinder } from '../links/reference-lines.ts'
import type { Block, Inline, ParsedPage, Span, Text } from '../model.ts'
import { titleSpan } from '../parse.ts'
import { isConditionLine, meantComments, meantConditions, meantElements } from './meant-conditions.ts'
import { labelsIn } from './labels.ts'

/** What stands for code in a text. No condition goes on behind it. */
const CODE = '\ufffc\n'
const HTML_CODE = /<(code|pre|kbd|samp|var|tt|script|style|svg|math)\b[^]*?(?:<\/\1\s*>|$)/gi
const HTML_TAG = /<[a-z/!?][^<>]{0,1000}>/gi
/** What nothing begins without: a sign of a tag, or the variable of a condition. */
const MAYBE = /visitor|vars|\bif\b|unless|\bwhen\b|case|switch|elif|endif/i

/** So many fences in one block of HTML are looked at. */
const MOST_FENCES = 20

/** A text of a page that can only have been meant as a condition, with the offset of its block or line in the source. */
interface PublicCondition {
  start: number
  text: string
  /** Whether it is between fences directly below HTML, which is HTML and no code. */
  isFenced?: boolean
}

/**
 * The texts of a page that can only have been meant as conditions, but that readers see, in the order of its blocks.
 * @param own the line with the condition of the page, from 1: the block with it hides the page
 */
export function* publicConditions(
  { title, document, spans }: Pick<ParsedPage, 'title' | 'document' | 'spans'>,
  source: string,
  own?: number,
): Generator<PublicCondition> {
  if (!MAYBE.test(source)) return
  const heading = title === undefined ? undefined : titleSpan(source)
  if (heading) {
    const plain = withoutCode(source.slice(heading.start, heading.end))
    const texts = meantConditions(title ?? '').filter((text) => plain.includes(text))
    for (const text of new Set([...texts, ...meantElements(plain), ...conditionLines(plain)]))
      yield { start: heading.start, text }
  }
  const lineOf = lineFinder(source)
  for (const [i, block] of document.nodes.entries()) {
    const { start, end } = spans[i]!
    const written = source.slice(start, end)
    if (own !== undefined && lineOf(start) <= own && own <= lineOf(end)) continue
    // A footnote has its text elsewhere.
    const hasNotes = written.includes('[^')
    if (!MAYBE.test(written) && !hasNotes) continue
    const { texts, code, html } = textsOf(block)
    if (block.type === 'code') {
      // The title can be a line of the code.
      for (const text of texts.flatMap(meantConditions)) if (!isConditionLine(text)) yield { start, text }
      continue
    }
    const known = new Set<string>()
    const plain = withoutCode(written)
    const elements = [...html, plain].flatMap(meantElements)
    const fenced = html.length > 0 ? fencesIn(written) : []
    for (const text of [
      ...texts.flatMap(meantConditions),
      ...elements,
      ...meantComments(written),
      ...conditionLines(plain),
    ]) {
      if (known.has(text) || isEscaped(written, text) || code.some((one) => one.includes(text))) continue
      known.add(text)
      const elsewhere = hasNotes && !written.includes(text) ? source.indexOf(text) : -1
      const at = placeIn(written, text)
      yield {
        start: elsewhere === -1 ? start + at : elsewhere,
        text,
        isFenced: fenced.some((span) => span.start <= at && at < span.end),
      }
    }
  }
}

const FENCE = /^[ \t>]{0,100}(`{3,}|~{3,})/

/** The fences in a source of HTML, up to the first ones. A fence without an end takes the rest. */
function fencesIn(source: string): Span[] {
  const fences: Span[] = []
  let open: { sign: string; start: number } | undefined
  let at = 0
  for (const line of source.split('\n')) {
    const sign = FENCE.exec(line)?.[1]
    if (!open && sign !== undefined) open = { sign, start: at }
    else if (open && sign?.startsWith(open.sign)) {
      fences.push({ start: open.start, end: at + line.length })
      open = undefined
      if (fences.length === MOST_FENCES) return fences
    }
    at += line.length + 1
  }
  return open ? [...fences, { start: open.start, end: source.length }] : fences
}

/** The lines of a source that are conditions. A document joins the lines of a paragraph. */
function conditionLines(source: string): string[] {
  return source.split(/\r\n?|\n/).filter(isConditionLine)
}

/** Whether a backslash makes a text no tag. */
function isEscaped(written: string, text: string): boolean {
  return written.includes(`\\${text.slice(0, 5)}`)
}

/** The offset of a text in the source of its block, or of its first words if the source writes it in another way. */
function placeIn(written: string, text: string): number {
  const at = written.indexOf(text)
  if (at !== -1) return at
  return Math.max(0, written.indexOf(/\p{L}[\p{L}.]*/u.exec(text)?.[0] ?? text))
}

/** Markdown without the code in its lines and between its fences, as far as backticks show. Takes linear time. */
function withoutCode(source: string): string {
  const ends = new Map<string, number>()
  const runs = [...source.matchAll(/`+/g)]
  for (const { 0: run, index } of runs) ends.set(run, index)
  let [text, done, open] = ['', 0, '']
  for (const { 0: run, index } of runs) {
    if (open === '' && (ends.get(run) ?? 0) > index) {
      text += source.slice(done, index)
      open = run
    } else if (open === run) {
      open = ''
      done = index + run.length
    }
  }
  return (text + source.slice(done)).replace(HTML_CODE, CODE)
}

/** Blocks whose settings are texts that readers see. */
const WITH_SETTINGS = new Set<string>(['integration', 'swagger', 'swagger-response', 'prompt', 'update'])

/** The texts in the settings of a block, but for the source of a diagram, which is code. */
function settingsIn(data: object): string[] {
  const { content: _, ...props } = 'props' in data ? (data.props as Record<string, unknown>) : {}
  return textsInValue({ ...data, props })
}

interface Texts {
  /** What readers see outside of code, each with all that is in one line. */
  texts: string[]
  code: string[]
  html: string[]
}

function textsOf(top: Block): Texts {
  const found: Texts = { texts: [], code: [], html: [] }
  for (const block of allBlocks([top])) {
    for (const value of WITH_SETTINGS.has(block.type) ? settingsIn(block.data) : labelsIn(block.data))
      found.texts.push(value)
    if (block.type === 'code' || block.type === 'code-line') {
      found.code.push((block.nodes ?? []).map((node) => plainText(node, found)).join(''))
      continue
    }
    if (block.type === 'html') addHtml(block.data.html, found)
    if (block.type === 'table')
      for (const { title } of Object.values(block.data.definition)) found.texts.push(title)
    const lines = (block.nodes ?? []) as (Block | Inline | Text)[]
    if (lines.some(({ object }) => object !== 'block'))
      found.texts.push(lines.map((node) => plainText(node, found)).join(''))
  }
  return found
}

function addHtml(html: string, { texts, html: all }: Texts): void {
  const shown = html.replace(HTML_CODE, CODE)
  all.push(shown)
  texts.push(shown.replace(HTML_TAG, ' '))
}

function plainText(node: Block | Inline | Text, found: Texts): string {
  if (node.object === 'text')
    return node.leaves
      .map(({ text, marks }) => {
        // Marks can be the signs of a tag.
        if (!marks?.some(({ type }) => type === 'code')) return marks?.length ? `*${text}*` : text
        found.code.push(text)
        return CODE
      })
      .join('')
  if (node.object === 'inline') {
    if (node.type === 'inline-html') found.html.push(node.data.html)
    if (node.type === 'expression' || node.type === 'inline-math') return CODE
    for (const value of labelsIn(node.data)) found.texts.push(value)
  }
  return ((node.nodes ?? []) as (Block | Inline | Text)[]).map((one) => plainText(one, found)).join('')
}
