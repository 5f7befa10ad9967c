import type { Element, ElementContent } from 'hast'
import { classNamesOf, colourIn, hasClass, imageAttributes, inlineText, widthOf } from './elements.ts'
import { readMath } from './math.ts'
import type { BookInline, BookMark } from './model.ts'
import { type BookReader, deeper, isSkipped } from './reader.ts'

/** Reads phrasing content. @param marks those around it */
export function inlines(
  reader: BookReader,
  children: readonly ElementContent[],
  marks: BookMark[],
  tint: Tint = {},
): BookInline[] {
  return deeper(reader, () => {
    const found: BookInline[] = []
    for (const child of children) for (const one of inline(reader, child, marks, tint)) found.push(one)
    return found
  })
}

function inline(reader: BookReader, node: ElementContent, marks: BookMark[], tint: Tint): BookInline[] {
  if (node.type === 'text') {
    const s = node.value.replace(/[\t\n\r ]+/g, ' ')
    return s === '' ? [] : [{ t: 's', s, ...(marks.length > 0 ? { m: marks } : {}), ...tint }]
  }
  if (node.type !== 'element') return []
  const { tagName, children, properties } = node
  if (isSkipped(node)) return []
  const mark = MARKS[tagName]
  if (mark) return inlines(reader, children, marks.includes(mark) ? marks : [...marks, mark], tint)

  switch (tagName) {
    case 'br':
      return [{ t: 'br' }]
    case 'wbr':
      return []
    case 'img':
      return inlineImage(reader, node)
    case 'math': {
      const m = readMath(node)
      const source = inlineText(node)
      return [m ? { t: 'm', m, source } : { t: 's', s: source, m: ['c'] }]
    }
    case 'a':
      return anchor(reader, node, inlines(reader, children, marks, tint))
    case 'input':
      return properties.type === 'checkbox' ? [{ t: 'check', done: properties.checked === true }] : []
  }
  return span(reader, node, marks, tint)
}

/** A link; the number of an annotation stands behind its text. */
function anchor(reader: BookReader, node: Element, inside: BookInline[]): BookInline[] {
  const href = node.properties.href ?? ''
  if (href === '' || inside.length === 0) return inside
  const made = link(reader, href, inside)
  if (!hasClass(node, 'annotation')) return [made]
  const number = /\d+$/.exec(href)?.[0] ?? ''
  return [...inside, link(reader, href, [{ t: 's', s: number, m: ['sup'] }])]
}

function span(reader: BookReader, node: Element, marks: BookMark[], tint: Tint): BookInline[] {
  const classes = classNamesOf(node)
  if (classes.includes('check')) return [{ t: 'check', done: classes.includes('done') }]
  const ink = colourIn(classes, 'ink')
  const wash = colourIn(classes, 'wash')
  const tinted = { ...tint, ...(ink ? { ink } : {}), ...(wash ? { wash } : {}) }
  const bold = classes.includes('card-label') || classes.includes('api-method')
  const inside = inlines(
    reader,
    node.children,
    bold && !marks.includes('b') ? [...marks, 'b'] : marks,
    tinted,
  )
  // The parts of a card of an operation or a link have space between them only in the style sheet.
  return SPACED.some((name) => classes.includes(name))
    ? [{ t: 's', s: ' ' }, ...inside, { t: 's', s: ' ' }]
    : inside
}

function inlineImage(reader: BookReader, node: Element): BookInline[] {
  if (hasClass(node, 'only-dark')) return []
  const { src, alt } = imageAttributes(node)
  const key = reader.image(src)
  if (key === undefined) {
    const one = elsewhere(reader, src, alt)
    return one ? [one] : []
  }
  const width = widthOf(node.properties.width)
  return [
    {
      t: 'img',
      src: key,
      alt,
      ...(width && 'px' in width ? { px: width.px } : {}),
      ...(hasClass(node, 'line-high') ? { line: true } : {}),
    },
  ]
}

/** An image that is not in the book: its description, with a link to it if it is on the web. */
export function elsewhere(reader: BookReader, src: string, alt: string): BookInline | undefined {
  const text: BookInline = { t: 's', s: alt || reader.words.image }
  if (!/^https?:/i.test(src)) return alt === '' ? undefined : text
  return link(reader, src, [text])
}

function link(reader: BookReader, href: string, c: BookInline[]): BookInline {
  const node: Extract<BookInline, { t: 'a' }> = { t: 'a', c }
  reader.links.push({ node, href })
  return node
}

type Tint = { ink?: string; wash?: string }

const MARKS: Record<string, BookMark | undefined> = {
  strong: 'b',
  b: 'b',
  em: 'i',
  i: 'i',
  cite: 'i',
  var: 'i',
  dfn: 'i',
  code: 'c',
  samp: 'c',
  tt: 'c',
  kbd: 'k',
  s: 's',
  del: 's',
  strike: 's',
  sup: 'sup',
  sub: 'sub',
}

const SPACED = ['detail', 'api-path', 'api-method', 'tag', 'update-date']
