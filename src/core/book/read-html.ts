/**
 * Reads the HTML of a page into the blocks of a book. The HTML is that of the renderer, so a book shows what a reader of
 * the page sees: conditions, includes, references and raw HTML are decided there.
 */
import type { Element, ElementContent } from 'hast'
import { satteri } from '../libraries.ts'
import {
  alignOf,
  classNamesOf,
  colourIn,
  elementOf,
  hasClass,
  imageAttributes,
  inlineText,
  spaced,
  startOf,
  widthOf,
} from './elements.ts'
import { readMath } from './math.ts'
import type { BookBlock, BookInline, BookMark, BookWords } from './model.ts'
import { tidyRun } from './tidy-run.ts'
import { readCards, readCode, readBookTable } from './read-tables.ts'

/** The input of `readBookHtml`, and the links and places that it finds. */
export interface BookReading {
  words: BookWords
  /** The key of the image at an address of the site; undefined for an image that is not a file of the space. */
  image(src: string): string | undefined
  /** Every link, with its address as it is in the HTML. */
  links: { node: Extract<BookInline, { t: 'a' }>; href: string }[]
  /** The blocks that links can lead to, by their id in the HTML. */
  places: Map<string, { id?: string }>
}

/** Elements inside one another deeper than this are left out. */
const MAX_DEPTH = 100

/** Reads the HTML of a page. */
export function readBookHtml(markup: string, reading: BookReading): BookBlock[] {
  const root = satteri().htmlToHast(markup, { fragment: true })
  let depth = 0
  return 'children' in root ? blocks(root.children as ElementContent[]) : []

  function blocks(children: readonly ElementContent[]): BookBlock[] {
    if (depth >= MAX_DEPTH) return []
    depth++
    const found: BookBlock[] = []
    let run: ElementContent[] = []
    for (const child of children) {
      if (isBlock(child)) {
        endRun()
        for (const block of blockOf(child as Element)) found.push(block)
      } else run.push(child)
    }
    endRun()
    depth--
    return found

    function endRun(): void {
      const c = tidyRun(inlines(run, []))
      run = []
      if (c.length > 0) found.push({ t: 'p', c })
    }
  }

  function blockOf(element: Element): BookBlock[] {
    const { tagName, children, properties } = element
    const classes = classNamesOf(element)
    const has = (name: string) => classes.includes(name)
    if (SKIPPED.has(tagName) || classes.some((name) => SKIPPED_CLASSES.has(name))) return []

    switch (tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6': {
        const c = tidyRun(inlines(children, []))
        const level = /heading-([123])/.exec(classes.join(' '))?.[1] ?? Math.max(1, Number(tagName[1]) - 1)
        return c.length === 0 ? [] : [named(element, { t: 'h', level: Math.min(3, Number(level)) as 1, c })]
      }
      case 'p':
        return paragraph(element, has('tab-title') ? [] : undefined)
      case 'ul':
        if (has('cards')) return [named(element, readCards(element, reading, blocks, inlineText))]
        return [list(element, undefined)]
      case 'ol':
        if (has('stepper')) return steps(element)
        return [list(element, startOf(properties.start))]
      case 'hr':
        return [{ t: 'rule' }]
      case 'blockquote':
        return [named(element, { t: 'quote', b: blocks(children) })]
      case 'pre':
        return [named(element, readCode(element, undefined, false))]
      case 'table':
        return [readBookTable(element, blocks)]
      case 'details': {
        const summary = elementOf(element, 'summary')
        const title = summary ? tidyRun(inlines(summary.children, [])) : []
        const rest = children.filter((child) => child !== summary)
        return [named(element, { t: 'part', title, b: blocks(rest) })]
      }
      case 'figure':
        if (has('image')) return figure(element)
        return blocks(children)
      case 'img':
        return image(element, undefined)
      case 'dt':
        return [{ t: 'p', c: tidyRun(inlines(children, ['b'])) }]
      case 'math':
        return formula(element)
      default:
        return division(element, has)
    }
  }

  function division(element: Element, has: (name: string) => boolean): BookBlock[] {
    const { children } = element
    if (has('hint')) {
      const style = ['info', 'success', 'warning', 'danger'].find(has) ?? 'info'
      return [named(element, { t: 'hint', style, b: blocks(children) })]
    }
    if (has('code')) {
      const title = children.find((child) => hasClass(child, 'code-title'))
      const pre = elementOf(element, 'pre')
      const text = title && inlineText(title)
      return pre ? [named(element, readCode(pre, text, has('numbered')))] : []
    }
    if (has('math')) return children.flatMap((child) => (child.type === 'element' ? blockOf(child) : []))
    if (has('columns')) {
      const items = children
        .filter((child): child is Element => hasClass(child, 'column'))
        .map((column) => {
          const share = /share-(\d+)/.exec(classNamesOf(column).join(' '))?.[1]
          return { b: blocks(column.children), ...(share ? { share: Number(share) } : {}) }
        })
      return items.length === 0 ? [] : [named(element, { t: 'columns', items })]
    }
    if (has('tab-panel')) {
      const title = children.find((child) => hasClass(child, 'tab-title')) as Element | undefined
      const rest = children.filter((child) => child !== title)
      const words = title ? tidyRun(inlines(title.children, [])) : []
      return [named(element, { t: 'part', title: words, b: blocks(rest) })]
    }
    if (has('update')) {
      const head = children.find((child) => hasClass(child, 'update-head')) as Element | undefined
      const rest = children.filter((child) => child !== head)
      const title = head ? tidyRun(inlines(spaced(head.children), [])) : []
      return [named(element, { t: 'part', title, b: blocks(rest) })]
    }
    if (has('table')) return blocks(children).map((block) => named(element, block))
    return passThrough(element, blocks(children))
  }

  function paragraph(element: Element, marks: BookMark[] | undefined): BookBlock[] {
    const align = alignOf(element)
    const found = blocks(element.children)
    const [only] = found
    // An image alone in its line, or a formula, has become a block of its own.
    if (found.length !== 1 || only?.t !== 'p') return passThrough(element, found)
    const c = marks === undefined ? only.c : tidyRun(inlines(element.children, ['b']))
    return [named(element, { t: 'p', c, ...(align ? { align } : {}) })]
  }

  function list(element: Element, start: number | undefined): BookBlock {
    const items = element.children
      .filter((child): child is Element => child.type === 'element' && child.tagName === 'li')
      .map((item) => {
        const check = item.children.find((child) => hasClass(child, 'check')) as Element | undefined
        const rest = item.children.filter((child) => child !== check && !hasClass(child, 'note-back'))
        const made: Extract<BookBlock, { t: 'list' }>['items'][number] = { b: blocks(rest) }
        if (check) made.done = classNamesOf(check).includes('done')
        record(item, made)
        return made
      })
    return named(element, { t: 'list', ...(start === undefined ? {} : { start }), items })
  }

  function steps(element: Element): BookBlock[] {
    return element.children
      .filter((child): child is Element => child.type === 'element' && child.tagName === 'li')
      .map((step, index) => {
        const inside = blocks(step.children)
        const [first] = inside
        // The heading of a step becomes its title, and stays a target of links.
        const title = first?.t === 'h' ? first : undefined
        const part: BookBlock = {
          t: 'part',
          number: index + 1,
          title: title?.c ?? [],
          b: title ? inside.slice(1) : inside,
        }
        if (title) for (const [id, place] of reading.places) if (place === title) reading.places.set(id, part)
        return named(step, part)
      })
  }

  function figure(element: Element): BookBlock[] {
    const pictures = element.children.filter(
      (child): child is Element => child.type === 'element' && child.tagName !== 'figcaption',
    )
    const caption = elementOf(element, 'figcaption')
    const words = caption ? tidyRun(inlines(caption.children, [])) : undefined
    const shown = pictures.filter((picture) => !classNamesOf(picture).includes('only-dark'))
    const found = shown.flatMap((picture) =>
      picture.tagName === 'img' ? image(picture, words) : blocks([picture]),
    )
    if (words && !found.some((block) => block.t === 'image')) found.push({ t: 'p', c: words })
    return passThrough(element, found)
  }

  function image(element: Element, c: BookInline[] | undefined): BookBlock[] {
    const { src, alt } = imageAttributes(element)
    const key = reading.image(src)
    if (key === undefined) {
      const linked = elsewhere(src, alt)
      return linked ? [{ t: 'p', c: [linked] }] : []
    }
    const width = widthOf(element.properties.width)
    return [
      named(element, {
        t: 'image',
        src: key,
        alt,
        ...(width ? { width } : {}),
        ...(c && c.length > 0 ? { c } : {}),
      }),
    ]
  }

  /** An image that is not in the book: its description, with a link to it if it is on the web. */
  function elsewhere(src: string, alt: string): BookInline | undefined {
    const text: BookInline = { t: 's', s: alt || reading.words.image }
    if (!/^https?:/i.test(src)) return alt === '' ? undefined : text
    return link(src, [text])
  }

  function link(href: string, c: BookInline[]): BookInline {
    const node: Extract<BookInline, { t: 'a' }> = { t: 'a', c }
    reading.links.push({ node, href })
    return node
  }

  function formula(element: Element): BookBlock[] {
    const m = readMath(element)
    const source = inlineText(element)
    return [m ? { t: 'math', m, source } : { t: 'p', c: [{ t: 's', s: source, m: ['c'] }] }]
  }

  /** Inlines of phrasing content. `marks` are those around it. */
  function inlines(children: readonly ElementContent[], marks: BookMark[], tint: Tint = {}): BookInline[] {
    if (depth >= MAX_DEPTH) return []
    depth++
    const found: BookInline[] = []
    for (const child of children) for (const one of inline(child, marks, tint)) found.push(one)
    depth--
    return found
  }

  function inline(node: ElementContent, marks: BookMark[], tint: Tint): BookInline[] {
    if (node.type === 'text') {
      const s = node.value.replace(/[\t\n\r ]+/g, ' ')
      return s === '' ? [] : [{ t: 's', s, ...(marks.length > 0 ? { m: marks } : {}), ...tint }]
    }
    if (node.type !== 'element') return []
    const { tagName, children, properties } = node
    const classes = classNamesOf(node)
    if (SKIPPED.has(tagName) || classes.some((name) => SKIPPED_CLASSES.has(name))) return []
    const mark = MARKS[tagName]
    if (mark) return inlines(children, marks.includes(mark) ? marks : [...marks, mark], tint)

    switch (tagName) {
      case 'br':
        return [{ t: 'br' }]
      case 'wbr':
        return []
      case 'img':
        return inlineImage(node, classes)
      case 'math': {
        const m = readMath(node)
        const source = inlineText(node)
        return [m ? { t: 'm', m, source } : { t: 's', s: source, m: ['c'] }]
      }
      case 'a': {
        const href = properties.href ?? ''
        const inside = inlines(children, marks, tint)
        if (href === '' || inside.length === 0) return inside
        const made = link(href, inside)
        if (!classes.includes('annotation')) return [made]
        const number = /\d+$/.exec(href)?.[0] ?? ''
        return [...inside, link(href, [{ t: 's', s: number, m: ['sup'] }])]
      }
      case 'input':
        return properties.type === 'checkbox' ? [{ t: 'check', done: properties.checked === true }] : []
    }
    if (classes.includes('check')) return [{ t: 'check', done: classes.includes('done') }]
    const ink = colourIn(classes, 'ink')
    const wash = colourIn(classes, 'wash')
    const tinted = { ...tint, ...(ink ? { ink } : {}), ...(wash ? { wash } : {}) }
    const bold = classes.includes('card-label') || classes.includes('api-method')
    const inside = inlines(children, bold && !marks.includes('b') ? [...marks, 'b'] : marks, tinted)
    // The parts of a card of an operation or a link have space between them only in the style sheet.
    return SPACED.some((name) => classes.includes(name))
      ? [{ t: 's', s: ' ' }, ...inside, { t: 's', s: ' ' }]
      : inside
  }

  function inlineImage(node: Element, classes: string[]): BookInline[] {
    if (classes.includes('only-dark')) return []
    const { src, alt } = imageAttributes(node)
    const key = reading.image(src)
    if (key === undefined) {
      const one = elsewhere(src, alt)
      return one ? [one] : []
    }
    const width = widthOf(node.properties.width)
    return [
      {
        t: 'img',
        src: key,
        alt,
        ...(width && 'px' in width ? { px: width.px } : {}),
        ...(classes.includes('line-high') ? { line: true } : {}),
      },
    ]
  }

  /** Records that links to the element lead to the block. */
  function named(element: Element, block: BookBlock): BookBlock {
    record(element, block)
    return block
  }

  function record(element: Element, place: { id?: string }): void {
    const { id } = element.properties
    if (typeof id === 'string' && id !== '' && !reading.places.has(id)) reading.places.set(id, place)
  }

  /** Links to an element that is no block of the book lead to its first block. */
  function passThrough(element: Element, found: BookBlock[]): BookBlock[] {
    const [first] = found
    if (first) record(element, first)
    return found
  }
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

const SKIPPED = new Set(['script', 'style', 'template', 'svg', 'video', 'audio', 'iframe', 'colgroup'])
/** Elements that only pages of a site have: links to headings, tools, icons, lists of tabs, text for screen readers. */
const SKIPPED_CLASSES = new Set([
  'anchor',
  'code-tools',
  'hint-icon',
  'step-icon',
  'tab-list',
  'note-back',
  'unseen',
  'ui',
  'link-cover',
])
const SPACED = ['detail', 'api-path', 'api-method', 'tag', 'update-date']

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
