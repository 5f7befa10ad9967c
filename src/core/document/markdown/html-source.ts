import { decodeEntities } from './entities.ts'
import { isExpressionElement } from '../expression-value.ts'

/** An element of HTML between two offsets, with its content. */
export interface HtmlElement<Child = HtmlNode> {
  type: 'element'
  name: string
  /** Names in lower case, values decoded; an attribute without a value is ''. */
  attributes: Map<string, string>
  /** The tags as written; `close` is '' for an element that has none, such as `<br>`. */
  open: string
  close: string
  start: number
  end: number
  children: Child[]
}

/** The characters are as written, not decoded. A `tag` is an opening or closing tag without a partner. */
export interface HtmlLeaf {
  type: 'characters' | 'comment' | 'tag'
  /** The name of the element, for a tag. */
  name: string
  source: string
  start: number
  end: number
}

export type HtmlNode = HtmlElement | HtmlLeaf

interface Token {
  type: 'text' | 'comment' | 'open' | 'close' | 'void'
  name: string
  start: number
  end: number
  /** The index of the matching tag. */
  pair?: number
}

const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
])
/** Elements whose content is raw text. */
const RAW = new Set(['script', 'style', 'textarea'])
/** Elements nested more deeply than this stay tags. */
const DEEPEST = 60

/**
 * Reads HTML into a tree that preserves the source. It never closes an element that the author did not close: a tag
 * without a partner stays a tag. It runs in linear time and never throws.
 */
export function readHtml(html: string): HtmlNode[] {
  const tokens = tokenize(html)
  pairUp(tokens)

  const root: HtmlNode[] = []
  const open: HtmlElement[] = []
  for (const token of tokens) {
    const siblings = open.at(-1)?.children ?? root
    const source = html.slice(token.start, token.end)
    if (token.type === 'close' && token.pair !== undefined) {
      const element = open.pop()
      if (element) Object.assign(element, { close: source, end: token.end })
      continue
    }
    if (token.type === 'void' || (token.type === 'open' && token.pair !== undefined)) {
      const element = tokenElement(token, source)
      siblings.push(element)
      if (token.type === 'open') open.push(element)
      continue
    }
    const type = token.type === 'text' ? 'characters' : token.type === 'comment' ? 'comment' : 'tag'
    siblings.push({ type, name: token.name, source, start: token.start, end: token.end })
  }
  return root
}

/** The tag, comment or text of one string that holds exactly one of them, as Markdown's inline HTML does. */
export function readTagSource(
  source: string,
): { type: Token['type']; name: string; attributes: Map<string, string> } | undefined {
  const [token, ...others] = tokenize(source)
  if (!token || others.length > 0) return undefined
  return { type: token.type, name: token.name, attributes: readAttributes(source) }
}

/** The elements whose tags begin a block of HTML in Markdown (CommonMark 0.31, the sixth kind): most hold blocks. */
const CONTAINERS = new Set(
  'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem meta nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul'.split(
    ' ',
  ),
)
const TAG_START = /^<(\/?)([a-z][a-z0-9]{0,20})(?=[\s/>]|$)/i

/** The tag of an element that can hold blocks, at the beginning of a text. Returns undefined for other texts. */
export function containerTag(text: string): { name: string; closes: boolean } | undefined {
  const [, slash, name = ''] = TAG_START.exec(text) ?? []
  return CONTAINERS.has(name.toLowerCase()) ? { name: name.toLowerCase(), closes: slash === '/' } : undefined
}

/**
 * The text of HTML as a reader sees it. Tags are removed, references are decoded, and `<br>` and block ends become line
 * breaks. The source of an inline expression is left out.
 */
export function htmlText(html: string): string {
  let text = ''
  let hidden = false
  let inExpression = false
  for (const token of tokenize(html)) {
    if (token.name === 'code')
      inExpression = token.type === 'open' && isExpressionTag(html.slice(token.start, token.end))
    if (inExpression) continue
    if (RAW.has(token.name) && token.name !== 'textarea') hidden = token.type === 'open'
    else if (token.type === 'text' && !hidden) text += html.slice(token.start, token.end)
    else if (/^(?:br|p|div|li|tr|h[1-6]|td|th|dt|dd|option)$/.test(token.name))
      text += token.type === 'open' ? '' : '\n'
  }
  return decodeEntities(text)
}

/** Whether the tag of an element makes it an inline expression. */
export function isExpressionTag(tag: string): boolean {
  return /^<code[\s/>]/i.test(tag) && isExpression({ name: 'code', attributes: readAttributes(tag) })
}

/** Whether an element is an inline expression. */
export function isExpression({ name, attributes }: Pick<HtmlElement, 'name' | 'attributes'>): boolean {
  return isExpressionElement(name, (attributes.get('class') ?? '').split(/\s+/))
}

/** The offset after the `>` that ends a tag; -1 if the tag does not end. */
function endOfTag(html: string, start: number): number {
  let quote = ''
  for (let at = start; at < html.length; at += 1) {
    const char = html[at] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '>') return at + 1
    else if ((char === '"' || char === "'") && html[at - 1]?.match(/[=\s]/)) quote = char
  }
  return -1
}

function tokenize(html: string): Token[] {
  const tokens: Token[] = []
  const lower = lowerCase(html)
  const start = /<(?:!--|[!?]|(\/?)([A-Za-z][^\s/>]*))/g
  let done = 0
  const add = (type: Token['type'], name: string, from: number, to: number) => {
    if (from > done) tokens.push({ type: 'text', name: '', start: done, end: from })
    tokens.push({ type, name, start: from, end: to })
    done = to
    start.lastIndex = to
  }

  for (let match = start.exec(html); match; match = start.exec(html)) {
    const [sign, slash, written] = match
    if (written === undefined) {
      const [closing, least] = sign === '<!--' ? ['-->', 4] : ['>', 2]
      const end = html.indexOf(closing, match.index + least)
      // As in a browser, a comment without an end goes to the end of the text.
      add('comment', '', match.index, end === -1 ? html.length : end + closing.length)
      continue
    }
    const end = endOfTag(html, match.index + sign.length)
    if (end === -1) break
    const name = written.toLowerCase()
    const alone = VOID.has(name) || (slash === '' && html[end - 2] === '/')
    add(slash === '/' ? 'close' : alone ? 'void' : 'open', name, match.index, end)

    if (slash === '' && RAW.has(name)) {
      const closing = lower().indexOf(`</${name}`, end)
      start.lastIndex = closing === -1 ? html.length : closing
      if (closing === -1) break
    }
  }
  if (done < html.length) tokens.push({ type: 'text', name: '', start: done, end: html.length })
  return tokens
}

/** Returns the text in lower case, computed on first use. */
function lowerCase(html: string): () => string {
  let lower: string | undefined
  return () => (lower ??= html.toLowerCase())
}

/** Pairs each closing tag with the nearest opening tag of its name. Unclosed tags between them stay single. */
function pairUp(tokens: Token[]): void {
  const open: number[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)

  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open') {
      open.push(index)
      count(token.name, 1)
    }
    if (token.type !== 'close' || !counts.get(token.name)) continue
    for (let opener = open.pop(); opener !== undefined; opener = open.pop()) {
      const other = tokens[opener] as Token
      count(other.name, -1)
      if (other.name !== token.name) continue
      if (open.length < DEEPEST)
        Object.assign(other, { pair: index }) && Object.assign(token, { pair: opener })
      break
    }
  }
}

function tokenElement(token: Token, open: string): HtmlElement {
  const attributes = readAttributes(open)
  return {
    type: 'element',
    name: token.name,
    attributes,
    open,
    close: '',
    start: token.start,
    end: token.end,
    children: [],
  }
}

function readAttributes(tag: string): Map<string, string> {
  const attributes = new Map<string, string>()
  const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
  attribute.lastIndex = tag.search(/[\s/]/) === -1 ? tag.length : tag.search(/[\s]/)
  if (attribute.lastIndex < 1) return attributes

  for (let match = attribute.exec(tag); match; match = attribute.exec(tag)) {
    const [, name = '', ...values] = match
    const value = values.find((one) => one !== undefined) ?? ''
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), decodeEntities(value))
  }
  return attributes
}
