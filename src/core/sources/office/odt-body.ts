/** Writes the body of an OpenDocument text as HTML, with the classes and ids that `addDocument` reads. */
import { escapeXml } from '../../text/xml.ts'
import { findFirst, isElement, type MarkupElement, type MarkupNode, phraseIn } from '../html/markup.ts'
import type { OdtStyle, OdtStyles } from './odt-styles.ts'

/** What the body of a document needs of its other parts. */
export interface OdtParts {
  styles: OdtStyles
  /** The formula of an embedded object in LaTeX; undefined if it is another object. */
  formula(address: string): string | undefined
  /** The address to write for a picture; undefined if it is left out. */
  picture(address: string): string | undefined
}

/** What is written so far. */
interface Writing extends OdtParts {
  html: string[]
  notes: string[]
  /** The lines of code that are not written yet. */
  code: string[]
  /** How many lists are around, and the style of the outermost. */
  level: number
  listStyle?: string | undefined
}

/** The HTML of the blocks of a document, and of its notes as a list at the end. */
export function odtHtml(body: MarkupElement, parts: OdtParts): string {
  const writing: Writing = { ...parts, html: [], notes: [], code: [], level: 0 }
  writeBlocks(body.children, writing)
  if (writing.notes.length > 0) writing.html.push('<ol>', ...writing.notes, '</ol>')
  return writing.html.join('')
}

/** Elements that are no content: indexes, forms, declarations, and what tracked changes have deleted. */
const LEFT_OUT =
  /^(?:text:(?:table-of-content|[a-z]+-index|tracked-changes|[a-z-]+-decls)|office:(?:forms|annotation|annotation-end)|table:covered-table-cell)$/

function writeBlocks(nodes: readonly MarkupNode[], writing: Writing): void {
  for (const node of nodes) {
    if (!isElement(node) || LEFT_OUT.test(node.name)) continue
    const style = writing.styles.styleNamed(node.attributes['text:style-name'])
    const isCode = node.name === 'text:p' && isNamed(style, CODE)
    if (!isCode) flushCode(writing)
    if (isCode) writing.code.push(escapeXml(lineOfCode(node.children)))
    else if (node.name === 'text:h') writeHeading(node, writing)
    else if (node.name === 'text:p') writeParagraph(node, style, writing)
    else if (node.name === 'text:list') writeList(node, writing)
    else if (node.name === 'table:table') writeTable(node, writing)
    else if (node.name === 'draw:frame') writeFrame(node, false, writing)
    else writeBlocks(node.children, writing)
  }
  flushCode(writing)
}

function flushCode({ code, html }: Writing): void {
  if (code.length > 0) html.push('<pre>', code.join('\n'), '</pre>')
  code.length = 0
}

const CODE = new Set(['Preformatted_20_Text', 'Source_20_Code', 'Code'])
const CODE_WORDS = new Set(['Source_20_Text', 'Teletype', 'User_20_Entry'])
const QUOTES = new Set(['Quotations', 'Quote', 'Block_20_Quotation'])
const TITLES = new Set(['Title'])

const isNamed = ({ names }: OdtStyle, known: ReadonlySet<string>) => names.some((name) => known.has(name))

function writeHeading(heading: MarkupElement, writing: Writing): void {
  const level = Math.min(6, Math.max(1, Math.trunc(Number(heading.attributes['text:outline-level'])) || 1))
  writing.html.push(`<h${level}>`)
  writeInline(heading.children, writing)
  writing.html.push(`</h${level}>`)
}

function writeParagraph(paragraph: MarkupElement, style: OdtStyle, writing: Writing): void {
  const { html } = writing
  const isTitle = isNamed(style, TITLES)
  const isQuote = isNamed(style, QUOTES)
  const marks = isTitle ? [] : style.marks
  const [only, ...others] = paragraph.children.filter((child) => isElement(child) || child.trim() !== '')
  const isAlone = others.length === 0 && isElement(only, 'draw:frame')
  html.push(isTitle ? '<h1 class="document-title">' : isQuote ? '<blockquote><p>' : '<p>')
  if (isAlone) writeFrame(only, true, writing)
  else writeMarked(marks, paragraph.children, writing)
  html.push(isTitle ? '</h1>' : isQuote ? '</p></blockquote>' : '</p>')
  for (const box of textBoxesIn(paragraph)) writeBlocks(box.children, writing)
}

const textBoxesIn = ({ children }: MarkupElement) =>
  children
    .filter((child): child is MarkupElement => isElement(child, 'draw:frame'))
    .flatMap((frame) =>
      frame.children.filter((child): child is MarkupElement => isElement(child, 'draw:text-box')),
    )

function writeList(list: MarkupElement, writing: Writing): void {
  const outer = { level: writing.level, listStyle: writing.listStyle }
  writing.level += 1
  writing.listStyle = list.attributes['text:style-name'] ?? outer.listStyle
  const items = list.children.filter((child): child is MarkupElement => isElement(child))
  // Numbered headings are in lists.
  const hasHeadings = items.some(({ children }) => children.some((child) => isElement(child, 'text:h')))
  const name = writing.styles.isNumbered(writing.listStyle, writing.level) ? 'ol' : 'ul'
  const start = Math.trunc(Number(items[0]?.attributes['text:start-value']))
  if (!hasHeadings) writing.html.push(name === 'ol' && start > 1 ? `<ol start="${start}">` : `<${name}>`)
  for (const item of items) {
    if (!hasHeadings) writing.html.push('<li>')
    writeBlocks(item.children, writing)
    if (!hasHeadings) writing.html.push('</li>')
  }
  if (!hasHeadings) writing.html.push(`</${name}>`)
  Object.assign(writing, outer)
}

function writeTable(table: MarkupElement, writing: Writing): void {
  const writeRows = (nodes: readonly MarkupNode[]) => {
    for (const node of nodes) {
      if (!isElement(node)) continue
      if (node.name === 'table:table-row') writeRow(node, writing)
      else if (node.name === 'table:table-header-rows') {
        writing.html.push('<thead>')
        writeRows(node.children)
        writing.html.push('</thead>')
      } else if (/^table:table-(?:rows|row-group)$/.test(node.name)) writeRows(node.children)
    }
  }
  writing.html.push('<table>')
  writeRows(table.children)
  writing.html.push('</table>')
}

function writeRow(row: MarkupElement, writing: Writing): void {
  writing.html.push('<tr>')
  for (const cell of row.children) {
    if (!isElement(cell, 'table:table-cell')) continue
    const spans = (['columns', 'rows'] as const).map((what) => {
      const count = Math.trunc(Number(cell.attributes[`table:number-${what}-spanned`])) || 1
      return count > 1 ? ` ${what === 'columns' ? 'colspan' : 'rowspan'}="${count}"` : ''
    })
    writing.html.push(`<td${spans.join('')}>`)
    writeBlocks(cell.children, writing)
    writing.html.push('</td>')
  }
  writing.html.push('</tr>')
}

function writeMarked(marks: readonly string[], nodes: readonly MarkupNode[], writing: Writing): void {
  for (const mark of marks) writing.html.push(`<${mark}>`)
  writeInline(nodes, writing)
  for (const mark of marks.toReversed()) writing.html.push(`</${mark}>`)
}

function writeInline(nodes: readonly MarkupNode[], writing: Writing): void {
  for (const node of nodes) {
    if (typeof node === 'string') writing.html.push(escapeXml(node))
    else if (!LEFT_OUT.test(node.name)) (INLINES.get(node.name) ?? writeContent)(node, writing)
  }
}

type Write = (element: MarkupElement, writing: Writing) => void

const writeContent: Write = ({ children }, writing) => writeInline(children, writing)
const writeAnchor: Write = ({ attributes }, { html }) =>
  html.push(`<a id="${escapeXml(attributes['text:name'] ?? '')}"></a>`)
const writeLinkTo = (address: string, { children }: MarkupElement, writing: Writing) => {
  writing.html.push(`<a href="${escapeXml(address)}">`)
  writeInline(children, writing)
  writing.html.push('</a>')
}

const INLINES = new Map<string, Write>([
  ['text:s', (element, { html }) => html.push(spacesOf(element))],
  ['text:tab', (_, { html }) => html.push('\t')],
  ['text:line-break', (_, { html }) => html.push('<br>')],
  ['text:bookmark', writeAnchor],
  ['text:bookmark-start', writeAnchor],
  ['text:note', writeNote],
  ['text:ruby-text', () => undefined],
  ['draw:frame', (element, writing) => writeFrame(element, false, writing)],
  ['text:a', (element, writing) => writeLinkTo(element.attributes['xlink:href'] ?? '', element, writing)],
  [
    'text:bookmark-ref',
    (element, writing) => writeLinkTo(`#${element.attributes['text:ref-name'] ?? ''}`, element, writing),
  ],
  [
    'text:span',
    (element, writing) => {
      const style = writing.styles.styleNamed(element.attributes['text:style-name'])
      writeMarked(isNamed(style, CODE_WORDS) ? ['code'] : style.marks, element.children, writing)
    },
  ],
])

/** A number of spaces is not trusted: few characters could stand for many. */
const MOST_SPACES = 80

const spacesOf = ({ attributes }: MarkupElement) =>
  ' '.repeat(Math.min(MOST_SPACES, Math.trunc(Number(attributes['text:c'] ?? 1)) || 1))

/** The text of a line of code, with its spaces. */
function lineOfCode(nodes: readonly MarkupNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      if (node.name === 'text:s') return spacesOf(node)
      if (node.name === 'text:tab') return '\t'
      return node.name === 'text:line-break'
        ? '\n'
        : LEFT_OUT.test(node.name)
          ? ''
          : lineOfCode(node.children)
    })
    .join('')
}

function writeNote(note: MarkupElement, writing: Writing): void {
  const body = note.children.find((child) => isElement(child, 'text:note-body'))
  if (!isElement(body)) return
  const number = writing.notes.length + 1
  writing.html.push(`<sup><a href="#footnote-${number}">[${number}]</a></sup>`)
  // The place is taken before the note is read, because a note may have notes.
  writing.notes.push('')
  const inner: Writing = { ...writing, html: [], code: [], level: 0 }
  writeBlocks(body.children, inner)
  writing.notes[number - 1] = `<li id="footnote-${number}">${inner.html.join('')}</li>`
}

/** A frame has a formula or a picture. Text boxes are written behind their paragraph. */
function writeFrame(frame: MarkupElement, isAlone: boolean, writing: Writing): void {
  const { html, formula, picture } = writing
  const firstPart = (name: string) => frame.children.find((child) => isElement(child, name))
  const object = firstPart('draw:object')
  const latex = isElement(object) ? formula(object.attributes['xlink:href'] ?? '') : undefined
  if (latex !== undefined) {
    html.push(`<span class="math${isAlone ? ' display' : ''}">\\(${escapeXml(latex)}\\)</span>`)
    return
  }
  const image = firstPart('draw:image')
  const source = isElement(image) ? picture(image.attributes['xlink:href'] ?? '') : undefined
  const [title, description] = [firstPart('svg:title'), firstPart('svg:desc')]
  const alt = [description, title]
    .flatMap((one) => (isElement(one) ? phraseIn(one.children) : []))
    .find(Boolean)
  if (source !== undefined) html.push(`<img src="${escapeXml(source)}" alt="${escapeXml(alt ?? '')}">`)
  else if (!firstPart('draw:text-box') && alt !== undefined) html.push(escapeXml(alt))
}

/** The names of the authors in the changes or comments of a document. */
export function odtAuthors(elements: readonly MarkupElement[]): Set<string> {
  const names = elements.map((element) => {
    const creator = findFirst(element, ({ name }) => name === 'dc:creator')
    return creator ? phraseIn(creator.children) : ''
  })
  return new Set(names.filter((name) => name !== ''))
}
