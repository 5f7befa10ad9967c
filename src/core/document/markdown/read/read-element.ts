import { block, defined, filled, fragment, paragraph, voidBlock } from '../../build.ts'
import type { Align, Block, BlockOf } from '../../model.ts'
import { blockMark } from '../conditions/condition-tags.ts'
import { expandable, framesImages, joinImages } from './nest.ts'
import { readPre } from './read-code.ts'
import { readAnchor } from './read-heading.ts'
import { classesOf, readPicture } from './read-inline-element.ts'
import { readLine } from './read-line.ts'
import { tagOf } from './phrase-tags.ts'
import type { Phrase, PhraseElement } from '../reading.ts'
import { readLength } from './read-tags.ts'
import type { ReadingContext } from '../reading.ts'
import { withoutEnd } from '../../../text/trimming.ts'

/** Elements nested more deeply than this are kept as HTML. */
export const MAX_ELEMENT_DEPTH = 20

type ReadBlock = (element: PhraseElement, reading: ReadingContext, depth: number) => Block | undefined

const heading =
  (type: 'heading-1' | 'heading-2' | 'heading-3'): ReadBlock =>
  (element, reading) => {
    const { id, phrases } = readAnchor(element.children, reading)
    const nodes = readLine(trimmed(phrases), reading)
    return block(type, defined({ id, align: alignOf(element) }), nodes)
  }

const list =
  (type: 'list-unordered' | 'list-ordered'): ReadBlock =>
  (element, reading, depth) => {
    const items = element.children.filter((child) => !isSpace(child))
    if (items.length === 0 || !items.every((item) => item.type === 'element' && item.name === 'li'))
      return undefined
    const nodes = items.map((item) => {
      const inside = readFlow((item as PhraseElement).children, reading, depth + 1)
      const checked = (item as PhraseElement).attributes.get('data-checked')
      const data = checked === 'true' || checked === 'false' ? { checked: checked === 'true' } : {}
      return inside && block('list-item', data, filled(inside))
    })
    if (!nodes.every((item) => item !== undefined)) return undefined
    const start = Number(element.attributes.get('start') ?? 1)
    if (type === 'list-ordered')
      return block(type, start === 1 || !Number.isInteger(start) ? {} : { start }, nodes)
    return block(nodes.some((item) => item.data.checked !== undefined) ? 'list-tasks' : type, {}, nodes)
  }

const BLOCKS: Record<string, ReadBlock> = {
  p: (element, reading) => paragraph(readLine(trimmed(element.children), reading), alignOf(element)),
  h1: heading('heading-1'),
  h2: heading('heading-1'),
  h3: heading('heading-2'),
  h4: heading('heading-3'),
  h5: heading('heading-3'),
  h6: heading('heading-3'),
  ul: list('list-unordered'),
  ol: list('list-ordered'),
  blockquote: (element, reading, depth) => {
    const inside = readFlow(element.children, reading, depth + 1)
    return inside && block('blockquote', {}, filled(inside))
  },
  hr: () => voidBlock('divider', {}),
  pre: readPre,
  figure: readFigure,
  picture: readFigure,
  img: readFigure,
  table: (element, reading, depth) => reading.readHtmlTable(element, reading, depth),
  details: (element, reading, depth) => {
    const [summary, ...rest] = element.children.filter((child) => !isSpace(child))
    const titled = summary?.type === 'element' && summary.name === 'summary'
    const inside = readFlow(titled ? rest : element.children, reading, depth + 1)
    return (
      inside &&
      expandable(element.attributes.has('open'), titled ? readSummary(summary, reading) : undefined, inside)
    )
  },
  div: (element, reading, depth) => {
    const inside = framesImages(element.attributes)
      ? readFlow(element.children, reading, depth + 1)
      : undefined
    return inside && joinImages(element.attributes, inside)
  },
}

/** True for an element that is always a separate block. */
export function isBlockElement(element: PhraseElement): boolean {
  return Object.hasOwn(BLOCKS, element.name) && element.name !== 'div'
}

/** The block for an element; undefined if the model has none. */
export function readBlockElement(
  element: PhraseElement,
  reading: ReadingContext,
  depth: number,
): Block | undefined {
  return Object.hasOwn(BLOCKS, element.name) && depth < MAX_ELEMENT_DEPTH
    ? BLOCKS[element.name]?.(element, reading, depth)
    : undefined
}

/**
 * The blocks of a cell, list item or quote in HTML. Elements become blocks, and the text between them becomes
 * paragraphs. Returns undefined if the model has no block for an element.
 */
export function readFlow(nodes: Phrase[], reading: ReadingContext, depth: number): Block[] | undefined {
  const blocks: Block[] = []
  let loose: Phrase[] = []
  const end = () => {
    const tags = loose.map((phrase) => tagOf(phrase, reading))
    if (loose.every((phrase, index) => isSpace(phrase) || tags[index]?.name === 'if'))
      for (const tag of tags.filter((one) => one !== undefined)) blocks.push(blockMark(tag))
    else blocks.push(paragraph(readLine(trimmed(loose), reading)))
    loose = []
  }

  for (const node of nodes) {
    const separate =
      node.type === 'element' && (isBlockElement(node) || node.name === 'div') && !isInline(node)
    if (!separate) {
      loose.push(node)
      continue
    }
    end()
    const read = readBlockElement(node, reading, depth)
    if (!read) return undefined
    blocks.push(read)
  }
  end()
  return blocks
}

/** Removes white space at the ends, which HTML does not display. */
export function trimmed(phrases: Phrase[]): Phrase[] {
  return phrases.map((phrase, index) => {
    if (phrase.type !== 'characters' && phrase.type !== 'text') return phrase
    const written = phrase.type === 'text' ? phrase.value : phrase.source
    const start = index === 0 ? written.replace(/^[ \t\r\n]+/, '') : written
    const text = index === phrases.length - 1 ? withoutEnd(start, ' \t\r\n') : start
    return phrase.type === 'text' ? { ...phrase, value: text } : { ...phrase, source: text }
  })
}

function isSpace(phrase: Phrase): boolean {
  if (phrase.type === 'text') return phrase.value.trim() === ''
  return phrase.type === 'characters' && phrase.source.trim() === ''
}

/** The title of an expandable. */
export function readSummary(element: PhraseElement, reading: ReadingContext): ReturnType<typeof readLine> {
  return readLine(trimmed(element.children), reading)
}

function alignOf(element: PhraseElement): Align | undefined {
  const align = element.attributes.get('align')
  if (align === 'center') return align
  return align === 'left' ? 'start' : align === 'right' ? 'end' : undefined
}

/** An image in a flow is part of the text, unless it is a drawing. */
function isInline(element: PhraseElement): boolean {
  return element.name === 'picture' || (element.name === 'img' && !isDrawing(element))
}

function isDrawing(element: PhraseElement): boolean {
  return classesOf(element).includes('gitbook-drawing')
}

/** `<figure>`, or an image without one. An image with a size for lines is part of a paragraph. */
function readFigure(element: PhraseElement, reading: ReadingContext): Block | undefined {
  const inside =
    element.name === 'figure' ? element.children.filter((child) => child.type === 'element') : [element]
  const shown = inside.find((child) => child.name === 'img' || child.name === 'picture')
  const caption = inside.find((child) => child.name === 'figcaption')
  if (!shown || inside.some((child) => child !== shown && child !== caption)) return undefined
  if (shown.name === 'img' && isDrawing(shown)) {
    const src = shown.attributes.get('src')
    const picture = readPicture(shown, reading)
    return voidBlock('drawing', src && picture ? { ref: picture.ref } : {})
  }
  if (element.name === 'img' && element.attributes.has('data-size'))
    return paragraph(readLine([element], reading))

  const picture = readPicture(shown, reading)
  const captions = caption ? readFlow(caption.children, reading, 1) : []
  if (!picture || !captions) return undefined
  const { image, ...refs } = picture
  const data: BlockOf<'image'>['data'] = {
    ...refs,
    width: readLength(image.attributes.get('width')),
    height: readLength(image.attributes.get('height')),
    alt: reading.masked.raw(image.attributes.get('alt') ?? '') || undefined,
  }
  return block('images', {}, [
    voidBlock('image', defined(data), captions.length > 0 ? [fragment('caption', captions)] : []),
  ])
}
