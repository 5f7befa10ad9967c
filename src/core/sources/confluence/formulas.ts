/** The formulas of Confluence, which several apps write. */
import { findFirst, type MarkupElement, markupClassesOf, textIn } from '../html/markup.ts'

/** The macros of formulas, each with whether it is a block. */
const MACROS = new Map([
  ['mathblock', true],
  ['mathblock-ref', true],
  ['easy-math-block', true],
  ['mathjax-block-macro', true],
  ['mathjax-block', true],
  ['latex', true],
  ['latex-block', true],
  ['latex-formatting', true],
  ['mathinline', false],
  ['easy-math-inline', false],
  ['mathjax-inline-macro', false],
  ['mathjax-inline', false],
  ['latex-inline', false],
])

/** A formula in LaTeX. */
interface ConfluenceFormula {
  formula: string
  isBlock: boolean
}

/**
 * The formula of a macro, in the storage format (`ac:structured-macro`) or in HTML, where its name is a class or in
 * `data-macro-name`; undefined for every other element.
 */
export function confluenceFormula(element: MarkupElement): ConfluenceFormula | undefined {
  const names =
    element.name === 'ac:structured-macro'
      ? [element.attributes['ac:name'] ?? '']
      : [element.attributes['data-macro-name'] ?? '', ...markupClassesOf(element)]
  const isBlock = names.map((name) => MACROS.get(name)).find((known) => known !== undefined)
  if (isBlock === undefined) return undefined
  const formula = withoutDelimiters(sourceIn(element))
  return formula === '' ? undefined : { formula, isBlock }
}

/** The body of a macro, or else its parameter. */
function sourceIn(element: MarkupElement): string {
  const body = findFirst(element, ({ name }) => name === 'ac:plain-text-body')
  const parameter = findFirst(
    element,
    ({ name, attributes }) =>
      name === 'ac:parameter' && ['body', 'equation', ''].includes(attributes['ac:name'] ?? ''),
  )
  return textIn((body ?? parameter ?? element).children).trim()
}

/** A formula without the signs of TeX around it. */
function withoutDelimiters(text: string): string {
  for (const [open, close] of [
    ['$$', '$$'],
    ['\\[', '\\]'],
    ['\\(', '\\)'],
    ['$', '$'],
  ] as const)
    if (text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close))
      return text.slice(open.length, -close.length).trim()
  return text
}
