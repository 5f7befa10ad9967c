/** The part of a document that a visitor may see, which is the part that its HTML shows. */
import type { Block, ContentRef, Document, Inline, TextLeaf, Text } from './model.ts'
import { shownValue } from './expression-value.ts'
import { isAllHidden, partsOfExpandable } from './expandable.ts'
import { INCLUDE_DEPTH } from './limits.ts'
import { mapReferences } from './references.ts'
import { absoluteUrl, isFullUrl, type RawHtmlContext, safeUrl, sanitizeHtml } from './sanitize.ts'
import { ENGLISH_CONTENT } from './html/content-words.ts'
import type { RenderContext } from './html/renderer.ts'

/** Elements whose content is not text. */
const UNSEEN = /^<(script|style|template|noscript|textarea|title|svg|math|object|select)\b/i

type Row = (Text | Inline)[]

/** The part of the context that resolves the conditions, includes and references of a document for a visitor. */
export type VisibleContext = Pick<
  RenderContext,
  'href' | 'image' | 'file' | 'reusable' | 'evaluate' | 'words'
>

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
  const { words = ENGLISH_CONTENT } = context
  const rawHtml: RawHtmlContext = {
    href: (url: string) => inHtml(context.href({ kind: 'url', url })?.href),
    src: (url: string) => inHtml(context.image({ kind: 'url', url })?.src),
    evaluate: (expression) => context.evaluate(expression),
  }
  const visible = { ...document, nodes: blocks(document.nodes, INCLUDE_DEPTH) }
  return mapReferences(visible, (ref, place) => {
    if (place === 'cell-user') return { kind: 'user', user: context.href(ref)?.title ?? words.unknown }
    if (ref.kind === 'openapi') return ref
    const address = referenceAddress(ref)
    if (references === 'kept' && address !== undefined && ref.kind !== 'user') return ref
    return { kind: 'url', url: address ?? '' }
  })

  /** A caller who keeps references has no page that the addresses in raw HTML could be relative to. */
  function inHtml(href: string | undefined): string | undefined {
    return references === 'kept' && href !== undefined ? absoluteOf(href) : href
  }

  function referenceAddress(ref: ContentRef): string | undefined {
    const href =
      ref.kind === 'file' ? context.file(ref)?.href : (context.href(ref)?.href ?? context.image(ref)?.src)
    return href === undefined ? undefined : absoluteOf(href)
  }

  function leads(url: string): boolean {
    return safeUrl(url) !== undefined && context.href({ kind: 'url', url })?.href !== undefined
  }

  function absoluteOf(href: string): string | undefined {
    const safe = safeUrl(href)
    // An address that starts with `//` or `/\\` is on another host.
    return safe !== undefined && /^\/(?![/\\])/.test(safe) ? home(safe) : safe
  }

  function blocks(nodes: readonly Block[], depth: number): Block[] {
    return nodes.flatMap((block) => visibleBlock(block, depth))
  }

  function visibleBlock(block: Block, depth: number): Block[] {
    if (block.type === 'if') return context.evaluate(block.data.expression) ? blocks(block.nodes, depth) : []
    if (block.type === 'reusable-content') {
      const reusable = depth > 0 ? context.reusable(block.data.ref) : undefined
      return reusable ? blocks(reusable.nodes, depth - 1) : []
    }
    if (block.type === 'html') {
      const html = String(sanitizeHtml(block.data.html, rawHtml))
      return html.trim() === '' ? [] : [{ ...block, data: { html } }]
    }
    if (block.type === 'embed' && !leads(block.data.url)) return []
    if (block.type === 'integration' && isFullUrl(block.data.url ?? '') && !leads(block.data.url ?? ''))
      return []
    if (block.type === 'content-ref' && referenceAddress(block.data.ref) === undefined) return []
    if (block.type === 'expandable') {
      const { title, body } = partsOfExpandable(block)
      if (body && isAllHidden(body.nodes, context.evaluate)) return blocks(title?.nodes ?? [], depth)
    }

    const nodes = block.nodes && inside(block.nodes, depth)
    const fragments = block.fragments?.map((one) => ({ ...one, nodes: blocks(one.nodes, depth) }))
    const shown = withAbsoluteUrl(block)
    return [{ ...shown, ...(nodes ? { nodes } : {}), ...(fragments ? { fragments } : {}) } as Block]
  }

  function inside(nodes: readonly (Block | Text | Inline)[], depth: number): (Block | Text | Inline)[] {
    const held = nodes.filter((node) => node.object === 'block')
    if (held.length > 0) return blocks(held, depth)
    return row(nodes as Row, depth)
  }

  function row(nodes: Row, depth: number): Row {
    let unseen: string | undefined
    return nodes.flatMap((node): Row => {
      const html = node.object === 'inline' && node.type === 'inline-html' ? node.data.html : undefined
      if (unseen !== undefined) {
        if (html?.toLowerCase().startsWith(`</${unseen}`)) unseen = undefined
        return []
      }
      if (html === undefined) return node.object === 'text' ? [node] : visibleInline(node, depth)
      unseen = UNSEEN.exec(html)?.[1]?.toLowerCase()
      const tag = sanitizedTag(html)
      return tag === '' ? [] : [{ object: 'inline', type: 'inline-html', isVoid: true, data: { html: tag } }]
    })
  }

  /** One tag alone. The closing tag that the sanitizer adds is removed, because it follows later in the row. */
  function sanitizedTag(html: string): string {
    const name = /^<(\/?)([a-z][\w-]*)/i.exec(html)
    if (!name) return ''
    if (name[1] === '/') return String(sanitizeHtml(`<${name[2]}>`)) === '' ? '' : `</${name[2]}>`
    return String(sanitizeHtml(html, rawHtml)).replace(/<\/[\w-]+>$/, '')
  }

  function visibleInline(inline: Inline, depth: number): Row {
    switch (inline.type) {
      case 'inline-if':
        return context.evaluate(inline.data.expression) ? row(inline.nodes, depth) : []
      case 'expression': {
        const value = shownValue(context.evaluate(inline.data.expression))
        return value === undefined ? [] : [textNode(value)]
      }
      case 'link': {
        const nodes = row(inline.nodes, depth)
        return referenceAddress(inline.data.ref) === undefined ? nodes : [{ ...inline, nodes }]
      }
      case 'mention':
        return referenceAddress(inline.data.ref) === undefined ? [textNode(words.unknown)] : [inline]
      case 'button':
        return inline.data.ref && referenceAddress(inline.data.ref) === undefined
          ? [textNode(inline.data.label)]
          : [inline]
      case 'inline-image':
        return referenceAddress(inline.data.ref) === undefined
          ? [textNode(inline.data.alt ?? inline.data.caption ?? '')]
          : [inline]
      case 'annotation': {
        const fragments = inline.fragments?.map((one) => ({ ...one, nodes: blocks(one.nodes, depth) }))
        return [{ ...inline, nodes: row(inline.nodes, depth), ...(fragments ? { fragments } : {}) }]
      }
      default:
        return [inline]
    }
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
