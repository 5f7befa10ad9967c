/** The formulas of GitHub within a line, `` $`a^2`$ ``, in which Markdown sees code between two dollars. */
import type { MdastNode } from 'satteri'

import { spanOf } from './reading.ts'
import type { Phrase, ReadingContext } from './reading.ts'

/** The phrases with formulas in the place of such code and of the dollars beside it. */
export function withFormulas(phrases: Phrase[], { masked }: ReadingContext): Phrase[] {
  if (!phrases.some(({ type }) => type === 'inlineCode')) return phrases
  const read = [...phrases]
  for (const [index, code] of phrases.entries()) {
    const [before, after] = [read[index - 1], read[index + 1]]
    if (code.type !== 'inlineCode' || before?.type !== 'text' || after?.type !== 'text') continue
    if (!isBetweenDollars(code, before.value, after.value, masked.text)) continue
    read[index] = { type: 'inlineMath', value: code.value, position: code.position } as MdastNode
    read[index - 1] = { ...before, value: before.value.slice(0, -1) }
    read[index + 1] = { ...after, value: after.value.slice(1) }
  }
  return read
}

/** Whether a node of a text is a formula: in dollars, in a block of code in the language `math`, or in GitHub's signs. */
export function isFormula(node: MdastNode, text: string): boolean {
  if (node.type === 'math' || node.type === 'inlineMath') return true
  if (node.type === 'code') return node.lang === 'math'
  if (node.type !== 'inlineCode') return false
  const { start, end } = spanOf(node)
  return isBetweenDollars(node, text[start - 1] ?? '', text[end] ?? '', text)
}

function isBetweenDollars(code: MdastNode, before: string, after: string, text: string): boolean {
  if (!before.endsWith('$') || !after.startsWith('$')) return false
  const { start, end } = spanOf(code)
  if (text[start] !== '`' || text[start - 1] !== '$' || text[end] !== '$') return false
  return !/[\w$\\]/.test(text[start - 2] ?? '') && !/[\w$]/.test(text[end + 1] ?? '')
}
