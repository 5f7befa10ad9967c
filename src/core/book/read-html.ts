/**
 * Reads the HTML of a page into the blocks of a book. The HTML is that of the renderer, so a book shows what a reader of
 * the page sees: conditions, includes, references and raw HTML are decided there.
 */
import type { Element, ElementContent } from 'hast'
import { satteri } from '../runtime/libraries.ts'
import {
  alignOf,
  classNamesOf,
  elementOf,
  hasClass,
  imageAttributes,
  inlineText,
  spaced,
  startOf,
  widthOf,
} from './elements.ts'
import { readMath } from './math.ts'
import type { BookBlock, BookInline } from './model.ts'
import { elsewhere, inlines } from './read-inlines.ts'
import { readBookTable, readCards, readCode } from './read-tables.ts'
import { type BookReader, type BookReading, deeper, isSkipped, named, passThrough, record } from './reader.ts'
import { tidyRun } from './tidy-run.ts'

/** Reads the HTML of a page. */
export function readBookHtml(markup: string, reading: BookReading): BookBlock[] {
  const root = satteri().htmlToHast(markup, { fragment: true })
  const reader = { ...reading, depth: 0 }
  return 'children' in root ? blocks(reader, root.children as ElementContent[]) : []
}

function blocks(reader: BookReader, children: readonly ElementContent[]): BookBlock[] {
  return deeper(reader, () => {
    const found: BookBlock[] = []
    let run: ElementContent[] = []
    const endRun = () => {
      const c = runOf(reader, run)
      run = []
      if (c.length > 0) found.push({ t: 'p', c })
    }
    for (const child of children) {
      if (isBlock(child)) {
        endRun()
        for (const block of readBookBlock(reader, child as Element)) found.push(block)
      } else run.push(child)
    }
    endRun()
    return found
  })
}

/** The text of a line, such as that of a heading. */
function runOf(reader: BookReader, children: readonly ElementContent[]): BookInline[] {
  return tidyRun(inlines(reader, children, []))
}

/** Reads an element into the blocks that it becomes. */
type ReadElement = (reader: BookReader, element: Element) => BookBlock[]

function readBookBlock(reader: BookReader, element: Element): BookBlock[] {
  if (isSkipped(element)) return []
  const read = BY_NAME.get(element.tagName) ?? BY_CLASS.find(([name]) => hasClass(element, name))?.[1]
  return (read ?? inner)(reader, element)
}

/** Reads what is inside an element, to whose first block links to the element lead. */
const inner: ReadElement = (reader, element) => passThrough(reader, element, blocks(reader, element.children))

function heading(reader: BookReader, element: Element): BookBlock[] {
  const c = runOf(reader, element.children)
  if (c.length === 0) return []
  const shown = /heading-([123])/.exec(classNamesOf(element).join(' '))?.[1]
  const level = Number(shown ?? Math.max(1, Number(element.tagName[1]) - 1))
  return [named(reader, element, { t: 'h', level: Math.min(3, level) as 1 | 2 | 3, c })]
}

function paragraph(reader: BookReader, element: Element): BookBlock[] {
  const align = alignOf(element)
  const found = blocks(reader, element.children)
  const [only] = found
  // An image alone in its line, or a formula, has become a block.
  if (found.length !== 1 || only?.t !== 'p') return passThrough(reader, element, found)
  const isTitle = hasClass(element, 'tab-title')
  const c = isTitle ? tidyRun(inlines(reader, element.children, ['b'])) : only.c
  return [named(reader, element, { t: 'p', c, ...(align ? { align } : {}) })]
}

function list(reader: BookReader, element: Element, start?: number): BookBlock {
  const items = element.children
    .filter((child): child is Element => child.type === 'element' && child.tagName === 'li')
    .map((item) => {
      const check = item.children.find((child) => hasClass(child, 'check')) as Element | undefined
      const rest = item.children.filter((child) => child !== check && !hasClass(child, 'note-back'))
      const made: Extract<BookBlock, { t: 'list' }>['items'][number] = { b: blocks(reader, rest) }
      if (check) made.done = classNamesOf(check).includes('done')
      record(reader, item, made)
      return made
    })
  return named(reader, element, { t: 'list', ...(start === undefined ? {} : { start }), items })
}

function steps(reader: BookReader, element: Element): BookBlock[] {
  return element.children
    .filter((child): child is Element => child.type === 'element' && child.tagName === 'li')
    .map((step, index) => {
      const inside = blocks(reader, step.children)
      const [first] = inside
      // The heading of a step becomes its title, and stays a target of links.
      const title = first?.t === 'h' ? first : undefined
      const part: BookBlock = {
        t: 'part',
        number: index + 1,
        title: title?.c ?? [],
        b: title ? inside.slice(1) : inside,
      }
      if (title) for (const [id, place] of reader.places) if (place === title) reader.places.set(id, part)
      return named(reader, step, part)
    })
}

/** A part whose title is one of its elements, such as what can be unfolded, a tab or an update. */
function titledPart(
  reader: BookReader,
  element: Element,
  title: Element | undefined,
  words: readonly ElementContent[] = title?.children ?? [],
): BookBlock[] {
  const rest = element.children.filter((child) => child !== title)
  return [named(reader, element, { t: 'part', title: runOf(reader, words), b: blocks(reader, rest) })]
}

function columns(reader: BookReader, element: Element): BookBlock[] {
  const items = element.children
    .filter((child): child is Element => hasClass(child, 'column'))
    .map((column) => {
      const share = /share-(\d+)/.exec(classNamesOf(column).join(' '))?.[1]
      return { b: blocks(reader, column.children), ...(share ? { share: Number(share) } : {}) }
    })
  return items.length === 0 ? [] : [named(reader, element, { t: 'columns', items })]
}

function code(reader: BookReader, element: Element): BookBlock[] {
  const title = element.children.find((child) => hasClass(child, 'code-title'))
  const pre = elementOf(element, 'pre')
  const text = title && inlineText(title)
  return pre ? [named(reader, element, readCode(pre, text, hasClass(element, 'numbered')))] : []
}

function hint(reader: BookReader, element: Element): BookBlock[] {
  const style = HINTS.find((name) => hasClass(element, name)) ?? 'info'
  return [named(reader, element, { t: 'hint', style, b: blocks(reader, element.children) })]
}

function figure(reader: BookReader, element: Element): BookBlock[] {
  const pictures = element.children.filter(
    (child): child is Element => child.type === 'element' && child.tagName !== 'figcaption',
  )
  const caption = elementOf(element, 'figcaption')
  const words = caption ? tidyRun(inlines(reader, caption.children, [])) : undefined
  const shown = pictures.filter((picture) => !classNamesOf(picture).includes('only-dark'))
  const found = shown.flatMap((picture) =>
    picture.tagName === 'img' ? image(reader, picture, words) : blocks(reader, [picture]),
  )
  if (words && !found.some((block) => block.t === 'image')) found.push({ t: 'p', c: words })
  return passThrough(reader, element, found)
}

function image(reader: BookReader, element: Element, c: BookInline[] | undefined): BookBlock[] {
  const { src, alt } = imageAttributes(element)
  const key = reader.image(src)
  if (key === undefined) {
    const linked = elsewhere(reader, src, alt)
    return linked ? [{ t: 'p', c: [linked] }] : []
  }
  const width = widthOf(element.properties.width)
  return [
    named(reader, element, {
      t: 'image',
      src: key,
      alt,
      ...(width ? { width } : {}),
      ...(c && c.length > 0 ? { c } : {}),
    }),
  ]
}

function formula(reader: BookReader, element: Element): BookBlock[] {
  const m = readMath(element)
  const source = inlineText(element)
  return [m ? { t: 'math', m, source } : { t: 'p', c: [{ t: 's', s: source, m: ['c'] }] }]
}

const HINTS = ['info', 'success', 'warning', 'danger'] as const

/** What the elements with a name become. */
const BY_NAME = new Map<string, ReadElement>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, ReadElement] => [name, heading]),
  ['p', paragraph],
  [
    'ul',
    (reader, element) =>
      hasClass(element, 'cards')
        ? [named(reader, element, readCards(element, reader, within(reader), inlineText))]
        : [list(reader, element)],
  ],
  [
    'ol',
    (reader, element) =>
      hasClass(element, 'stepper')
        ? steps(reader, element)
        : [list(reader, element, startOf(element.properties.start))],
  ],
  ['hr', () => [{ t: 'rule' }]],
  [
    'blockquote',
    (reader, element) => [named(reader, element, { t: 'quote', b: blocks(reader, element.children) })],
  ],
  ['pre', (reader, element) => [named(reader, element, readCode(element, undefined, false))]],
  ['table', (reader, element) => readBookTable(element, within(reader))],
  ['details', (reader, element) => titledPart(reader, element, elementOf(element, 'summary'))],
  [
    'figure',
    (reader, element) =>
      hasClass(element, 'image') ? figure(reader, element) : blocks(reader, element.children),
  ],
  ['img', (reader, element) => image(reader, element, undefined)],
  ['dt', (reader, element) => [{ t: 'p', c: tidyRun(inlines(reader, element.children, ['b'])) }]],
  ['math', formula],
])

/** What other elements with a class become. The first class counts. */
const BY_CLASS: [name: string, read: ReadElement][] = [
  ['hint', hint],
  ['code', code],
  [
    'math',
    (reader, { children }) =>
      children.flatMap((child) => (child.type === 'element' ? readBookBlock(reader, child) : [])),
  ],
  ['columns', columns],
  ['tab-panel', (reader, element) => titledPart(reader, element, childWith(element, 'tab-title'))],
  [
    'update',
    (reader, element) => {
      const head = childWith(element, 'update-head')
      return titledPart(reader, element, head, head && spaced(head.children))
    },
  ],
  [
    'table',
    (reader, element) => blocks(reader, element.children).map((block) => named(reader, element, block)),
  ],
]

const within = (reader: BookReader) => (children: readonly ElementContent[]) => blocks(reader, children)

function childWith({ children }: Element, className: string): Element | undefined {
  return children.find((child): child is Element => hasClass(child, className))
}

const BLOCKS = new Set(
  'address article aside blockquote details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table ul'.split(
    ' ',
  ),
)

function isBlock(node: ElementContent): boolean {
  if (node.type !== 'element') return false
  if (node.tagName === 'math') return node.properties.display === 'block'
  if (BLOCKS.has(node.tagName)) return true
  return node.children.some((child) => child.type === 'element' && isBlock(child))
}
