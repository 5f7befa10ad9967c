/** Converts the elements of a page that Notion exports as HTML. */
import { needItem } from '../../data/lists.ts'
import { block, filled, paragraph } from '../../document/build.ts'
import type { InlineRun } from '../../document/build.ts'
import type { Block, HintStyle } from '../../document/model.ts'
import { blocksOf, linkBlock } from '../html/blocks.ts'
import { hint } from '../html/callouts.ts'
import { runsOf, lineOfRuns } from '../html/inline.ts'
import { findAll, findFirst, hasMarkupClass, isElement, phraseIn } from '../html/markup.ts'
import type { MarkupElement } from '../html/markup.ts'
import { inside, type MarkupContext } from '../html/markup-context.ts'
import { printHtmlPage } from '../html/page.ts'
import { listItem } from '../html/table.ts'
import { calloutSign } from './notion-markdown.ts'

/** The Markdown of a page. */
export function notionPage(root: MarkupElement, name: string, context: MarkupContext): string {
  const heading = findFirst(root, (element) => hasMarkupClass(element, 'page-title'))
  const body = findFirst(root, (element) => hasMarkupClass(element, 'page-body'))
  const properties = findFirst(
    root,
    (element) => element.name === 'table' && hasMarkupClass(element, 'properties'),
  )
  const title = (heading && phraseIn(heading.children)) || name
  const content = [...(properties ? [properties] : []), ...(body?.children ?? [])]
  return printHtmlPage(
    { title, content },
    { ...context, block: notionBlock, inline: notionInline, joinsLists: true },
  )
}

function notionBlock(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  for (const [name, read] of BLOCKS) if (hasMarkupClass(element, name)) return read(element, context)
  return undefined
}

const BLOCKS: [string, (element: MarkupElement, context: MarkupContext) => Block[] | undefined][] = [
  ['callout', readCallout],
  ['toggle', readToggle],
  ['to-do-list', readTasks],
  ['properties', readProperties],
  ['column-list', readColumns],
  ['bookmark', readBookmark],
  ['table_of_contents', () => []],
]

/** A callout has its emoji in its first part and its content in the second. */
function readCallout(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  const parts = element.children.filter((child) => isElement(child))
  const body = parts.at(-1)
  if (!deeper || !body) return undefined
  const sign = parts.length > 1 ? phraseIn(needItem(parts, 0).children) : ''
  const { style, rest } = calloutSign(sign)
  const content = blocksOf(body.children, deeper)
  const [first] = content
  if (rest !== '' && first?.type === 'paragraph')
    content[0] = paragraph([
      { object: 'text', leaves: [{ object: 'leaf', text: `${rest} `, marks: [] }] },
      ...first.nodes,
    ])
  return [hint(style as HintStyle, '', content)]
}

/** A toggle is a list with one item that is collapsible text. */
function readToggle(element: MarkupElement, context: MarkupContext): Block[] {
  return element.children.flatMap((item) => (isElement(item, 'li') ? blocksOf(item.children, context) : []))
}

function readTasks(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  if (!deeper) return undefined
  const items = element.children.flatMap((item) => {
    if (!isElement(item, 'li')) return []
    const box = findFirst(item, (one) => hasMarkupClass(one, 'checkbox'))
    const others = item.children.filter((child) => child !== box)
    return [listItem(blocksOf(others, deeper), box !== undefined && hasMarkupClass(box, 'checkbox-on'))]
  })
  return items.length > 0 ? [block('list-tasks', {}, items)] : []
}

/** The properties of a row of a database are a list. */
function readProperties(element: MarkupElement, context: MarkupContext): Block[] {
  const rows = findAll(element, ({ name }) => name === 'tr')
  const items = rows.flatMap((row) => {
    const [name, value] = row.children.filter((child) => isElement(child))
    if (!name || !value) return []
    const bold: InlineRun = { text: `${phraseIn(name.children)}:`, marks: [{ object: 'mark', type: 'bold' }] }
    const runs = runsOf(value.children, context)
    if (runs.length === 0) return []
    return [listItem([paragraph(lineOfRuns([bold, { text: ' ', marks: [] }, ...runs]))])]
  })
  return items.length > 0 ? [block('list-unordered', {}, items)] : []
}

function readColumns(element: MarkupElement, context: MarkupContext): Block[] | undefined {
  const deeper = inside(context)
  const cells = element.children.filter((child) => isElement(child) && hasMarkupClass(child, 'column'))
  if (!deeper || cells.length < 2) return undefined
  const columns = cells.map((cell) =>
    block('column', {}, filled(blocksOf(isElement(cell) ? cell.children : [], deeper))),
  )
  return [block('columns', {}, columns)]
}

function readBookmark({ attributes, children }: MarkupElement, context: MarkupContext): Block[] | undefined {
  const url = context.link(attributes.href ?? '')
  const title = findFirst({ name: '', attributes, children, holdsBlocks: true }, (one) =>
    hasMarkupClass(one, 'bookmark-title'),
  )
  return url === undefined ? undefined : [linkBlock(url, (title && phraseIn(title.children)) || url)]
}

/** Icons of properties say only their type, and boxes of a table are signs. */
function notionInline(element: MarkupElement): InlineRun[] | undefined {
  if (hasMarkupClass(element, 'property-icon')) return []
  if (hasMarkupClass(element, 'checkbox'))
    return [{ text: hasMarkupClass(element, 'checkbox-on') ? '☑' : '☐', marks: [] }]
  return undefined
}
