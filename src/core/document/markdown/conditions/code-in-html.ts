/**
 * Code in a piece of HTML. The parser sees none there, but the text between elements is read as Markdown later, so it can have
 * code all the same.
 */
import type { MdastNode } from 'satteri'
import { needItem, needLast } from '../../../data/lists.ts'
import type { Span } from '../../model.ts'
import { readHtml } from '../html-source.ts'
import type { HtmlNode } from '../html-source.ts'
import { childrenOf, readTree, spanOf } from '../reading.ts'
import { isFormula } from '../formulas.ts'

const CODE: ReadonlySet<string> = new Set(['code', 'inlineCode', 'math', 'inlineMath'])
/** Elements of a line of text. */
const PHRASING = new Set(
  'a b br button code del em i img kbd mark picture s small span strike strong sub sup u'.split(' '),
)
/** Elements whose content is split like the text around them. */
const CONTAINERS = new Set(['details', 'div'])
/** The beginning of code that has no fence. */
const INDENTED = /^(?!```|~~~)/
/** How deep pieces of HTML in one another are read. */
const DEEPEST = 3

/** Whether a node is code or a formula. */
export function isCode({ type }: MdastNode): boolean {
  return CODE.has(type)
}

/** Code, or a formula. */
interface CodeSpan extends Span {
  isFormula: boolean
}

/** The code in the text between the elements of a piece of HTML, in order. */
export function codeInHtml(html: string, depth = 0): CodeSpan[] {
  if (!/[`$~]/.test(html) || depth === DEEPEST) return []
  return textsIn(readHtml(html)).flatMap(({ start, end }) =>
    // Behind a letter, the parser reads HTML as a part of a line.
    codeInText(`x${html.slice(start, end)}`, depth).map((span) => {
      return { ...span, start: start + Math.max(0, span.start - 1), end: start + span.end - 1 }
    }),
  )
}

function codeInText(text: string, depth: number): CodeSpan[] {
  const spans: CodeSpan[] = []
  const open = readTree(text).toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    const { start, end } = spanOf(node)
    // Nobody indents text in HTML to show it as code.
    if (isCode(node) && !(node.type === 'code' && INDENTED.test(text.slice(start, start + 3))))
      spans.push({ start, end, isFormula: isFormula(node, text) })
    else if (node.type === 'html' && text.startsWith(node.value, start))
      for (const inner of codeInHtml(node.value, depth + 1))
        spans.push({ ...inner, start: start + inner.start, end: start + inner.end })
    for (const child of childrenOf(node).toReversed()) open.push(child)
  }
  return spans
}

/** The texts between the elements that are blocks. */
function textsIn(nodes: readonly HtmlNode[]): Span[] {
  const texts: Span[] = []
  let isOpen = false
  const open: HtmlNode[] = nodes.toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    const { type, start, end } = node
    const isPhrasing = type === 'characters' || type === 'comment' || PHRASING.has(node.name)
    if (!isPhrasing) {
      isOpen = false
      if (type === 'element' && CONTAINERS.has(node.name))
        for (const child of node.children.toReversed()) open.push(child)
    } else if (isOpen && needLast(texts).end === start) needLast(texts).end = end
    else texts.push({ start, end })
    if (isPhrasing) isOpen = true
  }
  return texts
}

/** What is between two equal runs of backticks in a piece of HTML, in elements too, in order. */
export function tickedSpans(html: string): Span[] {
  if (!html.includes('`')) return []
  const runs: { ticks: string; at: number }[] = []
  const open: HtmlNode[] = readHtml(html).toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element') for (const child of node.children.toReversed()) open.push(child)
    else if (node.type === 'characters')
      for (const { 0: ticks, index } of node.source.matchAll(/\\?`+/g))
        runs.push({ ticks, at: node.start + index })
  }
  const later = new Map<string, number>()
  const partners = runs.map(() => -1)
  for (const [index, { ticks }] of [...runs.entries()].toReversed()) {
    partners[index] = later.get(ticks) ?? -1
    later.set(ticks.replace('\\', ''), index)
  }
  const spans: Span[] = []
  for (let index = 0; index < runs.length; index += 1) {
    const partner = partners[index] ?? -1
    if (partner === -1) continue
    spans.push({ start: needItem(runs, index).at, end: needItem(runs, partner).at })
    index = partner
  }
  return spans
}
