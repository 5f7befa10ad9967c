/** Reads HTML and XML to a plain tree, in linear time. It resolves no entities but those of HTML or the five of XML. */
import { because } from '../../languages/reasons.ts'
import { append, needLast } from '../../data/lists.ts'
import { htmlParser } from '../../runtime/libraries.ts'
import { ImportRefused } from '../../repository/refused.ts'

/** An element, with its name in lower case and the values of its attributes. */
export interface MarkupElement {
  name: string
  attributes: Record<string, string>
  children: MarkupNode[]
  /** Whether it or an element in it is a block. */
  holdsBlocks: boolean
}

/** An element, or text with its entities resolved. */
export type MarkupNode = MarkupElement | string

/** The limits of one page or document. An element that exceeds them refuses the import. */
const MARKUP_LIMITS = {
  /** Of elements in one another. Real pages have 20 to 60. */
  depth: 500,
  elements: 500_000,
}

const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html iframe li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul video audio'.split(
    ' ',
  ),
)

/** Reads one file of HTML, or of XML. @throws ImportRefused if it is nested too deeply or has too many elements */
export function readMarkup(source: string, path: string, kind: 'html' | 'xml' = 'html'): MarkupElement {
  const root: MarkupElement = { name: '', attributes: {}, children: [], holdsBlocks: true }
  const open = [root]
  let elements = 0
  const { Parser } = htmlParser()
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1
        if (open.length > MARKUP_LIMITS.depth)
          throw new ImportRefused(
            because('import-elements-too-deep', { path, limit: MARKUP_LIMITS.depth }),
            path,
          )
        if (elements > MARKUP_LIMITS.elements)
          throw new ImportRefused(
            because('import-too-many-elements', { path, limit: MARKUP_LIMITS.elements }),
            path,
          )
        const element: MarkupElement = { name, attributes, children: [], holdsBlocks: false }
        needLast(open).children.push(element)
        open.push(element)
        if (!BLOCKS.has(name)) return
        // Marked elements are in marked elements, so this loop ends at the first one.
        for (let at = open.length - 1; at > 0; at -= 1) {
          const one = open[at]
          if (!one || one.holdsBlocks) break
          one.holdsBlocks = true
        }
      },
      ontext(text) {
        const { children } = needLast(open)
        const last = children.length - 1
        if (typeof children[last] === 'string') children[last] += text
        else children.push(text)
      },
      onclosetag() {
        if (open.length > 1) open.pop()
      },
    },
    { xmlMode: kind === 'xml', decodeEntities: true, recognizeCDATA: true },
  )
  parser.write(source)
  parser.end()
  return root
}

/** True for an element, of this name if one is given. */
export function isElement(node: MarkupNode | undefined, name?: string): node is MarkupElement {
  return typeof node === 'object' && (name === undefined || node.name === name)
}

/** The name of an element of XML without its prefix. */
export function localName({ name }: MarkupElement): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The elements below an element that a test accepts, in order. It does not look into those that it accepts. */
export function findAll(root: MarkupElement, accepts: (element: MarkupElement) => boolean): MarkupElement[] {
  const found: MarkupElement[] = []
  const open: MarkupNode[] = [...root.children].toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') continue
    if (accepts(node)) found.push(node)
    else append(open, node.children.toReversed())
  }
  return found
}

/** The first element below an element that a test accepts. */
export function findFirst(
  root: MarkupElement,
  accepts: (element: MarkupElement) => boolean,
): MarkupElement | undefined {
  const open: MarkupNode[] = [...root.children].toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') continue
    if (accepts(node)) return node
    append(open, node.children.toReversed())
  }
  return undefined
}

/** The text of nodes as written, with line breaks for `<br>`. */
export function textIn(nodes: readonly MarkupNode[]): string {
  const texts: string[] = []
  const open = nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') texts.push(node)
    else if (node.name === 'br') texts.push('\n')
    else if (!isDropped(node)) for (const child of node.children.toReversed()) open.push(child)
  }
  return texts.join('')
}

/** The text of nodes on one line, with single spaces. */
export function phraseIn(nodes: readonly MarkupNode[]): string {
  return textIn(nodes).replace(/\s+/g, ' ').trim()
}

const DROPPED = new Set(
  'script style noscript template head title meta link base object applet embed canvas svg button select textarea input dialog map datalist param track nav'.split(
    ' ',
  ),
)

/** True for what is not content: scripts, styles, controls, navigation, and hidden elements. */
export function isDropped({ name, attributes }: MarkupElement): boolean {
  return DROPPED.has(name) || attributes['aria-hidden'] === 'true' || DROPPED_ROLES.has(attributes.role ?? '')
}

const DROPPED_ROLES = new Set(['navigation', 'search', 'banner', 'contentinfo', 'tablist', 'dialog'])

/** The classes of an element, in lower case. */
export function markupClassesOf({ attributes }: MarkupElement): string[] {
  return (attributes.class ?? '').toLowerCase().split(/\s+/).filter(Boolean)
}

/** True if an element has the class. */
export function hasMarkupClass(element: MarkupElement, name: string): boolean {
  return markupClassesOf(element).includes(name)
}
