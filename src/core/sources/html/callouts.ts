import { block, filled, paragraph } from '../../document/build.ts'
import type { Block, BlockOf, HintStyle } from '../../document/model.ts'
import { markupClassesOf, isElement, phraseIn } from './markup.ts'
import type { MarkupElement, MarkupNode } from './markup.ts'

/** The style of a callout by the word that tools have for it. */
const STYLES: Record<string, HintStyle> = {
  note: 'info',
  info: 'info',
  information: 'info',
  abstract: 'info',
  summary: 'info',
  seealso: 'info',
  question: 'info',
  example: 'info',
  quote: 'info',
  todo: 'info',
  primary: 'info',
  secondary: 'info',
  details: 'info',
  tip: 'success',
  hint: 'success',
  success: 'success',
  check: 'success',
  warning: 'warning',
  caution: 'warning',
  attention: 'warning',
  important: 'warning',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  fail: 'danger',
  bug: 'danger',
  critical: 'danger',
}

/** The style that a word of a tool stands for. */
export function hintStyle(word: string): HintStyle | undefined {
  const lower = word.toLowerCase()
  return Object.hasOwn(STYLES, lower) ? STYLES[lower] : undefined
}

/** Classes of boxes that can be callouts. */
const BOX =
  /^(?:(?:theme-)?admonition(?:block)?|callout|alert|hint|notice|custom-block|markdown-alert|starlight-aside|message|panel|infobox|admonition_.*)$/

/** The style of an element whose classes say that it is a callout. */
export function calloutStyle(element: MarkupElement): HintStyle | undefined {
  const classes = markupClassesOf(element)
  if (!['div', 'aside', 'section', 'blockquote', 'p', 'table', 'details'].includes(element.name))
    return undefined
  if (classes.length === 0) return undefined
  const isBox = classes.some((one) => BOX.test(one) || BOX.test(one.split('-')[0] ?? ''))
  // A class such as `note` alone is a callout too, but only on a box that has few classes.
  if (!isBox && (classes.length > 2 || !classes.some((one) => hintStyle(one)))) return undefined
  if (classes.some((one) => /(?:title|heading|content|icon|body|label)/.test(one))) return undefined

  for (const one of classes.toReversed()) {
    const style = hintStyle(one) ?? one.split(/[-_]+/).map(hintStyle).findLast(Boolean)
    if (style) return style
  }
  return isBox ? 'info' : undefined
}

const TITLE = /(?:^|[-_])(?:title|heading|label)(?:$|[-_])|(?:admonition|callout|alert)heading/

/** Takes the title of a callout from its content: the first child whose class says so. */
export function calloutTitle(element: MarkupElement): { title: string; rest: MarkupNode[] } {
  const { children } = element
  const first = children.findIndex((child) => isElement(child) || child.trim() !== '')
  const head = children[first]
  if (!isElement(head)) return { title: '', rest: children }
  const isTitle = markupClassesOf(head).some((one) => TITLE.test(one)) || head.name === 'summary'
  if (!isTitle) return { title: '', rest: children }
  return { title: phraseIn(head.children), rest: children.toSpliced(first, 1) }
}

/** A hint. Its title is its first line, in bold, unless it is the name of the kind, which the style shows. */
export function hint(style: HintStyle, title: string, content: Block[]): BlockOf<'hint'> {
  const isKind = hintStyle(title.replace(/[^a-z]/gi, '')) !== undefined
  const head =
    title === '' || isKind
      ? []
      : [paragraph([{ object: 'text', leaves: [{ object: 'leaf', text: title, marks: [BOLD] }] }])]
  return block('hint', { style }, filled([...head, ...content]))
}

const BOLD = { object: 'mark', type: 'bold' } as const
