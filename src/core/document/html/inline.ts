import { attributes, type Html, html, join, nothing } from '../../text/html.ts'
import type { Inline, InlineOf, InlineType, TextLeaf, Mark, Text } from '../model.ts'
import { isShownFor, shownValue } from '../expression-value.ts'
import { type RawHtmlContext, safeSource, safeUrl, sanitizeHtml, sanitizePieces } from '../sanitize.ts'
import { math } from './math.ts'
import type { LinkTarget, Renderer } from './renderer.ts'
import { betweenHtml } from '../spread-elements.ts'
import { meantByVague } from './vague-links.ts'

type InlineRenderers = { [T in InlineType]: (inline: InlineOf<T>, renderer: Renderer) => Html }

/** Text and inlines in a row, as phrasing content. */
export function renderInlines(nodes: readonly (Text | Inline)[], renderer: Renderer): Html {
  const render = (node: Text | Inline) =>
    node.object === 'text' ? renderText(node) : renderInline(node, renderer)
  if (!nodes.some(isInlineHtml)) return join(nodes.map(render))

  const { pieces, others } = betweenHtml(nodes, (node) => (isInlineHtml(node) ? node.data.html : undefined))
  const shown = others.map(render)
  const sanitized = sanitizePieces(pieces, 'phrases', rawHtmlContext(renderer))
  return join(sanitized.map((piece, index) => [piece, shown[index]]))
}

/** The text of inline nodes without any markup. */
export function inlinePlainText(nodes: readonly (Text | Inline)[]): string {
  return nodes
    .map((node) => {
      if (node.object === 'text') return node.leaves.map((leaf) => leaf.text).join('')
      if (node.type === 'emoji') return emojiCharacter(node.data.code)
      if (node.type === 'inline-if') return ''
      if (node.type === 'button') return node.data.label
      if (node.type === 'inline-image') return node.data.alt ?? ''
      if (node.type === 'inline-math') return node.data.formula
      return node.nodes ? inlinePlainText(node.nodes) : ''
    })
    .join('')
}

/** A leaf with its marks around it. */
export function renderLeaf(leaf: TextLeaf, content: Html = lines(leaf.text)): Html {
  if (leaf.text === '') return nothing
  const marks = leaf.marks.length > 1 ? leaf.marks.toSorted((a, b) => rankOf(a) - rankOf(b)) : leaf.marks
  return marks.reduce(
    (inner, mark) => (Object.hasOwn(MARKS, mark.type) ? MARKS[mark.type](inner, mark) : inner),
    content,
  )
}

// Code is innermost, so that bold code is `<strong><code>`; colour is outermost.
function rankOf(mark: Mark): number {
  return mark.type === 'code' ? 0 : mark.type === 'color' ? 2 : 1
}

/** The emoji of a code such as `1f3e0` or `1f1e9-1f1ea`; any other text is returned as it is. */
export function emojiCharacter(code: string): string {
  const points = code.split(/[-_\s]+/).map((part) => Number.parseInt(part, 16))
  const valid =
    /^[0-9a-f]{2,6}(?:[-_\s]+[0-9a-f]{2,6})*$/i.test(code) && points.every((point) => point <= 0x10ffff)
  return valid ? points.map((point) => String.fromCodePoint(point)).join('') : code
}

/** The attributes of an `<a>` to a target; undefined if the target does not exist or has an unsafe address. */
export function anchorTo(target: LinkTarget | undefined): Html | undefined {
  if (!target || target.missing || target.href === undefined) return undefined
  const href = safeUrl(target.href)
  if (href === undefined) return undefined
  return attributes({
    href,
    rel: target.external ? 'noopener' : undefined,
    target: target.newWindow ? '_blank' : undefined,
  })
}

/** Resolves the addresses and expressions in raw HTML as those of other blocks. */
export function rawHtmlContext({ context }: Renderer): RawHtmlContext {
  return {
    href: (url) => context.href({ kind: 'url', url })?.href,
    src: (url) => context.image({ kind: 'url', url })?.src,
    newWindow: (url) => context.href({ kind: 'url', url })?.newWindow ?? false,
    evaluate: (expression) => context.evaluate(expression),
  }
}

function renderText(text: Text): Html {
  return join(text.leaves.map((leaf) => renderLeaf(leaf)))
}

function renderInline<T extends InlineType>(inline: InlineOf<T>, renderer: Renderer): Html {
  if (!Object.hasOwn(INLINES, inline.type)) return nothing
  const render: InlineRenderers[T] = INLINES[inline.type as T]
  return render(inline, renderer)
}

function isInlineHtml(node: Text | Inline): node is InlineOf<'inline-html'> {
  return node.object === 'inline' && node.type === 'inline-html'
}

function lines(text: string): Html {
  if (!text.includes('\n')) return html`${text}`
  return join(
    text.split('\n').map((line) => html`${line}`),
    '<br>',
  )
}

const COLOURS = new Set(
  'default green blue red orange yellow purple pink violet cyan primary tint info success warning danger'.split(
    ' ',
  ),
)

/** The class of a named colour, with or without the `$` of theme colours. Other colours have none: pages have no inline styles. */
export function colourClass(prefix: 'ink' | 'wash', colour: string | undefined): string | undefined {
  const name = colour?.replace(/^\$/, '')
  return name !== undefined && name !== 'default' && COLOURS.has(name) ? `${prefix}-${name}` : undefined
}

const MARKS: Record<Mark['type'], (inner: Html, mark: Mark) => Html> = {
  bold: (inner) => html`<strong>${inner}</strong>`,
  italic: (inner) => html`<em>${inner}</em>`,
  code: (inner) => html`<code>${inner}</code>`,
  keyboard: (inner) => html`<kbd>${inner}</kbd>`,
  strikethrough: (inner) => html`<s>${inner}</s>`,
  superscript: (inner) => html`<sup>${inner}</sup>`,
  subscript: (inner) => html`<sub>${inner}</sub>`,
  color(inner, mark) {
    if (mark.type !== 'color') return inner
    const ink = colourClass('ink', mark.data.text)
    const wash = colourClass('wash', mark.data.background)
    if (wash) return html`<mark class="${[wash, ink].filter(Boolean).join(' ')}">${inner}</mark>`
    return ink ? html`<span class="${ink}">${inner}</span>` : inner
  },
}

/** A URL, or the address of a space, or of a page or file by its id. */
const ADDRESS =
  /^(?:https?:\/\/\S+|\/spaces\/\w{20,26}|(?:\/spaces\/\w{20,26})?\/(?:pages|files)\/\w{20,26}(?:#\S*)?)$/

const INLINES: InlineRenderers = {
  link(inline, renderer) {
    const target = renderer.context.href(inline.data.ref)
    const anchor = anchorTo(target)
    const content = renderer.inlines(inline.nodes)
    if (!anchor) return html`<span class="missing" title="${renderer.words.missingTarget}">${content}</span>`

    const words = inlinePlainText(inline.nodes).trim()
    // An address is no name for a page that has a title.
    if (target?.title !== undefined && ADDRESS.test(words)) return html`<a${anchor}>${target.title}</a>`
    if (words !== '') {
      const meant = target && !renderer.context.outsidePage ? meantByVague(words, target) : undefined
      return html`<a${anchor}>${content}${meant === undefined ? nothing : html`<span class="unseen"> (${meant})</span>`}</a>`
    }
    // A link without words, such as a link around an image, still needs a name.
    const label = target?.title ?? target?.href
    return html`<a${anchor}${attributes({ 'aria-label': label })}>${String(content) === '' ? label : content}</a>`
  },

  mention(inline, renderer) {
    const person = renderer.context.person?.(inline.data.ref)
    if (person !== undefined) return html`<span class="mention">${person}</span>`
    const target = renderer.context.href(inline.data.ref)
    const title = target?.title ?? target?.href ?? renderer.words.unknown
    const anchor = anchorTo(target)
    if (!anchor) return html`<span class="mention missing">${title}</span>`
    return html`<a class="mention" ${anchor}>${targetIcon(target, renderer)}${title}</a>`
  },

  emoji: (inline) => html`<span class="emoji">${emojiCharacter(inline.data.code)}</span>`,

  icon(inline, renderer) {
    const icon = renderer.icon(inline.data.icon)
    const colour = colourClass('ink', inline.data.color)
    return icon && colour ? html`<span class="${colour}">${icon}</span>` : (icon ?? nothing)
  },

  'inline-image'(inline, renderer) {
    const { ref, refDark, alt, caption, size } = inline.data
    const light = inlineImage(ref, refDark ? 'only-light' : '')
    if (!refDark) return light
    return html`${light}${inlineImage(refDark, 'only-dark')}`

    function inlineImage(imageRef: typeof ref, themed: string): Html {
      const target = renderer.context.image(imageRef)
      const src = target && safeSource(target.src)
      if (!target || src === undefined)
        return html`<span class="missing">${alt ?? caption ?? renderer.words.image}</span>`
      const classes = ['inline-image', size === 'line' ? 'line-high' : '', themed].filter(Boolean).join(' ')
      return html`<img${attributes({ class: classes, src, alt: alt ?? '', title: caption, width: size === 'line' ? undefined : target.width, height: size === 'line' ? undefined : target.height, loading: 'lazy', decoding: 'async' })}>`
    }
  },

  'inline-math': (inline, renderer) => math(inline.data.formula, false, renderer),

  expression(inline, renderer) {
    const value = shownValue(renderer.context.evaluate(inline.data.expression))
    return value === undefined ? nothing : lines(value)
  },

  annotation(inline, renderer) {
    const body = inline.fragments?.find((fragment) => fragment.nodes.length > 0)
    const content = renderer.inlines(inline.nodes)
    if (!body) return content
    return html`<a${renderer.noteLink(body.nodes)}>${content}</a>`
  },

  button(inline, renderer) {
    const { label, kind, icon, ref, action } = inline.data
    const classes = `button ${kind === 'secondary' ? 'secondary' : 'primary'}`
    const content = html`${renderer.icon(icon)}${label}`
    const anchor = ref && anchorTo(renderer.context.href(ref))
    if (anchor) return html`<a class="${classes}" ${anchor}>${content}</a>`
    if (!action) return html`<span class="${classes} inactive">${content}</span>`
    const query = action.action === 'select' ? action.slug : action.query
    return html`<button${attributes({ type: 'button', class: classes, 'data-action': action.action, 'data-query': query })}>${content}</button>`
  },

  'inline-if': ({ data, nodes }, renderer) =>
    isShownFor(data.expression, renderer.context) ? renderer.inlines(nodes) : nothing,

  'inline-html': (inline, renderer) => sanitizeHtml(inline.data.html, rawHtmlContext(renderer)),
}

/** The emoji or icon of the target of a link. */
export function targetIcon(target: LinkTarget | undefined, renderer: Renderer): Html | undefined {
  if (target?.emoji)
    return html`<span class="emoji" aria-hidden="true">${emojiCharacter(target.emoji)}</span>`
  return renderer.icon(target?.icon)
}
