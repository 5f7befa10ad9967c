import { knownEmbed } from '../../web/embeds.ts'
import { attributes, type Html, html, join, nothing } from '../../text/html.ts'
import type { BlockOf, ContentRef, Length } from '../model.ts'
import { absoluteUrl, safeSource, safeUrl } from '../sanitize.ts'
import { blockId } from './code.ts'
import { anchorTo, targetIcon } from './inline.ts'
import type { LinkTarget, Renderer } from './renderer.ts'

/** One image or a gallery. */
export function renderImages(block: BlockOf<'images'>, renderer: Renderer): Html {
  const { align, fullWidth, withFrame } = block.data
  const classes = [
    'images',
    block.nodes.length > 1 && 'gallery',
    align && align !== 'center' && `align-${align}`,
    fullWidth && 'full-width',
    withFrame && 'framed',
  ]
  return html`<div class="${classes.filter(Boolean).join(' ')}" ${blockId(block)}>
    ${renderer.blocks(block.nodes)}
  </div>`
}

/** An image with its caption. */
export function renderImage(block: BlockOf<'image'>, renderer: Renderer): Html {
  const { ref, refDark, alt, width, height } = block.data
  const caption = block.fragments?.find(
    (fragment) => fragment.fragment === 'caption' || fragment.type === 'caption',
  )
  const shown = refDark
    ? html`${picture(ref, 'only-light')}${picture(refDark, 'only-dark')}`
    : picture(ref, undefined)
  const text = renderer.phrase(caption)
  return html`<figure class="image" ${blockId(block)}>
    ${shown}${String(text) ? html`<figcaption>${text}</figcaption>` : ''}
  </figure>`

  function picture(of: ContentRef, themed: string | undefined): Html {
    return (
      imageOf(of, renderer, { alt, width, height, class: themed }) ??
      html`<span class="missing">${alt || renderer.words.image}</span>`
    )
  }
}

/** An `<img>`; undefined if the reference has no image. The width that the writer set overrides the natural width. */
export function imageOf(
  ref: ContentRef,
  renderer: Renderer,
  options: { alt?: string; width?: Length; height?: Length; class?: string } = {},
): Html | undefined {
  const target = renderer.context.image(ref)
  const src = target && safeSource(target.src)
  if (!target || src === undefined) return undefined

  const width = lengthAttribute(options.width)
  const height = lengthAttribute(options.height)
  // If the writer set one dimension, the natural value of the other would distort the image.
  const natural = width === undefined && height === undefined ? target : proportional(options, target)
  return html`<img${attributes({
    class: options.class,
    src,
    alt: options.alt ?? '',
    width: width ?? natural?.width,
    height: height ?? natural?.height,
    loading: 'lazy',
    decoding: 'async',
  })}>`
}

/** A file to download. */
export function renderFile(block: BlockOf<'file'>, renderer: Renderer): Html {
  const target = renderer.context.file(block.data.ref)
  const caption = block.fragments?.find((fragment) => fragment.nodes.length > 0)
  const note = renderer.phrase(caption)
  const href = target && safeUrl(target.href)
  if (!target || href === undefined)
    return html`<p class="missing" ${blockId(block)}>${renderer.words.missingFile}</p>`

  const size = target.size === undefined ? '' : fileSize(target.size)
  return html`<div class="link-card file" ${blockId(block)}>
    <span class="ui ui-file"></span>
    <div>
      <a class="stretched" href="${href}" download>${target.name}</a
      >${size ? html` <span class="detail">${size}</span>` : ''}${String(note) ? html`<div class="detail">${note}</div>` : ''}
    </div>
  </div>`
}

/** A drawing: an image that contains its own text. */
export function renderDrawing(block: BlockOf<'drawing'>, renderer: Renderer): Html {
  if (!block.data.ref) return nothing
  const image = imageOf(block.data.ref, renderer, { alt: renderer.words.drawing })
  return html`<div class="images" ${blockId(block)}>
    <figure class="image">${image ?? html`<span class="missing">${renderer.words.drawing}</span>`}</figure>
  </div>`
}

/** A page, space or URL as a card; nothing if the reader cannot open it. */
export function renderContentRef(block: BlockOf<'content-ref'>, renderer: Renderer): Html {
  const target = renderer.context.href(block.data.ref)
  const anchor = anchorTo(target)
  if (!target || !anchor) return html``
  const title = target.title ?? (target.href === undefined ? '' : shortUrl(target.href))
  const icon = coverOf(target) ?? targetIcon(target, renderer) ?? html`<span class="ui ui-page"></span>`
  const description = target.description ? html`<div class="detail">${target.description}</div>` : ''
  return html`<div class="link-card" ${blockId(block)}>
    ${icon}
    <div><a class="stretched" ${anchor}>${title}</a>${description}</div>
    <span class="ui ${target.external ? 'ui-external' : 'ui-forward'}"></span>
  </div>`
}

/** The cover of the target of a card. It is decoration, because the title names the target. */
function coverOf(target: LinkTarget | undefined): Html | undefined {
  const { src, width, height } = target?.image ?? {}
  const safe = src === undefined ? undefined : safeSource(src)
  if (safe === undefined) return undefined
  return html`<img${attributes({ class: 'link-cover', src: safe, alt: '', width, height, loading: 'lazy', decoding: 'async' })}>`
}

/** Content at a URL: a card that links to it. Readers can start videos of known hosts in place. */
export function renderEmbed(block: BlockOf<'embed'>, renderer: Renderer): Html {
  const url = safeUrl(absoluteUrl(block.data.url))
  const caption = renderer.phrase(block.fragments?.find((fragment) => fragment.nodes.length > 0))
  const captionHtml = String(caption) ? html`<figcaption>${caption}</figcaption>` : ''
  if (url === undefined || !/^https?:/i.test(url))
    return html`<p class="missing" ${blockId(block)}>${renderer.words.noAddress}</p>`
  if (renderer.context.href({ kind: 'url', url: block.data.url })?.href === undefined) return html``

  const known = knownEmbed(url)
  const film = known?.isFilm ? known.frame : undefined
  const classes = ['embed', film && 'film', block.data.fullWidth && 'full-width'].filter(Boolean).join(' ')
  const card = html`<a class="link-card" ${attributes({ href: url, rel: 'noopener', 'data-frame': film })}
    ><span class="ui ${film ? 'ui-play' : 'ui-external'}"></span
    ><span
      ><span class="card-name">${film ? renderer.words.watchVideo : shortUrl(url)}</span>
      <span class="detail">${known?.site ?? hostOf(url)}</span></span
    ></a
  >`
  return html`<figure class="${classes}" ${blockId(block)}>${card}${captionHtml}</figure>`
}

/** A number of bytes as readers expect it: `812 B`, `4.2 kB`, `13 MB`. */
function fileSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

function lengthAttribute(length: Length | undefined): string | undefined {
  if (length === undefined) return undefined
  const { unit, value } = typeof length === 'number' ? { unit: 'px', value: length } : length
  if (!Number.isFinite(value) || value <= 0) return undefined
  return unit === '%' ? `${Math.min(value, 100)}%` : String(Math.round(value))
}

function proportional(
  given: { width?: Length; height?: Length },
  natural: { width?: number; height?: number },
): { width?: number; height?: number } | undefined {
  const width =
    typeof given.width === 'number' ? given.width : given.width?.unit === 'px' ? given.width.value : undefined
  if (!width || !natural.width || !natural.height || given.height !== undefined) return undefined
  return { height: Math.round((width * natural.height) / natural.width) }
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
}

function shortUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  const path = parsed.pathname === '/' ? '' : parsed.pathname
  const text = parsed.hostname.replace(/^www\./, '') + path
  return text.length > 64 ? `${text.slice(0, 63)}…` : text
}

/** Links to files, joined by commas. */
export function fileLinks(refs: readonly ContentRef[], renderer: Renderer): Html {
  return join(
    refs.map((ref) => {
      const target = renderer.context.file(ref)
      const href = target && safeUrl(target.href)
      return target && href !== undefined
        ? html`<a href="${href}" download>${target.name}</a>`
        : html`<span class="missing">${renderer.words.file}</span>`
    }),
    ', ',
  )
}
