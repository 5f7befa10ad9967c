/** Makes the file of a page of a book. */
import { renderDocument } from '../document/html.ts'
import { anchorFinder } from '../document/html/anchors.ts'
import { emojiCharacter } from '../document/html/inline.ts'
import type { LinkTarget, RenderContext } from '../document/html/renderer.ts'
import { unconditionalText } from '../document/markdown/reading.ts'
import type { ContentRef } from '../document/model.ts'
import type { VisibleContext } from '../document/shown/visible.ts'
import { satteri } from '../runtime/libraries.ts'
import { openDescribed } from '../reading/body.ts'
import { withoutForbidden } from '../text/xml.ts'
import { imagePathOf } from './images.ts'
import { fitIntoBook, type Fitting } from './fit-html.ts'
import type { EpubPage, EpubPageFile, EpubPageTask } from './model.ts'
import { printXmlFile, xml, type XmlElement, type XmlNode } from './print-xml.ts'
import { archived } from '../zip/zip.ts'

/** A page with more markup, in UTF-16 units, is set as plain text. */
const MOST_MARKUP = 10_000_000
/** A page that is set as plain text has so many characters of it. */
const MOST_PLAIN = 200_000

/** The words and drawings that a page has besides its content. */
export type EpubLook = Required<Pick<RenderContext, 'words' | 'language' | 'icon' | 'highlight'>>

/** Makes the file of a page. @throws if the page has too much markup */
export function makePageFile(task: EpubPageTask, look: EpubLook): EpubPageFile {
  const { page, body } = task
  const { document, context } = openDescribed(body, { language: look.language })
  const images = new Map<string, string>()
  const rendered = renderDocument(document, {
    ...context,
    ...look,
    ...inBook(task, context, images),
    outsidePage: true,
  })
  const markup = String(rendered.body)
  if (markup.length > MOST_MARKUP) throw new Error(`The page ${page.id} has too much markup for a book`)

  const tree = satteri().htmlToHast(markup, { fragment: true })
  const fitting: Fitting = {
    images: new Set(images.keys()),
    words: look.words,
    links: 0,
    ids: new Set(),
    properties: new Set(),
  }
  const content = fitIntoBook(tree.type === 'root' ? tree.children : [tree], fitting)
  const links = settleOwn(content, fitting.ids)
  return {
    file: archived(pageXhtml(task, content)),
    ids: [...fitting.ids],
    links,
    images,
    properties: [...fitting.properties].toSorted(),
  }
}

/** Makes the file of a page that cannot be rendered: the part of its source that every reader may see, as text. */
export function makePlainFile(task: EpubPageTask): EpubPageFile {
  const text = unconditionalText(task.body.page.source).slice(0, MOST_PLAIN)
  const content = [xml('pre', { class: 'plain' }, [text])]
  return { file: archived(pageXhtml(task, content)), ids: [], links: [], images: new Map(), properties: [] }
}

/** The title of a page with its emoji. */
export function titleIn({ title, emoji }: Pick<EpubPage, 'title' | 'emoji'>): string {
  return emoji ? `${emojiCharacter(emoji)} ${title}` : title
}

/** The title as it stands in a file, where it must have text: characters that XML cannot have are none. */
export function titled(title: string): string {
  return withoutForbidden(title).trim() || '—'
}

/** A file of the book that readers read. */
export function xhtmlFile(
  book: { language: string; direction: string },
  title: string,
  body: readonly XmlNode[],
  bodyAttributes: Record<string, string> = {},
): string {
  const { language, direction } = book
  const root = xml(
    'html',
    {
      xmlns: 'http://www.w3.org/1999/xhtml',
      'xmlns:epub': 'http://www.idpf.org/2007/ops',
      lang: language,
      'xml:lang': language,
      dir: direction,
    },
    [
      xml('head', {}, [
        xml('meta', { charset: 'utf-8' }),
        xml('title', {}, [titled(title)]),
        xml('link', { rel: 'stylesheet', type: 'text/css', href: 'style.css' }),
      ]),
      xml('body', bodyAttributes, body),
    ],
  )
  return printXmlFile(root, '<!DOCTYPE html>')
}

function pageXhtml(task: EpubPageTask, content: readonly XmlNode[]): string {
  const { page } = task
  const head = [
    xml('h1', {}, [titled(titleIn(page))]),
    page.description?.trim() ? xml('p', { class: 'description' }, [page.description]) : undefined,
  ]
  const chapter = { 'epub:type': 'chapter', role: 'doc-chapter', 'aria-label': titled(titleIn(page)) }
  return xhtmlFile(task, page.title, [xml('section', chapter, [...head, ...content])])
}

/** Returns functions that resolve references in a book, and add each image to `images` by its path. */
function inBook(
  { places }: EpubPageTask,
  context: VisibleContext,
  images: Map<string, string>,
): Pick<RenderContext, 'href' | 'image' | 'file'> {
  return {
    href(ref) {
      // An anchor alone means this page, also in reusable content.
      if (ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined)
        return { href: `#${anchorAddress(ref.anchor)}` }
      const target = context.href(ref)
      const place = referencePlace(ref)
      if (place) {
        const { file, title, description, emoji } = place
        const anchor = ref.kind === 'anchor' ? `#${anchorAddress(ref.anchor)}` : ''
        return {
          href: file + anchor,
          title,
          ...(description ? { description } : {}),
          ...(emoji ? { emoji } : {}),
        }
      }
      return target && readable(target)
    },
    image(ref) {
      const file = context.file(ref)
      const path = ref.kind === 'file' && file ? imagePathOf(ref.file, file.contentType) : undefined
      if (ref.kind === 'file' && path !== undefined) {
        images.set(path, ref.file)
        return { ...context.image(ref), src: path }
      }
      const target = context.image(ref)
      return target && isAbsolute(target.src) ? target : undefined
    },
    file(ref) {
      const file = context.file(ref)
      return file && isAbsolute(file.href) ? file : undefined
    },
  }

  function referencePlace(ref: ContentRef) {
    if ((ref.kind !== 'page' && ref.kind !== 'anchor') || ref.page === undefined || ref.space !== undefined)
      return undefined
    return places.get(ref.page)
  }
}

/** An address that is not absolute is one of a site, where a book cannot lead. */
function readable(target: LinkTarget): LinkTarget {
  const { href, image: _image, ...rest } = target
  return href !== undefined && (isAbsolute(href) || href.startsWith('#')) ? { ...rest, href } : rest
}

function isAbsolute(url: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(url)
}

/**
 * Makes the links of a page to itself name ids that it has; a link to no id becomes text.
 * @returns the links to places in other pages
 */
function settleOwn(content: readonly XmlNode[], ids: ReadonlySet<string>): string[] {
  const find = anchorFinder(ids)
  const others = new Set<string>()
  const open: XmlElement[] = content.filter((node) => typeof node === 'object')
  for (let element = open.pop(); element; element = open.pop()) {
    const href = element.name === 'a' ? (element.attributes.get('href') ?? '') : ''
    if (href.startsWith('#')) setAnchor(element, find(decodedAnchor(href.slice(1))), ids)
    if (/^[\w-]+\.xhtml#/.test(href)) others.add(href)
    for (const child of element.children) if (typeof child === 'object') open.push(child)
  }
  return [...others]
}

function setAnchor(element: XmlElement, anchor: string, ids: ReadonlySet<string>): void {
  if (ids.has(anchor)) element.attributes.set('href', `#${anchorAddress(anchor)}`)
  else {
    element.name = 'span'
    for (const name of ['href', 'aria-label', 'epub:type', 'role']) element.attributes.delete(name)
  }
}

/** Characters that a URL fragment cannot contain. Some reading systems compare other characters as they are written. */
const NOT_IN_ANCHOR = /[^\w!$&'()*+,./:;=?@~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{1fffd}-]/gu

/** An id as the part of an address after its `#`. */
export function anchorAddress(id: string): string {
  return id.toWellFormed().replace(NOT_IN_ANCHOR, encodeURIComponent)
}

/** The id that the part of an address after its `#` names. */
export function decodedAnchor(anchor: string): string {
  try {
    return decodeURIComponent(anchor)
  } catch {
    return anchor
  }
}
