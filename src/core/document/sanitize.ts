import { append } from '../data/lists.ts'
import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast'
import type { Schema } from 'hast-util-sanitize'

import { hastSanitize, hastToHtml, satteri } from '../runtime/libraries.ts'
import { type Html, raw } from '../text/html.ts'
import { isExpressionElement, shownValue } from './expression-value.ts'

const ALLOWED_SCHEMES = new Set(['http', 'https', 'mailto', 'tel'])

// Browsers drop these characters before they look for the scheme, so they must not hide a scheme from the check.
// oxlint-disable-next-line no-control-regex
const IGNORED_IN_URLS = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]/g

/** A base of another scheme than those of the web, so that `https:/host` names a host as it does on most pages. */
const NOWHERE = new URL('wss://nowhere.invalid/')

/**
 * The URL that a browser reads in a text that names a host of the web, with its scheme or without one (WHATWG URL
 * Standard): backslashes count as slashes, and line breaks do not count. Undefined for other texts.
 */
export function fullUrl(text: string): URL | undefined {
  const url = URL.parse(text, NOWHERE)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  if (url?.protocol !== NOWHERE.protocol || url.host === NOWHERE.host) return undefined
  url.protocol = 'https:'
  return url
}

/** Whether a URL names a host of the web. */
export function isFullUrl(url: string): boolean {
  return fullUrl(url) !== undefined
}

/** A URL with a scheme of the web that leads to the same place from every page: `https:/host` as `https://host/`. */
export function absoluteUrl(url: string): string {
  return /^https?:(?!\/\/)/i.test(url) ? (fullUrl(url)?.href ?? url) : url
}

/** The URL if it is relative or has the scheme http, https, mailto or tel, so that following it runs no script; otherwise undefined. */
export function safeUrl(url: string): string | undefined {
  const scheme = /^([^/?#\\:]*):/.exec(url.replace(IGNORED_IN_URLS, ''))?.[1]
  if (scheme === undefined) return url.trim()
  if (!ALLOWED_SCHEMES.has(scheme.toLowerCase())) return undefined
  return url.trim()
}

/** The URL if it can be the source of an image, a video or a sound: relative, http or https; otherwise undefined. */
export function safeSource(url: string): string | undefined {
  const safe = safeUrl(url)
  if (safe === undefined || /^\s*(?:mailto|tel):/i.test(safe)) return undefined
  return safe
}

/** Turns what is in raw HTML into what a visitor of the site sees. */
export interface RawHtmlContext {
  /** The address of a link; undefined removes the attribute. */
  href(url: string): string | undefined
  /** The address of a picture, a video or a sound; undefined removes the attribute. */
  src(url: string): string | undefined
  /** The value of an inline expression, which replaces its element. Without this, the element stays. */
  evaluate?(expression: string): unknown
  /** Whether a link opens in a new window. */
  newWindow?(url: string): boolean
}

/** Raw HTML with more tags is shown as its source, because the time to parse deeply nested tags is not linear. */
const MAX_TAGS = 5_000

const UNCHANGED: RawHtmlContext = { href: (url) => url, src: (url) => url }

/** Sanitizes raw HTML: only listed elements and attributes remain, URLs are checked, ids get a prefix, and values replace expressions. */
export function sanitizeHtml(source: string, context: RawHtmlContext = UNCHANGED): Html {
  return raw(hastToHtml().toHtml(sanitizeTree(source, context)))
}

/** Stands for a sibling in sanitized HTML, which cannot have this character: the HTML parser drops or replaces it. */
const SLOT = '\0'

/**
 * Sanitizes raw HTML that other siblings interrupt, as one piece, because an element can open before a sibling and close behind
 * it. If the HTML would not keep each sibling, such as in a `<select>`, each piece is sanitized alone.
 * @param pieces the HTML before the first of these siblings, between them and behind the last one
 * @param siblings a paragraph cannot hold blocks, so a `<p>` around blocks becomes a `<div>`
 * @returns as many sanitized pieces
 */
export function sanitizePieces(
  pieces: readonly string[],
  siblings: 'phrases' | 'blocks',
  context: RawHtmlContext,
): Html[] {
  const tree = sanitizeTree(
    pieces.reduce((all, piece, index) => `${all}<!--slot-${index}-->${piece}`),
    context,
    true,
  )
  fill(tree, siblings, new Set(pieces.slice(1).map((_, index) => index + 1)))
  const sanitized = hastToHtml().toHtml(tree, { allowDangerousHtml: true }).split(SLOT)
  if (sanitized.length === pieces.length) return sanitized.map(raw)
  return pieces.map((piece) => sanitizeHtml(piece, context))
}

// Slots are filled in the tree and not in the text: a mark inside an attribute must not become markup.
function fill(node: Nodes, siblings: 'phrases' | 'blocks', left: Set<number>): void {
  if (node.type !== 'root' && node.type !== 'element') return
  const children: Nodes[] = []
  for (const child of node.children) {
    if (child.type !== 'comment') {
      fill(child, siblings, left)
      children.push(child)
      continue
    }
    const slot = /^slot-(\d{1,6})$/.exec(child.value)?.[1]
    if (slot === undefined || !left.delete(Number(slot))) continue
    children.push({ type: 'raw', value: SLOT } as unknown as Nodes)
    if (siblings === 'blocks' && node.type === 'element' && node.tagName === 'p') node.tagName = 'div'
  }
  node.children = children as typeof node.children
}

function sanitizeTree(source: string, context: RawHtmlContext, comments = false): Nodes {
  if (source.split('<').length > MAX_TAGS)
    return { type: 'root', children: [{ type: 'text', value: source }] }

  const tree = satteri().htmlToHast(source, { fragment: true })
  if (tree.type !== 'root') return tree
  const schema = comments ? { ...SCHEMA, allowComments: true } : SCHEMA
  const clean = hastSanitize().sanitize(soften(tree, context), schema)
  finish(clean, context)
  return clean
}

/** Deeper elements become text, because the functions that walk the tree are recursive. */
const MAX_DEPTH = 100

// Runs before the allow-list: it replaces elements that have a harmless equivalent, so that their meaning is kept.
function soften<T extends Root | Element>(node: T, context: RawHtmlContext, depth = 0): T {
  return { ...node, children: node.children.flatMap((child) => softenChild(child, context, depth + 1)) }
}

function softenChild(
  child: RootContent,
  context: RawHtmlContext,
  depth: number,
): RootContent | RootContent[] {
  if (child.type !== 'element') return child
  // A tag alone has no expression: what belongs to it is beside it in the line.
  if (context.evaluate && isExpression(child) && child.children.length > 0)
    return textWithBreaks(shownValue(context.evaluate(textIn(child).trim())) ?? '')
  if (depth > MAX_DEPTH) return { type: 'text', value: textIn(child) }

  const properties = { ...child.properties }
  if (typeof properties.style === 'string') {
    const align = /(?:^|;)\s*text-align\s*:\s*(left|center|right)\s*(?:;|$)/i.exec(properties.style)?.[1]
    if (align && !properties.align) properties.align = align.toLowerCase()
  }
  const tagName = child.tagName === 'h1' ? 'h2' : child.tagName
  if (child.tagName !== 'iframe') return soften({ ...child, tagName, properties }, context, depth)

  const src = typeof properties.src === 'string' ? properties.src : ''
  const title = typeof properties.title === 'string' && properties.title ? properties.title : src
  return {
    type: 'element',
    tagName: 'a',
    properties: { href: src },
    children: [{ type: 'text', value: title }],
  }
}

function isExpression({ tagName, properties: { className } }: Element): boolean {
  return Array.isArray(className) && isExpressionElement(tagName, className)
}

/** An empty line in a value must not end the HTML in Markdown, so line breaks are elements. */
function textWithBreaks(text: string): ElementContent[] {
  return text
    .split(/\r\n?|\n/)
    .flatMap((value, i): ElementContent[] => [
      ...(i === 0 ? [] : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }]),
      { type: 'text', value },
    ])
}

function textIn(element: Element): string {
  let text = ''
  const open: Nodes[] = [element]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'text') text += node.value
    if (node.type === 'element') append(open, node.children.toReversed())
  }
  return text
}

// Runs after the allow-list: it resolves and checks addresses and adds attributes for assistive technology.
function finish(node: Nodes, urls: RawHtmlContext): void {
  if (node.type !== 'root' && node.type !== 'element') return
  if (node.type === 'element') finishElement(node, urls)
  for (const child of node.children) finish(child, urls)
}

function finishElement(element: Element, urls: RawHtmlContext): void {
  const { properties } = element
  for (const name of ['src', 'poster']) {
    const value = properties[name]
    if (value === undefined || value === null) continue
    const source = typeof value === 'string' && safeSource(value) !== undefined ? urls.src(value) : undefined
    properties[name] = source === undefined ? undefined : safeSource(source)
  }
  for (const name of ['href', 'cite']) {
    const value = properties[name]
    if (value === undefined || value === null) continue
    const target = typeof value === 'string' && safeUrl(value) !== undefined ? urls.href(value) : undefined
    properties[name] = target === undefined ? undefined : safeUrl(target)
    // A frame without a title is a link whose text is its address.
    if (properties[name] === undefined && textIn(element) === value) element.children = []
    if (name === 'href' && urls.newWindow?.(String(value))) properties.target = '_blank'
  }
  if (element.tagName === 'a' && properties.href !== undefined) properties.rel = ['noopener']
  if (element.tagName === 'img') {
    properties.alt ??= ''
    properties.loading = 'lazy'
  }
  if (element.tagName === 'video' || element.tagName === 'audio') {
    properties.controls = true
    properties.preload = 'metadata'
  }
}

const ELEMENTS = (
  'a abbr audio b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em ' +
  'figcaption figure h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp section small ' +
  'source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr'
).split(' ')

const SCHEMA: Schema = {
  tagNames: ELEMENTS,
  attributes: {
    '*': ['id', 'title', 'lang', 'dir', ['align', 'left', 'center', 'right', 'justify']],
    a: ['href'],
    audio: ['src'],
    blockquote: ['cite'],
    col: ['span', 'width'],
    colgroup: ['span'],
    del: ['dateTime'],
    details: ['open'],
    img: ['src', 'alt', 'width', 'height'],
    ins: ['dateTime'],
    li: ['value'],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    q: ['cite'],
    source: ['src'],
    table: ['border'],
    td: ['colSpan', 'rowSpan', 'vAlign', 'width'],
    th: ['colSpan', 'rowSpan', 'vAlign', 'width', 'scope'],
    time: ['dateTime'],
    video: ['src', 'poster', 'width', 'height'],
  },
  protocols: {},
  ancestors: {
    caption: ['table'],
    col: ['table'],
    colgroup: ['table'],
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
    li: ['ol', 'ul'],
    source: ['audio', 'video', 'picture'],
    summary: ['details'],
  },
  clobber: ['id'],
  clobberPrefix: 'user-content-',
  strip: [
    'script',
    'style',
    'template',
    'noscript',
    'textarea',
    'title',
    'xmp',
    'noembed',
    'noframes',
    'plaintext',
    'svg',
    'math',
    'object',
    'select',
  ],
  allowComments: false,
  allowDoctypes: false,
}

const SHOWN = new Set([...ELEMENTS, 'h1', 'iframe'])

/** Whether raw HTML keeps an element, or what it means: a frame becomes a link. */
export function isShownElement(name: string): boolean {
  return SHOWN.has(name.toLowerCase())
}
