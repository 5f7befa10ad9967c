/**
 * The content models of HTML elements. Browsers accept any content; schemas of EPUB, and some reading systems, do not.
 * https://html.spec.whatwg.org/multipage/indices.html#elements-3
 */
import { xml, type XmlElement, type XmlNode } from './print-xml.ts'

const BLOCK_NAMES = new Set(
  'blockquote dd div dl dt figcaption figure h2 h3 h4 h5 h6 hr li ol p pre section table ul'.split(' '),
)
/** Their content may be what their parent's may be. */
const TRANSPARENT = new Set(['a', 'del', 'ins'])
/** Elements that may contain text and inline elements alone. */
const INLINE_ONLY = new Set(
  (
    'abbr b bdi bdo cite code em h2 h3 h4 h5 h6 i kbd mark p pre q rp rt ruby s samp small span strong sub sup time u ' +
    'var'
  ).split(' '),
)

const HEADINGS = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'section'])
/** Elements without headings inside. */
const NO_HEADINGS = new Set(['th', 'dt'])

/** Elements with a block inside at some depth, through elements that are transparent. */
const withBlock = new WeakSet<XmlElement>()
const withHeading = new WeakSet<XmlElement>()

/** Sets the children of an element, and corrects them and its name by its content model. Children are corrected already. */
export function fill(element: XmlElement, children: readonly XmlNode[]): XmlElement {
  const inside =
    element.name === 'ul' || element.name === 'ol' ? items(children) : ofParent(element.name, children)
  element.children = inside
  const isList = element.name === 'dl' && !isDescription(inside)
  if (isList || (element.name === 'ruby' && !isRuby(inside))) dissolve(element)
  if (element.name === 'time' && !element.attributes.has('datetime')) element.name = 'span'
  if (element.name === 'bdo' && !element.attributes.has('dir')) element.name = 'span'
  if (element.name === 'ul') for (const item of elementsIn(element)) item.attributes.delete('value')
  if (element.name === 'table') element.children = inTableOrder(elementsIn(element))
  if (NO_HEADINGS.has(element.name)) for (const child of elementsIn(element)) withoutHeadings(child)

  const hasBlock = elementsIn(element).some(isBlock)
  if (hasBlock && INLINE_ONLY.has(element.name)) rename(element, 'div')
  if (hasBlock && TRANSPARENT.has(element.name)) withBlock.add(element)
  if (HEADINGS.has(element.name) || elementsIn(element).some((child) => withHeading.has(child)))
    withHeading.add(element)
  return element
}

/** Whether an element can be only where blocks can be. */
function isBlock(element: XmlElement): boolean {
  return BLOCK_NAMES.has(element.name) || withBlock.has(element)
}

/** Items of lists, texts of ruby and captions outside of them are plain blocks and texts. */
const PARENTS: Record<string, readonly string[]> = {
  dd: ['dl'],
  dt: ['dl'],
  figcaption: ['figure'],
  li: ['ol', 'ul'],
  rp: ['ruby'],
  rt: ['ruby'],
}

function ofParent(parent: string, children: readonly XmlNode[]): XmlNode[] {
  let captions = 0
  for (const child of children) {
    if (typeof child === 'string') continue
    const wanted = PARENTS[child.name]
    const isSecondCaption = child.name === 'figcaption' && captions++ > 0
    if (wanted && (isSecondCaption || !wanted.includes(parent)))
      rename(child, child.name === 'rt' || child.name === 'rp' ? 'span' : 'div')
  }
  return [...children]
}

function items(children: readonly XmlNode[]): XmlNode[] {
  return children.map((child) => {
    if (typeof child === 'string') return isSpace(child) ? child : xml('li', {}, [child])
    return child.name === 'li' ? child : fill(xml('li'), [child])
  })
}

/** Terms first, and each followed by a description. */
function isDescription(children: readonly XmlNode[]): boolean {
  let last = 'dd'
  for (const child of children) {
    if (typeof child === 'string' && isSpace(child)) continue
    if (typeof child === 'string' || (child.name !== 'dt' && child.name !== 'dd')) return false
    if (last === '' && child.name === 'dd') return false
    last = child.name
  }
  const first = children.find((child) => typeof child !== 'string')
  return last === 'dd' && typeof first === 'object' && first.name === 'dt'
}

/** A base, and then its text. */
function isRuby(children: readonly XmlNode[]): boolean {
  const names = children.flatMap((child) =>
    typeof child === 'string' ? (isSpace(child) ? [] : 'base') : child.name,
  )
  return /^(?:(?!rt|rp)\w+ )+(?:rt |rp rt rp )$/.test(`${names.join(' ')} `) && !names.includes('ruby')
}

/** The parts of what is no list or ruby become blocks or texts. */
function dissolve(element: XmlElement): void {
  const [own, part] = element.name === 'dl' ? ['div', 'div'] : ['span', 'span']
  for (const child of elementsIn(element)) if (child.name in PARENTS) rename(child, part)
  rename(element, own)
}

const TABLE_ORDER = ['caption', 'colgroup', 'thead', 'tbody', 'tr', 'tfoot']

function inTableOrder(parts: readonly XmlElement[]): XmlElement[] {
  const seen = new Set<string>()
  for (const part of parts) {
    if (seen.has(part.name) && (part.name === 'thead' || part.name === 'tfoot')) part.name = 'tbody'
    seen.add(part.name)
  }
  const known = parts.filter(({ name }, index) =>
    name === 'caption' ? parts.findIndex((one) => one.name === name) === index : TABLE_ORDER.includes(name),
  )
  return known.toSorted((a, b) => TABLE_ORDER.indexOf(a.name) - TABLE_ORDER.indexOf(b.name))
}

function withoutHeadings(element: XmlElement): void {
  if (!withHeading.delete(element)) return
  if (HEADINGS.has(element.name)) rename(element, 'div')
  for (const child of elementsIn(element)) withoutHeadings(child)
}

/** Renames an element, and removes the attributes that only elements with the old name have. */
function rename(element: XmlElement, name: string): void {
  element.name = name
  for (const attribute of ['datetime', 'value', 'start', 'reversed', 'type'])
    element.attributes.delete(attribute)
}

/** Whether a text is white space by XML, which knows less of it than JavaScript. */
function isSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child === 'object')
}
