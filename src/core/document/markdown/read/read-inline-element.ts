import { inline, voidInline, withMark } from '../../build.ts'
import { holding, htmlInline, referring } from '../conditions/condition-tags.ts'
import { isExpression } from '../html-source.ts'
import type { ButtonAction, ContentRef, Mark } from '../../model.ts'
import { annotationBody, addText, innerLine, readPhrases, refOf, withoutEmpty } from './read-line.ts'
import { openTags } from './phrase-tags.ts'
import { phraseText } from './phrase-text.ts'
import type { LineReader, Phrase, PhraseElement } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/** Reads an element into the line; false if the model has no inline for it. */
type ReadElement = (element: PhraseElement, marks: Mark[], reader: LineReader) => boolean

/** Reads an inline HTML element. The tags of an element that the model has no inline for are kept as written. */
export function readInlineElement(element: PhraseElement, marks: Mark[], reader: LineReader): void {
  if (Object.hasOwn(ELEMENTS, element.name) && ELEMENTS[element.name]?.(element, marks, reader)) return

  reader.runs.push(htmlInline(element.open, reader.reading))
  readPhrases(element.children, marks, reader)
  if (element.close !== '') reader.runs.push(htmlInline(element.close, reader.reading))
}

/** The classes of an element: they distinguish buttons, expressions and icons from links, code and italics. */
export function classesOf(element: { attributes: Map<string, string> }): string[] {
  return (element.attributes.get('class') ?? '').split(/\s+/).filter((name) => name !== '')
}

/** The address in an attribute. */
export function attributeRef(
  element: PhraseElement,
  name: string,
  reading: ReadingContext,
): ContentRef | undefined {
  const value = element.attributes.get(name)
  return value === undefined || value === '' ? undefined : refOf(value, reading)
}

/** The image of an `<img>` or `<picture>`, as image blocks and inline images share it. */
export function readPicture(
  element: PhraseElement,
  reading: ReadingContext,
): { ref: ContentRef; refDark?: ContentRef; image: PhraseElement } | undefined {
  if (element.name === 'img') {
    const ref = attributeRef(element, 'src', reading)
    return ref && { ref, image: element }
  }
  const inside = element.children.filter((child) => child.type === 'element')
  const image = inside.find((child) => child.name === 'img')
  const ref = image && attributeRef(image, 'src', reading)
  const dark = inside.find(
    (child) => child.name === 'source' && /dark/.test(child.attributes.get('media') ?? ''),
  )
  if (!image || !ref || inside.some((child) => child !== image && child !== dark)) return undefined
  const refDark = dark && attributeRef(dark, 'srcset', reading)
  return refDark ? { ref, refDark, image } : { ref, image }
}

/** A mark for an element without attributes. */
function mark(type: Exclude<Mark['type'], 'color'>): ReadElement {
  return (element, marks, reader) => {
    if (element.attributes.size > 0) return false
    readPhrases(element.children, withMark(marks, { object: 'mark', type }), reader)
    return true
  }
}

const readImage: ReadElement = (element, _marks, reader) => {
  const picture = readPicture(element, reader.reading)
  if (!picture) return false
  const { image, ...refs } = picture
  const written = image.attributes.get('data-size')
  const size = written === 'line' || written === 'original' ? written : undefined
  const [caption, alt] = [image.attributes.get('title'), image.attributes.get('alt')].map((value) =>
    reader.reading.masked.raw(value ?? ''),
  )
  reader.runs.push(voidInline('inline-image', withoutEmpty({ ...refs, caption, alt, size })))
  return true
}

const readButton: ReadElement = (element, _marks, reader) => {
  const classes = classesOf(element)
  if (!classes.includes('button')) return false
  const kind = classes.includes('secondary') ? 'secondary' : 'primary'
  const label = phraseText(element.children, reader.reading, 'label').trim()
  const icon = element.attributes.get('data-icon')
  const ref = attributeRef(element, 'href', reader.reading)
  const data = { label, kind, icon, ref, action: readAction(element, reader.reading) } as const
  const button = voidInline('button', { ...withoutEmpty(data), label })
  reader.runs.push(holding(button, openTags(element.children, reader.reading)))
  return true
}

function readAction(element: PhraseElement, reading: ReadingContext): ButtonAction | undefined {
  const action = element.attributes.get('data-action')
  const query = reading.masked.raw(element.attributes.get('data-query') ?? '')
  if (action === 'select')
    return { action, slug: reading.masked.raw(element.attributes.get('data-slug') ?? '') }
  if (action === 'search' || action === 'ask') return query === '' ? { action } : { action, query }
  return undefined
}

const readAnchor: ReadElement = (element, marks, reader) => {
  if (readButton(element, marks, reader)) return true
  const { attributes } = element
  if (attributes.has('data-footnote-ref')) {
    const label = (attributes.get('href') ?? '').replace(/^#(?:user-content-)?fn-?/, '')
    const body = annotationBody(label.toLowerCase(), reader.reading)
    if (!body) return false
    const annotation = inline('annotation', {}, innerLine(element.children, marks, reader), [body])
    reader.runs.push(referring(annotation, label.toLowerCase(), reader.reading))
    return true
  }
  const ref = attributeRef(element, 'href', reader.reading)
  if (!ref || (attributes.has('id') && element.children.length === 0)) return false
  if (attributes.has('data-mention')) reader.runs.push(voidInline('mention', { ref }))
  else reader.runs.push(inline('link', { ref }, innerLine(element.children, marks, reader)))
  return true
}

const readCode: ReadElement = (element, marks, reader) => {
  if (isExpression(element)) {
    reader.runs.push(
      voidInline('expression', { expression: expressionText(element.children, reader.reading).trim() }),
    )
    return true
  }
  return mark('code')(element, marks, reader)
}

/** The source text of an expression. An expression is not prose: the asterisks in `a * b * c` are not emphasis. */
function expressionText(phrases: Phrase[], reading: ReadingContext): string {
  const first = phrases[0]
  const last = phrases.at(-1)
  const emphasis = phrases.some(({ type }) => type === 'emphasis' || type === 'strong' || type === 'delete')
  if (!emphasis || !first || !last || !('position' in first) || !('position' in last))
    return phraseText(phrases, reading)

  const source = reading.masked.text.slice(first.position?.start.offset, last.position?.end.offset)
  return reading.masked.raw(source).replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** Classes of Font Awesome for the style, the size and the movement of an icon, which can come before its name. */
const NOT_AN_ICON =
  /^fa-(?:solid|regular|light|thin|duotone|brands|sharp(?:-\w+)?|classic|2xs|xs|sm|lg|xl|2xl|\d+x|fw|ul|li|border|pull-\w+|spin(?:-\w+)?|pulse|beat(?:-fade)?|fade|bounce|flip(?:-\w+)?|shake|rotate-\w+|stack(?:-\dx)?|inverse)$/

const readIcon: ReadElement = (element, marks, reader) => {
  const icon = classesOf(element).find((name) => name.startsWith('fa-') && !NOT_AN_ICON.test(name))
  if (icon === undefined) return mark('italic')(element, marks, reader)
  const color = elementStyle(element, reader.reading).get('color')
  const name = reader.reading.masked.raw(icon.slice(3))
  reader.runs.push(voidInline('icon', color === undefined ? { icon: name } : { icon: name, color }))
  return true
}

const readColour: ReadElement = (element, marks, reader) => {
  const style = elementStyle(element, reader.reading)
  const [colour, background] = [style.get('color'), style.get('background-color')]
  if (colour === undefined && background === undefined) return false
  const data = {
    ...(colour === undefined ? {} : { text: colour }),
    ...(background === undefined ? {} : { background }),
  }
  readPhrases(element.children, withMark(marks, { object: 'mark', type: 'color', data }), reader)
  return true
}

const readSpan: ReadElement = (element, _marks, reader) => {
  const { attributes } = element
  if (attributes.size === 0 && element.children.length === 0) return true
  const tag = attributes.has('data-gb-custom-inline') ? attributes.get('data-tag') : undefined
  const code = attributes.get('data-code')
  if (tag === 'emoji' && code !== undefined && /^[0-9a-f]+(?:-[0-9a-f]+)*$/i.test(code)) {
    reader.runs.push(voidInline('emoji', { code: code.toLowerCase() }))
    return true
  }
  if (attributes.get('class') !== 'math' || attributes.size > 1) return false
  reader.runs.push(voidInline('inline-math', { formula: phraseText(element.children, reader.reading) }))
  return true
}

const ELEMENTS: Record<string, ReadElement> = {
  strong: mark('bold'),
  b: mark('bold'),
  em: mark('italic'),
  i: readIcon,
  del: mark('strikethrough'),
  s: mark('strikethrough'),
  sup: mark('superscript'),
  sub: mark('subscript'),
  kbd: mark('keyboard'),
  mark: readColour,
  code: readCode,
  a: readAnchor,
  button: readButton,
  img: readImage,
  picture: readImage,
  span: readSpan,
  br(element, marks, reader) {
    if (element.attributes.size > 0) return false
    addText('\n', marks, reader)
    return true
  },
}

/** The declarations of a `style` attribute. */
function elementStyle(element: PhraseElement, { masked }: ReadingContext): Map<string, string> {
  const style = masked.raw(element.attributes.get('style') ?? '')
  const declarations = style.split(';').map((declaration) => {
    const [name = '', ...value] = declaration.split(':')
    return [name.trim().toLowerCase(), value.join(':').trim()] as const
  })
  return new Map(declarations.filter(([name, value]) => name !== '' && value !== ''))
}
