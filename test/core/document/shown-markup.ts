import type { Element, Nodes } from 'hast'
import { htmlToHast } from 'satteri'
import { renderDocument } from '../../../src/core/document/html.ts'
import type { RenderContext } from '../../../src/core/document/html/renderer.ts'
import { printAddress } from '../../../src/core/document/markdown/addresses.ts'
import { parseMarkdown } from '../../../src/core/document/parse.ts'
import { sanitizeHtml } from '../../../src/core/document/sanitize.ts'

/** Elements that mark text. Their order and how often they are in one another do not count. */
const MARKS: Readonly<Record<string, string>> = {
  em: 'em',
  i: 'em',
  strong: 'strong',
  b: 'strong',
  del: 'del',
  s: 'del',
}
/** Elements around which white space is not shown. */
const BLOCKS =
  /^(?:p|heading|pre|ul|ol|li|blockquote|hr|table|thead|tbody|tr|td|th|br|div|section|details|summary)$/
/** Classes of elements that sites put around content. */
const FRAMES: ReadonlySet<string> = new Set(['raw', 'code', 'table', 'emoji', 'image'])
/** Classes of elements that sites add to content. */
const ADDED: ReadonlySet<string> = new Set(['code-tools', 'unseen', 'anchor'])

const CONTEXT: RenderContext = {
  href: (ref) => ({ href: printAddress(ref) }),
  image: (ref) => ({ src: printAddress(ref) }),
  file: () => undefined,
  reusable: () => undefined,
  highlight: () => undefined,
  evaluate: () => undefined,
  outsidePage: true,
}

/** What a site shows of Markdown. */
export function markupOfSite(markdown: string): string {
  return shownMarkup(String(renderDocument(parseMarkdown(markdown).document, CONTEXT).body))
}

/** What a site may show of the HTML of another renderer. */
export function expectedMarkup(html: string): string {
  const boxes = html.replace(/<input[^>]*>/g, (box) => (box.includes('checked=') ? '☑' : '☐'))
  return shownMarkup(String(sanitizeHtml(boxes.replaceAll('\n</code></pre>', '</code></pre>'))))
}

type Piece = { text: string; marks: string; isCode: boolean } | { tag: string; isBlock: boolean }

/**
 * What a reader sees of HTML, in one form for the HTML of a site and that of another renderer. It leaves out frames and controls
 * of sites, levels of headings, titles of links and images, and the space between the items of a list.
 */
function shownMarkup(markup: string): string {
  const pieces: Piece[] = []
  walk(htmlToHast(markup, { fragment: true }), { marks: new Set(), isCode: false, parent: '' }, pieces)
  return printed(joined(pieces))
}

interface Place {
  marks: ReadonlySet<string>
  isCode: boolean
  parent: string
}

function walk(node: Nodes, place: Place, pieces: Piece[]): void {
  if (node.type === 'text') {
    pieces.push({ text: node.value, marks: [...place.marks].toSorted().join(' '), isCode: place.isCode })
    return
  }
  if (node.type !== 'root' && node.type !== 'element') return
  const inside = (inner: Place) => {
    for (const child of node.children) walk(child, inner, pieces)
  }
  if (node.type === 'root') return inside(place)
  const { className } = node.properties
  const classes = Array.isArray(className) ? className.map(String) : []
  if (classes.some((one) => ADDED.has(one))) return
  if (classes.includes('check')) {
    pieces.push({ text: classes.includes('done') ? '☑ ' : '☐ ', marks: '', isCode: false })
    return
  }
  const mark = MARKS[node.tagName]
  if (mark !== undefined) return inside({ ...place, marks: new Set([...place.marks, mark]) })
  const name = nameOf(node, classes)
  const isFrame =
    (classes.some((one) => FRAMES.has(one)) && name !== 'code') ||
    ((name === 'p' || name === 'div') && place.parent === 'li')
  if (isFrame || node.tagName === 'figcaption')
    return node.tagName === 'figcaption' ? undefined : inside(place)
  const isBlock = BLOCKS.test(name)
  pieces.push({ tag: `<${name}${shownAttributes(node)}>`, isBlock })
  inside({
    ...place,
    isCode: name !== 'p' && (place.isCode || name === 'code' || name === 'pre'),
    parent: name,
  })
  pieces.push({ tag: `</${name}>`, isBlock })
}

function nameOf({ tagName }: Element, classes: readonly string[]): string {
  if (classes.includes('images')) return 'p'
  return /^h[1-6]$/.test(tagName) ? 'heading' : tagName
}

function shownAttributes({ tagName, properties }: Element): string {
  const address = properties.href ?? properties.src
  const parts = [
    address === undefined || address === null ? '' : ` to ${plainAddress(address)}`,
    tagName === 'img' ? ` of ${properties.alt ?? ''}` : '',
    tagName === 'ol' && Number(properties.start ?? 1) !== 1 ? ` from ${properties.start}` : '',
    tagName === 'input' && properties.checked ? ' checked' : '',
    alignment(properties),
  ]
  return parts.join('')
}

function alignment({ align, className }: Element['properties']): string {
  const named = String(className ?? '').match(/\balign-(\w+)/)?.[1]
  const written = named ?? (typeof align === 'string' ? align : 'left')
  return written === 'left' ? '' : ` ${written}`
}

/** An address in which each character is written in one way. */
function plainAddress(address: string): string {
  try {
    return encodeURI(decodeURI(address))
  } catch {
    return address
  }
}

/** Joins texts with the same marks, and removes white space that is not shown. */
function joined(pieces: readonly Piece[]): Piece[] {
  const output: Piece[] = []
  for (const piece of pieces) {
    const last = output.at(-1)
    if ('tag' in piece) output.push(piece)
    else if (last && 'text' in last && last.marks === piece.marks && last.isCode === piece.isCode)
      last.text += piece.text
    else if (piece.text !== '') output.push({ ...piece })
  }
  return output
}

function printed(pieces: readonly Piece[]): string {
  let output = ''
  for (const [index, piece] of pieces.entries()) {
    if ('tag' in piece) {
      output += piece.tag
      continue
    }
    const isBeside = (other: Piece | undefined) => !other || ('tag' in other && other.isBlock)
    let text = piece.text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    if (!piece.isCode) {
      text = text.replace(/[ \t\r\n]+/g, ' ')
      if (isBeside(pieces[index - 1])) text = text.trimStart()
      if (isBeside(pieces[index + 1])) text = text.trimEnd()
    }
    if (text.trim() === '' && isBeside(pieces[index - 1]) && isBeside(pieces[index + 1])) continue
    output += text === '' || piece.marks === '' ? text : `[${piece.marks}: ${text}]`
  }
  // A parser of HTML repeats an element that has no end in the blocks behind it.
  return output.replace(/<(a|b|p)\b[^>]*> ?<\/\1>/g, '')
}
