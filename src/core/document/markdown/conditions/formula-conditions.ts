/**
 * Conditions that begin or end in formulas, where their tags are text. What is between such a tag and one outside of
 * the formula was meant to be hidden all the same.
 */
import type { MdastNode } from 'satteri'

import { nodesIn } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'
import { isFormula } from '../formulas.ts'
import { conditionsOpenIn, endsIn, openersIn } from '../tag-values.ts'
import type { Tag } from '../tags.ts'
import { codeInHtml } from './code-in-html.ts'

/**
 * Notes the tags in formulas that begin conditions; those of them that do not end in their formula or, within it, in the value
 * of a tag, so that a closing tag behind it may have been meant to end them; and the closing tags that end nothing there.
 */
export function noteFormulas(nodes: readonly MdastNode[], reading: ReadingContext): void {
  const { text, tags } = reading.masked
  if (tags.size === 0) return
  for (const node of nodesIn(nodes)) {
    if (isFormula(node, text)) noteFormula('value' in node ? node.value : '', reading)
    else if (node.type === 'html')
      for (const { start, end, isFormula: isMath } of codeInHtml(node.value))
        if (isMath) noteFormula(node.value.slice(start, end), reading)
  }
}

function noteFormula(formula: string, { masked, inFormulas }: ReadingContext): void {
  const { begun, open, ends, noted } = inFormulas
  const own: [Tag, number][] = []
  for (const { tag } of masked.pieces(formula)) {
    const start = tag && masked.tags.get(tag)
    // What is in an element of HTML is read again apart from the page.
    if (!tag || start === undefined || noted.has(tag)) continue
    noted.add(tag)
    if (tag.name === 'if' && !tag.closes) {
      begun.set(tag, start)
      own.push([tag, start])
    } else if (tag.name === 'if') {
      if (!own.pop()) ends.set(tag, start)
    } else if (!tag.closes) {
      for (const one of openersIn(tag)) begun.set(one, start)
      for (const one of conditionsOpenIn(tag)) open.set(one, start)
      for (const one of endsIn(tag)) ends.set(one, start)
    }
  }
  for (const [tag, start] of own) open.set(tag, start)
}
