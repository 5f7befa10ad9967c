/** Converts the macros of Confluence to blocks and inlines. */
import { block, filled, voidBlock, voidInline } from '../../document/build.ts'
import type { InlineRun } from '../../document/build.ts'
import type { Block, HintStyle } from '../../document/model.ts'
import { confluenceEmoji } from './emoticons.ts'
import { confluenceFormula } from './formulas.ts'
import { blocksOf, expandableBlock } from '../html/blocks.ts'
import { hint } from '../html/callouts.ts'
import { readCodeElement } from '../html/code.ts'
import { runsOf } from '../html/inline.ts'
import { findFirst, hasMarkupClass, isElement, phraseIn } from '../html/markup.ts'
import type { MarkupElement } from '../html/markup.ts'
import { inside, type MarkupContext } from '../html/markup-context.ts'
import { listItem } from '../html/table.ts'

/** Confluence shows "note" in yellow and "warning" in red. */
const STYLES: Record<string, HintStyle> = {
  information: 'info',
  info: 'info',
  tip: 'success',
  note: 'warning',
  warning: 'danger',
}

/** The blocks of an element that is a macro. */
export function confluenceBlock(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const math = confluenceFormula(element)
  if (math?.isBlock === true) return [voidBlock('math', { formula: math.formula })]
  for (const [name, read] of MACROS) if (hasMarkupClass(element, name)) return read(element, context)
  return undefined
}

type Macro = (element: MarkupElement, context: MarkupContext) => Block[] | undefined

const MACROS: [string, Macro][] = [
  ['toc-macro', () => []],
  ['page-metadata', () => []],
  ['confluence-information-macro', readInformation],
  ['expand-container', readExpand],
  ['code', readCodePanel],
  ['preformatted', readCodePanel],
  ['panel', readPanel],
  ['inline-task-list', readTasks],
  ['columnlayout', readColumns],
]

function within(element: MarkupElement, name: string): MarkupElement | undefined {
  return findFirst(element, (one) => hasMarkupClass(one, name))
}

function readInformation(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  const body = within(element, 'confluence-information-macro-body')
  if (!deeper || !body) return undefined
  const kind = /confluence-information-macro-(\w+)/.exec(element.attributes.class ?? '')?.[1] ?? 'information'
  const title = element.children.find((child) => isElement(child) && hasMarkupClass(child, 'title'))
  const style = Object.hasOwn(STYLES, kind) ? STYLES[kind]! : 'info'
  return [hint(style, isElement(title) ? phraseIn(title.children) : '', blocksOf(body.children, deeper))]
}

function readExpand(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  const [title, body] = [within(element, 'expand-control-text'), within(element, 'expand-content')]
  if (!deeper || !body) return undefined
  return [expandableBlock(title ? runsOf(title.children, context) : [], blocksOf(body.children, deeper))]
}

function readCodePanel(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const pre = findFirst(element, ({ name }) => name === 'pre')
  if (!pre) return undefined
  const header = within(element, 'panelheader')
  const code = readCodeElement(pre, [], context)
  const title = header ? phraseIn(header.children) : ''
  return [title === '' ? code : { ...code, data: { ...code.data, title } }]
}

function readPanel(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  const body = within(element, 'panelcontent')
  if (!deeper || !body) return undefined
  const header = within(element, 'panelheader')
  return [hint('info', header ? phraseIn(header.children) : '', blocksOf(body.children, deeper))]
}

function readTasks(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  if (!deeper) return undefined
  const items = element.children.flatMap((child) =>
    isElement(child, 'li')
      ? [listItem(blocksOf(child.children, deeper), hasMarkupClass(child, 'checked'))]
      : [],
  )
  return items.length > 0 ? [block('list-tasks', {}, items)] : []
}

function readColumns(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const cells = element.children.filter((child) => isElement(child) && hasMarkupClass(child, 'cell'))
  const deeper = inside(context)
  if (cells.length < 2 || !deeper) return undefined
  const columns = cells.map((cell) =>
    block('column', {}, filled(blocksOf(isElement(cell) ? cell.children : [], deeper))),
  )
  return [block('columns', {}, columns)]
}

/** The runs of an inline macro: a status is bold, a mention is the name of the user, and emoticons are emoji. */
export function confluenceInline(element: MarkupElement): InlineRun[] | undefined {
  const emoji = confluenceEmoji(element)
  if (emoji !== undefined) return [{ text: emoji, marks: [] }]
  const math = confluenceFormula(element)
  if (math) return [voidInline('inline-math', { formula: math.formula })]
  if (hasMarkupClass(element, 'status-macro'))
    return [{ text: phraseIn(element.children), marks: [{ object: 'mark', type: 'bold' }] }]
  if (hasMarkupClass(element, 'confluence-userlink') || hasMarkupClass(element, 'user-mention'))
    return [{ text: phraseIn(element.children), marks: [] }]
  if (hasMarkupClass(element, 'expand-control-icon')) return []
  if (hasMarkupClass(element, 'confluence-information-macro-icon')) return []
  return undefined
}

/** The language of a code macro, in the parameters of its highlighter. */
export function confluenceLanguage(element: MarkupElement): string | undefined {
  const parameters = element.attributes['data-syntaxhighlighter-params'] ?? ''
  const language = /brush:\s*([\w+#-]{1,40})/.exec(parameters)?.[1]?.toLowerCase()
  if (language === undefined || language === 'text' || language === 'plain' || language === 'none')
    return undefined
  return language
}
