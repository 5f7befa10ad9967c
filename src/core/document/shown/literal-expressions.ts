/**
 * Inline expressions that readers see as their source: in the title of a page, a column, a tab or code, the label of a button or
 * an alternative text, which are texts for everybody and have no values.
 */
import { allBlocks } from '../identify.ts'
import { decodeEntities } from '../markdown/entities.ts'
import { isExpressionTag } from '../markdown/html-source.ts'
import type { Block, Inline, ParsedPage, Text } from '../model.ts'
import { titleSpan } from '../parse.ts'
import { labelsIn } from './labels.ts'

interface LiteralExpression {
  /** The offset of its element in the source. */
  start: number
  expression: string
  place: 'title' | 'label'
}

const ELEMENT = /(<code\s[^<>]{1,200}>)([^<>]{1,1024})<\/code\s*>/gi
/** The most expressions of one page that are looked at. */
const MOST = 200

/** The expressions of a page that readers see as their source, in order. */
export function* literalExpressions(
  { title, document, spans }: Pick<ParsedPage, 'title' | 'document' | 'spans'>,
  source: string,
): Generator<LiteralExpression> {
  const found = elementsIn(source)
  const [first] = found
  if (!first) return
  const heading =
    title === undefined || first.start > (spans[0]?.start ?? Infinity) ? undefined : titleSpan(source)
  if (heading && !title?.includes('<code'))
    for (const { start, expression } of found)
      if (start >= heading.start && start < heading.end) yield { start, expression, place: 'title' }

  let next = 0
  for (const [i, block] of document.nodes.entries()) {
    const { start, end } = spans[i]!
    while (next < found.length && found[next]!.start < start) next += 1
    const from = next
    while (next < found.length && found[next]!.start < end) next += 1
    const isPlainCode = block.type === 'code' && block.data.title === undefined
    if (from < next && !isPlainCode) yield* literalIn(block, found.slice(from, next))
  }
}

function elementsIn(source: string): { start: number; expression: string }[] {
  const found: { start: number; expression: string }[] = []
  for (const { 1: tag = '', 2: text = '', index } of source.matchAll(ELEMENT)) {
    if (!isExpressionTag(tag)) continue
    found.push({ start: index, expression: decodeEntities(text).trim() })
    if (found.length === MOST) break
  }
  return found.filter(({ expression }) => expression !== '')
}

/** Those of a block that are in a label, and are no expressions of the document. */
function* literalIn(
  top: Block,
  elements: readonly { start: number; expression: string }[],
): Generator<LiteralExpression> {
  const { labels, values } = textsIn(top)
  for (const { start, expression } of elements) {
    const left = values.get(expression) ?? 0
    if (left > 0) values.set(expression, left - 1)
    else if (labels.some((label) => label.includes(expression))) yield { start, expression, place: 'label' }
  }
}

/** The labels of a block, and how often it evaluates each expression or has it in code. */
function textsIn(top: Block): { labels: string[]; values: Map<string, number> } {
  const labels: string[] = []
  const values = new Map<string, number>()
  const add = (expression: string) => values.set(expression, (values.get(expression) ?? 0) + 1)
  const addElementsIn = (text: string) => {
    for (const { expression } of elementsIn(text)) add(expression)
  }
  for (const block of allBlocks([top])) {
    if (block.type === 'table')
      for (const column of Object.values(block.data.definition)) labels.push(column.title)
    if (block.type === 'html') addElementsIn(block.data.html)
    for (const text of labelsIn(block.data)) labels.push(text)
    const open: (Block | Inline | Text)[] = [...(block.nodes ?? [])]
    for (let node = open.pop(); node; node = open.pop()) {
      // Code shows the element itself, as its author meant it.
      if (node.object === 'text')
        for (const { text, marks } of node.leaves)
          if (block.type === 'code-line' || marks?.some(({ type }) => type === 'code')) addElementsIn(text)
      if (node.object !== 'inline') continue
      if (node.type === 'expression') add(node.data.expression)
      for (const text of labelsIn(node.data)) labels.push(text)
      for (const inner of node.nodes ?? []) open.push(inner)
    }
  }
  return { labels, values }
}
