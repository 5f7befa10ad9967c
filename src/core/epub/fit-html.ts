/**
 * Fits the HTML of a page into a book: what needs a script, a network or a mouse becomes something that needs none, and the
 * result follows the content models of HTML.
 */
import type { Element, Nodes } from 'hast'
import { classNames, fitAttributes, propertyText, validAddress } from './attributes.ts'
import { fill } from './content-models.ts'
import type { EpubProperty } from './model.ts'
import { xml, type XmlElement, type XmlNode } from './print-xml.ts'

/** The state that the elements of a page share. */
export interface Fitting {
  /** The sources of the images that are part of the book. */
  images: ReadonlySet<string>
  /** The names of others that have none of their own. */
  words: { image: string; file: string }
  /** How many links are open: there is none inside another. */
  links: number
  /** The ids of elements so far. */
  ids: Set<string>
  properties: Set<EpubProperty>
}

/** The nodes of a tree of HTML as they are in a book. */
export function fitIntoBook(nodes: readonly Nodes[], fitting: Fitting): XmlNode[] {
  return fill(xml('section'), fitAll(nodes, fitting)).children
}

function fitAll(nodes: readonly Nodes[], fitting: Fitting): XmlNode[] {
  const fitted: XmlNode[] = []
  for (const node of nodes) {
    if (node.type === 'text') fitted.push(node.value)
    if (node.type === 'element') for (const one of fitElement(node, fitting)) fitted.push(one)
  }
  return fitted
}

/** Controls, the dark one of two images, and what the style sheet of sites draws. */
const LEFT_OUT = new Set(['button', 'source', 'track'])
const CLASSES_LEFT_OUT = new Set(['tab-list', 'code-tools', 'only-dark', 'ui', 'anchor', 'unseen'])

/** Elements that have another name in a book. Readers of one cannot unfold a section. */
const RENAMED: Record<string, string> = {
  big: 'span',
  center: 'div',
  details: 'div',
  dfn: 'em',
  picture: 'span',
  strike: 's',
  summary: 'div',
  tt: 'code',
}

/** Elements of a book. The content of any other takes its place. */
const KNOWN = new Set(
  (
    'a abbr b bdi bdo blockquote br caption cite code col dd del div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i ' +
    'ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub sup table tbody td tfoot th thead ' +
    'time tr u ul var wbr'
  ).split(' '),
)

function fitElement(element: Element, fitting: Fitting): XmlNode[] {
  const { tagName } = element
  if (tagName === 'svg') return [drawing(element, fitting)]
  if (tagName === 'math') return [formula(element, fitting)]
  const classes = classNames(element)
  if (LEFT_OUT.has(tagName) || classes.some((name) => CLASSES_LEFT_OUT.has(name))) return []
  if (tagName === 'img') return image(element, fitting)
  if (tagName === 'video' || tagName === 'audio') return media(element, fitting)
  if (tagName === 'colgroup') return [columns(element)]

  if (tagName === 'a') fitting.links++
  const children = fitAll(element.children, fitting)
  if (tagName === 'a') fitting.links--
  const name = RENAMED[tagName] ?? tagName
  if (!KNOWN.has(name)) return children

  const fitted = xml(name)
  fitted.attributes = fitAttributes(name, element)
  setId(fitted, element, fitting)
  // The style sheet of a book must not set directions (EPUB 3.3, 6.3.1.1), and code reads from left to right.
  if (tagName === 'pre') fitted.attributes.set('dir', 'ltr')
  if (tagName === 'summary') fitted.attributes.set('class', 'summary')
  if (tagName === 'center') fitted.attributes.set('class', 'align-center')
  if (classes.includes('check')) children.push(classes.includes('done') ? '☑' : '☐')
  if (classes.includes('hint')) labelHint(element, children)
  if (classes.includes('annotation')) fitted.attributes.set('epub:type', 'noteref')
  if (name === 'a' && !fitted.attributes.has('href')) {
    fitted.name = 'span'
    fitted.attributes.delete('aria-label')
  }
  return [fill(fitted, children)]
}

/** The first of several elements with an id has it. */
function setId(fitted: XmlElement, { properties }: Element, { ids }: Fitting): void {
  const id = propertyText(properties.id).replace(/\s+/g, '-')
  if (id === '' || ids.has(id)) return
  ids.add(id)
  fitted.attributes.set('id', id)
}

/** Names the kind of a hint in words, unless its writer chose an icon: many reading systems show no colours. */
function labelHint(element: Element, children: XmlNode[]): void {
  const icon = children.findIndex(
    (child) => typeof child === 'object' && child.attributes.get('class') === 'hint-icon',
  )
  const drawn = children[icon]
  if (typeof drawn !== 'object') return
  if (drawn.children.some((child) => typeof child === 'object')) return
  children[icon] = xml('p', { class: 'hint-label' }, [propertyText(element.properties.ariaLabel)])
}

/** An image of the book; a link to any other, because a book cannot load it. */
function image(element: Element, fitting: Fitting): XmlNode[] {
  const { properties } = element
  const src = propertyText(properties.src)
  const alt = propertyText(properties.alt).trim()
  if (!fitting.images.has(src)) return [linkTo(src, alt || fitting.words.image, fitting)]

  const fitted = xml('img')
  fitted.attributes = fitAttributes('img', element)
  if (!fitted.attributes.has('alt')) fitted.attributes.set('alt', '')
  const [width, height] = [propertyText(properties.width), propertyText(properties.height)]
  if (/^\d{1,3}%$/.test(width)) fitted.attributes.set('style', `width: ${width}`)
  if (/^[1-9]\d{0,5}$/.test(width)) fitted.attributes.set('width', width)
  if (/^[1-9]\d{0,5}$/.test(height)) fitted.attributes.set('height', height)
  return [fitted]
}

/** A video or a sound is a link to it. */
function media({ properties, children }: Element, fitting: Fitting): XmlNode[] {
  const source = children.find(
    (child): child is Element => child.type === 'element' && child.tagName === 'source',
  )
  const src = propertyText(properties.src) || propertyText(source?.properties.src)
  return [linkTo(src, propertyText(properties.title).trim() || src || fitting.words.file, fitting)]
}

/** A link to what is not in the book; its words if there is no such address, or inside of another link. */
function linkTo(address: string, words: string, { links }: Fitting): XmlElement {
  const href = links === 0 ? validAddress(address) : ''
  return href === '' ? xml('span', { class: 'missing' }, [words]) : xml('a', { href }, [words])
}

/** The columns of a table share its width as they do on a page. */
function columns(element: Element): XmlElement {
  const widths = element.children.flatMap((child) =>
    child.type === 'element' && child.tagName === 'col' ? [propertyText(child.properties.width)] : [],
  )
  const whole = widths.every((width) => /^\d+(?:\.\d+)?$/.test(width))
    ? widths.reduce((sum, width) => sum + Number(width), 0)
    : undefined
  const cols = widths.map((width) => {
    const share = whole ? `${((Number(width) / whole) * 100).toFixed(1)}%` : width
    return xml('col', { style: /^\d{1,3}(?:\.\d+)?%$/.test(share) ? `width: ${share}` : undefined })
  })
  return xml('colgroup', {}, cols)
}

const SVG_ATTRIBUTES = ['viewBox', 'd', 'fill', 'stroke']

/** The drawing of an icon, which is the only kind that the HTML of a page contains. */
function drawing(element: Element, fitting: Fitting): XmlElement {
  fitting.properties.add('svg')
  const root = part(element)
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg')
  root.attributes.set('class', 'icon')
  root.attributes.set('aria-hidden', 'true')
  return root

  function part({ tagName, properties, children }: Element): XmlElement {
    const given = SVG_ATTRIBUTES.map((name) => [name, propertyText(properties[name]) || undefined])
    const parts = children.flatMap((child) =>
      child.type === 'element' && (child.tagName === 'path' || child.tagName === 'g') ? part(child) : [],
    )
    return xml(tagName, Object.fromEntries(given) as Record<string, string | undefined>, parts)
  }
}

/** A formula. The renderer has checked its elements and attributes. */
function formula(element: Element, fitting: Fitting): XmlElement {
  fitting.properties.add('mathml')
  const root = part(element)
  root.attributes.set('xmlns', 'http://www.w3.org/1998/Math/MathML')
  return root

  function part({ tagName, properties, children }: Element): XmlElement {
    const made = xml(tagName)
    for (const [name, value] of Object.entries(properties)) {
      const text = Array.isArray(value) ? value.join(' ') : propertyText(value)
      if (text !== '') made.attributes.set(name === 'className' ? 'class' : name.toLowerCase(), text)
    }
    made.children = children.flatMap((child): XmlNode[] =>
      child.type === 'element' ? [part(child)] : child.type === 'text' ? [child.value] : [],
    )
    return made
  }
}
