/** The part of a document that a visitor may see, which is the part that its HTML shows. */
import type { Block, ContentRef, Document, Inline, TextLeaf, Text } from '../model.ts'
import { isShownFor, shownValue } from '../expression-value.ts'
import { isAllHidden, partsOfExpandable } from '../expandable.ts'
import { INCLUDE_DEPTH } from '../shape/limits.ts'
import { mapReferences } from '../links/references.ts'
import {
  absoluteUrl,
  isFullUrl,
  type RawHtmlContext,
  safeUrl,
  sanitizeHtml,
  sanitizePieces,
} from '../sanitize.ts'
import { voidBlock } from '../build.ts'
import { betweenHtml, blockRuns, htmlPiece } from '../spread-elements.ts'
import { type ContentWords, ENGLISH_CONTENT } from '../html/content-words.ts'
import type { RenderContext } from '../html/renderer.ts'

/** Elements whose content is not text. */
const UNSEEN = /^<(script|style|template|noscript|textarea|title|svg|math|object|select)\b/i

type Row = (Text | Inline)[]

/** The part of the context that resolves the conditions, includes and references of a document for a visitor. */
export type VisibleContext = Pick<
  RenderContext,
  'href' | 'image' | 'file' | 'person' | 'reusable' | 'evaluate' | 'words'
>

/** The visitor for whom a document is prepared, and the form of its references. */
interface Visit {
  context: VisibleContext
  /** The words that stand for what the visitor cannot see. */
  words: ContentWords
  /** The public URL of a path on the host of the site. */
  home: (path: string) => string
  references: 'urls' | 'kept'
  /** Resolves the addresses and conditions in raw HTML. */
  rawHtml: RawHtmlContext
}

/**
 * The document with its conditions evaluated, expressions replaced by their values, included content in place, raw HTML
 * sanitized, and every reference as a URL. A reference whose target the visitor cannot see becomes text.
 * @param home returns the public URL of a path on the host of the site
 * @param references `kept`: a reference to something of the site that the visitor can see stays what it is
 */
export function visibleDocument(
  document: Document,
  context: VisibleContext,
  home: (path: string) => string,
  references: 'urls' | 'kept' = 'urls',
): Document {
  const visit = beginVisit(context, home, references)
  const visible = { ...document, nodes: visibleBlocks(visit, document.nodes, INCLUDE_DEPTH) }
  return mapReferences(visible, (ref, place) => {
    if (ref.kind === 'user') {
      const name = context.person?.(ref)
      if (references === 'kept' && name !== undefined) return ref
      if (place === 'cell-user') return { kind: 'user', user: name ?? visit.words.unknown }
    }
    if (ref.kind === 'openapi') return ref
    const address = referenceAddress(visit, ref)
    if (references === 'kept' && address !== undefined && ref.kind !== 'user') return ref
    return { kind: 'url', url: address ?? '' }
  })
}

function beginVisit(context: VisibleContext, home: Visit['home'], references: Visit['references']): Visit {
  const rawHtml: RawHtmlContext = {
    href: (url) => rawHtmlAddress(visit, context.href({ kind: 'url', url })?.href),
    src: (url) => rawHtmlAddress(visit, context.image({ kind: 'url', url })?.src),
    evaluate: (expression) => context.evaluate(expression),
  }
  const visit: Visit = { context, home, references, words: context.words ?? ENGLISH_CONTENT, rawHtml }
  return visit
}

/** A caller who keeps references has no page that the addresses in raw HTML could be relative to. */
function rawHtmlAddress(visit: Visit, href: string | undefined): string | undefined {
  return visit.references === 'kept' && href !== undefined ? siteAddress(visit, href) : href
}

function referenceAddress(visit: Visit, ref: ContentRef): string | undefined {
  const href =
    ref.kind === 'file'
      ? visit.context.file(ref)?.href
      : (visit.context.href(ref)?.href ?? visit.context.image(ref)?.src)
  return href === undefined ? undefined : siteAddress(visit, href)
}

function isReachable(visit: Visit, url: string): boolean {
  return safeUrl(url) !== undefined && visit.context.href({ kind: 'url', url })?.href !== undefined
}

function siteAddress(visit: Visit, href: string): string | undefined {
  const safe = safeUrl(href)
  // An address that starts with `//` or `/\\` is on another host.
  return safe !== undefined && /^\/(?![/\\])/.test(safe) ? visit.home(safe) : safe
}

function visibleBlocks(visit: Visit, nodes: readonly Block[], depth: number): Block[] {
  return blockRuns(nodes).flatMap(({ blocks, isSpread }) =>
    isSpread
      ? visibleSpread(visit, blocks, depth)
      : blocks.flatMap((block) => visibleBlock(visit, block, depth)),
  )
}

/** Blocks that share an element of raw HTML: its tags stay around those that the visitor may see. */
function visibleSpread(visit: Visit, nodes: readonly Block[], depth: number): Block[] {
  const { pieces, others } = betweenHtml(nodes, htmlPiece)
  return sanitizePieces(pieces, 'blocks', visit.rawHtml).flatMap((piece, index) => {
    const other = others[index]
    return [...visibleHtml(String(piece).trim()), ...(other ? visibleBlock(visit, other, depth) : [])]
  })
}

function visibleHtml(html: string): Block[] {
  return html === '' ? [] : [voidBlock('html', { html })]
}

function visibleBlock(visit: Visit, block: Block, depth: number): Block[] {
  if (block.type === 'if')
    return isShownFor(block.data.expression, visit.context) ? visibleBlocks(visit, block.nodes, depth) : []
  if (block.type === 'reusable-content') {
    const reusable = depth > 0 ? visit.context.reusable(block.data.ref) : undefined
    return reusable ? visibleBlocks(visit, reusable.nodes, depth - 1) : []
  }
  if (block.type === 'html') {
    const html = String(sanitizeHtml(block.data.html, visit.rawHtml))
    return html.trim() === '' ? [] : [{ ...block, data: { html } }]
  }
  if (block.type === 'embed' && !isReachable(visit, block.data.url)) return []
  if (
    block.type === 'integration' &&
    isFullUrl(block.data.url ?? '') &&
    !isReachable(visit, block.data.url ?? '')
  )
    return []
  if (block.type === 'content-ref' && referenceAddress(visit, block.data.ref) === undefined) return []
  if (block.type === 'expandable') {
    const { title, body } = partsOfExpandable(block)
    if (body && isAllHidden(body.nodes, visit.context)) return visibleBlocks(visit, title?.nodes ?? [], depth)
  }

  const nodes = block.nodes && visibleNodes(visit, block.nodes, depth)
  const fragments = block.fragments?.map((one) => ({ ...one, nodes: visibleBlocks(visit, one.nodes, depth) }))
  const shown = withAbsoluteUrl(block)
  return [{ ...shown, ...(nodes ? { nodes } : {}), ...(fragments ? { fragments } : {}) } as Block]
}

function visibleNodes(
  visit: Visit,
  nodes: readonly (Block | Text | Inline)[],
  depth: number,
): (Block | Text | Inline)[] {
  const held = nodes.filter((node) => node.object === 'block')
  if (held.length > 0) return visibleBlocks(visit, held, depth)
  return visibleRow(visit, nodes as Row, depth)
}

function visibleRow(visit: Visit, nodes: Row, depth: number): Row {
  let unseen: string | undefined
  return nodes.flatMap((node): Row => {
    const html = node.object === 'inline' && node.type === 'inline-html' ? node.data.html : undefined
    if (unseen !== undefined) {
      if (html?.toLowerCase().startsWith(`</${unseen}`)) unseen = undefined
      return []
    }
    if (html === undefined) return node.object === 'text' ? [node] : visibleInline(visit, node, depth)
    unseen = UNSEEN.exec(html)?.[1]?.toLowerCase()
    const tag = sanitizedTag(visit, html)
    return tag === '' ? [] : [{ object: 'inline', type: 'inline-html', isVoid: true, data: { html: tag } }]
  })
}

/** One tag alone. The closing tag that the sanitizer adds is removed, because it follows later in the row. */
function sanitizedTag(visit: Visit, html: string): string {
  const name = /^<(\/?)([a-z][\w-]*)/i.exec(html)
  if (!name) return ''
  if (name[1] === '/') return String(sanitizeHtml(`<${name[2]}>`)) === '' ? '' : `</${name[2]}>`
  return String(sanitizeHtml(html, visit.rawHtml)).replace(/<\/[\w-]+>$/, '')
}

function visibleInline(visit: Visit, inline: Inline, depth: number): Row {
  switch (inline.type) {
    case 'inline-if':
      return isShownFor(inline.data.expression, visit.context) ? visibleRow(visit, inline.nodes, depth) : []
    case 'expression': {
      const value = shownValue(visit.context.evaluate(inline.data.expression))
      return value === undefined ? [] : [textNode(value)]
    }
    case 'link': {
      const nodes = visibleRow(visit, inline.nodes, depth)
      return referenceAddress(visit, inline.data.ref) === undefined ? nodes : [{ ...inline, nodes }]
    }
    case 'mention': {
      const { ref } = inline.data
      const name = visit.context.person?.(ref)
      if (name !== undefined) return [visit.references === 'kept' ? inline : textNode(name)]
      return referenceAddress(visit, ref) === undefined ? [textNode(visit.words.unknown)] : [inline]
    }
    case 'button':
      return inline.data.ref && referenceAddress(visit, inline.data.ref) === undefined
        ? [textNode(inline.data.label)]
        : [inline]
    case 'inline-image':
      return referenceAddress(visit, inline.data.ref) === undefined
        ? [textNode(inline.data.alt ?? inline.data.caption ?? '')]
        : [inline]
    case 'annotation': {
      const fragments = inline.fragments?.map((one) => ({
        ...one,
        nodes: visibleBlocks(visit, one.nodes, depth),
      }))
      return [
        { ...inline, nodes: visibleRow(visit, inline.nodes, depth), ...(fragments ? { fragments } : {}) },
      ]
    }
    default:
      return [inline]
  }
}

function withAbsoluteUrl(block: Block): Block {
  if (block.type === 'embed') return { ...block, data: { ...block.data, url: absoluteUrl(block.data.url) } }
  if (block.type !== 'integration' || block.data.url === undefined) return block
  return { ...block, data: { ...block.data, url: absoluteUrl(block.data.url) } }
}

function textNode(text: string): Text {
  const leaf: TextLeaf = { object: 'leaf', text, marks: [] }
  return { object: 'text', leaves: [leaf] }
}
